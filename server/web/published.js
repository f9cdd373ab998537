/*
 * What the server told this browser of a match when it began (the commitment to its seed) and when it ended (the
 * last hash of its records). It is kept as it was told first, to compare it with the match's file later.
 */
const KEY = "skirmish.published";
const KEPT = 500; /* matches, the newest */

function readAll() {
    try {
        return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
        return {};
    }
}

export const publishedOf = (match) => readAll()[match] ?? {};

export function remember(match, facts) {
    const all = readAll();
    const known = all[match] ?? {};
    const next = { ...facts, ...known };
    if (Object.keys(next).length === Object.keys(known).length) {
        return;
    }
    all[match] = next;
    const kept = Object.entries(all).slice(-KEPT);
    try {
        localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
    } catch {
        /* no storage */
    }
}
