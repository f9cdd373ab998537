/*
 * snarl on the page: what a hero sees, and fog around it.  Tiles seen before stay visible, dimmed:
 * the page remembers them, the server does not send them again.
 */
import { h, svg } from "./dom.js";
import { ImmediateOrders } from "./orders.js";
import { piece, thing } from "./pieces.js";
import { same } from "./scene.js";
import { text } from "./language.js";

const KINDS = { "#": "wall", ".": "floor", "+": "door" };

/* ---- what is known of the level ---- */

/* Points of a level are [row, column]; cells are [x, y]. */
function* hallwayCells({ from, to, waypoints }) {
    const points = [from, ...waypoints, to];
    for (let i = 1; i < points.length; i++) {
        const [[row, column], [toRow, toColumn]] = [points[i - 1], points[i]];
        const steps = Math.abs(toRow - row) + Math.abs(toColumn - column);
        for (let step = 0; step <= steps; step++) {
            yield [column + Math.sign(toColumn - column) * step, row + Math.sign(toRow - row) * step];
        }
    }
}

/* All tiles of a level, for audiences that see everything. */
export function tilesOf(level) {
    const tiles = new Map();
    for (const hallway of level.hallways) {
        for (const cell of hallwayCells(hallway)) {
            tiles.set(cell.join(), ".");
        }
    }
    for (const { origin, layout } of level.rooms) {
        layout.forEach((row, y) =>
            row.forEach((tile, x) => tiles.set([origin[1] + x, origin[0] + y].join(), "#.+"[tile])),
        );
    }
    return tiles;
}

function remember(scene) {
    const { view, memory } = scene;
    if (memory.level !== view.level) {
        memory.level = view.level;
        memory.tiles = new Map();
    }
    if (view.tiles === undefined && view.round !== undefined && scene.params.levels !== undefined) {
        memory.tiles = tilesOf(scene.params.levels[view.level - 1]);
        scene.inSight = new Set(memory.tiles.keys());
        return;
    }
    scene.inSight = new Set();
    view.tiles?.rows.forEach((row, y) =>
        [...row].forEach((tile, x) => {
            if (tile !== "?") {
                const cell = [view.tiles.origin[0] + x, view.tiles.origin[1] + y];
                memory.tiles.set(cell.join(), tile);
                scene.inSight.add(cell.join());
            }
        }),
    );
}

/* The rectangle around everything known, never smaller than a hero's sight. */
function boundsOf(memory) {
    const cells = [...memory.tiles.keys()].map((key) => key.split(",").map(Number));
    if (cells.length === 0) {
        return { x: 0, y: 0, cols: 5, rows: 5 };
    }
    const xs = cells.map((cell) => cell[0]);
    const ys = cells.map((cell) => cell[1]);
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, cols: Math.max(5, Math.max(...xs) - x + 1), rows: Math.max(5, Math.max(...ys) - y + 1) };
}

/*
 * A hero with its own seat is called by its player's name, followed by its own name if one bot
 * plays several.  Heroes of one player in versus, and adversaries, are called by their own names.
 */
function nameOf(scene, id) {
    const hero = scene.params.mode === "versus" ? undefined : scene.view.heroes.find((unit) => unit.id === id);
    const name = hero === undefined ? undefined : scene.players?.[hero.seat]?.name;
    const isTwin = scene.players?.filter((player) => player?.name === name).length > 1;
    return name === undefined || name === null ? id : isTwin ? text.snarl.twin(name, id) : name;
}

/* ---- the picture ---- */

function drawGround(board, scene) {
    for (const cell of board.every()) {
        const tile = scene.memory.tiles.get(cell.join());
        const kind = tile === undefined ? "unseen-tile" : (KINDS[tile] ?? "void");
        const isFog = tile !== undefined && !scene.inSight.has(cell.join());
        board.square("ground", cell, `tile ${kind} ${isFog ? "fog" : ""}`);
    }
}

function drawUnits(board, scene) {
    const { view } = scene;
    scene.figures = new Map();
    view.adversaries?.forEach((unit) => {
        const figure = thing(unit.kind);
        figure.append(svg("title", {}, unit.id));
        figure.setAttribute("data-unit", unit.id);
        scene.figures.set(unit.id, board.add("pieces", unit.at, figure));
    });
    view.heroes.forEach((hero, i) => {
        if (hero.at === null) {
            return;
        }
        const figure = piece(i, "hero");
        figure.append(svg("title", {}, nameOf(scene, hero.id)));
        figure.setAttribute("data-unit", hero.id);
        scene.figures.set(hero.id, board.add("pieces", hero.at, figure));
    });
}

function draw(board, scene) {
    remember(scene);
    board.setBounds(boundsOf(scene.memory));
    board.clear("ground", "things", "pieces", "effects");
    drawGround(board, scene);
    if (scene.view.exit) {
        board.add("things", scene.view.exit, thing("exit", scene.view.exit_unlocked ? "unlocked" : "locked"));
    }
    if (scene.view.key) {
        board.add("things", scene.view.key, thing("key"));
    }
    drawUnits(board, scene);
}

/* ---- the animation ---- */

const travel = (board, scene, event) => (animator) => {
    if (!board.holds(event.to) || !board.holds(event.from)) {
        return animator.fade(scene.figures.get(event.unit), 150);
    }
    return animator.travel(scene.figures.get(event.unit), [board.place(event.from), board.place(event.to)], 320);
};

