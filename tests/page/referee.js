/*
 * The referee as WebAssembly: the golden matches, files that hold and files that lie, the types, the package, and
 * a bot that plays.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { Bot, connect, freshId, Proof, Referee } from "../../proto/js/index.js";
import { choose } from "../../proto/js/examples/tactics.js";
import { forge, dropOrders } from "./forge.js";
import { test } from "./harness.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const GOLDEN = join(HERE, "..", "golden");
const PACKAGE = resolve(dirname(process.env.SKIRMISHD ?? "build/release/bin/skirmishd"), "..", "js");
const MODULE = join(PACKAGE, "skirmish.wasm");
const MODULE_BYTES_MAX = 80 * 1024;
const OLD_MATCH = readFileSync(join(HERE, "..", "data", "snarl-version-1.jsonl"), "utf8");

/* Of every golden match: its requests, and what was answered when it was recorded. */
export function goldenTurns() {
    return readdirSync(GOLDEN)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => {
            const [head, ...turns] = readFileSync(join(GOLDEN, name), "utf8")
                .trim()
                .split("\n")
                .map((line) => JSON.parse(line));
            return turns.map(({ commands, answer }, i) => {
                const { state, turn } = turns[i - 1]?.answer ?? {};
                return { name, request: { ...head, state, turn, commands }, answer };
            });
        });
}

const load = () => Referee.load(readFileSync(MODULE));

function failure(referee, file) {
    let turns = 0;
    try {
        for (const { step } of referee.prove(file)) {
            turns += step === "turn" ? 1 : 0;
        }
    } catch (error) {
        return { code: error.code, at: error.at, turn: error.turn, turns };
    }
    return { turns };
}

