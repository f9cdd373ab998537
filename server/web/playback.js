/*
 * The speed of animations, shared by all screens and remembered.
 */
import { h } from "./dom.js";
import { settings } from "./settings.js";
import { text } from "./language.js";

const SPEEDS = [0.5, 1, 2, 4, 8];

export function speedSelect(onChange) {
    const change = (event) => {
        settings.speed = Number(event.target.value);
        onChange(settings.speed);
    };
    return h(
        "label",
        { class: "row" },
        h("span", { class: "dim" }, text.match.speed),
        h(
            "select",
            { class: "small", onchange: change },
            SPEEDS.map((speed) => h("option", { value: speed, selected: speed === settings.speed }, `${speed} ×`)),
        ),
    );
}
