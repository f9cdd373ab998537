/*
 * The pictures on the rulesets' cards: small boards, drawn with the same pieces.
 */
import { svg } from "./dom.js";
import { base, piece, thing } from "./pieces.js";

const at = (x, y, element, scale = 1) => svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, element);

const grid = (cols, rows, className = "") =>
    Array.from({ length: cols * rows }, (_, i) => {
        const [x, y] = [i % cols, Math.floor(i / cols)];
        return svg("rect", {
            class: `ground ${(x + y) % 2 ? "odd" : "even"} ${className}`,
            x: x * 40 + 1,
            y: y * 40 + 1,
            width: 38,
            height: 38,
            rx: 3,
        });
    });

const arrow = (d, seat) => svg("path", { d, class: `picture-arrow seat-${seat}` });

const DRAWN = {
    tactics: () => [
        grid(6, 3),
        arrow("M60 100V50", 0),
        arrow("M180 20H90", 1),
        at(60, 100, piece(0, "lancer")),
        at(140, 100, piece(0, "guard")),
        at(180, 20, piece(1, "archer")),
        at(220, 60, piece(1, "mage")),
    ],
    halma: () => [
        grid(6, 3),
        [
            [20, 20],
            [20, 60],
            [20, 100],
            [60, 60],
        ].map(([x, y]) => at(x, y, svg("g", { class: "piece seat-0" }, base(0)), 0.8)),
        [
            [220, 20],
            [220, 100],
            [180, 60],
            [100, 60],
        ].map(([x, y]) => at(x, y, svg("g", { class: "piece seat-1" }, base(1)), 0.8)),
        arrow("M60 60C80 20 120 20 138 54", 0),
    ],
    racers: () => [
        grid(6, 3),
        svg("path", { d: "M20 100H60L100 60", class: "picture-trail seat-0" }),
        svg("path", { d: "M220 20H180L180 60", class: "picture-trail seat-1" }),
        at(100, 60, piece(0, "racer")),
        at(180, 60, piece(1, "racer")),
        at(140, 20, thing("disc")),
        at(140, 100, thing("grenade")),
        at(220, 100, thing("teleporter")),
    ],
    snarl: () => [
        grid(6, 3, "dark"),
        svg("rect", { x: 0, y: 0, width: 160, height: 120, class: "picture-light" }),
        at(60, 60, piece(0, "hero")),
        at(100, 100, piece(1, "hero")),
        at(140, 20, thing("key")),
        at(180, 60, thing("zombie")),
        at(220, 100, thing("ghost")),
        at(220, 20, thing("exit")),
    ],
};

export const rulesetPicture = (ruleset) =>
    svg("svg", { class: `picture ${ruleset}`, viewBox: "0 0 240 120", "aria-hidden": "true" }, DRAWN[ruleset]?.());
