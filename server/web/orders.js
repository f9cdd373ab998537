/*
 * What the orders of all rulesets have in common: the board, the server's hints, and a panel.  A
 * ruleset defines what choosing a cell means and how its orders are shown.
 */
import { h } from "./dom.js";

export class Orders {
    constructor({ board, scene, seat, onChange }) {
        Object.assign(this, { board, scene, seat, onChange });
        this.hints = null; /* null: no orders can be given now */
        this.panel = h("div", { class: "orders" });
    }

    setHints(commands) {
        this.hints = commands;
        this.show();
    }

    setVerdicts() {}

    point() {}

    cancel() {}

    /* Whether something is chosen: then the marks on the board are about it. */
    get isChoosing() {
        return false;
    }

    hide() {
        this.hints = null;
        this.board.clear("marks", "plans");
        this.panel.replaceChildren();
    }

    /* The hints that choosing this cell would order. */
    options() {
        return [];
    }
}

/*
 * For rulesets in which seats take turns: a chosen command is sent at once, and the server answers
 * with the turn.
 */
export class ImmediateOrders extends Orders {
    constructor(parts) {
        super(parts);
        this.chosen = [];
    }

    setCommands() {
        this.chosen = [];
    }

    commands() {
        return this.chosen;
    }

    /* Nothing can be chosen until the server has answered. */
    order(command) {
        this.chosen = [command];
        this.asked = this.hints;
        this.hints = null;
        this.board.clear("marks");
        this.onChange();
    }

    /* If it was refused, the player chooses again; otherwise the turn is on its way. */
    setVerdicts(_, verdicts) {
        this.chosen = [];
        if (verdicts.some((verdict) => verdict.verdict !== "ok")) {
            this.hints = this.asked;
            this.show();
        }
    }

    clear() {
        this.chosen = [];
        this.show();
    }
}
