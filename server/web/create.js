/*
 * A new match: good defaults, and a form with every option.
 */
import { h, openDialog, put } from "./dom.js";
import { FAILURES } from "./racers.js";
import { faces } from "./rulesets.js";
import { tellError, text } from "./language.js";

const CLOCKS = {
    standard: undefined /* the server's default */,
    fast: { turn_ms: 15000, bank_ms: 60000 },
    slow: { turn_ms: 300000 },
    none: null,
};
const CYCLE_MS = 1000;
const HERO_NAMES = ["ada", "bob", "cyd", "dee"];

/* The default params of a new match; undefined means the server's default. */
export function defaultParams(ruleset, isAgainstBot = false) {
    return {
        tactics: { placement: !isAgainstBot },
        racers: { failure_permille: FAILURES.calm },
        snarl: { heroes: HERO_NAMES.slice(0, 2) },
    }[ruleset];
}

/* Searching for an opponent is rated if two sides play each other with the default rules. */
export const isRanked = (ruleset) => ruleset !== "snarl" && ruleset !== "racers";

/* ---- the form ---- */

/* `when` lists the opponents for which a field applies; missing: all. */
const field = (when, words, ...content) => h("label", { "data-when": when }, words, content);

const choice = (name, words, options, chosen, when) =>
    field(
        when,
        words,
        h(
            "select",
            { name },
            Object.entries(options).map(([value, label]) => h("option", { value, selected: value === chosen }, label)),
        ),
    );

const number = (name, words, value, least, most, when) =>
    field(when, words, h("input", { type: "number", name, value, min: least, max: most, inputmode: "numeric" }));

const check = (name, words, isChecked, when) =>
    h(
        "label",
        { class: "check", "data-when": when },
        h("input", { type: "checkbox", name, checked: isChecked }),
        words,
    );

const service = (when, words, seat) =>
    h(
        "fieldset",
        { "data-when": when },
        h("legend", {}, words),
        field(
            undefined,
            text.create.serviceName,
            h("input", { type: "text", name: `name${seat}`, maxlength: 24, autocomplete: "off" }),
        ),
        field(
            undefined,
            text.create.serviceUrl,
            h("input", { type: "url", name: `url${seat}`, required: true, maxlength: 500, placeholder: "https://" }),
        ),
    );

const FIELDS = {
    tactics: () => [
        check("placement", text.create.placement, true),
        number("rows", text.create.rows, 9, 3, 64),
        number("cols", text.create.cols, 9, 3, 64),
        number("turn_limit", text.create.turnLimit, 200, 1, 1000000),
    ],
    halma: () => [
        number("size", text.create.size, 18, 6, 64),
        number("turn_limit", text.create.turnLimit, 200, 1, 1000000),
    ],
    racers: () => [
        number("rows", text.create.rows, 12, 10, 64),
        number("cols", text.create.cols, 12, 10, 64),
        choice("failures", text.create.failures, text.create.failureWords, "calm"),
    ],
    snarl: () => [
        choice("mode", text.create.mode, text.create.modes, "coop"),
        number("heroes", text.create.heroes, 2, 1, 4),
        choice("level_end", text.create.levelEnd, text.create.levelEnds, "all"),
        h("p", { class: "dim" }, text.create.levelEndHint),
    ],
};

/* Only what differs from the server's defaults is sent, so that the server can change them. */
const READERS = {
    tactics: (form) => ({
        placement: form.get("placement") === "on",
        ...numbers(form, { rows: 9, cols: 9, turn_limit: 200 }),
    }),
    halma: (form) => numbers(form, { size: 18, turn_limit: 200 }),
    racers: (form) => ({ failure_permille: FAILURES[form.get("failures")], ...numbers(form, { rows: 12, cols: 12 }) }),
    snarl: (form) => ({
        mode: form.get("mode"),
        level_end: form.get("level_end"),
        heroes: HERO_NAMES.slice(0, Number(form.get("heroes"))),
    }),
};

