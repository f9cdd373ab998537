/*
 * A connection to a Skirmish server that survives the network: for pages, bots and tests.
 *
 *   const server = new Connection({ url: "ws://127.0.0.1:7777/", name: "alice" });
 *   const welcome = await server.open();            // welcome.token is the player: keep it
 *   server.on("turn", (frame) => ...);              // every frame, by its type
 *   const { matches } = await server.request({ type: "list" });
 *
 * A request is answered by exactly one frame; an `error`, or no answer in time, is thrown as a Refusal. It
 * sends no faster than the server accepts. When the connection is lost it connects again, says hello with the
 * token, resumes every match it follows after the last `seq` it has seen, and repeats the requests that may
 * be repeated. A server may be many nodes behind one address: then it has a link, which is one socket, to any
 * of them and one to each that has a match of it, and follows a match that moves. README.md describes all of
 * it.
 */

export const PROTOCOL = 1;
export const SUBPROTOCOL = "skirmish.v1";

const RETRY_MIN_MS = 400;
const RETRY_MAX_MS = 8000;
const MOVES_FREE = 3; /* of a match without a pause, until it is followed again */
const MOVES_MAX = 30; /* of one request; then it is refused with the code `moved` */
const MOVE_PAUSE_MS = 1000; /* at most, and half of it at least */
const RETRY_TRIES = 6; /* of one request that was refused by one of PASSING, except rate_limited */
const TIMEOUT_MS = 30000; /* of one try; the default */
const SILENCE_MS = 25000; /* then a ping is sent; after as long again it is lost */
const ANYWHERE = "/"; /* the path of a match that no node is known to have */
const UNLIMITED = 1e9;
const PACE_MARGIN = 1.01; /* clocks differ slightly */
const CLOCKS_MS = 2; /* both clocks may count whole milliseconds only */

/* These may be repeated: they change nothing, or have a command_id. */
const REPEATABLE = new Set([
    "list",
    "hints",
    "what_if",
    "submit",
    "withdraw",
    "resign",
    "watch",
    "resume",
    "ping",
    "mute",
]);

/* Nothing was done; a retry may succeed. */
const PASSING = new Set(["busy", "store_unavailable", "rate_limited"]);

/* The match cannot be followed any more. */
const GONE = new Set(["unknown_match", "not_in_match", "quarantined", "pruned"]);

/* It shall be followed, and could not be so far. */
const LATER = new Set([...PASSING, "timeout", "moved"]);

/* Its answer means that the match is followed. */
const isFollowing = (frame) =>
    frame.type === "resume" || frame.type === "join" || (frame.type === "watch" && frame.ms_per_turn === undefined);

/* What the server refused: `code` for programs, `message` for people. */
export class Refusal extends Error {
    constructor(frame) {
        super(frame.message);
        this.name = "Refusal";
        this.code = frame.code;
        this.at = frame.at;
        this.check = frame.check;
        this.retry_ms = frame.retry_ms;
        this.frame = frame;
    }
}

const lost = () => new Refusal({ code: "connection_lost", message: "The connection was lost." });
const astray = () => new Refusal({ code: "moved", message: "The match moved from server to server." });
const late = () => new Refusal({ code: "timeout", message: "The server did not answer in time." });

/* Random, because all clients of a dead server fail at once. */
const pauseOf = (most_ms) => Math.round(most_ms / 2 + (Math.random() * most_ms) / 2);

/* A path of the same address: `//` would name another, which must not get the token. */
const isPath = (path) => /^\/(?![/\\])/.test(path);

/*
 * An id that nobody has used: for `command_id`.  It need not be secret, and Node 18 has no global
 * `crypto`.
 */
export function freshId() {
    const part = () =>
        Math.floor(Math.random() * 2 ** 48)
            .toString(16)
            .padStart(12, "0");
    return part() + part();
}

/*
 * Limits frames to what the server accepts from one connection, as given in `welcome`.
 *
 * The server may read a frame at any time until its answer arrives, and may read frames at once
 * that were sent one after the other.  So a frame takes a token when it is sent, and the token
 * starts to come back when it is answered: the server never counts fewer tokens than this class.
 */
