/*
 * For frequent players: keys, the board from the other side, and where the focus is.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair, playDuel } from "./play.js";
import { isWithinScreen } from "./screen.js";

const playBot = (person, ruleset) =>
    person.page
        .locator(`[data-ruleset=${ruleset}]`)
        .getByRole("button", { name: /Play against a bot/ })
        .click();

const LANDSCAPE = { viewport: { width: 740, height: 360 }, isMobile: true, hasTouch: true };

/* All of these parts are on the screen of a phone in landscape, the others beside the first, which is the board. */
async function isBeside(page, label, parts) {
    const box = async (part) => {
        const { x, y, width, height } = await page.locator(part).first().boundingBox();
        return { left: x, right: x + width, top: y, bottom: y + height, height };
    };
    const board = await box(parts[0]);
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.ok(board.height > 240, `${label}: ${board.height}`);
    for (const part of parts) {
        const { left, right, top, bottom } = await box(part);
        const words = `${label}: ${part} at ${left},${top} to ${right},${bottom}`;
        assert.ok(top >= 0 && bottom <= 360 && left >= 0 && right <= 740, words);
        assert.ok(part === parts[0] || left >= board.right, words);
    }
    assert.ok(await isWithinScreen(page));
}

export function comfortTests(world) {
    test("R is ready, the board can be turned, and the clock names the bank", async () => {
        const match = await pair(world, "tactics", DUEL, { clock: { turn_ms: 600000, bank_ms: 300000 } });
        const { first } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await first.page.locator(".bank", { hasText: "bank 5:00" }).first().waitFor();
        const isBelow = async () => (await first.cell(1, 4).boundingBox()).y > (await first.cell(1, 0).boundingBox()).y;
        assert.ok(await isBelow());
        await first.choose([1, 4], [0, 4]);
        await first.button("Rotate the board").click();
        assert.equal(await isBelow(), false);
        assert.equal(await first.page.locator(".layer-plans .arrow").count(), 1, "orders turn with it");
        await first.button("Rotate the board").click();
        assert.ok(await isBelow());
        await first.page.getByLabel("Say something").press("r");
        assert.equal(await first.page.getByLabel("Say something").inputValue(), "r", "who types, types");
        await first.page.getByLabel("Say something").fill("");
        await first.page.locator("h1").click();
        await first.page.keyboard.press("r");
        await first.sees(/Sent\. Waiting/);
        await done(match);
    });

    test("a replay goes by keys and wheel, and after a link the focus is on the new screen", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await playDuel(match);
        assert.match(await first.button("Play again").getAttribute("class"), /primary/);
        await first.page.getByRole("link", { name: "Watch the replay" }).click();
        await first.sees("Before turn 1 (last: 3)");
        assert.equal(await first.page.evaluate(() => document.activeElement.id), "content");
        const at = (words) => first.page.locator(".counter", { hasText: words }).waitFor();
        await first.page.keyboard.press("ArrowRight");
        await at("Turn 1 (last: 3)");
        await first.page.keyboard.press("End");
        await at("Turn 3 (last: 3)");
        await first.page.keyboard.press("ArrowLeft");
        await at("Turn 2 (last: 3)");
        await first.page.keyboard.press("Home");
        await at("Before turn 1");
        await first.page.keyboard.press(" ");
        await at("Turn 3 (last: 3)");
        await first.page.locator(".strip").hover();
        await first.page.mouse.wheel(0, -100);
        await at("Turn 2 (last: 3)");
        await done(match);
    });

    test("cells of a large board can be enlarged on a phone, and the board scrolls, not the page", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {
            name: world.name(),
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        await playBot(person, "halma");
        const width = async () => (await person.cell(0, 0).boundingBox()).width;
        await person.cell(0, 0).waitFor();
        assert.ok((await width()) < 24);
        await person.button("Larger cells").click();
        assert.ok((await width()) > 40);
        assert.ok(await isWithinScreen(person.page));
        const frame = person.page.locator(".board-frame");
        assert.ok(await frame.evaluate((element) => element.scrollWidth > 2 * element.clientWidth));
        await person.page.locator(".board").focus();
        for (let i = 0; i < 9; i++) {
            await person.page.keyboard.press("ArrowRight");
        }
        assert.ok(await frame.evaluate((element) => element.scrollLeft > 0), "it follows the cursor");
        await person.button("Larger cells").click();
        assert.ok((await width()) < 24);
        await person.leave();
    });

    test("a phone in landscape shows the whole board, the clocks and the orders without scrolling", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { ...LANDSCAPE, name: world.name() });
        const { page } = person;
        for (const ruleset of ["tactics", "halma", "racers", "snarl"]) {
            await playBot(person, ruleset);
            await page.locator("[data-mark], .units li, .orders .hint").first().waitFor();
            const ready = ruleset === "tactics" ? [".actions button"] : [];
            await isBeside(page, ruleset, [".match .board", ".seats", ".match-side", ...ready]);
            await person.goTo("#/");
        }
        await person.leave();
    });

    test("a phone in landscape shows the whole board of a replay and its controls without scrolling", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { ...LANDSCAPE, name: world.name() });
        for (const ruleset of ["tactics", "halma", "racers"]) {
            const bot = { bot: { level: "random" } };
            const { match } = await person.ask({ type: "create", ruleset, clock: null, seats: [null, bot] });
            await person.ask({ type: "resign", match, command_id: freshId() });
            await person.goTo(`#/replay/${match}`);
            await person.page.locator(".scrub .counter").getByText(/\d/).waitFor();
            await isBeside(person.page, ruleset, [".match .board", ".seats", ".scrub"]);
            await person.goTo("#/");
        }
        await person.leave();
    });

    test("an order is told with unit and target, and the tab says whose turn it is", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        const icon = () => first.page.locator("link[rel=icon]").getAttribute("href");
        assert.match(await first.page.title(), /^● Tactics/);
        assert.match(await icon(), /icon-alert\.svg$/);
        await first.page.locator(".board").focus();
        await first.choose([1, 4], [0, 4]);
        await first.page.locator(".voice", { hasText: "Pike a1 moves to 0,4" }).waitFor({ state: "attached" });
        await first.choose([1, 4]);
        await first.button("Clear all").click();
        await first.page.locator(".voice", { hasText: "removed: Pike a1 moves to 0,4" }).waitFor({ state: "attached" });
        await first.page.locator("h1").click();
        await first.page.keyboard.press("r");
        await first.sees(/Sent\. Waiting/);
        assert.match(await first.page.title(), /^Tactics/);
        assert.match(await icon(), /icon\.svg$/);
        await done(match);
    });
}
