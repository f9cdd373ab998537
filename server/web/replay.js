/*
 * Replays a finished match: turn by turn, from any seat, with every order and its result, and
 * what-if.
 */
import { Animator } from "./animate.js";
import { withCode } from "./api.js";
import { Board } from "./board.js";
import { attempt, h, isForScreen, put, svg, toast } from "./dom.js";
import { showReach, showTrace } from "./insight.js";
import { copy, setAddress } from "./invite.js";
import { badge } from "./pieces.js";
import { speedSelect } from "./playback.js";
import { Recording } from "./recording.js";
import { tellTurn } from "./scene.js";
import { settings } from "./settings.js";
import { tellError, tellResult, tellVerdict, text } from "./language.js";
import { WhatIf } from "./whatif.js";
import { zoomSwitch } from "./zoom.js";

const PAUSE_MS = 500; /* between turns while playing */

const ICONS = {
    first: "M3 3V13M13 3 5 8 13 13Z",
    back: "M12 3 4 8 12 13Z",
    play: "M4 2 14 8 4 14Z",
    pause: "M4 2V14M11 2V14",
    next: "M4 3 10 8 4 13ZM13 3V13",
    last: "M3 3 11 8 3 13ZM13 3V13",
};

/* "Everything" has a state, other audiences a view; boards are drawn from either. */
export const boardOf = (moment) => moment.state ?? moment.view;

const icon = (name) =>
    svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

export class ReplayScreen {
    /* Without a recording it is loaded from the server. */
    constructor(app, id, query, recording = null) {
        Object.assign(this, { app, id, recording });
        this.isFile = recording !== null;
        this.opened = new Promise((resolve) => {
            this.isOpened = resolve;
        });
        this.code = query.get("code") ?? undefined;
        this.wanted = { turn: Number(query.get("turn") ?? -1), audience: query.get("seat") ?? "everything" };
        this.position = 0;
        this.whatIf = null;
        this.animator = new Animator();
        this.animator.setSpeed(settings.speed);
        this.build();
    }

    /* ---- the screen ---- */

    build() {
        this.board = new Board({
            choose: (cell) => {
                this.whatIf?.choose(cell);
                this.look(cell);
            },
            point: (cell) => {
                this.whatIf?.point(cell);
                this.look(cell);
            },
            detail: (cell) => this.scene && this.face.detail?.(this.scene, cell),
            cancel: () => this.whatIf?.cancel(),
            describe: (cell) => this.scene && this.face.describe(this.scene, this.whatIf?.orders ?? null, cell),
        });
        this.voice = h("div", { class: "voice", "aria-live": "polite" });
        this.board.voice = this.voice;
        this.headline = h("h1", { class: "headline" }, text.loading);
        this.sides = h("div", { class: "seats" });
        this.counter = h("span", { class: "counter" });
        this.scrubber = h("input", {
            type: "range",
            min: 0,
            max: 0,
            value: 0,
            "aria-label": text.replay.scrubber,
            oninput: (event) => this.jump(Number(event.target.value)),
        });
        this.strip = h("div", {});
        this.happened = h("div", {});
        this.happenedPlace = h("section", { class: "panel happened" }, this.happened);
        this.whatIfPlace = h("div", {});
        this.verifyPlace = h("div", {});
        this.element = h(
            "div",
            { class: "match replay" },
            h(
                "div",
                { class: "match-board" },
                this.headline,
                this.sides,
                h("div", { class: "board-place" }, this.board.frame),
                this.controls(),
            ),
            h(
                "div",
                { class: "match-side" },
                h("section", { class: "panel" }, this.tools()),
                this.verifyPlace,
                this.whatIfPlace,
                this.happenedPlace,
            ),
            this.voice,
        );
    }

    look(cell) {
        showReach(this.board, this.face, this.scene, this.whatIf?.orders?.isChoosing ? null : cell);
    }

