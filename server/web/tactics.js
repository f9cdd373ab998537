/*
 * tactics on the page: the picture, its animation, words, and the orders of a seat.
 */
import { h, keepFocus, svg } from "./dom.js";
import { area, targets } from "./patterns.js";
import { CELL, healthBar, piece, portrait } from "./pieces.js";
import { same, seatName } from "./scene.js";
import { text } from "./language.js";

const unitAt = (view, cell) => view.units.find((unit) => same(unit.at, cell));
const unitOf = (view, id) => view.units.find((unit) => unit.id === id);
const calledBy = (unit) => `${text.tactics.model(unit.model)} ${unit.id}`;

/* The unit's name; a dead one is found in the params. */
function nameOf(scene, id) {
    const unit = unitOf(scene.view, id) ?? scene.params.units.find((other) => other.id === id);
    return unit === undefined ? id : calledBy(unit);
}

/* ---- the picture ---- */

function drawUnit(board, scene, unit) {
    const most = scene.params.models[unit.model]?.health ?? unit.health;
    const figure = piece(unit.seat, unit.model);
    figure.setAttribute("data-unit", unit.id);
    figure.append(
        healthBar(unit.health, most),
        svg("text", { class: "unit-id", x: 19, y: -11 }, unit.id),
        svg("title", {}, `${nameOf(scene, unit.id)}, ${text.tactics.health(unit.health, most)}`),
    );
    return board.add("pieces", unit.at, figure);
}

function drawGround(board, scene) {
    const { params, seat, view } = scene;
    for (const cell of board.every()) {
        const owner = cell[1] < params.start_rows ? 1 : cell[1] >= params.rows - params.start_rows ? 0 : null;
        const isStart = view.phase === "placement" && owner === (seat ?? 0);
        board.square(
            "ground",
            cell,
            `ground ${(cell[0] + cell[1]) % 2 ? "odd" : "even"} ${isStart ? "start-row" : ""}`,
        );
    }
}

function draw(board, scene) {
    board.setBounds({ cols: scene.params.cols, rows: scene.params.rows }, scene.seat === 1);
    board.clear("ground", "things", "pieces", "effects");
    drawGround(board, scene);
    scene.figures = new Map(scene.view.units.map((unit) => [unit.id, drawUnit(board, scene, unit)]));
}

/* ---- the animation ---- */

const MOVE_MS = 500;

function bounce(board, scene, event) {
    return (animator) =>
        event.units
            .map((id) => {
                const unit = unitOf(scene.view, id);
                const from = board.place(unit.at);
                const to = board.place(event.at);
                const near = [from[0] + 0.55 * (to[0] - from[0]), from[1] + 0.55 * (to[1] - from[1])];
                return animator.travel(
                    scene.figures.get(id),
                    [from, near, from, [from[0] - 0.08 * (to[0] - from[0]), from[1] - 0.08 * (to[1] - from[1])], from],
                    700,
                );
            })
            .concat(burst(board, event.at, "bounce-mark", "✕")(animator));
}

/* Shows something at a cell for a short time. */
function burst(board, cell, className, word) {
    return async (animator) => {
        const mark = board.add(
            "effects",
            cell,
            svg(
                "g",
                { class: className },
                svg("circle", { r: 15 }),
                word === undefined ? null : svg("text", { y: 6 }, word),
            ),
        );
        await animator.play(
            mark,
            [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }],
            800,
        );
        mark.remove();
    };
}

const move = (board, scene, event) => (animator) => {
    scene.places.set(event.unit, event.to);
    return animator.travel(scene.figures.get(event.unit), [board.place(event.from), board.place(event.to)], MOVE_MS);
};

const place = (board, scene, event) => (animator) => {
    const from = scene.places.get(event.unit) ?? event.at;
    scene.places.set(event.unit, event.at);
    return animator.travel(scene.figures.get(event.unit), [board.place(from), board.place(event.at)], MOVE_MS);
};

