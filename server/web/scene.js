/*
 * Shared by the boards of all rulesets.
 *
 * A scene is what a board is drawn from: `params` and `view` of the match, `seat` (null: a
 * spectator), `players`, and `memory` for what the page itself remembers.  While a turn is shown it
 * also has `after`, the view after it, and `failures`, the bots without a valid answer.
 */
import { text } from "./language.js";

/* Whether both are the same cell; null is no cell. */
export const same = (a, b) => Boolean(a && b) && a[0] === b[0] && a[1] === b[1];

/* What happened in a turn, in words: first the bots without a valid answer, and why. */
export function tellTurn(face, scene, { events, failures = [] }, after) {
    const told = { ...scene, after, failures };
    return [
        ...failures.map(({ seat, message }) => text.match.botFailed(seatName(scene, seat), message)),
        ...events.map((event) => face.tellEvent(event, told)),
    ];
}

export const seatName = (scene, seat) => scene.players?.[seat]?.name ?? text.match.seat(seat);