class Pace {
    constructor() {
        this.learn(UNLIMITED, UNLIMITED);
    }

    /* Called with the answer to `hello`. */
    learn(perSecond, burst) {
        this.interval_ms = (1000 / perSecond) * PACE_MARGIN;
        this.burst = burst;
        this.unanswered = 1;
        this.fullAt = 0; /* when all tokens are back, except those of unanswered frames */
        this.answered();
    }

    sent() {
        this.unanswered += 1;
    }

    answered() {
        this.unanswered -= 1;
        this.fullAt = Math.max(this.fullAt, performance.now() + CLOCKS_MS) + this.interval_ms;
    }

    /* The server's count is right, because other connections may share the limit: the next token
     * comes after `wait_ms`. */
    refused(wait_ms) {
        this.unanswered -= 1;
        this.fullAt = Math.max(this.fullAt, performance.now() + wait_ms + (this.burst - 1) * this.interval_ms);
    }

    /* The time until there is a token: 0 = now, Infinity = not before an answer. */
    wait_ms() {
        const others = this.burst - 1 - this.unanswered;
        return others < 0
            ? Infinity
            : Math.max(0, Math.ceil(this.fullAt - performance.now() - others * this.interval_ms));
    }
}

/*
 * One socket: to any node (`path` is null), or to the one that a path names.  It owns the requests
 * that were sent, or shall be sent, on it.
 */
class Link {
    constructor(connection, path) {
        this.connection = connection;
        this.path = path;
        this.status = "closed"; /* closed, connecting, open, waiting */
        this.requests = new Map(); /* id -> request */
        this.waiting = []; /* requests that are to be sent, the oldest first */
        this.pace = new Pace();
        this.failures = 0;
    }

    get url() {
        return this.path === null ? this.connection.url : new URL(this.path, this.connection.url).href;
    }

    setStatus(status, more) {
        this.status = status;
        this.connection.linkIs(this, more);
    }

    /* ---- opening and losing ---- */

    connect() {
        clearTimeout(this.timer);
        this.setStatus("connecting");
        const socket = new this.connection.WebSocket(this.url, [SUBPROTOCOL]);
        this.socket = socket;
        socket.onopen = () => this.isCurrent(socket) && this.sayHello();
        socket.onmessage = (event) => this.isCurrent(socket) && this.read(event.data);
        socket.onerror = () => {};
        socket.onclose = () => this.isCurrent(socket) && this.lose();
    }

    isCurrent(socket) {
        return this.socket === socket;
    }

    hurry() {
        if (this.status === "waiting") {
            this.connect();
        } else if (this.status === "open") {
            this.askForLife();
        }
    }

    hangUp(code) {
        clearTimeout(this.timer);
        clearTimeout(this.pacer);
        clearInterval(this.watchdog);
        const socket = this.socket;
        this.socket = null;
        if (socket?.readyState < 2) {
            socket.close(code);
        }
    }

    close() {
        this.hangUp(1000);
        this.dropRequests(() => true);
        this.setStatus("closed");
    }

