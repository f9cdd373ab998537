/*
 * The frame around the screens: who plays, the connection, and which screen the address names.
 *
 * Addresses are behind the #, so that the page works under any path and no server ever sees the
 * code of a private match:
 *   #/  #/match/7  #/join/7?code=k7p2  #/replay/7?turn=3&seat=1  #/statistics
 */
import { Connection } from "../../proto/js/client.js";
import { h, put, toast } from "./dom.js";
import { LobbyScreen } from "./lobby.js";
import { MatchScreen } from "./match.js";
import { OwnMatches } from "./own.js";
import { ReplayScreen } from "./replay.js";
import { settings } from "./settings.js";
import { StatisticsScreen } from "./statistics.js";
import { text } from "./text.js";

/* Beside the page, whatever path it is under; http becomes ws, https wss. */
function serverUrl() {
    const url = new URL("ws", document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    url.search = "";
    return url.href;
}

class App {
    constructor() {
        this.server = new Connection({ url: serverUrl(), token: settings.token });
        this.own = new OwnMatches(this.server);
        this.main = h("main", { id: "content", tabindex: -1 });
        this.banner = h("div", { class: "banner", role: "status", hidden: true });
        document.body.append(
            h("a", { class: "skip-link", href: "#content", onclick: (event) => this.skip(event) }, text.skipToContent),
            this.header(), this.banner, this.main);
        this.applyTheme();
        this.listen();
    }

    skip(event) {
        event.preventDefault();
        this.main.focus();
    }

    header() {
        this.nameplate = h("span", { class: "nameplate" }, settings.name ?? "");
        return h("header", {},
            h("a", { class: "brand", href: "#/" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), text.title),
            h("nav", {}, h("a", { href: "#/" }, text.nav.lobby), h("a", { href: "#/statistics" }, text.nav.statistics)),
            this.nameplate,
            h("button", { class: "small theme", "aria-label": text.nav.theme, title: text.nav.theme, onclick: () => this.toggleTheme() }, "◐"));
    }

    listen() {
        this.server.on("status", (status) => this.showStatus(status));
        this.server.on("refused", (refusal) => this.forget(refusal));
        this.server.on("announce", (frame) => toast(frame.text));
        addEventListener("hashchange", () => this.route());
        addEventListener("online", () => this.server.hurry());
        document.addEventListener("visibilitychange", () => document.hidden || this.server.hurry());
    }

    /* ---- the theme ---- */

    toggleTheme() {
        const isDark = settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
        settings.theme = isDark ? "light" : "dark";
        this.applyTheme();
    }

    applyTheme() {
        if (settings.theme !== "auto") {
            document.documentElement.dataset.theme = settings.theme;
        }
    }

    /* ---- the connection ---- */

    showStatus({ status, isBack }) {
        const isTrouble = status === "waiting" || (status === "connecting" && this.wasOpen);
        this.banner.hidden = !isTrouble;
        this.banner.textContent = isTrouble ? text.connection.waiting : "";
        if (status === "open") {
            if (isBack && this.wasOpen) {
                toast(text.connection.back, "good");
            }
            this.wasOpen = true;
        }
    }

    /* The token is no longer known: the name is chosen anew. */
    forget(refusal) {
        if (refusal.code === "bad_token") {
            settings.token = null;
            this.server.token = null;
            toast(text.connection.refused, "bad");
            this.route();
        }
    }

    get isKnown() {
        return settings.token !== null;
    }

    /* Connected as somebody: as before, or new by this name. */
    async enter(name) {
        if (this.server.status === "closed") {
            this.server.token = settings.token;
            this.server.name = name;
        }
        const welcome = await this.server.open();
        settings.token = this.server.token;
        settings.name = welcome.name;
        this.nameplate.textContent = welcome.name;
        return welcome;
    }

    /* For who only looks: the server wants a name of everybody. */
    guestName() {
        return settings.name ?? LobbyScreen.suggestName();
    }

    leaveName() {
        this.server.close();
        this.server.followed.clear();
        settings.token = null;
        settings.name = null;
        this.server.token = null;
        this.nameplate.textContent = "";
    }

    /* ---- screens ---- */

    go(hash) {
        if (location.hash === hash) {
            this.route();
        } else {
            location.hash = hash;
        }
    }

    screenFor(path, query) {
        const [, kind, id] = path.match(/^\/?([a-z]*)\/?(\d*)$/) ?? [];
        const number = Number(id);
        if (kind === "match" && number > 0) {
            return new MatchScreen(this, number, { code: query.get("code") ?? undefined });
        }
        if (kind === "replay" && number > 0) {
            return new ReplayScreen(this, number, query);
        }
        if (kind === "statistics") {
            return new StatisticsScreen();
        }
        return new LobbyScreen(this, kind === "join" && number > 0 ? { match: number, code: query.get("code") ?? undefined } : null);
    }

    async route() {
        const [path, query = ""] = location.hash.slice(1).split("?");
        this.screen?.close();
        document.title = text.title;
        const screen = this.screenFor(path, new URLSearchParams(query));
        this.screen = screen;
        put(this.main, screen.element);
        scrollTo(0, 0);
        if (screen instanceof MatchScreen) {
            try {
                await this.enter(this.guestName());
            } catch {
                this.go("#/");
                return;
            }
        }
        if (this.screen === screen) {
            await screen.open();
        }
    }
}

const app = new App();
if (app.isKnown) {
    app.enter().catch(() => {});
}
app.route();
