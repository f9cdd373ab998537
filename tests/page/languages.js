/*
 * Languages: the same texts in each, the browser's choice and the reader's.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { LANGUAGES, pickLanguage } from "../../server/web/language.js";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { isWithinScreen, seriousIssues } from "./screen.js";

const SKIRMISH = process.env.SKIRMISH ?? "build/bin/skirmish";
const textOf = async (language) => (await import(`../../server/web/text-${language}.js`)).text;

/* The parameters of a text, and those of them that it inserts. */
function placeholders(make) {
    const source = make.toString();
    const [, head, body] = /^(?:async )?(\([^]*?\)|\w+) =>([^]*)$/.exec(source) ?? [null, source, ""];
    const names = head.match(/[A-Za-z_]\w*/g) ?? [];
    return { head, used: names.filter((name) => new RegExp(`\\b${name}\\b`).test(body)) };
}

/* The numbers that a text shows when it is given numbers: all languages count from 1. */
function numbersOf(make) {
    try {
        return (
            String(make(3, 5, 7))
                .match(/\d+/g)
                ?.sort() ?? []
        );
    } catch {
        return []; /* it wants something else */
    }
}

/* What differs, as paths. */
function differences(one, other, path = "text") {
    if (typeof one !== typeof other) {
        return [`${path}: ${typeof one}, ${typeof other}`];
    }
    if (typeof one === "string") {
        return one === "" || other === "" ? [`${path} is empty`] : [];
    }
    if (typeof one === "function") {
        const [a, b] = [one, other].map((make) => JSON.stringify([placeholders(make), numbersOf(make)]));
        return a === b ? [] : [`${path}: ${a}, ${b}`];
    }
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
        differences(one[key], other[key], `${path}.${key}`),
    );
}

/* Codes that the page makes, or that only programs get. */
const OWN_CODES = ["connection_lost", "moved", "timeout", "unsupported_bot"];

export function languagePureTests(world) {
    test("every error code of the server has words in every language", async () => {
        const { errors } = await (await fetch(new URL("api/v1/protocol", world.daemon.url))).json();
        const codes = errors.map(({ code }) => code);
        assert.ok(codes.length > 20);
        for (const language of Object.keys(LANGUAGES)) {
            const known = Object.keys((await textOf(language)).errors);
            assert.deepEqual(known.sort(), [...codes, ...OWN_CODES].sort(), language);
        }
    });

    test("every language has the same texts with the same values in them", async () => {
        const english = await textOf("en");
        for (const language of Object.keys(LANGUAGES)) {
            assert.deepEqual(differences(english, await textOf(language)), [], language);
        }
        for (const [label, other] of [
            ["a text is missing", { a: "x" }],
            ["a text is too much", { a: "x", b: (count, name) => `${name} ${count}`, c: "" }],
            ["another parameter", { a: "x", b: (count) => `${count}` }],
            ["a value is left out", { a: "x", b: (count, name) => `${name}` }],
            ["no function", { a: "x", b: "y" }],
            ["another number", { a: "x", b: (count, name) => `${count + 1} ${name}` }],
        ]) {
            assert.equal(differences({ a: "x", b: (count, name) => `${count} ${name}` }, other).length, 1, label);
        }
    });

    test("one and many are told apart, and numbers are written as the language does", async () => {
        const [english, german] = [await textOf("en"), await textOf("de")];
        assert.equal(english.halma.damagedFor("a1", 1), "a1: 1 turn");
        assert.equal(english.halma.damagedFor("a1", 2), "a1: 2 turns");
        assert.equal(english.statistics.games(2), "of 2 finished matches");
        assert.equal(german.halma.damagedFor("a1", 1), "a1: 1 Zug");
        assert.equal(german.halma.damagedFor("a1", 2), "a1: 2 Züge");
        assert.equal(german.match.refusedSome(1).slice(0, 34), "1 Befehl geht nicht. Ändere ihn, o");
        assert.match(english.racers.failures(5, 50), /0\.5% .* 5%/);
        assert.match(german.racers.failures(5, 50), /0,5 % .* 5 %/);
        assert.equal(german.join.title(["Ada", "Ben"]), "Ada und Ben laden dich ein");
    });

    test("the default units of tactics have names and descriptions in every language", async () => {
        const { models } = JSON.parse(execFileSync(SKIRMISH, ["params", "tactics"], { encoding: "utf8" }));
        const { tactics } = await textOf("de");
        for (const [name, { description }] of Object.entries(models)) {
            assert.notEqual(tactics.model(name).toLowerCase(), name);
            assert.notEqual(tactics.described(description), description, name);
        }
        assert.equal(tactics.model("wizard"), "Wizard", "a unit of one's own keeps its name");
        assert.equal(tactics.model("constructor"), "Constructor");
    });

    test("the first language that there is wins", async () => {
        for (const [tags, expected] of [
            [["de-AT", "en"], "de"],
            [["fr", "DE"], "de"],
            [["fr"], "en"],
            [["constructor"], "en"],
            [[], "en"],
        ]) {
            assert.equal(pickLanguage(tags), expected, `${tags}`);
        }
    });
}

export function languageTests(world) {
    test("a German browser gets the page in German, and the reader can change that", async () => {
        const person = await Person.arrive(world.browser, world.daemon, { locale: "de-AT", name: world.name() });
        const { page } = person;
        const languages = () =>
            page.evaluate(() =>
                performance
                    .getEntriesByType("resource")
                    .map(({ name }) => /text-(\w+)\.js$/.exec(name)?.[1])
                    .filter((name) => name !== undefined),
            );
        await person.sees("Was möchtest du spielen?");
        assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
        assert.deepEqual(await languages(), ["de"]);
        await page
            .locator("[data-ruleset=tactics]")
            .getByRole("button", { name: /Gegen einen Bot/ })
            .click();
        await person.sees(/^Wähle eine deiner Einheiten/);
        assert.deepEqual(await seriousIssues(page), []);
        await page.setViewportSize({ width: 320, height: 640 });
        assert.ok(await isWithinScreen(page));
        await person.button("Einstellungen").click();
        assert.deepEqual(await seriousIssues(page), []);
        await Promise.all([page.waitForEvent("load"), page.getByLabel("Sprache").selectOption("en")]);
        await person.sees(/^Choose one of your units/);
        assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
        assert.deepEqual(await languages(), ["en"]);
        await person.goTo("#/");
        await person.sees("What do you want to play?");
        await person.leave();
    });

    test("long words fit on a phone", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {
            locale: "de",
            viewport: { width: 360, height: 740 },
            isMobile: true,
            hasTouch: true,
        });
        for (const [address, heading] of [
            ["#/", "Was möchtest du spielen?"],
            ["#/statistics", "Wie Partien eröffnet werden"],
            ["#/rules/tactics", "So wird Tactics gespielt"],
        ]) {
            await person.goTo(address);
            await person.page.getByRole("heading", { name: heading }).first().waitFor();
            assert.ok(await isWithinScreen(person.page), address);
        }
        await person.leave();
    });

    test("a refusal of the server is told in the reader's language", async () => {
        const person = await Person.arrive(world.browser, world.daemon, {
            locale: "de",
            at: `${world.daemon.url}#/player/99999999`,
        });
        await person.sees("Diesen Spieler gibt es nicht.");
        await person.page.route("**/api/v1/statistics", (route) =>
            route.fulfill({ status: 404, json: { error: { code: "not_found", message: "There is nothing." } } }),
        );
        await person.goTo("#/statistics");
        await person.sees("Unter dieser Adresse ist nichts.");
        await person.context.close(); /* the browser logs the 404 as an error */
    });
}
