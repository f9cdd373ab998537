/*
 * Whole matches by clicking, in two browsers.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL, NAMED_DUEL, SHORT_HALMA, SHORT_LEVEL, SHORT_RACE } from "./matches.js";
import { refereeOf } from "./screen.js";

/* The same two users play most matches, because opening browsers takes time. */
async function regulars(world) {
    world.regulars ??= await Promise.all(
        [1, 2].map(() => Person.arrive(world.browser, world.daemon, { name: world.name() })),
    );
    return world.regulars;
}

/* Starts a match with these params; the first user has seat 0. */
export async function pair(world, ruleset, params, more = {}) {
    const [first, second] = await regulars(world);
    const { match, code } = await first.ask({ type: "create", ruleset, params, clock: null, rated: false, ...more });
    await first.goTo(`#/match/${match}`);
    await first.sees("Waiting for somebody to join");
    await second.goTo(code === undefined ? `#/join/${match}` : `#/join/${match}?code=${code}`);
    await second.button("Accept and play").click();
    await Promise.all([first, second].map((person) => person.page.locator(".seat-card.active").first().waitFor()));
    return { first, second, match, code };
}

/* Gives the only unit of a duel its order and says ready. */
export async function order(person, from, to, words = "Move there") {
    await person.page.getByText("Choose one of your units").waitFor();
    await person.choose(from, to);
    await person.button(words).click();
    await person.button("Ready").click();
}

/* In the duel the first wins in three turns; the second of them is a bounce. */
export async function playDuel({ first, second }) {
    await order(first, [1, 4], [1, 3]);
    await order(second, [1, 0], [1, 1]);
    await Promise.all([first.sees("Turn 2"), second.sees("Turn 2")]);
    await order(first, [1, 3], [1, 2]);
    await order(second, [1, 1], [1, 2]);
    await Promise.all([first, second].map((person) => person.sees(/bounce off each other at 1,2/)));
    await Promise.all([first.sees("Turn 3"), second.sees("Turn 3")]);
    await order(first, [1, 3], [1, 2], "Attack there");
    await order(second, [1, 1], [1, 2]);
    await Promise.all([first.sees("You won!"), second.sees("You lost.")]);
}

/* Cleans up, so that the next test's lists do not show this match. */
export async function done({ first, second, match }) {
    await first.ask({ type: "resign", match, command_id: freshId() }).catch(() => {});
    await Promise.all([first, second].map((person) => person.goTo("#/")));
    [first, second].forEach((person) => person.check());
}