function inTemporary(run) {
    const folder = mkdtempSync(join(tmpdir(), "skirmish-"));
    try {
        run(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

export function refereeTests(world) {
    test("the golden matches come to the same answers in Node", async () => {
        const referee = await load();
        for (const { name, request, answer } of goldenTurns()) {
            assert.deepEqual(referee.resolve(request), answer, `${name}, turn ${request.turn ?? 0}`);
        }
    });

    test("the module is small enough for a page", () => {
        const packed = gzipSync(readFileSync(MODULE), { level: 9 }).length;
        assert.ok(packed <= MODULE_BYTES_MAX, `${packed} bytes, ${MODULE_BYTES_MAX} are allowed`);
        assert.ok(statSync(MODULE).size > packed);
    });

    test("the referee answers, refuses and looks as the program does", async () => {
        const referee = await load();
        assert.deepEqual(
            referee.rulesets().map(({ name }) => name),
            ["halma", "racers", "snarl", "tactics"],
        );
        const request = { ruleset: "tactics", params: referee.params("tactics") };
        assert.equal(referee.look(request, 1).seat, 1);
        assert.equal(referee.look(request, "spectator").seat, null);
        const { turn, commands } = referee.hints(request, 0);
        assert.equal(turn, 0);
        const { verdicts } = referee.resolve({ ...request, commands: [commands.slice(0, 1), []] });
        assert.deepEqual(verdicts, [[{ verdict: "ok" }], []]);
        assert.ok("$defs" in referee.schema("halma") || Object.keys(referee.schema("halma")).length > 3);
        assert.throws(() => referee.params("tactics", { rows: 2 }), { code: "malformed", at: "/rows" });
        assert.throws(() => referee.resolve("{"), { code: "malformed" });
        assert.throws(() => referee.hints(request, 2), /no such seat/);
        assert.throws(() => referee.schema("chess"), { code: "unknown_ruleset" });
    });

    test("a match file is proven turn by turn, and shows its moments", async () => {
        const referee = await load();
        const steps = [...referee.prove(OLD_MATCH)];
        assert.deepEqual(
            steps.map(({ step }) => step),
            ["match", "start", ...Array(6).fill("turn"), "over"],
        );
        assert.equal(steps[0].version, 1, "an old version of its ruleset");
        const proof = new Proof(referee, OLD_MATCH);
        proof.next();
        assert.throws(() => proof.moment(), { code: "malformed" });
        proof.next();
        assert.equal(proof.moment().turn, 0);
        assert.equal(proof.moment(1).view.seat, 1);
        proof.close();
    });

    test("a file that lies is refused, and the turn is named", async () => {
        const referee = await load();
        assert.deepEqual(failure(referee, OLD_MATCH), { turns: 6 });
        assert.deepEqual(
            failure(
                referee,
                forge(OLD_MATCH, () => {}),
            ),
            { turns: 6 },
            "the forger knows the format",
        );

        const changed = OLD_MATCH.replace('"turn":3,"seat":null', '"turn":3,"seat":0');
        assert.deepEqual(failure(referee, changed), { code: "differs", at: "/hash", turn: 3, turns: 0 });

        const { code, turn, turns } = failure(referee, forge(OLD_MATCH, dropOrders(2, 0)));
        assert.deepEqual({ code, turn, turns }, { code: "differs", turn: 2, turns: 2 });

        const reseeded = forge(OLD_MATCH, (head) => {
            head.seed = "00".repeat(32);
        });
        assert.match(failure(referee, reseeded).at, /commitment$/);
        assert.equal(failure(referee, OLD_MATCH.slice(0, -200)).turns, 0, "cut");
        assert.deepEqual(failure(referee, ""), { code: "malformed", at: "", turn: null, turns: 0 });
    });

    test("npm installs the package, and its types hold", () => {
        inTemporary((folder) => {
            const run = (command, ...words) => {
                const done = spawnSync(command, words, { cwd: folder, encoding: "utf8" });
                assert.equal(done.status, 0, done.stdout + done.stderr);
                return done.stdout;
            };
            writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
            run("npm", "install", "--offline", "--no-audit", "--no-fund", PACKAGE);
            writeFileSync(
                join(folder, "main.js"),
                'import { Referee } from "skirmish"; console.log((await Referee.load()).rulesets().length);',
            );
            const hasBun = spawnSync("bun", ["--version"]).status === 0;
            for (const program of [process.execPath, ...(hasBun ? ["bun"] : [])]) {
                assert.equal(run(program, "main.js"), "4\n");
            }
            writeFileSync(join(folder, "main.ts"), readFileSync(join(HERE, "types.ts")));
            const tsc = join(HERE, "node_modules", "typescript", "bin", "tsc");
            const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"];
            run(process.execPath, tsc, ...options, "--module", "nodenext", "main.ts");
        });
    });

    test("a bot in JavaScript beats random", async () => {
        const url = world.daemon.url.replace("http", "ws");
        const bot = new Bot({ url, name: world.name(), WebSocket, choose });
        await bot.open();
        let won = 0;
        for (let played = 0; played < 9; played++) {
            const { seat, outcome } = await bot.play({
                type: "create",
                ruleset: "tactics",
                params: { placement: false },
                clock: null,
                seats: [null, { bot: { level: "random" } }],
            });
            won += outcome.winner === seat;
        }
        bot.close();
        assert.ok(won >= 5, `won ${won} of 9`);
    });

    test("a bot answers an offer of a draw", async () => {
        const url = world.daemon.url.replace("http", "ws");
        const person = await connect({ url, name: world.name(), WebSocket });
        for (const [accept, reason] of [
            [true, "draw_agreed"],
            [false, "resignation"],
        ]) {
            const { match } = await person.request({ type: "create", ruleset: "halma", clock: null });
            const opened = new Promise((resolved) => {
                person.on("seated", (frame) => frame.match === match && frame.turn_open && resolved());
            });
            const bot = new Bot({ url, name: world.name(), WebSocket, choose: () => [], agree: () => accept });
            await bot.open();
            const played = bot.play({ type: "join", match });
            await opened;
            const declined = new Promise((resolved) => {
                person.on("draw", (frame) => frame.match === match && frame.offer === "declined" && resolved());
            });
            await person.request({ type: "offer_draw", match });
            if (!accept) {
                await declined;
                await person.request({ type: "resign", match, command_id: freshId() });
            }
            assert.equal((await played).outcome.reason, reason);
            bot.close();
        }
        person.close();
    });

    test("the example bot is a program", async () => {
        const url = world.daemon.url.replace("http", "ws");
        assert.throws(
            () =>
                execFileSync(process.execPath, ["proto/js/examples/tactics.js", url, "x", "999999"], { stdio: "pipe" }),
            /unknown_match|no such match|999999|does not exist/i,
        );
    });
}
