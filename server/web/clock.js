/*
 * Clocks: the time left according to the server, counted down from the moment the frame arrived.
 *
 * `deadline_ms` includes the bank: the turn's own time runs first, then the bank.
 */

/* 1:05, 0:09.4, 2:00:00 */
export function tellTime(ms) {
    const left = Math.max(0, ms);
    if (left < 10000) {
        return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
    }
    const seconds = Math.ceil(left / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
    const shown = parts[0] > 0 ? parts : parts.slice(1);
    return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

export class SeatClock {
    constructor() {
        this.left_ms = null; /* null: no clock */
        this.bank_ms = 0;
        this.since = null; /* when it was started; null: stopped */
    }

    /* `at` is when the frame arrived, as performance.now(). */
    set(left_ms, bank_ms, isRunning, at) {
        this.left_ms = left_ms ?? null;
        this.bank_ms = bank_ms ?? 0;
        this.since = isRunning && this.left_ms !== null ? at : null;
    }

    setRunning(isRunning, now) {
        if (this.left_ms === null || isRunning === (this.since !== null)) {
            return;
        }
        this.left_ms = this.left(now);
        this.since = isRunning ? now : null;
    }

    left(now) {
        return this.since === null ? this.left_ms : Math.max(0, this.left_ms - (now - this.since));
    }

    /* The turn's own time and the bank, as of now. */
    parts(now) {
        const left = this.left(now);
        return { turn_ms: Math.max(0, left - this.bank_ms), bank_ms: Math.min(left, this.bank_ms) };
    }
}
