/*
 * Many matches at once, as numbers: for programs that play millions of turns.
 *
 *   const game = await Game.load("tactics", { count: 256 });
 *   game.actions.set(chosen);   // one number for each seat of each match
 *   game.play();                // what came of it: game.observations, game.masks, game.outcomes
 *
 * The module is skirmish-game.wasm, which the build puts beside this file. proto/referee/skirmish.h explains numbers
 * and rows; they are the same in every language.
 */
import { compile, Instance, RefereeError, seatOf } from "./referee.js";

export const RUNNING = 0;
export const DRAWN = 1;
export const WON = 2; /* plus the seat */
export const SPECTATOR = 255;
const NO_VERDICT = 255;
const SEED_BYTES = 32;
const ERROR_PARTS = [0, 32, 32 + 256]; /* struct sk_error: code, message, at */
const ERROR_BYTES = 32 + 256 + 512;

function seedOf(seed) {
    const bytes = typeof seed === "number" ? new Uint8Array(SEED_BYTES) : seed;
    if (bytes.length !== SEED_BYTES) {
        throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
    }
    if (typeof seed === "number") {
        new DataView(bytes.buffer).setBigUint64(0, BigInt(seed), true);
    }
    return bytes;
}

export class Game extends Instance {
    /* `source` as for Referee.load; without one it is skirmish-game.wasm beside this file. */
    static async load(ruleset, { source = new URL("skirmish-game.wasm", import.meta.url), ...options } = {}) {
        return new Game(await WebAssembly.instantiate(await compile(source)), ruleset, options);
    }

    constructor(instance, ruleset, { params, version = 0, count = 1, slots = 1, listMax = 0, masks = true } = {}) {
        super(instance);
        const { sk_game_new, sk_game_describe, sk_game_actions } = this.exports;
        this.error = this.allocate(ERROR_BYTES);
        const head = this.encoder.encode(ruleset).length + 1;
        const length = this.write(`${ruleset}\0${params === undefined ? "" : JSON.stringify(params)}`) - head;
        const at = params === undefined ? 0 : this.space + head;
        this.handle = sk_game_new(this.space, version, at, length, count, slots, listMax, this.error);
        if (this.handle === 0) {
            throw this.failure();
        }
        this.check(sk_game_describe(this.handle, this.results, this.results + 4));
        this.description = this.answer();
        this.seats = this.description.seats;
        this.count = count;
        this.slots = slots;
        this.actionWidth = this.description.action.width;
        this.actionCount = sk_game_actions(this.handle);
        this.observationWidth = this.description.observation.length;
        this.arrays = {
            actions: this.makeArray(Int32Array, count * this.seats * slots),
            rows: this.makeArray(Int32Array, count * this.seats * slots * this.actionWidth),
            turn: this.makeArray(Int32Array, this.seats * slots * this.actionWidth) /* rows of one match */,
            verdicts: this.makeArray(Uint8Array, this.seats * slots),
            observations: this.makeArray(Int32Array, count * this.seats * this.observationWidth),
            masks: this.makeArray(Uint8Array, masks ? count * this.seats * this.actionCount : 0),
            outcomes: this.makeArray(Uint8Array, count),
        };
        for (let i = 0; i < count; i++) {
            this.show(i);
        }
    }

    /* ---- arrays ---- */

    makeArray(Type, length) {
        const at = length === 0 ? 0 : this.allocate(length * Type.BYTES_PER_ELEMENT);
        this.bytes.fill(0, at, at + length * Type.BYTES_PER_ELEMENT);
        return { Type, at, length };
    }

    /* In the module's memory, which may be another one than before. */
    array(name) {
        const { buffer } = this.exports.memory;
        const own = this.arrays[name];
        if (own.array?.buffer !== buffer) {
            own.array = new own.Type(buffer, own.at, own.length);
        }
        return own.array;
    }

    /* Read by `play`: a number for each match, seat and slot. */
    get actions() {
        return this.array("actions");
    }

    /* Read by `playRows`: a row for each match, seat and slot. */
    get rows() {
        return this.array("rows");
    }

    /* What each seat of each match sees. */
    get observations() {
        return this.array("observations");
    }

    /* For each seat of each match, which numbers are allowed. */
    get masks() {
        return this.array("masks");
    }

    /* Of each match: RUNNING, DRAWN, or WON plus the seat. */
    get outcomes() {
        return this.array("outcomes");
    }

    /* ---- errors ---- */

    failure(path = "") {
        const [code, message, at] = ERROR_PARTS.map((part) => this.textAt(this.error + part));
        return new RefereeError({ code, message, at: path + at });
    }

    check(status) {
        if (status < 0) {
            const message = "a seat, a row, a number or the bytes are invalid; nothing has changed";
            throw new RefereeError({ code: "malformed", message, at: "" });
        }
        return status;
    }

    match(i) {
        if (!Number.isInteger(i) || i < 0 || i >= this.count) {
            throw new RangeError(`there is no match ${i}`);
        }
        return i;
    }

    /* ---- all matches ---- */

    /*
     * A turn of every match, by `actions`. Returns how many are over; with `again` these start again, with their
     * seed plus one, and their observations and masks are those of the start.
     */
    play({ again = true } = {}) {
        const { actions, observations, masks, outcomes } = this.arrays;
        return this.check(
            this.exports.sk_game_play_all(this.handle, actions.at, observations.at, masks.at, outcomes.at, again),
        );
    }

