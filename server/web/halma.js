/*
 * halma on the page.
 *
 * A move is built square by square: a step, or several jumps over pieces that are there at the
 * start of the turn.
 */
import { h, svg } from "./dom.js";
import { Orders } from "./orders.js";
import { base } from "./pieces.js";
import { same, seatName } from "./scene.js";
import { text } from "./language.js";

const unitsAt = (view, cell) => view.units.filter((unit) => same(unit.at, cell));
const seatOf = (id) => (id.startsWith("a") ? 0 : 1);
const AROUND = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
];

/* ---- the picture ---- */

function drawGround(board, scene) {
    for (const cell of board.every()) {
        board.square("ground", cell, `ground ${(cell[0] + cell[1]) % 2 ? "odd" : "even"}`);
    }
    scene.params.destinations.forEach((cells, seat) => {
        for (const cell of cells) {
            board.square("ground", cell, `destination seat-${seat}`);
            board.add(
                "ground",
                cell,
                svg(
                    "g",
                    { class: `destination-mark seat-${seat}`, transform: "scale(0.5)" },
                    svg("g", { class: "small-base" }, base(seat)),
                ),
            );
        }
    });
}

/* Two pieces on one square are drawn side by side. */
function drawUnit(board, unit, isShared) {
    const shift = isShared ? (unit.seat === 0 ? -7 : 7) : 0;
    const size = isShared ? 0.62 : 0.85;
    const figure = svg(
        "g",
        { class: `piece halma seat-${unit.seat} ${unit.damage > 0 ? "damaged" : ""}`, "data-unit": unit.id },
        svg(
            "g",
            { transform: `translate(${shift} 0) scale(${size})` },
            base(unit.seat),
            unit.damage > 0 ? svg("text", { class: "letters", y: 6 }, String(unit.damage)) : null,
        ),
        svg("title", {}, unit.damage > 0 ? `${unit.id}, ${text.halma.damage(unit.damage)}` : unit.id),
    );
    return board.add("pieces", unit.at, figure);
}

function draw(board, scene) {
    board.setBounds({ cols: scene.params.size, rows: scene.params.size });
    board.clear("ground", "things", "pieces", "effects");
    drawGround(board, scene);
    const shared = new Set();
    scene.figures = new Map(
        scene.view.units.map((unit) => {
            const isShared = unitsAt(scene.view, unit.at).length > 1;
            if (isShared) {
                shared.add(unit.at.join());
            }
            return [unit.id, drawUnit(board, unit, isShared)];
        }),
    );
    for (const cell of shared) {
        board.square("things", cell.split(",").map(Number), "collision");
    }
}

/* ---- the animation ---- */

const LEG_MS = 320;

const moved = (board, scene, event) => (animator) =>
    animator.travel(
        scene.figures.get(event.unit),
        event.path.map((cell) => board.place(cell)),
        LEG_MS * (event.path.length - 1),
    );

const collided = (board, scene, event) => async (animator) => {
    const mark = board.square("effects", event.at, "collision strong");
    await animator.wait(1400);
    mark.remove();
};

const SHOWN = { moved, collided };

function steps(board, scene, events) {
    const moves = events.filter((event) => event.kind === "moved");
    const others = events.filter((event) => event.kind === "collided");
    count(scene, events);
    return [moves, others]
        .filter((group) => group.length > 0)
        .map((group) => (animator) => group.map((event) => SHOWN[event.kind](board, scene, event)(animator)));
}

/* ---- the messages of its rules ---- */

function count(scene, events) {
    scene.memory.moves ??= [0, 0];
    for (const event of events.filter((other) => other.kind === "moved")) {
        scene.memory.moves[seatOf(event.unit)] += 1;
    }
}

/* Events from before this page was opened. */
function recall(scene, turns) {
    scene.memory.moves = [0, 0];
    turns.forEach((turn) => count(scene, turn.events ?? []));
}

/* How many destinations of the seat are full, and how many of them with its own pieces. */
export function filling(params, view, seat) {
    const filled = params.destinations[seat].map((cell) => unitsAt(view, cell)).filter((units) => units.length > 0);
    return {
        full: filled.length,
        own: filled.filter((units) => units.some((unit) => unit.seat === seat)).length,
        all: params.destinations[seat].length,
    };
}

/* Which pieces are damaged, and for how long. */
function damages(view, seat) {
    const units = view.units.filter((unit) => unit.seat === seat && unit.damage > 0);
    return units.length === 0
        ? text.halma.undamaged
        : h(
              "ul",
              { class: "damages" },
              units.map((unit) => h("li", {}, text.halma.damagedFor(unit.id, unit.damage))),
          );
}