    /* The link to any node connects again.  What was for one node is asked elsewhere. */
    lose() {
        this.hangUp();
        this.dropRequests((request) => !REPEATABLE.has(request.frame.type) && (request.isSent || this.path === null));
        this.waiting = [];
        for (const request of this.requests.values()) {
            clearTimeout(request.timer);
            request.isSent = false;
        }
        if (this.path !== null) {
            this.status = "closed";
            this.connection.fallBack(this);
            return;
        }
        if (!this.connection.isWanted) {
            return;
        }
        this.failures += 1;
        const most_ms = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(this.failures, 6));
        const wait_ms = this.retry_ms ?? pauseOf(most_ms);
        this.retry_ms = null;
        this.setStatus("waiting", { retry_ms: wait_ms });
        this.timer = setTimeout(() => this.connect(), wait_ms);
    }

    dropRequests(isDropped) {
        for (const [id, request] of this.requests) {
            if (isDropped(request)) {
                this.requests.delete(id);
                clearTimeout(request.timer);
                request.reject(lost());
            }
        }
    }

    /* ---- hello ---- */

    async sayHello() {
        let welcome;
        try {
            welcome = await this.connection.ask({ type: "hello", protocol: PROTOCOL, ...this.connection.who() }, this);
        } catch (refusal) {
            if (refusal.code === "timeout" || (this.path !== null && refusal.code !== "connection_lost")) {
                this.lose();
            } else if (refusal.code !== "connection_lost") {
                this.connection.refused(refusal);
            }
            return;
        }
        this.pace.learn(welcome.frames_per_second ?? Infinity, welcome.frames_burst ?? Infinity);
        const isBack = this.failures > 0;
        this.failures = 0;
        this.watchOver();
        this.connection.welcomed(this, welcome);
        this.setStatus("open", { isBack });
        this.connection.opened?.resolve(welcome); // unless a listener has closed it
        await this.connection.resumeAll(this);
        this.repeatRequests();
    }

    repeatRequests() {
        for (const request of this.requests.values()) {
            if (!request.isSent) {
                this.send(request);
            }
        }
    }

    /* Pings a silent connection, which may be dead without any event, and closes one that is not needed. */
    watchOver() {
        clearInterval(this.watchdog);
        this.heardAt = Date.now();
        this.watchdog = setInterval(() => {
            const silent_ms = Date.now() - this.heardAt;
            if (!this.connection.needs(this)) {
                this.connection.drop(this);
            } else if (silent_ms > 2 * SILENCE_MS) {
                this.lose();
            } else if (silent_ms > SILENCE_MS) {
                this.askForLife();
            }
        }, SILENCE_MS / 5);
        this.watchdog.unref?.();
    }

    askForLife() {
        this.connection.ask({ type: "ping" }, this).catch(() => {});
    }

    /* ---- requests ---- */

    adopt(request) {
        this.requests.set(request.frame.id, request);
        this.send(request);
    }

    /* The request of this id, which is answered; undefined: there is none any more. */
    release(id) {
        const request = this.requests.get(id);
        if (request !== undefined) {
            clearTimeout(request.timer);
            this.requests.delete(id);
            this.pace.answered();
            this.sendWaiting();
        }
        return request;
    }

    /* Is one of the requests about to follow this match? */
    isAsking(match) {
        return [...this.requests.values()].some(({ frame }) => isFollowing(frame) && frame.match === match);
    }

    /* As soon as the pace allows; without a connection, once there is one. */
    send(request) {
        if (request.frame.type === "hello") {
            this.write(request);
        } else if (!request.isSent && !this.waiting.includes(request) && this.status === "open") {
            this.waiting.push(request);
            this.waiting.sort((a, b) => a.number - b.number);
            this.sendWaiting();
        }
    }

    sendWaiting() {
        clearTimeout(this.pacer);
        while (this.waiting.length > 0 && this.status === "open") {
            const wait_ms = this.pace.wait_ms();
            if (wait_ms > 0) {
                this.pacer = wait_ms === Infinity ? null : setTimeout(() => this.sendWaiting(), wait_ms);
                return;
            }
            this.write(this.waiting.shift());
        }
    }

    write(request) {
        if (this.socket?.readyState === 1 && this.requests.has(request.frame.id)) {
            if (request.wasSent && request.frame.type === "resume") {
                request.frame.seq = this.connection.followed.get(request.frame.match) ?? 0;
            }
            request.isSent = true;
            request.wasSent = true;
            this.pace.sent();
            request.timer = setTimeout(() => this.giveUp(request), this.connection.timeout_ms);
            this.socket.send(JSON.stringify(request.frame));
        }
    }

    giveUp(request) {
        this.requests.delete(request.frame.id);
        request.reject(late());
        this.pace.answered(); /* the server has counted it long ago */
        this.sendWaiting();
    }

    /* A request that was only sent too fast is repeated until its time is up. */
    mayTryAgain(request, { type, code }) {
        request.refusedAt ??= performance.now();
        return (
            type === "error" &&
            PASSING.has(code) &&
            (code === "rate_limited"
                ? performance.now() - request.refusedAt < this.connection.timeout_ms
                : request.tries < RETRY_TRIES)
        );
    }

    tryAgain(request, frame) {
        const growth = Math.min(request.tries, RETRY_TRIES);
        const wait_ms = Math.ceil((frame.retry_ms ?? RETRY_MIN_MS) * (1 + Math.random() * growth));
        request.tries += 1;
        request.isSent = false;
        clearTimeout(request.timer);
        if (frame.code === "rate_limited") {
            this.pace.refused(wait_ms);
            this.send(request);
        } else {
            this.pace.answered();
            setTimeout(() => this.requests.has(frame.id) && this.send(request), wait_ms);
        }
        this.sendWaiting();
    }

    /* ---- receiving ---- */

    read(text) {
        const frame = JSON.parse(text);
        this.heardAt = Date.now();
        if (frame.type === "closing") {
            this.retry_ms = frame.retry_ms;
        }
        this.connection.follow(this, frame);
        if (frame.type === "moved") {
            this.connection.moved(this, frame);
        } else if (frame.id !== undefined) {
            this.settle(frame);
        }
        this.connection.tell(frame.type, frame);
        this.connection.tell("frame", frame);
    }

    settle(frame) {
        const asked = this.requests.get(frame.id);
        if (asked !== undefined && this.mayTryAgain(asked, frame)) {
            this.tryAgain(asked, frame);
            return;
        }
        const request = this.release(frame.id);
        if (frame.type === "error") {
            request?.reject(new Refusal(frame));
        } else if (request !== undefined) {
            if (isFollowing(request.frame)) {
                this.connection.isFollowedAgain(request.frame.match);
            }
            request.resolve(frame);
        }
    }
}

