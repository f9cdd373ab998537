/*
 * Notifies a player who is not looking at the page: title and icon of the tab, the badge of an
 * installed page, a soft sound, a short vibration, and a notification if the browser allows it.
 */
import { h } from "./dom.js";
import { settings } from "./settings.js";
import { text } from "./language.js";

const TONES = { turn: [660, 880], join: [523, 784], offer: [784, 659], low: [988, 988] }; /* Hz */
const TONE_S = 0.14;
const LOUDNESS = 0.05;

let audio = null;

function sound(kind) {
    try {
        audio ??= new AudioContext();
        TONES[kind].forEach((hertz, i) => {
            const [tone, volume] = [audio.createOscillator(), audio.createGain()];
            const start = audio.currentTime + i * TONE_S;
            tone.frequency.value = hertz;
            volume.gain.setValueAtTime(LOUDNESS, start);
            volume.gain.exponentialRampToValueAtTime(0.0001, start + TONE_S);
            tone.connect(volume).connect(audio.destination);
            tone.start(start);
            tone.stop(start + TONE_S);
        });
    } catch {
        /* a browser without sound */
    }
}

/* ---- title and icon ---- */

let title = document.title;
let isWaiting = false; /* for the player's orders */
let news = null; /* what happened while nobody looked */

function showTitle() {
    document.title = `${news ? `● ${text.notify[news]} ` : isWaiting ? "● " : ""}${title}`;
    const icon = document.querySelector("link[rel=icon]");
    const href = new URL(news || isWaiting ? "icon-alert.svg" : "icon.svg", import.meta.url).href;
    if (icon !== null && icon.href !== href) {
        icon.href = href;
    }
}

export function setTitle(words, isTurn = false) {
    title = words;
    isWaiting = isTurn;
    showTitle();
}

/* ---- while nobody looks ---- */

const mayNotify = () => globalThis.Notification?.permission === "granted" && settings.notify;

/* kind: turn, join, offer or low. */
export function notify(kind, about) {
    if (!document.hidden && document.hasFocus()) {
        return;
    }
    news = kind;
    showTitle();
    settings.sound && sound(kind);
    settings.sound && navigator.vibrate?.(80);
    navigator.setAppBadge?.(1).catch(() => {});
    if (mayNotify()) {
        const note = new Notification(text.title, { body: `${text.notify[kind]} ${about}`, tag: "skirmish" });
        note.onclick = () => globalThis.focus();
    }
}

function seen() {
    if (!document.hidden) {
        news = null;
        showTitle();
        navigator.clearAppBadge?.().catch(() => {});
    }
}
addEventListener("focus", seen);
document.addEventListener("visibilitychange", seen);

/* The two switches. */
export function notifySwitches() {
    const toggle = (words, isOn, change) => {
        const button = h(
            "button",
            {
                class: "small toggle",
                "aria-pressed": String(isOn()),
                onclick: async () => {
                    await change();
                    button.setAttribute("aria-pressed", String(isOn()));
                },
            },
            words,
        );
        return button;
    };
    return [
        toggle(
            text.notify.sound,
            () => settings.sound,
            () => {
                settings.sound = !settings.sound;
            },
        ),
        globalThis.Notification === undefined
            ? null
            : toggle(text.notify.notifications, mayNotify, async () => {
                  settings.notify = !mayNotify() && (await Notification.requestPermission()) === "granted";
              }),
    ];
}