const attack = (board, scene, event) => async (animator) => {
    const seat = unitOf(scene.view, event.unit)?.seat ?? 0;
    const from = scene.places.get(event.unit);
    const marks = event.cells.map((cell) => board.square("effects", cell, `strike seat-${seat}`));
    if (from !== undefined && !same(from, event.target)) {
        marks.push(board.arrow("effects", [from, event.target], `attack seat-${seat}`));
    }
    await Promise.all(
        marks.map((mark) =>
            animator.play(
                mark,
                [{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 0.8, offset: 0.7 }, { opacity: 0 }],
                650,
            ),
        ),
    );
    marks.forEach((mark) => mark.remove());
};

const hit = (board, scene, event) => async (animator) => {
    const figure = scene.figures.get(event.unit);
    const at = scene.places.get(event.unit);
    if (figure === undefined || at === undefined) {
        return;
    }
    const unit = unitOf(scene.view, event.unit);
    const most = scene.params.models[unit.model]?.health ?? unit.health;
    figure.querySelector(".health")?.replaceWith(healthBar(event.health, most));
    const number = board.note("effects", at, `−${event.damage}`, "damage");
    const [x, y] = board.place(at);
    const rise = animator.isReduced ? 0 : 14;
    await Promise.all([
        animator.play(
            figure.querySelector(".base"),
            [{ opacity: 1 }, { opacity: 0.25 }, { opacity: 1 }, { opacity: 0.25 }, { opacity: 1 }],
            700,
        ),
        animator.play(
            number,
            [
                { transform: `translate(${x}px, ${y}px)`, opacity: 1 },
                { transform: `translate(${x}px, ${y - rise}px)`, opacity: 1, offset: 0.8 },
                { transform: `translate(${x}px, ${y - rise}px)`, opacity: 0 },
            ],
            1100,
        ),
    ]);
    number.remove();
};

const die = (board, scene, event) => (animator) => animator.fade(scene.figures.get(event.unit), 700);

const SHOWN = { bounced: bounce, moved: move, placed: place, attacked: attack, hit, died: die };
const ONE_BY_ONE = new Set(["attacked"]);

/* Events of one kind are shown together, attacks one by one, so that one sees who hit whom. */
function steps(board, scene, events) {
    scene.places = new Map(scene.view.units.map((unit) => [unit.id, unit.at]));
    const groups = [];
    for (const event of events.filter((other) => other.kind in SHOWN)) {
        const last = groups.at(-1);
        if (last !== undefined && last[0].kind === event.kind && !ONE_BY_ONE.has(event.kind)) {
            last.push(event);
        } else {
            groups.push([event]);
        }
    }
    return groups.map(
        (group) => (animator) => group.flatMap((event) => SHOWN[event.kind](board, scene, event)(animator)),
    );
}

/* ---- words ---- */

const TOLD = {
    placed: (e, name) => text.tactics.placed(name(e.unit), e.at),
    bounced: (e, name) => text.tactics.bounced(e.units.map(name), e.at),
    moved: (e, name) => text.tactics.moved(name(e.unit), e.to),
    attacked: (e, name) => text.tactics.attacked(name(e.unit), e.target),
    hit: (e, name) => text.tactics.hit(name(e.unit), e.by.map(name), e.damage, e.health),
    died: (e, name) => text.tactics.died(name(e.unit)),
};

const tellEvent = (event, scene) => TOLD[event.kind]?.(event, (id) => nameOf(scene, id)) ?? event.kind;

const tellCommand = (command, scene) =>
    command.target === undefined
        ? (text.commands[command.kind] ?? command.kind)
        : (text.commands[command.kind]?.(nameOf(scene, command.unit), text.cell(command.target)) ?? command.kind);

/* ---- the orders of a seat ---- */

/*
 * One order per unit.  `onChange` is called when they change; hints come from the server, or are
 * computed for what-if.
 */
export class TacticsOrders {
    constructor({ board, scene, seat, onChange }) {
        Object.assign(this, { board, scene, seat, onChange });
        this.orders = new Map(); /* unit id -> command */
        this.verdicts = new Map();
        this.hints = null;
        this.selected = null;
        this.panel = h("div", { class: "orders" });
    }

