/*
 * The patterns of tactics: where a unit can go or aim, and what an attack affects.
 *
 * The server decides; this shows an area under the pointer before anything is sent, and serves
 * what-if.  Patterns are written for seat 0 and turned by 180 degrees for seat 1.
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

/* Players choose the names: one may be "undefined" or "__proto__". */
const mappedBy = (pattern, character) =>
    Object.hasOwn(pattern.map ?? {}, character) ? pattern.map[character] : undefined;

const areas = new WeakMap(); /* params -> Map: a pattern's name -> what it affects, also off the board */

/* Computes each pattern once: nested maps can have exponentially many paths. */
function areaOf(params, name) {
    const known = areas.get(params) ?? areas.set(params, new Map()).get(params);
    if (!known.has(name)) {
        const cells = new Map();
        const pattern = params.patterns[name];
        for (const [dx, dy, character] of offsets(pattern, 0)) {
            for (const [x, y] of affect(params, mappedBy(pattern, character))) {
                const cell = [x + dx, y + dy];
                cells.set(key(cell), cell);
            }
        }
        known.set(name, [...cells.values()]);
    }
    return known.get(name);
}

/* The cells around a target: its own cell, or those of the pattern it is mapped to. */
const affect = (params, mapped) => (mapped === undefined ? [[0, 0]] : areaOf(params, mapped));

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

/* The first attack pattern that contains the target decides. */
export function area(params, unit, target) {
    for (const name of params.models[unit.model]?.attack ?? []) {
        const pattern = params.patterns[name];
        for (const [dx, dy, character] of offsets(pattern, unit.seat)) {
            if (unit.at[0] + dx === target[0] && unit.at[1] + dy === target[1]) {
                const sign = unit.seat === 1 ? -1 : 1;
                return affect(params, mappedBy(pattern, character))
                    .map(([x, y]) => [target[0] + sign * x, target[1] + sign * y])
                    .filter((cell) => onBoard(params, cell));
            }
        }
    }
    return [];
}
