/*
 * A player's page, one's own or another's: ratings, finished matches, opponents; and a link that
 * takes one's name to another device.
 */
import { get } from "./api.js";
import { attempt, h, openDialog, put } from "./dom.js";
import { copy } from "./invite.js";
import { language, tellError, tellLostReason, tellReason, text } from "./language.js";
import { badge } from "./pieces.js";
import { opponentTable, ratingPanels } from "./profile.js";
import { settings } from "./settings.js";

const PAGE = 50;

/* won, lost, drawn or ended, for this player. */
function resultOf({ winner, reason, players }) {
    const seat = players.indexOf(settings.name);
    const kind = winner === null ? (reason.startsWith("draw") ? "drawn" : "ended") : winner === seat ? "won" : "lost";
    return { kind, words: `${text.yours[kind]}: ${kind === "lost" ? tellLostReason(reason) : tellReason(reason)}` };
}

export class YoursScreen {
    /* Without an id: the player of this browser. */
    constructor(app, id = null) {
        Object.assign(this, { app, id });
        this.matches = [];
        this.headline = h("h1", {}, (id === null ? settings.name : null) ?? text.yours.title);
        this.ratings = h("div", { class: "ratings" });
        this.list = h("ul", {}, h("li", { class: "dim" }, text.loading));
        this.opponents = h("div", {}, h("p", { class: "dim" }, text.loading));
        this.older = h("button", { hidden: true, onclick: () => this.load() }, text.yours.older);
        this.element = h(
            "div",
            { class: "yours lobby" },
            this.headline,
            this.ratings,
            h(
                "div",
                { class: "columns" },
                id === null
                    ? h("section", { class: "panel list" }, h("h2", {}, text.yours.finished), this.list, this.older)
                    : null,
                h("section", { class: "panel" }, h("h2", {}, text.yours.opponents), this.opponents),
            ),
            id === null ? this.tools() : null,
        );
    }

    tools() {
        return h(
            "p",
            { class: "row" },
            h(
                "button",
                { class: "small", hidden: !this.app.isKnown, onclick: attempt(() => this.carry()) },
                text.yours.carry,
            ),
            h("a", { class: "button small", href: "#/verify" }, text.verify.title),
        );
    }

    async open() {
        if (this.id === null && !this.app.isKnown) {
            put(this.list, h("li", { class: "dim" }, text.yours.nobody));
            put(this.opponents);
            return;
        }
        await Promise.all([this.id === null ? this.load() : null, this.loadProfile()]);
    }

    close() {}

    async loadProfile() {
        try {
            const player = await get(`players/${this.id ?? "me"}`, { isMine: true });
            this.headline.textContent = player.name;
            put(
                this.ratings,
                player.standings.length === 0 ? h("p", { class: "dim" }, text.yours.unrated) : ratingPanels(player),
            );
            put(
                this.opponents,
                player.opponents.length === 0
                    ? h("p", { class: "dim" }, text.yours.none)
                    : opponentTable(player.opponents),
            );
        } catch (error) {
            put(this.opponents, h("p", { class: "bad" }, error.status === 404 ? text.yours.unknown : tellError(error)));
        }
    }

    async load() {
        const after = this.next === undefined ? "" : `&after=${this.next}`;
        const { matches, next } = await get(`matches?mine=1&status=over&limit=${PAGE}${after}`, { isMine: true });
        this.next = next;
        this.older.hidden = next === null;
        this.matches.push(...matches.filter((match) => match.started_at !== null));
        put(
            this.list,
            this.matches.length === 0
                ? h("li", { class: "dim" }, text.yours.none)
                : this.matches.map((match) => this.row(match)),
        );
    }

    row(match) {
        const { kind, words } = resultOf(match);
        const change = match.ratings?.[match.players.indexOf(settings.name)]?.change;
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
                typeof change === "number" ? ` ${text.yours.change(change)}` : "",
            ),
            h("a", { class: "button small", href: `#/replay/${match.id}` }, text.lobby.replay),
        );
    }

    /* Anyone who has the link is this player, so it is shown only on request. */
    async carry() {
        const link = new URL(location.href);
        link.hash = `#/as?token=${settings.token}`;
        const { qrPicture } = await import("./qr.js");
        openDialog(text.yours.carry, (close) => [
            h("p", {}, text.yours.carryHint),
            qrPicture(link.href, text.yours.carryCode),
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
