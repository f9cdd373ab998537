/*
 * racers on the page: trails, places without power, items, and what a racer carries.
 */
import { h, openDialog, svg } from "./dom.js";
import { ImmediateOrders } from "./orders.js";
import { piece, thing, thingIcon } from "./pieces.js";
import { same, seatName } from "./scene.js";
import { text } from "./language.js";

const STEPS = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };
const stepOf = (at, dir) => [at[0] + STEPS[dir][0], at[1] + STEPS[dir][1]];
export const FAILURES = { none: 0, calm: 5, rules: 50 }; /* per mille of the squares, per turn */
const TRAIL_LIFE = 2; /* own actions after which a trail square no longer blocks */

const isDark = (view, cell) =>
    view.failures.some(({ at }) => Math.abs(at[0] - cell[0]) <= 1 && Math.abs(at[1] - cell[1]) <= 1);

/* ---- the picture ---- */

function drawGround(board, view) {
    const walls = new Set(view.walls.map(String));
    for (const cell of board.every()) {
        const kind = walls.has(String(cell))
            ? "wall"
            : isDark(view, cell)
              ? "no-power"
              : (cell[0] + cell[1]) % 2
                ? "odd"
                : "even";
        board.square("ground", cell, `ground ${kind}`);
    }
    view.starts.forEach((cell, seat) => board.square("ground", cell, `destination seat-${1 - seat}`));
}

/* The chain from the racer back over the squares it has left; no line across a teleport. */
function drawTrail(board, racer) {
    let from = racer.at;
    racer.trail.forEach((link) => {
        const [x, y] = board.place(link.at);
        const [fromX, fromY] = board.place(from);
        const isOver = racer.performed - link.action > TRAIL_LIFE;
        if (!link.hop && !isOver) {
            board.layers.things.append(
                svg("path", { class: `trail seat-${racer.seat}`, d: `M${fromX} ${fromY}L${x} ${y}` }),
            );
        }
        board.add(
            "things",
            link.at,
            svg("circle", { r: 7, class: `trail-dot seat-${racer.seat} ${isOver ? "faint" : ""}` }),
        );
        from = link.at;
    });
}

const CORNERS = [
    [-9, -9],
    [9, -9],
    [-9, 9],
    [9, 9],
];

const bySquare = (items) =>
    [...new Set(items.map(({ at }) => at.join()))].map((key) => items.filter(({ at }) => at.join() === key));

/* All items on one square: side by side; those without a corner are shown as a number. */
function drawItems(items, isBesideGate) {
    const shown = items.length > CORNERS.length ? items.slice(0, CORNERS.length - 1) : items;
    const alone = isBesideGate ? "translate(8 8) scale(0.8)" : "";
    return svg(
        "g",
        { class: "items" },
        shown.map((item, i) =>
            svg(
                "g",
                {
                    class: "item",
                    transform: items.length === 1 ? alone : `translate(${CORNERS[i].join(" ")}) scale(0.6)`,
                },
                thing(item.kind, item.state ?? ""),
            ),
        ),
        shown.length < items.length
            ? svg("text", { class: "item-count", x: 9, y: 14 }, `+${items.length - shown.length}`)
            : null,
    );
}

function drawThings(board, view) {
    for (const { at } of view.teleporters) {
        board.add("things", at, thing("teleporter"));
    }
    for (const items of bySquare(view.items)) {
        board.add(
            "things",
            items[0].at,
            drawItems(
                items,
                view.teleporters.some((gate) => same(gate.at, items[0].at)),
            ),
        );
    }
}

function draw(board, scene) {
    const { view, params } = scene;
    board.setBounds({ cols: params.cols, rows: params.rows }, scene.seat === 1);
    board.clear("ground", "things", "pieces", "effects");
    drawGround(board, view);
    view.racers.forEach((racer) => drawTrail(board, racer));
    drawThings(board, view);
    scene.figures = new Map(
        view.racers.map((racer) => {
            const figure = piece(racer.seat, "racer");
            figure.setAttribute("data-unit", `racer-${racer.seat}`);
            return [racer.seat, board.add("pieces", racer.at, figure)];
        }),
    );
}

/* ---- the animation ---- */

const travel = (board, scene, event) => (animator) =>
    animator.travel(scene.figures.get(event.seat), [board.place(event.from), board.place(event.to)], 320);

const flash = (board, cell, className) => async (animator) => {
    const mark = board.square("effects", cell, className);
    await animator.play(mark, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], 650);
    mark.remove();
};

const launched = (board, scene, event) => async (animator) => {
    const disc = board.add("effects", event.path[0], thing(event.item));
    await animator.travel(
        disc,
        [...event.path, event.landed].map((cell) => board.place(cell)),
        110 * (event.path.length + 1),
    );
    disc.remove();
};

