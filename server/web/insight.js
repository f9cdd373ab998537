/*
 * What the board shows without giving an order: what a unit can do, the threats of the other side,
 * and what happened in the last turn.  A ruleset provides it with `reach`, `detail` and `trace`; if
 * it does not, nothing is shown.
 */

function mark(board, layer, cell, className) {
    board.square(layer, cell, className).setAttribute("data-at", cell.join());
}

/* Where the unit on this cell can go, and everything it can hit; null is no cell. */
export function showReach(board, face, scene, cell) {
    board.clear("reach");
    const reach = cell === null || !scene?.view ? undefined : face.reach?.(scene, cell);
    reach?.hits.forEach((at) => mark(board, "reach", at, "reach-hit"));
    reach?.moves.forEach((at) => mark(board, "reach", at, "reach-move"));
}

/* The more units can hit a cell, the darker it is. */
export function showThreats(board, face, scene, isShown) {
    board.clear("threats");
    if (isShown && scene.view) {
        for (const unit of scene.view.units.filter((other) => other.seat !== scene.seat)) {
            face.reach(scene, unit.at).hits.forEach((at) => mark(board, "threats", at, "threat"));
        }
    }
}

/* `scene` is the one before the turn. */
export function showTrace(board, face, scene, events) {
    board.clear("traces");
    face.trace?.(board, scene, events);
}
