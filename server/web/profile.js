/*
 * One player: the rating in each ruleset and how it came about, and the results against each
 * opponent.  `player` is what /api/v1/players answers.
 */
import { h, svg } from "./dom.js";
import { language, text } from "./language.js";
import { tellRating } from "./seats.js";

const CHART_WIDTH = 300;
const CHART_HEIGHT = 80;

/* The rating after each match as a line, the oldest first. */
function ratingLine(history, name) {
    const ratings = [history[0].rating - history[0].change, ...history.map((row) => row.rating)];
    const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
    const x = (i) => (i * CHART_WIDTH) / (ratings.length - 1);
    const y = (rating) => 6 + ((most - rating) / Math.max(1, most - least)) * (CHART_HEIGHT - 12);
    return svg(
        "svg",
        {
            class: "chart rating-line",
            viewBox: `0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`,
            role: "img",
            "aria-label": text.yours.historyOf(name, ratings[0], ratings.at(-1), least, most),
        },
        svg("path", { class: "axis", d: `M0 ${y(most)}H${CHART_WIDTH}M0 ${y(least)}H${CHART_WIDTH}` }),
        svg("path", {
            class: "line",
            d: ratings.map((rating, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(rating).toFixed(1)}`).join(""),
        }),
    );
}

function historyTable(history) {
    return h(
        "details",
        {},
        h("summary", {}, text.yours.history),
        h(
            "table",
            {},
            h(
                "tbody",
                {},
                history
                    .toReversed()
                    .map(({ match, ended_at, rating, change }) =>
                        h(
                            "tr",
                            {},
                            h(
                                "td",
                                {},
                                h("a", { href: `#/replay/${match}` }, new Date(ended_at).toLocaleDateString(language)),
                            ),
                            h("td", { class: "number" }, String(rating)),
                            h("td", { class: `number ${change < 0 ? "bad" : "good"}` }, text.yours.change(change)),
                        ),
                    ),
            ),
        ),
    );
}

/* A panel for each ruleset with a rating. */
export function ratingPanels({ standings, history }) {
    return standings.map((standing) => {
        const name = text.rulesets[standing.ruleset]?.name ?? standing.ruleset;
        const own = history.filter((row) => row.ruleset === standing.ruleset).toReversed();
        return h(
            "div",
            { class: "panel rating" },
            h("h2", {}, name),
            h("strong", {}, tellRating(standing)),
            standing.provisional ? h("small", { class: "dim" }, ` ${text.yours.provisional}`) : null,
            h("p", { class: "dim" }, text.yours.tally(standing)),
            own.length > 0 ? [ratingLine(own, name), historyTable(own)] : null,
        );
    });
}

export function opponentTable(opponents) {
    const heads = [text.lobby.player, text.lobby.wins, text.lobby.draws, text.lobby.losses];
    return h(
        "table",
        {},
        h(
            "thead",
            {},
            h(
                "tr",
                {},
                heads.map((words, i) => h("th", { scope: "col", class: i === 0 ? "" : "number" }, words)),
            ),
        ),
        h(
            "tbody",
            {},
            opponents.map(({ player, name, won, drawn, lost }) =>
                h(
                    "tr",
                    {},
                    h("td", {}, h("a", { href: `#/player/${player}` }, name)),
                    [won, drawn, lost].map((sum) => h("td", { class: "number" }, String(sum))),
                ),
            ),
        ),
    );
}
