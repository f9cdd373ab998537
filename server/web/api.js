/*
 * What the server tells over HTTP, beside the page: lists, replays, statistics.
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

async function fetchFrom(path, isMine) {
    const response = await fetch(new URL(`api/v1/${path}`, document.baseURI), { headers: isMine ? headers() : {}, cache: "no-store" });
    if (!response.ok) {
        throw new HttpError(response.status, await response.json().catch(() => null));
    }
    return response;
}

export const get = async (path, { isMine = false } = {}) => (await fetchFrom(path, isMine)).json();

const PAGE = 200; /* the most that the server gives at once */

/* A match as it is stored: its header, then a line a turn, page by page. */
export async function getReplay(id) {
    const lines = [];
    let page;
    do {
        const after = lines.length > 1 ? `&after=${lines.at(-1).turn}` : "";
        page = await getLines(`matches/${id}/replay?limit=${PAGE}${after}`, { isMine: true });
        lines.push(...(lines.length === 0 ? page : page.slice(1)));
    } while (page.length === PAGE + 1);
    return lines;
}

/* One JSON value a line. */
export async function getLines(path, { isMine = false } = {}) {
    const body = await (await fetchFrom(path, isMine)).text();
    return body.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
