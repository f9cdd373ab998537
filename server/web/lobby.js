/*
 * The first screen: the name, what to play, and lists of matches.
 */
import { get } from "./api.js";
import { createDialog, defaultParams, isRanked, usualLevel } from "./create.js";
import { h, openDialog, put, toast } from "./dom.js";
import { NameField, suggestName } from "./name.js";
import { badge } from "./pieces.js";
import { rulesetPicture } from "./pictures.js";
import { faces, GUIDED } from "./rulesets.js";
import { tellRating } from "./seats.js";
import { settings } from "./settings.js";
import { tellError, tellResult, text } from "./language.js";

const REFRESH_MS = 4000;
const ROWS = 8;
const RATING_FIRST = 1500; /* of who has no rated match yet */
const RATING_MAX = 4000; /* of a range; beyond it there is none */
const RANGES = [0, 100, 200, 400]; /* around one's own rating; 0: any */

export class LobbyScreen {
    constructor(app) {
        this.app = app;
        this.boardRuleset = Object.keys(text.rulesets)[0];
        this.build();
    }

    /* ---- the screen ---- */

    build() {
        this.name = new NameField(this.app);
        this.namePlace = h("div", { class: "name-place" });
        this.waitPlace = h("div", { "aria-live": "polite" });
        this.offerPlace = this.app.isKnown ? null : this.offer();
        this.lists = Object.fromEntries(
            ["mine", "open", "live", "recent", "board"].map((name) => [
                name,
                h("div", { class: "list" }, h("p", { class: "dim" }, text.loading)),
            ]),
        );
        const section = (name) =>
            h("section", { class: `panel list-${name}` }, h("h2", {}, text.lobby[name]), this.lists[name]);
        this.mineSection = section("mine");
        this.element = h(
            "div",
            { class: "lobby" },
            h("h1", {}, text.lobby.welcome),
            this.namePlace,
            this.offerPlace,
            this.waitPlace,
            this.mineSection,
            h(
                "section",
                {},
                h("div", { class: "row" }, h("h2", {}, text.lobby.choose), this.rangeSelect()),
                h(
                    "div",
                    { class: "cards" },
                    Object.keys(text.rulesets).map((name) => this.card(name)),
                ),
            ),
            h("div", { class: "columns" }, section("open"), section("live"), section("recent"), this.boardSection()),
        );
        this.mineSection.hidden = true;
        this.showName();
    }

    /* For new players: a first match with hints. */
    offer() {
        const start = async (ruleset) => (await import("./guide.js")).startGuide(this.app, ruleset);
        return h(
            "div",
            { class: "card offer" },
            h("p", {}, text.guide.offer),
            h(
                "div",
                { class: "row" },
                GUIDED.map((ruleset) =>
                    h(
                        "button",
                        {
                            class: "small",
                            "aria-label": text.guide.startOf(text.rulesets[ruleset].name),
                            onclick: () => this.guard(() => start(ruleset)),
                        },
                        text.rulesets[ruleset].name,
                    ),
                ),
            ),
        );
    }

    /* Whom "Find an opponent" finds in rated matches. */
    rangeSelect() {
        return h(
            "label",
            { class: "row dim range" },
            text.lobby.range,
            h(
                "select",
                {
                    class: "small",
                    onchange: (event) => {
                        settings.range = Number(event.target.value);
                    },
                },
                RANGES.map((range) =>
                    h("option", { value: range, selected: range === settings.range }, text.lobby.within(range)),
                ),
            ),
        );
    }

