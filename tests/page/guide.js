/*
 * The guided first match: a new player does what the hints say, for three turns.
 */
import assert from "node:assert/strict";
import { freshId, Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const WORDS_MAX = 40; /* hints of one match */
const TRIES_MAX = 160; /* a slow machine needs several for a hint */

const marked = (page) =>
    page.locator("[data-guide]").evaluateAll((all) => all.map((one) => one.getAttribute("data-guide").split(",")));

/* Clicks the cells that this hint marks; how many there were. In one task of the page, where no turn can end between
 * the hint and the click: the marks of the next hint would be followed before anybody has read it. */
const clickMarked = (page, hint) =>
    page.evaluate((words) => {
        if (document.querySelector(".guide-words").textContent !== words) {
            return 0;
        }
        const cells = [...document.querySelectorAll("[data-guide]")].map((one) => one.getAttribute("data-guide"));
        for (const cell of cells) {
            const click = new MouseEvent("click", { bubbles: true });
            document.querySelector(`[data-cell="${cell}"]`).dispatchEvent(click);
        }
        return cells.length;
    }, hint);

const press = async (page, name) => {
    const button = page.getByRole("button", { name }).and(page.locator(":enabled"));
    if ((await button.count()) === 0) {
        return false;
    }
    await button.first().click();
    return true;
};

/* Does what the hint says, as a reader would: marked cells, or else the buttons and cells that it names. */
async function obey(person, hint) {
    const { page } = person;
    if (/Press Ready|then press Ready/i.test(hint)) {
        return press(page, "Ready");
    }
    if (/Pick the disc up/.test(hint)) {
        return press(page, /^Pick up/);
    }
    if (/Throw the disc/.test(hint)) {
        return (await press(page, /^Use: identity disc/)) && press(page, /^(north|east)$/);
    }
    if (/use two units/.test(hint)) {
        await page.locator(".units li:not(:has(.what:not(:empty))) .unit").first().click();
        await move(person);
        await press(page, "Move there");
        return true;
    }
    const count = await clickMarked(page, hint);
    await press(page, "Attack there"); /* where one could also go */
    return count > 0;
}

/* What the hint names may be drawn a moment later; any other move would make it untrue. */
async function obeySoon(person, words, hint) {
    for (let tries = 0; tries < 20; tries++) {
        if ((await obey(person, hint)) || (await words.textContent()) !== hint) {
            return true;
        }
        await person.page.waitForTimeout(100);
    }
    return false;
}

/* Goes on by any move towards the far corner, where the hint leaves that to the player. */
async function move(person) {
    const { page } = person;
    const marks = page.locator("[data-mark=move]");
    if ((await marks.count()) > 0) {
        const [x, y] = await marks.last().evaluate((mark) => {
            const { left, top, width, height } = mark.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
        });
        await page.mouse.click(x, y);
    }
}

async function follow(person) {
    const { page } = person;
    const words = page.locator(".guide-words");
    const told = [];
    await words.waitFor();
    await page.evaluate(() => {
        globalThis.guideState = () =>
            [...document.querySelectorAll(".guide-words, [data-guide], .headline")]
                .map((one) => one.getAttribute("data-guide") ?? one.textContent)
                .join("; ");
    });
    for (let tries = 0; tries < TRIES_MAX && told.length < WORDS_MAX; tries++) {
        const state = await page.evaluate(() => globalThis.guideState());
        const hint = await words.textContent();
        if (hint !== told.at(-1)) {
            told.push(hint);
        }
        if (hint.startsWith("You know the basics")) {
            return told;
        }
        if (!/thinking|are sent/.test(hint) && !(await obeySoon(person, words, hint))) {
            await move(person);
        }
        await page
            .waitForFunction((before) => globalThis.guideState() !== before, state, { timeout: 3000 })
            .catch(() => {}); /* there is more to do for it */
    }
    throw new Error(`the guide does not end:\n${told.join("\n")}`);
}

export function guideTests(world) {
    for (const [ruleset, name, expected] of [
        ["tactics", "Tactics", [/Give a first order: choose Lancer a1/, /Press Ready/, /use two units/]],
        ["halma", "Halma", [/^Jump: choose/, /keep jumping/, /Last hint/]],
        ["racers", "Racers", [/A disc lies at 1,8/, /Pick the disc up/, /are trail/, /Throw the disc/]],
        ["snarl", "Snarl", [/the rest is dark/, /the key, at 4,2/, /The exit is open/]],
    ]) {
        test(`a new player is guided through three turns of ${ruleset}`, async () => {
            const person = await Person.arrive(world.browser, world.daemon);
            const { page } = person;
            await page.getByRole("button", { name: `Guided first match: ${name}` }).click();
            const told = await follow(person);
            for (const hint of expected) {
                assert.ok(
                    told.some((words) => hint.test(words)),
                    `${hint} is missing:\n${told.join("\n")}`,
                );
            }
            assert.deepEqual(await seriousIssues(page), []);
            await page.setViewportSize({ width: 320, height: 640 });
            assert.ok(await isWithinScreen(page));
            await person.leave();
        });
    }

    /* As the lobby creates them for friends, but against a bot, who does not keep the test waiting. */
    for (const [ruleset, params, expected] of [
        ["tactics", { placement: true }, [/both sides place their units/, /Give a first order/, /use two units/]],
        ["halma", undefined, [/^Jump: choose/, /Last hint/]],
        ["racers", { failure_permille: 0 }, [/three actions per turn|A turn has three actions/, /is your finish/]],
        ["snarl", { heroes: ["ada", "bob"] }, [/the rest is dark/]],
    ]) {
        test(`the first match of ${ruleset} has hints on its usual board, the next one has none`, async () => {
            const person = await Person.arrive(world.browser, world.daemon, { name: world.name(), guided: [] });
            const { page } = person;
            const create = { type: "create", ruleset, params, clock: null, visibility: "private" };
            const bot = { bot: { level: "random" } };
            const { match } = await person.ask({ ...create, seats: [null, bot] });
            await person.goTo(`#/match/${match}`);
            const told = await follow(person);
            for (const hint of expected) {
                assert.ok(
                    told.some((words) => hint.test(words)),
                    `${hint} is missing:\n${told.join("\n")}`,
                );
            }
            await page.reload();
            await page.locator(".board .cell").first().waitFor();
            assert.equal(await page.locator(".guide").count(), 0, "what was told is not repeated");
            const { match: next } = await person.ask({ ...create, seats: [null, bot] });
            await person.goTo(`#/match/${next}`);
            await page.locator("[data-mark], .units li, .hint").first().waitFor();
            assert.equal(await page.locator(".guide").count(), 0);
            await person.leave();
        });
    }

    test("who has finished a match of the ruleset on another device gets no hints", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name(), guided: [] });
        const create = { type: "create", ruleset: "tactics", clock: null, seats: [null, { bot: { level: "random" } }] };
        const { match } = await person.ask({ ...create, params: { placement: false } });
        await person.goTo(`#/match/${match}`);
        await person.sees(/^Give a first order/);
        await person.ask({ type: "resign", match, command_id: freshId() });
        await person.sees(/You lost/);
        const phone = await Person.arrive(world.browser, world.daemon, {
            at: `${world.daemon.url}#/as?token=${person.token}`,
        });
        await phone.button("Yes, play as this player").click();
        await phone.sees("Your finished matches");
        const { match: next } = await person.ask({ ...create, params: { placement: false } });
        const asked = phone.page.waitForResponse(/mine=1&status=over&ruleset=tactics/);
        await phone.goTo(`#/match/${next}`);
        await asked;
        await phone.sees(/^Choose one of your units/);
        assert.equal(await phone.page.locator(".guide").count(), 0);
        await Promise.all([person.leave(), phone.leave()]);
    });

    test("who plays the adversaries of snarl is not told that the other side is thinking", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { name: world.name(), guided: [] });
        const create = { type: "create", ruleset: "snarl", clock: null, visibility: "private", seat: 1 };
        const seats = [{ bot: { level: "greedy" } }, null];
        const { match } = await person.ask({ ...create, params: { mode: "versus", heroes: ["ada"] }, seats });
        await person.goTo(`#/match/${match}`);
        await person.page.locator("[data-mark]").first().waitFor();
        assert.equal(await person.page.locator(".guide").count(), 0);
        await person.leave();
    });

    test("the hints go on after a reload, and can be left at any time", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { locale: "de", name: world.name() });
        const { page } = person;
        await person.sees("Was möchtest du spielen?");
        assert.equal(await page.locator(".offer").count(), 0, "not for those who have played");
        await person.goTo("#/rules/tactics");
        await page.getByRole("button", { name: "Erste Partie mit Hinweisen: Tactics" }).click();
        await person.sees(/^Gib einen ersten Befehl: Wähle Lanzenreiter a1/);
        assert.ok((await marked(page)).length === 2);
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.waitForFunction(() => {
            const mark = document.querySelector("[data-guide]"); /* the board may be drawn anew at any time */
            return mark !== null && getComputedStyle(mark).animationName === "none";
        });
        await page.reload();
        await person.sees(/^Gib einen ersten Befehl/);
        await person.button("Hinweise beenden").click();
        assert.equal(await page.locator(".guide").count(), 0);
        assert.deepEqual(await marked(page), []);
        await page.reload();
        await person.sees(/^Wähle eine deiner Einheiten/);
        assert.equal(await page.locator(".guide").count(), 0, "they do not come back");
        await person.leave();
    });

    test("hints that are loaded after the match was left do not change the address", async () => {
        const [person, other] = await Promise.all(
            [0, 1].map(() => Person.arrive(world.browser, world.daemon, { name: world.name() })),
        );
        const { page } = person;
        const { match } = await person.ask({ type: "create", ruleset: "tactics", params: DUEL, clock: null });
        await other.ask({ type: "join", match });
        for (let turn = 0; turn < 3; turn++) {
            const submit = { type: "submit", match, turn, commands: [], ready: true };
            await Promise.all([person, other].map((one) => one.ask({ ...submit, command_id: freshId() })));
        }
        let arrive;
        const asked = page.waitForRequest(/guide\.js/);
        await page.route(/guide\.js/, async (route) => {
            await new Promise((resolve) => (arrive = resolve));
            await route.continue();
        });
        await person.goTo(`#/match/${match}?guide=1`);
        await asked;
        await person.goTo("#/statistics");
        await page.waitForURL(/#\/statistics$/);
        await page.locator(".seat-card").first().waitFor({ state: "detached" });
        arrive();
        await page.evaluate(
            () => import(new URL("guide.js", document.querySelector("script[src$='app.js']").src).href),
        );
        assert.match(page.url(), /#\/statistics$/);
        await person.ask({ type: "resign", match, command_id: freshId() });
        await Promise.all([person, other].map((one) => one.leave()));
    });
}
