/*
 * Small matches that are over in a few clicks.
 */

/* Two pikes face each other on three columns. */
export const DUEL = {
    rows: 5,
    cols: 3,
    placement: false,
    start_rows: 1,
    turn_limit: 40,
    patterns: {
        step: { rows: [" x ", "x x", " x "], map: {} },
        sweep: { rows: [" o ", "   ", "   "], map: { o: "row" } },
        row: { rows: ["   ", "xxx", "   "], map: {} },
    },
    models: {
        pike: { description: "Sweeps the row in front.", health: 10, power: 10, move: ["step"], attack: ["sweep"] },
    },
    units: [
        { id: "a1", model: "pike", seat: 0, at: [1, 4] },
        { id: "b1", model: "pike", seat: 1, at: [1, 0] },
    ],
};

const DEPTH = 20;

/*
 * The duel with names that have a meaning in JavaScript, and an attack whose maps are nested so deep that
 * following every path would never end.
 */
export const NAMED_DUEL = {
    ...DUEL,
    patterns: {
        undefined: { rows: [" x ", "x x", " x "] },
        ["__proto__"]: { rows: [" o ", "   ", "   "], map: { o: "p0" } },
        ...Object.fromEntries(
            Array.from({ length: DEPTH }, (_, i) => [
                `p${i}`,
                { rows: ["xxx", "xxx", "xxx"], ...(i + 1 < DEPTH ? { map: { x: `p${i + 1}` } } : {}) },
            ]),
        ),
    },
    models: Object.fromEntries(
        ["__proto__", "constructor", "toString", " "].map((name) => [
            name,
            { health: 10, power: 10, move: ["undefined"], attack: ["__proto__"] },
        ]),
    ),
    units: [
        { id: "a1", model: "__proto__", seat: 0, at: [1, 4] },
        { id: "a2", model: "constructor", seat: 0, at: [0, 4] },
        { id: "b1", model: "toString", seat: 1, at: [1, 0] },
        { id: "b2", model: " ", seat: 1, at: [0, 0] },
    ],
};

/* One piece each, two steps from home; seat 1 can get there with one jump. */
export const SHORT_HALMA = {
    size: 6,
    pieces: [
        [
            [0, 5],
            [1, 5],
        ],
        [
            [5, 5],
            [5, 4],
        ],
    ],
    destinations: [[[0, 2]], [[5, 3]]],
};

/* No walls, no chance; a disc beside the start of seat 0. */
export const SHORT_RACE = {
    rows: 10,
    cols: 10,
    failure_permille: 0,
    board: {
        walls: [],
        starts: [
            [0, 9],
            [9, 0],
        ],
        items: [
            { kind: "disc", at: [1, 8] },
            { kind: "grenade", at: [8, 0] },
        ],
        teleporters: [],
    },
};

/* One room, one hero: the key two tiles away, then the exit. */
export const SHORT_LEVEL = {
    heroes: ["ada"],
    levels: [
        {
            type: "level",
            rooms: [
                {
                    type: "room",
                    origin: [0, 0],
                    bounds: { rows: 5, columns: 8 },
                    layout: [
                        [0, 0, 0, 0, 0, 0, 0, 0],
                        [0, 1, 1, 1, 1, 1, 1, 0],
                        [0, 1, 1, 1, 1, 1, 1, 0],
                        [0, 1, 1, 1, 1, 1, 1, 0],
                        [0, 0, 0, 0, 0, 0, 0, 0],
                    ],
                },
            ],
            hallways: [],
            objects: [
                { type: "key", position: [1, 3] },
                { type: "exit", position: [1, 5] },
            ],
            starts: { heroes: [[1, 1]], adversaries: [] },
        },
    ],
};
