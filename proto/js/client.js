/*
 * A connection to a Skirmish server that survives the network: for pages, bots and tests.
 *
 *   const server = new Connection({ url: "ws://127.0.0.1:7777/", name: "alice" });
 *   const welcome = await server.open();            // welcome.token is the player: keep it
 *   server.on("turn", (frame) => ...);              // every frame, by its type
 *   const { matches } = await server.request({ type: "list" });
 *
 * A request is answered by exactly one frame; `error` becomes a thrown Refusal, and so does no
 * answer in time.  It sends no faster than the server accepts.  After a loss it connects again by
 * itself, says hello with the token, resumes every match it follows from the last `seq` it has
 * seen, and repeats the requests that may be repeated.  README.md has the rest.
 */

export const PROTOCOL = 1;
export const SUBPROTOCOL = "skirmish.v1";

const RETRY_MIN_MS = 400;
const RETRY_MAX_MS = 8000;
const RETRY_TRIES = 6; /* of one request that was refused with one of PASSING but rate_limited */
const TIMEOUT_MS = 30000; /* of one try, unless the caller says otherwise */
const SILENCE_MS = 25000; /* then we ask for a sign of life; as long again and it is lost */
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
const late = () => new Refusal({ code: "timeout", message: "The server did not answer in time." });

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
 * As many frames as the server hears of one connection: `welcome` says how many.
 *
 * The server may hear a frame at any time until its answer is here, and frames that were sent one
 * after the other may be heard at once.  So a frame has its token from when it is sent, and the token
 * comes back only from when it is answered: the server never has less than is counted here.
 */
class Pace {
    constructor() {
        this.learn(UNLIMITED, UNLIMITED);
    }

    /* With the answer to `hello`. */
    learn(perSecond, burst) {
        this.interval_ms = (1000 / perSecond) * PACE_MARGIN;
        this.burst = burst;
        this.unanswered = 1;
        this.fullAt = 0; /* when all tokens are back, but those of the unanswered */
        this.answered();
    }

    sent() {
        this.unanswered += 1;
    }

    answered() {
        this.unanswered -= 1;
        this.fullAt = Math.max(this.fullAt, performance.now() + CLOCKS_MS) + this.interval_ms;
    }

    /* The server knows better, because others may share what it hears: one token, so much later. */
    refused(wait_ms) {
        this.unanswered -= 1;
        this.fullAt = Math.max(this.fullAt, performance.now() + wait_ms + (this.burst - 1) * this.interval_ms);
    }

    /* Until there is a token: 0 = now, Infinity = not before an answer. */
    wait_ms() {
        const others = this.burst - 1 - this.unanswered;
        return others < 0
            ? Infinity
            : Math.max(0, Math.ceil(this.fullAt - performance.now() - others * this.interval_ms));
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
        this.status = "closed"; /* closed, connecting, open, waiting */
        this.clockAhead_ms = 0; /* the server's wall clock before ours */
        this.followed = new Map(); /* match -> last seq */
        this.codes = new Map(); /* match -> the code that it is watched by */
        this.requests = new Map(); /* id -> request */
        this.waiting = []; /* requests that are to be sent, the oldest first */
        this.pace = new Pace();
        this.timeout_ms = timeout_ms;
        this.listeners = new Map();
        this.nextId = 1;
        this.failures = 0;
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

    setStatus(status, more = {}) {
        this.status = status;
        this.tell("status", { status, ...more });
    }

    /* ---- opening and losing ---- */

    /* Resolves with `welcome`.  Rejects when the server does not want this name or token. */
    open() {
        this.isWanted = true;
        this.opening ??= new Promise((resolve, reject) => {
            this.opened = { resolve, reject };
        });
        if (this.status === "closed") {
            this.connect();
        }
        return this.opening;
    }

    close() {
        this.isWanted = false;
        clearTimeout(this.timer);
        clearInterval(this.watchdog);
        this.socket?.close(1000);
        this.socket = null;
        this.dropRequests(() => true);
        this.opening = null; /* the next open sends a new hello */
        this.opened = null;
        this.setStatus("closed");
    }

    connect() {
        clearTimeout(this.timer);
        this.setStatus("connecting");
        const socket = new this.WebSocket(this.url, [SUBPROTOCOL]);
        this.socket = socket;
        socket.onopen = () => this.isCurrent(socket) && this.sayHello();
        socket.onmessage = (event) => this.isCurrent(socket) && this.read(event.data);
        socket.onerror = () => {};
        socket.onclose = () => this.isCurrent(socket) && this.lose();
    }

    isCurrent(socket) {
        return this.socket === socket;
    }

    /* Reconnects now: the network is back, or the user looks at the page. */
    hurry() {
        if (this.status === "waiting") {
            this.connect();
        } else if (this.status === "open") {
            this.askForLife();
        }
    }

    lose() {
        clearInterval(this.watchdog);
        const socket = this.socket;
        this.socket = null;
        if (socket !== null && socket.readyState < 2) {
            socket.close();
        }
        this.dropRequests((request) => !REPEATABLE.has(request.frame.type));
        this.waiting = [];
        for (const request of this.requests.values()) {
            clearTimeout(request.timer);
            request.isSent = false;
        }
        if (!this.isWanted) {
            return;
        }
        this.failures += 1;
        const most = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(this.failures, 6));
        const wait_ms = this.retry_ms ?? Math.round(most / 2 + (Math.random() * most) / 2);
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
        const who = this.token !== null ? { token: this.token } : { name: this.name, bot: this.bot };
        let welcome;
        try {
            welcome = await this.ask({ type: "hello", protocol: PROTOCOL, ...who });
        } catch (refusal) {
            if (refusal.code === "timeout") {
                this.lose();
            } else if (refusal.code !== "connection_lost") {
                this.refused(refusal);
            }
            return;
        }
        this.token = welcome.token ?? this.token;
        this.player = welcome.player;
        this.name = welcome.name;
        this.clockAhead_ms = welcome.time_ms - Date.now();
        this.pace.learn(welcome.frames_per_second ?? Infinity, welcome.frames_burst ?? Infinity);
        const isBack = this.failures > 0;
        this.failures = 0;
        this.watchOver();
        this.setStatus("open", { isBack });
        this.opened?.resolve(welcome);
        await this.resumeAll();
        this.repeatRequests();
    }

