/*
 * The page on a cluster: it plays two matches at two nodes, and plays on when the node of a match is killed.
 *
 * NODES is {name: process}, OWNER a command that prints the name of the node of the match that is added to it.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { launch, Person } from "../page/browser.js";
import { runAll, test } from "../page/harness.js";
import { DUEL } from "../page/matches.js";
import { order, pair } from "../page/play.js";

const NOTICE = /The match moved to another server; reconnected\.|Connected again\. Nothing was lost\./;
const url = process.env.URL_OF_ALL;
const nodes = JSON.parse(process.env.NODES);
const ownerOf = (match) =>
    execFileSync("/bin/sh", ["-c", `${process.env.OWNER} ${match}`], { encoding: "utf8" }).trim();

const world = { daemon: { url }, browser: await launch(), name: () => `player ${Math.random()}`.slice(0, 20) };

/* At /n/three/, so that neither match is at the node of the page. */
test("one page plays two matches at two nodes in turns", async () => {
    const person = await Person.arrive(world.browser, world.daemon, { name: world.name(), at: `${url}n/three/` });
    const seats = [null, { bot: { level: "random" } }];
    const params = { ...DUEL, rows: 9, units: [{ ...DUEL.units[0], at: [1, 8] }, DUEL.units[1]] }; /* nobody is hit */
    const create = { type: "create", ruleset: "tactics", params, clock: null, rated: false, seats };
    const [one, two] = await Promise.all(
        ["one", "two"].map(async (name) => (await person.ask(create, `n/${name}/`)).match),
    );
    assert.deepEqual([one, two].map(ownerOf), ["one", "two"]);
    const paths = [];
    person.page.on("websocket", (socket) => paths.push(new URL(socket.url()).pathname));
    await person.page.reload();

    for (const [match, turn] of [
        [one, 1],
        [two, 1],
        [one, 2],
        [two, 2],
    ]) {
        await person.goTo("#/");
        await person.page.locator(".list-mine .your-turn").nth(1).waitFor();
        await person.page.locator(`.list-mine [data-about="${match}"] a`).click();
        await person.sees(`Turn ${turn}`);
        await order(person, [1, 9 - turn], [1, 8 - turn]);
        await person.sees(`Turn ${turn + 1}`);
    }
    console.log(`connections: ${paths.join(" ")}`); /* more if the machine is so busy that a match moves */
    assert.ok(
        ["/n/one/", "/n/two/"].every((path) => paths.includes(path)),
        paths.join(" "),
    );
    await person.leave();
});

test("two browsers play on when the node of their match is killed", async () => {
    world.regulars = await Promise.all(
        [1, 2].map(() => Person.arrive(world.browser, world.daemon, { name: world.name() })),
    );
    const { first, second, match } = await pair(world, "tactics", DUEL);
    await order(first, [1, 4], [1, 3]);
    await order(second, [1, 0], [1, 1]);
    await Promise.all([first.sees("Turn 2"), second.sees("Turn 2")]);
    const before = ownerOf(match);
    const killedAt = Date.now();
    process.kill(nodes[before], "SIGKILL");
    await Promise.all([first.sees(NOTICE), second.sees(NOTICE)]);
    await order(first, [1, 3], [1, 2]);
    await order(second, [1, 1], [1, 2]);
    await Promise.all([first.sees("Turn 3"), second.sees("Turn 3")]);
    console.log(`killed ${before}, at ${ownerOf(match)} both had played on after ${Date.now() - killedAt} ms`);
    assert.notEqual(ownerOf(match), before);
    await Promise.all([first, second].map((person) => person.context.close()));
});

const failed = await runAll();
await world.browser.close();
process.exit(failed > 0 ? 1 : 0);
