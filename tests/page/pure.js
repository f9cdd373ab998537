/*
 * The parts that need no browser: patterns compared with the referee, texts for every verdict and reason,
 * clocks, and the client module.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { WebSocket } from "ws";
import { Connection, freshId, Refusal } from "../../proto/js/client.js";
import { get, getReplay } from "../../server/web/api.js";
import { SeatClock, tellTime } from "../../server/web/clock.js";
import { readFrame } from "../../server/web/create.js";
import { landings } from "../../server/web/halma.js";
import { text } from "../../server/web/language.js";
import { area, targets } from "../../server/web/patterns.js";
import { snarl } from "../../server/web/snarl.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";
import { NAMED_DUEL } from "./matches.js";

const SKIRMISH = process.env.SKIRMISH ?? "build/bin/skirmish";

function referee(...requests) {
    const input = requests.map((one) => JSON.stringify(one)).join("\n");
    return execFileSync(SKIRMISH, ["resolve"], { input, encoding: "utf8", maxBuffer: 1 << 26 })
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
}

const sorted = (cells) => cells.map(String).sort();

async function withDaemon(options, run) {
    const daemon = await Daemon.start(...options);
    try {
        await run(daemon.url.replace("http", "ws"));
    } finally {
        await daemon.stop();
    }
}

/* The socket of a server that accepts 100 frames per second and 5 at once. */
class Socket {
    constructor() {
        this.readyState = 0;
        setTimeout(() => {
            this.readyState = 1;
            this.onopen();
        });
    }

    send(message) {
        setTimeout(() => this.hear(JSON.parse(message)));
    }

    say(frame) {
        this.onmessage({ data: JSON.stringify(frame) });
    }

    answer({ type, id }) {
        const welcome = {
            type: "welcome",
            id,
            player: 1,
            name: "alice",
            time_ms: Date.now(),
            frames_per_second: 100,
            frames_burst: 5,
        };
        this.say(type === "hello" ? welcome : { type: "pong", id });
    }

    refuse({ id }, retry_ms) {
        this.say({ type: "error", id, code: "rate_limited", message: "too many frames", retry_ms });
    }

    close() {
        this.readyState = 3;
    }
}

/* Answers only the second hello. */
class Deaf extends Socket {
    static hellos = 0;

    hear(frame) {
        if (frame.type === "hello" && ++Deaf.hellos > 1) {
            this.answer(frame);
        }
    }
}

/* Reads everything at once from time to time. It limits frames as the daemon does. */
class Halting extends Socket {
    came = [];
    tokens = 5000;
    filledAt = Math.floor(performance.now());

    hear(frame) {
        this.came.push(frame);
        if (this.came.length === 1) {
            setTimeout(() => this.came.splice(0).forEach((one) => this.judge(one)), 100);
        }
    }

    judge(frame) {
        const now = Math.floor(performance.now());
        this.tokens = Math.min(5000, this.tokens + (now - this.filledAt) * 100);
        this.filledAt = now;
        if (this.tokens < 1000) {
            this.refuse(frame, Math.ceil((1000 - this.tokens) / 100));
        } else {
            this.tokens -= 1000;
            this.answer(frame);
        }
    }
}

/* Refuses the first ten frames after hello. */
class Refusing extends Socket {
    static waits_ms = [];
    static retry_ms = 10;

    hear(frame) {
        const now = performance.now();
        if (this.refusedAt !== undefined) {
            Refusing.waits_ms.push(now - this.refusedAt);
        }
        if (frame.type === "hello" || Refusing.waits_ms.length === 10) {
            this.answer(frame);
        } else {
            this.refusedAt = now;
            this.refuse(frame, Refusing.retry_ms);
        }
    }
}