    controls() {
        const button = (words, sign, act) =>
            h("button", { class: "small", "aria-label": words, title: words, onclick: act }, icon(sign));
        this.playButton = button(text.replay.play, "play", () => this.toggle());
        const turn = (event) => {
            event.preventDefault();
            this.scene && this.jump(this.position + Math.sign(event.deltaY));
        };
        return h(
            "div",
            { class: "scrub", onwheel: turn },
            this.strip,
            this.scrubber,
            h(
                "div",
                { class: "row" },
                h(
                    "div",
                    { class: "row" },
                    button(text.replay.first, "first", () => this.jump(0)),
                    button(text.replay.previous, "back", () => this.jump(this.position - 1)),
                    this.playButton,
                    button(text.replay.next, "next", () => this.step()),
                    button(text.replay.last, "last", () => this.jump(this.recording?.last ?? 0)),
                ),
                this.counter,
                h(
                    "div",
                    { class: "row" },
                    h("button", { class: "small", onclick: () => this.beginWhatIf() }, text.replay.whatIf),
                    h("button", { class: "small", onclick: () => this.jumpToClash() }, text.replay.jump),
                    zoomSwitch(this.board),
                    speedSelect((speed) => this.animator.setSpeed(speed)),
                ),
            ),
        );
    }

    tools() {
        this.audiences = h("select", { onchange: (event) => this.see(event.target.value) });
        this.decided = h("button", { class: "small", onclick: () => this.jumpToDecision() }, text.replay.decided);
        return [
            (this.audienceLabel = h("label", { class: "row" }, text.replay.view, this.audiences)),
            h(
                "div",
                { class: "row tools" },
                this.decided,
                this.isFile
                    ? null
                    : h("button", { class: "small", onclick: () => copy(location.href) }, text.replay.link),
                h("button", { class: "small", onclick: attempt(() => this.download()) }, text.replay.download),
                this.isFile
                    ? null
                    : h("button", { class: "small", onclick: attempt(() => this.verify()) }, text.replay.verify),
                h("button", { class: "small", onclick: attempt(() => this.print()) }, text.replay.print),
            ),
        ];
    }

    /* ---- loading ---- */

    /* Arrows go from turn to turn, Home and End to the ends, space plays. */
    key(event) {
        const act = {
            ArrowLeft: () => this.jump(this.position - 1),
            ArrowRight: () => this.step(),
            Home: () => this.jump(0),
            End: () => this.jump(this.recording.last),
            " ": () => this.toggle(),
        }[event.key];
        if (act !== undefined && this.scene !== undefined && isForScreen(event)) {
            event.preventDefault();
            act();
        }
    }

    async open() {
        this.onKey = (event) => this.key(event);
        addEventListener("keydown", this.onKey);
        try {
            this.recording ??= await Recording.load(this.id, this.code);
            this.face = this.recording.face;
            await this.see(this.wanted.audience);
        } catch (error) {
            this.fail(error);
            return;
        }
        this.isOpened();
        this.scrubber.max = this.recording.last;
        this.showMatch();
        this.jump(this.wanted.turn + 1);
    }

    /* A running match can be watched instead. */
    fail(error) {
        const isOn = error.code === "match_not_over";
        put(
            this.element,
            h(
                "div",
                { class: "panel" },
                h("h1", {}, text.replay.title),
                h(
                    "p",
                    {},
                    isOn
                        ? text.replay.running
                        : error.code === "unknown_match"
                          ? text.match.notFound
                          : tellError(error),
                ),
                h(
                    "div",
                    { class: "row" },
                    isOn
                        ? h(
                              "a",
                              { class: "button primary", href: `#/match/${this.id}${withCode(this.code, "?")}` },
                              text.lobby.watch,
                          )
                        : null,
                    h("a", { class: "button", href: "#/" }, text.back),
                ),
            ),
        );
    }

    close() {
        this.isClosed = true; /* what an animation still shows is not the address */
        removeEventListener("keydown", this.onKey);
        this.isPlaying = false;
        this.animator.skip();
    }

    /* Switches the audience; the board stays at its turn. */
    async see(audience) {
        const audiences = this.recording.audiences();
        const chosen = audiences.includes(audience) ? audience : audiences[0];
        this.chosen = chosen;
        const moments = await this.recording.moments(chosen);
        if (this.chosen !== chosen) {
            return; /* another one was chosen meanwhile */
        }
        this.audience = chosen;
        this.moments = moments;
        this.memory = {};
        this.audienceLabel.hidden = audiences.length < 2;
        put(
            this.audiences,
            audiences.map((name) =>
                h("option", { value: name, selected: name === this.audience }, this.audienceName(name)),
            ),
        );
        this.showStrip();
        this.draw();
    }

