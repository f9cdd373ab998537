/*
 * One match on the screen, played or watched.
 *
 * Frames that tell of the match are worked off one after another, so that every turn is seen
 * before the next; the orders of the open turn are kept on the server as they are made, not yet
 * ready, so that a lost tab or a passed deadline loses none of them.
 */
import { freshId } from "../../proto/js/client.js";
import { Animator } from "./animate.js";
import { getReplay } from "./api.js";
import { Board } from "./board.js";
import { h, keepFocus, openDialog, put, toast } from "./dom.js";
import { Chat, Log } from "./log.js";
import { faces } from "./rulesets.js";
import { rulesetPicture } from "./pictures.js";
import { tellTurn } from "./scene.js";
import { Seats } from "./seats.js";
import { settings } from "./settings.js";
import { speedSelect } from "./playback.js";
import { tellReason, tellVerdict, text } from "./text.js";
import { invitation } from "./invite.js";
import { tellTime } from "./clock.js";

const DRAFT_MS = 250; /* after the last change the orders are sent, not yet ready */
const CLAIM_LOOK_MS = 300000; /* at most until the time to a claim is told anew */
const QUEUE_MAX = 4; /* more turns than this wait: they are shown without animation */
const FRAMES = ["state", "seated", "turn", "over", "accepted", "withdrawn", "ready", "clock", "draw", "chat", "presence", "rematch", "bot_failed"];

export class MatchScreen {
    constructor(app, id, { code = undefined } = {}) {
        Object.assign(this, { app, id, code });
        this.server = app.server;
        this.animator = new Animator();
        this.animator.setSpeed(settings.speed);
        this.queue = [];
        this.match = null;
        this.claimAt = new Map(); /* seat that is away -> when the others may claim */
        this.isReady = false;
        this.build();
    }

    /* ---- the screen ---- */

    build() {
        this.board = new Board({
            choose: (cell) => this.isMyTurn() && this.orders.choose(cell),
            point: (cell) => this.isMyTurn() && this.orders.point(cell),
            cancel: () => this.orders?.cancel(),
            describe: (cell) => this.scene?.view && this.face.describe(this.scene, this.isMyTurn() ? this.orders : null, cell),
        });
        this.voice = h("div", { class: "voice", "aria-live": "polite" });
        this.board.voice = this.voice;
        this.seats = new Seats();
        this.log = new Log();
        this.chat = new Chat(this.id, { send: (said) => this.say(said), mute: (muted) => this.server.request({ type: "mute", match: this.id, muted }).catch(() => {}) });
        this.headline = h("h1", { class: "headline" }, text.loading);
        this.notice = h("div", { class: "notice", "aria-live": "polite" });
        this.ordersPlace = h("div", {});
        this.messages = h("div", {});
        this.actions = h("div", { class: "actions" });
        this.tools = h("div", { class: "tools row" });
        this.boardPlace = h("div", { class: "board-place" }, this.board.element);
        this.element = h("div", { class: "match" },
            h("div", { class: "match-board" }, this.headline, this.seats.element, this.boardPlace, this.playback()),
            h("div", { class: "match-side" }, this.notice, h("section", { class: "panel orders-panel" }, this.ordersPlace, this.actions, this.messages), this.tools, this.chat.element, this.log.element),
            this.voice);
    }

    playback() {
        this.skipButton = h("button", { class: "small", hidden: true, onclick: () => this.animator.skip() }, text.match.skip);
        this.playbackPlace = h("div", { class: "playback row" }, speedSelect((speed) => this.animator.setSpeed(speed)), this.skipButton);
        return this.playbackPlace;
    }

    /* ---- following ---- */

    async open() {
        this.stops = FRAMES.map((type) => this.server.on(type, (frame) => frame.match === this.id && this.hear(frame)));
        this.seats.start();
        try {
            await this.server.request({ type: "watch", match: this.id, code: this.code });
        } catch (refusal) {
            this.fail(refusal);
        }
    }