    card(ruleset) {
        const { name, line, note } = text.rulesets[ruleset];
        const button = (words, act, kind = "") =>
            h("button", { class: kind, "aria-label": `${words}: ${name}`, onclick: () => this.guard(act) }, words);
        return h(
            "article",
            { class: "ruleset", "data-ruleset": ruleset },
            rulesetPicture(ruleset),
            h("h3", {}, name),
            h(
                "p",
                {},
                line,
                note ? h("small", {}, " ", note) : null,
                " ",
                h("a", { href: `#/rules/${ruleset}`, "aria-label": text.rules.title(name) }, text.rules.link),
            ),
            h(
                "div",
                { class: "stack" },
                button(text.lobby.playBot, () => this.playBot(ruleset), "primary"),
                button(text.lobby.playFriend, () => this.playFriend(ruleset)),
                h(
                    "div",
                    { class: "row" },
                    button(text.lobby.playAnyone(isRanked(ruleset)), () => this.playAnyone(ruleset)),
                    button(text.lobby.more, () => this.more(ruleset)),
                ),
            ),
        );
    }

    showName() {
        if (this.app.isKnown) {
            put(
                this.namePlace,
                h(
                    "p",
                    { class: "dim" },
                    text.lobby.name,
                    ": ",
                    h("strong", {}, settings.name ?? ""),
                    " ",
                    h("button", { class: "small link", onclick: () => this.rename() }, text.lobby.rename),
                ),
            );
        } else {
            put(this.namePlace, this.name.element);
        }
    }

    rename() {
        openDialog(text.lobby.rename, (close) => [
            h("p", {}, text.lobby.renameWarning),
            h(
                "div",
                { class: "row" },
                h(
                    "button",
                    {
                        class: "danger",
                        onclick: () => {
                            close();
                            this.app.leaveName();
                            this.name.input.value = suggestName();
                            this.showName();
                            this.refresh();
                        },
                    },
                    text.lobby.rename,
                ),
                h("button", { autofocus: true, onclick: close }, text.cancel),
            ),
        ]);
    }

    /* ---- playing ---- */

    /* Makes sure that the player has a name first, and shows refusals. */
    async guard(act) {
        if (this.isBusy) {
            return;
        }
        this.isBusy = true;
        try {
            await this.name.enter();
            this.showName();
            await act();
        } catch (refusal) {
            if (refusal.code !== "name") {
                toast(tellError(refusal), "bad");
            }
        } finally {
            this.isBusy = false;
        }
    }

    async create(frame) {
        const joined = await this.app.server.request({ type: "create", ...frame });
        this.app.go(`#/match/${joined.match}`);
        return joined;
    }

    async playBot(ruleset) {
        const bot = { bot: { level: usualLevel(ruleset) } };
        const seats = Array.from({ length: faces[ruleset].seatCount ?? 2 }, (_, seat) => (seat === 0 ? null : bot));
        try {
            await this.create({
                ruleset,
                params: defaultParams(ruleset, true),
                clock: null,
                rated: false,
                seats,
                visibility: "private",
            });
        } catch (refusal) {
            throw Object.assign(refusal, { code: refusal.at?.startsWith("/seats") ? "unsupported_bot" : refusal.code });
        }
    }

    async playFriend(ruleset) {
        await this.create({
            ruleset,
            params: defaultParams(ruleset),
            visibility: "private",
            rated: isRanked(ruleset) /* if the friend agrees: see ratingTerms */,
        });
    }

    async playAnyone(ruleset) {
        await this.seek(ruleset, {
            params: defaultParams(ruleset),
            ...(isRanked(ruleset) && settings.range > 0 ? await this.rangeIn(ruleset) : {}),
        });
    }

    /* Around the player's own rating; who has none yet counts as the server counts them. */
    async rangeIn(ruleset) {
        const { standings } = await get("players/me", { isMine: true });
        const rating = standings.find((standing) => standing.ruleset === ruleset)?.rating ?? RATING_FIRST;
        return {
            rating_min: Math.max(0, rating - settings.range),
            rating_max: Math.min(RATING_MAX, rating + settings.range),
        };
    }

    /* `more` is the rest of the frame: somebody who sends the same is the opponent. */
    async seek(ruleset, more) {
        const answer = await this.app.server.request({ type: "queue", ruleset, ...more });
        if (answer.type === "queued") {
            put(
                this.waitPlace,
                h(
                    "div",
                    { class: "card" },
                    h(
                        "p",
                        {},
                        text.lobby.waitingForAnyone(text.rulesets[ruleset].name, isRanked(ruleset)),
                        " ",
                        text.lobby.rangeOf(more.rating_min ?? 0, more.rating_max ?? RATING_MAX),
                    ),
                    h("button", { onclick: () => this.stopWaiting(ruleset) }, text.lobby.stopWaiting),
                ),
            );
        }
    }

