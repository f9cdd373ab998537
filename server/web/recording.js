/*
 * A stored match: its turns, and the board before and after each as one of the audiences sees it.
 *
 * Position p is the board after p turns; turn p leads from position p to p + 1.
 */
import { get, getLines } from "./api.js";
import { faces } from "./rulesets.js";
import { text } from "./text.js";

const PAGE = 200;

export class Recording {
    constructor(app, match, turns) {
        Object.assign(this, { app, match, turns });
        this.face = faces[match.ruleset];
        this.cache = new Map(); /* audience -> views by position */
    }

    /* Page by page, until no more turns come. */
    static async load(app, id) {
        const match = await get(`matches/${id}`, { isMine: true });
        const lines = [];
        let page;
        do {
            const after = lines.at(-1)?.turn;
            page = (await getLines(`matches/${id}/replay?limit=${PAGE}${after === undefined ? "" : `&after=${after}`}`, { isMine: true })).filter((line) => line.commands !== undefined);
            lines.push(...page);
        } while (page.length === PAGE);
        return new Recording(app, match, lines);
    }

    get last() {
        return this.turns.length;
    }

    get seats() {
        return this.match.players.map((_, seat) => seat);
    }

    audiences() {
        return ["all"];
    }

    async views(audience) {
        if (!this.cache.has(audience)) {
            this.cache.set(audience, this.face.fold === undefined ? await this.viewsOfFrames() : this.viewsOfEvents());
        }
        return this.cache.get(audience);
    }

    viewsOfEvents() {
        const views = [this.face.first(this.match)];
        this.turns.forEach((turn) => views.push(this.face.fold(views.at(-1), turn)));
        return views;
    }

    /* Where events do not tell everything, the frames of the match do: they come again. */
    async viewsOfFrames() {
        const { app, match } = this;
        await app.enter(app.guestName());
        const views = [];
        const stop = app.server.on("frame", (frame) => frame.match === match.id && ["seated", "turn"].includes(frame.type) && frame.view && views.push(frame.view));
        await app.server.request({ type: "watch", match: match.id });
        await app.server.request({ type: "resume", match: match.id, seq: 1 });
        stop();
        app.server.leave(match.id);
        if (views.length !== this.last + 1) {
            throw new Error(text.replay.tooLong);
        }
        return views;
    }

    /* The file that others can verify: as the server tells it. */
    async file() {
        return [this.match, ...this.turns].map((line) => `${JSON.stringify(line)}\n`).join("");
    }

    clashes() {
        return this.turns.map((turn, i) => (turn.events.some(this.face.isClash) ? i + 1 : 0)).filter((position) => position > 0);
    }

    /* How each side stood at every position; undefined where the ruleset has no measure. */
    standings(views) {
        return this.face.standing === undefined ? undefined : views.map((view) => this.face.standing(view, this.seats, this.match.params));
    }

    /* The position to which the balance between the first two sides shifted most. */
    static decisive(standings) {
        let best = 0;
        let most = -1;
        for (let i = 1; i < standings.length; i++) {
            const shift = Math.abs(standings[i][0] - standings[i][1] - standings[i - 1][0] + standings[i - 1][1]);
            if (shift > most) {
                [best, most] = [i, shift];
            }
        }
        return best;
    }
}