    /* The same by `rows`, for rulesets whose commands have no numbers (`actionCount` is 0) as well. */
    playRows({ again = true } = {}) {
        const { rows, observations, outcomes } = this.arrays;
        const over = this.check(
            this.exports.sk_game_step_all(this.handle, rows.at, observations.at, outcomes.at, again),
        );
        for (let place = 0; place < this.count * this.seats; place++) {
            this.showMask(place);
        }
        return over;
    }

    /* ---- one match ---- */

    showMask(place) {
        const { masks } = this.arrays;
        if (masks.length > 0) {
            const [i, seat] = [Math.floor(place / this.seats), place % this.seats];
            this.exports.sk_game_mask(this.handle, i, seat, masks.at + place * this.actionCount);
        }
    }

    show(i) {
        const { observations } = this.arrays;
        for (let seat = 0; seat < this.seats; seat++) {
            const place = i * this.seats + seat;
            const at = observations.at + 4 * place * this.observationWidth;
            this.check(this.exports.sk_game_observe(this.handle, i, seat, at));
            this.showMask(place);
        }
        this.outcomes[i] = this.exports.sk_game_outcome(this.handle, i);
    }

    /* `seed` is a number or 32 bytes. */
    reset(i = 0, seed = 0) {
        this.bytes.set(seedOf(seed), this.space);
        this.check(this.exports.sk_game_reset(this.handle, this.match(i), this.space));
        this.show(i);
    }

    /* The seats that the turn waits for. */
    owing(i = 0) {
        const bits = this.exports.sk_game_owing(this.handle, this.match(i));
        return [...Array(this.seats).keys()].filter((seat) => (bits >> seat) & 1);
    }

    turn(i = 0) {
        return this.exports.sk_game_turn(this.handle, this.match(i));
    }

    hash(i = 0) {
        const hash = this.exports.sk_game_hash(this.handle, this.match(i));
        return BigInt.asUintN(64, hash).toString(16).padStart(16, "0");
    }

    view(seat, i = 0) {
        const { sk_game_view } = this.exports;
        this.check(sk_game_view(this.handle, this.match(i), seatOf(seat), this.results, this.results + 4));
        return this.answer();
    }

    /* Every command that would be ok alone. */
    hints(seat, i = 0) {
        const { sk_game_hints_json } = this.exports;
        this.check(sk_game_hints_json(this.handle, this.match(i), seatOf(seat), this.results, this.results + 4));
        return this.answer();
    }

    /* The rows of at most so many hints. */
    hintRows(seat, most, i = 0) {
        const { memory, sk_game_hints } = this.exports;
        if (!Number.isInteger(most) || most < 0) {
            throw new RangeError(`${most} is not a number of rows`);
        }
        this.reserve(4 * most * this.actionWidth);
        const found = this.check(sk_game_hints(this.handle, this.match(i), seatOf(seat), this.space, most));
        return new Int32Array(memory.buffer, this.space, Math.min(found, most) * this.actionWidth).slice();
    }

    /* Writes a seat's commands into the rows of a turn. */
    writeCommands(seat, commands) {
        const at = this.arrays.turn.at + 4 * seat * this.slots * this.actionWidth;
        const length = this.write(JSON.stringify(commands));
        if (this.exports.sk_game_command_rows(this.handle, this.space, length, at, this.error) < 0) {
            throw this.failure(`/${seat}`);
        }
        return at;
    }

    /* The verdicts' words of a seat. */
    words(seat) {
        const verdicts = this.array("verdicts").subarray(seat * this.slots, (seat + 1) * this.slots);
        return [...verdicts].filter((verdict) => verdict !== NO_VERDICT).map((each) => this.description.verdicts[each]);
    }

    /* What the seat's commands would get now. */
    judge(seat, commands, i = 0) {
        const { sk_game_judge } = this.exports;
        this.check(seatOf(seat) < this.seats ? 0 : -1);
        const rows = this.writeCommands(seat, commands);
        const verdicts = this.arrays.verdicts.at + seat * this.slots;
        this.check(sk_game_judge(this.handle, this.match(i), seat, rows, verdicts));
        return this.words(seat);
    }

    /* Plays a turn: a list of commands for each seat. Returns the verdicts' words of each. */
    step(commands, i = 0) {
        const { turn, verdicts } = this.arrays;
        if (commands.length !== this.seats) {
            throw new RangeError(`there are ${this.seats} seats`);
        }
        this.match(i);
        commands.forEach((list, seat) => this.writeCommands(seat, list));
        this.check(this.exports.sk_game_step(this.handle, i, turn.at, verdicts.at));
        this.show(i);
        return commands.map((_, seat) => this.words(seat));
    }

    /* ---- matches as bytes ---- */

    save(i = 0) {
        const { sk_game_save } = this.exports;
        const size = sk_game_save(this.handle, this.match(i), 0, 0);
        this.reserve(size);
        sk_game_save(this.handle, i, this.space, size);
        return this.bytes.slice(this.space, this.space + size);
    }

    load(saved, i = 0) {
        this.reserve(saved.length);
        this.bytes.set(saved, this.space);
        this.check(this.exports.sk_game_load(this.handle, this.match(i), this.space, saved.length));
        this.show(i);
    }
}
