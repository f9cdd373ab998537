/*
 * Match files that lie: a record is changed, and every hash and the checksum are made to fit again, as somebody
 * would do who wants to be believed. The format is in migrations/README.md.
 */
import { createHash } from "node:crypto";

const NULL_LENGTH = 0xffffffff;

function number(value) {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32LE(8, 0);
    bytes.writeBigInt64LE(BigInt(value), 4);
    return bytes;
}

function length(value) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
}

const numberOrNull = (value) => (value === null ? length(NULL_LENGTH) : number(value));

function text(value) {
    const bytes = Buffer.from(value ?? "", "utf8");
    return value === null ? length(NULL_LENGTH) : Buffer.concat([length(bytes.length), bytes]);
}

function hashOf(previous, match, record) {
    const { seq, epoch, turn, seat, command_id, kind, body, at } = record;
    return createHash("sha256")
        .update(previous)
        .update(number(match))
        .update(number(seq))
        .update(number(epoch))
        .update(numberOrNull(turn))
        .update(numberOrNull(seat))
        .update(text(command_id))
        .update(text(kind))
        .update(text(body))
        .update(number(at))
        .digest();
}

/* The file of one match, after `change(head, records)`. */
export function forge(file, change) {
    const [head, ...rest] = file
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const end = rest.pop();
    change(head, rest);
    let hash = Buffer.alloc(32);
    for (const record of rest) {
        hash = hashOf(hash, head.match, record);
        record.hash = hash.toString("hex");
    }
    head.head = hash.toString("hex");
    const lines = [head, ...rest].map((line) => `${JSON.stringify(line)}\n`).join("");
    end.end = head.match;
    end.sha256 = createHash("sha256").update(lines).digest("hex");
    return `${lines}${JSON.stringify(end)}\n`;
}

/* What a seat was told in this turn never happened: its orders are gone from the record of the turn. */
export const dropOrders = (turn, seat) => (head, records) => {
    const record = records.find((one) => one.kind === "turn" && one.turn === turn);
    const body = JSON.parse(record.body);
    body.commands[seat] = [];
    body.verdicts[seat] = [];
    record.body = JSON.stringify(body);
};