const SHOWN = {
    moved: travel,
    teleported: travel,
    launched,
    picked_up: (board, scene, event) => flash(board, event.at, "flash good"),
    placed: (board, scene, event) => flash(board, event.at, "flash good"),
    disc_hit: (board, scene, event) => flash(board, event.at, "flash bad"),
    exploded: (board, scene, event) => flash(board, event.at, "flash bad"),
    powered_out: (board, scene, event) => flash(board, event.at, "flash dark"),
    power_failed: (board, scene, event) => (animator) =>
        event.centres.map((cell) => flash(board, cell, "flash dark")(animator)),
};

const steps = (board, scene, events) =>
    events
        .filter((event) => event.kind in SHOWN)
        .map((event) => (animator) => [SHOWN[event.kind](board, scene, event)(animator)].flat());

/* ---- words ---- */

const TOLD = {
    moved: (e, name) => text.racers.moved(name(e.seat), e.to),
    teleported: (e, name) => text.racers.teleported(name(e.seat), e.to),
    picked_up: (e, name) => text.racers.picked_up(name(e.seat), e.item),
    placed: (e, name) => text.racers.placed(name(e.seat), e.at),
    launched: (e, name) => text.racers.launched(name(e.seat), e.item, e.dir, e.landed),
    disc_hit: (e, name) => text.racers.disc_hit(name(e.seat)),
    exploded: (e, name) => text.racers.exploded(name(e.seat), e.actions_lost),
    power_failed: (e) => text.racers.power_failed(e.centres.length),
    powered_out: (e, name) => text.racers.powered_out(name(e.seat)),
    turn_passed: (e, name) => text.racers.turn_passed(name(e.seat), text.racers.why[e.why] ?? e.why),
    trapped: (e, name) => text.racers.trapped(name(e.seat)),
    finished: (e, name) => text.racers.finished(name(e.seat)),
};

const tellEvent = (event, scene) => TOLD[event.kind]?.(event, (seat) => seatName(scene, seat)) ?? event.kind;

function tellCommand(command) {
    const words = {
        move: () => text.commands.step(command.dir),
        pick_up: () => text.commands.pick_up(command.item),
        use: () => text.commands.use(command.item, command.dir),
    };
    return words[command.kind]?.() ?? text.commands[command.kind] ?? command.kind;
}

function announce(events, scene, say) {
    events
        .filter((event) => ["exploded", "disc_hit", "powered_out", "trapped"].includes(event.kind))
        .forEach((event) => say(tellEvent(event, scene)));
}

/* ---- orders ---- */

export class RacersOrders extends ImmediateOrders {
    constructor(parts) {
        super(parts);
        this.item = null; /* the disc that waits for a direction */
    }

    guessHints() {
        const racer = this.racer();
        this.setHints([
            ...Object.keys(STEPS).map((dir) => ({ kind: "move", dir })),
            ...this.scene.view.items
                .filter((item) => same(item.at, racer.at))
                .map((item) => ({ kind: "pick_up", item: item.kind })),
            ...racer.carried.flatMap((item) =>
                item === "grenade"
                    ? [{ kind: "use", item }]
                    : ["n", "e", "s", "w"].map((dir) => ({ kind: "use", item, dir })),
            ),
            { kind: "end_turn" },
        ]);
    }

    racer() {
        return this.scene.view.racers[this.seat];
    }

    hide() {
        this.item = null;
        super.hide();
    }

    /* Moves; or, while a disc waits for its direction, the squares beside the racer. */
    targets() {
        const wanted =
            this.item === null
                ? (hint) => hint.kind === "move"
                : (hint) => hint.kind === "use" && hint.item === this.item;
        return (this.hints ?? [])
            .filter((hint) => wanted(hint) && hint.dir !== undefined)
            .map((hint) => ({ hint, cell: stepOf(this.racer().at, hint.dir) }));
    }

    options(cell) {
        return this.targets()
            .filter((target) => same(target.cell, cell))
            .map((target) => target.hint);
    }

    choose(cell) {
        const [option] = this.options(cell);
        if (option !== undefined) {
            this.item = null;
            this.order(option);
        } else if (this.item !== null) {
            this.cancel();
        }
    }

    cancel() {
        this.item = null;
        this.show();
    }

    show() {
        const { board } = this;
        board.clear("marks", "plans");
        if (this.hints === null) {
            return;
        }
        board.square("marks", this.racer().at, "mark-selected");
        for (const { hint, cell } of this.targets()) {
            if (board.holds(cell)) {
                board
                    .square("marks", cell, hint.kind === "use" ? "mark-attack" : "mark-move")
                    .setAttribute("data-mark", hint.kind);
                board.add("marks", cell, svg("circle", { r: 5, class: "mark-dot" }));
            }
        }
        this.showPanel();
    }

