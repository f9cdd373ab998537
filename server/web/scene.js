/*
 * What the boards of all rulesets share.
 *
 * A scene is what a board is drawn from: `params` and `view` of the match, `seat` (null: a
 * spectator), `players`, and `memory` for what the page itself remembers.
 */
import { text } from "./text.js";

/* Are both the same cell?  Nowhere is no cell. */
export const same = (a, b) => Boolean(a && b) && a[0] === b[0] && a[1] === b[1];

export const seatName = (scene, seat) => scene.players?.[seat]?.name ?? text.match.seat(seat);