export class Connection {
    /*
     * url; then `token`, or `name` (and `bot`) of a new player.  `WebSocket` where there is no
     * global one.  A try that has no answer after `timeout_ms` is given up.  Nothing is sent
     * before `open`.
     */
    constructor({
        url,
        token = null,
        name = null,
        bot = false,
        WebSocket = globalThis.WebSocket,
        timeout_ms = TIMEOUT_MS,
    }) {
        this.url = url;
        this.token = token;
        this.name = name;
        this.bot = bot;
        this.WebSocket = WebSocket;
        this.player = null;
        this.clockAhead_ms = 0; /* the server's wall clock before ours */
        this.followed = new Map(); /* match -> last seq */
        this.codes = new Map(); /* match -> the code that it is watched by */
        this.home = new Link(this, null);
        this.links = new Map(); /* path -> link, of nodes that have matches */
        this.routes = new Map(); /* match -> path; what is missing is asked at home */
        this.moving = new Map(); /* match -> where it goes after a pause, with its requests */
        this.moves = new Map(); /* match -> how often, since it was followed */
        this.away = new Set(); /* matches that were followed, and will be again */
        this.timeout_ms = timeout_ms;
        this.listeners = new Map();
        this.nextId = 1;
    }

    /* closed, connecting, open, or waiting: for any server, or for a match that moved. */
    get status() {
        return this.home.status === "open" && this.away.size > 0 ? "waiting" : this.home.status;
    }

    /* ---- listening ---- */

    /* Frames by their type; "frame" is all of them, "status" tells of the connection itself. */
    on(type, listener) {
        if (!this.listeners.has(type)) {
            this.listeners.set(type, new Set());
        }
        this.listeners.get(type).add(listener);
        return () => this.listeners.get(type).delete(listener);
    }

    tell(type, value) {
        for (const listener of this.listeners.get(type) ?? []) {
            listener(value);
        }
    }

    linkIs(link, more = {}) {
        if (link === this.home) {
            this.toldStatus = this.status;
            this.tell("status", { status: this.status, ...more });
        }
    }

