/*
 * Returning players: finished matches, ratings, and the same name on another device.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const nameOf = (person) => person.page.locator(".nameplate").textContent();

export function yoursTests(world) {
    test("finished matches are found again, private ones and those against bots too", async () => {
        const match = await pair(world, "tactics", DUEL, { visibility: "private" });
        const { first, second } = match;
        const name = await nameOf(second);
        const against = await first.ask({
            type: "create",
            ruleset: "racers",
            clock: null,
            visibility: "private",
            seats: [null, { bot: { level: "random" } }],
        });
        await first.ask({ type: "resign", match: against.match, command_id: freshId() });
        await second.ask({ type: "resign", match: match.match, command_id: freshId() });
        await first.sees("You won!");
        await first.page.getByRole("link", { name: "Yours" }).click();
        const row = (id) => first.page.locator(".yours li", { has: first.page.locator(`[href="#/replay/${id}"]`) });
        await row(match.match).getByText("Won: the other side resigned").waitFor();
        await row(match.match).getByText("casual").waitFor();
        await row(against.match).getByText("Lost: you resigned").waitFor();
        const opponent = first.page.locator(".yours tr", { hasText: name });
        assert.ok(Number(await opponent.locator("td").nth(1).textContent()) >= 1);
        assert.deepEqual(await seriousIssues(first.page), []);
        await row(match.match).getByRole("link", { name: "Replay" }).click();
        await first.sees("Before turn 0");
        await done(match);
    });

    test("a rated match shows how the rating changed", async () => {
        const match = await pair(world, "tactics", DUEL, { rated: true });
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await second.page.getByText("Choose one of your units").waitFor();
        await second.button("Resign").click();
        await second.button("Yes, I resign").click();
        const told = async (person, sign) => {
            await person.sees(/Your rating: \d+ → \d+/);
            const words = await person.page.getByText(/Your rating:/).textContent();
            const [, before, after] = words.match(/(\d+) → (\d+)/).map(Number);
            assert.equal(Math.sign(after - before), sign, words);
            assert.ok(words.includes(`(${sign > 0 ? "+" : "−"}${Math.abs(after - before)})`), words);
            return after;
        };
        const [rating] = await Promise.all([told(first, 1), told(second, -1)]);
        await first.goTo("#/yours");
        await first.page.locator(".rating", { hasText: "Tactics" }).getByText(String(rating)).waitFor();
        await done(match);
    });

    test("a link takes the name to another device, and asks before", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const name = await nameOf(person);
        await person.goTo("#/yours");
        await person.button("Play on another device").click();
        const link = await person.page.getByLabel("The link with your key").inputValue();
        const phone = await Person.arrive(world.browser, world.daemon, {
            at: link,
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        await phone.sees("Play under the name of this link?");
        assert.ok(!phone.page.url().includes("token"), "the key does not stay in the address");
        assert.ok(await isWithinScreen(phone.page));
        assert.equal(await nameOf(phone), "");
        await phone.button("Yes, play as this player").click();
        await phone.page.locator(".nameplate", { hasText: name }).waitFor();
        await phone.page.reload();
        await phone.page.locator(".nameplate", { hasText: name }).waitFor();
        await Promise.all([person.leave(), phone.leave()]);
    });
}
