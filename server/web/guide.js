/*
 * Hints beside the board of a first match that say what to do now and why: in the guided match against
 * a bot, and in a player's first match of a ruleset against anybody.
 *
 * A hint follows from the position and from the orders given so far, so that reloading the page or
 * playing otherwise than suggested never confuses it.  It ends after three turns, or when the
 * player wants.
 */
import { get, publishedRulesets } from "./api.js";
import { h, put } from "./dom.js";
import { setAddress } from "./invite.js";
import { text } from "./language.js";
import { area } from "./patterns.js";
import { GUIDED } from "./rulesets.js";
import { same } from "./scene.js";
import { settings } from "./settings.js";

const TURNS = 3;

/* ---- the matches ---- */

const against = (level) => ({ seats: [null, { bot: { level } }] });
const corner = (x, y, dx, dy) => [
    [x, y],
    [x + dx, y],
    [x, y + dy],
    [x + dx, y + dy],
];

/* Small boards on which something happens within three turns; models and patterns are the usual ones. */
const MATCHES = {
    tactics: (defaults) => ({
        ...against("greedy"),
        params: {
            ...defaults,
            rows: 7,
            cols: 7,
            placement: false,
            start_rows: 2,
            units: [
                ["lancer", 3, 5],
                ["archer", 2, 6],
                ["guard", 4, 6],
            ].flatMap(([model, x, y], i) => [
                { id: `a${i + 1}`, model, seat: 0, at: [x, y] },
                { id: `b${i + 1}`, model, seat: 1, at: [6 - x, 6 - y] },
            ]),
        },
    }),
    halma: () => ({
        ...against("greedy"),
        params: {
            size: 8,
            pieces: [corner(0, 7, 1, -1), corner(7, 0, -1, 1)],
            destinations: [corner(7, 0, -1, 1), corner(0, 7, 1, -1)],
        },
    }),
    racers: () => ({
        ...against("random"),
        params: {
            rows: 10,
            cols: 10,
            failure_permille: 0,
            board: {
                walls: [
                    [4, 4],
                    [5, 5],
                ],
                starts: [
                    [0, 9],
                    [9, 0],
                ],
                items: [
                    { kind: "disc", at: [1, 8] },
                    { kind: "grenade", at: [8, 1] },
                ],
                teleporters: [],
            },
        },
    }),
    snarl: () => ({
        seats: [null],
        params: {
            heroes: ["ada"],
            levels: [
                {
                    rooms: [room(0, 0, 5, 9, [2, 8]), room(0, 11, 5, 5, [2, 0])],
                    hallways: [{ from: [2, 8], to: [2, 11], waypoints: [] }],
                    objects: [
                        { type: "key", position: [2, 4] },
                        { type: "exit", position: [2, 6] },
                    ],
                    starts: { heroes: [[2, 1]], adversaries: [{ kind: "zombie", at: [2, 14] }] },
                },
            ],
        },
    }),
};

/* A room with walls around it and one door; points are [row, column]. */
function room(row, column, rows, columns, [doorRow, doorColumn]) {
    const isEdge = (y, x) => y === 0 || x === 0 || y === rows - 1 || x === columns - 1;
    return {
        origin: [row, column],
        bounds: { rows, columns },
        layout: Array.from({ length: rows }, (_, y) =>
            Array.from({ length: columns }, (__, x) => (y === doorRow && x === doorColumn ? 2 : isEdge(y, x) ? 0 : 1)),
        ),
    };
}

/* From now on the player is not guided in this ruleset, unless they ask for it. */
const stopGuiding = (ruleset) => {
    settings.guided = [...new Set([...settings.guided, ruleset])];
};

/* Whether it is the player's first match of the ruleset, on whatever device. */
export async function isNewTo(ruleset) {
    if (!GUIDED.includes(ruleset) || settings.guided.includes(ruleset)) {
        return false;
    }
    const { matches } = await get(`matches?mine=1&status=over&ruleset=${ruleset}&limit=1`, { isMine: true });
    if (matches.length > 0) {
        stopGuiding(ruleset);
    }
    return matches.length === 0;
}

/* Creates the match and goes there. */
export async function startGuide(app, ruleset) {
    const { defaults } = (await publishedRulesets()).find((one) => one.ruleset === ruleset);
    await app.enter(app.guestName());
    const joined = await app.server.request({
        type: "create",
        ruleset,
        clock: null,
        rated: false,
        visibility: "private",
        ...MATCHES[ruleset](defaults),
    });
    app.go(`#/match/${joined.match}?guide=1`);
}

