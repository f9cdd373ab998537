/*
 * Small screens and long names: nothing is wider than the screen, the most important is visible, and nothing
 * moves while it loads.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const more = async (person, ruleset) =>
    person.page.locator(`[data-ruleset=${ruleset}]`).getByRole("button", { name: /More/ }).click();

export function phoneTests(world) {
    test("names of 24 wide letters fit every screen of a phone", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { ...PHONE, name: "W".repeat(24) });
        const other = await Person.arrive(world.browser, world.daemon, { ...PHONE, name: "M".repeat(24) });
        const within = async (what) => assert.ok(await isWithinScreen(person.page), what);
        await person.sees("What do you want to play?");
        await within("the lobby");
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            clock: { turn_ms: 60000, bank_ms: 300000 },
        });
        await person.goTo(`#/match/${match}`);
        await other.goTo(`#/join/${match}`);
        await other.sees("invites you");
        assert.ok(await isWithinScreen(other.page), "a received invitation");
        await other.button("Accept and play").click();
        await person.page.getByText("Choose one of your units").waitFor();
        await other.page.getByLabel("Say something").fill("hello");
        await other.button("Send").click();
        await person.sees("hello");
        await other.button("Offer a draw").click();
        await person.sees(/offers a draw/);
        await within("a match");
        await person.goTo("#/");
        await person.page.locator(".list-mine li").waitFor();
        await person.page.locator(".list-live li").first().waitFor();
        await within("the lobby with a match");
        await other.ask({ type: "resign", match, command_id: freshId() });
        await person.goTo(`#/match/${match}`);
        await person.button("Play again").click();
        await person.sees("Waiting for somebody to join");
        await within("an invitation");
        await other.sees(/wants to play again/);
        assert.ok(await isWithinScreen(other.page), "a match that is over");
        await person.goTo(`#/replay/${match}`);
        await person.sees("Before turn 1 (last: 1)");
        await person.button("One turn forward").click();
        await person.page.locator(".happened").getByText("resigns").waitFor();
        await within("a replay");
        await person.button("What if …").click();
        await person.page.locator(".what-if").waitFor();
        await within("what if");
        await person.goTo("#/");
        await person.page.locator(".list-recent li").first().waitFor();
        await person.page.locator(".list-board td").first().waitFor();
        await within("the lobby with a leaderboard");
        await person.goTo("#/statistics");
        await person.page.getByRole("heading", { name: "Matches per day" }).waitFor();
        await within("statistics");
        await Promise.all([person.leave(), other.leave()]);
    });

    test("the form of a new match has only fields that apply, and its button is visible", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { viewport: { width: 1280, height: 800 } });
        const { page } = person;
        for (const ruleset of ["tactics", "halma", "racers", "snarl"]) {
            await more(person, ruleset);
            for (const [opponent, level, rated] of [
                ["bot", true, false],
                ["friend", false, false],
                ["open", false, true],
                ["service", false, false],
            ]) {
                await page.locator("select[name=opponent]").selectOption(opponent);
                assert.equal(
                    await page.getByLabel("Strength of the bot").isVisible(),
                    level,
                    `${ruleset}, ${opponent}`,
                );
                assert.equal(await page.locator("input[name=rated]").isVisible(), rated, `${ruleset}, ${opponent}`);
                const box = await person.button("Create").boundingBox();
                assert.ok(box.y + box.height <= 800, `${ruleset}, ${opponent}: ${box.y}`);
            }
            await person.button("Cancel").click();
        }
        await person.leave();
    });

    test("pointing at a cell shows what is on it", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            clock: null,
            seats: [null, { bot: { level: "random" } }],
        });
        await person.goTo(`#/match/${match}`);
        await person.page.getByText("Choose one of your units").waitFor();
        const tip = person.page.locator(".tip");
        await person.cell(1, 0).hover();
        await tip.getByText("Pike b1").waitFor();
        const above = await tip.evaluate((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return (
                document.elementsFromPoint(x + width / 2, y + height / 2).includes(element) ||
                getComputedStyle(element).pointerEvents === "none"
            );
        });
        assert.ok(above);
        assert.ok(await isWithinScreen(person.page));
        await person.cell(0, 2).hover();
        await tip.waitFor({ state: "hidden" });
        await person.page.locator(".board").focus();
        await person.page.keyboard.press("ArrowUp");
        await person.page.keyboard.press("ArrowUp");
        await tip.getByText("Pike b1").waitFor(); /* as keys do */
        await person.leave();
    });

    for (const [screen, options] of [
        ["a phone", PHONE],
        ["a desktop", {}],
    ]) {
        test(`nothing moves while a match opens on a slow connection, on ${screen}`, async () => {
            const person = await Person.arrive(world.browser, world.daemon, { ...options, name: world.name() });
            const { match } = await person.ask({
                type: "create",
                ruleset: "tactics",
                params: { placement: false },
                seats: [null, { bot: { level: "random" } }],
            });
            await person.page.routeWebSocket(/ws$/, (page) => {
                const server = page.connectToServer();
                server.onMessage((message) => setTimeout(() => page.send(message), 700));
            });
            await person.goTo(`#/match/${match}`);
            await person.page.reload();
            await person.page.getByText("Choose one of your units").waitFor();
            await person.page.waitForTimeout(300);
            const shifts = await person.page.evaluate(
                () =>
                    new Promise((resolve) => {
                        new PerformanceObserver((list) =>
                            resolve(
                                list.getEntries().map(({ value, sources }) => ({
                                    value,
                                    moved: sources.map(({ node }) => node?.className ?? String(node)),
                                })),
                            ),
                        ).observe({ type: "layout-shift", buffered: true });
                        setTimeout(() => resolve([]), 500);
                    }),
            );
            const sum = shifts.reduce((all, { value }) => all + value, 0);
            assert.ok(sum < 0.05, `${sum}: ${JSON.stringify(shifts)}`);
            await person.ask({ type: "resign", match, command_id: freshId() });
            await person.leave();
        });
    }

    test("newer screens have no barrier, narrow and light or wide and dark", async () => {
        const host = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const { match } = await host.ask({ type: "create", ruleset: "tactics", clock: null });
        const screens = [
            ["#/rules/snarl", "How to play Snarl"],
            ["#/statistics", "How matches are opened"],
            ["#/player/1", "player"],
            [`#/join/${match}`, "invites you"],
        ];
        for (const [width, height, colorScheme] of [
            [320, 640, "light"],
            [3840, 2160, "dark"],
        ]) {
            const guest = await Person.arrive(world.browser, world.daemon, {
                viewport: { width, height },
                colorScheme,
            });
            for (const [address, heading] of screens) {
                await guest.goTo(address);
                await guest.page.getByRole("heading", { name: heading }).first().waitFor();
                assert.deepEqual(await seriousIssues(guest.page), [], `${address} at ${width}`);
                assert.ok(await isWithinScreen(guest.page), `${address} at ${width}`);
            }
            await guest.leave();
        }
        await host.leave();
    });
}
