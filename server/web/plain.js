/*
 * The face of a ruleset that this page has no file for, from its schemas: whatever has a cell is
 * drawn there, the server's hints are buttons, and words are those of the schemas.
 *
 * Only loaded where the server has such a ruleset.
 */
import { h, svg } from "./dom.js";
import { Orders } from "./orders.js";
import { piece } from "./pieces.js";
import { same, seatName } from "./scene.js";
import { text } from "./language.js";

const BUTTONS_MAX = 24; /* more commands than this are chosen on the board */
const HEAD = ["turn", "seat", "owing", "outcome"]; /* of every view */

/* ---- schemas ---- */

const words = (name) => name.replaceAll("_", " ");
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/* A member that may be null is one of two schemas. */
const inner = (schema) => schema.anyOf?.[0] ?? schema;
const isCell = (schema) => inner(schema).prefixItems !== undefined;
const membersOf = (schema) =>
    Object.entries(schema.properties ?? {}).filter(([, member]) => member.const === undefined);
const kindOf = (variants, kind) => variants.oneOf.find((variant) => variant.properties.kind?.const === kind);

function tellValue(value, schema) {
    if (value === null || value === undefined) {
        return text.plain.none;
    }
    if (isCell(schema)) {
        return text.cell(value);
    }
    if (Array.isArray(value)) {
        return value.length === 0 ? text.plain.none : text.list(value.map((item) => tellValue(item, schema.items)));
    }
    return typeof value === "boolean" ? text.plain.yes[value] : words(String(value));
}

/* "alice moved from 1,2 to 1,3" */
function tellVariant(variants, said, who) {
    const members = membersOf(kindOf(variants, said.kind) ?? {}).filter(
        ([name]) => said[name] !== undefined && !(who !== undefined && name === "seat"),
    );
    return [
        ...(who === undefined ? [] : [who]),
        words(said.kind),
        ...members.map(([name, schema]) => `${words(name)} ${tellValue(said[name], schema)}`),
    ].join(" ");
}

/* ---- things: what a view has on cells ---- */

/* By its id, the first letter of its word, or that of its list. */
function lettersOf(thing, schema, list) {
    const find = (test) => membersOf(schema).find(([, member]) => test(inner(member)));
    const [id] = find((member) => member.pattern !== undefined) ?? [];
    const [word] = find((member) => member.enum !== undefined) ?? [];
    return thing[id] ?? (thing[word] ?? list).charAt(0).toUpperCase();
}

function thingOf(value, schema, list) {
    const [cell] = membersOf(schema).find(([, member]) => isCell(member)) ?? [];
    return cell === undefined || !value[cell]
        ? []
        : [{ at: value[cell], seat: value.seat, letters: lettersOf(value, schema, list), list, value, schema, cell }];
}

const mark = (at, name) => ({ at, letters: capital(name).charAt(0), list: name });

function thingsIn(view, schema) {
    return membersOf(schema)
        .filter(([name]) => !HEAD.includes(name) && view[name] !== null && view[name] !== undefined)
        .flatMap(([name, whole]) => {
            const member = inner(whole);
            if (isCell(member)) {
                return [mark(view[name], name)];
            }
            if (member.type === "object") {
                return thingOf(view[name], member, name);
            }
            return member.items === undefined || member.prefixItems !== undefined
                ? []
                : view[name].flatMap((item) =>
                      isCell(member.items) ? [mark(item, name)] : thingOf(item, member.items, name),
                  );
        });
}

/* ---- the picture ---- */

/* Without a board's size: around everything that is seen. */
function boundsOf(document, scene, things) {
    if (document.board !== undefined) {
        return { cols: scene.params[document.board.cols], rows: scene.params[document.board.rows] };
    }
    const most = (axis) => Math.max(0, ...things.map(({ at }) => at[axis])) + 1;
    return { cols: most(0), rows: most(1) };
}

function drawThing(board, thing) {
    const title = svg("title", {}, tellThing(thing));
    const figure =
        thing.seat === undefined || thing.seat === null
            ? svg(
                  "g",
                  { class: "thing plain" },
                  svg("circle", { r: 12, class: "base" }),
                  svg("text", { class: "letters", y: 5 }, thing.letters.slice(0, 2)),
                  title,
              )
            : svg("g", { class: `piece seat-${thing.seat}` }, piece(thing.seat, thing.letters), title);
    figure.setAttribute("data-thing", thing.list);
    return board.add(thing.seat === undefined ? "things" : "pieces", thing.at, figure);
}

function tellThing({ list, value, schema, cell }) {
    const rest = value === undefined ? [] : membersOf(schema).filter(([name]) => name !== cell && name !== "seat");
    return [words(list), ...rest.map(([name, member]) => `${words(name)} ${tellValue(value[name], member)}`)].join(
        ", ",
    );
}

/* ---- orders ---- */

