/*
 * A running match: nothing is lost during an animation, a reload or a restart, and each player sees the end
 * from their side.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, order, pair, playDuel } from "./play.js";

const ENDLESS = { turn_ms: 600000, bank_ms: 600000 };

/* From now on every animation pauses until it is skipped. */
const holdAnimations = (person) =>
    person.page.evaluate(() => {
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) {
            const animation = animate.apply(this, how);
            queueMicrotask(() => animation.pause());
            return animation;
        };
    });

const card = (person, name) => person.page.locator(".seat-card", { hasText: name });
const nameOf = (person) => person.page.locator(".nameplate").textContent();

/* The next turn is paused on the first player's screen; the second has seen it. */
async function playHeldTurn({ first, second }) {
    await holdAnimations(first);
    await order(first, [1, 4], [1, 3]);
    await order(second, [1, 0], [1, 1]);
    await first.button("Skip").waitFor();
    await second.sees("Turn 2");
}

export function liveTests(world) {
    test("the loser sees the reason from their side, and the winner sees nothing red", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await first.choose([1, 4], [1, 3]);
        await first.button("Move there").click();
        await first.page.locator(".arrow").waitFor();
        await second.button("Resign").click();
        await second.button("Yes, I resign").click();
        const told = (person) => person.page.locator(".result p").first();
        await Promise.all([first.sees("You won!"), second.sees("You lost.")]);
        assert.equal(await told(first).textContent(), "the other side resigned");
        assert.equal(await told(second).textContent(), "you resigned");
        assert.deepEqual(await first.page.locator(".toast.bad").allTextContents(), []);
        await done(match);
        const again = await pair(world, "tactics", DUEL);
        await playDuel(again);
        assert.equal(await told(first).textContent(), "no unit is left on the other side");
        assert.equal(await told(second).textContent(), "no unit is left on your side");
        await done(again);
    });

    test("a spectator of a private match continues after a restart of the server", async () => {
        const match = await pair(world, "tactics", DUEL, { visibility: "private" });
        const third = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await third.goTo(`#/match/${match.match}?code=${match.code}`);
        await third.sees("You are watching.");
        await world.daemon.kill();
        await third.sees(/The connection is lost/);
        await world.daemon.run();
        await Promise.all([third, match.first, match.second].map((person) => person.sees(/Connected again/)));
        await order(match.first, [1, 4], [1, 3]);
        await order(match.second, [1, 0], [1, 1]);
        await third.sees("Turn 2");
        await done(match);
        await third.leave();
    });

    test("frames that arrive during an animation are not lost: ready, and a draw offer", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await playHeldTurn(match);
        await second.button("Offer a draw").click();
        await second.sees("You offer a draw.");
        await order(second, [1, 1], [1, 2]);
        await second.sees(/Sent\. Waiting/);
        const name = await nameOf(second);
        await card(first, name).getByText("ready").waitFor(); /* it does not wait for the animation */
        await first.button("Skip").click();
        await first.sees(`${name} offers a draw.`);
        assert.equal(await card(first, name).locator(".status").textContent(), "ready");
        await first.button("Accept").click();
        await first.sees("both agreed on a draw");
        await first.page.reload();
        await done(match);
    });

    test("the clock of the next turn runs during the animation, which is shortened if time is short", async () => {
        const match = await pair(world, "tactics", DUEL, { clock: ENDLESS });
        const { first } = match;
        await playHeldTurn(match);
        const clock = card(first, await nameOf(first)).locator(".time");
        const before = await clock.textContent();
        assert.match(before, /^\d+:\d\d$/);
        await first.page.waitForFunction(
            ([selector, text]) => document.querySelector(selector).textContent !== text,
            [".seat-card:last-child .time", before],
        );
        await first.button("Skip").waitFor();
        await first.page.reload();
        await done(match);

        const rates = async (turn_ms) => {
            const fast = await pair(world, "tactics", DUEL, { clock: { turn_ms, bank_ms: 600000 } });
            await fast.first.page.getByLabel("Speed").selectOption("1");
            await fast.first.page.evaluate(() => {
                const { set } = Object.getOwnPropertyDescriptor(Animation.prototype, "playbackRate");
                globalThis.rates = [];
                Object.defineProperty(Animation.prototype, "playbackRate", {
                    set(rate) {
                        globalThis.rates.push(rate);
                        set.call(this, rate);
                    },
                });
            });
            await order(fast.first, [1, 4], [1, 3]);
            await order(fast.second, [1, 0], [1, 1]);
            await fast.first.sees("Turn 2");
            const seen = await fast.first.page.evaluate(() => globalThis.rates);
            await fast.first.page.getByLabel("Speed").selectOption("8");
            await fast.first.page.reload();
            await done(fast);
            return Math.min(...seen);
        };
        assert.equal(await rates(600000), 1, "there is time");
        assert.ok((await rates(5000)) > 1, "there is not");
    });

    test("a click on Ready counts if the server answers between press and release", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await first.choose([1, 4], [1, 3]);
        await first.button("Move there").click();
        await first.button("Ready").hover();
        await first.page.mouse.down();
        await first.page.waitForTimeout(1000); /* the order is sent and answered meanwhile */
        await first.page.mouse.up();
        await first.sees(/Sent\. Waiting for the other side/);
        await done(match);
    });

    test("a reload keeps the log, the chat and an order that was just made", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await order(first, [1, 4], [1, 3]);
        await order(second, [1, 0], [1, 1]);
        await first.sees("Turn 2");
        await second.page.getByLabel("Say something").fill("good luck");
        await second.button("Send").click();
        await first.page.locator(".chat-lines").getByText("good luck").waitFor();
        const log = await first.page.locator(".log").innerText();
        await first.page.getByText("Choose one of your units").waitFor();
        await first.choose([1, 3], [0, 3]); /* only a move is possible there */
        await first.page.reload();
        await first.page.locator(".arrow").waitFor();
        await first.page.locator(".log").getByText("Pike a1 moves to 1,3").waitFor();
        assert.equal(await first.page.locator(".log").innerText(), log);
        await first.page.locator(".chat-lines").getByText("good luck").waitFor();

        const { cookies, ...kept } = await first.context.storageState(); /* another tab has no memory of its own */
        assert.deepEqual(cookies, []);
        const other = await Person.arrive(world.browser, world.daemon, {
            storageState: { cookies, ...kept },
            at: `${world.daemon.url}#/match/${match.match}`,
        });
        await other.page.locator(".log").getByText("Pike a1 moves to 1,3").waitFor();
        await other.leave();
        await done(match);
    });

    test("lists show the open turn, also the first", async () => {
        const match = await pair(world, "tactics", DUEL);
        const third = await Person.arrive(world.browser, world.daemon);
        const row = third.page.locator(".list-live li", {
            has: third.page.locator(`[href$="#/match/${match.match}"]`),
        });
        await row.getByText("turn 1").waitFor();
        await order(match.first, [1, 4], [1, 3]);
        await order(match.second, [1, 0], [1, 1]);
        await row.getByText("turn 2").waitFor();
        await done(match);
        await third.leave();
    });
}
