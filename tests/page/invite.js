/*
 * An invitation by link shows who invites and to what; the seat is taken only after a click.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const CLOCK = { turn_ms: 60000, bank_ms: 300000 };

/* Ann invites; returns her, the match and the link. */
async function invite(world, more = {}) {
    const ann = await Person.arrive(world.browser, world.daemon, { name: world.name() });
    const { match, code } = await ann.ask({
        type: "create",
        ruleset: "tactics",
        params: DUEL,
        clock: CLOCK,
        visibility: "private",
        ...more,
    });
    await ann.goTo(`#/match/${match}`);
    await ann.sees("Waiting for somebody to join");
    const link = await ann.page.getByLabel("Send this link").inputValue();
    return { ann, match, code, link, name: await ann.page.locator(".nameplate").textContent() };
}

export function inviteTests(world) {
    test("an invitation shows who, what and whether it is rated; the seat is taken only after accepting", async () => {
        const { ann, link, name } = await invite(world, { rated: true });
        const guest = await Person.arrive(world.browser, world.daemon, { at: link });
        await guest.page.getByRole("heading", { name: `${name} invites you` }).waitFor();
        await guest.sees("Tactics, 1 min per turn + 5 min in the bank, rated");
        await guest.page.getByRole("link", { name: "How to play" }).click();
        await guest.page.getByRole("heading", { name: "How to play Tactics" }).waitFor();
        await guest.page.goBack();
        assert.ok(await guest.page.getByLabel("Count this match for the rating").isChecked());
        assert.deepEqual(await seriousIssues(guest.page), []);
        const known = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await known.page.goto(link);
        await known.page.reload();
        await known.sees(`${name} invites you`);
        await ann.sees("Waiting for somebody to join");
        await known.page.getByRole("link", { name: "Decline" }).click();
        await known.sees("What do you want to play?");
        await guest.page.getByLabel("Your name").fill(world.name());
        await guest.button("Accept and play").click();
        await Promise.all([ann, guest].map((person) => person.page.getByText("Choose one of your units").waitFor()));
        assert.match(await guest.page.locator(".headline").textContent(), /rated/);

        await known.page.goto(link);
        await known.page.reload();
        await known.sees("All seats of this match are taken.");
        await known.button("Watch").click();
        await known.sees("You are watching.");
        await guest.page.goto(link);
        await guest.page.getByText("Choose one of your units").waitFor(); /* the players continue */
        await Promise.all([ann.leave(), guest.leave(), known.leave()]);
    });

    test("who accepts an invitation and never played the ruleset gets hints, and can end them", async () => {
        const { ann, match, link } = await invite(world, { params: { placement: true }, clock: null, rated: true });
        const guest = await Person.arrive(world.browser, world.daemon, {
            at: link,
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        const isInView = (box) => box.y >= 0 && box.y + box.height <= 740;
        const box = (selector) => guest.page.locator(selector).boundingBox();
        await guest.sees(/Never played it\?/);
        const terms = guest.page.locator(".card.check");
        assert.equal(
            await terms.evaluate((label) => label.getClientRects().length),
            1,
            "it is a box, not a line of text",
        );
        assert.ok(isInView(await guest.button("Accept and play").boundingBox()));
        await guest.page.getByLabel("Your name").fill(world.name());
        await guest.button("Accept and play").click();
        await guest.sees(/^First, both sides place their units/);
        assert.ok(isInView(await box(".guide-place")));
        assert.ok((await box(".orders-panel")).y < (await box(".playback")).y, "orders are next to the board");
        await guest.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        assert.ok(isInView(await box(".guide-place")), "the hint stays in view");
        await ann.sees("Choose a unit, then a cell of your first rows.");
        assert.equal(await ann.page.locator(".guide").count(), 0, "who has played needs none");
        await Promise.all([ann, guest].map((person) => person.button("Ready").click()));
        await guest.sees(/^Give a first order/);
        await guest.page.reload();
        await guest.sees(/^Give a first order/);
        assert.deepEqual(await seriousIssues(guest.page), []);
        await guest.button("End the hints").click();
        assert.equal(await guest.page.locator(".guide").count(), 0);
        await guest.page.reload();
        await guest.sees(/^Choose one of your units/);
        assert.equal(await guest.page.locator(".guide").count(), 0);
        await ann.ask({ type: "resign", match, command_id: freshId() });
        await Promise.all([ann.leave(), guest.leave()]);
    });

    test("the lobby's invitation is rated if the friend agrees, and says so", async () => {
        const ann = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        await ann.button("Invite somebody: Halma").click();
        await ann.sees("It counts for the rating of both players if the other player agrees.");
        const link = await ann.page.getByLabel("Send this link").inputValue();
        const guest = await Person.arrive(world.browser, world.daemon, { at: link, name: world.name() });
        assert.ok(await guest.page.getByLabel("Count this match for the rating").isChecked());
        await ann.button("Stop waiting").click();
        await ann.button("Invite somebody: Racers").click();
        await ann.sees("Waiting for players · casual");
        assert.equal(await ann.page.getByText("It counts for the rating").count(), 0);
        await ann.button("Stop waiting").click();
        await ann.sees("What do you want to play?");
        /* The browser notes a 404 if the page still asked about that match. */
        ann.troubles = ann.troubles.filter((text) => !text.includes("404"));
        await Promise.all([ann.leave(), guest.leave()]);
    });

    test("a match by invitation is not rated if the invited player declines that", async () => {
        const { ann, link } = await invite(world, { rated: true });
        const guest = await Person.arrive(world.browser, world.daemon, { at: link });
        await guest.page.getByLabel("Count this match for the rating").uncheck();
        await guest.page.getByLabel("Your name").fill(world.name());
        await guest.button("Accept and play").click();
        await Promise.all([ann, guest].map((person) => person.page.getByText("Choose one of your units").waitFor()));
        for (const person of [ann, guest]) {
            assert.match(await person.page.locator(".headline").textContent(), /casual/);
        }
        await Promise.all([ann.leave(), guest.leave()]);
    });

    test("an invitation to a casual match without a clock, to one that is over, and a wrong one", async () => {
        const { ann, match, link } = await invite(world, { rated: false, clock: null });
        const guest = await Person.arrive(world.browser, world.daemon, {
            at: link,
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        await guest.sees("Tactics, no clock, casual");
        assert.equal(await guest.page.getByText("counts for the rating").count(), 0);
        assert.ok(await isWithinScreen(guest.page));
        const box = await guest.button("Accept and play").boundingBox();
        assert.ok(box.y + box.height <= 740, `${box.y}`);
        await guest.page.getByLabel("Your name").fill("");
        await guest.button("Accept and play").click();
        await guest.page.locator(".bad").getByText(/name/).waitFor();
        await guest.page.getByLabel("Your name").fill(world.name());
        await guest.button("Accept and play").click();
        await guest.page.getByText("Choose one of your units").waitFor();
        await ann.ask({ type: "resign", match, command_id: freshId() });
        await guest.sees("You won!");
        const third = await Person.arrive(world.browser, world.daemon, { at: link });
        await third.sees("This match is over.");
        await third.button("Replay").click();
        await third.sees("Before turn 1");
        await third.leave();
        const lost = await Person.arrive(world.browser, world.daemon, {
            at: `${world.daemon.url}#/join/${match}?code=wrong`,
        });
        await lost.sees(/This invitation is not valid/);
        lost.troubles = []; /* the browser notes the 404 */
        await Promise.all([ann.leave(), guest.leave(), lost.leave()]);
    });

    test("the list shows the terms of open matches, which are accepted like an invitation", async () => {
        const { ann, match } = await invite(world, { visibility: "open", rated: true });
        const guest = await Person.arrive(world.browser, world.daemon, { name: world.name() });
        const row = guest.page.locator(".list-open li", { has: guest.page.locator(`[href$="#/join/${match}"]`) });
        await row.getByText("1 min per turn + 5 min in the bank, rated").waitFor();
        await row.getByRole("link", { name: "Join" }).click();
        await guest.button("Accept and play").click();
        await ann.page.getByText("Choose one of your units").waitFor();
        await ann.ask({ type: "resign", match, command_id: freshId() });
        await Promise.all([ann.leave(), guest.leave()]);
    });
}
