/*
 * The drawings: every piece around (0,0) in a cell of 40 by 40.
 *
 * A seat has a colour and a shape, so that colours are not needed to tell seats apart; a model has
 * its own sign.
 */
import { svg } from "./dom.js";

export const CELL = 40;

const path = (d, more = {}) => svg("path", { d, ...more });
const line = { fill: "none", "stroke-width": 2.2, "stroke-linecap": "round", "stroke-linejoin": "round" };

/* Drawn on a base, in the colour of .sign in style.css. */
const SIGNS = {
    guard: () => [path("M0-9 8-6V1C8 6 4 9 0 11-4 9-8 6-8 1V-6Z"), path("M0-6V8M-5-1H5", { ...line, class: "cut" })],
    lancer: () => [
        path("M-8 10 5-5", { ...line, "stroke-width": 2.8, class: "stroke" }),
        path("M10-11 7-1 0-8Z"),
        path("M-3 5-9 2-6 8Z"),
    ],
    archer: () => [
        path("M-5-10C6-7 8 4 2 11", { ...line, "stroke-width": 2.6, class: "stroke" }),
        path("M-5-10 2 11", { ...line, "stroke-width": 1.2, class: "stroke" }),
        path("M-10 4 7-3", { ...line, class: "stroke" }),
        path("M11-5 5-5 7 0Z"),
    ],
    bomber: () => [
        svg("circle", { cx: -1, cy: 3, r: 7.6 }),
        path("M3-4C4-8 7-9 9-7", { ...line, class: "stroke" }),
        path("M10-12V-9M13-9H11M7-11 8-10M13-5 11-7", { ...line, "stroke-width": 1.6, class: "stroke" }),
    ],
    scout: () => [
        path("M9-11 11-9 0 5-5 0Z"),
        path("M-7 1 1 9", { ...line, "stroke-width": 2.6, class: "stroke" }),
        path("M-4 5-9 10", { ...line, "stroke-width": 3.2, class: "stroke" }),
    ],
    mage: () => [path("M0-12 2.6-4 11-4 4.2 1 6.8 9 0 4-6.8 9-4.2 1-11-4-2.6-4Z")],
    pike: () => [path("M0 11V-4", { ...line, "stroke-width": 2.6, class: "stroke" }), path("M0-12 4-3H-4Z")],
    racer: () => [
        path("M-9 6H9L6-2H1L-1-7H-5L-7-2Z"),
        svg("circle", { cx: -5, cy: 7, r: 3, class: "cut fill" }),
        svg("circle", { cx: 5, cy: 7, r: 3, class: "cut fill" }),
    ],
    hero: () => [svg("circle", { cx: 0, cy: -5, r: 4.6 }), path("M-8 11C-8 3-4 1 0 1S8 3 8 11Z")],
};

const BASES = [
    () => svg("circle", { r: 16, class: "base" }),
    () => svg("rect", { x: -14.5, y: -14.5, width: 29, height: 29, rx: 5, class: "base" }),
    () => path("M0-17.5 17.5 0 0 17.5-17.5 0Z", { class: "base", "stroke-linejoin": "round" }),
    () => path("M-8.5-15H8.5L17 0 8.5 15H-8.5L-17 0Z", { class: "base", "stroke-linejoin": "round" }),
];

/* A model without a sign shows the first two letters of its name. */
const letters = (name) => svg("text", { class: "letters", y: 5 }, name.trim().slice(0, 2) || "?");

export const base = (seat) => BASES[seat % BASES.length]();

export function piece(seat, sign) {
    const drawn = Object.hasOwn(SIGNS, sign) ? SIGNS[sign]() : [letters(sign)];
    return svg("g", { class: `piece seat-${seat}` }, base(seat), svg("g", { class: "sign" }, drawn));
}

/* The seat's mark beside names: its base, small. */
export function badge(seat) {
    return svg("svg", { class: `badge seat-${seat}`, viewBox: "-20 -20 40 40", "aria-hidden": "true" }, base(seat));
}

/* One piece as a separate picture. */
export function portrait(seat, sign) {
    return svg("svg", { class: "portrait", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, piece(seat, sign));
}

export function healthBar(health, most) {
    const width = 28 * Math.max(0, Math.min(1, health / most));
    return svg(
        "g",
        { class: "health" },
        svg("rect", { x: -14, y: 12.5, width: 28, height: 4, rx: 2, class: "health-back" }),
        svg("rect", {
            x: -14,
            y: 12.5,
            width,
            height: 4,
            rx: 2,
            class: health * 3 <= most ? "health-low" : "health-left",
        }),
    );
}

/* ---- things that lie about ---- */

const THINGS = {
    grenade: () => [
        svg("circle", { r: 7, cy: 2, class: "thing-grenade" }),
        path("M0-5V-9M-3-9H4", { ...line, class: "thing-line" }),
    ],
    disc: () => [svg("circle", { r: 8, class: "thing-disc" }), svg("circle", { r: 3, class: "thing-hole" })],
    charged_disc: () => [
        svg("circle", { r: 8, class: "thing-disc" }),
        path("M1-6-3 1H0L-1 6 4-1H1Z", { class: "thing-spark" }),
    ],
    teleporter: () => [svg("circle", { r: 12, class: "thing-gate" }), svg("circle", { r: 6, class: "thing-gate" })],
    key: () => [
        svg("circle", { cx: -5, r: 5, class: "thing-key" }),
        path("M0 0H12M8 0V5M12 0V4", { ...line, class: "thing-key" }),
    ],
    exit: () => [
        path("M-11 14V-8A11 9 0 0 1 11-8V14Z", { class: "thing-door" }),
        svg("circle", { cx: 5, cy: 3, r: 1.8, class: "thing-knob" }),
    ],
    zombie: () => [
        path("M-10 13V-3A10 10 0 0 1 10-3V13L5 9 0 13-5 9Z", { class: "thing-zombie" }),
        svg("circle", { cx: -4, cy: -3, r: 2.6, class: "thing-eye" }),
        svg("circle", { cx: 4, cy: -3, r: 1.6, class: "thing-eye" }),
        path("M-5 4H5", { ...line, class: "thing-mouth" }),
    ],
    ghost: () => [
        path("M-9 13V-4A9 9 0 0 1 9-4V13C6 9 4 9 3 13 1 9-1 9-3 13-4 9-6 9-9 13Z", { class: "thing-ghost" }),
        svg("circle", { cx: -3.5, cy: -3, r: 2, class: "thing-eye" }),
        svg("circle", { cx: 3.5, cy: -3, r: 2, class: "thing-eye" }),
    ],
};

export const thing = (kind, more = "") =>
    svg("g", { class: `thing ${kind} ${more}` }, THINGS[kind]?.() ?? [letters(kind)]);

export const thingIcon = (kind) =>
    svg("svg", { class: "portrait", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, thing(kind));
