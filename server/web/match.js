/*
 * One match on the screen, played or watched.
 *
 * Frames about the match are handled one after another, so that every turn is shown before the
 * next.  The orders of the open turn are sent to the server as they are made, not yet ready, so
 * that a lost tab or a missed deadline loses none of them.
 */
import { freshId } from "../../proto/js/client.js";
import { Animator } from "./animate.js";
import { get, getReplay, withCode } from "./api.js";
import { Board } from "./board.js";
import { h, isForScreen, keepFocus, openDialog, put, released, toast } from "./dom.js";
import { showReach, showThreats, showTrace } from "./insight.js";
import { Chat, LINES_MAX, Log } from "./log.js";
import { faces } from "./rulesets.js";
import { notify, notifySwitches, setTitle } from "./notify.js";
import { rulesetPicture } from "./pictures.js";
import { tellTurn } from "./scene.js";
import { remember } from "./published.js";
import { Seats } from "./seats.js";
import { settings } from "./settings.js";
import { speedSelect } from "./playback.js";
import { tellError, tellLostReason, tellReason, tellVerdict, text } from "./language.js";
import { invitation } from "./invite.js";
import { zoomSwitch } from "./zoom.js";
import { tellTime } from "./clock.js";

const DRAFT_MS = 250; /* orders are sent, not yet ready, this long after the last change */
const CLAIM_LOOK_MS = 300000; /* maximum time until the claim countdown is updated */
const QUEUE_MAX = 4; /* if more turns than this wait, they are shown without animation */
const RATING_TRIES = 4; /* how often to ask how a rated match has changed the ratings ... */
const RATING_PAUSE_MS = 1000; /* ... and how long to wait in between */
const ANIMATION_SHARE = 0.1; /* share of a turn's time for animating the previous one */
/* Frames about a turn wait until the previous ones are shown. */
const IN_ORDER = {
    state: (screen, frame) => screen.takeState(frame),
    seated: (screen, frame) => screen.takeSeated(frame),
    turn: (screen, frame) => screen.takeTurn(frame),
    over: (screen, frame) => screen.takeOver(frame),
    clock: (screen, frame) => screen.takeClock(frame),
    draw: (screen, frame) => screen.takeDraw(frame),
    accepted: (screen, frame) => screen.takeAccepted(frame),
};

/* The others are handled at once. */
const AT_ONCE = {
    ready: (screen, frame) => screen.showReady(frame),
    presence: (screen, frame) => screen.showPresence(frame),
    chat: (screen, frame) => screen.chat.add(frame),
    bot_failed: (screen, frame) => screen.showBotFailure(frame),
    rematch: (screen, frame) => screen.showRematch(frame),
};

export class MatchScreen {
    constructor(app, id, { code = undefined, isGuided = false } = {}) {
        Object.assign(this, { app, id, code, isGuided });
        this.server = app.server;
        this.animator = new Animator();
        this.animator.setSpeed(settings.speed);
        this.queue = [];
        this.match = null;
        this.openNow = null; /* the turn open on the server; the previous one may still be shown */
        this.claimAt = new Map(); /* seat that is away -> when the others may claim */
        this.isReady = false;
        this.build();
    }

    /* ---- the screen ---- */