    refused(refusal) {
        const opened = this.opened;
        this.close();
        opened?.reject(refusal);
        this.tell("refused", refusal);
    }

    /* Resumes each match; one that is gone is no longer followed, and reported as "gone". */
    async resumeAll() {
        const asked = [...this.followed].map(([match, seq]) =>
            this.ask({ type: "resume", match, seq, code: this.codes.get(match) }).catch((refusal) => {
                if (GONE.has(refusal.code)) {
                    this.forget(match);
                    this.tell("gone", { match, refusal });
                }
            }),
        );
        await Promise.all(asked);
    }

    repeatRequests() {
        for (const request of this.requests.values()) {
            if (!request.isSent) {
                this.send(request);
            }
        }
    }

    /* A connection can be dead without a sign of it. */
    watchOver() {
        clearInterval(this.watchdog);
        this.heardAt = Date.now();
        this.watchdog = setInterval(() => {
            const silent_ms = Date.now() - this.heardAt;
            if (silent_ms > 2 * SILENCE_MS) {
                this.lose();
            } else if (silent_ms > SILENCE_MS) {
                this.askForLife();
            }
        }, SILENCE_MS / 5);
        this.watchdog.unref?.();
    }

    askForLife() {
        this.ask({ type: "ping" }).catch(() => {});
    }

    /* ---- requests ---- */

    /*
     * Sends a frame and resolves with its answer.  While there is no connection a frame that may
     * be repeated waits for one; others are refused with the code `connection_lost`.
     */
    request(frame) {
        if (this.status !== "open" && !REPEATABLE.has(frame.type)) {
            return Promise.reject(lost());
        }
        return this.ask(frame);
    }

    ask(frame) {
        if (frame.type === "watch" && frame.code !== undefined) {
            this.codes.set(frame.match, frame.code);
        }
        return new Promise((resolve, reject) => {
            const number = this.nextId++;
            const id = String(number);
            const request = { number, frame: { ...frame, id }, resolve, reject, tries: 0, isSent: false };
            this.requests.set(id, request);
            this.send(request);
        });
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
            request.isSent = true;
            this.pace.sent();
            request.timer = setTimeout(() => this.giveUp(request), this.timeout_ms);
            this.socket.send(JSON.stringify(request.frame));
        }
    }

    giveUp(request) {
        this.requests.delete(request.frame.id);
        request.reject(late());
        this.pace.answered(); /* as late as that it counts no more */
        this.sendWaiting();
    }

    /* A client that is only too fast succeeds in the end. */
    mayTryAgain(request, { type, code }) {
        request.refusedAt ??= performance.now();
        return (
            type === "error" &&
            PASSING.has(code) &&
            (code === "rate_limited"
                ? performance.now() - request.refusedAt < this.timeout_ms
                : request.tries < RETRY_TRIES)
        );
    }

    tryAgain(request, frame) {
        const growth = Math.min(request.tries, RETRY_TRIES);
        const wait_ms = Math.ceil((frame.retry_ms ?? RETRY_MIN_MS) * (1 + Math.random() * growth));
        request.tries += 1;
        request.isSent = false;
        if (frame.code === "rate_limited") {
            this.pace.refused(wait_ms);
            this.send(request);
        } else {
            this.pace.answered();
            setTimeout(() => this.send(request), wait_ms);
        }
    }

    /* ---- what comes ---- */

    read(text) {
        const frame = JSON.parse(text);
        this.heardAt = Date.now();
        this.follow(frame);
        if (frame.type === "closing") {
            this.retry_ms = frame.retry_ms;
        }
        if (frame.id !== undefined) {
            this.settle(frame);
        }
        this.tell(frame.type, frame);
        this.tell("frame", frame);
    }

    settle(frame) {
        const request = this.requests.get(frame.id);
        if (request === undefined) {
            return;
        }
        clearTimeout(request.timer);
        if (this.mayTryAgain(request, frame)) {
            this.tryAgain(request, frame);
            this.sendWaiting();
            return;
        }
        this.pace.answered();
        this.sendWaiting();
        this.requests.delete(frame.id);
        if (frame.type === "error") {
            request.reject(new Refusal(frame));
        } else {
            request.resolve(frame);
        }
    }

    follow(frame) {
        if (frame.type === "joined") {
            this.followed.set(frame.match, 0);
        } else if (frame.seq !== undefined && frame.match !== undefined) {
            this.followed.set(frame.match, frame.seq);
        }
    }

    forget(match) {
        this.followed.delete(match);
        this.codes.delete(match);
    }

    /* Stops following this match. */
    async leave(match) {
        this.forget(match);
        await this.request({ type: "leave", match }).catch(() => {});
    }
}
