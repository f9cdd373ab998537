/*
 * What the board shows: what any unit can do, the threats, and the last turn.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL, SHORT_HALMA } from "./matches.js";
import { done, order, pair } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const cells = async (person, selector) =>
    (await person.page.locator(selector).evaluateAll((all) => all.map((one) => one.dataset.at))).sort();

export function insightTests(world) {
    test("what a unit can do is shown, own or enemy, also to spectators", async () => {
        const match = await pair(world, "tactics", DUEL);
        const third = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await third.goTo(`#/match/${match.match}`);
        await match.first.page.getByText("Choose one of your units").waitFor();
        for (const person of [match.first, third]) {
            await person.unit("b1").waitFor();
            await person.cell(1, 0).hover();
            const tip = person.page.locator(".tip");
            await tip.getByText("Pike b1").waitFor();
            await tip.getByText("health 10, power 10").waitFor();
            await tip.getByText("Sweeps the row in front.").waitFor();
            assert.deepEqual(await cells(person, ".reach-move"), ["0,0", "1,1", "2,0"]);
            assert.deepEqual(await cells(person, ".reach-hit"), ["0,1", "1,1", "2,1"], "the whole area of its attacks");
            await person.cell(1, 2).hover();
            assert.deepEqual(await cells(person, ".reach-move"), []);
        }
        await match.first.choose([1, 4]);
        await match.first.cell(1, 0).hover();
        assert.deepEqual(await cells(match.first, ".reach-move"), [], "while an order is given, its cells are shown");
        await third.leave();
        await done(match);
    });

    test("what is told of a cell does not make a page too wide whose window gets narrow", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await first.unit("b1").waitFor();
        await first.cell(1, 0).dispatchEvent("click"); /* as by touch: no pointer leaves the cell */
        await first.page.locator(".tip").getByText("Pike b1").waitFor();
        await first.page.setViewportSize({ width: 320, height: 640 });
        assert.ok(await isWithinScreen(first.page));
        await done(match);
    });

    test("on a phone a tap shows it", async () => {
        const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
        const person = await Person.arrive(world.browser, world.daemon, { ...phone, name: world.name() });
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            clock: null,
            seats: [null, { bot: { level: "random" } }],
        });
        await person.goTo(`#/match/${match}`);
        await person.page.getByText("Choose one of your units").waitFor();
        await person.cell(1, 0).tap();
        await person.page.locator(".tip").getByText("Pike b1").waitFor();
        assert.deepEqual(await cells(person, ".reach-hit"), ["0,1", "1,1", "2,1"]);
        assert.ok(await isWithinScreen(person.page));
        await person.cell(1, 2).tap();
        await person.page.locator(".tip").waitFor({ state: "hidden" });
        await person.leave();
    });

    test("all enemy threats are shown on request, turn after turn", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        const button = first.page.getByRole("button", { name: "Enemy threats" });
        assert.equal(await button.getAttribute("aria-pressed"), "false");
        await button.click();
        assert.equal(await button.getAttribute("aria-pressed"), "true");
        assert.deepEqual(await cells(first, ".threat"), ["0,1", "1,1", "2,1"]);
        assert.deepEqual(await seriousIssues(first.page), []);
        await order(first, [1, 4], [1, 3]);
        await order(second, [1, 0], [1, 1]);
        await first.sees("Turn 2");
        assert.deepEqual(await cells(first, ".threat"), ["0,2", "1,2", "2,2"]);
        await button.click();
        assert.deepEqual(await cells(first, ".threat"), []);
        await done(match);
    });

    test("what happened in the last turn stays on the board until the next order", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await order(first, [1, 4], [1, 3]);
        await order(second, [1, 0], [1, 1]);
        await first.sees("Turn 2");
        assert.equal(await first.page.locator(".layer-traces .arrow").count(), 2);
        await order(first, [1, 3], [1, 2]);
        assert.equal(await first.page.locator(".layer-traces > *").count(), 0, "a new order replaces them");
        await order(second, [1, 1], [1, 2]);
        await first.sees("Turn 3");
        await first.page.locator(".layer-traces .bounce-mark").waitFor();
        await first.sees("Pike a1 and Pike b1 bounce off each other at 1,2");
        assert.equal(await first.unit("a1").locator(".unit-id").textContent(), "a1", "named as on the board");
        await done(match);
        await first.goTo(`#/replay/${match.match}?turn=1`);
        await first.page.locator(".layer-traces .bounce-mark").waitFor();
        await first.goTo("#/");

        const halma = await pair(world, "halma", SHORT_HALMA);
        for (const [person, ...path] of [
            [halma.first, [0, 5], [0, 4]],
            [halma.second, [5, 4], [4, 4]],
        ]) {
            await person.page.getByText("Choose one of your pieces").waitFor();
            await person.cell(...path[0]).hover();
            assert.ok(
                (await cells(person, ".reach-move")).includes(path[1].join()),
                "where a piece of halma can land is shown",
            );
            await person.choose(...path);
            await person.button("Ready").click();
        }
        await first.sees("Turns elapsed: 1 of 200");
        assert.equal(await first.page.locator(".layer-traces .arrow").count(), 2);
        await done(halma);
    });
}
