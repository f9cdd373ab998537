/*
 * Losing the connection, watching, small screens, and accessibility.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, order, pair, playDuel } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

export function watchTests(world) {
    test("the page reconnects after the daemon was killed", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        const third = await Person.arrive(world.browser, world.daemon, {
            name: world.name(),
            at: `${world.daemon.url}#/verify` /* a screen that asks the server for nothing */,
        });
        await third.sees("Verify a match");
        await order(first, [1, 4], [1, 3]);
        await first.sees(/Sent\. Waiting/);
        await second.page.getByLabel("Say something").fill("half a sentence");
        await world.daemon.kill();
        await first.sees(/The connection is lost/);
        await third.page.evaluate(async () => {
            const app = document.querySelector("script[src$='app.js']").src;
            const { get } = await import(new URL("api.js", app).href);
            await get("rulesets/names").catch(() => {});
        });
        await world.daemon.run();
        await first.sees(/Connected again/);
        await second.sees(/Connected again/);
        await third.sees(/Connected again/);
        await third.page.locator(".banner").waitFor({ state: "hidden" });
        await third.leave();
        assert.equal(await second.page.getByLabel("Say something").inputValue(), "half a sentence");
        await order(second, [1, 0], [1, 1]);
        await Promise.all([first.sees("Turn 2"), second.sees("Turn 2")]);
        await done(match);
    });

    test("a screen that was left before it could open does not open late", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        const { page } = person;
        await page.addInitScript(() => {
            const real = globalThis.fetch;
            globalThis.fetch = async (url, ...more) => {
                const answer = await real(url, ...more);
                if (String(url).endsWith("/rulesets/names") && globalThis.release === undefined) {
                    await new Promise((resolve) => (globalThis.release = resolve));
                }
                return answer;
            };
        });
        await page.goto(`${world.daemon.url}?again#/as?token=secret`); /* another address, so that it is loaded */
        await page.waitForFunction(() => globalThis.release !== undefined);
        await page.waitForURL(/#\/as$/); /* the key does not stay in the address */
        await person.goTo("#/");
        await person.sees("What do you want to play?");
        await page.evaluate(async () => {
            globalThis.release();
            for (let i = 0; i < 10; i++) {
                await new Promise((resolve) => setTimeout(resolve, 20)); /* what would open, opens meanwhile */
            }
        });
        assert.ok(await page.getByText("What do you want to play?").isVisible());
        await person.leave();
    });

    test("a spectator watches a match to its end", async () => {
        const match = await pair(world, "tactics", DUEL);
        const third = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await third.page.locator(".list-live").getByRole("link", { name: "Watch" }).first().click();
        await third.sees("You are watching.");
        await playDuel(match);
        await third.sees(/bounce off each other/);
        await third.sees(/ won\./);
        await done(match);
        await third.leave();
    });

    test("own unfinished matches are in the lobby, those waiting for me first", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first, second } = match;
        await order(first, [1, 4], [1, 3]);
        await first.sees(/Sent\. Waiting/);
        await first.goTo("#/");
        await second.goTo("#/");
        await second.page.locator(".list-mine").getByText("your turn").first().waitFor();
        await first.page.locator(".list-mine").getByText("their turn").first().waitFor();
        await second.page.locator(".list-mine").getByRole("link", { name: "Continue" }).first().click();
        await second.sees("Choose one of your units");
        await done(match);
    });

    test("two strangers are paired", async () => {
        const [first, second] = await Promise.all([1, 2].map(() => Person.arrive(world.browser, world.daemon)));
        for (const person of [first, second]) {
            await person.page
                .locator("[data-ruleset=halma]")
                .getByRole("button", { name: /Find an opponent/ })
                .click();
            if (person === first) {
                await person.sees(/Looking for somebody/);
            }
        }
        await Promise.all([first, second].map((person) => person.sees(/Turns elapsed: 0/)));
        await Promise.all([first.leave(), second.leave()]);
    });

    test("an invalid board size is reported, and can be changed", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        await person.page.locator("[data-ruleset=racers]").getByRole("button", { name: /More/ }).click();
        await person.page.locator("select[name=opponent]").selectOption("friend");
        await person.page.getByLabel("Rows").evaluate((input) => {
            input.removeAttribute("min");
            input.value = "3";
        });
        await person.button("Create").click();
        await person.sees(/That does not work: .*3/);
        await person.page.getByLabel("Rows").fill("11");
        await person.page.getByText("Everything else").click();
        const json = person.page.locator("textarea[name=json]");
        await json.fill('{"params":');
        await person.button("Create").click();
        await person.sees(/this is not JSON/);
        const board = {
            walls: [[5, 5]],
            starts: [
                [0, 9],
                [9, 0],
            ],
            items: [],
            teleporters: [],
        };
        await json.fill(JSON.stringify({ params: { rows: 10, cols: 10, failure_permille: 0, board } }));
        await person.button("Create").click();
        await person.sees("Waiting for somebody to join");
        await person.leave();
    });

    test("a phone shows everything without scrolling sideways", async () => {
        const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
        const person = await Person.arrive(world.browser, world.daemon, { ...phone, name: world.name() });
        assert.ok(await isWithinScreen(person.page));
        const { match } = await person.ask({ type: "create", ruleset: "tactics", params: DUEL, clock: null });
        const other = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await other.goTo(`#/join/${match}`);
        await other.button("Accept and play").click();
        await person.goTo(`#/match/${match}`);
        await person.page.getByText("Choose one of your units").waitFor();
        assert.ok(await isWithinScreen(person.page));
        await person.cell(1, 4).tap();
        await person.cell(0, 4).tap();
        await person.button("Ready").tap();
        await person.sees(/Sent\. Waiting/);
        await Promise.all([person.leave(), other.leave()]);
    });

    for (const colorScheme of ["light", "dark"]) {
        test(`axe-core finds nothing serious, ${colorScheme}`, async () => {
            const match = await pair(world, "tactics", DUEL);
            const { first } = match;
            await first.page.emulateMedia({ colorScheme });
            await first.page.getByText("Choose one of your units").waitFor();
            await first.choose([1, 4]);
            assert.deepEqual(await seriousIssues(first.page), []);
            await first.goTo("#/");
            await first.sees("What do you want to play?");
            await first.page.waitForTimeout(300);
            assert.deepEqual(await seriousIssues(first.page), []);
            await first.page.emulateMedia({ colorScheme: null });
            await done(match);
        });
    }
}
