/*
 * The player's own unfinished matches: whose turn it is in each, kept current by following them.
 */
const FOLLOWED_MAX = 20; /* more than anybody plays at once, but no burden for the server */

export class OwnMatches {
    constructor(server) {
        this.server = server;
        this.isMine = new Map(); /* match -> whether the turn waits for this player */
        this.onChange = null;
        this.seats = new Map();
        for (const type of ["state", "seated", "turn"]) {
            server.on(type, (frame) => this.hear(frame));
        }
        server.on("accepted", (frame) => this.set(frame.match, frame.ready ? false : this.isMine.get(frame.match)));
        server.on("over", (frame) => this.set(frame.match, false));
    }

    hear(frame) {
        if (frame.type === "state") {
            this.seats.set(frame.match, frame.seat);
        }
        const seat = this.seats.get(frame.match);
        const open = frame.turn_open;
        if (seat !== undefined && seat !== null) {
            this.set(frame.match, open !== undefined && open.owing.includes(seat) && !open.ready.includes(seat));
        }
    }

    set(match, isMine) {
        if (this.isMine.get(match) !== isMine) {
            this.isMine.set(match, isMine);
            this.onChange?.();
        }
    }

    /* Follows those that are not followed yet. */
    follow(matches) {
        for (const { id } of matches.slice(0, FOLLOWED_MAX)) {
            if (!this.server.followed.has(id)) {
                this.server.followed.set(id, 0);
                this.server.request({ type: "resume", match: id, seq: 0 }).catch(() => this.server.followed.delete(id));
            }
        }
    }
}
