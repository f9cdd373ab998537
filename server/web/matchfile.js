/*
 * Match files, as `skirmish export` writes them (migrations/README.md, "Match files"): JSON lines,
 * for each match a head, its records and an end.
 *
 * This only reads: whether a match was played by the rules is proven elsewhere.
 */
const FORM = 1; /* the version of the format */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

/* `code` is one of the texts `file`; `line` counts from 1. */
export class MatchFileError extends Error {
    constructor(code, line) {
        super(`${code} in line ${line}`);
        Object.assign(this, { code, line });
    }
}

function parse(words, line) {
    try {
        const value = JSON.parse(words);
        if (typeof value === "object" && value !== null && !Array.isArray(value)) {
            return value;
        }
    } catch {
        /* below */
    }
    throw new MatchFileError("notJson", line);
}

/* The head as /api/v1/matches/ID has a match; its params are a string there. */
function matchOf(head, line) {
    const { seats } = head;
    if (!Array.isArray(seats) || typeof head.ruleset !== "string") {
        throw new MatchFileError("notMatch", line);
    }
    return {
        id: Number(head.match),
        ruleset: head.ruleset,
        version: head.version,
        params: parse(head.params, line),
        settings: parse(head.settings, line),
        status: "over",
        rated: head.rated,
        players: seats.map(({ name }) => name),
        started_at: head.started_at === null ? null : Number(head.started_at),
        ended_at: Number(head.ended_at),
        winner: head.winner,
        reason: head.reason,
        seed: head.seed,
        salt: head.salt,
        head: head.head,
    };
}

/*
 * The matches of a file: [{ match, turns, lines }].  `turns` has what each turn's record says,
 * `lines` the match's own lines as they are in the file, for a proof.
 */
export function readMatchFile(content) {
    const lines = content.split("\n");
    const matches = [];
    let open = null; /* the match whose end has not come yet */
    lines.forEach((words, i) => {
        if (words === "") {
            return;
        }
        const value = parse(words, i + 1);
        if ("skirmish_match" in value) {
            if (open !== null) {
                throw new MatchFileError("cut", i + 1);
            }
            if (value.skirmish_match !== FORM) {
                throw new MatchFileError("newer", i + 1);
            }
            open = { match: matchOf(value, i + 1), turns: [], lines: [words] };
            return;
        }
        if (open === null) {
            throw new MatchFileError("notMatch", i + 1);
        }
        open.lines.push(words);
        if ("end" in value) {
            matches.push(open);
            open = null;
        } else if (value.kind === "turn") {
            open.turns.push({ turn: value.turn, ...parse(value.body, i + 1) });
        }
    });
    if (open !== null) {
        throw new MatchFileError("cut", lines.length);
    }
    if (matches.length === 0) {
        throw new MatchFileError("notMatch", 1);
    }
    return matches;
}
