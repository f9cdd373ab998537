/*
 * An invitation: who invites, to what, and whether it is rated.  The player takes a seat only after
 * accepting.
 */
import { get, withCode } from "./api.js";
import { h, put, toast } from "./dom.js";
import { NameField } from "./name.js";
import { badge } from "./pieces.js";
import { rulesetPicture } from "./pictures.js";
import { GUIDED } from "./rulesets.js";
import { settings } from "./settings.js";
import { tellError, text } from "./language.js";

export class JoinScreen {
    constructor(app, id, code) {
        Object.assign(this, { app, id, code });
        this.name = new NameField(app);
        this.element = h("div", { class: "join" }, h("p", { class: "dim" }, text.loading));
    }

    async open() {
        try {
            this.show(await get(`matches/${this.id}${withCode(this.code, "?")}`, { isMine: true }));
        } catch (error) {
            this.fail(error);
        }
    }

    close() {}

    go(screen) {
        this.app.go(`#/${screen}/${this.id}${withCode(this.code, "?")}`);
    }

    fail(error) {
        const words = error.code === "unknown_match" ? text.join.gone : tellError(error);
        put(
            this.element,
            h(
                "div",
                { class: "panel" },
                h("h1", {}, text.title),
                h("p", {}, words),
                h("a", { class: "button", href: "#/" }, text.back),
            ),
        );
    }

    show(match) {
        const others = match.players.filter((name) => name !== null);
        if (others.includes(settings.name) && this.app.isKnown) {
            this.go("match");
            return;
        }
        const { name, line } = text.rulesets[match.ruleset];
        put(
            this.element,
            h(
                "section",
                { class: "panel invitation" },
                rulesetPicture(match.ruleset),
                h(
                    "div",
                    {},
                    h("h1", {}, text.join.title(others)),
                    h("p", { class: "terms" }, text.join.terms(name, match)),
                    h("p", {}, line, " ", h("a", { href: `#/rules/${match.ruleset}` }, text.rules.link)),
                    h(
                        "ul",
                        { class: "players" },
                        match.players.map((player, seat) =>
                            h("li", { class: "player" }, badge(seat), player ?? text.nobody),
                        ),
                    ),
                    match.status === "waiting" ? this.question(match) : this.tooLate(match),
                ),
            ),
        );
        this.element.querySelector(".primary").focus();
    }

    question(match) {
        return [
            this.ratingTerms(match),
            this.app.isKnown ? null : this.name.element,
            this.app.isKnown || !GUIDED.includes(match.ruleset) ? null : h("p", { class: "dim" }, text.guide.promise),
            h(
                "div",
                { class: "row" },
                h("button", { class: "primary big", onclick: () => this.accept() }, text.join.accept),
                h("a", { class: "button", href: "#/" }, text.join.decline),
            ),
        ];
    }

    /* A private match is rated only if the invited player asks for it too. */
    ratingTerms(match) {
        this.rated = null;
        if (!match.rated) {
            return null;
        }
        if (this.code === undefined) {
            return h("p", { class: "card" }, text.join.ratedHint);
        }
        this.rated = h("input", { type: "checkbox", checked: true });
        return h("label", { class: "card check" }, this.rated, text.join.ratedIfBoth);
    }

    tooLate(match) {
        const isOver = match.status === "over";
        return [
            h("p", { class: "card" }, isOver ? text.join.over : text.join.full),
            h(
                "div",
                { class: "row" },
                h(
                    "button",
                    { class: "primary", onclick: () => this.go(isOver ? "replay" : "match") },
                    isOver ? text.lobby.replay : text.lobby.watch,
                ),
                h("a", { class: "button", href: "#/" }, text.back),
            ),
        ];
    }

    async accept() {
        try {
            await this.name.enter();
            await this.app.server.request({
                type: "join",
                match: this.id,
                code: this.code,
                rated: this.rated?.checked,
            });
        } catch (refusal) {
            if (refusal.code === "match_full" || refusal.code === "match_over") {
                toast(text.match.seatTaken);
            } else if (refusal.code !== "already_joined") {
                refusal.code === "name" || toast(tellError(refusal), "bad");
                return;
            }
        }
        this.go("match");
    }
}
