/*
 * How to play: every ruleset has a page, made from what the server publishes.
 */
import assert from "node:assert/strict";
import { LANGUAGES } from "../../server/web/language.js";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const published = async (world) => (await (await fetch(`${world.daemon.url}api/v1/rulesets`)).json()).rulesets;

export function rulesPureTests(world) {
    test("how to play is told with the server's stages and numbers, in every language", async () => {
        for (const language of Object.keys(LANGUAGES)) {
            const { text } = await import(`../../server/web/text-${language}.js`);
            for (const { ruleset, stages, facts, defaults } of await published(world)) {
                const own = text.rules[ruleset];
                assert.deepEqual(Object.keys(own.stages).sort(), [...stages].sort(), `${language}, ${ruleset}`);
                for (const sentence of own.know(facts, defaults)) {
                    assert.doesNotMatch(sentence, /undefined|NaN|null|\[object/, `${language}, ${ruleset}`);
                }
            }
        }
    });
}

/* What the server would answer if it had this ruleset, or these numbers. */
async function withRulesets(person, change) {
    await person.page.route("**/api/v1/rulesets", async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        change(body.rulesets);
        await route.fulfill({ response: answer, json: body });
    });
}

export function rulesTests(world) {
    test("the lobby leads to how to play, with every unit drawn", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        const { page } = person;
        const rulesets = await published(world);
        for (const { ruleset, stages, defaults } of rulesets) {
            await person.goTo("#/");
            await page
                .locator(`[data-ruleset=${ruleset}]`)
                .getByRole("link", { name: /How to play/ })
                .click();
            await page.getByRole("heading", { level: 1, name: /^How to play/ }).waitFor();
            assert.equal(await page.locator("ol.told li").count(), stages.length, ruleset);
            const models = Object.keys(defaults.models ?? {}).length;
            assert.equal(await page.locator(".model").count(), models);
            assert.ok((await page.locator(".diagram").count()) >= Math.max(3, 2 * models));
            assert.deepEqual(await seriousIssues(page), [], ruleset);
            for (const width of [320, 3840]) {
                await page.setViewportSize({ width, height: 900 });
                assert.ok(await isWithinScreen(page), `${ruleset}, ${width}`);
            }
        }
        const current = await page.locator(".games a[aria-current=page]").getAttribute("href");
        assert.equal(current, `./#/rules/${rulesets.at(-1).ruleset}`);
        await page.emulateMedia({ colorScheme: "dark" });
        assert.deepEqual(await seriousIssues(page), []);
        await person.leave();
    });

    test("how to play counts as the server does, and explains a ruleset that has no texts", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { locale: "de" });
        const { page } = person;
        await withRulesets(person, (all) => {
            all.find(({ ruleset }) => ruleset === "racers").facts.actions.value = 7;
            all.push({
                ...all.find(({ ruleset }) => ruleset === "halma"),
                ruleset: "draughts",
                summary: "Pieces that capture.",
                stages: ["capture"],
                facts: { kings: { value: 4, description: "Kings at most." } },
            });
        });
        await person.goTo("#/rules/racers");
        await person.sees("Ein Zug hat 7 Aktionen. Mindestens eine davon muss eine Fahrt sein.");
        assert.equal(
            await page.locator(".things li:has(svg .thing > *)").count(),
            4,
            "what lies on the board is drawn",
        );
        await page.getByRole("link", { name: "draughts" }).click();
        await person.sees("Pieces that capture.");
        await person.sees("kings: 4");
        await person.sees("The piece steps, jumps along the path, or holds its square.");
        assert.deepEqual(await page.locator("ol.told li").allTextContents(), ["capture"]);
        assert.deepEqual(await seriousIssues(page), []);
        await person.leave();
    });

    test("a match explains its own units", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await first.button("How to play").click();
        const dialog = first.page.getByRole("dialog", { name: "How to play Tactics" });
        await dialog.getByText("Sweeps the row in front.").waitFor();
        assert.equal(await dialog.locator(".model").count(), 1);
        assert.equal(await dialog.evaluate((element) => element.scrollTop), 0, "it begins at its beginning");
        await dialog.getByText("After 40 turns the match is a draw.").waitFor();
        assert.deepEqual(await seriousIssues(first.page), []);
        await dialog.getByRole("button", { name: "Close" }).click();
        await first.sees(/^Choose one of your units/);
        await done(match);
    });
}
