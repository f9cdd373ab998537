/*
 * A finished match: its turns, and the board before and after each as an audience sees it.
 *
 * Position p is the board after p turns; turn p leads from position p to p + 1.  The server
 * resolves every turn again on request, so boards come from the rules and are not guessed by the
 * page.  Of a file from disk the browser's own referee does.
 */
import { get, getFile, getLines, withCode } from "./api.js";
import { faces } from "./rulesets.js";

const PAGE = 200;

/* All moments of an audience, page by page; the last line of a page says what follows. */
async function loadMoments({ id, code }, audience) {
    const moments = [];
    let after;
    do {
        const from = after === undefined ? "" : `&after=${after}`;
        const lines = await getLines(`matches/${id}/moments?view=${audience}&limit=${PAGE}${from}${withCode(code)}`, {
            isMine: true,
        });
        after = lines.at(-1).next;
        moments.push(...lines.slice(0, -1));
    } while (after !== null);
    return moments;
}

export class Recording {
    /* `load` gets the moments of another audience, `read` the match's file. */
    constructor(match, moments, { load, read }) {
        Object.assign(this, { match, load, read });
        this.turns = moments.slice(1);
        this.face = faces[match.ruleset];
        this.cache = new Map([["everything", moments]]); /* audience -> moments by position */
    }

    static async load(id, code) {
        const match = await get(`matches/${id}${withCode(code, "?")}`, { isMine: true });
        if (match.status !== "over") {
            throw Object.assign(new Error(match.status), { code: "match_not_over" });
        }
        return new Recording(match, await loadMoments(match, "everything"), {
            load: (audience) => loadMoments(match, audience),
            read: () => getFile(match.id, match.code),
        });
    }

    /* From a file that the browser has proven. */
    static ofFile(match, moments, bytes) {
        return new Recording({ ...match, id: match.match, status: "over" }, moments, {
            load: async (audience) => (await import("./proof.js")).momentsOf(bytes, match.match, audience),
            read: async () => bytes,
        });
    }

    get last() {
        return this.turns.length;
    }

    get seats() {
        return this.match.players.map((_, seat) => seat);
    }

    audiences() {
        return ["everything", ...this.seats.map(String), "spectator"];
    }

    async moments(audience) {
        if (!this.cache.has(audience)) {
            this.cache.set(audience, await this.load(audience));
        }
        return this.cache.get(audience);
    }

    /* What led to the board before this turn, for the referee; the seed is public once a match is over. */
    requestAt(turn) {
        const { ruleset, version, params, seed } = this.match;
        return { ruleset, version, params, seed, state: this.cache.get("everything")[turn].state, turn };
    }

    /* The bytes that others can verify. */
    file() {
        return this.read();
    }

    clashes() {
        return this.turns
            .map((turn, i) => (turn.events.some(this.face.isClash) ? i + 1 : 0))
            .filter((position) => position > 0);
    }

    /* The state of each side at every position; undefined if the ruleset has no measure. */
    standings() {
        return this.face.standing === undefined
            ? undefined
            : this.cache.get("everything").map(({ state }) => this.face.standing(state, this.seats, this.match.params));
    }

    /* The position at which the balance between the first two sides shifted most. */
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
