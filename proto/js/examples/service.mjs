#!/usr/bin/env node
/*
 * my_bot plays tactics as a web service: every unit attacks an enemy that it reaches, or else moves closer to one.
 *
 *   node my_bot.mjs 8001
 */
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import process from "node:process";

const far = ([x, y], enemies) => Math.min(...enemies.map(([a, b]) => Math.max(Math.abs(a - x), Math.abs(b - y))));

/* `hints` has every command that is allowed; what is returned is played, at most one per unit. */
function onTurn(view, hints) {
    const enemies = view.units.filter((unit) => unit.seat !== view.seat).map((unit) => unit.at);
    const rank = ({ kind, target }) => (kind === "attack" ? 0 : 1000) + far(target, enemies);
    const chosen = new Map();
    const cells = new Set();
    for (const hint of [...hints].sort((a, b) => rank(a) - rank(b))) {
        const isUseful = hint.kind === "move" || far(hint.target, enemies) === 0;
        if (isUseful && !chosen.has(hint.unit) && !cells.has(String(hint.target))) {
            chosen.set(hint.unit, hint);
            cells.add(String(hint.target));
        }
    }
    return [...chosen.values()];
}

/* Servers POST a question for each turn; a GET asks which rulesets the bot plays. */
function answer(request, body) {
    if (request.method !== "POST") {
        return [200, { rulesets: ["tactics"] }];
    }
    try {
        const { view, hints } = JSON.parse(body);
        return [200, { commands: onTurn(view, hints) }];
    } catch (error) {
        return [400, { error: String(error) }];
    }
}

const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
        const [status, value] = answer(request, Buffer.concat(parts).toString());
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    });
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}/`);
});
