/*
 * The page as an app: its manifest, and what is kept for when the server does not answer.
 */
import assert from "node:assert/strict";
import {
    cpSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    realpathSync,
    renameSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LANGUAGES } from "../../server/web/language.js";
import { Person } from "./browser.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";
import { seriousIssues } from "./screen.js";

const PROGRAM = process.env.SKIRMISHD ?? "build/bin/skirmishd";

/* The caches of the page once its worker is active. */
const kept = (page) =>
    page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        while (navigator.serviceWorker.controller === null) {
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return caches.keys();
    });

/* A copy of the page as another version: the hash in its paths and in index.html is another one. */
function otherVersion(folder) {
    cpSync(join(dirname(realpathSync(PROGRAM)), "../web"), folder, { recursive: true });
    const [hash] = readdirSync(join(folder, "assets"));
    const other = hash.replace(/./g, (digit) => (digit === "f" ? "0" : "f"));
    renameSync(join(folder, "assets", hash), join(folder, "assets", other));
    rmSync(join(folder, "index.html.gz"));
    const index = join(folder, "index.html");
    writeFileSync(index, readFileSync(index, "utf8").replaceAll(hash, other));
    return other;
}

export function installTests(world) {
    test("the page can be installed: manifest, icons, and tags for shared links", async () => {
        const html = await (await fetch(world.daemon.url)).text();
        const manifestAt = new URL(/rel="manifest" href="([^"]+)"/.exec(html)[1], world.daemon.url);
        const answer = await fetch(manifestAt);
        assert.equal(answer.headers.get("content-type"), "application/manifest+json");
        const manifest = await answer.json();
        assert.equal(new URL(manifest.start_url, manifestAt).href, world.daemon.url);
        assert.equal(new URL(manifest.scope, manifestAt).href, world.daemon.url);
        for (const { src, type } of manifest.icons) {
            const icon = await fetch(new URL(src, manifestAt));
            assert.equal(icon.headers.get("content-type"), type, src);
        }
        for (const name of ["title", "description", "image", "type"]) {
            assert.match(html, new RegExp(`<meta property="og:${name}" content="[^"]+">`));
        }
        const worker = readFileSync("server/web/worker.js", "utf8");
        assert.deepEqual(JSON.parse(/TEXTS = (\[.*?\])/.exec(worker)[1]), Object.keys(LANGUAGES));
    });

    test("without the server the page opens with a notice, and after an upgrade nobody gets the old one", async () => {
        const folder = mkdtempSync(join(tmpdir(), "skirmish-web-"));
        const daemon = await Daemon.start();
        const person = await Person.arrive(world.browser, daemon, { locale: "de", serviceWorkers: "allow" });
        const { page } = person;
        const [cache] = await kept(page);
        await daemon.kill();
        await page.reload();
        await person.sees("Was möchtest du spielen?");
        await person.sees(/^Der Server ist nicht erreichbar/);
        assert.deepEqual(await seriousIssues(page), []);

        daemon.options = [...daemon.options, "--web", folder];
        const hash = otherVersion(folder);
        await daemon.run();
        await person.goTo("#/statistics"); /* the open page has no file for it, and loads the new page */
        await page.getByRole("heading", { name: "Statistik", exact: true }).waitFor();
        const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => src));
        assert.ok(
            scripts.every((src) => src.includes(`/assets/${hash}/`)),
            `${scripts}`,
        );
        await page.waitForFunction(
            async (old) => (await caches.keys()).length === 1 && !(await caches.keys()).includes(old),
            cache,
        );
        assert.equal(await page.locator(".banner").isVisible(), false);
        await person.context.close();
        await daemon.stop();
        rmSync(folder, { recursive: true });
    });
}
