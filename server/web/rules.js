/*
 * How to play: a page for each ruleset of the server, made from what the server publishes about it.
 *
 * Lists, numbers and their order are the server's.  The sentences are those of the reader's
 * language; a ruleset that has none is described in the server's own words.
 */
import { publishedRulesets } from "./api.js";
import { modelDiagrams, rulesDiagrams } from "./diagrams.js";
import { h, openDialog, put, toast } from "./dom.js";
import { guideButton } from "./guide.js";
import { language, tellError, text } from "./language.js";
import { setTitle } from "./notify.js";
import { portrait, thingIcon } from "./pieces.js";
import { rulesetPicture } from "./pictures.js";
import { GUIDED } from "./rulesets.js";

export const rulesetName = (ruleset) => text.rulesets[ruleset]?.name ?? ruleset;

const section = (title, ...content) => h("section", { class: "panel" }, h("h2", {}, title), content);
const list = (tag, rows) =>
    h(
        tag,
        { class: "told" },
        rows.map((row) => h("li", {}, row)),
    );

/* A sentence of the server. */
const said = (words) => h("span", { lang: "en" }, words);

const described = (rows) =>
    h(
        "dl",
        {},
        rows.map(([name, value, words]) => [
            h("dt", {}, name, value === undefined ? "" : `: ${value}`),
            words ? h("dd", {}, said(words)) : null,
        ]),
    );

/* ---- the parts ---- */

function turn({ simultaneous, stages }, own) {
    return section(
        text.rules.turn,
        h("p", {}, simultaneous ? text.rules.atOnce : text.rules.byTurns),
        list(
            "ol",
            stages.map((stage) => own?.stages[stage] ?? stage),
        ),
    );
}

function units(params) {
    return section(
        text.rules.units,
        h("p", { class: "dim" }, text.rules.drawnFor),
        Object.entries(params.models).map(([name, model]) =>
            h(
                "article",
                { class: "model" },
                h(
                    "div",
                    { class: "row" },
                    portrait(0, name),
                    h(
                        "div",
                        {},
                        h("h3", {}, text.tactics.model(name)),
                        h("p", { class: "dim" }, text.tactics.stats(model)),
                    ),
                ),
                h("p", {}, text.tactics.described(model.description)),
                h("div", { class: "diagrams" }, modelDiagrams(params, name)),
            ),
        ),
    );
}

/* What lies or walks on the board, besides the players' units. */
const things = (words) =>
    section(
        text.rules.things,
        h(
            "ul",
            { class: "told things" },
            Object.entries(words).map(([kind, line]) =>
                h("li", { class: "row" }, thingIcon(kind), h("span", {}, line)),
            ),
        ),
    );

const SHARED = ["resign", "timeout", "abandon", "agree_draw"];
const kindOf = ({ properties }) => properties.kind.const;

/* For rulesets without sentences of their own: what the schemas say. */
function plain({ command, event }) {
    const rows = (variants) =>
        variants.oneOf
            .filter((one) => !SHARED.includes(kindOf(one)))
            .map((one) => [kindOf(one), undefined, one.description]);
    return [
        language === "en" ? null : h("p", { class: "dim" }, text.rules.english),
        section(text.rules.commands, described(rows(command))),
        section(text.rules.events, described(rows(event))),
    ];
}

function numbers({ facts }) {
    const rows = Object.entries(facts).map(([name, { value, description }]) => [name, value, description]);
    return rows.length === 0 ? null : section(text.rules.numbers, described(rows));
}

/* Simple values only: rosters, boards and levels are too long to read. */
function options({ params: schema }, params) {
    const rows = Object.entries(schema.properties)
        .filter(([name]) => ["number", "string", "boolean"].includes(typeof params[name]))
        .map(([name, { description }]) => [name, String(params[name]), description]);
    return h("details", { class: "panel" }, h("summary", {}, text.rules.options), described(rows));
}

const refused = ({ verdicts }) =>
    h(
        "details",
        { class: "panel" },
        h("summary", {}, text.rules.refused),
        list(
            "ul",
            verdicts.filter((verdict) => verdict !== "ok").map((verdict) => text.verdicts[verdict] ?? verdict),
        ),
    );

/* Those that every ruleset has come last. */
const SHARED_ENDS = ["draw_turn_limit", "draw_agreed", "draw_resigned", "resignation", "abandoned"];
const byWeight = (reasons) => [...reasons].sort((one, other) => SHARED_ENDS.indexOf(one) - SHARED_ENDS.indexOf(other));

/* What is known about a ruleset; `given` are the params of a match. */
export function rulesContent(published, given = {}) {
    const { ruleset, summary, facts, reasons } = published;
    const params = { ...published.defaults, ...given };
    const own = text.rules[ruleset];
    const diagrams = rulesDiagrams(ruleset, facts);
    return h(
        "div",
        { class: "rules" },
        section(text.rules.goal, h("p", {}, own?.goal ?? said(summary))),
        turn(published, own),
        own === undefined ? plain(published) : section(text.rules.know, list("ul", own.know(facts, params))),
        params.models === undefined ? null : units(params),
        own?.things === undefined ? null : things(own.things),
        diagrams.length === 0 ? null : section(text.rules.pictures, h("div", { class: "diagrams" }, diagrams)),
        section(
            text.rules.ends,
            list(
                "ul",
                byWeight(reasons).map((reason) => text.reasons[reason] ?? reason),
            ),
        ),
        own === undefined ? numbers(published) : null,
        refused(published),
        options(published, params),
    );
}

/* ---- where they are shown ---- */

export class RulesScreen {
    constructor(app, ruleset) {
        Object.assign(this, { app, ruleset });
        this.element = h("div", {}, h("p", { class: "dim" }, text.loading));
    }

    async open() {
        try {
            const all = await publishedRulesets();
            this.isClosed || this.show(all);
        } catch {
            put(this.element, h("p", { class: "panel" }, text.noAnswer));
        }
    }

    close() {
        this.isClosed = true;
    }

    show(all) {
        const published = all.find(({ ruleset }) => ruleset === this.ruleset) ?? all[0];
        const name = rulesetName(published.ruleset);
        setTitle(`${text.rules.title(name)} – ${text.title}`);
        put(
            this.element,
            h("h1", {}, text.rules.title(name)),
            h(
                "nav",
                { class: "row games", "aria-label": text.rules.games },
                all.map(({ ruleset }) =>
                    h(
                        "a",
                        {
                            class: "button small",
                            href: `#/rules/${ruleset}`,
                            "aria-current": ruleset === published.ruleset ? "page" : null,
                        },
                        rulesetName(ruleset),
                    ),
                ),
                h("a", { class: "button small", href: "#/" }, text.back),
            ),
            h("div", { class: "rules-picture" }, rulesetPicture(published.ruleset)),
            GUIDED.includes(published.ruleset)
                ? h(
                      "p",
                      { class: "row" },
                      guideButton(this.app, published.ruleset, name, (refusal) => toast(tellError(refusal), "bad")),
                      h("span", { class: "dim" }, text.guide.hint),
                  )
                : null,
            rulesContent(published),
        );
    }
}

/* The same beside a match, with its own params. */
export async function rulesDialog(ruleset, params) {
    const published = (await publishedRulesets()).find((one) => one.ruleset === ruleset);
    const dialog = openDialog(text.rules.title(rulesetName(ruleset)), (close) => [
        h("div", { class: "row" }, h("button", { autofocus: true, onclick: close }, text.close)) /* it is long */,
        rulesContent(published, params),
    ]);
    dialog.classList.add("wide");
}
