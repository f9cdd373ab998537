/*
 * The players of a match, one card per seat: name, whether they are thinking or ready, and their
 * clock.
 */
import { SeatClock, tellTime } from "./clock.js";
import { h, put } from "./dom.js";
import { badge } from "./pieces.js";
import { text } from "./language.js";

const LOW_MS = 15000;

/* 1612, or 1612? while it is uncertain; nothing for who has no rated match. */
export const tellRating = (standing) => (standing ? `${standing.rating}${standing.provisional ? "?" : ""}` : "");

/* The same with its change, once a rated match is over. */
const tellRatingAfter = (standing) =>
    `${tellRating(standing)}${standing?.change ? ` ${text.yours.change(standing.change)}` : ""}`;

export class Seats {
    /* `onLow(seat)` is called once per turn, when little time is left. */
    constructor(onLow = () => {}) {
        this.onLow = onLow;
        this.low = new Set();
        this.element = h("div", { class: "seats" });
        this.clocks = [];
        this.tick = this.tick.bind(this);
    }

    /* `match` has players, seat, view, turn_open, clock, outcome, and ratings once they are known. */
    show(match) {
        this.match = match;
        this.cards = match.players.map((player, seat) => this.card(player, seat));
        put(
            this.element,
            this.order().map((seat) => this.cards[seat].element),
        );
        this.tick();
    }

    /* The player's own seat is last, at the bottom, like their side of the board. */
    order() {
        const seats = this.match.players.map((_, seat) => seat);
        return this.match.seat === null
            ? seats
            : [...seats.filter((seat) => seat !== this.match.seat), this.match.seat];
    }

    card(player, seat) {
        const time = h("span", { class: "time", role: "timer" });
        const bank = h("span", { class: "bank" });
        const name = player?.name ?? text.nobody;
        const element = h(
            "div",
            { class: `seat-card seat-${seat} ${this.isActive(seat) ? "active" : ""}` },
            badge(seat),
            h(
                "div",
                { class: "who" },
                h("span", { class: "name" }, name),
                h("span", { class: "rated-at" }, tellRatingAfter(this.match.ratings?.[seat])),
                seat === this.match.seat ? h("span", { class: "tag" }, text.you) : null,
                player?.bot ? h("span", { class: "tag" }, text.bot) : null,
            ),
            h(
                "span",
                { class: `status ${this.statusOf(player, seat)}` },
                text.match[this.statusOf(player, seat)] ?? "",
            ),
            h("div", { class: "clock" }, time, bank),
        );
        return { element, time, bank };
    }

    isActive(seat) {
        const open = this.match.turn_open;
        return open !== undefined && open !== null && open.owing.includes(seat) && !open.ready.includes(seat);
    }

    statusOf(player, seat) {
        const open = this.match.turn_open;
        if (player === null || player === undefined || this.match.outcome) {
            return "";
        }
        if (open?.ready.includes(seat)) {
            return "ready";
        }
        if (!player.is_here && !player.bot) {
            return "away";
        }
        if (open?.owing.includes(seat)) {
            return open.owing.length === 1 ? "toMove" : "thinking";
        }
        return "";
    }

    /* A turn opened, or its deadlines changed. */
    setTurn(turnOpen, at) {
        this.low.clear();
        this.clocks = turnOpen.deadline_ms.map((left, seat) => {
            const clock = new SeatClock();
            const isRunning = turnOpen.owing.includes(seat) && !turnOpen.ready.includes(seat);
            clock.set(left, turnOpen.bank_ms[seat], isRunning, at);
            return clock;
        });
    }

    setReady(seat, isReady) {
        this.clocks[seat]?.setRunning(!isReady, performance.now());
    }

    /* The time a seat has for the open turn, without the bank if possible; without a clock no limit. */
    timeFor(seat) {
        const clock = this.clocks[seat];
        if (clock === undefined || clock.left_ms === null) {
            return Infinity;
        }
        const { turn_ms, bank_ms } = clock.parts(performance.now());
        return turn_ms > 0 ? turn_ms : bank_ms;
    }

    stop() {
        this.clocks.forEach((clock) => clock.setRunning(false, performance.now()));
    }

    start() {
        this.timer = setInterval(this.tick, 100);
    }

    close() {
        clearInterval(this.timer);
    }

    tick() {
        const now = performance.now();
        this.cards?.forEach((card, seat) => {
            const clock = this.clocks[seat];
            if (clock === undefined || clock.left_ms === null || this.match.outcome) {
                card.time.textContent = "";
                card.bank.textContent = "";
                return;
            }
            const { turn_ms, bank_ms } = clock.parts(now);
            const isInBank = turn_ms <= 0;
            card.time.textContent = tellTime(isInBank ? bank_ms : turn_ms);
            card.bank.textContent =
                bank_ms === 0 ? "" : isInBank ? text.match.inBank : text.match.bank(tellTime(bank_ms));
            const isLow = clock.since !== null && clock.left(now) < LOW_MS;
            card.time.classList.toggle("low", isLow);
            if (isLow && !this.low.has(seat)) {
                this.low.add(seat);
                this.onLow(seat);
            }
        });
    }
}