function messages(scene) {
    const { view, params } = scene;
    const row = (words, value) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, words),
            [0, 1].map((seat) => h("td", { class: "number" }, value(seat))),
        );
    return h(
        "div",
        { class: "messages" },
        h("p", {}, text.halma.info(view.turn, params.turn_limit)),
        h(
            "table",
            {},
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    h("th", {}, h("span", { class: "unseen" }, text.halma.moves)),
                    [0, 1].map((seat) => h("th", { scope: "col" }, seatName(scene, seat))),
                ),
            ),
            h(
                "tbody",
                {},
                row(text.halma.moves, (seat) => String(scene.memory.moves?.[seat] ?? 0)),
                row(text.halma.damaged, (seat) => damages(view, seat)),
                row(text.halma.home, (seat) => text.halma.filled(filling(params, view, seat))),
            ),
        ),
        [0, 1]
            .filter((seat) => view.faults[seat] > 0)
            .map((seat) =>
                h(
                    "p",
                    { class: "bad" },
                    seatName(scene, seat),
                    ": ",
                    text.halma.faults(view.faults[seat], params.stall_limit),
                ),
            ),
    );
}

/* ---- words ---- */

/* A bot without a valid answer was asked in time; what was wrong with its answer is shown separately. */
const reasonOf = (scene, seat, reason) =>
    reason === "missing" && scene.failures?.some((failure) => failure.seat === seat)
        ? text.halma.noAnswer
        : (text.verdicts[reason] ?? reason);

const TOLD = {
    not_enacted: (e, scene) =>
        text.halma.not_enacted(
            text.list(
                e.seats.map((seat, i) => text.halma.guilty(seatName(scene, seat), reasonOf(scene, seat, e.reasons[i]))),
            ),
        ),
    moved: (e) =>
        e.path.length === 2 && same(e.path[0], e.path[1]) ? text.halma.held(e.unit) : text.halma.moved(e.unit, e.path),
    collided: (e) => text.halma.collided(e.units, e.at),
    healed: (e) => text.halma.healed(e.unit),
    halmate: (e, scene) =>
        e.seats
            .map((seat) =>
                text.halma.halmate(seatName(scene, seat), filling(scene.params, scene.after ?? scene.view, seat)),
            )
            .join(" "),
};

const tellEvent = (event, scene) => TOLD[event.kind]?.(event, scene) ?? event.kind;
const tellCommand = (command) =>
    command.path === undefined
        ? (text.commands[command.kind] ?? command.kind)
        : text.commands.path(command.unit, command.path);

function announce(events, scene, say) {
    events
        .filter((event) => ["not_enacted", "collided", "halmate"].includes(event.kind))
        .forEach((event) => say(tellEvent(event, scene)));
}

/* ---- orders ---- */

/* Where a piece can land next: `isFirst` allows a step, and holding its own square. */
export function landings(params, view, unit, from, isFirst) {
    const isFree = (cell) =>
        cell[0] >= 0 &&
        cell[1] >= 0 &&
        cell[0] < params.size &&
        cell[1] < params.size &&
        (same(cell, unit.at) || unitsAt(view, cell).length === 0);
    const found = isFirst ? [unit.at] : [];
    for (const [dx, dy] of AROUND) {
        const near = [from[0] + dx, from[1] + dy];
        const far = [from[0] + 2 * dx, from[1] + 2 * dy];
        if (isFirst && isFree(near)) {
            found.push(near);
        }
        if (unit.damage === 0 && unitsAt(view, near).length > 0 && isFree(far)) {
            found.push(far);
        }
    }
    return found;
}

const isJump = (from, to) => Math.max(Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])) === 2;

export class HalmaOrders extends Orders {
    constructor(parts) {
        super(parts);
        this.command = null;
        this.unit = null;
        this.verdict = null;
    }

    setCommands(commands) {
        this.command = commands.find((command) => command.kind === "move") ?? null;
        this.unit =
            this.command === null
                ? null
                : (this.scene.view.units.find((unit) => unit.id === this.command.unit) ?? null);
        this.verdict = null;
    }

    get isChoosing() {
        return this.unit !== null;
    }

    guessHints() {
        this.setHints([]);
    }

    commands() {
        return this.command === null ? [] : [this.command];
    }

    setVerdicts(_, verdicts) {
        this.verdict = verdicts[0] ?? null;
        this.show();
    }

    path() {
        return this.command?.path ?? [];
    }

    /* The squares that may be chosen next. */
    next() {
        if (this.unit === null || this.hints === null) {
            return [];
        }
        const path = this.path();
        const last = path.at(-1) ?? this.unit.at;
        if (path.length > 0 && !isJump(path.length > 1 ? path.at(-2) : this.unit.at, last)) {
            return [];
        }
        return landings(this.scene.params, this.scene.view, this.unit, last, path.length === 0);
    }

    options(cell) {
        return this.next()
            .filter((other) => same(other, cell))
            .map(() => ({ kind: "move" }));
    }