    fail(refusal) {
        const words = { unknown_match: text.match.notFound, wrong_code: text.match.private };
        put(this.element, h("div", { class: "panel" }, h("h1", {}, text.title), h("p", {}, words[refusal.code] ?? refusal.message),
            h("a", { class: "button", href: "#/" }, text.back)));
    }

    close() {
        this.stops?.forEach((stop) => stop());
        this.seats.close();
        this.animator.skip();
        clearTimeout(this.claimTimer);
        clearTimeout(this.draftTimer);
        if (this.draftTimer && this.isDirty) {
            this.sendDraft();
        }
        if (this.match?.status === "over" || this.match?.seat === null) {
            this.server.leave(this.id);
        }
    }

    /* What takes time to show waits its turn; the rest is at once. */
    hear(frame) {
        frame.at = performance.now();
        if (frame.type === "state" || frame.type === "turn" || frame.type === "seated" || frame.type === "over" || frame.type === "clock") {
            this.queue.push(frame);
            this.work();
        } else if (this.match !== null) {
            this[`hear_${frame.type}`]?.(frame);
        }
    }

    async work() {
        if (this.isWorking) {
            return;
        }
        this.isWorking = true;
        while (this.queue.length > 0) {
            const frame = this.queue.shift();
            if (frame.type === "state" || (this.match !== null && frame.seq > this.match.seq)) {
                await this[`take_${frame.type}`](frame);
                this.match.seq = frame.seq;
            } /* else it is in the state, which came or will come */
        }
        this.isWorking = false;
    }

    /* ---- frames in their order ---- */

    async take_state(frame) {
        this.match = { ...frame, turn_open: frame.turn_open ?? null, outcome: frame.outcome ?? null };
        this.claimAt.clear();
        this.face = faces[frame.ruleset];
        this.scene = { params: frame.params, view: frame.view, seat: frame.seat, players: frame.players, memory: this.scene?.memory ?? {} };
        this.makeOrders();
        if (frame.view !== null) {
            this.face.draw(this.board, this.scene);
        }
        await this.recall(frame);
        this.board.element.setAttribute("aria-label", text.match.board(text.rulesets[frame.ruleset].name));
        if (frame.outcome) {
            this.showEnd();
        } else if (frame.turn_open) {
            this.openTurn(frame.turn_open, frame.at, frame.pending);
        }
        this.show();
    }

    /* What the messages count from the beginning was told before this page was here. */
    async recall(frame) {
        if (this.face.recall !== undefined && frame.view !== null && frame.view.turn > 0) {
            const turns = await getReplay(this.id).catch(() => []);
            this.face.recall(this.scene, turns);
        }
    }

    makeOrders() {
        this.orders?.hide();
        this.orders = this.match.seat === null ? null : new this.face.Orders({ board: this.board, scene: this.scene, seat: this.match.seat, onChange: () => this.changed() });
        put(this.ordersPlace, this.orders?.panel);
    }

    async take_seated(frame) {
        this.match.players[frame.seat] = frame.name === null ? null : { name: frame.name, bot: frame.bot, is_here: true };
        if (frame.turn_open) {
            this.match.status = "running";
            this.scene.view = frame.view;
            this.face.draw(this.board, this.scene);
            this.openTurn(frame.turn_open, frame.at);
        }
        this.show();
    }

    async take_turn(frame) {
        this.closeTurn();
        this.tellTurn(frame);
        if (this.queue.length < QUEUE_MAX && !document.hidden) {
            this.skipButton.hidden = false;
            await this.animator.run(this.face.steps(this.board, this.scene, frame.events));
            this.skipButton.hidden = true;
        }
        this.scene.view = frame.view;
        this.match.view = frame.view;
        this.match.offer = null;
        this.face.draw(this.board, this.scene);
        if (frame.turn_open) {
            this.openTurn(frame.turn_open, frame.at);
        }
        this.show();
    }

