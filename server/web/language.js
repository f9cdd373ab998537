/*
 * The texts, in the reader's language: as chosen in the settings, or else as the browser prefers.
 *
 * Each language is one file, text-LANGUAGE.js, and only that of the reader is loaded.
 */
import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", de: "Deutsch" };

/* The first of these tags, such as "de-AT", that there is a file for. */
export const pickLanguage = (tags) =>
    tags.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? "en";

const isPage = globalThis.document !== undefined; /* not a test in Node */
export const browserLanguage = pickLanguage(isPage ? navigator.languages : []);
export const language = pickLanguage([settings.language ?? browserLanguage]);
export const { text } = await import(`./text-${language}.js`);

if (isPage) {
    document.documentElement.lang = language;
}

/* A verdict in words; an unknown one is shown as it is. */
export const tellVerdict = (verdict) => text.verdicts[verdict.verdict] ?? verdict.verdict;
export const tellReason = (reason) => text.reasons[reason] ?? reason;
export const tellLostReason = (reason) => text.lostReasons[reason] ?? tellReason(reason);

/* A refusal of the server in words; one that is new to the page is shown as it is. */
export function tellError({ code, message }) {
    const words = text.errors[code];
    return typeof words === "function" ? words(message) : (words ?? message);
}

/* "alice won (…)"; nobody's win is a draw only if its reason says so. */
export function tellResult({ winner, reason }, names) {
    const who =
        winner === null
            ? reason.startsWith("draw")
                ? text.lobby.drawn
                : text.lobby.nobodyWon
            : text.lobby.won(names[winner] ?? text.match.seat(winner));
    return `${who}: ${tellReason(reason)}`;
}