    /* Choosing a landing continues the move; choosing an own piece starts another. */
    choose(cell) {
        if (this.hints === null) {
            return;
        }
        const own = unitsAt(this.scene.view, cell).find((unit) => unit.seat === this.seat);
        const isNext = this.next().some((other) => same(other, cell));
        if (isNext && !(this.path().length === 0 && same(cell, this.unit.at))) {
            this.set([...this.path(), cell]);
        } else if (own !== undefined) {
            this.begin(own);
        } else if (this.unit !== null) {
            this.begin(null);
        }
    }

    begin(unit) {
        const had = this.command !== null;
        this.unit = unit;
        this.command = null;
        this.verdict = null;
        this.show();
        if (had) {
            this.onChange();
        }
    }

    set(path) {
        this.command = { unit: this.unit.id, kind: "move", path };
        this.verdict = null;
        this.show();
        this.onChange();
    }

    clear() {
        this.begin(null);
    }

    cancel() {
        this.begin(null);
    }

    show() {
        const { board } = this;
        board.clear("marks", "plans");
        if (this.unit !== null) {
            board.square("marks", this.unit.at, "mark-selected");
            for (const cell of this.next()) {
                board.square("marks", cell, "mark-move").setAttribute("data-mark", "move");
                board.add("marks", cell, svg("circle", { r: 5, class: "mark-dot" }));
            }
        }
        this.showPlan();
        this.showPanel();
    }

    showPlan() {
        if (this.command === null) {
            return;
        }
        const isRefused = this.verdict !== null && this.verdict.verdict !== "ok";
        const cells = [this.unit.at, ...this.path()];
        if (!same(cells.at(-1), cells.at(-2))) {
            this.board.arrow("plans", cells, `move seat-${this.seat} ${isRefused ? "refused" : ""}`);
        }
        if (isRefused) {
            this.board.note(
                "plans",
                this.unit.at,
                text.verdicts[this.verdict.verdict] ?? this.verdict.verdict,
                "refusal",
            );
        }
    }

    showPanel() {
        const isChain = this.path().length > 0 && this.next().length > 0;
        this.panel.replaceChildren(
            h(
                "p",
                { class: "hint" },
                isChain ? text.halma.chain : this.command ? tellCommand(this.command) : text.halma.select,
            ),
            h(
                "div",
                { class: "row" },
                this.unit !== null && this.command === null
                    ? h("button", { class: "small", onclick: () => this.set([this.unit.at]) }, text.halma.hold)
                    : "",
                this.command !== null
                    ? h("button", { class: "small", onclick: () => this.begin(this.unit) }, text.halma.undo)
                    : "",
            ),
        );
    }
}

/* The first landings of the piece on this cell. */
function reach(scene, cell) {
    const [unit] = unitsAt(scene.view, cell);
    return unit === undefined
        ? undefined
        : {
              moves: landings(scene.params, scene.view, unit, unit.at, true).filter((at) => !same(at, unit.at)),
              hits: [],
          };
}

function trace(board, scene, events) {
    for (const event of events) {
        if (event.kind === "moved" && !same(event.path[0], event.path.at(-1))) {
            board.arrow("traces", event.path, `trace seat-${seatOf(event.unit)}`);
        }
    }
}

function describe(scene, orders, cell) {
    const words = [text.cell(cell)];
    for (const unit of unitsAt(scene.view, cell)) {
        words.push(unit.id, unit.seat === scene.seat ? text.you : seatName(scene, unit.seat));
        if (unit.damage > 0) {
            words.push(text.halma.damage(unit.damage));
        }
    }
    scene.params.destinations.forEach(
        (cells, seat) =>
            cells.some((other) => same(other, cell)) && words.push(text.halma.destination(seatName(scene, seat))),
    );
    if ((orders?.options(cell) ?? []).length > 0) {
        words.push(text.tactics.mayMove);
    }
    return words.join(", ");
}

/* The state of each side: the steps left to the destinations, as a negative number. */
function standing(view, seats, params) {
    return seats.map((seat) =>
        view.units
            .filter((unit) => unit.seat === seat)
            .reduce((sum, unit) => {
                const nearest = Math.min(
                    ...params.destinations[seat].map((cell) =>
                        Math.max(Math.abs(cell[0] - unit.at[0]), Math.abs(cell[1] - unit.at[1])),
                    ),
                );
                return sum - nearest;
            }, 0),
    );
}

export const halma = {
    isSimultaneous: true,
    needsOrders: true /* a missing order stops both sides */,
    Orders: HalmaOrders,
    draw,
    steps,
    tellEvent,
    tellCommand,
    describe,
    reach,
    trace,
    announce,
    messages,
    recall,
    standing,
    isClash: (event) => event.kind === "collided" || event.kind === "not_enacted" || event.kind === "halmate",
};
