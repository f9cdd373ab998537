/*
 * A player that is a program: it is asked for the commands of each turn that it owes.
 *
 *   const bot = new Bot({ url: "ws://127.0.0.1:7777/", name: "carol", choose: ({ hints }) => hints.slice(0, 1) });
 *   await bot.open();
 *   const { outcome } = await bot.play({ type: "queue", ruleset: "tactics" });
 */
import { Connection, findWebSocket, freshId } from "./client.js";

const ANSWER_TRIES = 3; /* of `choose`, if its commands are refused */
const LATER = new Set(["busy", "store_unavailable", "rate_limited", "timeout"]);

export class Bot {
    /*
     * `choose` gets { match, ruleset, params, seat, turn, view, hints } and returns the commands, or a promise
     * of them. `agree`, if given, gets the same without hints when the other side offers a draw, and returns
     * whether to accept it; without it offers are declined.
     */
    constructor({ choose, agree = () => false, ...options }) {
        this.choose = choose;
        this.agree = agree;
        this.matches = new Map(); /* match -> what is known of it */
        this.server = new Connection({ bot: true, ...options });
        this.server.on("joined", (frame) => this.know(frame.match, { seat: frame.seat }));
        this.server.on("state", (frame) => this.learn(frame));
        for (const type of ["seated", "turn"]) {
            this.server.on(type, (frame) => this.hear(frame));
        }
        this.server.on("draw", (frame) => this.answer(frame));
        this.server.on("over", (frame) => this.end(frame));
        this.server.on("gone", ({ match, refusal }) => this.know(match, {}).reject(refusal));
    }

    /* Resolves with `welcome`, which has the token to come back with. */
    async open() {
        this.server.WebSocket ??= await findWebSocket();
        return this.server.open();
    }

    close() {
        this.server.close();
    }

    /* Sends a frame that leads to a match (create, join, queue), and resolves with { match, seat, outcome }. */
    async play(frame) {
        const joined = new Promise((resolve) => {
            const stop = this.server.on("joined", (answer) => {
                stop();
                resolve(answer.match);
            });
        });
        const answer = await this.server.request(frame);
        const match = answer.match ?? (await joined);
        return this.know(match, {}).over;
    }

    /* ---- what is known of a match ---- */

    know(match, more) {
        if (!this.matches.has(match)) {
            const known = { match, asked: -1 };
            known.over = new Promise((resolve, reject) => Object.assign(known, { resolve, reject }));
            known.over.catch(() => {}); /* whoever waits is told */
            this.matches.set(match, known);
        }
        return Object.assign(this.matches.get(match), more);
    }

    learn(frame) {
        const { match, ruleset, params, seat, outcome } = frame;
        this.know(match, { ruleset, params, seat });
        if (outcome !== undefined) {
            this.end({ match, ...outcome });
        } else {
            this.hear(frame);
            if (frame.offer !== null && frame.offer !== seat) {
                this.answer({ match, seat: frame.offer, offer: "made" });
            }
        }
    }

    hear({ type, match, seq, view, turn_open: open, pending }) {
        if (type !== "state" && seq <= this.know(match, {}).seq) {
            return; /* it was here before the connection was lost */
        }
        const known = this.know(match, view ? { seq, view } : { seq });
        const owes = open?.owing.includes(known.seat) && !pending?.ready;
        if (owes && known.asked < open.turn) {
            known.asked = open.turn;
            this.move(known, open.turn).catch((error) => this.fail(known, error));
        }
    }

    async move(known, turn) {
        for (let tries = 0, ready = false; !ready; tries++) {
            ready = await this.submit(known, turn, tries === ANSWER_TRIES).catch((error) => {
                if (!LATER.has(error.code)) {
                    throw error;
                }
                tries--; /* the server's store fails: it was waited for, and will be again */
                return false;
            });
        }
    }

    /* Resolves with whether the turn can end.  Commands that were refused again and again count as they are. */
    async submit(known, turn, isLast) {
        const { match, ruleset, params, seat } = known;
        const { commands: hints } = await this.server.request({ type: "hints", match });
        const commands = await this.choose({ match, ruleset, params, seat, turn, view: known.view, hints });
        const frame = { type: "submit", match, turn, commands, command_id: freshId() };
        return (await this.server.request(isLast ? { ...frame, ready: true } : frame)).ready;
    }

    /* A turn that is over already, because a deadline passed, needs no answer. */
    fail(known, error) {
        if (!["wrong_turn", "turn_closed", "match_over"].includes(error.code)) {
            known.reject(error);
        }
    }

    async answer({ match, seat, offer }) {
        const known = this.know(match, {});
        if (offer === "made" && seat !== known.seat) {
            const accept = Boolean(await this.agree(known));
            await this.server.request({ type: "answer_draw", match, accept }).catch(() => {});
        }
    }

    end({ match, winner, reason }) {
        const known = this.know(match, {});
        known.resolve({ match, seat: known.seat, outcome: { winner, reason } });
        this.matches.delete(match);
    }
}