    audienceName(name) {
        return name === "everything"
            ? text.replay.everything
            : name === "spectator"
              ? text.replay.spectators
              : (this.recording.match.players[Number(name)] ?? text.match.seat(Number(name)));
    }

    /* ---- moving through time ---- */

    sceneAt(position) {
        const seat = /^\d$/.test(this.audience) ? Number(this.audience) : null;
        const { params, players } = this.recording.match;
        return {
            params,
            view: boardOf(this.moments[position]),
            seat,
            players: players.map((name) => ({ name })),
            memory: this.memory,
        };
    }

    draw() {
        this.scene = this.sceneAt(this.position);
        this.face.draw(this.board, this.scene);
        this.board.clear("traces", "reach");
        if (this.position > 0 && this.whatIf === null) {
            showTrace(this.board, this.face, this.sceneAt(this.position - 1), this.moments[this.position].events);
        }
        this.show();
    }

    jump(position) {
        this.stop();
        this.endWhatIf();
        this.animator.skip();
        this.position = Math.max(0, Math.min(position, this.recording.last));
        this.draw();
    }

    /* Plays one turn forward; one at a time. */
    async step() {
        await this.stepping;
        if (this.position < this.recording.last) {
            this.stepping = this.showStep(this.position);
            await this.stepping;
        }
    }

    async showStep(from) {
        this.endWhatIf();
        this.board.clear("traces", "reach");
        await this.animator.run(this.face.steps(this.board, this.scene, this.moments[from + 1].events));
        if (this.position === from && this.whatIf === null) {
            this.position = from + 1;
            this.draw();
        }
    }

    async toggle() {
        if (this.isPlaying) {
            this.stop();
            return;
        }
        if (this.position >= this.recording.last) {
            this.jump(0);
        }
        this.isPlaying = true;
        this.showPlaying();
        while (this.isPlaying && this.position < this.recording.last) {
            await this.step();
            await this.animator.wait(PAUSE_MS);
        }
        this.stop();
    }

    stop() {
        this.isPlaying = false;
        this.showPlaying();
    }

    jumpToClash() {
        const next = this.recording.clashes().find((position) => position > this.position);
        if (next === undefined) {
            toast(text.replay.jumpNone);
        } else {
            this.showTurn(next);
        }
    }

    /* Shows the board before the turn, then plays the turn. */
    showTurn(position) {
        this.jump(position - 1);
        this.step();
    }

    jumpToDecision() {
        this.showTurn(Math.max(1, Recording.decisive(this.standings)));
    }

    /* ---- showing ---- */

    showPlaying() {
        const words = this.isPlaying ? text.replay.pause : text.replay.play;
        this.playButton.setAttribute("aria-label", words);
        this.playButton.title = words;
        put(this.playButton, icon(this.isPlaying ? "pause" : "play"));
    }

    showMatch() {
        const { match } = this.recording;
        put(
            this.headline,
            `${text.replay.title}: ${text.rulesets[match.ruleset].name} `,
            h("span", { class: "dim" }, tellResult(match, match.players)),
        );
        put(
            this.sides,
            match.players.map((name, seat) =>
                h(
                    "div",
                    { class: `seat-card seat-${seat} ${match.winner === seat ? "active" : ""}` },
                    badge(seat),
                    h("span", { class: "name" }, name ?? text.nobody),
                ),
            ),
        );
    }

    show() {
        this.scrubber.value = this.position;
        const turn = this.position - 1; /* the turn that led here */
        const where = this.whatIf?.title ?? text.replay.of(turn, this.recording.last - 1);
        this.scrubber.setAttribute("aria-valuetext", where);
        this.counter.textContent = where;
        this.now?.setAttribute("d", `M${this.position} 0V100`);
        this.happenedPlace.hidden = this.whatIf !== null;
        if (this.whatIf !== null) {
            return; /* the address names the turn in question */
        }
        if (this.isFile || this.isClosed) {
            this.showHappened();
            return; /* the server may not have the match; another screen has the address */
        }
        const { code } = this.recording.match; /* anyone who gets the address can see the match */
        const query = [
            ...(turn < 0 ? [] : [`turn=${turn}`]),
            ...(this.audience === "everything" ? [] : [`seat=${this.audience}`]),
            ...(code === undefined ? [] : [`code=${encodeURIComponent(code)}`]),
        ].join("&");
        setAddress(`#/replay/${this.id}${query === "" ? "" : `?${query}`}`);
        this.showHappened();
    }