    tellTurn(frame) {
        const lines = tellTurn(this.face, this.scene, frame, frame.view);
        this.log.addTurn(frame.turn - 1, lines); /* the frame counts the turns that are resolved */
        this.voice.textContent = lines.join(". ");
        this.face.announce?.(frame.events, { ...this.scene, after: frame.view, failures: frame.failures }, (words) => toast(words));
        if (this.face.isSimultaneous && frame.verdicts !== null) {
            const refused = frame.verdicts.filter((verdict) => verdict.verdict !== "ok" && verdict.verdict !== "bounced");
            refused.forEach((verdict) => toast(tellVerdict(verdict), "bad"));
        }
    }

    async take_over(frame) {
        this.closeTurn();
        this.match.status = "over";
        this.match.outcome = { winner: frame.winner, reason: frame.reason };
        this.seats.stop();
        this.showEnd();
        this.show();
    }

    async take_clock(frame) {
        this.match.turn_open = frame.turn_open;
        this.seats.setTurn(frame.turn_open, frame.at);
        this.show();
    }

    /* ---- the open turn ---- */

    openTurn(turnOpen, at, pending) {
        this.match.turn_open = turnOpen;
        this.seats.setTurn(turnOpen, at);
        this.isReady = pending?.ready ?? false;
        this.isDirty = false;
        if (this.isMyTurn()) {
            this.orders.setCommands(pending?.commands ?? []);
            this.askHints(turnOpen.turn);
            if (pending !== undefined) {
                this.orders.setVerdicts(pending.commands, pending.verdicts);
            }
        }
    }

    closeTurn() {
        clearTimeout(this.draftTimer);
        this.match.turn_open = null;
        this.orders?.hide();
        this.hasRefusals = false;
        this.isReady = false;
    }

    isMyTurn() {
        const open = this.match?.turn_open;
        return this.match?.seat !== null && open !== null && open !== undefined && open.owing.includes(this.match.seat);
    }

    async askHints(turn) {
        try {
            const frame = await this.server.request({ type: "hints", match: this.id });
            if (frame.turn === turn && this.match.turn_open?.turn === turn) {
                this.orders.setHints(frame.commands);
            }
        } catch (refusal) {
            this.complainUnlessLate(refusal);
        }
    }

    /* Orders changed: in simultaneous rulesets they are kept on the server until they are ready. */
    changed() {
        this.isReady = false;
        this.hasRefusals = false;
        this.isDirty = true;
        clearTimeout(this.draftTimer);
        if (this.face.isSimultaneous) {
            this.draftTimer = setTimeout(() => this.sendDraft(), DRAFT_MS);
        } else {
            this.submit({});
        }
        this.showActions();
    }

    sendDraft() {
        this.submit({ ready: false });
    }

    async submit(more) {
        const turn = this.match.turn_open?.turn;
        if (turn === undefined) {
            return;
        }
        clearTimeout(this.draftTimer);
        this.isDirty = false;
        const commands = this.orders.commands();
        const command_id = freshId();
        this.lastSent = command_id;
        try {
            const answer = await this.server.request({ type: "submit", match: this.id, turn, commands, command_id, ...more });
            this.taken(answer, commands, more);
        } catch (refusal) {
            this.complainUnlessLate(refusal);
        }
    }

    taken(answer, commands, more) {
        if (answer.command_id !== this.lastSent || this.match.turn_open?.turn !== answer.turn || this.isDirty) {
            return;
        }
        this.orders.setVerdicts(commands, answer.verdicts);
        this.isReady = answer.ready;
        const refused = answer.verdicts.filter((verdict) => verdict.verdict !== "ok");
        this.hasRefusals = refused.length > 0 && more.ready === undefined && !answer.ready ? refused.length : false;
        if (!this.face.isSimultaneous) {
            refused.slice(0, 1).forEach((verdict) => toast(tellVerdict(verdict), "bad"));
        }
        this.showActions();
    }

    /* ---- frames at once ---- */

    /* Another tab of the same player has sent. */
    hear_accepted(frame) {
        if (frame.id === undefined && this.match.turn_open?.turn === frame.turn && frame.command_id !== this.lastSent) {
            this.isReady = frame.ready;
            this.showActions();
        }
    }

