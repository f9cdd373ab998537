/*
 * "Verify this match": a match from the server, files from disk, files that lie, and no network.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Person } from "./browser.js";
import { dropOrders, forge } from "./forge.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, pair, playDuel } from "./play.js";
import { goldenTurns } from "./referee.js";
import { refereeOf, seriousIssues } from "./screen.js";

const TOLD = [/commitment is the one that this browser was told/, /last hash is the one that this browser was told/];

/* How often the page has loaded the module. */
const modulesOf = (page) =>
    page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length);

async function chooseFile(person, content) {
    await person.page
        .getByLabel("Match file")
        .setInputFiles({ name: "match.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(content) });
}

export function verifyTests(world) {
    test("the golden matches come to the same answers in Chromium", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {});
        const turns = goldenTurns();
        const found = await person.page.evaluate(
            async (requests) => {
                const app = document.querySelector("script[src$='app.js']").src;
                const { Referee } = await import(new URL("../../proto/js/referee.js", app).href);
                const referee = await Referee.load();
                return requests.map((request) => JSON.stringify(referee.resolve(request)));
            },
            turns.map(({ request }) => request),
        );
        turns.forEach(({ name, request, answer }, i) =>
            assert.equal(found[i], JSON.stringify(answer), `${name}, turn ${request.turn ?? 0}`),
        );
        await person.leave();
    });

    test("hints come from the page's own referee at once, and without it from the server", async () => {
        const match = await pair(world, "tactics", DUEL);
        const people = [match.first, match.second];
        const asked = people.map(() => 0);
        const watches = people.map((_, i) => (socket) => {
            socket.on("framesent", ({ payload }) => (asked[i] += /"type":"hints"/.test(payload) ? 1 : 0));
        });
        people.forEach(({ page }, i) => page.on("websocket", watches[i]));
        await match.second.page.route("**/*.wasm", (route) =>
            route.fulfill({ contentType: "application/wasm", body: "no" }),
        );
        await Promise.all(people.map(({ page }) => page.reload()));
        assert.deepEqual(await Promise.all(people.map(({ page }) => refereeOf(page))), [true, false]);
        await playDuel(match);
        assert.deepEqual(asked, [1, 3], "only for the first turn, while the referee was being loaded");
        people.forEach(({ page }, i) => page.off("websocket", watches[i]));
        await match.second.page.unroute("**/*.wasm");
        await done(match);
    });

    test("a match is verified in the browser, also from a file and offline", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await first.goTo("#/");
        await first.page.reload(); /* it may have the module from a test before */
        await first.sees("What do you want to play?");
        assert.equal(await modulesOf(first.page), 0, "nobody has needed the referee so far");
        await first.goTo(`#/match/${match.match}`);
        await playDuel(match);
        await first.page.getByRole("link", { name: "Watch the replay" }).click();
        await first.button("Verify this match").click();
        await first.sees("The match holds.");
        assert.equal(await modulesOf(first.page), 1);
        await first.sees(/All 3 turns, played again by the rules/);
        for (const words of TOLD) {
            await first.sees(words);
        }
        assert.deepEqual(await seriousIssues(first.page), []);

        const [download] = await Promise.all([first.page.waitForEvent("download"), first.button("Download").click()]);
        const file = readFileSync(await download.path(), "utf8");
        await first.goTo("#/verify");
        await first.sees("Verify a match");
        await first.page.context().setOffline(true);
        await chooseFile(first, file);
        await first.sees("The match holds.");
        await first.sees(TOLD[0]);
        await first.button(/^Watch this match/).click();
        await first.sees("Before turn 1 (last: 3)");
        await first.button("To the end").click();
        await first.sees("Turn 3 (last: 3)");
        await first.sees("Pike b1 dies");
        await first.page.getByLabel("Seen by").selectOption({ index: 2 });
        await first.sees("Pike b1 dies");
        await first.button("What if …").click();
        await first.button("See what happens").click();
        await first.page.locator(".what-if .events").getByText("Pike b1 dies").waitFor();
        assert.match(first.page.url(), /#\/verify$/, "the server need not have the match");
        await first.page.context().setOffline(false);

        await first.goTo("#/");
        await first.goTo("#/verify");
        await chooseFile(first, forge(file, dropOrders(1, 0)));
        await first.sees("The match does not hold: turn 2.");
        assert.equal(await first.page.getByText("The match holds.").count(), 0);
        await chooseFile(first, "nonsense");
        await first.sees("The file does not hold.");

        const other = await Person.arrive(world.browser, world.daemon, { at: `${world.daemon.url}#/verify` });
        await chooseFile(other, file);
        await other.sees("The match holds.");
        await other.sees(/The commitment was not compared/);
        await other.sees(/The last hash was not compared/);
        await other.sees(/A file alone cannot show/);
        await other.leave();
        await done(match);
    });

    test("a match with another seed than promised is not the one that was played", async () => {
        const match = await pair(world, "tactics", DUEL);
        const { first } = match;
        await playDuel(match);
        await first.page.evaluate(() => {
            const told = JSON.parse(localStorage.getItem("skirmish.published"));
            Object.values(told).forEach((facts) => Object.assign(facts, { commitment: "00", head: "00" }));
            localStorage.setItem("skirmish.published", JSON.stringify(told));
        });
        await first.goTo(`#/replay/${match.match}`);
        await first.button("Verify this match").click();
        await first.sees("The match holds.");
        await first.sees(/The commitment is not the one/);
        await first.sees(/The last hash is not the one/);

        /* An imported match has another number here than in its file; that number may be another match's. */
        const origin = match.match + 1000;
        const file = await (await fetch(`${world.daemon.url}api/v1/matches/${match.match}/file`)).text();
        const imported = forge(file, (head) => {
            head.match = String(origin);
        });
        await first.page.evaluate((number) => {
            const told = { [number]: { commitment: "00", head: "00" } };
            localStorage.setItem("skirmish.published", JSON.stringify(told));
        }, origin);
        await first.page.route("**/file", (route) => route.fulfill({ body: imported }), { times: 1 });
        await first.button("Verify this match").click();
        await first.sees(/The commitment was not compared/);
        await first.sees(/The last hash was not compared/);
        await done(match);
    });

    test("the file that was chosen last is the one that is told of", async () => {
        const match = await pair(world, "tactics", DUEL);
        await playDuel(match);
        const file = await (await fetch(`${world.daemon.url}api/v1/matches/${match.match}/file`)).text();
        const other = await Person.arrive(world.browser, world.daemon, { at: `${world.daemon.url}#/verify` });
        const { page } = other;
        await other.sees("Verify a match");
        await page.evaluate(() => {
            const { arrayBuffer } = File.prototype.__proto__;
            File.prototype.arrayBuffer = async function () {
                const bytes = await arrayBuffer.call(this);
                if (globalThis.release === undefined) {
                    await new Promise((resolve) => {
                        globalThis.release = resolve;
                    });
                }
                return bytes;
            };
        });
        await chooseFile(other, "nonsense");
        await page.waitForFunction(() => globalThis.release !== undefined);
        await chooseFile(other, file);
        await other.sees("The match holds.");
        await other.button(/^Watch this match/).waitFor();
        await page.evaluate(async () => {
            globalThis.release();
            for (let i = 0; i < 20; i++) {
                await new Promise((resolve) => setTimeout(resolve));
            }
        });
        assert.equal(await page.getByText("The file does not hold.").count(), 0);
        assert.ok(await page.getByText("The match holds.").isVisible());
        assert.equal(await other.button(/^Watch this match/).count(), 1);

        const told = await page.evaluate(async () => {
            const app = document.querySelector("script[src$='app.js']").src;
            const { Verifier } = await import(new URL("verify.js", app).href);
            return new Verifier().failure(new WebAssembly.RuntimeError("unreachable")).textContent;
        });
        assert.equal(told, "This browser cannot verify the file: unreachable.");
        await other.leave();
        await done(match);
    });

    test("without the module the page does without it", async () => {
        const match = await pair(world, "tactics", DUEL);
        await playDuel(match);
        const other = await Person.arrive(world.browser, world.daemon, {
            name: world.name(),
            at: `${world.daemon.url}#/replay/${match.match}?turn=2`,
            serviceWorkers: "block" /* its requests cannot be answered here */,
        });
        await other.page.route("**/*.wasm", (route) => route.fulfill({ contentType: "application/wasm", body: "no" }));
        await other.sees("Turn 3 (last: 3)");
        await other.button("Verify this match").click();
        await other.sees(/no referee for browsers/);
        await other.button("What if …").click();
        await other.button("See what happens").click();
        await other.page.locator(".what-if .events").getByText("Pike b1 dies").waitFor();
        await other.leave();
        await done(match);
    });
}