export function pureTests(world) {
    test("targets and areas of every model are those of the referee", async () => {
        const params = {
            ...JSON.parse(execFileSync(SKIRMISH, ["params", "tactics"], { encoding: "utf8" })),
            placement: false,
        };
        const every = Array.from({ length: params.rows * params.cols }, (_, i) => [
            i % params.cols,
            Math.floor(i / params.cols),
        ]);
        const cases = params.units.flatMap((unit) =>
            [[4, 4], unit.at].flatMap((at) => every.map((target) => ({ unit: { ...unit, at }, target }))),
        );
        const answers = referee(
            ...cases.map(({ unit, target }) => ({
                ruleset: "tactics",
                params: {
                    ...params,
                    units: [
                        unit,
                        {
                            id: "z",
                            model: "guard",
                            seat: 1 - unit.seat,
                            at: [8, 8].every((n, i) => n === unit.at[i]) ? [0, 0] : [8, 8],
                        },
                    ],
                },
                commands:
                    unit.seat === 0
                        ? [[{ unit: unit.id, kind: "attack", target }], []]
                        : [[], [{ unit: unit.id, kind: "attack", target }]],
            })),
        );
        cases.forEach(({ unit, target }, i) => {
            const attacked = answers[i].events.find((event) => event.kind === "attacked");
            const label = `${unit.model} at ${unit.at} aims at ${target}`;
            assert.equal(
                targets(params, unit, "attack").some((cell) => String(cell) === String(target)),
                attacked !== undefined,
                label,
            );
            assert.deepEqual(sorted(area(params, unit, target)), sorted(attacked?.cells ?? []), label);
        });
    });

    test("areas of nested maps are those of the referee, whatever patterns are called", async () => {
        for (const [label, params] of [
            ["deep", NAMED_DUEL],
            [
                "flat",
                { ...NAMED_DUEL, patterns: { ...NAMED_DUEL.patterns, ["__proto__"]: { rows: [" o ", "   ", "   "] } } },
            ],
        ]) {
            for (const [unit, target] of [
                [params.units[0], [1, 3]],
                [params.units[2], [1, 1]],
            ]) {
                const commands = [0, 1].map((seat) =>
                    seat === unit.seat ? [{ unit: unit.id, kind: "attack", target }] : [],
                );
                const [answer] = referee({ ruleset: "tactics", params, commands });
                assert.deepEqual(
                    sorted(area(params, unit, target)),
                    sorted(answer.events.find((event) => event.kind === "attacked").cells),
                    label,
                );
            }
        }
    });

    test("every verdict and reason of every ruleset has words", async () => {
        const { rulesets } = await (await fetch(`${world.daemon.url}api/v1/rulesets`)).json();
        for (const { ruleset, verdicts, reasons } of rulesets) {
            assert.deepEqual(
                verdicts.filter((verdict) => !(verdict in text.verdicts)),
                [],
                ruleset,
            );
            assert.deepEqual(
                reasons.filter((reason) => !(reason in text.reasons)),
                [],
                ruleset,
            );
            assert.ok(ruleset in text.rulesets);
        }
    });

    test("every event of snarl has words, a locked exit too", async () => {
        const { rulesets } = await (await fetch(`${world.daemon.url}api/v1/rulesets`)).json();
        const { event } = rulesets.find(({ ruleset }) => ruleset === "snarl");
        const kinds = event.oneOf.map((one) => one.properties.kind.const);
        const scene = {
            params: { mode: "coop" },
            view: { heroes: [{ id: "ada", seat: 0 }] },
            players: [{ name: "alice" }],
        };
        assert.ok(kinds.includes("exit_locked"));
        for (const kind of kinds) {
            assert.notEqual(
                snarl.tellEvent({ kind, unit: "ada", by: "zombie-1", at: [1, 1], to: [1, 1], level: 1 }, scene),
                kind,
            );
        }
        assert.match(
            snarl.tellEvent({ kind: "exit_locked", unit: "ada", at: [1, 1] }, scene),
            /alice.*locked/,
            "by its player's name",
        );
        const twins = { ...scene, players: [{ name: "greedy bot" }, { name: "greedy bot" }] };
        assert.match(
            snarl.tellEvent({ kind: "took_key", unit: "ada" }, twins),
            /^greedy bot \(ada\) /,
            "one bot plays several",
        );
        assert.match(
            snarl.tellEvent(
                { kind: "expelled", unit: "ada", by: "zombie-1" },
                { ...scene, params: { mode: "versus" } },
            ),
            /ada.*zombie-1/,
            "one player has all heroes",
        );
    });

    test("a bot takes every seat besides the creator's", async () => {
        const seatsOf = (ruleset, fields) => {
            const form = new FormData();
            Object.entries({ opponent: "bot", level: "greedy", ...fields }).forEach((field) => form.set(...field));
            return readFrame(ruleset, form).seats.map((seat) => seat?.bot.level ?? null);
        };
        assert.deepEqual(seatsOf("halma", { seat: "first" }), [null, "greedy"]);
        assert.deepEqual(seatsOf("halma", { seat: "second" }), ["greedy", null]);
        assert.deepEqual(seatsOf("snarl", { mode: "coop", heroes: "1" }), [null]);
        assert.deepEqual(seatsOf("snarl", { mode: "coop", heroes: "4" }), [null, "greedy", "greedy", "greedy"]);
        assert.deepEqual(seatsOf("snarl", { mode: "versus", heroes: "4" }), [null, "greedy"]);
    });

    test("halma's landings: steps, jumps, and none for the damaged", async () => {
        const params = { size: 6 };
        const unit = { id: "a1", at: [0, 0], damage: 0 };
        const view = { units: [unit, { id: "b1", at: [1, 1], damage: 0 }] };
        const cases = [
            ["first", unit, [0, 0], true, ["0,0", "0,1", "1,0", "2,2"]],
            ["after a jump", unit, [2, 2], false, ["0,0"]],
            ["damaged", { ...unit, damage: 3 }, [0, 0], true, ["0,0", "0,1", "1,0"]],
        ];
        for (const [label, who, from, isFirst, expected] of cases) {
            assert.deepEqual(sorted(landings(params, view, who, from, isFirst)), expected, label);
        }
    });

    test("a clock uses the turn's time first, then the bank", async () => {
        const clock = new SeatClock();
        clock.set(70000, 60000, true, 1000);
        assert.deepEqual(clock.parts(6000), { turn_ms: 5000, bank_ms: 60000 });
        assert.deepEqual(clock.parts(31000), { turn_ms: 0, bank_ms: 40000 });
        clock.setRunning(false, 31000);
        assert.equal(clock.left(99000), 40000);
        const times = [
            [0, "0:00.0"],
            [9940, "0:09.9"],
            [10000, "0:10"],
            [65000, "1:05"],
            [3600000, "1:00:00"],
        ];
        for (const [ms, expected] of times) {
            assert.equal(tellTime(ms), expected);
        }
    });

    test("ids are fresh, also in Node 18, which has no global crypto", async () => {
        const crypto = Object.getOwnPropertyDescriptor(globalThis, "crypto");
        if (crypto !== undefined) {
            Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
        }
        const ids = Array.from({ length: 1000 }, freshId);
        if (crypto !== undefined) {
            Object.defineProperty(globalThis, "crypto", crypto);
        }
        assert.equal(new Set(ids).size, ids.length);
        assert.deepEqual(
            ids.filter((id) => !/^[0-9a-f]{24}$/.test(id)),
            [],
        );
    });

    test("the client module sends no faster than the server accepts", async () => {
        await withDaemon(["--frames-per-second", "100", "--frames-burst", "5"], async (url) => {
            const refusals = [];
            const server = new Connection({ url, name: world.name(), WebSocket });
            server.on("error", (frame) => refusals.push(frame));
            await server.open();
            await Promise.all(Array.from({ length: 30 }, () => server.request({ type: "ping" })));
            assert.deepEqual(refusals, []);
            server.close();
        });
    });

    test("the client module sends no faster than a server accepts that pauses from time to time", async () => {
        const refusals = [];
        const server = new Connection({ url: "ws://nowhere/", name: "alice", WebSocket: Halting });
        server.on("error", (frame) => refusals.push(frame));
        await server.open();
        await Promise.all(Array.from({ length: 30 }, () => server.request({ type: "ping" })));
        assert.deepEqual(refusals, []);
        server.close();
    });

    test("the client module waits as long as a refusal says, and tries again", async () => {
        const server = new Connection({ url: "ws://nowhere/", name: "alice", WebSocket: Refusing });
        await server.open();
        await server.request({ type: "ping" });
        assert.equal(Refusing.waits_ms.length, 10);
        assert.deepEqual(
            Refusing.waits_ms.filter((wait_ms) => wait_ms < Refusing.retry_ms),
            [],
        );
        server.close();
    });

    test("a request that is always refused is given up", async () => {
        Refusing.waits_ms = [];
        const server = new Connection({ url: "ws://nowhere/", name: "alice", WebSocket: Refusing, timeout_ms: 5 });
        await server.open();
        await assert.rejects(server.request({ type: "ping" }), { name: "Refusal", code: "rate_limited" });
        server.close();
    });

    test("connections of one player share its limit, and all requests are answered", async () => {
        await withDaemon(["--frames-per-second", "50", "--frames-burst", "5", "--account-factor", "1"], async (url) => {
            const refusals = [];
            const one = new Connection({ url, name: world.name(), WebSocket });
            const { token } = await one.open();
            const other = new Connection({ url, token, WebSocket });
            await other.open();
            for (const server of [one, other]) {
                server.on("error", (frame) => refusals.push(frame));
            }
            const pings = [one, other].flatMap((server) =>
                Array.from({ length: 10 }, () => server.request({ type: "ping" })),
            );
            await Promise.all(pings);
            assert.deepEqual(
                refusals.filter(
                    ({ code, id, retry_ms }) => code !== "rate_limited" || id === undefined || !(retry_ms > 0),
                ),
                [],
            );
            [one, other].forEach((server) => server.close());
        });
    });

    test("a request without an answer is given up, also a hello", async () => {
        const server = new Connection({ url: "ws://nowhere/", name: "alice", WebSocket: Deaf, timeout_ms: 20 });
        const waits = new Promise((resolve) => server.on("status", ({ status }) => status === "waiting" && resolve()));
        const opened = server.open();
        await waits;
        server.hurry();
        await opened;
        await assert.rejects(server.request({ type: "ping" }), { name: "Refusal", code: "timeout" });
        server.close();
    });

    test("HTTP requests of the page are repeated when the server says so, but not for ever", async () => {
        const before = { document: globalThis.document, fetch: globalThis.fetch };
        let asked = 0;
        const count =
            (answer) =>
            (...words) => {
                asked += 1;
                return answer(...words);
            };
        try {
            await withDaemon(["--http-rate", "1", "--http-burst", "1"], async (url) => {
                globalThis.document = { baseURI: url.replace("ws", "http") };
                globalThis.fetch = count(before.fetch);
                const answers = await Promise.all([get("matches"), get("matches")]);
                assert.deepEqual(
                    answers.map(({ matches }) => matches),
                    [[], []],
                );
                assert.ok(asked > 2, "the second was refused at first");
            });
            for (const [status, retryAfter, tries] of [
                [429, "0", 4],
                [503, "0", 4],
                [429, "3600", 1],
                [503, undefined, 1],
                [404, "0", 1],
            ]) {
                asked = 0;
                const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
                globalThis.fetch = count(
                    () =>
                        new Response(JSON.stringify({ error: { code: "rate_limited", message: "too much" } }), {
                            status,
                            headers,
                        }),
                );
                await assert.rejects(get("matches"), { status, code: "rate_limited", message: "too much" });
                assert.equal(asked, tries, `${status}, Retry-After: ${retryAfter}`);
            }
        } finally {
            Object.assign(globalThis, before);
        }
    });

    test("a replay is read page by page, for any length of pages", async () => {
        const before = { document: globalThis.document, fetch: globalThis.fetch };
        const pages = {
            "": [{ id: 1, next: 0 }, { turn: 0 }],
            0: [{ id: 1, next: 2 }, { turn: 1 }, { turn: 2 }],
            2: [{ id: 1, next: null }, { turn: 3 }],
        };
        globalThis.document = { baseURI: "http://localhost/" };
        globalThis.fetch = (url) =>
            new Response(pages[url.searchParams.get("after") ?? ""].map((line) => JSON.stringify(line)).join("\n"));
        try {
            assert.deepEqual(
                (await getReplay(1)).map(({ turn }) => turn),
                [undefined, 0, 1, 2, 3],
            );
        } finally {
            Object.assign(globalThis, before);
        }
    });

    test("the client module plays a match, and refusals are thrown", async () => {
        const url = world.daemon.url.replace("http", "ws");
        const server = new Connection({ url, name: world.name(), WebSocket });
        const { token } = await server.open();
        const { match } = await server.request({ type: "create", ruleset: "tactics", clock: null });
        await assert.rejects(
            server.request({ type: "hints", match }),
            (error) => error instanceof Refusal && error.code === "match_not_started",
        );
        const other = new Connection({ url, name: world.name(), WebSocket });
        await other.open();
        const turned = new Promise((resolve) => other.on("turn", resolve));
        await other.request({ type: "join", match });
        for (const [who, id] of [
            [server, freshId()],
            [other, freshId()],
        ]) {
            await who.request({ type: "submit", match, turn: 0, commands: [], command_id: id });
        }
        assert.equal((await turned).turn, 1);
        const again = new Connection({ url, token, WebSocket });
        assert.equal((await again.open()).token, undefined);
        again.close();
        assert.equal((await again.open()).name, server.name, "it can be opened again");
        await assert.rejects(new Connection({ url, token: "0".repeat(64), WebSocket }).open(), { code: "bad_token" });
        [server, other, again].forEach((connection) => connection.close());
    });
}
