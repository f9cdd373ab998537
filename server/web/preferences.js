/*
 * The settings that a player changes by hand: language and colours.
 */
import { h, openDialog } from "./dom.js";
import { browserLanguage, LANGUAGES, text } from "./language.js";
import { settings } from "./settings.js";

export function applyTheme() {
    document.documentElement.dataset.theme = settings.theme;
}

function choice(label, options, value, change) {
    return h(
        "label",
        {},
        label,
        h(
            "select",
            { onchange: (event) => change(event.target.value) },
            Object.entries(options).map(([name, words]) =>
                h("option", { value: name, selected: name === value }, words),
            ),
        ),
    );
}

/* The whole page is in one language, so it is loaded again. */
function setLanguage(name) {
    settings.language = name === "auto" ? null : name;
    location.reload();
}

function setTheme(name) {
    settings.theme = name;
    applyTheme();
}

export function settingsDialog() {
    const { title, language, languageAuto, theme, themes } = text.settings;
    const languages = { auto: languageAuto(LANGUAGES[browserLanguage]), ...LANGUAGES };
    openDialog(title, (close) =>
        h(
            "div",
            { class: "form" },
            choice(language, languages, settings.language ?? "auto", setLanguage),
            choice(theme, themes, settings.theme, setTheme),
            h("div", { class: "row" }, h("button", { onclick: close }, text.close)),
        ),
    );
}