export const guideButton = (app, ruleset, name, complain) =>
    h(
        "button",
        {
            class: "primary",
            "aria-label": text.guide.startOf(name),
            onclick: () => startGuide(app, ruleset).catch(complain),
        },
        text.guide.start,
    );

/* ---- what to do next ---- */

const apart = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
const best = (list, worth) =>
    list.reduce((most, one) => (most === undefined || worth(one) > worth(most) ? one : most), undefined);

/* How many more enemies than friends an attack would hit. */
function gain({ params, view, seat }, { unit: id, target }) {
    const unit = view.units.find((other) => other.id === id);
    const hit = area(params, unit, target).flatMap((cell) => view.units.filter((other) => same(other.at, cell)));
    return hit.reduce((sum, other) => sum + (other.seat === seat ? -1 : 1), 0);
}

function tactics({ scene, orders }) {
    const { view, seat, params } = scene;
    const words = text.guide.tactics;
    const given = orders.commands();
    const turn = view.turn - placementTurns(scene);
    if (view.phase === "placement") {
        return { words: words.place };
    }
    const say = (make, { unit: id, target }) => {
        const unit = view.units.find((other) => other.id === id);
        return { words: make(`${text.tactics.model(unit.model)} ${id}`, text.cell(target)), cells: [unit.at, target] };
    };
    if (given.length > (turn === TURNS - 1 ? 1 : 0)) {
        return { words: given.some(({ kind }) => kind === "attack") ? words.aim : words.ready };
    }
    if (given.length === 1) {
        return { words: words.more };
    }
    const enemies = view.units.filter((unit) => unit.seat !== seat);
    const attack = best(
        orders.hints.filter(({ kind }) => kind === "attack"),
        (hint) => gain(scene, hint),
    );
    const isOnlyMove = ({ kind, unit, target }) =>
        kind === "move" &&
        !orders.hints.some((hint) => hint.kind === "attack" && hint.unit === unit && same(hint.target, target));
    const move = best(
        orders.hints.filter(isOnlyMove),
        ({ target }) => -Math.min(params.rows, ...enemies.map(({ at }) => apart(at, target))),
    );
    return turn > 0 && attack !== undefined && gain(scene, attack) > 0
        ? say(words.attack, attack)
        : move === undefined
          ? { words: words.ready }
          : say(turn === 0 ? words.move : words.approach, move);
}

function halma({ scene, orders }) {
    const { view, seat, params } = scene;
    const words = text.guide.halma;
    const [given] = orders.commands();
    const unitOf = (id) => view.units.find((unit) => unit.id === id);
    const isJump = ({ unit, path }) => apart(unitOf(unit).at, path[0]) === 2;
    if (given !== undefined) {
        return { words: isJump(given) ? words.chain : words.ready };
    }
    const goal = params.destinations[seat][0];
    const hint = best(
        orders.hints.filter(({ kind }) => kind === "move"),
        ({ unit, path }) => apart(unitOf(unit).at, goal) - apart(path.at(-1), goal),
    );
    if (hint === undefined) {
        return { words: words.ready };
    }
    const make = view.turn === TURNS - 1 ? words.hold : isJump(hint) ? words.jump : words.step;
    return { words: make(hint.unit, text.cell(hint.path.at(-1))), cells: [unitOf(hint.unit).at, ...hint.path] };
}

function racers({ scene, orders }) {
    const { view, seat } = scene;
    const words = text.guide.racers;
    const racer = view.racers.find((other) => other.seat === seat);
    const isFirst = racer.performed < 3;
    const disc = view.items.find(({ kind, at }) => kind === "disc" && apart(at, racer.at) === 1);
    const finish = view.starts[1 - seat];
    const step = best(
        orders.targets().filter(({ hint }) => hint.kind === "move"),
        ({ cell }) => -apart(cell, finish),
    );
    const cells = step === undefined ? [] : [step.cell];
    if (racer.performed === 0 && disc !== undefined) {
        return { words: words.disc(text.cell(disc.at)), cells: [disc.at] };
    }
    if (isFirst && orders.hints.some(({ kind, item }) => kind === "pick_up" && item === "disc")) {
        return { words: words.pickUp };
    }
    if (isFirst) {
        return { words: racer.performed === 0 ? words.begin : words.trail, cells };
    }
    if (orders.hints.some(({ kind, item }) => kind === "use" && item === "disc")) {
        return { words: words.throw };
    }
    return { words: racer.performed < 6 ? words.onward : words.finish(text.cell(finish)), cells };
}

