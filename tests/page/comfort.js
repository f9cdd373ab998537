/*
 * For frequent players: keys, the board from the other side, and where the focus is.
 */
import assert from "node:assert/strict";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair, playDuel } from "./play.js";

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
}
