/*
 * Looking for opponents: who waits, with clock and rating, and ranges of ratings.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const arrive = (world, more) => Person.arrive(world.browser, world.daemon, { name: world.name(), ...more });
const nameOf = (person) => person.page.locator(".nameplate").textContent();
const card = (person, ruleset) => person.page.locator(`[data-ruleset=${ruleset}]`);
const find = (person, ruleset) =>
    card(person, ruleset)
        .getByRole("button", { name: /Find an opponent/ })
        .click();

export function seekTests(world) {
    test("who waits in the queue is listed with clock and rating, and is played by one click", async () => {
        const [first, second] = [await arrive(world), await arrive(world)];
        const name = await nameOf(first);
        await find(first, "halma");
        await first.sees(/Looking for somebody who wants to play Halma/);
        const row = (person) => person.page.locator(".list-open .seek", { hasText: name });
        await row(second).getByText("1 min per turn + 5 min in the bank, rated").waitFor();
        await row(first).getByRole("button", { name: "Stop looking" }).waitFor();
        assert.deepEqual(await seriousIssues(second.page), []);
        await second.page.route("**/api/v1/queue", (route) => route.abort("connectionrefused"));
        await second.page
            .locator(".list-open")
            .getByText(/does not answer/)
            .waitFor();
        await second.page.unroute("**/api/v1/queue"); /* the same row comes back */
        await row(second).getByRole("button", { name: "Play" }).click();
        await Promise.all([first, second].map((person) => person.page.locator(".board").waitFor()));
        await first.page.locator(".seat-card", { hasText: await nameOf(second) }).waitFor();
        const match = Number(first.page.url().match(/match=(\d+)/)[1]);
        await first.ask({ type: "resign", match, command_id: freshId() });
        await Promise.all([first.leave(), second.leave()]);
    });

    test("a range of ratings is sent, shown to others, and kept", async () => {
        const person = await arrive(world, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
        const other = await arrive(world);
        await person.page.getByLabel("Rated opponents").selectOption("200");
        assert.ok(await isWithinScreen(person.page));
        await find(person, "tactics");
        await person.sees(/rating 1300 to 1700/);
        const row = other.page.locator(".list-open .seek", { hasText: await nameOf(person) });
        await row.getByText(/rating 1300 to 1700$/).waitFor();
        await person.page.reload();
        assert.equal(await person.page.getByLabel("Rated opponents").inputValue(), "200");
        await row.waitFor({ state: "detached" }); /* the wait ended with the connection */
        await Promise.all([person.leave(), other.leave()]);
    });
}
