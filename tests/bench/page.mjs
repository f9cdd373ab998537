/*
 * The page while it animates, and over a long replay: node tests/bench/page.mjs [TURNS]
 *
 * Plays a match of TURNS turns (default 500) with every unit commanded, opens its replay in Chromium, and
 * prints frames per second while turns are animated at their usual speed, and the memory of the page before
 * and after all turns.
 */
import { execFileSync } from "node:child_process";
import { Connection, freshId } from "../../proto/js/client.js";
import { launch, Person, WebSocket } from "../page/browser.js";
import { Daemon } from "../page/daemon.js";

const TURNS = Number(process.argv[2] ?? 500);
const WATCHED_MS = 20000; /* of animation, for the frame rate */
const FAST = 100;

/* Nobody dies: the whole roster is on the board to the end. */
function longParams() {
    const params = JSON.parse(
        execFileSync(process.env.SKIRMISH ?? "build/bin/skirmish", ["params", "tactics"], { encoding: "utf8" }),
    );
    const models = Object.fromEntries(
        Object.entries(params.models).map(([name, model]) => [name, { ...model, health: 10000, power: 1 }]),
    );
    return { ...params, models, placement: false, turn_limit: TURNS };
}

/* A command for each unit, another one every turn. */
function pick(commands, turn) {
    const byUnit = new Map();
    for (const command of commands) {
        byUnit.set(command.unit, [...(byUnit.get(command.unit) ?? []), command]);
    }
    return [...byUnit.values()].map((options, i) => options[(turn * 7 + i * 13) % options.length]);
}

async function playLong(url) {
    const players = ["first", "second"].map((name) => new Connection({ url, name, WebSocket }));
    await Promise.all(players.map((player) => player.open()));
    const over = new Promise((resolve) => players[0].on("over", resolve));
    for (const player of players) {
        player.on("frame", async ({ type, match, turn_open }) => {
            if (["state", "turn"].includes(type) && turn_open) {
                const { commands } = await player.request({ type: "hints", match });
                await player.request({
                    type: "submit",
                    match,
                    turn: turn_open.turn,
                    commands: pick(commands, turn_open.turn),
                    command_id: freshId(),
                    ready: true,
                });
            }
        });
    }
    const { match } = await players[0].request({
        type: "create",
        ruleset: "tactics",
        params: longParams(),
        clock: null,
    });
    players[0].on("seated", () => players[0].request({ type: "resume", match, seq: 0 }));
    await players[1].request({ type: "join", match });
    await over;
    players.forEach((player) => player.close());
    return match;
}

/* Times between frames while the replay plays. */
async function frames(page, watched_ms) {
    return page.evaluate(
        (length_ms) =>
            new Promise((resolve) => {
                const times = [];
                const first = performance.now();
                requestAnimationFrame(function next(now) {
                    times.push(now);
                    now - first < length_ms
                        ? requestAnimationFrame(next)
                        : resolve(times.slice(1).map((time, i) => time - times[i]));
                });
            }),
        watched_ms,
    );
}

async function memory(person, devtools) {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name) => metrics.find((metric) => metric.name === name).value;
    return { heap: value("JSHeapUsedSize") / 1e6, nodes: value("Nodes") };
}

async function setSpeed(page, speed) {
    await page.evaluate((to) => localStorage.setItem("skirmish.speed", String(to)), speed);
    await page.reload();
    await page.getByText(/\(last: \d+\)$/).waitFor();
}

const daemon = await Daemon.start();
const browser = await launch();
const match = await playLong(daemon.url.replace("http", "ws"));
const person = await Person.arrive(browser, daemon, { at: `${daemon.url}#/replay/${match}` });
const devtools = await person.context.newCDPSession(person.page);
await devtools.send("Performance.enable");

await setSpeed(person.page, 1);
await person.button("Play").click();
const gaps = (await frames(person.page, WATCHED_MS)).sort((a, b) => a - b);
const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
console.log(
    `frames while animating: ${(1000 / mean).toFixed(1)} per second; ` +
        `half of the gaps are under ${gaps[Math.floor(gaps.length / 2)].toFixed(1)} ms, ` +
        `99% under ${gaps[Math.floor(gaps.length * 0.99)].toFixed(1)} ms`,
);

await setSpeed(person.page, FAST);
await person.button("To the start").click();
const before = await memory(person, devtools);
await person.button("Play").click();
await person.page.getByText(`Turn ${TURNS} (last: ${TURNS})`).waitFor({ timeout: 900000 });
const after = await memory(person, devtools);
console.log(
    `a replay of ${TURNS} turns: heap ${before.heap.toFixed(1)} MB at its start, ` +
        `${after.heap.toFixed(1)} MB at its end; ${before.nodes} and ${after.nodes} nodes`,
);
await browser.close();
await daemon.stop();
