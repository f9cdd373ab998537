/*
 * A ruleset that the page has no file for: created from the form, played by buttons and on the board, watched again.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Person } from "./browser.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";
import { seriousIssues } from "./screen.js";

const BUILD = dirname(dirname(process.env.SKIRMISHD ?? "build/asan/bin/skirmishd"));
const PROGRAM = join(BUILD, "tests", "with_coins", "skirmishd");

/* Whether the person's turn is open or the match is over. */
const settled = (page) => page.locator(".result").or(page.locator(".orders .hints button").first()).first().waitFor();

export function plainTests(world) {
    test("a ruleset without a file of its own is created from the form, played and replayed", async () => {
        assert.ok(existsSync(PROGRAM), `${PROGRAM} is missing: it is built with the tests`);
        const daemon = await Daemon.startProgram(PROGRAM, "--web", join(BUILD, "web"));
        const person = await Person.arrive(world.browser, daemon);
        const { page } = person;
        const card = page.locator("[data-ruleset=coins]");
        assert.match(await card.textContent(), /Coins.*who gets more than half of the coins\?/);
        await card.getByRole("button", { name: /^More/ }).click();
        const form = page.locator("form.form");
        await form.locator("[name=level]").waitFor();
        assert.deepEqual(
            await form.locator("[name=level] option").evaluateAll((all) => all.map(({ value }) => value)),
            ["random", "greedy"],
        );
        await form.getByLabel("Columns and rows of the board.").fill("5");
        await form.getByLabel("After this turn the match is a draw.").fill("12");
        await form.getByRole("button", { name: "Create" }).click();
        await settled(page);
        assert.equal(await page.locator(".layer-cells .cell").count(), 25);
        assert.equal(await page.locator(".layer-pieces .piece[data-thing=players]").count(), 2);
        assert.ok((await page.locator(".layer-things [data-thing=coins]").count()) > 0);
        assert.deepEqual(await seriousIssues(page), []);

        /* By its button, and then by the board. */
        await page.getByRole("button", { name: "move to 1,3" }).click();
        await page.getByText("move to 1,3").first().waitFor();
        await person.button("Ready").click();
        await person.sees("Turn 2");
        await person.sees(/moved from 2,4 to 1,3|moved from 2,4 to 2,4/);
        for (let i = 0; i < 12 && (await page.locator(".result").count()) === 0; i++) {
            await settled(page);
            const headline = await page.locator(".headline").textContent();
            const mark = page.locator('.layer-marks [data-mark="move"]').first();
            if ((await page.locator(".result").count()) > 0) {
                break;
            }
            const box = await mark.boundingBox();
            await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
            await page.locator(".layer-plans *").first().waitFor();
            await person.button("Ready").click();
            await page.waitForFunction(
                (before) =>
                    document.querySelector(".headline").textContent !== before ||
                    document.querySelector(".result") !== null,
                headline,
            );
        }
        assert.match(await page.locator(".result").textContent(), /more than half of the coins|turn limit/);
        await page.getByRole("link", { name: "Watch the replay" }).click();
        await page.getByText(/^Before turn 1 \(last: \d+\)$/).waitFor();
        await person.button("To the end").click();
        await page.getByText(/^Turn (\d+) \(last: \1\)$/).waitFor();
        await page.locator(".events, .dim").first().waitFor(); /* a turn in which both stay has no events */

        /* This page's referee does not know the ruleset: buttons are the orders of the match, the server resolves. */
        await person.button("To the start").click();
        await person.button("What if …").click();
        const buttons = page.locator(".what-if .hints button");
        await page.locator(".what-if").getByRole("button", { name: "move to 1,3" }).waitFor();
        assert.ok((await buttons.count()) > 1);
        await buttons.last().click();
        await page.locator(".what-if .hints button[aria-pressed=true]").waitFor();
        await person.button("See what happens").click();
        await page.locator(".what-if .events").waitFor();
        assert.deepEqual(await seriousIssues(page), []);
        await person.leave();
        await daemon.stop();
    });
}
