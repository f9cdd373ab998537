/*
 * The drawings of the rules: small boards, made from the params and facts of the server.
 */
import { h, svg } from "./dom.js";
import { text } from "./language.js";
import { area, targets } from "./patterns.js";
import { base, CELL, piece, thing } from "./pieces.js";

const at = ([x, y], element) => svg("g", { transform: `translate(${(x + 0.5) * CELL} ${(y + 0.5) * CELL})` }, element);

const square = ([x, y], className) =>
    svg("rect", { class: className, x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 3 });

const dot = (cell) => at(cell, svg("circle", { r: 5, class: "mark-dot" }));

const cross = (cell) => at(cell, svg("path", { d: "M-7 0H7M0-7V7", class: "diagram-cross" }));

const line = (cells, className) =>
    svg("path", {
        class: className,
        d: cells.map(([x, y], i) => `${i === 0 ? "M" : "L"}${(x + 0.5) * CELL} ${(y + 0.5) * CELL}`).join(""),
    });

const every = (cols, rows) => Array.from({ length: cols * rows }, (_, i) => [i % cols, Math.floor(i / cols)]);

/* A board with its caption; `content` is drawn on the cells. */
function diagram(caption, cols, rows, ...content) {
    return h(
        "figure",
        { class: "diagram" },
        svg(
            "svg",
            { viewBox: `0 0 ${cols * CELL} ${rows * CELL}`, "aria-hidden": "true" },
            every(cols, rows).map((cell) => square(cell, `ground ${(cell[0] + cell[1]) % 2 ? "odd" : "even"}`)),
            content,
        ),
        h("figcaption", {}, caption),
    );
}

const AROUND = every(3, 3)
    .map(([x, y]) => [x - 1, y - 1])
    .filter(([x, y]) => x !== 0 || y !== 0);

const moved = (cells) => cells.map((cell) => [square(cell, "mark-move"), dot(cell)]);

/* ---- tactics ---- */

const FAR = 64; /* from the unit to the edge: no pattern reaches further */

/* Draws these cells around the unit, on a board that is just large enough. */
function around(caption, model, sets) {
    const middle = [FAR, FAR];
    const reach = Math.max(
        1,
        ...sets.flatMap(({ cells }) => cells.flat().map((coordinate) => Math.abs(coordinate - FAR))),
    );
    const shift = ([x, y]) => [x - FAR + reach, y - FAR + reach];
    return diagram(
        caption,
        2 * reach + 1,
        2 * reach + 1,
        sets.flatMap(({ cells, draw }) => cells.map((cell) => draw(shift(cell)))),
        at(shift(middle), piece(0, model)),
    );
}

export function modelDiagrams(params, model) {
    const large = { ...params, cols: 2 * FAR + 1, rows: 2 * FAR + 1 };
    const unit = { model, seat: 0, at: [FAR, FAR] };
    const aims = targets(large, unit, "attack");
    const areas = aims.map((target) => ({ target, cells: area(large, unit, target) }));
    const largest = areas.reduce((most, one) => (one.cells.length > (most?.cells.length ?? 1) ? one : most), null);
    const hit = (cell) => square(cell, "mark-area");
    return [
        around(text.rules.moves, model, [{ cells: targets(large, unit, "move"), draw: (cell) => moved([cell]) }]),
        around(text.rules.aims, model, [
            { cells: areas.flatMap(({ cells }) => cells), draw: (cell) => square(cell, "reach-hit") },
            { cells: aims, draw: (cell) => [square(cell, "mark-attack"), cross(cell)] },
        ]),
        largest === null
            ? null
            : around(text.rules.area, model, [
                  { cells: largest.cells, draw: hit },
                  { cells: [largest.target], draw: (cell) => [square(cell, "mark-attack"), cross(cell)] },
              ]),
    ];
}

/* ---- the others ---- */

const stone = (cell, seat) =>
    at(cell, svg("g", { class: `piece seat-${seat}` }, svg("g", { transform: "scale(0.85)" }, base(seat))));
const arrow = (cells, seat) => line(cells, `picture-arrow seat-${seat}`);
const near = ([x, y], distance) =>
    every(2 * distance + 1, 2 * distance + 1)
        .map(([dx, dy]) => [x + dx - distance, y + dy - distance])
        .filter(([cx, cy]) => Math.abs(cx - x) + Math.abs(cy - y) <= distance && (cx !== x || cy !== y));
