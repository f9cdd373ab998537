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
        const row = guest.page.locator(".list-open li", { has: guest.page.locator(`[href="#/join/${match}"]`) });
        await row.getByText("1 min per turn + 5 min in the bank, rated").waitFor();
        await row.getByRole("link", { name: "Join" }).click();
        await guest.button("Accept and play").click();
        await ann.page.getByText("Choose one of your units").waitFor();
        await ann.ask({ type: "resign", match, command_id: freshId() });
        await Promise.all([ann.leave(), guest.leave()]);
    });
}