    setAway(match, isAway) {
        this.away[isAway ? "add" : "delete"](match);
        if (this.status !== this.toldStatus) {
            this.linkIs(this.home);
        }
    }

    /* ---- opening and closing ---- */

    /* Resolves with `welcome`.  Rejects when the server does not want this name or token. */
    open() {
        this.isWanted = true;
        this.opening ??= new Promise((resolve, reject) => {
            this.opened = { resolve, reject };
        });
        if (this.home.status === "closed") {
            this.home.connect();
        }
        return this.opening;
    }

    close() {
        this.isWanted = false;
        for (const { requests, timer } of this.moving.values()) {
            clearTimeout(timer);
            requests.forEach((request) => request.reject(lost()));
        }
        [this.moving, this.moves, this.routes, this.away].forEach((each) => each.clear());
        [...this.links.values()].forEach((link) => this.drop(link));
        this.opening = null; /* the next open sends a new hello */
        this.opened = null;
        this.home.close();
    }

    /* Reconnects now: the network is back, or the user looks at the page. */
    hurry() {
        [this.home, ...this.links.values()].forEach((link) => link.hurry());
    }

    who() {
        return this.token !== null ? { token: this.token } : { name: this.name, bot: this.bot };
    }

    welcomed(link, welcome) {
        this.token = welcome.token ?? this.token;
        this.player = welcome.player;
        this.name = welcome.name;
        this.clockAhead_ms = welcome.time_ms - Date.now();
    }

    refused(refusal) {
        const opened = this.opened;
        this.close();
        opened?.reject(refusal);
        this.tell("refused", refusal);
    }

    /* ---- where matches are ---- */

    linkOf(match) {
        const path = this.routes.get(match);
        if (path === undefined) {
            return this.home;
        }
        if (!this.links.has(path)) {
            const link = new Link(this, path);
            this.links.set(path, link);
            link.connect();
        }
        return this.links.get(path);
    }

    route(match, path) {
        if (path === null) {
            this.routes.delete(match);
        } else {
            this.routes.set(match, path);
        }
    }

    needs(link) {
        return (
            link === this.home ||
            link.requests.size > 0 ||
            [...this.routes].some(([match, path]) => path === link.path && this.followed.has(match))
        );
    }

    drop(link) {
        this.links.delete(link.path);
        for (const [match, path] of this.routes) {
            path === link.path && this.routes.delete(match);
        }
        link.close();
    }

    /*
     * Another node has the match.  With an `id` that is all that was done about the request, which is
     * repeated there.  Without one this link followed the match, or `queue` has found it.
     */
    moved(link, { id, match, path }) {
        const request = id === undefined ? undefined : link.release(id);
        if (request !== undefined && (++request.moves > MOVES_MAX || !isPath(path))) {
            request.reject(astray());
            return;
        }
        if (this.moving.has(match) || this.linkOf(match) !== link || !isPath(path)) {
            request && this.repeat(request, match); /* it comes from where the match is no longer looked for */
            return;
        }
        if (id === undefined && !this.followed.has(match)) {
            this.followed.set(match, 0);
            this.tell("found", { match });
        }
        this.depart(match, path === ANYWHERE || path === link.path ? null : path, 0);
        request && this.repeat(request, match);
        if (path === link.path) {
            link.lose(); /* another node answers in its place */
        }
    }

    /* The link to a node is lost: any other knows where its matches are. */
    fallBack(link) {
        this.links.delete(link.path);
        for (const [match, path] of this.routes) {
            if (path === link.path && !this.moving.has(match)) {
                this.depart(match, null, link.retry_ms ?? Math.random() * RETRY_MIN_MS);
            }
        }
        link.requests.forEach((request) => request.frame.type !== "hello" && this.repeat(request, request.frame.match));
    }