/* The same for a ruleset that has its fields from its schema. */
const plainField = ({ kind, name, label, usual, least, most, options }) =>
    kind === "number"
        ? number(name, label, usual, least, most)
        : kind === "check"
          ? check(name, label, usual)
          : choice(name, label, options, usual);

const plainReader = (fields) => (form) =>
    Object.fromEntries(
        fields
            .map(({ kind, name, usual }) => [
                name,
                kind === "number"
                    ? Number(form.get(name) || usual)
                    : kind === "check"
                      ? form.get(name) === "on"
                      : form.get(name),
                usual,
            ])
            .filter(([, value, usual]) => value !== usual),
    );

/* The levels of bots that play it. */
const levelsOf = (ruleset) =>
    Object.fromEntries(
        Object.entries(text.create.levels).filter(([level]) => faces[ruleset].bots?.includes(level) ?? true),
    );

export const usualLevel = (ruleset) => (Object.hasOwn(levelsOf(ruleset), "greedy") ? "greedy" : "random");

function numbers(form, defaults) {
    return Object.fromEntries(
        Object.entries(defaults)
            .map(([name, value]) => [name, Number(form.get(name) || value)])
            .filter(([name, value]) => value !== defaults[name]),
    );
}

const botOf = (form, seat) => ({
    bot: { http: form.get(`url${seat}`), name: form.get(`name${seat}`).trim() || undefined },
});

/* Each hero of snarl has a seat, unless they are played against. */
const seatCount = ({ mode, heroes, seats }) => seats ?? (heroes === undefined || mode === "versus" ? 2 : heroes.length);

const others = (params, seat, bot) =>
    Array.from({ length: seatCount(params) }, (_, place) => (place === seat ? null : bot));

/* The seats besides the creator's.  Watching needs no link, so matches among bots are open. */
const OPPONENTS = {
    bot: (form, seat, params) => ({
        seats: others(params, seat, { bot: { level: form.get("level") } }),
        seat,
        rated: false,
        visibility: "private",
    }),
    friend: (form, seat) => ({ seat, rated: form.get("ratedIfBoth") === "on", visibility: "private" }),
    open: (form, seat) => ({ seat, visibility: "open" }),
    service: (form, seat, params) => ({
        seats: others(params, seat, botOf(form, 0)),
        seat,
        rated: false,
        visibility: "private",
    }),
    services: (form, seat, params) => ({
        seats: others(params).map((_, place) => botOf(form, 1 + (place % 2))),
        rated: false,
        visibility: "open",
    }),
};

/* `form` is a FormData; exported for tests. */
export function readFrame(ruleset, form) {
    const cycle = form.get("cycle_ms");
    const params = (READERS[ruleset] ?? plainReader(faces[ruleset].fields))(form);
    return {
        ruleset,
        params,
        ...(cycle === null ? { clock: CLOCKS[form.get("clock")] } : { cycle_ms: Number(cycle) }),
        spectator_delay: Number(form.get("delay") || 0),
        rated: form.get("rated") === "on",
        ...OPPONENTS[form.get("opponent")](form, form.get("seat") === "second" ? 1 : 0, {
            ...params,
            seats: faces[ruleset].seatCount,
        }),
    };
}

/* Members of `create` that have no field here: a roster, a board, levels, a seed, a cycle. */
function readJson(words) {
    if (words.trim() === "") {
        return {};
    }
    try {
        return JSON.parse(words);
    } catch (error) {
        throw new Error(text.create.badJson(error.message));
    }
}

const jsonField = () =>
    h(
        "details",
        {},
        h("summary", {}, text.create.json),
        h(
            "label",
            {},
            text.create.jsonHint,
            h("textarea", { name: "json", rows: 6, spellcheck: "false", placeholder: '{"params":{"turn_limit":50}}' }),
        ),
    );