const neighbours = ([x, y]) => AROUND.map(([dx, dy]) => [x + dx, y + dy]);

const DRAWN = {
    halma: ({ step, jump, hold, collision }) => [
        diagram(step, 3, 3, moved(neighbours([1, 1])), stone([1, 1], 0)),
        diagram(
            jump,
            5,
            3,
            moved([
                [2, 2],
                [4, 0],
            ]),
            stone([0, 2], 0),
            stone([1, 2], 1),
            stone([3, 1], 0),
            arrow(
                [
                    [0, 2],
                    [2, 2],
                    [4, 0],
                ],
                0,
            ),
        ),
        diagram(hold, 3, 3, square([1, 1], "mark-selected"), stone([1, 1], 0)),
        diagram(
            collision,
            3,
            3,
            square([1, 1], "collision"),
            stone([0, 2], 0),
            stone([2, 0], 1),
            arrow(
                [
                    [0, 2],
                    [1, 1],
                ],
                0,
            ),
            arrow(
                [
                    [2, 0],
                    [1, 1],
                ],
                1,
            ),
        ),
    ],
    racers: ({ move, trail, disc, teleporter }, { disc_range }) => [
        diagram(move, 3, 3, moved(neighbours([1, 1])), at([1, 1], piece(0, "racer"))),
        diagram(
            trail,
            4,
            3,
            [
                [1, 1],
                [2, 2],
            ].map((cell) => square(cell, "mark-attack")),
            line(
                [
                    [0, 0],
                    [1, 1],
                    [2, 2],
                    [3, 2],
                ],
                "picture-trail seat-1",
            ),
            at([3, 2], piece(1, "racer")),
            at([2, 1], piece(0, "racer")),
            moved([
                [1, 0],
                [2, 0],
                [3, 0],
                [3, 1],
            ]),
        ),
        diagram(
            disc,
            disc_range.value + 1,
            1,
            line(
                [
                    [0, 0],
                    [disc_range.value, 0],
                ],
                "picture-arrow seat-0",
            ),
            at([0, 0], piece(0, "racer")),
            at([disc_range.value, 0], thing("disc")),
        ),
        diagram(
            teleporter,
            4,
            3,
            at([1, 2], thing("teleporter")),
            at([3, 0], thing("teleporter")),
            at([0, 2], piece(0, "racer")),
            arrow(
                [
                    [0, 2],
                    [1, 2],
                    [3, 0],
                ],
                0,
            ),
        ),
    ],
    snarl: ({ hero, zombie, ghost }, { hero_steps, sight }) => {
        const side = 2 * Math.max(hero_steps.value, sight.value) + 3;
        const middle = [(side - 1) / 2, (side - 1) / 2];
        const isSeen = ([x, y]) => Math.max(Math.abs(x - middle[0]), Math.abs(y - middle[1])) <= sight.value;
        const wall = (x) => every(5, 5).filter((cell) => cell[0] === x);
        return [
            diagram(
                hero,
                side,
                side,
                every(side, side)
                    .filter((cell) => !isSeen(cell))
                    .map((cell) => square(cell, "ground dark")),
                moved(near(middle, hero_steps.value)),
                at(middle, piece(0, "hero")),
            ),
            diagram(
                zombie,
                5,
                5,
                wall(3)
                    .filter(([, y]) => y !== 2)
                    .map((cell) => square(cell, "ground wall")),
                square([3, 2], "tile door"),
                moved(near([2, 2], 1).filter(([x]) => x < 3)),
                at([2, 2], thing("zombie")),
            ),
            diagram(
                ghost,
                5,
                5,
                wall(3).map((cell) => square(cell, "ground wall")),
                moved(near([2, 2], 1)),
                at([2, 2], thing("ghost")),
            ),
        ];
    },
};

/* Of a ruleset without its own drawings: none. */
export const rulesDiagrams = (ruleset, facts) =>
    Object.hasOwn(DRAWN, ruleset) ? DRAWN[ruleset](text.rules[ruleset].pictures, facts) : [];