    build() {
        this.board = new Board({
            choose: (cell) => {
                this.isMyTurn() && this.orders.choose(cell);
                this.look(cell);
            },
            point: (cell) => {
                this.isMyTurn() && this.orders.point(cell);
                this.look(cell);
            },
            detail: (cell) => this.scene?.view && this.face.detail?.(this.scene, cell),
            cancel: () => this.orders?.cancel(),
            describe: (cell) =>
                this.scene?.view && this.face.describe(this.scene, this.isMyTurn() ? this.orders : null, cell),
        });
        this.voice = h("div", { class: "voice", "aria-live": "polite" });
        this.board.voice = this.voice;
        this.seats = new Seats((seat) => seat === this.match?.seat && this.notify("low"));
        this.log = new Log(this.id);
        this.chat = new Chat(this.id, {
            send: (said) => this.say(said),
            mute: (muted) => this.server.request({ type: "mute", match: this.id, muted }).catch(() => {}),
        });
        this.headline = h("h1", { class: "headline" }, text.loading);
        this.notice = h("div", { class: "notice", "aria-live": "polite" });
        this.guidePlace = h("div", { class: "guide-place", "aria-live": "polite" });
        this.ordersPlace = h("div", {});
        this.messages = h("div", {});
        this.actions = h("div", { class: "actions" });
        this.tools = h("div", { class: "tools row" });
        this.boardPlace = h("div", { class: "board-place" }, this.board.frame);
        this.ordersPanel = h("section", { class: "panel orders-panel" }, this.ordersPlace, this.actions, this.messages);
        this.element = h(
            "div",
            { class: "match is-loading is-opening" },
            h("div", { class: "match-board" }, this.headline, this.seats.element, this.boardPlace, this.playback()),
            h(
                "div",
                { class: "match-side" },
                this.guidePlace,
                this.notice,
                this.ordersPanel,
                this.tools,
                this.chat.element,
                this.log.element,
            ),
            this.voice,
        );
    }

    /* Shows what the unit there can do, unless another is being given an order. */
    look(cell) {
        showReach(this.board, this.face, this.scene, this.isMyTurn() && this.orders.isChoosing ? null : cell);
    }

    flip() {
        this.board.isFlipped = !this.board.isFlipped;
        this.board.clear("traces", "reach");
        this.face.draw(this.board, this.scene);
        this.orders?.hints && this.orders.show();
        this.showThreats();
    }

    async showRules() {
        try {
            const { rulesDialog } = await import("./rules.js");
            await rulesDialog(this.match.ruleset, this.match.params);
        } catch {
            toast(text.noAnswer, "bad");
        }
    }

    toggleThreats() {
        this.isThreats = !this.isThreats;
        this.showThreats();
    }

    showThreats() {
        this.threatsButton.hidden =
            !this.face.hasThreats || this.match.seat === null || this.match.status !== "running";
        this.threatsButton.setAttribute("aria-pressed", String(this.isThreats));
        showThreats(this.board, this.face, this.scene, this.isThreats && !this.threatsButton.hidden);
    }

    playback() {
        this.isThreats = false;
        this.threatsButton = h(
            "button",
            { class: "small toggle", hidden: true, title: text.match.threatsHint, onclick: () => this.toggleThreats() },
            text.match.threats,
        );
        this.skipButton = h(
            "button",
            { class: "small", hidden: true, onclick: () => this.animator.skip() },
            text.match.skip,
        );
        this.playbackPlace = h(
            "div",
            { class: "playback row" },
            speedSelect((speed) => this.animator.setSpeed(speed)),
            h("button", { class: "small", onclick: () => this.flip() }, text.match.flip),
            zoomSwitch(this.board),
            this.threatsButton,
            notifySwitches(),
            h("button", { class: "small", onclick: () => this.showRules() }, text.rules.link),
            this.skipButton,
        );
        return this.playbackPlace;
    }

    /* ---- following ---- */

    async open() {
        this.stops = Object.keys({ ...IN_ORDER, ...AT_ONCE }).map((type) =>
            this.server.on(type, (frame) => frame.match === this.id && this.hear(frame)),
        );
        for (const [type, act] of [
            ["pagehide", () => this.flush()],
            ["keydown", (event) => this.key(event)],
        ]) {
            addEventListener(type, act);
            this.stops.push(() => removeEventListener(type, act));
        }
        this.stops.push(this.server.on("gone", ({ match, refusal }) => match === this.id && this.fail(refusal)));
        this.seats.start();
        try {
            await this.server.request({ type: "watch", match: this.id, code: this.code });
        } catch (refusal) {
            this.fail(refusal);
        }
    }

