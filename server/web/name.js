/*
 * A name to play under: suggested or typed; shows why the server refuses it.
 */
import { h } from "./dom.js";
import { settings } from "./settings.js";
import { tellError, text } from "./language.js";

const FIRST = ["Brisk", "Calm", "Bold", "Quick", "Sly", "Keen", "Merry", "Quiet", "Swift", "Wise"];
const SECOND = ["Otter", "Raven", "Fox", "Heron", "Badger", "Lynx", "Finch", "Wolf", "Hare", "Owl"];

export function suggestName() {
    const pick = (words) => words[Math.floor(Math.random() * words.length)];
    return `${pick(FIRST)} ${pick(SECOND)} ${Math.floor(Math.random() * 900 + 100)}`;
}

export class NameField {
    constructor(app) {
        this.app = app;
        this.input = h("input", {
            id: "name",
            type: "text",
            maxlength: 24,
            autocomplete: "nickname",
            spellcheck: "false",
            value: settings.name ?? suggestName(),
            "aria-describedby": "name-hint",
        });
        this.error = h("p", { class: "bad", role: "alert" });
        this.element = h(
            "div",
            { class: "name-field" },
            h("label", { for: "name" }, text.lobby.name),
            this.input,
            h("p", { id: "name-hint", class: "dim" }, text.lobby.nameHint),
            this.error,
        );
    }

    /* Connects as the player.  A refused name is shown here, and thrown with the code `name`. */
    async enter() {
        try {
            await this.app.enter(this.input.value.trim());
            this.error.textContent = "";
        } catch (refusal) {
            const isName = ["name_taken", "bad_name", "malformed"].includes(refusal.code);
            this.error.textContent = refusal.code === "malformed" ? text.lobby.nameWanted : tellError(refusal);
            this.input.focus();
            throw Object.assign(refusal, { code: isName ? "name" : refusal.code });
        }
    }
}
