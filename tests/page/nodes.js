/*
 * The client module against many nodes behind one address: it goes after matches that move, asks
 * elsewhere when a node dies, and never runs in circles.
 */
import assert from "node:assert/strict";
import { Connection } from "../../proto/js/client.js";
import { test } from "./harness.js";

const URL_OF_ALL = "ws://nodes/play/ws";
const soon = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/* Nodes, and the proxy in front of them: `/n/NAME/` is a node if it is up, anything else is any. */
class Nodes {
    constructor(...names) {
        this.up = new Set(names);
        this.sockets = new Set();
        this.owners = new Map(); /* match -> name; what is not here has no owner that is known */
        this.seqs = new Map();
        this.heard = []; /* "NAME type match" */
        const nodes = this;
        this.WebSocket = class extends Socket {
            constructor(url) {
                super(nodes, url);
            }
        };
    }

    connection(options = {}) {
        return new Connection({ url: URL_OF_ALL, token: "secret", WebSocket: this.WebSocket, ...options });
    }

    nodeOf(url) {
        const [, name] = /^ws:\/\/nodes\/n\/(\w+)\/$/.exec(url) ?? [];
        return this.up.has(name) ? name : [...this.up][0];
    }

    on(name) {
        return [...this.sockets].filter((socket) => socket.node === name);
    }

    /* The followers at the old place are told. */
    move(match, name) {
        const before = this.owners.get(match);
        this.owners.set(match, name);
        this.on(before).forEach(
            (socket) => socket.follows.delete(match) && socket.say({ type: "moved", match, path: `/n/${name}/` }),
        );
    }

    kill(name) {
        this.up.delete(name);
        this.on(name).forEach((socket) => socket.end());
    }

    turn(match) {
        const seq = (this.seqs.get(match) ?? 0) + 1;
        this.seqs.set(match, seq);
        this.on(this.owners.get(match))
            .filter((socket) => socket.follows.has(match))
            .forEach((socket) => socket.say({ type: "turn", match, seq }));
    }

    count(line) {
        return this.heard.filter((one) => one === line).length;
    }
}

class Socket {
    constructor(nodes, url) {
        this.nodes = nodes;
        this.url = url;
        this.readyState = 0;
        this.follows = new Set();
        setTimeout(() => {
            this.node = nodes.nodeOf(url);
            if (this.node === undefined) {
                this.end();
            } else if (this.readyState === 0) {
                this.readyState = 1;
                nodes.sockets.add(this);
                this.onopen();
            }
        });
    }

    send(message) {
        setTimeout(() => this.readyState === 1 && this.hear(JSON.parse(message)));
    }

    say(frame) {
        setTimeout(() => this.readyState === 1 && this.onmessage({ data: JSON.stringify(frame) }));
    }

    end() {
        this.close();
        setTimeout(() => this.onclose());
    }

    close() {
        this.readyState = 3;
        this.nodes.sockets.delete(this);
    }

    hear(frame) {
        const { type, id, match } = frame;
        const owner = this.nodes.owners.get(match);
        this.nodes.heard.push([this.node, type, ...(match === undefined ? [] : [match])].join(" "));
        if (type === "hello") {
            assert.equal(frame.token, "secret");
            this.say({ type: "welcome", id, player: 1, name: "alice", time_ms: Date.now() });
        } else if (owner !== undefined && owner !== this.node) {
            this.say({ type: "moved", id, match, path: `/n/${owner}/` });
        } else {
            this.answer(frame);
        }
    }

    answer({ type, id, match, seq, command_id }) {
        const last = this.nodes.seqs.get(match) ?? 0;
        if (type === "resume" || type === "watch") {
            this.follows.add(match);
        }
        if (type === "resume") {
            for (let missed = seq + 1; missed <= last; missed++) {
                this.say({ type: "turn", match, seq: missed });
            }
            this.say({ type: "done", id });
        } else if (type === "watch") {
            this.say({ type: "joined", id, match, seat: 0 });
            this.say({ type: "state", match, seq: last });
        } else if (type === "submit") {
            this.say({ type: "accepted", id, match, command_id });
        } else {
            this.say({ type: type === "ping" ? "pong" : "done", id });
        }
    }
}

