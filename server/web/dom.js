/*
 * Elements without markup: text from players only ever becomes text.
 *
 *   h("button", { class: "big", onclick: go }, "Play")
 *   svg("circle", { cx: 0, cy: 0, r: 4 })
 */

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
        } else {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

/* Puts other children into an element. */
export function put(element, ...children) {
    element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

/*
 * Shows an element's content anew; who had the focus in it has it again, by its `data-focus`, or
 * on the first thing that can be pressed.
 */
export function keepFocus(element, show) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    show();
    if (focused !== null && !focused.isConnected) {
        const again = focused.dataset.focus === undefined ? null : element.querySelector(`[data-focus="${CSS.escape(focused.dataset.focus)}"]`);
        (again ?? element.querySelector("button, a"))?.focus();
    }
}

/* A `<dialog>` that is gone when it is closed; `fill(close)` makes its content. */
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

const TOASTS_MAX = 4;

/* A word that goes away by itself; the same word twice is said once. */
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