    showPanel() {
        const { view } = this.scene;
        const pick = this.hints.filter((hint) => hint.kind === "pick_up");
        const usable = [...new Set(this.hints.filter((hint) => hint.kind === "use").map((hint) => hint.item))];
        this.panel.replaceChildren(
            h(
                "p",
                { class: "hint" },
                h("strong", {}, text.racers.actions(view.actions_left)),
                " ",
                this.item === null ? text.racers.select : text.racers.direction,
            ),
            inventory(this.racer(), (kind, i) =>
                h(
                    "button",
                    {
                        class: `item-button ${this.item === kind ? "selected" : ""}`,
                        disabled: !usable.includes(kind),
                        "aria-label": text.racers.use(kind),
                        title: text.racers.use(kind),
                        "data-item": kind,
                        "data-index": i,
                        onclick: () => this.use(kind),
                    },
                    thingIcon(kind),
                ),
            ),
            this.item === null ? this.buttons(pick) : this.directions(),
        );
    }

    buttons(pick) {
        const end = this.hints.find((hint) => hint.kind === "end_turn");
        return h(
            "div",
            { class: "row" },
            pick.map((hint) =>
                h("button", { class: "primary", onclick: () => this.order(hint) }, text.racers.pickUp(hint.item)),
            ),
            h("button", { onclick: () => this.endTurn(end) }, text.racers.endTurn),
        );
    }

    directions() {
        const options = this.hints.filter(
            (hint) => hint.kind === "use" && hint.item === this.item && hint.dir !== undefined,
        );
        return h(
            "div",
            { class: "row" },
            options.map((hint) =>
                h(
                    "button",
                    {
                        class: "primary",
                        onclick: () => {
                            this.item = null;
                            this.order(hint);
                        },
                    },
                    text.racers.dirs[hint.dir],
                ),
            ),
            h("button", { onclick: () => this.cancel() }, text.cancel),
        );
    }

    use(kind) {
        const option = this.hints.find((hint) => hint.kind === "use" && hint.item === kind);
        if (option?.dir === undefined) {
            this.order(option);
        } else {
            this.item = this.item === kind ? null : kind;
            this.show();
        }
    }

    /* Ending the turn without a move loses, so the player is asked first. */
    endTurn(hint) {
        if (hint !== undefined && this.scene.view.moved) {
            this.order(hint);
            return;
        }
        openDialog(text.racers.endTurn, (close) => [
            h("p", {}, text.racers.endUnmoved),
            h(
                "div",
                { class: "row" },
                h(
                    "button",
                    {
                        class: "danger",
                        onclick: () => {
                            close();
                            this.order({ kind: "end_turn", confirm: true });
                        },
                    },
                    text.racers.endYes,
                ),
                h("button", { autofocus: true, onclick: close }, text.cancel),
            ),
        ]);
    }
}

const inventory = (racer, makeItem) =>
    h(
        "div",
        { class: "inventory" },
        h("span", { class: "dim" }, text.racers.inventory, ": "),
        racer.carried.length === 0 ? text.racers.empty : racer.carried.map(makeItem),
    );

/* Shows the match's failure rate if it differs from the rules' default. */
function messages(scene) {
    const permille = scene.params.failure_permille;
    return h(
        "div",
        { class: "messages" },
        permille === FAILURES.rules ? null : h("p", { class: "dim" }, text.racers.failures(permille, FAILURES.rules)),
        racerList(scene),
    );
}

function racerList(scene) {
    return h(
        "ul",
        {},
        scene.view.racers.map((racer) =>
            h(
                "li",
                {},
                h("strong", {}, seatName(scene, racer.seat)),
                " ",
                racer.debt > 0 ? `${text.racers.debt(racer.debt)} ` : "",
                racer.skip > 0 ? `${text.racers.skip(racer.skip)} ` : "",
                inventory(racer, (kind) =>
                    h("span", { class: "item-icon", title: text.racers.item(kind) }, thingIcon(kind)),
                ),
            ),
        ),
    );
}

function describe(scene, orders, cell) {
    const { view } = scene;
    const words = [text.cell(cell)];
    view.racers.filter((racer) => same(racer.at, cell)).forEach((racer) => words.push(seatName(scene, racer.seat)));
    view.walls.some((wall) => same(wall, cell)) && words.push(text.racers.wall);
    view.racers.some((racer) => racer.trail.some((link) => same(link.at, cell))) && words.push(text.racers.trail);
    view.items.filter((item) => same(item.at, cell)).forEach((item) => words.push(text.racers.item(item.kind)));
    view.teleporters
        .filter((gate) => same(gate.at, cell))
        .forEach((gate) => words.push(text.racers.teleporter(gate.to)));
    isDark(view, cell) && words.push(text.racers.dark);
    (orders?.options(cell) ?? []).length > 0 && words.push(text.tactics.mayMove);
    return words.join(", ");
}

/* The state of each side: squares nearer to the finish than at the start. */
function standing(view, seats) {
    const far = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
    return seats.map((seat) => far(view.starts[0], view.starts[1]) - far(view.racers[seat].at, view.starts[1 - seat]));
}

export const racers = {
    isSimultaneous: false,
    Orders: RacersOrders,
    draw,
    steps,
    tellEvent,
    tellCommand,
    describe,
    announce,
    messages,
    standing,
    isClash: (event) => ["exploded", "disc_hit", "powered_out", "trapped", "finished"].includes(event.kind),
};