    setCommands(commands) {
        this.orders = new Map(
            commands.filter((command) => command.unit !== undefined).map((command) => [command.unit, command]),
        );
        this.verdicts.clear();
        this.selected = null;
    }

    get isChoosing() {
        return this.selected !== null;
    }

    setHints(commands) {
        this.hints = commands;
        this.show();
    }

    /* What patterns and cells allow; the server decides. */
    guessHints() {
        const { params, view } = this.scene;
        this.hints = view.units
            .filter((unit) => unit.seat === this.seat)
            .flatMap((unit) => [
                ...targets(params, unit, "move")
                    .filter((cell) => unitAt(view, cell) === undefined)
                    .map((target) => ({ kind: "move", unit: unit.id, target })),
                ...targets(params, unit, "attack").map((target) => ({ kind: "attack", unit: unit.id, target })),
            ]);
        this.show();
    }

    commands() {
        return [...this.orders.values()];
    }

    setVerdicts(commands, verdicts) {
        this.verdicts = new Map(commands.map((command, i) => [command.unit, verdicts[i]]));
        this.show();
    }

    own(cell) {
        const unit = unitAt(this.scene.view, cell);
        return unit !== undefined && unit.seat === this.seat ? unit : undefined;
    }

    options(cell) {
        return (this.hints ?? []).filter((command) => command.unit === this.selected && same(command.target, cell));
    }

    /* Choosing a unit selects it; choosing a marked cell gives it the order. */
    choose(cell) {
        if (this.hints === null) {
            return;
        }
        const options = this.options(cell);
        const own = this.own(cell);
        if (options.length > 1 || (options.length === 1 && own !== undefined && own.id !== this.selected)) {
            this.asked = cell;
            this.show();
        } else if (options.length === 1) {
            this.order(options[0]);
        } else if (own !== undefined) {
            this.select(own.id === this.selected ? null : own.id);
        } else {
            this.select(null);
        }
    }

    select(id) {
        this.selected = id;
        this.asked = null;
        this.show();
    }

    order(command) {
        const before = this.orders.get(command.unit);
        if (before !== undefined && before.kind === command.kind && same(before.target, command.target)) {
            this.orders.delete(command.unit);
        } else {
            this.orders.set(command.unit, command);
        }
        this.verdicts.delete(command.unit);
        this.select(null);
        this.onChange();
    }

    remove(id) {
        this.orders.delete(id);
        this.verdicts.delete(id);
        this.show();
        this.onChange();
    }

    clear() {
        this.orders.clear();
        this.verdicts.clear();
        this.select(null);
        this.onChange();
    }

    cancel() {
        this.select(null);
    }

    point(cell) {
        this.pointed = cell;
        this.showMarks();
    }

    /* ---- showing ---- */

    show() {
        this.showMarks();
        this.showPlans();
        this.showPanel();
    }

    hide() {
        this.hints = null;
        this.selected = null;
        this.board.clear("marks", "plans");
        this.panel.replaceChildren();
    }

    showMarks() {
        const { board, scene } = this;
        board.clear("marks");
        const unit = this.selected === null ? undefined : unitOf(scene.view, this.selected);
        if (unit === undefined || this.hints === null) {
            return;
        }
        board.square("marks", unit.at, "mark-selected");
        for (const hint of this.hints.filter((other) => other.unit === unit.id)) {
            board.square("marks", hint.target, `mark-${hint.kind}`).setAttribute("data-mark", hint.kind);
            if (hint.kind !== "attack") {
                board.add("marks", hint.target, svg("circle", { r: 5, class: "mark-dot" }));
            }
        }
        this.showArea(unit);
    }

    showArea(unit) {
        const aims = this.pointed && this.options(this.pointed).some((command) => command.kind === "attack");
        if (aims) {
            for (const cell of area(this.scene.params, unit, this.pointed)) {
                this.board.square("marks", cell, "mark-area");
            }
        }
    }

