/*
 * Statistics over all matches, as charts.
 */
import { get } from "./api.js";
import { h, put, svg } from "./dom.js";
import { tellError, text } from "./language.js";
import { faces } from "./rulesets.js";

const sum = (rows, value) => rows.reduce((total, row) => total + value(row), 0);

function grouped(rows, key) {
    const groups = new Map();
    for (const row of rows) {
        groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
    }
    return groups;
}

/* ---- charts: each also has its content as text ---- */

/* Without a chart, `why` says why there is none. */
const figure = (title, hint, chart, table, why) =>
    h(
        "section",
        { class: "panel" },
        h("h2", {}, title),
        hint && chart ? h("p", { class: "dim" }, hint) : null,
        chart ?? h("p", { class: "dim" }, why),
        chart ? h("details", {}, h("summary", {}, text.statistics.numbers), table) : null,
    );

const table = (rows) =>
    h(
        "table",
        {},
        h(
            "tbody",
            {},
            rows.map(([label, value]) =>
                h("tr", {}, h("th", { scope: "row" }, label), h("td", { class: "number" }, String(value))),
            ),
        ),
    );

/* On a phone, charts have less room, and texts stay readable. */
const isNarrow = () => innerWidth < 500;
const width = () => (isNarrow() ? 330 : 400);
const NUMBERS = 205; /* the room beside the longest bar */

/* Bars from left to right, with their labels before them; long labels are above them. */
function bars(rows, most = Math.max(...rows.map((row) => row.value), 1), hasLong = false) {
    const isLong = hasLong || isNarrow();
    const height = isLong ? 36 : 22;
    const length = ({ value }) => Math.max(1, (value / most) * (width() - NUMBERS));
    const [left, top] = isLong ? [0, 18] : [152, 4];
    return svg(
        "svg",
        {
            class: "chart",
            viewBox: `0 0 ${width()} ${rows.length * height}`,
            role: "img",
            "aria-label": rows.map((row) => text.statistics.value(row.label, row.shown ?? row.value)).join(", "),
        },
        rows.map((row, i) =>
            svg(
                "g",
                { transform: `translate(0 ${i * height})` },
                svg("text", isLong ? { x: 0, y: 13 } : { x: 146, y: 15, "text-anchor": "end" }, row.label),
                svg("rect", {
                    x: left,
                    y: top,
                    width: length(row),
                    height: 14,
                    rx: 3,
                    class: `bar ${row.className ?? ""}`,
                }),
                svg("text", { x: left + 4 + length(row), y: top + 11 }, String(row.shown ?? row.value)),
            ),
        ),
    );
}

/* A column per day. */
function columns(days) {
    const most = Math.max(...days.map((day) => day.value), 1);
    const all = width();
    const each = all / Math.max(days.length, 7);
    return svg(
        "svg",
        {
            class: "chart",
            viewBox: `0 0 ${all} 150`,
            role: "img",
            "aria-label": days.map((day) => text.statistics.value(day.label, day.value)).join(", "),
        },
        svg("path", { class: "axis", d: `M0 125H${all}` }),
        days.map((day, i) =>
            svg(
                "g",
                {},
                svg(
                    "rect",
                    {
                        class: "bar",
                        x: i * each + 1,
                        y: 125 - (day.value / most) * 105,
                        width: Math.max(1, each - 2),
                        height: (day.value / most) * 105,
                        rx: 2,
                    },
                    svg("title", {}, text.statistics.value(day.label, day.value)),
                ),
                i === 0 || i === days.length - 1
                    ? svg("text", { x: i === 0 ? 0 : all, y: 142, "text-anchor": i === 0 ? "start" : "end" }, day.label)
                    : null,
            ),
        ),
        svg("text", { x: 0, y: 14 }, String(most)),
    );
}

/* The default boards; larger ones show the contested part. */
const SIDES = { tactics: 9, halma: 18 };

/* A board whose cells are darker the more often they were contested. */
function heatMap(cells, ruleset) {
    const least = SIDES[ruleset] ?? 1;
    const cols = Math.max(least, ...cells.map((cell) => cell.x + 1));
    const rows = Math.max(least, ...cells.map((cell) => cell.y + 1));
    const most = Math.max(...cells.map((cell) => cell.bounces));
    const ground = Array.from({ length: cols * rows }, (_, i) =>
        svg("rect", { class: "ground", x: (i % cols) * 20, y: Math.floor(i / cols) * 20, width: 19, height: 19 }),
    );
    return svg(
        "svg",
        {
            class: "chart heat-map",
            viewBox: `0 0 ${cols * 20} ${rows * 20}`,
            role: "img",
            "aria-label": cells
                .slice(0, 5)
                .map((cell) => text.statistics.value(`${cell.x},${cell.y}`, cell.bounces))
                .join("; "),
        },
        ground,
        cells.map((cell) =>
            svg(
                "rect",
                {
                    class: "heat",
                    x: cell.x * 20,
                    y: cell.y * 20,
                    width: 19,
                    height: 19,
                    opacity: 0.15 + 0.85 * (cell.bounces / most),
                },
                svg("title", {}, text.statistics.value(`${cell.x},${cell.y}`, cell.bounces)),
            ),
        ),
    );
}

/* ---- the screen ---- */

const OPENINGS = 6; /* of each seat */

/* An order of an opening in the words of the log; whose board it was is not known. */
function tellOrder({ ruleset, kind, unit, x, y, dir, item }) {
    const cell = x === null ? undefined : [x, y];
    const path = cell && [cell];
    const scene = { view: { units: [], heroes: [] }, params: { units: [] }, players: [] };
    const command = { kind, unit: unit ?? "", target: cell, to: cell, path, dir, item };
    return faces[ruleset].tellCommand(command, scene).trim();
}

