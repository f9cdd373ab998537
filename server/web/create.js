/*
 * A new match: defaults that are good, and a form with every option for who wants more.
 */
import { h, openDialog, put } from "./dom.js";
import { text } from "./text.js";

const CLOCKS = {
    standard: undefined, /* the server's own */
    fast: { turn_ms: 15000, bank_ms: 60000 },
    slow: { turn_ms: 300000 },
    none: null,
};
const FAILURES = { none: 0, calm: 5, wild: 50 };
const HERO_NAMES = ["ada", "bob", "cyd", "dee"];

/* What a match of this ruleset is made of when nobody says more; undefined is the server's default. */
export function defaultParams(ruleset, isAgainstBot = false) {
    return {
        tactics: { placement: !isAgainstBot },
        racers: { failure_permille: FAILURES.calm },
        snarl: { heroes: HERO_NAMES.slice(0, 2) },
    }[ruleset];
}

/* ---- the form ---- */

const choice = (name, words, options, chosen) => h("label", {}, words,
    h("select", { name }, Object.entries(options).map(([value, label]) => h("option", { value, selected: value === chosen }, label))));

const number = (name, words, value, least, most) => h("label", {}, words,
    h("input", { type: "number", name, value, min: least, max: most, inputmode: "numeric" }));

const check = (name, words, isChecked) => h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: isChecked }), words);

const FIELDS = {
    tactics: () => [check("placement", text.create.placement, true), number("rows", text.create.rows, 9, 3, 64), number("cols", text.create.cols, 9, 3, 64), number("turn_limit", text.create.turnLimit, 200, 1, 1000000)],
    halma: () => [number("size", text.create.size, 18, 6, 64), number("turn_limit", text.create.turnLimit, 200, 1, 1000000)],
    racers: () => [number("rows", text.create.rows, 12, 10, 64), number("cols", text.create.cols, 12, 10, 64), choice("failures", text.create.failures, text.create.failureWords, "calm")],
    snarl: () => [choice("mode", text.create.mode, text.create.modes, "coop"), number("heroes", text.create.heroes, 2, 1, 4), choice("level_end", text.create.levelEnd, text.create.levelEnds, "all")],
};

/* Only what differs from the server's defaults is sent, so that they stay the server's. */
const READERS = {
    tactics: (form) => ({ placement: form.get("placement") === "on", ...numbers(form, { rows: 9, cols: 9, turn_limit: 200 }) }),
    halma: (form) => numbers(form, { size: 18, turn_limit: 200 }),
    racers: (form) => ({ failure_permille: FAILURES[form.get("failures")], ...numbers(form, { rows: 12, cols: 12 }) }),
    snarl: (form) => ({ mode: form.get("mode"), level_end: form.get("level_end"), heroes: HERO_NAMES.slice(0, Number(form.get("heroes"))) }),
};

function numbers(form, defaults) {
    return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, Number(form.get(name) || value)]).filter(([name, value]) => value !== defaults[name]));
}

function readFrame(ruleset, form) {
    const seat = form.get("seat") === "second" ? 1 : 0;
    return {
        ruleset,
        params: READERS[ruleset](form),
        clock: CLOCKS[form.get("clock")],
        spectator_delay: Number(form.get("delay") || 0),
        rated: form.get("rated") === "on",
        visibility: form.get("opponent") === "open" ? "open" : "private",
        seat,
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

const jsonField = () => h("details", {}, h("summary", {}, text.create.json), h("label", {}, text.create.jsonHint,
    h("textarea", { name: "json", rows: 6, spellcheck: "false", placeholder: '{"params":{"turn_limit":50}}' })));

/* `bot(level, frame)` and `create(frame)` do it; what they are refused stays in the form. */
export function createDialog(ruleset, { bot, create }) {
    const trouble = h("p", { class: "bad", role: "alert" });
    openDialog(text.create.title(text.rulesets[ruleset].name), (close) => {
        const form = h("form", { class: "form", onsubmit: async (event) => {
            event.preventDefault();
            put(trouble);
            const data = new FormData(form);
            try {
                const frame = { ...readFrame(ruleset, data), ...readJson(data.get("json")) };
                if (data.get("opponent") === "bot") {
                    const seats = frame.seat === 1 ? [{ bot: { level: data.get("level") } }] : [null, { bot: { level: data.get("level") } }];
                    await bot(data.get("level"), { seats, ...frame, rated: false });
                } else {
                    await create(frame);
                }
                close();
            } catch (refusal) {
                trouble.textContent = text.create.invalid(text.errors[refusal.code] ?? refusal.message);
            }
        } },
        choice("opponent", text.create.opponent, text.create.opponents, "bot"),
        choice("level", text.create.level, text.create.levels, "greedy"),
        choice("seat", text.create.seat, text.create.seats, "first"),
        choice("clock", text.create.clock, text.create.clocks, "standard"),
        FIELDS[ruleset](),
        number("delay", text.create.delay, 0, 0, 1000),
        check("rated", text.create.rated, true),
        jsonField(),
        trouble,
        h("div", { class: "row" }, h("button", { class: "primary" }, text.create.create), h("button", { type: "button", onclick: close }, text.cancel)));
        return form;
    });
}
