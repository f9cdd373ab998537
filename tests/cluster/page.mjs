/*
 * Two browsers play a match on a cluster; its node is killed, and both play on.
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