class PlainOrders extends Orders {
    constructor(parts) {
        super(parts);
        this.chosen = [];
        this.picked = []; /* cells of the command that is being made */
    }

    get isChoosing() {
        return this.picked.length > 0;
    }

    setCommands(commands) {
        this.chosen = this.document.simultaneous ? commands.filter((command) => this.isOwn(command)) : [];
        this.picked = [];
    }

    isOwn({ kind }) {
        return (
            membersOf(kindOf(this.document.command, kind) ?? {}).length > 0 ||
            !["resign", "timeout", "abandon", "agree_draw"].includes(kind)
        );
    }

    /* Without a referee: what the seat ordered in any turn of the match. */
    guessHints(given) {
        const texts = new Set(given.filter((command) => this.isOwn(command)).map((command) => JSON.stringify(command)));
        this.setHints([...texts].map((one) => JSON.parse(one)));
    }

    commands() {
        return this.chosen;
    }

    setVerdicts(_, verdicts) {
        this.verdicts = verdicts;
        this.show();
    }

    clear() {
        this.picked = [];
        this.take([]);
    }

    cancel() {
        this.picked = [];
        this.show();
    }

    take(commands) {
        this.chosen = commands;
        this.verdicts = undefined;
        this.show();
        this.onChange();
    }

    /* One per turn replaces the last; others are added. */
    order(command) {
        const isSingle = !this.document.simultaneous || this.document.checks.includes("single_command");
        this.picked = [];
        this.take(isSingle ? [command] : [...this.chosen, command]);
    }

    cellsOf(command) {
        return membersOf(kindOf(this.document.command, command.kind))
            .filter(([, member]) => isCell(member))
            .map(([name]) => command[name]);
    }

    /* The hints whose first cells are these. */
    matching(cells) {
        return (this.hints ?? []).filter((hint) => {
            const own = this.cellsOf(hint);
            return own.length >= cells.length && cells.every((cell, i) => same(cell, own[i]));
        });
    }

    options(cell) {
        return this.matching([...this.picked, cell]);
    }

    /* The next cell of a command, or the first of another. */
    choose(cell) {
        const isNext = this.options(cell).length > 0;
        const cells = isNext ? [...this.picked, cell] : [cell];
        const found = this.matching(cells);
        if (found.length === 1 && this.cellsOf(found[0]).length === cells.length) {
            this.order(found[0]);
        } else {
            this.picked = found.length > 0 ? cells : [];
            this.show();
        }
    }

    show() {
        const { board, picked } = this;
        board.clear("marks", "plans");
        picked.forEach((cell) => board.square("marks", cell, "mark-selected"));
        for (const cell of new Set(this.matching(picked).map((hint) => this.cellsOf(hint)[picked.length]?.join()))) {
            if (cell !== undefined) {
                const at = cell.split(",").map(Number);
                board.square("marks", at, "mark-move").setAttribute("data-mark", "move");
                board.add("marks", at, svg("circle", { r: 5, class: "mark-dot" }));
            }
        }
        this.chosen.forEach((command) => this.showPlan(command));
        this.showPanel();
    }

    showPlan(command) {
        const cells = this.cellsOf(command);
        cells.length > 1
            ? this.board.arrow("plans", cells, `move seat-${this.seat}`)
            : cells.forEach((cell) => this.board.square("plans", cell, "mark-selected"));
    }

    showPanel() {
        const found = this.matching(this.picked);
        const isChosen = (hint) => this.chosen.some((command) => JSON.stringify(command) === JSON.stringify(hint));
        this.panel.replaceChildren(
            h("p", { class: "hint" }, this.chosen.length > 0 ? this.tellChosen() : text.plain.select),
            h(
                "div",
                { class: "row hints" },
                found
                    .slice(0, BUTTONS_MAX)
                    .map((hint) =>
                        h(
                            "button",
                            { class: "small", "aria-pressed": String(isChosen(hint)), onclick: () => this.order(hint) },
                            tellVariant(this.document.command, hint),
                        ),
                    ),
            ),
            found.length > BUTTONS_MAX ? h("p", { class: "dim" }, text.plain.more(found.length - BUTTONS_MAX)) : "",
        );
    }

    tellChosen() {
        return text.list(
            this.chosen.map((command, i) => {
                const verdict = this.verdicts?.[i]?.verdict ?? "ok";
                const told = tellVariant(this.document.command, command);
                return verdict === "ok" ? told : `${told} (${text.verdicts[verdict] ?? words(verdict)})`;
            }),
        );
    }
}

/* ---- the form of a new match ---- */

const FIELDS = {
    integer: ({ minimum, maximum, default: usual }) => ({ kind: "number", usual, least: minimum, most: maximum }),
    boolean: ({ default: usual }) => ({ kind: "check", usual: usual === true }),
};

