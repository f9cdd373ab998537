/*
 * Links for others: the server sees which match they are about, and tells programs that show links.
 */
import assert from "node:assert/strict";
import { freshId, WebSocket } from "./browser.js";
import { Connection } from "../../proto/js/client.js";
import { test } from "./harness.js";
import { DUEL } from "./matches.js";

const HOSTILE = `"><script>'&amp;`; /* a name that would end the tag that it is in */

async function player(world, name) {
    const server = new Connection({ url: world.daemon.url.replace("http", "ws"), WebSocket, name });
    await server.open();
    return server;
}

/* Reads links as a chat program does: their tags as HTML means them. */
class Chat {
    constructor(world, page) {
        Object.assign(this, { world, page });
    }

    at(query) {
        return new URL(query, this.world.daemon.url).href;
    }

    async read(query) {
        const answer = await fetch(this.at(query));
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get("content-security-policy"), /default-src 'none'; script-src 'self'/);
        const html = await answer.text();
        const tags = await this.page.evaluate((source) => {
            const { head } = new DOMParser().parseFromString(source, "text/html");
            return [...head.querySelectorAll("meta[property]")].map((tag) => [
                tag.getAttribute("property").replace("og:", ""),
                tag.getAttribute("content"),
            ]);
        }, html);
        return { ...Object.fromEntries(tags), count: tags.length, cache: answer.headers.get("cache-control"), html };
    }
}

export function linkTests(world) {
    test("a link to a match says what it is about; nothing of a private one without its code", async () => {
        const chat = new Chat(world, await world.browser.newPage());
        const plain = await chat.read("");
        assert.equal(plain.title, "Skirmish");
        const [ann, bob] = [await player(world, HOSTILE), await player(world, "Bob & Co")];
        const create = { type: "create", ruleset: "tactics", params: DUEL, rated: false };
        const clock = { turn_ms: 60000, bank_ms: 300000 };
        const { match, code } = await ann.request({ ...create, clock, visibility: "private" });

        const invitation = await chat.read(`?join=${match}&code=${code}`);
        assert.equal(invitation.title, `${HOSTILE} invites you: Tactics`);
        assert.equal(invitation.description, "1 min per turn + 5 min in the bank, casual");
        assert.equal(invitation.url, chat.at(`?join=${match}&code=${code}`));
        assert.equal(invitation.count, plain.count + 1, "the same tags, and the address");
        assert.equal(invitation.cache, "no-store");
        assert.ok(!invitation.html.includes("<script>"));
        assert.equal((await fetch(invitation.image)).headers.get("content-type"), "image/png");
        const wrong = [`?join=${match}`, `?match=${match}&code=x${code}`, "?replay=99999999", "?join=-1", "?turn=3"];
        for (const query of wrong) {
            assert.equal((await chat.read(query)).html, plain.html, query);
        }

        const { match: open } = await ann.request({ ...create, clock: null });
        await bob.request({ type: "join", match: open });
        assert.equal((await chat.read(`?match=${open}`)).description, "Being played. Casual.");
        const turn = { type: "submit", match: open, turn: 0, commands: [], ready: true };
        await Promise.all([ann, bob].map((server) => server.request({ ...turn, command_id: freshId() })));
        await ann.request({ type: "resign", match: open, command_id: freshId() });
        await bob.request({ type: "list" });
        const over = await chat.read(`?replay=${open}&turn=0`);
        assert.equal(over.title, `Tactics: ${HOSTILE}, Bob & Co`);
        assert.equal(over.description, "Turn 1 of 2. Bob & Co won (resignation). Casual.");
        assert.equal((await chat.read(`?replay=${open}`)).description, "Turn 2. Bob & Co won (resignation). Casual.");
        ann.close();
        bob.close();
        await chat.page.close();
    });

    test("links of a private match's page do not have its code, and the lobby is one step back", async () => {
        const [ann, page] = [await player(world, `Ann${freshId().slice(0, 6)}`), await world.browser.newPage()];
        const { match, code } = await ann.request({
            type: "create",
            ruleset: "tactics",
            params: DUEL,
            rated: false,
            clock: null,
            visibility: "private",
        });
        await page.goto(new URL(`?join=${match}&code=${code}`, world.daemon.url).href);
        await page.locator('[href$="#/rules/tactics"]').first().waitFor();
        const links = await page.evaluate(() => [...document.links].map((link) => link.href));
        assert.deepEqual(
            links.filter((link) => link.includes("code=")),
            [],
        );
        await page.evaluate(() => (window.isSame = true));
        await page.locator('[href$="#/rules/tactics"]').first().click();
        await page.waitForURL(/#\/rules\/tactics$/);
        assert.ok(await page.evaluate(() => window.isSame), "the page was not loaded again");
        await page.locator("nav a").first().click();
        await page.waitForURL((url) => url.hash === "" && url.search === "");
        const before = await page.evaluate(() => history.length);
        for (let i = 0; i < 3; i++) {
            await page.locator("nav a").first().click();
        }
        assert.equal(await page.evaluate(() => history.length), before);
        await page.goBack();
        await page.waitForURL(/#\/rules\/tactics$/);
        await page.close();
        ann.close();
    });
}
