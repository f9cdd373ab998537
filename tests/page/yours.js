/*
 * Returning players: finished matches, ratings, and the same name on another device.
 */
import assert from "node:assert/strict";
import { qrModules } from "../../server/web/qr.js";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair, playDuel } from "./play.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const nameOf = (person) => person.page.locator(".nameplate").textContent();

const SCALE = 4; /* pixels per module */
const QUIET = 4; /* modules around the code */

/* What the other program reads in a picture of the modules. */
function scan(readCode, rows) {
    const side = (rows.length + 2 * QUIET) * SCALE;
    const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
    for (let y = 0; y < side; y++) {
        for (let x = 0; x < side; x++) {
            if (rows[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET]) {
                pixels.fill(0, 4 * (y * side + x), 4 * (y * side + x) + 3);
            }
        }
    }
    return readCode(pixels, side, side)?.data;
}

export function yoursTests(world) {
    test("finished matches are found again, private ones and those against bots too", async () => {
        const match = await pair(world, "tactics", DUEL, { visibility: "private" });
        const { first, second } = match;
        const name = await nameOf(second);
        const against = await first.ask({
            type: "create",
            ruleset: "racers",
            clock: null,
            visibility: "private",
            seats: [null, { bot: { level: "random" } }],
        });
        await first.ask({ type: "resign", match: against.match, command_id: freshId() });
        await second.ask({ type: "resign", match: match.match, command_id: freshId() });
        await first.sees("You won!");
        await first.page.getByRole("link", { name: "Yours" }).click();
        const row = (id) => first.page.locator(".yours li", { has: first.page.locator(`[href$="#/replay/${id}"]`) });
        await row(match.match).getByText("Won: the other side resigned").waitFor();
        await row(match.match).getByText("casual").waitFor();
        await row(against.match).getByText("Lost: you resigned").waitFor();
        const opponent = first.page.locator(".yours tr", { hasText: name });
        assert.ok(Number(await opponent.locator("td").nth(1).textContent()) >= 1);
        assert.deepEqual(await seriousIssues(first.page), []);
        await row(match.match).getByRole("link", { name: "Replay" }).click();
        await first.sees("Before turn 1");
        await done(match);
    });

    test("a rated match shows how the rating changed", async () => {
        const match = await pair(world, "tactics", DUEL, { rated: true });
        const { first, second } = match;
        await first.page.getByText("Choose one of your units").waitFor();
        await second.page.getByText("Choose one of your units").waitFor();
        await second.button("Resign").click();
        await second.button("Yes, I resign").click();
        const told = async (person, sign) => {
            await person.sees(/Your rating: \d+ → \d+/);
            const words = await person.page.getByText(/Your rating:/).textContent();
            const [, before, after] = words.match(/(\d+) → (\d+)/).map(Number);
            assert.equal(Math.sign(after - before), sign, words);
            assert.ok(words.includes(`(${sign > 0 ? "+" : "−"}${Math.abs(after - before)})`), words);
            return after;
        };
        const [rating] = await Promise.all([told(first, 1), told(second, -1)]);
        const name = await nameOf(first);
        const beside = (person, place) =>
            person.page.locator(place, { hasText: name }).first().locator(".rated-at").first();
        assert.match(await beside(second, ".seat-card").textContent(), new RegExp(`^${rating}\\? \\+\\d+$`));
        await first.goTo("#/yours");
        const panel = (person) => person.page.locator(".rating", { hasText: "Tactics" });
        await panel(first)
            .locator("strong", { hasText: String(rating) })
            .waitFor();
        await panel(first).getByText("Match by match").click();
        await panel(first)
            .locator("tr", { hasText: String(rating) })
            .first()
            .waitFor();
        assert.match(await panel(first).getByRole("img").getAttribute("aria-label"), /from 1500 to/);
        assert.deepEqual(await seriousIssues(first.page), []);
        await second.goTo("#/");
        await beside(second, ".list-recent li").waitFor();
        assert.ok((await beside(second, ".list-recent li").textContent()).startsWith(String(rating)));
        await second.page.locator(".list-board").getByRole("link", { name, exact: true }).click();
        await second.page.getByRole("heading", { name, exact: true }).waitFor();
        await panel(second)
            .locator("strong", { hasText: String(rating) })
            .waitFor();
        await second.page
            .getByRole("link", { name: await nameOf(second), exact: true })
            .first()
            .waitFor();
        await second.goTo("#/player/999999");
        await second.sees("There is no such player.");
        second.troubles.length = 0; /* the browser reports the 404 */
        await done(match);
    });

    test("a QR code of any length is read by another program as what was written", async () => {
        const { default: read } = await import("jsqr");
        const readCode = read.default ?? read;
        for (const length of [1, 14, 15, 26, 62, 106, 122, 180, 213, 287, 412, 660]) {
            const words = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7 + length) % 90))).join("");
            assert.equal(scan(readCode, qrModules(words)), words, `${length} bytes`);
        }
        assert.equal(scan(readCode, qrModules("Grüße, 世界")), "Grüße, 世界");
        assert.throws(() => qrModules("x".repeat(667)), RangeError);
        assert.equal(qrModules("x".repeat(666)).length, 97);
    });

    test("a match is printed: who played, both boards and every turn, without the page around it", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await playDuel(match);
        await first.page.evaluate(() => {
            globalThis.print = () => {
                globalThis.isPrinted = true;
            };
        });
        await first.page.getByRole("link", { name: "Watch the replay" }).click();
        await first.sees("Before turn 1");
        await first.button("Print").click();
        const sheet = first.page.locator(".print-sheet");
        await sheet.waitFor({ state: "attached" });
        assert.ok(await first.page.evaluate(() => globalThis.isPrinted));
        await first.page.emulateMedia({ media: "print" });
        assert.ok(await sheet.isVisible());
        assert.equal(await sheet.locator(".board").count(), 2);
        assert.deepEqual(await sheet.locator("h2").allTextContents(), ["Turn 1", "Turn 2", "Turn 3"]);
        const words = await sheet.textContent();
        assert.ok(words.includes(await nameOf(first)) && words.includes("Pike a1 attacks 1,2"), words);
        assert.equal(await first.page.locator("header").isVisible(), false);
        assert.equal(await first.page.locator(".match").isVisible(), false);
        await first.page.emulateMedia({ media: "screen" });
        await first.page.evaluate(() => dispatchEvent(new Event("afterprint")));
        assert.equal(await sheet.count(), 0);
        assert.ok(await first.page.locator(".match").isVisible());
        await done(match);
    });

    test("a link takes the name to another device, and asks before", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const name = await nameOf(person);
        await person.goTo("#/yours");
        await person.button("Play on another device").click();
        await person.page.getByRole("img", { name: /The same link as a QR code/ }).waitFor();
        const link = await person.page.getByLabel("The link with your key").inputValue();
        const phone = await Person.arrive(world.browser, world.daemon, {
            at: link,
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        await phone.sees("Play under the name of this link?");
        assert.ok(!phone.page.url().includes("token"), "the key does not stay in the address");
        assert.ok(await isWithinScreen(phone.page));
        assert.equal(await nameOf(phone), "");
        await phone.button("Yes, play as this player").click();
        await phone.page.locator(".nameplate", { hasText: name }).waitFor();
        await phone.page.reload();
        await phone.page.locator(".nameplate", { hasText: name }).waitFor();
        await Promise.all([person.leave(), phone.leave()]);
    });
}