export function playTests(world) {
    test("two browsers play a whole match of tactics, and both see the bounce", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await playDuel(match);
        await Promise.all([first.sees(/no unit is left/), second.sees(/Pike b1 is hit by Pike a1: 10 damage/)]);
        assert.equal(await first.unit("b1").count(), 0);
        await first.button("Play again").click();
        await second.sees(/wants to play again/);
        await second.button("Play again").click();
        await Promise.all([first.sees("Turn 1"), second.sees("Turn 1")]);
        await done(match);
    });

    test("orders are shown, explained if refused, and can be changed before the turn closes", async () => {
        const units = [
            { id: "a1", model: "pike", seat: 0, at: [0, 4] },
            { id: "a2", model: "pike", seat: 0, at: [2, 4] },
            { id: "b1", model: "pike", seat: 1, at: [1, 0] },
        ];
        const match = await pair(world, "tactics", { ...DUEL, units });
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();

        const isBelow = async (person, low, high) =>
            (await person.cell(...low).boundingBox()).y > (await person.cell(...high).boundingBox()).y;
        assert.ok(await isBelow(first, [1, 4], [1, 0]), "the own side is at the bottom");
        assert.ok(await isBelow(second, [1, 0], [1, 4]), "for both");

        await first.choose([0, 4]);
        await first.cell(0, 3).hover();
        assert.equal(await first.page.locator(".mark-area").count(), 2, "the area under the pointer");
        await first.choose([1, 4], [2, 4], [1, 4]);
        await first.page.locator(".refusal").first().waitFor();
        assert.match(await first.page.locator(".refusal").first().textContent(), /want the same cell/);
        await first.button("Ready").click();
        await first.sees(/2 orders cannot be done/);

        await first.page.reload();
        await first.page.locator(".arrow.refused").first().waitFor();
        assert.equal(await first.page.locator(".arrow.refused").count(), 2, "a reloaded tab has its orders again");
        await first.page.getByText("Choose one of your units").waitFor();
        await first.page.locator(".board").focus();
        for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "Enter", "ArrowUp", "Enter"]) {
            await first.page.keyboard.press(key);
        }
        await first.button("Move there").click();
        await first.button("Ready").click();
        await first.sees(/Sent\. Waiting/);
        await done(match);
    });

    test("chat is shown as plain text; draws can be offered, resigning asks first", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
        await first.page.getByLabel("Say something").fill(evil);
        await first.button("Send").click();
        await second.sees(evil);
        assert.equal(await second.page.locator(".chat-lines img, .chat-lines script").count(), 0);
        await first.button("Offer a draw").click();
        await second.button("Decline").click();
        await first.sees(/was declined/);
        await first.button("Resign").click();
        await first.button("No, play on").click();
        await first.button("Resign").click();
        await first.button("Yes, I resign").click();
        await Promise.all([first.sees("You lost."), second.sees("You won!")]);
        await done(match);
    });

    test("messages about a match do not stay when it is left", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await first.button("Offer a draw").click();
        await second.button("Decline").click();
        await first.page.locator(".toast", { hasText: "was declined" }).waitFor();
        await first.goTo("#/statistics");
        await first.page.locator(".match").waitFor({ state: "detached" });
        assert.equal(await first.page.locator(".toast").count(), 0);
        await done(match);
    });

    test("any names of models and patterns and any depth of nesting can be played", async () => {
        const match = await pair(world, "tactics", NAMED_DUEL);
        const { first, second } = match;
        for (const person of [first, second]) {
            assert.equal(await person.page.locator("[data-unit]").count(), 4);
        }
        await first.choose([1, 4], [1, 3]);
        await first.button("Attack there").click();
        assert.equal(await first.page.locator(".plan-area").count(), 15);
        await first.button("Ready").click();
        await order(second, [1, 0], [1, 1]);
        await Promise.all([first, second].map((person) => person.sees(/hit by __proto__ a1/i)));
        await Promise.all(
            [first, second].map((person) => person.page.locator("[data-unit]").first().waitFor({ state: "detached" })),
        );
        await done(match);
    });

    test("a name that looks like markup is shown as it is", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        const name = "<b>x</b>&lt;" + world.name().slice(-6);
        await person.page.getByLabel("Your name").fill(name);
        await person.page
            .locator("[data-ruleset=tactics]")
            .getByRole("button", { name: /Invite/ })
            .click();
        await person.sees("Waiting for somebody to join");
        assert.equal(await person.page.locator(".seat-card .name").last().textContent(), name);
        assert.equal(await person.page.locator(".seat-card b").count(), 0);
        await person.leave();
    });

    test("two browsers play a whole match of halma", async () => {
        const match = await pair(world, "halma", SHORT_HALMA);
        const { first, second } = match;
        const move = async (person, ...cells) => {
            await person.page.getByText("Choose one of your pieces").waitFor();
            await person.choose(...cells);
            await person.button("Ready").click();
        };
        await move(first, [0, 5], [0, 4]);
        await move(second, [5, 4], [4, 4]);
        await Promise.all([first.sees("Turns elapsed: 1 of 200"), second.sees("Turns elapsed: 1 of 200")]);
        await move(first, [0, 4], [0, 3]);
        await move(second, [5, 5], [5, 4]);
        await first.sees("Turns elapsed: 2 of 200");
        await move(first, [0, 3], [0, 2]);
        await move(second, [4, 4], [4, 3]);
        await Promise.all([first.sees("You won!"), second.sees(/halmate/)]);
        await done(match);
    });

    test("two browsers play a whole race, with a disc in it", async () => {
        const match = await pair(world, "racers", SHORT_RACE);
        const { first, second } = match;
        const step = async (person, x, y) => {
            await person.page.locator(`[data-mark="move"]`).first().waitFor();
            await person.choose([x, y]);
            await person.page.locator(`[data-unit^="racer"]`).first().waitFor();
        };
        await step(first, 1, 8);
        await first.button("Pick up: identity disc").click();
        await first.page.locator('[data-item="disc"]').click();
        await first.button("Cancel").click();
        await first.sees("1 action left");
        await step(first, 2, 7);
        for (const [x, y] of [
            [8, 0],
            [7, 0],
            [6, 0],
        ]) {
            await step(second, x, y);
        }
        for (const [x, y] of [
            [3, 6],
            [4, 5],
            [5, 4],
        ]) {
            await step(first, x, y);
        }
        for (const [x, y] of [
            [5, 0],
            [4, 0],
            [3, 0],
        ]) {
            await step(second, x, y);
        }
        for (const [x, y] of [
            [6, 3],
            [7, 2],
            [8, 1],
        ]) {
            await step(first, x, y);
        }
        for (const [x, y] of [
            [2, 0],
            [1, 0],
            [0, 0],
        ]) {
            await step(second, x, y);
        }
        await step(first, 9, 0);
        await Promise.all([first.sees("You won!"), second.sees("You lost.")]);
        await done(match);
    });

    test("a hero finds the key and the exit, in fog", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const { match } = await person.ask({ type: "create", ruleset: "snarl", params: SHORT_LEVEL, clock: null });
        await person.goTo(`#/match/${match}`);
        await person.sees(/The exit is locked/);
        const known = await person.page.locator(".tile").count();
        await person.choose([3, 1]);
        await person.sees(/The exit is open/);
        assert.ok((await person.page.locator(".tile").count()) > known);
        assert.ok((await person.page.locator(".tile.fog").count()) > 0);
        await person.choose([5, 1]);
        await person.sees("You won!");
        await person.leave();
    });

    test("a referee that refuses the view of a ruleset is not asked again", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await person.context.addInitScript(() => {
            const { instantiate } = WebAssembly;
            WebAssembly.instantiate = async (...how) => {
                const { exports } = await instantiate(...how);
                window.asked = 0;
                return { exports: { ...exports, sk_hints: (...what) => (window.asked++, exports.sk_hints(...what)) } };
            };
        });
        const { match } = await person.ask({ type: "create", ruleset: "snarl", params: SHORT_LEVEL, clock: null });
        await person.page.goto(`${world.daemon.url}?match=${match}`);
        assert.ok(await refereeOf(person.page));
        const turns = [
            [1, 2],
            [1, 3],
            [2, 3],
            [3, 3],
        ];
        for (const [turn, cell] of turns.entries()) {
            await person.choose(cell);
            await person.sees(`Turn ${turn + 2}`);
        }
        await person.choose([3, 1]);
        await person.sees(/The exit is open/);
        assert.equal(await person.page.evaluate(() => window.asked), 1, "the server has the hints");
        await person.leave();
    });
}
