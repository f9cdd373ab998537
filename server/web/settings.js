/*
 * What this browser remembers: the player's name and token, the speed, light or dark, the language.
 *
 * Without browser storage the page still works, but forgets.
 */
const PREFIX = "skirmish.";

function read(name, fallback) {
    try {
        const stored = localStorage.getItem(PREFIX + name);
        return stored === null ? fallback : JSON.parse(stored);
    } catch {
        return fallback;
    }
}

function write(name, value) {
    try {
        localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
        /* no storage */
    }
}

const DEFAULTS = {
    name: null,
    token: null,
    speed: 1,
    theme: "auto",
    language: null,
    sound: true,
    notify: false,
    range: 0,
    guided: [] /* rulesets without hints: they have been shown, or are not wanted */,
};

export const settings = Object.defineProperties(
    {},
    Object.fromEntries(
        Object.entries(DEFAULTS).map(([name, fallback]) => {
            let value = read(name, fallback);
            return [
                name,
                {
                    get: () => value,
                    set: (next) => {
                        value = next;
                        write(name, next);
                    },
                },
            ];
        }),
    ),
);
