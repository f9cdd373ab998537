/*
 * A tactics bot: node proto/js/examples/tactics.js ws://127.0.0.1:7777/ NAME [MATCH]
 *
 * Joins the match, or waits in the queue for one. Every unit attacks if it can, else it moves towards an enemy.
 */
import process from "node:process";
import { Bot } from "../index.js";

const distance = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));

/* At most one command per unit, no two of them to one cell. */
export function choose({ view, seat, hints }) {
    const enemies = view.units.filter((unit) => unit.seat !== seat).map((unit) => unit.at);
    const near = ({ target }) => Math.min(...enemies.map((at) => distance(at, target)));
    const worth = (hint) => (hint.kind !== "attack" ? 100 - near(hint) : near(hint) === 0 ? 200 : -1);
    const orders = new Map();
    const taken = new Set();
    for (const hint of [...hints].sort((a, b) => worth(b) - worth(a))) {
        const goes = hint.kind !== "attack";
        if (worth(hint) > 0 && !orders.has(hint.unit) && !(goes && taken.has(String(hint.target)))) {
            orders.set(hint.unit, hint);
            goes && taken.add(String(hint.target));
        }
    }
    return [...orders.values()];
}

if (import.meta.url === new URL(process.argv[1], "file:").href) {
    const [url, name, match] = process.argv.slice(2);
    const bot = new Bot({ url, name, choose });
    await bot.open();
    const { seat, outcome } = await bot.play(
        match === undefined ? { type: "queue", ruleset: "tactics" } : { type: "join", match: Number(match) },
    );
    console.log(outcome.winner === seat ? "won" : "did not win", outcome.reason);
    bot.close();
}
