/*
 * How the page is served: what a browser may keep, what it may run, and how much it loads.
 */
import assert from "node:assert/strict";
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { LANGUAGES } from "../../server/web/language.js";
import { Person } from "./browser.js";
import { test } from "./harness.js";

const FIRST_LOAD_MAX = 150 * 1000;

function get(url, headers = {}) {
    return new Promise((resolve, reject) => {
        request(url, { headers }, (answer) => {
            const parts = [];
            answer.on("data", (part) => parts.push(part));
            answer.on("end", () =>
                resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
            );
        })
            .on("error", reject)
            .end();
    });
}

export function serveTests(world) {
    test("the page is small, compressed, kept by its hash and allowed its own files only", async () => {
        const gzip = { "accept-encoding": "gzip" };
        const index = await get(world.daemon.url, gzip);
        const html = gunzipSync(index.body).toString();
        assert.equal(index.headers["cache-control"], "no-cache");
        assert.match(index.headers["content-security-policy"], /default-src 'none'; script-src 'self'/);
        const policy = index.headers["content-security-policy"].replace("'wasm-unsafe-eval'", ""); /* no scripts */
        assert.ok(!/unsafe|<script>|onload=|style=/.test(html + policy));
        const files = [...new Set([...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]))];
        assert.ok(files.length > 10);
        const texts = files[0].replace(/server.*/, "server/web/text-");
        const languages = await Promise.all(
            Object.keys(LANGUAGES).map((name) => get(new URL(`${texts}${name}.js`, world.daemon.url), gzip)),
        );
        let sum = index.body.length + Math.max(...languages.map(({ body }) => body.length));
        for (const file of files) {
            assert.match(file, /^assets\/[0-9a-f]{12}\//, "relative, so that any path prefix will do");
            const answer = await get(new URL(file, world.daemon.url), gzip);
            assert.equal(answer.status, 200, file);
            assert.equal(answer.headers["content-encoding"], "gzip");
            assert.match(answer.headers["cache-control"], /immutable/);
            sum += answer.body.length;
        }
        assert.ok(sum < FIRST_LOAD_MAX, `${sum} bytes`);
        console.log(`        first load: ${sum} bytes in ${files.length + 2} files`);
    });

    test("clients without gzip get the same files uncompressed", async () => {
        const zipped = await get(world.daemon.url, { "accept-encoding": "br, gzip" });
        for (const encoding of [undefined, "identity", "gzip;q=0"]) {
            const plain = await get(world.daemon.url, encoding === undefined ? {} : { "accept-encoding": encoding });
            assert.equal(plain.headers["content-encoding"], undefined);
            assert.equal(plain.headers.vary, "accept-encoding");
            assert.deepEqual(plain.body, gunzipSync(zipped.body));
        }
    });

    test("encodings are read as far as their limit", async () => {
        const named = (length) => `${"x".repeat(length - ", gzip".length)}, gzip`;
        assert.equal(
            (await get(world.daemon.url, { "accept-encoding": named(255) })).headers["content-encoding"],
            "gzip",
        );
        assert.equal(
            (await get(world.daemon.url, { "accept-encoding": named(256) })).headers["content-encoding"],
            undefined,
        );
    });

    test("nothing outside the page is served", async () => {
        for (const path of [
            "assets/",
            "assets/nothing.js",
            "assets/../index.html",
            "assets/%2e%2e/%2e%2e/etc/passwd",
            "index.html",
        ]) {
            assert.equal((await get(world.daemon.url + path)).status, 404, path);
        }
    });

    test("the page works under a path prefix", async () => {
        const { createServer } = await import("node:http");
        const { connect } = await import("node:net");
        const inner = new URL(world.daemon.url);
        const proxy = createServer((from, to) => {
            request(
                {
                    host: inner.hostname,
                    port: inner.port,
                    path: from.url.replace(/^\/games/, ""),
                    headers: from.headers,
                },
                (answer) => {
                    to.writeHead(answer.statusCode, answer.headers);
                    answer.pipe(to);
                },
            ).end();
        });
        proxy.on("upgrade", (from, socket) => {
            const out = connect(Number(inner.port), inner.hostname, () => {
                const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${value}`);
                out.write(`GET ${from.url.replace(/^\/games/, "")} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
                out.pipe(socket).pipe(out);
            });
            out.on("error", () => socket.destroy());
            socket.on("error", () => out.destroy());
        });
        await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
        const person = await Person.arrive(world.browser, world.daemon, {
            at: `http://127.0.0.1:${proxy.address().port}/games/`,
        });
        await person.page
            .locator("[data-ruleset=halma]")
            .getByRole("button", { name: /Invite/ })
            .click();
        await person.sees("Waiting for somebody to join");
        await person.leave();
        proxy.closeAllConnections?.();
        proxy.close();
    });
}
