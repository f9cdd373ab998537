/*
 * The server's HTTP API: lists, replays, statistics.
 */
import { settings } from "./settings.js";

export class HttpError extends Error {
    constructor(status, body) {
        super(body?.error?.message ?? `HTTP ${status}`);
        this.status = status;
        this.code = body?.error?.code;
    }
}

const headers = () => (settings.token === null ? {} : { authorization: `Bearer ${settings.token}` });

const TRIES = 4;
const WAIT_MAX_S = 30;

/* How long to wait before asking again; undefined: there is no use in asking again. */
function patience(response) {
    const wait_s = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    return [429, 503].includes(response.status) && wait_s <= WAIT_MAX_S ? wait_s : undefined;
}

/* Set by the page: called with whether the server answered at all. */
export const contact = { onChange: null };

async function reach(url, options) {
    try {
        const response = await fetch(url, options);
        contact.onChange?.(true);
        return response;
    } catch (error) {
        contact.onChange?.(false);
        throw error;
    }
}

async function fetchFrom(path, isMine) {
    for (let tries = 1; ; tries++) {
        const response = await reach(new URL(`api/v1/${path}`, document.baseURI), {
            headers: isMine ? headers() : {},
            cache: "no-store",
        });
        if (response.ok) {
            return response;
        }
        const wait_s = patience(response);
        if (wait_s === undefined || tries === TRIES) {
            throw new HttpError(response.status, await response.json().catch(() => null));
        }
        await new Promise((resolve) => setTimeout(resolve, 1000 * wait_s));
    }
}

export const get = async (path, { isMine = false } = {}) => (await fetchFrom(path, isMine)).json();

/* A private match is shown to anyone who has its code. */
export const withCode = (code, sign = "&") => (code === undefined ? "" : `${sign}code=${encodeURIComponent(code)}`);

const PAGE = 200; /* the server's maximum per request */

/* A stored match: its header, then a line per turn, page by page. */
export async function getReplay(id, code) {
    const lines = [];
    let next = null;
    do {
        const [head, ...turns] = await getLines(
            `matches/${id}/replay?limit=${PAGE}${next === null ? "" : `&after=${next}`}${withCode(code)}`,
            { isMine: true },
        );
        next = head.next;
        lines.push(...(lines.length === 0 ? [{ ...head, next: null }] : []), ...turns);
    } while (next !== null);
    return lines;
}

/* The match file, as `skirmish export` writes it. */
export async function getFile(id, code) {
    const response = await fetchFrom(`matches/${id}/file${withCode(code, "?")}`, true);
    return new Uint8Array(await response.arrayBuffer());
}

/* One JSON value per line. */
export async function getLines(path, { isMine = false } = {}) {
    const body = await (await fetchFrom(path, isMine)).text();
    return body
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
}

let published = null;

/* What the server says about its rulesets; asked for once. */
export async function publishedRulesets() {
    published ??= get("rulesets");
    try {
        return (await published).rulesets;
    } catch (error) {
        published = null; /* the next one asks again */
        throw error;
    }
}
