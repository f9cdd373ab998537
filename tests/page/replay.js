/*
 * Replays of matches that were played in the browser: scrubber, jumps, words, link, file, what if.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL, SHORT_RACE } from "./matches.js";
import { done, order, pair, playDuel } from "./play.js";
import { seriousIssues } from "./screen.js";

async function position(person) {
    return Number(await person.page.getByRole("slider", { name: "Turn" }).inputValue());
}

export function replayTests(world) {
    test("the replay finds the turn that decided the match", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await playDuel(match);
        assert.equal(await first.page.locator(".toast.bad").count(), 0, "nothing to complain about");
        await first.page.getByRole("link", { name: "Watch the replay" }).click();
        await first.sees("Before turn 1 (last: 3)");

        await first.button("Next clash or loss").click();
        await first.button("The biggest swing").click();
        await first.sees("Turn 3 (last: 3)"); /* though the turn before was still being shown */
        await first.button("To the start").click();
        await first.button("Next clash or loss").click();
        await first.sees("Turn 2 (last: 3)");
        await first.sees(/bounce off each other at 1,2/);
        await first.sees(/bounced: the other side wanted the same cell/);
        await first.button("The biggest swing").click();
        await first.sees("Turn 3 (last: 3)");
        await first.sees("Pike b1 dies");
        assert.match(first.page.url(), /\/\?replay=\d+&turn=2$/);

        await first.page.getByRole("slider", { name: "Turn" }).fill("1");
        await first.sees("Turn 1 (last: 3)");
        assert.equal(await first.unit("b1").count(), 1);
        await first.button("One turn back").click();
        await first.sees("Before turn 1 (last: 3)");
        await first.button("Play").click();
        await first.sees("Turn 3 (last: 3)");
        assert.equal(await first.unit("b1").count(), 0);

        await first.button("What if …").click();
        await first.sees("What if: Turn 3");
        await first.page.getByLabel("Orders of").selectOption({ index: 0 });
        await first.button("Clear all orders").click();
        await first.page.getByLabel("Orders of").selectOption({ index: 1 });
        await first.choose([1, 1], [1, 2]);
        await first.button("Attack there").click();
        await first.button("See what happens").click();
        await first.page.locator(".what-if .events").getByText("Pike b1 attacks 1,2").waitFor();
        assert.equal(await first.unit("b1").count(), 1, "nobody swept the row this time");
        await first.button("Back to what happened").click();
        await first.sees("Turn 3 (last: 3)");
        assert.equal(await first.unit("b1").count(), 0);

        await first.page.getByLabel("Seen by").selectOption({ index: 2 });
        await first.page.waitForURL(/turn=2&seat=1$/);
        assert.ok(
            (await first.cell(1, 0).boundingBox()).y > (await first.cell(1, 4).boundingBox()).y,
            "as seat 1 sees it",
        );

        const [download] = await Promise.all([first.page.waitForEvent("download"), first.button("Download").click()]);
        const lines = readFileSync(await download.path(), "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        assert.equal(lines[0].skirmish_match, 1, "a match file");
        assert.equal(lines.filter(({ kind }) => kind === "turn").length, 3);
        assert.equal(lines.at(-1).end, String(match.match));

        const other = await Person.arrive(world.browser, world.daemon, {
            at: `${world.daemon.url}#/replay/${match.match}?turn=1`,
        });
        await other.sees("Turn 2 (last: 3)");
        await other.leave();
        await done(match);
    });

    test("what if keeps the other side's real orders, also in the view of one seat", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await playDuel(match);
        await first.goTo(`#/replay/${match.match}?turn=1&seat=0`); /* the bounce */
        await first.sees("Turn 2 (last: 3)");
        await first.button("What if …").click();
        await first.sees("What if: Turn 2");
        assert.equal(await first.page.locator(".counter").textContent(), "What if: Turn 2", "not the turn before");
        assert.match(first.page.url(), /turn=1&seat=0$/);
        assert.equal(
            await first.page.locator(".happened").isVisible(),
            false,
            "orders of earlier turns cannot be changed",
        );
        assert.equal(await first.page.locator(".what-if .verdict-list").count(), 2, "both have orders");
        await first.button("See what happens").click();
        await first.page
            .locator(".what-if .events")
            .getByText(/bounce off each other at 1,2/)
            .waitFor();
        assert.equal(await first.page.locator(".what-if .verdict-list .ok").count(), 0);
        await first.button("Back to what happened").click();
        await first.sees("Turn 2 (last: 3)");
        await done(match);
    });

    test("what if is visible without scrolling", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {
            name: world.name(),
            viewport: { width: 1280, height: 800 },
        });
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: { placement: false },
            clock: null,
            seats: [null, { bot: { level: "random" } }],
        });
        await person.ask({ type: "resign", match, command_id: freshId() });
        const fits = async (name, height) => {
            const box = await person.button(name).boundingBox();
            assert.ok(box.y >= 0 && box.y + box.height <= height, `${name}: ${box.y} of ${height}`);
        };
        for (const [width, height] of [
            [1280, 800],
            [360, 740],
        ]) {
            await person.page.setViewportSize({ width, height });
            await person.goTo(`#/replay/${match}?turn=0`);
            await person.sees("Turn 1 (last: 1)");
            await fits("What if …", height);
            await person.button("What if …").click();
            await fits("See what happens", height);
            await person.button("See what happens").click();
            await person.page.locator(".what-if .events").waitFor();
            await person.goTo("#/");
        }
        await person.leave();
    });

    test("the link to a turn of a private match works for anyone who has it", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {
            name: world.name(),
            permissions: ["clipboard-read", "clipboard-write"],
        });
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            clock: null,
            visibility: "private",
            seats: [null, { bot: { level: "random" } }],
        });
        await person.goTo(`#/match/${match}`);
        await order(person, [1, 4], [1, 3]);
        await person.sees("Turn 2");
        await person.ask({ type: "resign", match, command_id: freshId() });
        await person.goTo(`#/replay/${match}?turn=0`);
        await person.sees("Turn 1 (last: 2)");
        await person.button("Copy a link to this turn").click();
        await person.sees("The link is copied.");
        const link = await person.page.evaluate(() => navigator.clipboard.readText());
        assert.match(link, new RegExp(`/\\?replay=${match}&turn=0&code=`), "the server sees what it is about");
        const other = await Person.arrive(world.browser, world.daemon, { at: `${link}&fbclid=x` });
        await other.sees("Turn 1 (last: 2)");
        assert.match(other.page.url(), new RegExp(`/\\?replay=${match}&turn=0`));
        await other.button("One turn forward").click();
        await other.sees("Turn 2 (last: 2)");
        assert.match(other.page.url(), /code=/, "it can be sent on");
        await other.page.getByLabel("Seen by").selectOption({ index: 1 });
        await other.page.waitForURL(/seat=0/);
        await other.button("What if …").click();
        await other.button("See what happens").click();
        await other.page.locator(".what-if .events").waitFor();
        const [download] = await Promise.all([other.page.waitForEvent("download"), other.button("Download").click()]);
        const lines = readFileSync(await download.path(), "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        assert.equal(lines.filter(({ kind }) => kind === "turn").length, 2);
        await other.leave();
        const stranger = await Person.arrive(world.browser, world.daemon, {
            at: `${world.daemon.url}#/replay/${match}?turn=0`,
        });
        await stranger.sees(/There is no such match/);
        stranger.troubles = []; /* the browser notes the 404 */
        await stranger.leave();
        await person.leave();
    });

    test("a replay that is left while it shows a turn does not change the address", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const { match } = await person.ask({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            clock: null,
            seats: [null, { bot: { level: "random" } }],
        });
        await person.goTo(`#/match/${match}`);
        await order(person, [1, 4], [1, 3]);
        await person.sees("Turn 2");
        await person.ask({ type: "resign", match, command_id: freshId() });
        await person.goTo(`#/replay/${match}`);
        await person.sees("Before turn 1 (last: 2)");
        await person.page.getByLabel("Speed").selectOption("0.5");
        await person.page.evaluate(() => {
            document.querySelector("[aria-label='One turn forward']").click();
            document.querySelector("nav a").click();
        });
        await person.sees("What do you want to play?");
        assert.equal(person.page.url(), world.daemon.url);
        await person.leave();
    });

    test("a running match has no replay yet, and can be watched", async () => {
        const match = await pair(world, "tactics", DUEL);
        await match.first.goTo(`#/replay/${match.match}`);
        await match.first.sees("This match is still being played.");
        await match.first.page.getByRole("link", { name: "Watch" }).click();
        await match.first.sees("Choose one of your units");
        await done(match);
    });

    test("a match of racers can be replayed", async () => {
        const match = await pair(world, "racers", SHORT_RACE);
        await match.first.page.locator('[data-mark="move"]').first().waitFor();
        await match.first.choose([1, 8]);
        await match.second.sees(/moves to 1,8/);
        await match.first.button("Resign").click();
        await match.first.button("Yes, I resign").click();
        await match.first.page.getByRole("link", { name: "Watch the replay" }).click();
        await match.first.sees("Before turn 1 (last: 2)");
        await match.first.button("One turn forward").click();
        await match.first.sees("moves north-east");
        assert.equal(await position(match.first), 1);
        await done(match);
    });

    test("statistics are shown as charts, with their numbers", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { at: `${world.daemon.url}#/statistics` });
        await person.page.getByRole("heading", { name: "Matches per day" }).waitFor();
        const charts = person.page.getByRole("img");
        assert.ok((await charts.count()) >= 3);
        const heat = person.page.getByRole("heading", { name: "Where both sides want to go" });
        await heat.waitFor();
        const map = person.page.locator(".panel", { has: heat }).getByRole("img");
        assert.match(await map.getAttribute("aria-label"), /^\d+,\d+: \d/);
        assert.equal(await map.locator("title", { hasText: /^1,2: \d/ }).count(), 1, "the cell of the duel's bounce");
        assert.deepEqual(await seriousIssues(person.page), []);
        await person.page.locator("svg text", { hasText: "bounced: the other side wanted the same cell" }).waitFor();
        await person.page
            .locator("svg text", { hasText: /^\d+%, (without \d+%|no side was without)$/ })
            .first()
            .waitFor();
        const openings = person.page.getByRole("heading", { name: "How matches are opened" });
        const orders = person.page.locator(".panel", { has: openings }).getByRole("img");
        assert.match(await orders.getAttribute("aria-label"), /^Seat 1: a1 moves to \d+,\d+: won \d+% of \d+ match/);
        await person.page.getByLabel("Ruleset").selectOption("racers");
        await person.page.getByRole("heading", { name: "Matches per day" }).waitFor();
        await person.sees("In the finished matches no two units wanted the same cell.");
        await person.leave();
    });
}