    showPlans() {
        const { board, scene } = this;
        board.clear("plans");
        for (const command of this.orders.values()) {
            const unit = unitOf(scene.view, command.unit);
            const verdict = this.verdicts.get(command.unit);
            const isRefused = verdict !== undefined && verdict.verdict !== "ok";
            if (unit === undefined) {
                continue;
            }
            this.showPlan(unit, command, isRefused);
            if (isRefused) {
                board.note("plans", unit.at, text.verdicts[verdict.verdict] ?? verdict.verdict, "refusal");
            }
        }
    }

    showPlan(unit, command, isRefused) {
        const className = `${command.kind} seat-${unit.seat} ${isRefused ? "refused" : ""}`;
        if (command.kind === "attack") {
            for (const cell of area(this.scene.params, unit, command.target)) {
                this.board.square("plans", cell, `plan-area seat-${unit.seat}`);
            }
            this.board.add(
                "plans",
                command.target,
                svg(
                    "g",
                    { class: `aim seat-${unit.seat}` },
                    svg("circle", { r: 9 }),
                    svg("path", {
                        d: `M0-${CELL / 2 - 7}V-5M0 5V${CELL / 2 - 7}M-${CELL / 2 - 7} 0H-5M5 0H${CELL / 2 - 7}`,
                    }),
                ),
            );
        }
        if (!same(unit.at, command.target)) {
            this.board.arrow("plans", [unit.at, command.target], className);
        }
    }

    showPanel() {
        const unit = this.selected === null ? undefined : unitOf(this.scene.view, this.selected);
        const isPlacement = this.scene.view.phase === "placement";
        const own = this.scene.view.units.filter((other) => other.seat === this.seat);
        keepFocus(this.panel, () =>
            this.panel.replaceChildren(
                this.asked
                    ? this.question()
                    : unit !== undefined
                      ? this.card(unit)
                      : h("p", { class: "hint" }, isPlacement ? text.tactics.place : text.tactics.select),
                h(
                    "ul",
                    { class: "units", "aria-label": text.match.units },
                    own.map((other) => this.row(other)),
                ),
            ),
        );
    }

    /* Several things are possible at one cell: a move and an attack, or choosing an own unit there. */
    question() {
        const own = this.own(this.asked);
        return h(
            "div",
            { class: "card" },
            h("p", {}, text.tactics.both(text.cell(this.asked))),
            h(
                "div",
                { class: "row" },
                this.options(this.asked).map((command) =>
                    h("button", { class: "primary", onclick: () => this.order(command) }, text.tactics[command.kind]),
                ),
                own === undefined
                    ? null
                    : h(
                          "button",
                          { onclick: () => this.select(own.id) },
                          text.tactics.choose(nameOf(this.scene, own.id)),
                      ),
            ),
        );
    }

    card(unit) {
        const model = this.scene.params.models[unit.model];
        return h(
            "div",
            { class: "card" },
            h(
                "div",
                { class: "row" },
                portrait(unit.seat, unit.model),
                h(
                    "div",
                    {},
                    h("strong", {}, text.tactics.model(unit.model)),
                    " ",
                    h("span", { class: "dim" }, text.tactics.stats(model)),
                    h("p", {}, text.tactics.described(model.description)),
                ),
            ),
        );
    }

    row(unit) {
        const command = this.orders.get(unit.id);
        const verdict = this.verdicts.get(unit.id);
        const most = this.scene.params.models[unit.model]?.health ?? unit.health;
        return h(
            "li",
            {},
            h(
                "button",
                {
                    "data-focus": unit.id,
                    class: `unit ${unit.id === this.selected ? "selected" : ""}`,
                    "aria-pressed": String(unit.id === this.selected),
                    onclick: () => this.select(unit.id === this.selected ? null : unit.id),
                },
                portrait(unit.seat, unit.model),
                h("span", { class: "who" }, calledBy(unit), h("small", {}, text.tactics.health(unit.health, most))),
                h(
                    "span",
                    { class: verdict && verdict.verdict !== "ok" ? "what bad" : "what" },
                    command === undefined
                        ? ""
                        : verdict && verdict.verdict !== "ok"
                          ? (text.verdicts[verdict.verdict] ?? verdict.verdict)
                          : `${arrowOf(command)} ${text.cell(command.target)}`,
                ),
            ),
            command === undefined
                ? null
                : h(
                      "button",
                      {
                          class: "small",
                          "aria-label": text.tactics.remove(nameOf(this.scene, unit.id)),
                          onclick: () => this.remove(unit.id),
                      },
                      "✕",
                  ),
        );
    }
}