/* The hero who moves, or else the first one of the player who is on the level. */
function ownHero({ view, seat }) {
    const own = view.heroes.filter((hero) => hero.seat === seat && hero.at);
    return own.find(({ id }) => id === view.active?.unit) ?? own[0];
}

/* The tile to go to next: towards a cell, or as far away as possible. */
function snarl({ scene, orders }) {
    const { view } = scene;
    const words = text.guide.snarl;
    const here = ownHero(scene).at;
    const tiles = orders.hints.map(({ to }) => to).filter((to) => to !== null && to !== undefined);
    const steps = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
    const towards = (goal) => [best(tiles, (tile) => -steps(tile, goal))];
    const onward = [best(tiles, (tile) => steps(tile, here) + 0.1 * (tile[0] - here[0]))];
    const [find, reach, goal] = view.exit_unlocked
        ? [words.seekExit, words.exit, view.exit]
        : [view.turn === 0 ? words.look : words.seek, words.key, view.key];
    return goal === undefined || goal === null
        ? { words: find, cells: onward }
        : { words: reach(text.cell(goal)), cells: towards(goal) };
}

/* Placing the units is a turn of its own, before the others. */
const placementTurns = ({ params }) => (params.placement ? 1 : 0);

const PLANS = { tactics, halma, racers, snarl };

/* The player's own turns so far. */
const TURN_OF = {
    racers: ({ view, seat }) => Math.floor(view.racers.find((racer) => racer.seat === seat).performed / 3),
    snarl: ({ view, players }) => Math.floor(view.turn / players.length),
};

/* ---- the hint on the screen ---- */

export class Guide {
    constructor(screen, place) {
        Object.assign(this, { screen, place });
    }

    leave() {
        const { board, id, match, isGuided } = this.screen;
        this.isLeft = true;
        stopGuiding(match.ruleset);
        put(this.place);
        board.clear("guide");
        isGuided && setAddress(`#/match/${id}`);
    }

    /* What to show now: null until there is something to say. */
    next() {
        const { match, scene, orders, isReady } = this.screen;
        if (!scene?.view || match.seat === null || !GUIDED.includes(match.ruleset)) {
            return null;
        }
        const turn = (TURN_OF[match.ruleset] ?? (({ view }) => view.turn))(scene);
        const turns = TURNS + placementTurns(scene);
        const say = (plan) => plan && { step: text.guide.step(turn + 1, turns), ...plan };
        if (match.outcome || turn >= turns) {
            return { step: text.guide.title, words: text.guide.done, isDone: true };
        }
        if (match.ruleset === "snarl" && ownHero(scene) === undefined) {
            return { isHidden: true }; /* the adversaries' side has no hints */
        }
        if (!this.screen.isMyTurn()) {
            return say({ words: text.guide.wait });
        }
        if (isReady) {
            return this.screen.face.isSimultaneous ? say({ words: text.guide.waitReady }) : null;
        }
        return orders.hints === null ? null : say(PLANS[match.ruleset]({ scene, orders }));
    }

    /* Called when anything changes; the same hint is not read out twice. */
    update() {
        const next = this.isLeft ? null : this.next();
        if (next === null) {
            return;
        }
        if (next.isDone) {
            stopGuiding(this.screen.match.ruleset);
            if (this.key === undefined) {
                this.leave(); /* the match was opened again later */
                return;
            }
        }
        const { board } = this.screen;
        board.clear("guide");
        if (next.isHidden) {
            this.key = this.key === undefined ? undefined : "";
            put(this.place);
            return;
        }
        next.cells
            ?.filter((cell) => cell !== undefined)
            .forEach((cell) => board.square("guide", cell, "guide-mark").setAttribute("data-guide", cell.join()));
        const key = `${next.step} ${next.words}`;
        if (key === this.key) {
            return;
        }
        this.key = key;
        put(
            this.place,
            h(
                "section",
                { class: "card guide", "aria-label": text.guide.title },
                h(
                    "div",
                    { class: "row" },
                    h("p", { class: "dim" }, next.step),
                    next.isDone
                        ? h("button", { class: "small", onclick: () => this.screen.showRules() }, text.rules.link)
                        : null,
                    h("button", { class: "small link", onclick: () => this.leave() }, text.guide.leave),
                ),
                h("p", { class: "guide-words" }, next.words),
            ),
        );
    }
}
