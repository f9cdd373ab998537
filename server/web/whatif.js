/*
 * "What if": other orders for one turn of a stored match, resolved by the browser's referee, or else by the
 * server, and not stored.
 */
import { h, put } from "./dom.js";
import { badge } from "./pieces.js";
import { tellError, tellResult, tellVerdict, text } from "./language.js";

export class WhatIf {
    constructor(replay, turn) {
        Object.assign(this, { replay, turn });
        const { recording } = replay;
        this.commands = recording.turns[turn].commands.map((commands) => [
            ...commands,
        ]); /* for a spectator: all seats gave orders */
        this.seat = Math.max(
            0,
            this.commands.findIndex((commands) => commands.length > 0),
        );
        this.list = h("div", {});
        this.outcome = h("div", { "aria-live": "polite" });
        this.panel = h("div", {});
        const seats = h(
            "select",
            { onchange: (event) => this.choosePlayer(Number(event.target.value)) },
            recording.seats.map((seat) =>
                h(
                    "option",
                    { value: seat, selected: seat === this.seat },
                    recording.match.players[seat] ?? text.match.seat(seat),
                ),
            ),
        );
        this.element = h(
            "section",
            { class: "card what-if" },
            h("h2", {}, this.title),
            h("p", { class: "dim" }, text.replay.whatIfHint),
            h(
                "div",
                { class: "row what-if-actions" },
                h("button", { class: "primary", onclick: () => this.see() }, text.replay.whatIfSee),
                h("button", { onclick: () => this.clear() }, text.replay.whatIfClear),
                h("button", { onclick: () => replay.jump(turn + 1) }, text.replay.whatIfBack),
            ),
            this.outcome,
            h("label", { class: "row" }, text.replay.whatIfSeat, seats),
            this.panel,
            this.list,
        );
    }

    get title() {
        return `${text.replay.whatIfTitle}: ${text.match.turn(this.turn)}`;
    }

    get face() {
        return this.replay.face;
    }

    choosePlayer(seat) {
        this.orders?.hide();
        this.seat = seat;
        const scene = { ...this.replay.scene, seat };
        this.orders = new this.face.Orders({ board: this.replay.board, scene, seat, onChange: () => this.changed() });
        this.orders.setCommands(this.commands[seat]);
        this.orders.guessHints(this.replay.recording.turns.flatMap(({ commands }) => commands[seat]));
        this.findHints();
        put(this.panel, this.orders.panel);
        this.showList();
    }

    choose(cell) {
        this.orders.choose(cell);
    }

    point(cell) {
        this.orders.point(cell);
    }

    cancel() {
        this.orders.cancel();
    }

    changed() {
        this.commands[this.seat] = [...this.orders.commands()];
        if (!this.face.isSimultaneous) {
            this.choosePlayer(this.seat);
        }
        this.showList();
    }

    clear() {
        this.commands[this.seat] = [];
        this.choosePlayer(this.seat);
    }

    showList(verdicts) {
        const { recording, scene } = this.replay;
        put(
            this.list,
            this.commands.map((commands, seat) =>
                h(
                    "div",
                    {},
                    h("h3", { class: "row" }, badge(seat), recording.match.players[seat] ?? text.match.seat(seat)),
                    commands.length === 0
                        ? h("p", { class: "dim" }, text.replay.noCommands)
                        : h(
                              "ul",
                              { class: "verdict-list" },
                              commands.map((command, i) =>
                                  h(
                                      "li",
                                      {},
                                      this.face.tellCommand(command, scene),
                                      verdicts?.[seat]?.[i] === undefined
                                          ? null
                                          : h(
                                                "span",
                                                { class: verdicts[seat][i].verdict === "ok" ? "ok" : "bad" },
                                                verdicts[seat][i].verdict === "ok"
                                                    ? "✓"
                                                    : tellVerdict(verdicts[seat][i]),
                                            ),
                                  ),
                              ),
                          ),
                ),
            ),
        );
    }

    async ask() {
        const { app, id, recording } = this.replay;
        const { commands, turn } = this;
        const { withReferee } = await import("./proof.js");
        const request = { ...recording.requestAt(turn), commands };
        const answer = await withReferee((referee) => referee?.resolve(request), request.ruleset);
        if (answer !== undefined) {
            return answer;
        }
        await app.enter(app.guestName());
        return app.server.request({ type: "what_if", match: id, turn, code: recording.match.code, commands });
    }

    /* Every order that the seat could give then; without a referee the page guesses. */
    async findHints() {
        const { orders, seat, turn } = this;
        const { withReferee } = await import("./proof.js");
        const request = this.replay.recording.requestAt(turn);
        await withReferee((referee) => {
            if (referee !== undefined && this.orders === orders && this.replay.whatIf === this) {
                orders.setHints(referee.hints(request, seat).commands);
            }
        }, request.ruleset);
    }

    /* The board returns to the start of the turn each time, to try again. */
    async see() {
        const { replay } = this;
        put(this.outcome);
        let answer;
        try {
            answer = await this.ask();
        } catch (refusal) {
            put(this.outcome, h("p", { class: "bad" }, tellError(refusal)));
            return;
        }
        this.orders.hide();
        replay.position = this.turn;
        replay.draw();
        await replay.animator.run(this.face.steps(replay.board, replay.scene, answer.events));
        if (replay.whatIf !== this) {
            return; /* the player went back meanwhile */
        }
        this.face.draw(replay.board, {
            ...replay.scene,
            view: answer.state,
            memory: {},
        }); /* what a seat may not know is not remembered */
        this.showList(answer.verdicts);
        const lines = answer.events.map((event) => this.face.tellEvent(event, replay.scene));
        put(
            this.outcome,
            h("h3", {}, text.replay.events),
            h(
                "ul",
                { class: "events" },
                (lines.length === 0 ? [text.replay.noEvents] : lines).map((line) => h("li", {}, line)),
            ),
            answer.outcome === null
                ? null
                : h("p", {}, text.replay.whatIfOver(tellResult(answer.outcome, this.replay.recording.match.players))),
            h("button", { class: "small", onclick: () => this.again() }, text.replay.whatIfAgain),
        );
    }

    again() {
        this.replay.draw();
        this.choosePlayer(this.seat);
        put(this.outcome);
    }

    close() {
        this.orders.hide();
    }
}
