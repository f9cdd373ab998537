/*
 * What happened, turn by turn, in words; and the chat.
 */
import { h } from "./dom.js";
import { text } from "./text.js";

const LINES_MAX = 400; /* a long match shall not fill the page's memory */

export class Log {
    constructor() {
        this.list = h("ol", { class: "log", "aria-label": text.match.log });
        this.element = h("section", { class: "panel" }, h("h2", {}, text.match.log), this.list);
    }

    addTurn(turn, lines) {
        if (lines.length === 0) {
            return;
        }
        this.list.prepend(h("li", {}, h("span", { class: "turn" }, String(turn)), h("ul", {}, lines.map((line) => h("li", {}, line)))));
        while (this.list.children.length > LINES_MAX) {
            this.list.lastChild.remove();
        }
    }
}

/* Nothing typed is lost: the draft outlives a reload of the tab. */
export class Chat {
    constructor(match, { send, mute }) {
        this.draftKey = `skirmish.chat.${match}`;
        this.lines = h("ol", { class: "chat-lines", "aria-live": "polite", "aria-label": text.match.chat });
        this.input = h("input", { type: "text", maxlength: 400, autocomplete: "off", "aria-label": text.match.chatSay, placeholder: text.match.chatSay, oninput: () => this.keep() });
        this.input.value = sessionStorage.getItem(this.draftKey) ?? "";
        this.isMuted = false;
        const muteButton = h("button", { type: "button", class: "small", onclick: () => this.toggle(muteButton, mute) }, text.match.mute);
        this.element = h("section", { class: "panel chat" }, h("h2", {}, text.match.chat, muteButton), this.lines,
            h("form", { class: "row", onsubmit: (event) => this.submit(event, send) }, this.input, h("button", {}, text.match.chatSend)));
    }

    keep() {
        sessionStorage.setItem(this.draftKey, this.input.value);
    }

    toggle(button, mute) {
        this.isMuted = !this.isMuted;
        this.lines.hidden = this.isMuted;
        button.textContent = this.isMuted ? text.match.unmute : text.match.mute;
        mute(this.isMuted);
    }

    async submit(event, send) {
        event.preventDefault();
        const said = this.input.value.trim();
        if (said !== "" && await send(said)) {
            this.input.value = "";
            this.keep();
        }
    }

    add({ seat, name, text: said }) {
        this.lines.append(h("li", {}, h("strong", { class: seat === null ? "" : `seat-${seat} by` }, name), " ", said));
        while (this.lines.children.length > LINES_MAX) {
            this.lines.firstChild.remove();
        }
        this.lines.scrollTop = this.lines.scrollHeight;
    }
}
