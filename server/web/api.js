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

/* One JSON value a line. */
export async function getLines(path, { isMine = false } = {}) {
    const body = await (await fetchFrom(path, isMine)).text();
    return body.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
