/*
 * What happened, turn by turn, in words; and the chat.
 */
import { h, put } from "./dom.js";
import { text } from "./language.js";

export const LINES_MAX = 400; /* limits the memory of a long match */

/* Survives a reload of the tab; without browser storage it is forgotten. */
function remembered(name) {
    try {
        return JSON.parse(sessionStorage.getItem(name)) ?? [];
    } catch {
        return [];
    }
}

function remember(name, items) {
    try {
        sessionStorage.setItem(name, JSON.stringify(items));
    } catch {
        /* no storage */
    }
}

export class Log {
    constructor(match) {
        this.key = `skirmish.log.${match}`;
        this.turns = new Map(remembered(this.key)); /* turn -> lines */
        this.list = h("ol", { class: "log", tabindex: 0, "aria-label": text.match.log }); /* it scrolls */
        this.element = h("section", { class: "panel" }, h("h2", {}, text.match.log), this.list);
        this.show();
    }

    has(turn) {
        return this.turns.has(turn);
    }

    /* Adds lines per turn.  A turn that is here already comes again after a lost connection. */
    add(turns) {
        const all = [...this.turns, ...turns.filter(([turn]) => !this.has(turn))];
        this.turns = new Map(all.sort(([one], [other]) => one - other).slice(-LINES_MAX));
        remember(this.key, [...this.turns]);
        this.show();
    }

    show() {
        const told = [...this.turns].filter(([, lines]) => lines.length > 0).reverse();
        put(
            this.list,
            told.map(([turn, lines]) =>
                h(
                    "li",
                    {},
                    h("span", { class: "turn" }, String(turn + 1)),
                    h(
                        "ul",
                        {},
                        lines.map((line) => h("li", {}, line)),
                    ),
                ),
            ),
        );
    }
}

/* The draft survives a reload of the tab. */
export class Chat {
    constructor(match, { send, mute }) {
        this.draftKey = `skirmish.chat.${match}`;
        this.saidKey = `skirmish.said.${match}`;
        this.said = remembered(this.saidKey);
        this.lines = h("ol", { class: "chat-lines", "aria-live": "polite", "aria-label": text.match.chat });
        this.input = h("input", {
            type: "text",
            maxlength: 400,
            autocomplete: "off",
            "aria-label": text.match.chatSay,
            placeholder: text.match.chatSay,
            oninput: () => this.keep(),
        });
        this.input.value = sessionStorage.getItem(this.draftKey) ?? "";
        this.isMuted = false;
        const muteButton = h(
            "button",
            { type: "button", class: "small", onclick: () => this.toggle(muteButton, mute) },
            text.match.mute,
        );
        this.element = h(
            "section",
            { class: "panel chat" },
            h("h2", {}, text.match.chat, muteButton),
            this.lines,
            h(
                "form",
                { class: "row", onsubmit: (event) => this.submit(event, send) },
                this.input,
                h("button", {}, text.match.chatSend),
            ),
        );
        this.said.forEach((line) => this.show(line));
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
        if (said !== "" && (await send(said))) {
            this.input.value = "";
            this.keep();
        }
    }

    add({ seat, name, text: said }) {
        this.said = [...this.said, { seat, name, text: said }].slice(-LINES_MAX);
        remember(this.saidKey, this.said);
        this.show(this.said.at(-1));
    }

    show({ seat, name, text: said }) {
        this.lines.append(h("li", {}, h("strong", { class: seat === null ? "" : `seat-${seat} by` }, name), " ", said));
        while (this.lines.children.length > LINES_MAX) {
            this.lines.firstChild.remove();
        }
        this.lines.scrollTop = this.lines.scrollHeight;
    }
}