    showHappened() {
        const turn = this.moments[this.position];
        if (this.position === 0) {
            put(this.happened, h("h2", {}, text.replay.start), h("p", { class: "dim" }, text.replay.startHint));
            return;
        }
        const before = this.sceneAt(this.position - 1);
        const lines = tellTurn(this.face, before, turn, boardOf(turn));
        this.voice.textContent = lines.join(". ");
        put(
            this.happened,
            h("h2", {}, text.replay.commands),
            turn.commands.map((commands, seat) => this.orderList(commands, turn.verdicts[seat], seat, before)),
            h("h2", {}, text.replay.events),
            lines.length === 0
                ? h("p", { class: "dim" }, text.replay.noEvents)
                : h(
                      "ul",
                      { class: "events" },
                      lines.map((line) => h("li", {}, line)),
                  ),
        );
    }

    orderList(commands, verdicts, seat, scene) {
        const player = h(
            "h3",
            { class: "row" },
            badge(seat),
            this.recording.match.players[seat] ?? text.match.seat(seat),
        );
        if (commands.length === 0) {
            return [player, h("p", { class: "dim" }, text.replay.noCommands)];
        }
        return [
            player,
            h(
                "ul",
                { class: "verdict-list" },
                commands.map((command, i) => {
                    const verdict = verdicts?.[i] ?? { verdict: "ok" };
                    return h(
                        "li",
                        {},
                        h("span", {}, this.face.tellCommand(command, scene)),
                        h(
                            "span",
                            { class: verdict.verdict === "ok" ? "ok" : "bad" },
                            verdict.verdict === "ok" ? "✓" : `✗ ${tellVerdict(verdict)}`,
                        ),
                    );
                }),
            ),
        ];
    }

    /* The state of the sides as lines over the turns, with marks where units met or fell. */
    showStrip() {
        const { recording } = this;
        this.standings = recording.standings();
        this.decided.hidden = this.standings === undefined || recording.last === 0;
        if (this.standings === undefined || recording.last === 0) {
            put(this.strip);
            return;
        }
        const most = Math.max(...this.standings.flat());
        const least = Math.min(...this.standings.flat());
        const height = (value) => 96 - (92 * (value - least)) / (most - least || 1);
        const lines = recording.seats.map((seat) =>
            svg("path", {
                class: `line seat-${seat}`,
                d: this.standings.map((sides, x) => `${x === 0 ? "M" : "L"}${x} ${height(sides[seat])}`).join(""),
            }),
        );
        this.now = svg("path", { class: "now" });
        put(
            this.strip,
            svg(
                "svg",
                {
                    class: "strip",
                    viewBox: `0 0 ${recording.last} 100`,
                    preserveAspectRatio: "none",
                    role: "img",
                    "aria-label": text.replay.material,
                    onclick: (event) => {
                        const box = event.currentTarget.getBoundingClientRect();
                        this.jump(Math.round(((event.clientX - box.left) / box.width) * recording.last));
                    },
                },
                recording.clashes().map((x) => svg("path", { class: "tick", d: `M${x} 0V100` })),
                lines,
                this.now,
            ),
        );
    }

    /* ---- what if ---- */

    beginWhatIf() {
        this.stop();
        this.animator.skip();
        this.endWhatIf();
        const turn = Math.max(0, this.position - 1);
        this.position = turn;
        this.whatIf = new WhatIf(this, turn);
        put(this.whatIfPlace, this.whatIf.element);
        this.draw();
        this.whatIf.choosePlayer(this.whatIf.seat);
    }

    endWhatIf() {
        this.whatIf?.close();
        this.whatIf = null;
        put(this.whatIfPlace);
    }

    /* Plays the match's file again in this browser. */
    async verify() {
        const { Verifier } = await import("./verify.js");
        await this.opened;
        const verifier = new Verifier();
        put(this.verifyPlace, verifier.element);
        await verifier.run(await this.recording.file(), this.id);
    }

    async print() {
        const { printMatch } = await import("./print.js");
        this.scene && printMatch(this);
    }

    async download() {
        const blob = new Blob([await this.recording.file()], { type: "application/x-ndjson" });
        const link = h("a", { href: URL.createObjectURL(blob), download: `skirmish-match-${this.id}.jsonl` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }
}
