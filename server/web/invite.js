/*
 * A match that waits for players: the link to send, and a way to stop waiting.
 */
import { withCode } from "./api.js";
import { h, toast } from "./dom.js";
import { text } from "./language.js";

/* The link to `#/replay/7?turn=3` is `?replay=7&turn=3`, which the server sees and can describe to chats. */
function linkTo(address) {
    const [, kind, id, query] = /^#\/(join|match|replay)\/(\d+)\??(.*)$/.exec(address) ?? [];
    const path = kind === undefined ? address.replace(/^#\/?$/, "") : `?${kind}=${id}${query && `&${query}`}`;
    return new URL(`./${path}`, document.baseURI).href;
}

/* Shows the address of what is on the screen. */
export const setAddress = (address) => history.replaceState(history.state, "", linkTo(address));

export const inviteLink = ({ match, code }) => linkTo(`#/join/${match}${withCode(code, "?")}`);

export async function copy(words) {
    try {
        await navigator.clipboard.writeText(words);
        toast(text.create.copied);
    } catch {
        /* no clipboard without a secure address; the text can still be copied by hand */
    }
}

export function invitation(app, match) {
    const link = inviteLink(match);
    const field = h("input", {
        type: "text",
        readonly: true,
        value: link,
        "aria-label": text.create.invite,
        onfocus: (event) => event.target.select(),
    });
    const leave = async () => {
        await app.server.leave(match.match);
        app.go("#/");
    };
    return h(
        "div",
        { class: "card invite" },
        h("h2", {}, text.create.inviteTitle),
        h("p", {}, text.create.invite),
        h(
            "div",
            { class: "row" },
            field,
            h("button", { class: "primary", onclick: () => copy(link) }, text.create.copy),
        ),
        match.code === undefined ? h("p", { class: "dim" }, text.create.openHint) : null,
        match.code !== undefined && match.rated ? h("p", { class: "dim" }, text.create.ratedHint) : null,
        match.seat === null ? null : h("button", { class: "small", onclick: leave }, text.create.giveUp),
    );
}