    async stopWaiting(ruleset) {
        put(this.waitPlace);
        await this.app.server.request({ type: "queue", ruleset, cancel: true }).catch(() => {});
    }

    async more(ruleset) {
        createDialog(ruleset, (frame) => this.create(frame));
    }

    /* ---- what is going on ---- */

    async open() {
        const { server } = this.app;
        const go = (frame) => frame.id === undefined && this.app.go(`#/match/${frame.match}`);
        this.stops = ["joined", "found"].map((type) => server.on(type, go));
        this.app.own.onChange = () => this.showMine();
        this.timer = setInterval(() => document.hidden || this.refresh(), REFRESH_MS);
        this.refresh();
    }

    close() {
        clearInterval(this.timer);
        this.stops?.forEach((stop) => stop());
        this.app.own.onChange = null;
    }

    async refresh() {
        const lists = {
            open: `matches?status=waiting&limit=${ROWS}`,
            live: `matches?status=running&limit=${ROWS}`,
            recent: `matches?status=over&limit=${ROWS}`,
            board: `leaderboard?ruleset=${this.boardRuleset}&limit=${ROWS}`,
        };
        if (this.isRefreshing) {
            return; /* the server is slow, or asked to wait */
        }
        this.isRefreshing = true;
        await Promise.all([...Object.entries(lists).map(([name, path]) => this.load(name, path)), this.loadMine()]);
        this.isRefreshing = false;
    }

    async load(name, path) {
        try {
            const [answer, { queue }] = await Promise.all([get(path), name === "open" ? get("queue") : { queue: [] }]);
            this.fill(
                name,
                name === "board"
                    ? answer.leaderboard.map((row, place) => this.rank(row, place))
                    : [...queue.map((row) => this.seekRow(row)), ...answer.matches.map((row) => this.row(name, row))],
            );
        } catch {
            delete this.lists[name].dataset.key;
            put(this.lists[name], h("p", { class: "dim" }, text.lobby.cannotLoad));
        }
    }

    /* A list that did not change keeps its elements, and with them the focus. */
    fill(name, rows) {
        const key = rows.map((row) => `${row.dataset.about ?? ""} ${row.textContent}`).join("\n");
        if (this.lists[name].dataset.key === key && rows.length > 0) {
            return;
        }
        this.lists[name].dataset.key = key;
        put(
            this.lists[name],
            rows.length === 0
                ? h("p", { class: "dim" }, text.lobby.none[name])
                : name === "board"
                  ? this.ranks(rows)
                  : h("ul", {}, rows),
        );
    }

    async loadMine() {
        if (!this.app.isKnown) {
            this.mineSection.hidden = true;
            return;
        }
        try {
            const [running, waiting] = await Promise.all(
                ["running", "waiting"].map((status) =>
                    get(`matches?mine=1&status=${status}&limit=30`, { isMine: true }),
                ),
            );
            this.mine = [...running.matches, ...waiting.matches];
            if (this.app.server.status === "open") {
                this.app.own.follow(this.mine);
            }
            this.showMine();
        } catch {
            /* the next refresh tries again */
        }
    }

    showMine() {
        const isMine = (row) => this.app.own.isMine.get(row.id) === true;
        const rows = [...(this.mine ?? [])].sort((a, b) => Number(isMine(b)) - Number(isMine(a)) || b.id - a.id);
        this.mineSection.hidden = rows.length === 0;
        this.fill(
            "mine",
            rows.map((row) => this.row("mine", row)),
        );
    }

