/*
 * A new user who only has the address plays against a bot at the first attempt.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { test } from "./harness.js";

async function playBot(world, ruleset) {
    const person = await Person.arrive(world.browser, world.daemon);
    await person.page
        .locator(`[data-ruleset=${ruleset}]`)
        .getByRole("button", { name: /Play against a bot/ })
        .click();
    await person.page.locator(".seat-card.active").first().waitFor();
    return person;
}

/* The middle of the marked square that is furthest up and right, where the finish is. */
const bestMark = (page) =>
    page.evaluate(() => {
        const middles = [...document.querySelectorAll('[data-mark="move"]')]
            .map((mark) => mark.getBoundingClientRect())
            .map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
        return middles.sort((a, b) => b[0] - b[1] - (a[0] - a[1]))[0];
    });

export function botTests(world) {
    test("a new user plays racers against a bot to the end, and watches the replay", async () => {
        const person = await playBot(world, "racers");
        const result = person.page.locator(".result");
        const mark = person.page.locator('[data-mark="move"]').first();
        for (let i = 0; i < 200 && (await result.count()) === 0; i++) {
            await result.or(mark).first().waitFor();
            const place = await bestMark(person.page);
            if (place !== undefined) {
                const turn = await person.page.locator(".headline").textContent();
                await person.page.mouse.click(...place);
                await person.page.waitForFunction(
                    (before) =>
                        document.querySelector(".headline").textContent !== before ||
                        document.querySelector(".result") !== null,
                    turn,
                );
            }
        }
        assert.match(await result.textContent(), /You (won|lost)/);
        await person.page.getByRole("link", { name: "Watch the replay" }).click();
        await person.page.getByText(/^Before turn 1 \(last: \d+\)$/).waitFor();
        await person.button("To the end").click();
        await person.page.locator(".events").waitFor();
        await person.leave();
    });

    test("a new user plays tactics against a bot, which answers", async () => {
        const person = await playBot(world, "tactics");
        for (let turn = 0; turn < 2; turn++) {
            await person.sees(`Turn ${turn + 1}`);
            await person.page.locator(".units .unit").first().waitFor();
            await person.page.getByText("Choose one of your units").waitFor();
            await person.page.locator(".units .unit", { hasText: "Lancer" }).click();
            await person.page.mouse.click(...(await bestMark(person.page)));
            await person.page.locator(".arrow, .card").first().waitFor();
            const both = person.button("Move there");
            if ((await both.count()) > 0) {
                await both.click();
            }
            await person.button("Ready").click();
        }
        await person.sees("Turn 3");
        await person.sees(/Lancer a5 moves to/);
        await person.leave();
    });
}