    /* After the first moves in a row with pauses, so that a circle is never a busy one. */
    depart(match, path, wait_ms) {
        const moves = (this.moves.get(match) ?? 0) + 1;
        const pause_ms = moves > MOVES_FREE ? pauseOf(MOVE_PAUSE_MS) : 0;
        const timer = setTimeout(() => this.arrive(match), Math.max(pause_ms, wait_ms));
        this.moves.set(match, moves);
        this.moving.set(match, { path, timer, requests: [] });
        if (this.followed.get(match) > 0) {
            this.setAway(match, true);
        }
    }

    arrive(match) {
        const { path, requests } = this.moving.get(match);
        this.moving.delete(match);
        this.route(match, path);
        const link = this.linkOf(match);
        requests.forEach((request) => link.adopt(request));
        if (link.status === "open") {
            this.resume(link, match);
        }
    }

    repeat(request, match) {
        request.isSent = false;
        if (this.moving.has(match)) {
            this.moving.get(match).requests.push(request);
        } else {
            this.linkOf(match).adopt(request);
        }
    }

    /* ---- following ---- */

    async resumeAll(link) {
        const matches = [...this.followed.keys()].filter((match) => (this.routes.get(match) ?? null) === link.path);
        await Promise.all(matches.map((match) => this.resume(link, match)));
    }

    /* One that is gone is no longer followed, and reported as "gone". */
    async resume(link, match) {
        if (!this.followed.has(match) || this.moving.has(match) || link.isAsking(match)) {
            return;
        }
        const frame = { type: "resume", match, seq: this.followed.get(match), code: this.codes.get(match) };
        try {
            await this.ask(frame, link);
        } catch (refusal) {
            if (GONE.has(refusal.code)) {
                this.forget(match);
                this.tell("gone", { match, refusal });
            } else if (LATER.has(refusal.code) && this.followed.has(match) && !this.moving.has(match)) {
                this.depart(match, null, pauseOf(RETRY_MAX_MS));
            }
        }
    }

    /* One that had moved is reported as "back". */
    isFollowedAgain(match) {
        this.moves.delete(match);
        if (this.away.has(match)) {
            this.setAway(match, false);
            this.tell("back", { match });
        }
    }

    follow(link, frame) {
        if (frame.type === "joined") {
            this.followed.set(frame.match, 0);
            this.route(frame.match, link.path);
        } else if (frame.seq !== undefined && frame.match !== undefined) {
            this.followed.set(frame.match, frame.seq);
        }
    }

    forget(match) {
        this.followed.delete(match);
        this.codes.delete(match);
        this.moves.delete(match);
        this.setAway(match, false);
    }

    /* Stops following this match. */
    async leave(match) {
        this.forget(match);
        await this.request({ type: "leave", match }).catch(() => {});
    }

    /* ---- requests ---- */

    /*
     * Sends a frame and resolves with its answer.  While there is no connection a frame that may
     * be repeated waits for one; others are refused with the code `connection_lost`.
     */
    request(frame) {
        if (this.home.status !== "open" && !this.routes.has(frame.match) && !REPEATABLE.has(frame.type)) {
            return Promise.reject(lost());
        }
        if (frame.type === "watch" && frame.code !== undefined) {
            this.codes.set(frame.match, frame.code);
        }
        return this.ask(frame);
    }

    /* On this link, or wherever its match is. */
    ask(frame, link = null) {
        return new Promise((resolve, reject) => {
            const number = this.nextId++;
            const id = String(number);
            const request = { number, frame: { ...frame, id }, resolve, reject, tries: 0, moves: 0, isSent: false };
            if (link === null) {
                this.repeat(request, frame.match);
            } else {
                link.adopt(request);
            }
        });
    }
}

/* This runtime's WebSocket; Node has one since version 22, before that the package `ws`. */
export async function findWebSocket() {
    return globalThis.WebSocket ?? (await import("ws")).WebSocket;
}

/* A connection that is open, with the answer to its hello as `welcome`. */
export async function connect(options) {
    const WebSocket = options.WebSocket ?? (await findWebSocket());
    const connection = new Connection({ ...options, WebSocket });
    connection.welcome = await connection.open();
    return connection;
}