/* What a client hears of turns; it must be each once and in order. */
function listen(server) {
    const seqs = new Map();
    const told = [];
    server.on("turn", ({ match, seq }) => {
        assert.equal(seq, (seqs.get(match) ?? 0) + 1, `match ${match}`);
        seqs.set(match, seq);
    });
    server.on("back", ({ match }) => told.push(`back ${match}`));
    server.on("status", ({ status }) => told.push(status));
    return { seqs, told };
}

async function until(isTrue, label) {
    for (let i = 0; i < 1500; i++) {
        if (isTrue()) {
            return;
        }
        await soon(10);
    }
    assert.fail(label);
}

const submit = (server, match) => server.request({ type: "submit", match, turn: 0, commands: [], command_id: "c" });

export function nodesTests() {
    test("one client plays two matches on two nodes, each on a connection of its own", async () => {
        const nodes = new Nodes("one", "two", "three");
        nodes.owners.set(7, "two").set(8, "three");
        const server = nodes.connection();
        const { seqs, told } = listen(server);
        await server.open();
        for (const match of [7, 8]) {
            await server.request({ type: "watch", match });
        }
        nodes.turn(7);
        nodes.turn(8);
        nodes.turn(8);
        await Promise.all([submit(server, 7), submit(server, 8)]);
        assert.deepEqual(
            [...seqs],
            [
                [7, 1],
                [8, 2],
            ],
        );
        assert.equal(nodes.count("two submit 7"), 1);
        assert.equal(nodes.count("three submit 8"), 1);
        assert.equal(nodes.count("one submit 7"), 0, "it knows where the match is");
        assert.deepEqual(told, ["connecting", "open"], "nothing was lost");
        assert.deepEqual(
            [...nodes.sockets].map(({ url }) => url),
            [URL_OF_ALL, "ws://nodes/n/two/", "ws://nodes/n/three/"],
        );
        server.close();
        assert.equal(nodes.sockets.size, 0);
    });

    test("a match that moves is followed, and every frame of it comes once", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(7, "one");
        const server = nodes.connection();
        const { seqs, told } = listen(server);
        await server.open();
        await server.request({ type: "watch", match: 7 });
        nodes.turn(7);
        await until(() => seqs.get(7) === 1);
        nodes.move(7, "two");
        nodes.turn(7); /* nobody follows it there yet */
        await until(() => told.includes("back 7"));
        nodes.turn(7);
        await until(() => seqs.get(7) === 3);
        nodes.move(7, "one");
        await until(() => told.filter((word) => word === "back 7").length === 2);
        nodes.turn(7);
        await until(() => seqs.get(7) === 4);
        assert.equal(server.status, "open");
        assert.deepEqual(told.filter((word) => word === "waiting").length, 2, "once for each move");
        server.close();
    });

    test("a request about a match that has moved is repeated there, also one that is not repeatable", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(7, "two");
        const server = nodes.connection();
        await server.open();
        assert.equal((await server.request({ type: "chat", match: 7, text: "hello" })).type, "done");
        assert.deepEqual(
            nodes.heard.filter((line) => line.includes("chat")),
            ["one chat 7", "two chat 7"],
        );
        server.close();
    });

    test("when a node dies its matches are asked for elsewhere, until another has them", async () => {
        const nodes = new Nodes("one", "two", "three");
        nodes.owners.set(7, "two").set(8, "three");
        const server = nodes.connection();
        const { seqs, told } = listen(server);
        await server.open();
        for (const match of [7, 8]) {
            await server.request({ type: "watch", match });
        }
        nodes.turn(7);
        await until(() => seqs.get(7) === 1);
        nodes.kill("two");
        const answer = submit(server, 7);
        await soon(1500); /* the others still name the dead one: a circle */
        assert.equal(server.status, "waiting");
        assert.ok(nodes.heard.filter((line) => line.endsWith("resume 7")).length < 10, "with pauses");
        nodes.turn(8);
        await until(() => seqs.get(8) === 1, "the other match goes on");
        nodes.owners.set(7, "three");
        nodes.turn(7);
        assert.equal((await answer).type, "accepted");
        await until(() => told.includes("back 7"));
        await until(() => seqs.get(7) === 2);
        assert.equal(server.status, "open");
        server.close();
    });

    test("when the node of the first connection dies, the matches of others go on meanwhile", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(7, "two").set(8, "one");
        const server = nodes.connection();
        const { seqs } = listen(server);
        await server.open();
        for (const match of [7, 8]) {
            await server.request({ type: "watch", match });
        }
        nodes.kill("one");
        await until(() => server.status === "waiting");
        nodes.turn(7);
        await until(() => seqs.get(7) === 1);
        assert.equal((await submit(server, 7)).type, "accepted");
        nodes.owners.set(8, "two");
        nodes.turn(8);
        await until(() => seqs.get(8) === 1);
        server.close();
    });

    test("a request in an endless circle is refused, and the match is still looked for", async () => {
        const nodes = new Nodes("one");
        nodes.owners.set(7, "two"); /* which never comes */
        const before = globalThis.setTimeout;
        globalThis.setTimeout = (act, ms, ...more) => before(act, ms / 50, ...more);
        try {
            const server = nodes.connection();
            await server.open();
            await assert.rejects(submit(server, 7), { name: "Refusal", code: "moved" });
            assert.equal(nodes.count("one submit 7"), 31);
            server.followed.set(7, 3);
            nodes.seqs.set(7, 3);
            nodes.move(7, "one");
            await server.request({ type: "resume", match: 7, seq: 3 });
            nodes.move(7, "two");
            await until(() => nodes.count("one resume 7") > 40);
            nodes.up.add("two");
            await until(() => server.status === "open");
            server.close();
        } finally {
            globalThis.setTimeout = before;
        }
    });

    test("a match that is nowhere for a moment is asked for anywhere", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(7, "two").set(8, "one");
        const server = nodes.connection();
        const { seqs, told } = listen(server);
        await server.open();
        for (const match of [7, 8]) {
            await server.request({ type: "watch", match });
            nodes.turn(match);
        }
        await until(() => seqs.get(7) === 1 && seqs.get(8) === 1);
        for (const [match, node] of [
            [7, "two"],
            [8, "one"],
        ]) {
            nodes.on(node).forEach((socket) => {
                if (socket.follows.delete(match)) {
                    socket.say({ type: "moved", match, path: "/" });
                }
            });
        }
        await until(() => told.includes("back 7") && told.includes("back 8"));
        nodes.turn(7);
        nodes.turn(8);
        await until(() => seqs.get(7) === 2 && seqs.get(8) === 2);
        assert.deepEqual(
            [...nodes.sockets].map(({ url }) => url),
            [URL_OF_ALL, "ws://nodes/n/two/"],
        );
        server.close();
    });

    test("a match that the queue finds on another node is followed there", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(9, "two");
        const server = nodes.connection();
        const { seqs } = listen(server);
        const found = [];
        server.on("found", ({ match }) => found.push(match));
        await server.open();
        nodes.on("one")[0].say({ type: "moved", match: 9, path: "/n/two/" });
        await until(() => nodes.count("two resume 9") === 1);
        nodes.turn(9);
        await until(() => seqs.get(9) === 1);
        assert.deepEqual(found, [9]);
        server.close();
    });

    test("a path of another address does not get the token", async () => {
        const nodes = new Nodes("one");
        const server = nodes.connection();
        await server.open();
        for (const path of ["//evil.example/", "/\\evil.example/", "wss://evil.example/", "n/two/"]) {
            nodes.on("one")[0].say({ type: "moved", match: 9, path });
        }
        await server.request({ type: "ping" });
        await soon(50);
        assert.deepEqual(
            [...nodes.sockets].map(({ url }) => url),
            [URL_OF_ALL],
        );
        server.close();
    });

    test("a connection to a node that has nothing for us any more is closed", async () => {
        const nodes = new Nodes("one", "two");
        nodes.owners.set(7, "two");
        const ticks = [];
        const before = globalThis.setInterval;
        globalThis.setInterval = (act) => {
            ticks.push(act);
            return before(() => {}, 1e6);
        };
        try {
            const server = nodes.connection();
            await server.open();
            await server.request({ type: "watch", match: 7 });
            ticks.forEach((tick) => tick());
            assert.equal(nodes.sockets.size, 2, "the match is followed");
            await soon(20); /* its state has come */
            await server.leave(7);
            ticks.forEach((tick) => tick());
            assert.equal(nodes.sockets.size, 1);
            server.close();
        } finally {
            globalThis.setInterval = before;
        }
    });
}
