/*
 * Elements without markup: text from players only ever becomes text.
 *
 *   h("button", { class: "big", onclick: go }, "Play")
 *   svg("circle", { cx: 0, cy: 0, r: 4 })
 */
import { tellError } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) {
            continue;
        }
        if (name.startsWith("on")) {
            element.addEventListener(name.slice(2), value);
        } else if (name === "value" || name === "checked" || name === "disabled") {
            element[name] = value;
        } else if (name === "href" && value.startsWith("#")) {
            element.setAttribute(name, `./${value}`); /* without the page's query, which may have a private code */
        } else {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/* Replaces the children of an element. */
export function put(element, ...children) {
    element.replaceChildren(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
}

/*
 * Rebuilds an element's content and restores the focus: to the same `data-focus`, or to the first
 * control.
 */
export function keepFocus(element, show) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    show();
    if (focused !== null && !focused.isConnected) {
        const again =
            focused.dataset.focus === undefined
                ? null
                : element.querySelector(`[data-focus="${CSS.escape(focused.dataset.focus)}"]`);
        (again ?? element.querySelector("button, a"))?.focus();
    }
}

const PRESS_MAX_MS = 2000; /* one whose end is never told */
const listen = (name, act) => globalThis.addEventListener?.(name, act, { capture: true }); /* not in Node */
let press = { ended: Promise.resolve(), end() {} };

listen("pointerdown", () => {
    press = {};
    press.ended = new Promise((resolve) => {
        press.end = resolve;
    });
    setTimeout(press.end, PRESS_MAX_MS);
});
["pointerup", "pointercancel"].forEach((name) => listen(name, () => setTimeout(press.end))); /* after the click */

/* Until nothing is pressed: a button that is replaced between press and release loses the click. */
export const released = () => press.ended;

/* A `<dialog>` that is removed when it is closed; `fill(close)` makes its content. */
export function openDialog(title, fillContent) {
    const dialog = h("dialog", { "aria-label": title });
    const close = () => dialog.close();
    dialog.append(h("h2", {}, title), ...[fillContent(close)].flat());
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/* Whether a key is meant for the screen: nobody is typing, and no control or board uses it. */
export const isForScreen = (event) =>
    !event.ctrlKey &&
    !event.altKey &&
    !event.metaKey &&
    document.querySelector("dialog[open]") === null &&
    event.target.closest("input, select, textarea, button, a, .board") === null;

const TOASTS_MAX = 4;

/* A message that disappears by itself; the same message is shown once at a time. */
export function toast(text, kind = "info") {
    let place = document.querySelector(".toasts");
    if (place === null) {
        place = document.body.appendChild(h("div", { class: "toasts", role: "status", "aria-live": "polite" }));
    }
    [...place.children].filter((other) => other.textContent === text).forEach((other) => other.remove());
    const note = h("div", { class: `toast ${kind}` }, text);
    place.append(note);
    while (place.children.length > TOASTS_MAX) {
        place.firstChild.remove();
    }
    setTimeout(() => note.remove(), 6000);
}

/* For a button: a failure of what it does is told. */
export const attempt = (act) => async () => {
    try {
        await act();
    } catch (error) {
        toast(tellError(error), "bad");
    }
};