/* ---- what is refused ---- */

/*
 * The field for a position in the frame; undefined: there is none.  The ruleset's default units do
 * not fit on a board that is too small.
 */
function fieldAt(form, at) {
    const { opponent, rows, json } = form.elements;
    const [, top, inner] = at.split("/");
    const byDefault =
        json.value.trim() !== ""
            ? {}
            : {
                  pieces: "size",
                  destinations: "size",
                  start_rows: "rows",
                  units: Number(rows?.value) < 9 ? "rows" : "cols",
              };
    const names = {
        ...byDefault,
        failure_permille: "failures",
        spectator_delay: "delay",
        seats: { service: "url0", services: `url${1 + (inner % 2)}` }[opponent.value] ?? "opponent",
    };
    const name = top === "params" ? inner : top;
    return form.elements[names[name] ?? name];
}

/* Shows what is wrong and marks the field. */
function complain(form, trouble, refusal) {
    const input = refusal.at === undefined ? undefined : fieldAt(form, refusal.at);
    const label = input?.closest?.("label")?.firstChild.textContent;
    const what = tellError(refusal).replace(/[^.!?]$/, "$&.");
    trouble.textContent = text.create.invalid(
        label ? `${label}: ${what}` : refusal.at ? `${refusal.at}: ${what}` : what,
    );
    if (label) {
        input.setAttribute("aria-invalid", "true");
        input.focus();
    }
}

/* Fields that do not apply to this opponent are neither shown nor sent. */
function fitTo(form, opponent) {
    for (const element of form.querySelectorAll("[data-when]")) {
        element.hidden = !element.dataset.when.split(" ").includes(opponent);
        for (const input of element.querySelectorAll("input, select")) {
            input.disabled = element.hidden;
        }
    }
}

/* Calls `create(frame)`; if it is refused, the form stays open. */
export function createDialog(ruleset, create) {
    const trouble = h("p", { class: "bad", role: "alert" });
    const isSimultaneous = faces[ruleset].isSimultaneous;
    openDialog(text.create.title(text.rulesets[ruleset].name), (close) => {
        const form = h(
            "form",
            {
                class: "form",
                onsubmit: async (event) => {
                    event.preventDefault();
                    put(trouble);
                    form.querySelectorAll("[aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
                    const data = new FormData(form);
                    try {
                        await create({ ...readFrame(ruleset, data), ...readJson(data.get("json")) });
                        close();
                    } catch (refusal) {
                        complain(form, trouble, refusal);
                    }
                },
            },
            choice("opponent", text.create.opponent, text.create.opponents, "bot"),
            choice("level", text.create.level, levelsOf(ruleset), usualLevel(ruleset), "bot"),
            service("service", text.create.service, 0),
            service("services", text.match.seat(0), 1),
            service("services", text.match.seat(1), 2),
            choice("seat", text.create.seat, text.create.seats, "first", "bot friend open service"),
            choice(
                "clock",
                text.create.clock,
                text.create.clocks,
                "standard",
                isSimultaneous ? "bot friend open service" : undefined,
            ),
            isSimultaneous ? number("cycle_ms", text.create.cycle, CYCLE_MS, 10, 600000, "services") : null,
            FIELDS[ruleset]?.() ?? faces[ruleset].fields.map(plainField),
            number("delay", text.create.delay, 0, 0, 1000),
            check("rated", text.create.rated, true, "open"),
            check("ratedIfBoth", text.create.ratedIfBoth, true, "friend"),
            jsonField(),
            trouble,
            h(
                "div",
                { class: "row" },
                h("button", { class: "primary" }, text.create.create),
                h("button", { type: "button", onclick: close }, text.cancel),
            ),
        );
        const { opponent } = form.elements;
        opponent.addEventListener("change", () => fitTo(form, opponent.value));
        fitTo(form, opponent.value);
        return form;
    });
}