    fail(refusal) {
        const words = { unknown_match: text.match.notFound, wrong_code: text.match.private };
        put(
            this.element,
            h(
                "div",
                { class: "panel" },
                h("h1", {}, text.title),
                h("p", {}, words[refusal.code] ?? tellError(refusal)),
                h("a", { class: "button", href: "#/" }, text.back),
            ),
        );
    }

    close() {
        this.isClosed = true;
        document.querySelectorAll(".toast.event").forEach((note) => note.remove()); /* not on another screen */
        this.stops?.forEach((stop) => stop());
        this.seats.close();
        this.queue.length = 0;
        this.animator.skip();
        clearTimeout(this.claimTimer);
        this.flush();
        if (this.match?.status === "over" || this.match?.seat === null) {
            this.server.leave(this.id);
        }
    }

    hear(frame) {
        frame.at = performance.now();
        this.keepPublished(frame);
        if (frame.type in IN_ORDER) {
            this.hearClock(frame);
            this.queue.push(frame);
            this.work();
        } else if (this.match !== null) {
            AT_ONCE[frame.type](this, frame);
        }
        this.showSeats();
    }

    /* For a proof of the match later. */
    keepPublished({ type, status, commitment, head, outcome }) {
        if (type === "state" && status !== "over") {
            remember(this.id, { commitment });
        } else if (type === "over" || outcome?.head !== undefined) {
            remember(this.id, { head: head ?? outcome.head });
        }
    }

    /* Time runs from when the server says so, whatever is still being shown. */
    hearClock(frame) {
        if (frame.turn_open !== undefined) {
            this.openNow = { ...frame.turn_open };
            this.seats.setTurn(this.openNow, frame.at);
        } else if (["state", "turn", "over"].includes(frame.type)) {
            this.openNow = null;
            this.seats.stop();
        }
    }

    async work() {
        if (this.isWorking) {
            return;
        }
        this.isWorking = true;
        while (this.queue.length > 0) {
            const frame = this.queue.shift();
            if (frame.type === "state" || (this.match !== null && (frame.seq ?? Infinity) > this.match.seq)) {
                await IN_ORDER[frame.type](this, frame);
                this.match.seq = frame.seq ?? this.match.seq;
            } /* otherwise it is in the state, which has arrived or will arrive */
        }
        this.isWorking = false;
    }

    /* ---- frames in their order ---- */

    async takeState(frame) {
        this.match = {
            ...frame,
            turn_open: frame.turn_open ?? null,
            outcome: frame.outcome ?? null,
            ratings: this.match?.ratings,
        };
        this.claimAt.clear();
        this.face = faces[frame.ruleset];
        this.scene = {
            params: frame.params,
            view: frame.view,
            seat: frame.seat,
            players: frame.players,
            memory: this.scene?.memory ?? {},
        };
        this.makeOrders();
        if (frame.view !== null) {
            this.face.draw(this.board, this.scene);
        }
        this.beginGuide(frame);
        await this.recall(frame);
        this.loadRatings();
        this.board.element.setAttribute("aria-label", text.match.board(text.rulesets[frame.ruleset].name));
        if (frame.outcome) {
            this.showEnd();
        } else if (frame.turn_open) {
            this.openTurn(frame.turn_open, frame.pending);
        }
        this.show();
    }

    /* Hints beside the board: where they were asked for, and in the player's first match of a ruleset. */
    async beginGuide({ ruleset, seat, outcome }) {
        if (seat === null || outcome || !(this.isGuided || !settings.guided.includes(ruleset))) {
            return;
        }
        try {
            const { Guide, isNewTo } = await import("./guide.js");
            const isWanted = this.isGuided || (await isNewTo(ruleset));
            if (isWanted && this.guide === undefined && !this.isClosed) {
                this.guide = new Guide(this, this.guidePlace);
                this.guide.update();
            }
        } catch {
            this.isGuided && toast(text.noAnswer, "bad");
        }
    }