    hear_ready(frame) {
        const open = this.match.turn_open;
        if (open === null || open.turn !== frame.turn) {
            return;
        }
        open.ready = open.ready.filter((seat) => seat !== frame.seat).concat(frame.ready ? [frame.seat] : []);
        this.seats.setReady(frame.seat, frame.ready);
        this.seats.show(this.match);
    }

    hear_presence(frame) {
        const player = this.match.players[frame.seat];
        if (player) {
            player.is_here = frame.is_here;
        }
        if (frame.claim_ms === undefined) {
            this.claimAt.delete(frame.seat);
        } else {
            this.claimAt.set(frame.seat, performance.now() + frame.claim_ms);
        }
        this.show();
    }

    hear_draw(frame) {
        this.match.offer = frame.offer === "made" ? frame.seat : null;
        if (frame.offer === "declined") {
            toast(text.match.drawDeclined);
        }
        this.show();
    }

    hear_chat(frame) {
        this.chat.add(frame);
    }

    hear_bot_failed(frame) {
        toast(text.match.botFailed(this.match.players[frame.seat]?.name ?? text.match.seat(frame.seat), frame.message), "bad");
    }

    hear_rematch(frame) {
        this.next = frame;
        this.showActions();
    }

    /* ---- what the player asks for ---- */

    complain(refusal) {
        toast(text.errors[refusal.code] ?? refusal.message, "bad");
    }

    /* The turn went on meanwhile: what happened is on its way. */
    complainUnlessLate(refusal) {
        if (!["turn_closed", "wrong_turn", "match_over"].includes(refusal.code)) {
            this.complain(refusal);
        }
    }

    async ask(frame) {
        try {
            return await this.server.request({ match: this.id, ...frame });
        } catch (refusal) {
            this.complain(refusal);
            return null;
        }
    }

    async say(said) {
        return await this.ask({ type: "chat", text: said }) !== null;
    }

    resign() {
        openDialog(text.match.resignTitle, (close) => [h("p", {}, text.match.resignText), h("div", { class: "row" },
            h("button", { class: "danger", onclick: () => {
                close();
                this.ask({ type: "resign", command_id: freshId() });
            } }, text.match.resignYes),
            h("button", { autofocus: true, onclick: close }, text.match.resignNo))]);
    }

    async rematch() {
        const joined = await this.ask({ type: "rematch" });
        if (joined !== null) {
            this.app.go(`#/match/${joined.match}`);
        }
    }

    /* ---- showing ---- */

    show() {
        this.seats.show(this.match);
        this.showBoard();
        this.showHeadline();
        this.showNotice();
        this.showActions();
        this.showTools();
        put(this.messages, this.scene.view === null ? null : this.face.messages?.(this.scene));
    }

    /* Before the start there is no board to see: the picture of the ruleset, and whom to invite. */
    showBoard() {
        const { match } = this;
        if (this.scene.view === null) {
            put(this.boardPlace, rulesetPicture(match.ruleset), match.status === "waiting" ? invitation(this.app, match) : null);
        } else if (!this.board.element.isConnected) {
            put(this.boardPlace, this.board.element);
        }
        this.playbackPlace.hidden = this.scene.view === null;
    }

    showHeadline() {
        const { match } = this;
        const name = text.rulesets[match.ruleset].name;
        const turn = match.view?.turn ?? 0;
        put(this.headline, name, " ", h("span", { class: "dim" }, match.status === "waiting" ? text.match.waiting : text.match.turn(turn)));
        document.title = `${this.isMyTurn() && !this.isReady ? "● " : ""}${name} – ${text.title}`;
    }

    showNotice() {
        const { match } = this;
        const notes = [];
        if (match.seat === null && !match.outcome) {
            notes.push(h("p", { class: "card" }, text.match.watching, " ", match.spectator_delay > 0 ? text.match.delay(match.spectator_delay) : ""));
        }
        if (match.offer !== null && match.offer !== undefined && match.seat !== null) {
            notes.push(this.drawNote());
        }
        clearTimeout(this.claimTimer);
        if (this.claimAt.size > 0 && match.status === "running" && match.seat !== null) {
            notes.push(this.claimNote());
        }
        put(this.notice, notes);
    }