export class StatisticsScreen {
    constructor() {
        this.ruleset = "tactics";
        this.charts = h("div", { class: "charts" }, h("p", { class: "dim" }, text.loading));
        const choose = h(
            "select",
            { "aria-label": text.statistics.ruleset, onchange: (event) => this.choose(event.target.value) },
            Object.entries(text.rulesets).map(([value, { name }]) => h("option", { value }, name)),
        );
        this.element = h(
            "div",
            {},
            h("div", { class: "row" }, h("h1", {}, text.statistics.title), choose),
            this.charts,
        );
    }

    async open() {
        try {
            this.data = await get("statistics");
            this.show();
        } catch (error) {
            put(this.charts, h("p", { class: "bad" }, tellError(error)));
        }
    }

    close() {}

    choose(ruleset) {
        this.ruleset = ruleset;
        this.show();
    }

    rows(name) {
        return (this.data?.[name] ?? []).filter((row) => row.ruleset === this.ruleset);
    }

    show() {
        put(this.charts, this.days(), this.seats(), this.models(), this.openings(), this.refusals(), this.cells());
    }

    days() {
        const days = [...grouped(this.rows("days"), "day")].map(([label, rows]) => ({
            label,
            value: sum(rows, (row) => row.matches),
        }));
        return figure(
            text.statistics.perDay,
            null,
            days.length > 0 ? columns(days) : null,
            table(days.map((day) => [day.label, day.value])),
            text.statistics.why.days,
        );
    }

    seats() {
        const rows = this.rows("seats");
        const games = Math.max(...rows.map((row) => row.games), 1);
        const shown = rows.map((row) => ({
            label: text.match.seat(row.seat),
            value: row.wins,
            shown: text.statistics.share(row.wins, games),
            className: `seat-${row.seat}`,
        }));
        const draws = rows[0]?.draws ?? 0;
        const all =
            rows.length > 0
                ? [
                      ...shown,
                      {
                          label: text.statistics.draws,
                          value: draws,
                          shown: text.statistics.share(draws, games),
                          className: "none",
                      },
                  ]
                : [];
        return figure(
            text.statistics.winRates,
            text.statistics.games(games),
            all.length > 0 ? bars(all, games) : null,
            table(all.map((row) => [row.label, row.value])),
            text.statistics.why.seats,
        );
    }

    /* How often sides with a model win, compared with the sides that had none of it. */
    models() {
        const sides = this.rows("seats");
        const [games, wins] = [sum(sides, (row) => row.games), sum(sides, (row) => row.wins)];
        const rows = this.rows("models")
            .map((row) => {
                const without = games > row.games ? (wins - row.wins) / (games - row.games) : null;
                return {
                    label: this.ruleset === "tactics" ? text.tactics.model(row.model) : row.model,
                    value: row.wins / row.games,
                    gain: without === null ? 0 : row.wins / row.games - without,
                    shown: text.statistics.compared(
                        text.statistics.share(row.wins, row.games),
                        without === null ? null : text.statistics.share(without, 1),
                    ),
                };
            })
            .sort((a, b) => b.gain - a.gain || b.value - a.value);
        return rows.length === 0 && this.ruleset !== "tactics"
            ? null
            : figure(
                  text.statistics.models,
                  text.statistics.modelsHint,
                  rows.length > 0 ? bars(rows, 1) : null,
                  table(rows.map((row) => [row.label, row.shown])),
                  text.statistics.why.models,
              );
    }

    /* The most frequent orders of each seat's first turn, and how often those who gave them won. */
    openings() {
        const rows = [...grouped(this.rows("openings"), "seat")]
            .sort(([a], [b]) => a - b)
            .flatMap(([seat, group]) =>
                group.slice(0, OPENINGS).map((row) => ({
                    label: text.statistics.value(text.match.seat(seat), tellOrder(row)),
                    value: row.won / row.played,
                    shown: text.statistics.opening(text.statistics.share(row.won, row.played), row.played),
                    className: `seat-${seat}`,
                })),
            );
        return figure(
            text.statistics.openings,
            text.statistics.openingsHint,
            rows.length > 0 ? bars(rows, 1, true) : null,
            table(rows.map((row) => [row.label, row.shown])),
            text.statistics.why.seats,
        );
    }

    refusals() {
        const rows = [...grouped(this.rows("refusals"), "verdict")]
            .map(([verdict, group]) => ({
                label: text.verdicts[verdict] ?? verdict,
                value: sum(group, (row) => row.submitted + row.resolved),
                checks: group.map((row) => row.check ?? verdict),
            }))
            .sort((a, b) => b.value - a.value)
            .slice(0, 12);
        return figure(
            text.statistics.refusals,
            null,
            rows.length > 0 ? bars(rows, undefined, true) : null,
            table(rows.map((row) => [`${row.label} (${[...new Set(row.checks)].join(", ")})`, row.value])),
            text.statistics.why.refusals,
        );
    }

    cells() {
        const cells = this.rows("cells").filter((cell) => cell.x !== null && cell.y !== null);
        return figure(
            text.statistics.heat,
            text.statistics.heatHint,
            cells.length > 0 ? heatMap(cells, this.ruleset) : null,
            table(cells.slice(0, 20).map((cell) => [`${cell.x},${cell.y}`, cell.bounces])),
            text.statistics.why.cells,
        );
    }
}
