/*
 * The patterns of tactics: where a unit can go or aim, and what an attack affects.
 *
 * The server decides; this is for showing an area under the pointer before anything is sent, and
 * for what-if.  Patterns are drawn for seat 0 and turned by 180 degrees for seat 1.
 */

const key = ([x, y]) => `${x},${y}`;

/* [dx, dy, character] of every target of a pattern. */
function offsets(pattern, seat) {
    const half = Math.floor(pattern.rows.length / 2);
    const sign = seat === 1 ? -1 : 1;
    const found = [];
    pattern.rows.forEach((row, y) => {
        [...row].forEach((character, x) => {
            if (character !== " ") {
                found.push([sign * (x - half), sign * (y - half), character]);
            }
        });
    });
    return found;
}

const onBoard = (params, [x, y]) => x >= 0 && y >= 0 && x < params.cols && y < params.rows;

/* The cells that a target affects, off the board too: its own, or those of the mapped pattern. */
function affect(params, pattern, character, at, seat, into) {
    const mapped = params.patterns[pattern.map?.[character]];
    if (mapped === undefined) {
        into.set(key(at), at);
        return;
    }
    for (const [dx, dy, next] of offsets(mapped, seat)) {
        affect(params, mapped, next, [at[0] + dx, at[1] + dy], seat, into);
    }
}

/* `kind` is "move" or "attack". */
export function targets(params, unit, kind) {
    const found = new Map();
    for (const name of params.models[unit.model]?.[kind] ?? []) {
        for (const [dx, dy] of offsets(params.patterns[name], unit.seat)) {
            const cell = [unit.at[0] + dx, unit.at[1] + dy];
            if (onBoard(params, cell)) {
                found.set(key(cell), cell);
            }
        }
    }
    return [...found.values()];
}

/* The first attack pattern that has the target says what is affected. */
export function area(params, unit, target) {
    for (const name of params.models[unit.model]?.attack ?? []) {
        const pattern = params.patterns[name];
        for (const [dx, dy, character] of offsets(pattern, unit.seat)) {
            if (unit.at[0] + dx === target[0] && unit.at[1] + dy === target[1]) {
                const into = new Map();
                affect(params, pattern, character, target, unit.seat, into);
                return [...into.values()].filter((cell) => onBoard(params, cell));
            }
        }
    }
    return [];
}