/* The params that a form can ask for: numbers, switches and words. */
function fieldsOf(schema) {
    return membersOf(schema).flatMap(([name, whole]) => {
        const member = inner(whole);
        const field = member.enum
            ? {
                  kind: "choice",
                  usual: whole.default,
                  options: Object.fromEntries(member.enum.map((word) => [word, words(word)])),
              }
            : FIELDS[member.type]?.({ ...member, default: whole.default });
        return field === undefined ? [] : [{ name, label: whole.description ?? words(name), ...field }];
    });
}

/* ---- the face ---- */

const FLASH_MS = 500;

export function plainFace(document) {
    const { view: schema, event: events, command: commands } = document;
    const who = (said, scene) =>
        said.seat === undefined || said.seat === null ? undefined : seatName(scene, said.seat);
    const cellsIn = (event) =>
        membersOf(kindOf(events, event.kind) ?? {})
            .filter(([name, member]) => isCell(member) && event[name])
            .map(([name]) => event[name]);

    function draw(board, scene) {
        const things = thingsIn(scene.view, schema);
        board.setBounds(boundsOf(document, scene, things));
        board.clear("ground", "things", "pieces", "effects");
        for (const cell of board.every()) {
            board.square("ground", cell, `ground ${(cell[0] + cell[1]) % 2 ? "odd" : "even"}`);
        }
        scene.things = things;
        scene.figures = things.map((thing) => [thing, drawThing(board, thing)]);
    }

    /* From a cell to another: what is there travels; at a cell: it flashes. */
    const show = (board, scene, event) => async (animator) => {
        const cells = cellsIn(event);
        const [, figure] =
            scene.figures.find(
                ([thing]) => same(thing.at, cells[0]) && (event.seat === undefined || thing.seat === event.seat),
            ) ?? [];
        if (cells.length > 1 && figure !== undefined) {
            await animator.travel(
                figure,
                cells.map((cell) => board.place(cell)),
                FLASH_MS * (cells.length - 1),
            );
        } else if (cells.length > 0) {
            const flash = board.square("effects", cells.at(-1), "collision strong");
            await animator.wait(FLASH_MS);
            flash.remove();
        }
    };

    /* Events of one kind that follow each other are shown at once. */
    function steps(board, scene, list) {
        const groups = [];
        for (const event of list.filter((other) => cellsIn(other).length > 0)) {
            groups.at(-1)?.[0].kind === event.kind ? groups.at(-1).push(event) : groups.push([event]);
        }
        return groups.map((group) => (animator) => group.map((event) => show(board, scene, event)(animator)));
    }

    function describe(scene, orders, cell) {
        return [
            text.cell(cell),
            ...thingsIn(scene.view, schema)
                .filter(({ at }) => same(at, cell))
                .map((thing) => [tellThing(thing), who(thing, scene)].filter(Boolean).join(", ")),
            ...((orders?.options(cell) ?? []).length > 0 ? [text.tactics.mayMove] : []),
        ].join(", ");
    }

    /* What has no cell, and what the pieces of each seat are. */
    function messages({ view, players }) {
        const scalars = membersOf(schema).filter(
            ([name, member]) =>
                !HEAD.includes(name) &&
                !isCell(member) &&
                inner(member).items === undefined &&
                inner(member).type !== "object",
        );
        const things = thingsIn(view, schema).filter(({ seat }) => seat !== undefined);
        return h(
            "ul",
            { class: "messages" },
            scalars.map(([name, member]) => h("li", {}, `${words(name)}: ${tellValue(view[name], member)}`)),
            things.map((thing) => h("li", {}, `${seatName({ players }, thing.seat)}: ${tellThing(thing)}`)),
        );
    }

    function trace(board, scene, list) {
        for (const event of list) {
            const cells = cellsIn(event);
            if (cells.length > 1 && !same(cells[0], cells.at(-1))) {
                board.arrow("traces", cells, `trace seat-${event.seat ?? 0}`);
            }
        }
    }

    return {
        isSimultaneous: document.simultaneous,
        needsOrders: false,
        bots: document.bots,
        seatCount: document.seats_max,
        fields: fieldsOf(document.params),
        Orders: class extends PlainOrders {
            get document() {
                return document;
            }
        },
        draw,
        steps,
        tellEvent: (event, scene) => tellVariant(events, event, who(event, scene)),
        tellCommand: (command) => tellVariant(commands, command),
        describe,
        trace,
        messages,
        isClash: () => false,
    };
}

/* Its name and its words, as if they were in the file of texts; those that are, stay. */
export function plainTexts({ ruleset, summary, words: meanings, verdicts, reasons }) {
    text.rulesets[ruleset] ??= { name: capital(words(ruleset)), line: summary };
    const low = (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
    const add = (to, name) => (to[name] ??= meanings[name] === undefined ? words(name) : low(meanings[name]));
    verdicts.forEach((name) => add(text.verdicts, name));
    reasons.forEach((name) => add(text.reasons, name));
}
