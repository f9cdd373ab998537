/*
 * Comfort beside the game: reduced motion, light and dark, notifications, chat that can be hidden, and
 * claims.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, order, pair } from "./play.js";

/* Records how far every animation moves its element from now on. */
function noteMoves() {
    const animate = Element.prototype.animate;
    globalThis.moves = [];
    Element.prototype.animate = function (frames, options) {
        const places = new Set(frames.map(({ transform }) => transform).filter((transform) => transform !== undefined));
        globalThis.moves.push(places.size);
        return animate.call(this, frames, options);
    };
}

const movesOf = (person) => person.page.evaluate(() => globalThis.moves);

async function playTurn({ first, second }) {
    await order(first, [1, 4], [1, 3]);
    await order(second, [1, 0], [1, 1]);
    await Promise.all([first.sees("Turn 2"), second.sees("Turn 2")]);
}

export function mannersTests(world) {
    test("with reduced motion nothing moves, for the other player it does", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await first.page.emulateMedia({ reducedMotion: "reduce" });
        await Promise.all([first, second].map((person) => person.page.evaluate(noteMoves)));
        await playTurn(match);
        await Promise.all([first, second].map((person) => person.page.getByText("Choose one of your units").waitFor()));
        const [still, moving] = await Promise.all([movesOf(first), movesOf(second)]);
        assert.ok(still.length > 0 && still.every((places) => places <= 1), `${still}`);
        assert.ok(
            moving.some((places) => places > 1),
            `${moving}`,
        );
        await first.page.emulateMedia({ reducedMotion: null });
        await done(match);
    });

    test("a player who is not looking is notified, and can switch that off", async () => {
        const match = await pair(world, "tactics", DUEL, { clock: { turn_ms: 600000, bank_ms: 0 } });
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await first.context.grantPermissions(["notifications"]);
        const listen = () => {
            globalThis.told = [];
            globalThis.Notification = class {
                static permission = "granted";
                static requestPermission = async () => "granted";
                constructor(title, { body }) {
                    globalThis.told.push(body);
                }
            };
            OscillatorNode.prototype.start = () => globalThis.told.push("sound");
            OscillatorNode.prototype.stop = () => {};
            document.hasFocus = () => globalThis.isLooking;
            globalThis.isLooking = true;
        };
        await first.page.evaluate(listen);
        const told = () => first.page.evaluate(() => globalThis.told.splice(0));
        const look = (isLooking) =>
            first.page.evaluate((is) => {
                globalThis.isLooking = is;
            }, isLooking);
        const offer = async () => {
            await second.button("Offer a draw").click();
            await first.sees("offers a draw");
            await first.button("Decline").click();
            await second.sees("The draw offer was declined.");
            return told();
        };
        const notifications = first.button("Notifications");
        await notifications.click();
        assert.equal(await notifications.getAttribute("aria-pressed"), "true");
        assert.deepEqual(await offer(), [], "no notification while the page is visible");
        await look(false);
        const name = await second.page.locator(".nameplate").textContent();
        assert.deepEqual(await offer(), ["sound", "sound", `A draw is offered: Tactics, ${name}`]);
        await first.button("Sound").click();
        assert.deepEqual(await offer(), [`A draw is offered: Tactics, ${name}`]);
        await playTurn(match);
        assert.deepEqual(await told(), [`It is your turn: Tactics, ${name}`]);
        await done(match);
        const short = await pair(world, "tactics", DUEL, { clock: { turn_ms: 14000, bank_ms: 0 } });
        await first.page.locator(".time.low").first().waitFor();
        /* on a busy machine the next turn may have begun by now */
        assert.deepEqual((await told()).slice(0, 2).sort(), [
            `Your match begins: Tactics, ${name}`,
            `Your time is short: Tactics, ${name}`,
        ]);
        await first.button("Notifications").click();
        await first.button("Sound").click();
        await first.page.reload();
        await done(short);
    });

    test("light and dark follow the system until the player chooses", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { colorScheme: "dark" });
        const light = () =>
            person.page.evaluate(() => {
                const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
                return red + green + blue > 3 * 128 ? "light" : "dark";
            });
        const choose = async (colours) => {
            await person.button("Settings").click();
            await person.page.getByLabel("Colours").selectOption(colours);
            await person.button("Close").click();
        };
        await person.button("Settings").waitFor();
        assert.equal(await light(), "dark");
        await choose("light");
        assert.equal(await light(), "light");
        await person.page.reload();
        await person.button("Settings").waitFor();
        assert.equal(await light(), "light", "it is kept");
        await choose("dark");
        assert.equal(await light(), "dark");
        await choose("as the device");
        await person.page.emulateMedia({ colorScheme: "light" });
        assert.equal(await light(), "light");
        await person.leave();
    });

    test("hidden chat is muted, and comes back when it is shown", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        const say = async (words) => {
            await first.page.getByLabel("Say something").fill(words);
            await first.button("Send").click();
            await first.sees(words);
        };
        const lines = second.page.locator(".chat-lines");
        await say("heard at first");
        await second.sees("heard at first");
        await second.button("Hide chat").click();
        assert.equal(await lines.isVisible(), false);
        await say("said to nobody");
        await second.button("Show chat").click();
        await say("heard again");
        await second.sees("heard again");
        assert.equal(await lines.isVisible(), true);
        assert.deepEqual(await lines.locator("li").count(), 2, await lines.textContent());
        await done(match);
    });

    test("a spectator of a match with a delay sees its turns late", async () => {
        const match = await pair(world, "tactics", DUEL, { spectator_delay: 1 });
        const third = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await third.goTo(`#/match/${match.match}`);
        await third.sees("Spectators see this match 1 turn later.");
        await playTurn(match);
        await third.sees("Turn 1");
        assert.equal(await third.page.getByText("Turn 2").count(), 0);
        await order(match.first, [1, 3], [1, 2]);
        await order(match.second, [1, 1], [1, 2]);
        await third.sees("Turn 2");
        await match.first.sees("Turn 3");
        assert.equal(await third.page.getByText("Turn 3").count(), 0);
        await done(match);
        await third.sees(/ won\./); /* the end shows everything */
        await third.leave();
    });

    test("a player whose opponent is away can claim the match, also from a page that was opened later", async () => {
        const daemon = await Daemon.start("--claim-after", "1s");
        try {
            const lone = { ...world, daemon, regulars: undefined };
            const { first, second } = await pair(lone, "tactics", DUEL);
            await second.leave();
            await first.sees("Claim the win");
            await first.page.reload();
            await first.button("Claim the win").click();
            await first.sees("You won!");
            await first.leave();
        } finally {
            await daemon.stop();
        }
    });
}