    /* Somebody in the queue: whoever wants the same is their opponent. */
    seekRow({ name, rating, provisional, seek }) {
        const { ruleset, params, rating_min, rating_max } = seek;
        const terms = [text.join.clock(seek.settings), text.join.rating(seek.settings.rated)];
        const range = text.lobby.rangeOf(rating_min, rating_max);
        const isOwn = name === settings.name;
        const act = isOwn ? () => this.stopWaiting(ruleset) : () => this.seek(ruleset, { params });
        return h(
            "li",
            { class: "seek", "data-about": JSON.stringify(params) },
            h("span", { class: "game" }, text.rulesets[ruleset]?.name ?? ruleset),
            h(
                "span",
                { class: "players" },
                h(
                    "span",
                    { class: "player" },
                    name,
                    h("span", { class: "rated-at" }, tellRating(rating === null ? null : { rating, provisional })),
                ),
                isOwn ? h("span", { class: "tag" }, text.you) : null,
            ),
            h("span", { class: "dim" }, [...terms, ...(range ? [range] : [])].join(", ")),
            params === null
                ? null
                : h(
                      "button",
                      { class: "small", onclick: () => this.guard(act) },
                      isOwn ? text.lobby.stopWaiting : text.lobby.answer,
                  ),
        );
    }

    row(list, row) {
        const names = row.players.map((name, seat) =>
            h(
                "span",
                { class: "player" },
                badge(seat),
                name ?? text.nobody,
                h("span", { class: "rated-at" }, tellRating(row.ratings?.[seat])),
            ),
        );
        return h(
            "li",
            { "data-about": row.id },
            h("span", { class: "game" }, text.rulesets[row.ruleset]?.name ?? row.ruleset),
            h("span", { class: "players" }, names),
            h("span", { class: "dim" }, this.stateOf(list, row)),
            this.actionOf(list, row),
        );
    }

    stateOf(list, row) {
        if (list === "mine") {
            return row.status === "waiting"
                ? text.lobby.waitsForPlayers
                : this.app.own.isMine.get(row.id)
                  ? h("strong", { class: "your-turn" }, text.lobby.yourTurn)
                  : text.lobby.theirTurn;
        }
        if (list === "recent") {
            return tellResult(row, row.players);
        }
        return list === "live"
            ? text.lobby.turn((row.turn ?? -1) + 1)
            : `${text.join.clock(row.settings)}, ${text.join.rating(row.rated)}`;
    }

    actionOf(list, row) {
        const [path, words] = {
            open: ["join", text.lobby.join],
            mine: ["match", text.lobby.play],
            live: ["match", text.lobby.watch],
            recent: ["replay", text.lobby.replay],
        }[list];
        return h(
            "a",
            { class: `button small ${list === "open" ? "primary" : ""}`, href: `#/${path}/${row.id}` },
            words,
        );
    }

    rank(row, place) {
        return h(
            "tr",
            {},
            h("td", { class: "number" }, String(place + 1)),
            h("td", {}, h("a", { href: `#/player/${row.player}` }, row.name ?? "")),
            h("td", { class: "number" }, tellRating(row)),
            h("td", { class: "number" }, `${row.wins} / ${row.draws} / ${row.losses}`),
        );
    }

    ranks(rows) {
        const heads = [
            text.lobby.rank,
            text.lobby.player,
            text.lobby.rating,
            `${text.lobby.wins} / ${text.lobby.draws} / ${text.lobby.losses}`,
        ];
        return h(
            "table",
            {},
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    heads.map((words) => h("th", { scope: "col" }, words)),
                ),
            ),
            h("tbody", {}, rows),
        );
    }

    /* Ratings exist per ruleset. */
    boardSection() {
        const choose = h(
            "select",
            {
                class: "small",
                "aria-label": text.statistics.ruleset,
                onchange: (event) => {
                    this.boardRuleset = event.target.value;
                    this.refresh();
                },
            },
            Object.entries(text.rulesets).map(([value, { name }]) => h("option", { value }, name)),
        );
        return h(
            "section",
            { class: "panel list-board" },
            h("h2", { class: "row" }, text.lobby.board, choose),
            this.lists.board,
        );
    }
}
