/*
 * The page when a match moves between nodes: it goes there by itself, says so, and plays on.
 *
 * The nodes are one daemon, which answers under every path; a proxy in the browser moves the match.
 */
import assert from "node:assert/strict";
import { Person } from "./browser.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";
import { done, order, pair } from "./play.js";

const NOTICE = "The match moved to another server; reconnected.";

/* Every WebSocket of this person goes through here; `left` are paths where no match is any more. */
async function stepBetween(person) {
    const proxy = { sockets: [], left: new Set() };
    await person.page.routeWebSocket(/^ws:/, (page) => {
        const path = new URL(page.url()).pathname;
        const server = page.connectToServer();
        page.onMessage((text) => server.send(text));
        server.onMessage((text) => {
            if (!proxy.left.has(path) || JSON.parse(text).match === undefined) {
                page.send(text);
            }
        });
        proxy.sockets.push({ path, page });
    });
    await person.page.reload();
    return proxy;
}

async function move(proxy, match, to) {
    const { path, page } = proxy.sockets.at(-1);
    proxy.left.add(path);
    page.send(JSON.stringify({ type: "moved", match, path: to }));
}

const sent = (person) => person.sees(/Sent\. Waiting/);

export function movingTests(world) {
    test("a match that moves to another node is followed, with a notice, and played on", async () => {
        const people = [1, 2].map(() => Person.arrive(world.browser, world.daemon, { name: world.name() }));
        const apart = { ...world, regulars: await Promise.all(people) };
        const match = await pair(apart, "tactics", DUEL);
        const { first, second } = match;
        const proxy = await stepBetween(first);
        await order(first, [1, 4], [1, 3]);
        await sent(first);
        await move(proxy, match.match, "/n/two/");
        await first.sees(NOTICE);
        assert.equal(proxy.sockets.at(-1).path, "/n/two/");
        await order(second, [1, 0], [1, 1]);
        await first.sees("Turn 2");

        await order(first, [1, 3], [1, 2]);
        await sent(first);
        proxy.left.clear(); /* any node has it when this one dies */
        await first.page.getByText(NOTICE).first().waitFor({ state: "detached" });
        await proxy.sockets.at(-1).page.close();
        await first.sees(NOTICE);
        await order(second, [1, 1], [1, 2]);
        await first.sees("Turn 3");
        assert.deepEqual(
            proxy.sockets.map(({ path }) => path),
            ["/ws", "/n/two/"],
            "one connection each",
        );
        await done(match);
        await Promise.all([first, second].map((person) => person.leave()));
    });
}
