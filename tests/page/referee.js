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
import { Bot, connect, freshId, Game, Proof, Referee, RUNNING } from "../../proto/js/index.js";
import { choose } from "../../proto/js/examples/tactics.js";
import { forge, dropOrders } from "./forge.js";
import { test } from "./harness.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const GOLDEN = join(HERE, "..", "golden");
const PACKAGE = resolve(dirname(process.env.SKIRMISHD ?? "build/release/bin/skirmishd"), "..", "js");
const MODULE = join(PACKAGE, "skirmish.wasm");
const GAME_MODULE = join(PACKAGE, "skirmish-game.wasm");
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
const loadGame = (ruleset, options) => Game.load(ruleset, { source: readFileSync(GAME_MODULE), ...options });

const seedOf = (digits = "") =>
    Uint8Array.from({ length: 32 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2) || "0", 16));

/* An id that the match does not have fits no row; a command with one changes nothing but its own verdict. */
function stepGolden(game, commands) {
    const fits = (list, seat) => {
        try {
            game.judge(seat, list);
            return true;
        } catch (error) {
            assert.match(error.message, /does not fit a row/);
            return false;
        }
    };
    game.step(commands.map((list, seat) => (fits(list, seat) ? list : [])));
}

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

    test("the modules are small enough for a page", () => {
        for (const module of [MODULE, GAME_MODULE]) {
            const packed = gzipSync(readFileSync(module), { level: 9 }).length;
            assert.ok(packed <= MODULE_BYTES_MAX, `${module}: ${packed} bytes, ${MODULE_BYTES_MAX} are allowed`);
            assert.ok(statSync(module).size > packed);
        }
    });

    test("a view gives the hints of its seat, and params may be JSON", async () => {
        const referee = await load();
        const kinds = new Set();
        for (const { name, request } of goldenTurns()) {
            const { ruleset, version, params } = request;
            for (const seat of [0, 1]) {
                const view = referee.look(request, seat);
                const seen = { ruleset, version, params: JSON.stringify(params), view };
                if (ruleset === "snarl") {
                    assert.throws(() => referee.hints(seen, seat), { code: "invalid_state", at: "/view" });
                } else {
                    const { turn, commands } = referee.hints(request, seat);
                    assert.deepEqual(referee.hints(seen, seat), { turn, commands }, `${name}, turn ${turn}`);
                    commands.forEach(({ kind }) => kinds.add(`${ruleset} ${kind}`));
                }
            }
        }
        assert.ok(kinds.size > 5, [...kinds].join());
        const request = { ruleset: "tactics", params: referee.params("tactics") };
        const answer = referee.resolve(request);
        assert.deepEqual(referee.resolve({ ...request, params: JSON.stringify(request.params) }), answer);
        assert.deepEqual(JSON.parse(referee.resolveText(JSON.stringify(request))), answer);
        assert.throws(() => referee.resolveText({ ...request, params: "{" }), { code: "malformed" });
    });

    test("the golden matches come to the same hashes as rows of numbers", async () => {
        let game;
        for (const { name, request, answer } of goldenTurns()) {
            if (request.state === undefined) {
                const { ruleset, params, version, seed } = request;
                game = await loadGame(ruleset, { params, version, slots: 8 });
                game.reset(0, seedOf(seed));
            }
            stepGolden(game, request.commands);
            assert.equal(game.hash(), answer.hash, `${name}, turn ${request.turn ?? 0}`);
            assert.deepEqual(game.owing(), answer.outcome === null ? answer.owing : []);
        }
    });

    test("many matches are played by numbers or rows, saved and judged", async () => {
        const game = await loadGame("tactics", { count: 3 });
        const same = await loadGame("tactics", { count: 3, masks: false });
        for (let turn = 0; turn < 30; turn++) {
            for (let place = 0; place < game.actions.length; place++) {
                const hints = game.hints(place % game.seats, Math.floor(place / game.seats));
                const mask = game.masks.subarray(place * game.actionCount, (place + 1) * game.actionCount);
                assert.equal(mask.filter((bit) => bit === 1).length, 1 + hints.length);
                const allowed = [...mask.keys()].filter((number) => mask[number] === 1);
                game.actions[place] = allowed[(7 * turn + 5 * place) % allowed.length];
            }
            same.actions.set(game.actions);
            assert.equal(game.play(), same.play());
            assert.deepEqual(game.observations, same.observations);
            assert.equal(game.hash(2), same.hash(2));
        }
        assert.equal(same.masks.length, 0);
        assert.notEqual(game.hash(0), game.hash(1));
        game.load(game.save(1), 0);
        assert.equal(game.hash(0), game.hash(1));
        const width = game.observationWidth * game.seats;
        assert.deepEqual(game.observations.slice(0, width), game.observations.slice(width, 2 * width));
        const before = game.hash();
        const [hint] = game.hints(0);
        assert.deepEqual([game.judge(0, [hint]), game.hash()], [["ok"], before]);
        assert.equal(game.view(1).seat, 1);

        const paths = await loadGame("halma", { count: 2 });
        assert.equal(paths.actionCount, 0);
        assert.throws(() => paths.play(), { code: "malformed" });
        const [seat] = paths.owing(1);
        const at = (paths.seats + seat) * paths.actionWidth;
        paths.rows.set(paths.hintRows(seat, 1, 1), at);
        assert.equal(paths.playRows(), 0);
        assert.deepEqual([paths.turn(0), paths.turn(1), paths.outcomes[1]], [1, 1, RUNNING]);
        assert.notEqual(paths.hash(0), paths.hash(1), "one has moved, the other waited");
    });

    test("a game refuses what is wrong and changes nothing", async () => {
        await assert.rejects(loadGame("chess"), { code: "unknown_ruleset" });
        await assert.rejects(loadGame("tactics", { params: { rows: 2 } }), { code: "malformed", at: "/rows" });
        const game = await loadGame("tactics");
        const before = game.hash();
        assert.throws(() => game.step([[{ kind: "fly" }], []]), { code: "malformed", at: "/0/0/kind" });
        assert.throws(() => game.step([[]]), RangeError);
        assert.throws(() => game.hash(1), RangeError);
        assert.throws(() => game.reset(0, new Uint8Array(31)), RangeError);
        assert.throws(() => game.judge(2, []), { code: "malformed" });
        for (const seat of [2, 256, -1, 2 ** 32, 0.5, NaN, "", null, undefined]) {
            assert.throws(() => game.view(seat), { code: "malformed" }, `view of ${seat}`);
            assert.throws(() => game.hints(seat), { code: "malformed" }, `hints of ${seat}`);
            assert.throws(() => game.hintRows(seat, 1), { code: "malformed" }, `rows of ${seat}`);
            assert.throws(() => game.judge(seat, []), { code: "malformed" }, `verdicts of ${seat}`);
        }
        for (const most of [2 ** 28 - 1, 2 ** 28, 2 ** 30, 2 ** 32, 2 ** 32 + 1]) {
            assert.throws(() => game.hintRows(0, most), { code: "too_large" }, `${most} rows`);
            assert.equal(game.hintRows(0, 1).length, game.actionWidth, `after ${most} rows`);
        }
        for (const most of [-1, 0.5, NaN, Infinity]) {
            assert.throws(() => game.hintRows(0, most), RangeError, `${most} rows`);
        }
        for (const options of [{ count: 2 ** 32 + 1 }, { slots: 2 ** 32 + 1 }]) {
            await assert.rejects(loadGame("tactics", options), { code: "too_large" });
        }
        assert.throws(() => game.load(new Uint8Array(50)), { code: "malformed" });
        game.actions[0] = game.actionCount;
        assert.throws(() => game.play(), { code: "malformed" });
        assert.equal(game.hash(), before);
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
        for (const seat of [2, 254, 256, 257, -1, -256, 2 ** 32, 2 ** 32 + 1, 0.5, NaN, "", "x", null, undefined]) {
            assert.throws(() => referee.hints(request, seat), { code: "malformed" }, `hints of ${seat}`);
            assert.throws(() => referee.look(request, seat), { code: "malformed" }, `view of ${seat}`);
        }
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
        assert.equal(proof.moment("1").view.seat, 1);
        for (const seat of [256, 2 ** 32, -1, 0.5, "x"]) {
            assert.throws(() => proof.moment(seat), { code: "malformed" }, `moment of ${seat}`);
        }
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
                'import { Game, Referee } from "skirmish"; const game = await Game.load("racers");' +
                    "console.log((await Referee.load()).rulesets().length, game.play());",
            );
            const hasBun = spawnSync("bun", ["--version"]).status === 0;
            for (const program of [process.execPath, ...(hasBun ? ["bun"] : [])]) {
                assert.equal(run(program, "main.js"), "4 0\n");
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