const arrowOf = (command) => ({ attack: "⚔", place: "⌂" })[command.kind] ?? "→";

/* The text of a cell for screen readers. */
function describe(scene, orders, cell) {
    const unit = unitAt(scene.view, cell);
    const words = [text.cell(cell)];
    if (unit !== undefined) {
        const owner = unit.seat === scene.seat ? text.you : seatName(scene, unit.seat);
        words.push(
            nameOf(scene, unit.id),
            owner,
            text.tactics.health(unit.health, scene.params.models[unit.model]?.health ?? unit.health),
        );
    }
    for (const option of orders?.options(cell) ?? []) {
        words.push(option.kind === "attack" ? text.tactics.mayAttack : text.tactics.mayMove);
    }
    return words.join(", ");
}

/* What the unit on this cell can do, whichever side it is on. */
function reach(scene, cell) {
    const { params, view } = scene;
    const unit = unitAt(view, cell);
    if (unit === undefined) {
        return undefined;
    }
    const hits = new Map(
        targets(params, unit, "attack")
            .flatMap((target) => area(params, unit, target))
            .map((at) => [at.join(), at]),
    );
    return {
        moves: targets(params, unit, "move").filter((at) => unitAt(view, at) === undefined),
        hits: [...hits.values()],
    };
}

function detail(scene, cell) {
    const unit = unitAt(scene.view, cell);
    const model = unit === undefined ? undefined : scene.params.models[unit.model];
    return model === undefined ? [] : [text.tactics.stats(model), text.tactics.described(model.description)];
}

const damageOf = (board, at, damage) => board.note("traces", at, `−${damage}`, "damage");

/* Shows moves, attacks and their results permanently. */
function trace(board, scene, events) {
    const seatOf = (id) => unitOf(scene.view, id)?.seat ?? 0;
    const places = new Map(scene.view.units.map((unit) => [unit.id, unit.at]));
    const traced = {
        moved: ({ unit, from, to }) => {
            places.set(unit, to);
            board.arrow("traces", [from, to], `trace seat-${seatOf(unit)}`);
        },
        attacked: ({ unit, target, cells }) => {
            cells.forEach((cell) => board.square("traces", cell, "trace-hit"));
            same(places.get(unit), target) ||
                board.arrow("traces", [places.get(unit), target], `trace attack seat-${seatOf(unit)}`);
        },
        bounced: ({ units, at }) => {
            units.forEach((id) => board.arrow("traces", [places.get(id), at], `trace refused seat-${seatOf(id)}`));
            board.add(
                "traces",
                at,
                svg("g", { class: "bounce-mark" }, svg("circle", { r: 12 }), svg("text", { y: 6 }, "✕")),
            );
        },
        hit: ({ unit, damage }) => damageOf(board, places.get(unit), damage),
    };
    events.filter((event) => Object.hasOwn(traced, event.kind)).forEach((event) => traced[event.kind](event));
}

/* The state of each side: its total health. */
const standing = (view, seats) =>
    seats.map((seat) => view.units.filter((unit) => unit.seat === seat).reduce((sum, unit) => sum + unit.health, 0));

export const tactics = {
    isSimultaneous: true,
    Orders: TacticsOrders,
    hasThreats: true,
    draw,
    steps,
    tellEvent,
    tellCommand,
    describe,
    detail,
    reach,
    trace,
    standing,
    isClash: (event) => event.kind === "bounced" || event.kind === "died",
};
