/*
 * The rules of the server in this process: libskirmish as WebAssembly.
 *
 *   const referee = await Referee.load();
 *   const answer = referee.resolve({ ruleset: "halma", params: {}, commands: [[], []] });
 *   for (const step of referee.prove(file)) { ... }       // a match file, turn by turn
 *
 * The module is skirmish.wasm, which the build puts beside this file. It has no imports, so it can do nothing
 * but compute. proto/referee/skirmish.h describes requests and answers; they are the same in every language.
 */

const EVERYTHING = 254;
const SPECTATOR = 255;
const FIRST_SPACE = 65536;

/* What the referee refuses: `code` for programs, `message` for people, `at` a JSON pointer. */
export class RefereeError extends Error {
    constructor({ code, message, at, line, turn }) {
        super(message);
        this.name = "RefereeError";
        this.code = code;
        this.at = at;
        this.line = line; /* of a match file */
        this.turn = turn; /* that does not hold, or null */
    }
}

const noMemory = () => new RefereeError({ code: "too_large", message: "there is not enough memory", at: "" });

const isWeb = (url) => url.protocol === "http:" || url.protocol === "https:";

export async function compile(source) {
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
        return WebAssembly.compile(source);
    }
    const url = new URL(source, import.meta.url);
    if (isWeb(url)) {
        return WebAssembly.compileStreaming(fetch(url));
    }
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
}

/* A number that is none, or too large, would name another seat in the module. */
export function seatOf(seat) {
    const number = typeof seat === "string" && seat !== "" ? Number(seat) : seat;
    if (!Number.isInteger(number) || number < 0 || number > SPECTATOR) {
        throw new RefereeError({ code: "malformed", message: `there is no seat ${seat}`, at: "" });
    }
    return number;
}

const audienceOf = (audience) =>
    audience === "everything" ? EVERYTHING : audience === "spectator" ? SPECTATOR : seatOf(audience);

/* Memory and JSON of an instance of a module. */
export class Instance {
    constructor({ exports }) {
        this.exports = exports;
        this.encoder = new TextEncoder();
        this.decoder = new TextDecoder();
        this.space = 0; /* where requests are written */
        this.size = 0;
        this.reserve(FIRST_SPACE);
        this.results = this.allocate(8); /* where a function writes its answer's address and length */
    }

    /* The version of the library. */
    get version() {
        const at = this.exports.sk_library_version();
        return this.textAt(at);
    }

    /* ---- memory ---- */

    get bytes() {
        const { buffer } = this.exports.memory; /* a new one whenever it grows */
        if (this.mapped?.buffer !== buffer) {
            this.mapped = new Uint8Array(buffer);
            this.numbers = new DataView(buffer);
            this.room = this.mapped.subarray(this.space, this.space + this.size);
        }
        return this.mapped;
    }

    allocate(size) {
        const at = size < 2 ** 32 ? this.exports.malloc(size) >>> 0 : 0; /* it takes and gives 32 bits */
        if (at === 0) {
            throw noMemory();
        }
        return at;
    }

    /* Makes room for so many bytes at `space`. */
    reserve(size) {
        if (!(size <= this.size)) {
            const space = this.allocate(size);
            this.exports.free(this.space);
            this.space = space;
            this.size = size;
            this.mapped = undefined;
        }
    }

    /* Returns its length in bytes. */
    write(text) {
        this.reserve(3 * text.length);
        this.bytes; /* the view of today's memory */
        return this.encoder.encodeInto(text, this.room).written;
    }

    text(at, length) {
        return this.decoder.decode(this.bytes.subarray(at, at + length));
    }

    /* With a terminator. */
    textAt(at) {
        return this.text(at, this.bytes.indexOf(0, at) - at);
    }

    /* The answer that a function has left, as text. */
    answerText() {
        this.bytes; /* the view of today's memory */
        return this.text(this.numbers.getUint32(this.results, true), this.numbers.getUint32(this.results + 4, true));
    }

    answer() {
        const text = this.answerText();
        return text === "" ? null : JSON.parse(text);
    }

    take(status) {
        const answer = this.answer();
        if (status < 0) {
            throw new RefereeError(answer.error);
        }
        return answer;
    }
}