    /* Loads what happened before the page was opened: for the log, and for messages with totals. */
    async recall({ view }) {
        const turns = Array.from({ length: view?.turn ?? 0 }, (_, turn) => turn);
        if (
            this.face.recall === undefined
                ? turns.slice(-LINES_MAX).every((turn) => this.log.has(turn))
                : turns.length === 0
        ) {
            return;
        }
        const asked = getReplay(this.id, this.code).then(
            (lines) => lines.slice(1),
            () => [],
        );
        if (this.face.recall !== undefined) {
            this.face.recall(this.scene, await asked);
        }
        asked.then((lines) =>
            this.log.add(lines.map((line) => [line.turn, tellTurn(this.face, this.scene, line, this.scene.view)])),
        );
    }

    /* The players' ratings; after a rated match, with their change, which may come a little later. */
    async loadRatings() {
        const isCounted = (ratings) => ratings.some((standing) => typeof standing?.change === "number");
        for (let tries = 1; tries <= RATING_TRIES && !this.isClosed; tries++) {
            const { ratings } = await get(`matches/${this.id}${withCode(this.code, "?")}`, { isMine: true }).catch(
                () => ({}),
            );
            if (this.isClosed) {
                return;
            }
            if (ratings) {
                this.match.ratings = ratings;
                this.showSeats();
                this.showActions();
            }
            if (!ratings || !this.match.outcome || !this.match.rated || isCounted(ratings)) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, RATING_PAUSE_MS));
        }
    }

    /* How the match has changed the player's own rating; null: not, or not yet. */
    ratingTold() {
        const own = this.match.ratings?.[this.match.seat];
        return typeof own?.change === "number"
            ? h("p", {}, text.yours.rating(own.rating - own.change, own.rating))
            : null;
    }

    makeOrders() {
        this.orders?.hide();
        this.orders =
            this.match.seat === null
                ? null
                : new this.face.Orders({
                      board: this.board,
                      scene: this.scene,
                      seat: this.match.seat,
                      onChange: () => this.changed(),
                  });
        put(this.ordersPlace, this.orders?.panel);
    }

    async takeSeated(frame) {
        this.match.players[frame.seat] =
            frame.name === null ? null : { name: frame.name, bot: frame.bot, is_here: true };
        if (frame.turn_open) {
            this.match.status = "running";
            this.match.rated &&= !frame.unrated;
            this.scene.view = frame.view;
            this.face.draw(this.board, this.scene);
            this.openTurn(frame.turn_open);
            this.loadRatings();
            this.notify("join");
        }
        this.show();
    }

    async takeTurn(frame) {
        this.closeTurn();
        this.tellTurn(frame);
        const before = this.scene.view;
        this.board.clear("traces", "reach");
        if (this.queue.length < QUEUE_MAX && !document.hidden) {
            this.skipButton.hidden = false;
            const time_ms = this.seats.timeFor(this.match.seat);
            await this.animator.run(this.face.steps(this.board, this.scene, frame.events), time_ms * ANIMATION_SHARE);
            this.skipButton.hidden = true;
        }
        this.scene.view = frame.view;
        this.match.view = frame.view;
        this.match.offer = null;
        this.face.draw(this.board, this.scene);
        showTrace(this.board, this.face, { ...this.scene, view: before }, frame.events);
        if (frame.turn_open) {
            this.openTurn(frame.turn_open);
            this.isMyTurn() && this.notify("turn");
        }
        this.show();
    }

    tellTurn(frame) {
        const lines = tellTurn(this.face, this.scene, frame, frame.view);
        this.log.add([[frame.turn - 1, lines]]); /* the frame counts resolved turns */
        this.voice.textContent = lines.join(". ");
        this.face.announce?.(frame.events, { ...this.scene, after: frame.view, failures: frame.failures }, (words) =>
            toast(words, "event"),
        );
        if (this.face.isSimultaneous && frame.verdicts !== null) {
            const isTold = ({ verdict }) =>
                verdict === "ok" || verdict === "bounced" || verdict === "match_over"; /* otherwise */
            const refused = frame.verdicts.filter((verdict) => !isTold(verdict));
            refused.forEach((verdict) => toast(tellVerdict(verdict), "bad"));
        }
    }

    async takeOver(frame) {
        this.closeTurn();
        this.match.status = "over";
        this.match.outcome = { winner: frame.winner, reason: frame.reason };
        this.showEnd();
        this.show();
        this.loadRatings();
    }

    async takeClock(frame) {
        this.match.turn_open = frame.turn_open;
        this.show();
    }

    async takeDraw(frame) {
        this.match.offer = frame.offer === "made" ? frame.seat : null;
        if (frame.offer === "declined") {
            toast(text.match.drawDeclined, "event");
        } else if (frame.seat !== this.match.seat) {
            this.notify("offer");
        }
        this.show();
    }

    /* Another tab of the same player has sent orders. */
    async takeAccepted(frame) {
        if (frame.id === undefined && this.match.turn_open?.turn === frame.turn && frame.command_id !== this.lastSent) {
            this.isReady = frame.ready;
            this.showActions();
        }
    }

    /* Spectators are not notified. */
    notify(kind) {
        if (this.match.seat !== null) {
            notify(kind, `${text.rulesets[this.match.ruleset].name}, ${this.opponent()}`);
        }
    }

    /* ---- the open turn ---- */

    openTurn(turnOpen, pending) {
        this.match.turn_open = turnOpen;
        this.ordersTold = [];
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

    /* Keeps what is below the orders in place while they come and go. */
    settle() {
        this.element.classList.remove("is-opening");
        this.ordersPanel.style.minHeight = "";
    }

    closeTurn() {
        this.ordersPanel.style.minHeight = `${this.ordersPanel.offsetHeight}px`;
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

    /* Of the page's own referee, once it is there; else of the server. */
    async findHints() {
        const { match, scene } = this;
        import("./proof.js").then((proof) => (this.proof = proof)).catch(() => {});
        return (
            this.proof?.hintsNow(match, scene.view, match.seat) ??
            this.server.request({ type: "hints", match: this.id })
        );
    }

    async askHints(turn) {
        try {
            const frame = await this.findHints();
            await released();
            if (frame.turn === turn && this.match.turn_open?.turn === turn) {
                this.orders.setHints(frame.commands);
                this.guide?.update();
            }
        } catch (refusal) {
            this.complainUnlessLate(refusal);
        }
        this.settle();
    }

    /* Orders changed: in simultaneous rulesets they are kept on the server until they are ready. */
    changed() {
        this.tellOrders();
        this.isReady = false;
        this.hasRefusals = false;
        this.isDirty = true;
        this.board.clear("traces", "reach");
        clearTimeout(this.draftTimer);
        if (this.face.isSimultaneous) {
            this.draftTimer = setTimeout(() => this.sendDraft(), DRAFT_MS);
        } else {
            this.submit({});
        }
        this.showActions();
    }

    /* For screen readers: what was ordered just now, with unit and target. */
    tellOrders() {
        const told = this.orders.commands().map((command) => this.face.tellCommand(command, this.scene));
        const before = this.ordersTold ?? [];
        const added = told.filter((words) => !before.includes(words));
        const gone = before.filter((words) => !told.includes(words));
        this.ordersTold = told;
        if (added.length + gone.length > 0) {
            this.voice.textContent = text.list(added.length > 0 ? added : gone.map(text.match.orderGone));
        }
    }

    key(event) {
        if (event.key.toLowerCase() === "r" && isForScreen(event)) {
            this.actions.querySelector(".ready:enabled")?.click();
        }
    }

    /* Sends the last orders when the player leaves. */
    flush() {
        if (this.isDirty && this.face.isSimultaneous) {
            this.sendDraft();
        }
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
            const answer = await this.server.request({
                type: "submit",
                match: this.id,
                turn,
                commands,
                command_id,
                ...more,
            });
            await released();
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

    showReady(frame) {
        if (this.openNow?.turn === frame.turn) {
            this.openNow.ready = this.openNow.ready
                .filter((seat) => seat !== frame.seat)
                .concat(frame.ready ? [frame.seat] : []);
            this.seats.setReady(frame.seat, frame.ready);
        }
    }

    showPresence(frame) {
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

    showBotFailure(frame) {
        toast(
            text.match.botFailed(this.match.players[frame.seat]?.name ?? text.match.seat(frame.seat), frame.message),
            "bad",
        );
    }

    showRematch(frame) {
        this.next = frame;
        this.showActions();
    }

    /* ---- what the player asks for ---- */

    complain(refusal) {
        toast(tellError(refusal), "bad");
    }

    /* The turn went on meanwhile: its frames are on their way. */
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
        return (await this.ask({ type: "chat", text: said })) !== null;
    }

    resign() {
        openDialog(text.match.resignTitle, (close) => [
            h("p", {}, text.match.resignText),
            h(
                "div",
                { class: "row" },
                h(
                    "button",
                    {
                        class: "danger",
                        onclick: () => {
                            close();
                            this.ask({ type: "resign", command_id: freshId() });
                        },
                    },
                    text.match.resignYes,
                ),
                h("button", { autofocus: true, onclick: close }, text.match.resignNo),
            ),
        ]);
    }

    async rematch() {
        const joined = await this.ask({ type: "rematch" });
        if (joined !== null) {
            this.app.go(`#/match/${joined.match}`);
        }
    }

    /* ---- showing ---- */

    showSeats() {
        if (this.match !== null) {
            this.seats.show({ ...this.match, turn_open: this.openNow });
        }
    }

    show() {
        this.element.classList.remove("is-loading");
        if (!this.isMyTurn()) {
            this.settle();
        }
        this.showSeats();
        this.showBoard();
        this.showHeadline();
        this.showNotice();
        this.showActions();
        this.showTools();
        this.showThreats();
        put(this.messages, this.scene.view === null ? null : this.face.messages?.(this.scene));
    }

    /* Before the start there is no board: shows the picture of the ruleset, and the invitation. */
    showBoard() {
        const { match } = this;
        if (this.scene.view === null) {
            put(
                this.boardPlace,
                rulesetPicture(match.ruleset),
                match.status === "waiting" ? invitation(this.app, match) : null,
            );
        } else if (!this.board.frame.isConnected) {
            put(this.boardPlace, this.board.frame);
        }
        this.playbackPlace.hidden = this.scene.view === null;
    }

    showHeadline() {
        const { match } = this;
        const name = text.rulesets[match.ruleset].name;
        const turn = (match.view?.turn ?? 0) - (match.outcome && match.view?.turn > 0 ? 1 : 0);
        put(
            this.headline,
            name,
            " ",
            h(
                "span",
                { class: "dim" },
                [
                    match.status === "waiting" ? text.match.waiting : text.match.turn(turn),
                    text.join.rating(match.rated),
                ].join(" · "),
            ),
        );
        this.isClosed || setTitle(`${name} – ${text.title}`, this.isMyTurn() && !this.isReady);
    }

    showNotice() {
        const { match } = this;
        const notes = [];
        if (match.seat === null && !match.outcome) {
            notes.push(
                h(
                    "p",
                    { class: "card" },
                    text.match.watching,
                    " ",
                    match.spectator_delay > 0 ? text.match.delay(match.spectator_delay) : "",
                ),
            );
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
        return h(
            "div",
            { class: "card" },
            h("p", {}, text.match.drawAsked(this.match.players[this.match.offer].name)),
            h(
                "div",
                { class: "row" },
                h("button", { class: "primary", onclick: answer(true) }, text.match.drawAccept),
                h("button", { onclick: answer(false) }, text.match.drawDecline),
            ),
        );
    }

    /* No frame says when a claim becomes possible, so the page checks again. */
    claimNote() {
        const left = Math.min(...this.claimAt.values()) - performance.now();
        if (left > 0) {
            this.claimTimer = setTimeout(() => this.showNotice(), Math.min(left, CLAIM_LOOK_MS));
        }
        return h(
            "p",
            { class: "card" },
            left > 0
                ? text.match.claimAfter(tellTime(left))
                : h("button", { class: "primary", onclick: () => this.ask({ type: "claim" }) }, text.match.claim),
        );
    }

    showActions() {
        keepFocus(this.actions, () => this.putActions());
        this.showHeadline();
        this.element.classList.toggle("is-ready", this.isReady);
        this.guide?.update();
    }

    putActions() {
        const { match } = this;
        if (match.outcome) {
            put(this.actions, this.endActions());
        } else if (!this.isMyTurn()) {
            put(
                this.actions,
                match.status === "running" && match.seat !== null && match.turn_open
                    ? h("p", { class: "hint" }, text.match.wait)
                    : null,
            );
        } else if (this.face.isSimultaneous) {
            put(this.actions, this.readyActions());
        } else {
            put(this.actions);
        }
    }

    readyActions() {
        if (this.isReady) {
            return h(
                "div",
                { class: "sent" },
                h("p", {}, "✓ ", text.match.sent, " ", h("span", { class: "dim" }, text.match.sentChange)),
            );
        }
        const count = this.orders.commands().length;
        return [
            this.hasRefusals ? h("p", { class: "bad" }, text.match.refusedSome(this.hasRefusals)) : null,
            h(
                "div",
                { class: "row" },
                h(
                    "button",
                    {
                        class: "primary big ready",
                        title: text.match.readyKey,
                        disabled: count === 0 && this.face.needsOrders,
                        onclick: () => this.submit({}),
                    },
                    count === 0 && !this.face.needsOrders && this.scene.view.phase !== "placement"
                        ? text.match.ready_nothing
                        : text.match.ready_button,
                ),
                this.hasRefusals
                    ? h("button", { onclick: () => this.submit({ ready: true }) }, text.match.sendAnyway)
                    : null,
                count > 0 ? h("button", { onclick: () => this.orders.clear() }, text.match.clearAll) : null,
            ),
        ];
    }

    showEnd() {
        this.orders?.hide();
    }

    endActions() {
        const { winner, reason } = this.match.outcome;
        const { seat, players } = this.match;
        const words =
            winner === null
                ? reason.startsWith("draw")
                    ? text.match.over.drawn
                    : text.match.over.none
                : seat === null
                  ? text.match.over.watched(players[winner]?.name ?? text.match.seat(winner))
                  : winner === seat
                    ? text.match.over.won
                    : text.match.over.lost;
        const kind = winner === null ? "drawn" : seat === null ? "watched" : winner === seat ? "won" : "lost";
        return h(
            "div",
            { class: `result ${kind}` },
            h("h2", {}, words),
            h("p", {}, kind === "lost" ? tellLostReason(reason) : tellReason(reason)),
            this.ratingTold(),
            this.next ? h("p", {}, text.match.rematchWanted(this.opponent())) : null,
            h(
                "div",
                { class: "row" },
                seat === null
                    ? null
                    : h("button", { class: "primary", onclick: () => this.rematch() }, text.match.rematch),
                h(
                    "a",
                    {
                        class: seat === null ? "button primary" : "button",
                        href: `#/replay/${this.id}${withCode(this.code, "?")}`,
                    },
                    text.match.replay,
                ),
                h("a", { class: "button", href: "#/" }, text.back),
            ),
        );
    }

    opponent() {
        return text.list(
            this.match.players
                .filter((player, seat) => player !== null && seat !== this.match.seat)
                .map((player) => player.name),
        );
    }

    showTools() {
        const { match } = this;
        if (match.seat === null || match.status !== "running") {
            put(this.tools);
            return;
        }
        put(
            this.tools,
            match.players.length === 2 && match.offer !== match.seat
                ? h("button", { class: "small", onclick: () => this.ask({ type: "offer_draw" }) }, text.match.draw)
                : null,
            h("button", { class: "small", onclick: () => this.resign() }, text.match.resign),
        );
    }
}
