/*
 * The service worker: without the server, the page still opens and says so.
 *
 * Its path has the hash of the page's version, so each version has a worker and a cache of its own.
 * The first page always comes from the server if that answers; only if it does not, from the cache.
 * So nobody gets an old page after an upgrade.
 */
const [, HASH] = /\/assets\/(\w+)\//.exec(self.location.pathname);
const CACHE = `skirmish-${HASH}`;
const ROOT = self.registration.scope;
const ASSETS = `${ROOT}assets/${HASH}/`;
const TEXTS = ["en", "de"]; /* as in language.js */

/* What a first visit loads, and every language. */
async function fill() {
    const page = await fetch(ROOT, { cache: "no-store" });
    const html = await page.clone().text();
    const files = [...html.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => `${ROOT}${path}`);
    if (!page.ok || !files.every((path) => path.startsWith(ASSETS))) {
        throw new Error("the server has another version of the page");
    }
    const cache = await caches.open(CACHE);
    const texts = TEXTS.map((language) => `${ASSETS}server/web/text-${language}.js`);
    await cache.addAll([...new Set([...files, ...texts])]);
    await cache.put(ROOT, page);
}

async function forgetOthers() {
    const names = await caches.keys();
    await Promise.all(
        names.filter((name) => name.startsWith("skirmish-") && name !== CACHE).map((name) => caches.delete(name)),
    );
    await self.clients.claim();
}

async function firstPage(request) {
    try {
        return await fetch(request);
    } catch {
        return (await caches.match(ROOT)) ?? Response.error();
    }
}

/* Files of this version never change. */
async function asset(request) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(request);
    if (kept !== undefined) {
        return kept;
    }
    const answer = await fetch(request);
    if (answer.ok) {
        await cache.put(request, answer.clone());
    }
    return answer;
}

self.addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method === "GET" && request.mode === "navigate" && request.url.split(/[?#]/)[0] === ROOT) {
        event.respondWith(firstPage(request));
    } else if (request.method === "GET" && request.url.startsWith(ASSETS)) {
        event.respondWith(asset(request));
    }
});