/* `params` may be JSON, which is not written again for each request then. */
function textOf(request) {
    if (typeof request === "string") {
        return request;
    }
    if (typeof request.params !== "string") {
        return JSON.stringify(request);
    }
    const { params, ...others } = request;
    return `{"params":${params},${JSON.stringify(others).slice(1)}`;
}

export class Referee extends Instance {
    /*
     * `source` is a URL, the bytes of the module or a WebAssembly.Module; without one it is skirmish.wasm
     * beside this file.
     */
    static async load(source = new URL("skirmish.wasm", import.meta.url)) {
        const module = await compile(source);
        return new Referee(await WebAssembly.instantiate(module));
    }

    constructor(instance) {
        super(instance);
        this.handle = this.exports.sk_referee_new();
    }

    /* A name with its terminator and a text, one behind the other. */
    named(call, name, version, text) {
        const length = this.write(text === undefined ? `${name}\0` : `${name}\0${text}`);
        const head = this.encoder.encode(name).length + 1;
        const at = text === undefined ? 0 : this.space + head;
        return this.take(call(this.space, version, at, length - head));
    }

    ask(call, request, ...more) {
        const length = this.write(textOf(request));
        return call(this.handle, this.space, length, ...more, this.results, this.results + 4);
    }

    asked(call, request, ...more) {
        return this.take(this.ask(call, request, ...more));
    }

    /* ---- requests ---- */

    /* What commands lead to: a request of `skirmish resolve`, as an object or as JSON. */
    resolve(request) {
        return this.asked(this.exports.sk_resolve, request);
    }

    /* The same with the answer as JSON. */
    resolveText(request) {
        return this.ask(this.exports.sk_resolve, request) < 0 ? this.take(-1) : this.answerText();
    }

    /* What a seat, or "spectator", may know after such a request. */
    look(request, seat) {
        return this.asked(this.exports.sk_view, request, audienceOf(seat));
    }

    /* Every command that would be ok alone: { turn, commands }. */
    hints(request, seat) {
        return this.asked(this.exports.sk_hints, request, audienceOf(seat));
    }

    rulesets() {
        return this.take(this.exports.sk_rulesets(this.handle, this.results, this.results + 4));
    }

    /* The JSON Schemas and words of a ruleset; version 0 is the newest. */
    schema(ruleset, version = 0) {
        const call = (name, number) =>
            this.exports.sk_schema(this.handle, name, number, this.results, this.results + 4);
        return this.named(call, ruleset, version);
    }

    /* Complete params, checked as for a new match; without `params` those of a match that gives none. */
    params(ruleset, params, version = 0) {
        const call = (name, number, at, length) =>
            this.exports.sk_params(this.handle, name, number, at, length, this.results, this.results + 4);
        return this.named(call, ruleset, version, params === undefined ? undefined : JSON.stringify(params));
    }

    /* ---- proofs ---- */

    /*
     * Proves a match file (text or bytes) and yields each step as it holds: see sk_proof_step. Throws a
     * RefereeError with the `turn` at the first thing that does not hold.
     */
    *prove(file) {
        const proof = new Proof(this, file);
        try {
            for (let step = proof.next(); step !== null; step = proof.next()) {
                yield step;
            }
        } finally {
            proof.close();
        }
    }
}

/* A match file that is proven step by step, with the moments in between. */
export class Proof {
    constructor(referee, file) {
        const bytes = typeof file === "string" ? referee.encoder.encode(file) : file;
        this.referee = referee;
        this.file = referee.allocate(bytes.length);
        referee.bytes.set(bytes, this.file);
        this.handle = referee.exports.sk_proof_new(this.file, bytes.length);
        if (this.handle === 0) {
            referee.exports.free(this.file);
            throw noMemory();
        }
    }

    /* The next step, or null when the whole file holds. */
    next() {
        const { exports, results } = this.referee;
        return this.referee.take(exports.sk_proof_step(this.handle, results, results + 4));
    }

    /* After the steps `start` and `turn`: the board for a seat, "spectator" or "everything". */
    moment(audience = "everything") {
        const { exports, results } = this.referee;
        if (exports.sk_proof_moment(this.handle, audienceOf(audience), results, results + 4) < 0) {
            throw new RefereeError({ code: "malformed", message: "there is no such moment or seat", at: "" });
        }
        return this.referee.answer();
    }

    close() {
        this.referee.exports.sk_proof_free(this.handle);
        this.referee.exports.free(this.file);
        this.handle = 0;
    }
}
