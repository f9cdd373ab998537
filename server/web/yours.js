/*
 * A player's own page: ratings, finished matches, the record against each opponent, and a link that
 * takes the name to another device.
 */
import { get } from "./api.js";
import { h, openDialog, put } from "./dom.js";
import { copy } from "./invite.js";
import { badge } from "./pieces.js";
import { settings } from "./settings.js";
import { language, tellLostReason, tellReason, text } from "./language.js";

const PAGE = 50;

/* The player's rating in a ruleset; undefined: no rated match was finished. */
export async function ownRating(ruleset) {
    const { leaderboard } = await get(`leaderboard?ruleset=${ruleset}&mine=1`, { isMine: true });
    return leaderboard[0];
}

/* won, lost, drawn or ended, for this player. */
function resultOf({ winner, reason, players }) {
    const seat = players.indexOf(settings.name);
    const kind = winner === null ? (reason.startsWith("draw") ? "drawn" : "ended") : winner === seat ? "won" : "lost";
    return { kind, words: `${text.yours[kind]}: ${kind === "lost" ? tellLostReason(reason) : tellReason(reason)}` };
}

export class YoursScreen {
    constructor(app) {
        this.app = app;
        this.matches = [];
        this.ratings = h("div", { class: "ratings" });
        this.list = h("ul", {});
        this.opponents = h("div", {});
        this.older = h("button", { hidden: true, onclick: () => this.load() }, text.yours.older);
        this.element = h(
            "div",
            { class: "yours lobby" },
            h("h1", {}, settings.name ?? text.yours.title),
            this.ratings,
            h(
                "div",
                { class: "columns" },
                h("section", { class: "panel list" }, h("h2", {}, text.yours.finished), this.list, this.older),
                h("section", { class: "panel" }, h("h2", {}, text.yours.opponents), this.opponents),
            ),
            h(
                "p",
                { class: "row" },
                h("button", { class: "small", hidden: !app.isKnown, onclick: () => this.carry() }, text.yours.carry),
                h("a", { class: "button small", href: "#/verify" }, text.verify.title),
            ),
        );
    }

    async open() {
        if (!this.app.isKnown) {
            put(this.list, h("li", { class: "dim" }, text.yours.nobody));
            return;
        }
        await Promise.all([this.load(), this.loadRatings()]);
    }

    close() {}

    async loadRatings() {
        const rulesets = Object.entries(text.rulesets);
        const rows = await Promise.all(rulesets.map(([ruleset]) => ownRating(ruleset).catch(() => undefined)));
        put(
            this.ratings,
            rulesets.map(
                ([, { name }], i) =>
                    rows[i] &&
                    h(
                        "div",
                        { class: "panel rating" },
                        h("h2", {}, name),
                        h("strong", {}, `${rows[i].rating}${rows[i].provisional ? "?" : ""}`),
                        h("p", { class: "dim" }, text.yours.tally(rows[i])),
                    ),
            ),
        );
    }

    async load() {
        const after = this.next === undefined ? "" : `&after=${this.next}`;
        const { matches, next } = await get(`matches?mine=1&status=over&limit=${PAGE}${after}`, { isMine: true });
        this.next = next;
        this.older.hidden = next === null;
        this.matches.push(...matches.filter((match) => match.started_at !== null));
        this.show();
    }

    show() {
        put(
            this.list,
            this.matches.length === 0
                ? h("li", { class: "dim" }, text.yours.none)
                : this.matches.map((match) => this.row(match)),
        );
        this.showOpponents();
    }

    row(match) {
        const { kind, words } = resultOf(match);
        return h(
            "li",
            {},
            h("span", { class: "game" }, text.rulesets[match.ruleset]?.name ?? match.ruleset),
            h(
                "span",
                { class: "players" },
                match.players.map((name, seat) => h("span", { class: "player" }, badge(seat), name ?? text.nobody)),
            ),
            h("span", { class: kind === "won" ? "good" : kind === "lost" ? "bad" : "dim" }, words),
            h(
                "span",
                { class: "dim" },
                `${new Date(match.ended_at).toLocaleString(language)}, ${text.join.rating(match.rated)}`,
            ),
            h("a", { class: "button small", href: `#/replay/${match.id}` }, text.lobby.replay),
        );
    }

    showOpponents() {
        const tally = new Map();
        for (const match of this.matches) {
            for (const name of match.players.filter((other) => other !== null && other !== settings.name)) {
                const sums = tally.get(name) ?? { won: 0, drawn: 0, lost: 0, ended: 0 };
                sums[resultOf(match).kind] += 1;
                tally.set(name, sums);
            }
        }
        const heads = [text.lobby.player, text.lobby.wins, text.lobby.draws, text.lobby.losses];
        put(
            this.opponents,
            tally.size === 0
                ? h("p", { class: "dim" }, text.yours.none)
                : h(
                      "table",
                      {},
                      h(
                          "thead",
                          {},
                          h(
                              "tr",
                              {},
                              heads.map((words, i) => h("th", { scope: "col", class: i === 0 ? "" : "number" }, words)),
                          ),
                      ),
                      h(
                          "tbody",
                          {},
                          [...tally].map(([name, { won, drawn, lost }]) =>
                              h(
                                  "tr",
                                  {},
                                  h("td", {}, name),
                                  [won, drawn, lost].map((sum) => h("td", { class: "number" }, String(sum))),
                              ),
                          ),
                      ),
                  ),
        );
    }

    /* Anyone who has the link is this player, so it is shown only on request. */
    carry() {
        const link = new URL(location.href);
        link.hash = `#/as?token=${settings.token}`;
        openDialog(text.yours.carry, (close) => [
            h("p", {}, text.yours.carryHint),
            h(
                "p",
                {},
                h("input", {
                    type: "text",
                    readonly: true,
                    value: link.href,
                    "aria-label": text.yours.carryLink,
                    onfocus: (event) => event.target.select(),
                }),
            ),
            h(
                "div",
                { class: "row" },
                h("button", { class: "primary", onclick: () => copy(link.href) }, text.create.copy),
                h("button", { onclick: close }, text.close),
            ),
        ]);
    }
}

/* The other end of that link.  Asks first, because a link may come from anybody. */
export class BecomeScreen {
    constructor(app, token) {
        Object.assign(this, { app, token });
        history.replaceState(null, "", "#/as"); /* not left in the address for others to read */
        this.element = h(
            "section",
            { class: "panel" },
            h("h1", {}, text.yours.becomeTitle),
            h("p", {}, app.isKnown ? text.yours.becomeInstead(settings.name ?? "") : text.yours.becomeHint),
            h(
                "div",
                { class: "row" },
                h("button", { class: "primary", onclick: () => this.become() }, text.yours.become),
                h("a", { class: "button", href: "#/" }, text.cancel),
            ),
        );
    }

    async open() {}

    close() {}

    async become() {
        this.app.leaveName();
        settings.token = this.token;
        try {
            await this.app.enter();
            this.app.go("#/yours");
        } catch {
            this.app.go("#/");
        }
    }
}
