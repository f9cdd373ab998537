/*
 * Texts: why an answer did not count, which pieces are damaged, heroes' names, items on a square, what the
 * page changes in the rules, and which field is wrong.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";
import { SHORT_LEVEL, SHORT_RACE } from "./matches.js";
import { done, pair } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";
import { Service } from "./service.js";

const FAILURES = {
    html: "The answer was not one JSON value (expected a value, at byte 0).",
    two: "The answer was not exactly one move.",
    part: "The answer was JSON, but not of the form that was asked for (/to: this member is missing).",
    status: "The status of the answer was not 200 (it was 500).",
    never: "No whole answer came in time.",
};

const more = async (person, ruleset) =>
    person.page.locator(`[data-ruleset=${ruleset}]`).getByRole("button", { name: /More/ }).click();

/* Two services play, set up in the lobby's form and watched by their creator. */
async function setUp(person, service, way) {
    const { page } = person;
    await more(person, "halma");
    await page.locator("select[name=opponent]").selectOption("services");
    assert.equal(await page.locator("select[name=seat]").isVisible(), false, "the spectator has no seat");
    for (const [seat, name, url] of [
        ["Seat 1", "Alpha", service.url("holds")],
        ["Seat 2", `Beta ${way}`, service.url(way)],
    ]) {
        const group = page.getByRole("group", { name: seat });
        await group.getByLabel(/^Name/).fill(name);
        await group.getByLabel("Address").fill(url);
    }
    await page.getByLabel(/^Cycle/).fill("5000"); /* enough for a service on a busy machine */
    await page.getByLabel("Turns until it is a draw").fill("1");
    assert.deepEqual(await seriousIssues(page), []);
    await person.button("Create").click();
    await person.sees("You are watching.");
}