const vanish = (board, scene, event) => (animator) => animator.fade(scene.figures.get(event.unit), 500);

const SHOWN = { moved: travel, relocated: travel, exited: vanish, expelled: vanish };

const steps = (board, scene, events) =>
    events
        .filter((event) => event.kind in SHOWN)
        .map((event) => (animator) => [SHOWN[event.kind](board, scene, event)(animator)]);

/* ---- words ---- */

const TOLD = {
    moved: (e, name) => text.snarl.moved(name(e.unit), e.to),
    took_key: (e, name) => text.snarl.took_key(name(e.unit)),
    exited: (e, name) => text.snarl.exited(name(e.unit)),
    exit_locked: (e, name) => text.snarl.exit_locked(name(e.unit)),
    expelled: (e, name) => text.snarl.expelled(name(e.unit), name(e.by)),
    relocated: (e, name) => text.snarl.relocated(name(e.unit), e.to),
    level_ended: (e) => text.snarl.level_ended(e.level),
    level_started: (e) => text.snarl.level_started(e.level),
    game_ended: () => text.snarl.game_ended,
};

const tellEvent = (event, scene) => TOLD[event.kind]?.(event, (id) => nameOf(scene, id)) ?? event.kind;

function tellCommand(command, scene) {
    if (command.kind !== "move") {
        return text.commands[command.kind] ?? command.kind;
    }
    const who = nameOf(scene, command.unit ?? scene.view.active?.unit ?? "");
    return command.to === null || command.to === undefined
        ? text.commands.stay(who)
        : text.commands.move(who, text.cell(command.to));
}

function announce(events, scene, say) {
    events
        .filter((event) => ["took_key", "exited", "exit_locked", "expelled", "level_started"].includes(event.kind))
        .forEach((event) => say(tellEvent(event, scene)));
}

function messages(scene) {
    const { view, params } = scene;
    return h(
        "div",
        { class: "messages" },
        h(
            "p",
            {},
            text.snarl.level(view.level, params.levels?.length),
            ". ",
            view.exit_unlocked ? text.snarl.unlocked : text.snarl.locked,
        ),
        h(
            "ul",
            {},
            view.heroes.map((hero) =>
                h(
                    "li",
                    {},
                    h("strong", {}, nameOf(scene, hero.id)),
                    " ",
                    text.snarl.status[hero.status] ?? hero.status,
                    hero.keys === undefined ? "" : ` (${text.snarl.found(hero.keys, hero.exits)})`,
                ),
            ),
        ),
    );
}

/* ---- orders ---- */

export class SnarlOrders extends ImmediateOrders {
    guessHints() {
        const { view } = this.scene;
        const unit =
            view.heroes.find((hero) => hero.id === view.active?.unit) ??
            view.adversaries.find((other) => other.id === view.active?.unit);
        const near = this.board
            .every()
            .filter(
                (cell) =>
                    unit?.at &&
                    Math.abs(cell[0] - unit.at[0]) + Math.abs(cell[1] - unit.at[1]) <= 2 &&
                    [".", "+"].includes(this.scene.memory.tiles.get(cell.join())),
            );
        this.setHints(near.map((to) => ({ kind: "move", unit: unit.id, to })));
    }

    options(cell) {
        return (this.hints ?? []).filter((hint) => same(hint.to, cell));
    }

    choose(cell) {
        const [option] = this.options(cell);
        if (option !== undefined) {
            this.order(option);
        }
    }

    show() {
        const { board, scene } = this;
        board.clear("marks", "plans");
        if (this.hints === null) {
            return;
        }
        const active = [...scene.view.heroes, ...(scene.view.adversaries ?? [])].find(
            (unit) => unit.id === scene.view.active?.unit,
        );
        if (active?.at) {
            board.square("marks", active.at, "mark-selected");
        }
        for (const hint of this.hints.filter((other) => other.to)) {
            board.square("marks", hint.to, "mark-move").setAttribute("data-mark", "move");
            board.add("marks", hint.to, svg("circle", { r: 5, class: "mark-dot" }));
        }
        const stay = this.hints.find((hint) => hint.to === null || same(hint.to, active?.at));
        this.panel.replaceChildren(
            h("p", { class: "hint" }, text.snarl.select),
            stay === undefined ? "" : h("button", { onclick: () => this.order(stay) }, text.snarl.stay),
        );
    }
}

function describe(scene, orders, cell) {
    const words = [text.cell(cell), text.snarl.tiles[scene.memory.tiles.get(cell.join()) ?? "?"]];
    [...scene.view.heroes, ...(scene.view.adversaries ?? [])]
        .filter((unit) => same(unit.at, cell))
        .forEach((unit) => words.push(nameOf(scene, unit.id)));
    same(scene.view.key, cell) && words.push(text.snarl.key);
    same(scene.view.exit, cell) && words.push(text.snarl.exit);
    (orders?.options(cell) ?? []).length > 0 && words.push(text.tactics.mayMove);
    return words.join(", ");
}

export const snarl = {
    isSimultaneous: false,
    Orders: SnarlOrders,
    draw,
    steps,
    tellEvent,
    tellCommand,
    describe,
    announce,
    messages,
    isClash: (event) => ["expelled", "took_key", "exited"].includes(event.kind),
};