    drawNote() {
        if (this.match.offer === this.match.seat) {
            return h("p", { class: "card" }, text.match.drawOffered);
        }
        const answer = (accept) => () => this.ask({ type: "answer_draw", accept });
        return h("div", { class: "card" }, h("p", {}, text.match.drawAsked(this.match.players[this.match.offer].name)),
            h("div", { class: "row" }, h("button", { class: "primary", onclick: answer(true) }, text.match.drawAccept), h("button", { onclick: answer(false) }, text.match.drawDecline)));
    }

    /* Nobody tells when the time has come, so the page looks again. */
    claimNote() {
        const left = Math.min(...this.claimAt.values()) - performance.now();
        if (left > 0) {
            this.claimTimer = setTimeout(() => this.showNotice(), Math.min(left, CLAIM_LOOK_MS));
        }
        return h("p", { class: "card" }, left > 0 ? text.match.claimAfter(tellTime(left))
            : h("button", { class: "primary", onclick: () => this.ask({ type: "claim" }) }, text.match.claim));
    }

    showActions() {
        keepFocus(this.actions, () => this.putActions());
        this.element.classList.toggle("is-ready", this.isReady);
    }

    putActions() {
        const { match } = this;
        if (match.outcome) {
            put(this.actions, this.endActions());
        } else if (!this.isMyTurn()) {
            put(this.actions, match.status === "running" && match.seat !== null && match.turn_open ? h("p", { class: "hint" }, text.match.wait) : null);
        } else if (this.face.isSimultaneous) {
            put(this.actions, this.readyActions());
        } else {
            put(this.actions);
        }
    }

    readyActions() {
        if (this.isReady) {
            return h("div", { class: "sent" }, h("p", {}, "✓ ", text.match.sent, " ", h("span", { class: "dim" }, text.match.sentChange)));
        }
        const count = this.orders.commands().length;
        return [this.hasRefusals ? h("p", { class: "bad" }, text.match.refusedSome(this.hasRefusals)) : null,
            h("div", { class: "row" },
                h("button", { class: "primary big", disabled: count === 0 && this.face.needsOrders, onclick: () => this.submit({}) },
                    count === 0 && !this.face.needsOrders && this.scene.view.phase !== "placement" ? text.match.ready_nothing : text.match.ready_button),
                this.hasRefusals ? h("button", { onclick: () => this.submit({ ready: true }) }, text.match.sendAnyway) : null,
                count > 0 ? h("button", { onclick: () => this.orders.clear() }, text.match.clearAll) : null)];
    }

    showEnd() {
        this.orders?.hide();
    }

    endActions() {
        const { winner, reason } = this.match.outcome;
        const { seat, players } = this.match;
        const words = winner === null ? (reason.startsWith("draw") ? text.match.over.drawn : text.match.over.none)
            : seat === null ? text.match.over.watched(players[winner]?.name ?? text.match.seat(winner))
                : winner === seat ? text.match.over.won : text.match.over.lost;
        const kind = winner === null ? "drawn" : seat === null ? "watched" : winner === seat ? "won" : "lost";
        return h("div", { class: `result ${kind}` }, h("h2", {}, words), h("p", {}, tellReason(reason)),
            this.next ? h("p", {}, text.match.rematchWanted(this.opponent())) : null,
            h("div", { class: "row" },
                h("a", { class: "button primary", href: `#/replay/${this.id}` }, text.match.replay),
                seat === null ? null : h("button", { onclick: () => this.rematch() }, text.match.rematch),
                h("a", { class: "button", href: "#/" }, text.back)));
    }

    opponent() {
        return text.list(this.match.players.filter((player, seat) => player !== null && seat !== this.match.seat).map((player) => player.name));
    }

    showTools() {
        const { match } = this;
        if (match.seat === null || match.status !== "running") {
            put(this.tools);
            return;
        }
        put(this.tools,
            match.players.length === 2 && match.offer !== match.seat ? h("button", { class: "small", onclick: () => this.ask({ type: "offer_draw" }) }, text.match.draw) : null,
            h("button", { class: "small", onclick: () => this.resign() }, text.match.resign));
    }
}