export function wordsTests(world) {
    test("two services play each other from the page, and every bad answer is shown with its message", async () => {
        const service = await Service.start();
        const daemon = await Daemon.start(...service.options);
        const person = await Person.arrive(world.browser, daemon, { name: world.name() });
        try {
            for (const [way, sentence] of Object.entries(FAILURES)) {
                await setUp(person, service, way);
                assert.deepEqual(await person.page.locator(".seat-card .name").allTextContents(), [
                    "Alpha",
                    `Beta ${way}`,
                ]);
                const line = person.page.locator(".log li li");
                await line
                    .filter({ hasText: `Beta ${way}: ${sentence}` })
                    .first()
                    .waitFor();
                await line
                    .filter({ hasText: `Nothing moves: Beta ${way} (no valid answer)` })
                    .first()
                    .waitFor();
                assert.equal(await person.page.getByText("no order arrived in time").count(), 0);
                await person.page
                    .locator(".messages")
                    .getByText("Damaged pieces")
                    .waitFor(); /* spectators see it, too */
                await person.page.getByRole("link", { name: "Watch the replay" }).click();
                await person.sees("Before turn 1 (last: 1)");
                await person.button("To the end").click();
                await person.page.locator(".events").getByText(sentence).waitFor();
                await person.goTo("#/");
                await person.page.locator(".list-recent").getByText(`Beta ${way}`).first().waitFor();
            }
            await person.leave();
        } finally {
            await daemon.stop();
            service.stop();
        }
    });

    test("damaged pieces are listed, and halmate counts as its message does", async () => {
        const collision = { size: 6, pieces: [[[0, 3]], [[2, 3]]], destinations: [[[5, 5]], [[5, 0]]] };
        const match = await pair(world, "halma", collision);
        const move = async (person, ...cells) => {
            await person.page.getByText("Choose one of your pieces").waitFor();
            await person.choose(...cells);
            await person.button("Ready").click();
        };
        await move(match.first, [0, 3], [1, 3]);
        await move(match.second, [2, 3], [1, 3]);
        await match.first.sees("a1: 5 turns");
        await match.first.sees("b1: 5 turns");
        await match.first.page.setViewportSize({ width: 320, height: 640 });
        assert.ok(await isWithinScreen(match.first.page));
        await done(match);

        const shared = {
            size: 6,
            pieces: [
                [
                    [0, 1],
                    [5, 5],
                ],
                [[1, 1]],
            ],
            destinations: [
                [
                    [0, 0],
                    [1, 0],
                ],
                [[5, 0]],
            ],
        };
        const second = await pair(world, "halma", shared);
        await second.first.sees("0 of 2");
        await move(second.first, [0, 1], [0, 0]);
        await move(second.second, [1, 1], [1, 0]);
        await second.first.page
            .locator(".log")
            .getByText(/^Halmate! All 2 destinations of .* are filled, 1 by own pieces\.$/)
            .waitFor();
        await second.first.sees("2 of 2, 1 by own pieces");
        await second.first.sees("You won!");
        await done(second);
    });

    test("a hero has its player's name, and a locked exit is shown", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const { match } = await person.ask({ type: "create", ruleset: "snarl", params: SHORT_LEVEL, clock: null });
        const name = await person.page.evaluate(() => JSON.parse(localStorage.getItem("skirmish.name")));
        await person.goTo(`#/match/${match}`);
        for (const cell of [
            [2, 2],
            [4, 2],
            [5, 1],
        ]) {
            await person.page.locator('[data-mark="move"]').first().waitFor();
            await person.choose(cell);
            await person.page.locator(".log").getByText(`${name} goes to ${cell}`).waitFor();
        }
        await person.page.locator(".log").getByText(`${name} is on the exit, but it is locked`).waitFor();
        await person.page.locator(".messages").getByText(name).waitFor();
        assert.equal(await person.page.getByText(/\bada\b/).count(), 0);
        await person.leave();
    });

    test("all items of a square are shown, and named under the pointer", async () => {
        const items = ["disc", "grenade", "charged_disc"].map((kind) => ({ kind, at: [3, 6] }));
        const match = await pair(world, "racers", { ...SHORT_RACE, board: { ...SHORT_RACE.board, items } });
        const { page } = match.first;
        const boxes = await page
            .locator(".items .item")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
        assert.equal(boxes.length, 3);
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        boxes.forEach((box, i) =>
            boxes.slice(i + 1).forEach((other) => assert.ok(apart(box, other), "none hides another")),
        );
        await match.first.cell(3, 6).hover();
        await page
            .locator(".tip")
            .getByText(/identity disc, light grenade, charged disc/)
            .waitFor();
        await done(match);
    });

    test("quick play shows what it changes in the rules, and the form what the original rules are", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        await person.page
            .locator("[data-ruleset=racers]")
            .getByText(/0\.5% of the squares.*The rules' 5%/)
            .waitFor();
        await more(person, "snarl");
        await person.sees(/In the original game a level ends when the first hero leaves it/);
        await person.button("Cancel").click();
        await person.page
            .locator("[data-ruleset=racers]")
            .getByRole("button", { name: /Play against a bot/ })
            .click();
        await person.sees("Power fails on 0.5% of the squares in each turn; by the rules on 5%.");
        await person.leave();
    });

    test("a refusal names its field", async () => {
        const person = await Person.arrive(world.browser, world.daemon);
        for (const [ruleset, label, value] of [
            ["racers", "Columns", "3"],
            ["halma", "Size of the board", "7"],
            ["tactics", "Rows", "4"],
            ["tactics", "Columns", "4"],
        ]) {
            await more(person, ruleset);
            await person.page.locator("select[name=opponent]").selectOption("friend");
            await person.page.getByLabel(label).evaluate((input, text) => {
                input.removeAttribute("min");
                input.value = text;
            }, value);
            await person.button("Create").click();
            await person.page.getByRole("alert").getByText(`${label}: `).waitFor();
            assert.equal(
                await person.page.getByLabel(label).getAttribute("aria-invalid"),
                "true",
                `${ruleset}: ${label}`,
            );
            await person.button("Cancel").click();
        }
        await more(person, "tactics");
        await person.page.locator("select[name=opponent]").selectOption("service");
        await person.page.locator("[name=url0]").fill("https://example.org/");
        await person.button("Create").click();
        await person.page
            .getByRole("alert")
            .getByText(/Address: this server calls no web services/)
            .waitFor();
        await person.leave();
    });
}
