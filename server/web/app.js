/*
 * The frame around the screens: the player, the connection, and the screen that the address names.
 *
 * Addresses are behind the #, so that the page works under any path:
 *   #/  #/match/7  #/join/7?code=k7p2  #/replay/7?turn=3&seat=1  #/verify  #/yours  #/player/7  #/as?token=...
 *   #/statistics  #/rules/tactics
 * Those of matches are shown as a query, `?replay=7&turn=3`, so that they can be sent to others: see linkTo.
 */
import { Connection } from "../../proto/js/client.js";
import { contact } from "./api.js";
import { h, put, toast } from "./dom.js";
import { install } from "./install.js";
import { Later } from "./later.js";
import { setAddress } from "./invite.js";
import { JoinScreen } from "./join.js";
import { LobbyScreen } from "./lobby.js";
import { MatchScreen } from "./match.js";
import { suggestName } from "./name.js";
import { setTitle } from "./notify.js";
import { OwnMatches } from "./own.js";
import { applyTheme, settingsDialog } from "./preferences.js";
import { learnRulesets } from "./rulesets.js";
import { settings } from "./settings.js";
import { text } from "./language.js";

/* The WebSocket has the page's path; http becomes ws, https wss. */
function serverUrl() {
    const url = new URL("ws", document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    url.search = "";
    return url.href;
}

/* The address after the #, also if it is one of those that are shown as a query. */
function address() {
    const query = new URLSearchParams(location.search);
    const kind = ["join", "match", "replay"].find((name) => query.has(name));
    if (kind === undefined || location.hash !== "") {
        return location.hash;
    }
    const id = query.get(kind);
    query.delete(kind);
    return `#/${kind}/${id}?${query}`.replace(/\?$/, "");
}

class App {
    constructor() {
        this.server = new Connection({ url: serverUrl(), token: settings.token });
        this.own = new OwnMatches(this.server);
        this.routes = 0; /* so far */
        this.main = h("main", { id: "content", tabindex: -1 });
        this.banner = h("div", { class: "banner", role: "status", hidden: true });
        document.body.append(
            h("a", { class: "skip-link", href: "#content", onclick: (event) => this.skip(event) }, text.skipToContent),
            this.header(),
            this.banner,
            this.main,
        );
        applyTheme();
        this.listen();
    }

    skip(event) {
        event.preventDefault();
        this.main.focus();
    }

    header() {
        this.nameplate = h("span", { class: "nameplate" }, settings.name ?? "");
        return h(
            "header",
            {},
            h(
                "a",
                { class: "brand", href: "#/" },
                h("span", { class: "brand-mark", "aria-hidden": "true" }),
                h("span", { class: "brand-word" }, text.title),
            ),
            h(
                "nav",
                {},
                h("a", { href: "#/" }, text.nav.lobby),
                h("a", { href: "#/yours" }, text.nav.yours),
                h("a", { href: "#/statistics" }, text.nav.statistics),
            ),
            this.nameplate,
            h(
                "button",
                {
                    class: "small",
                    "aria-label": text.settings.title,
                    title: text.settings.title,
                    onclick: settingsDialog,
                },
                "⚙",
            ),
        );
    }

    listen() {
        this.server.on("status", (status) => this.showStatus(status));
        this.server.on("refused", (refusal) => this.forget(refusal));
        this.server.on("back", () => toast(text.connection.moved, "good"));
        this.server.on("announce", (frame) => toast(frame.text));
        contact.onChange = (isReached) => {
            this.isAway = !isReached;
            this.showBanner();
        };
        document.addEventListener("click", (event) => this.follow(event));
        addEventListener("hashchange", () => location.hash === "" || this.route());
        addEventListener("popstate", () => location.hash === "" && this.route()); /* back to a query */
        addEventListener("online", () => this.server.hurry());
        document.addEventListener("visibilitychange", () => document.hidden || this.server.hurry());
    }

    /* ---- the connection ---- */

    showStatus({ status, isBack }) {
        this.isLost = status === "waiting" || (status === "connecting" && this.wasOpen);
        this.isAway = this.isAway && status !== "open";
        this.showBanner();
        if (status === "open") {
            if (isBack && this.wasOpen) {
                toast(text.connection.back, "good");
            }
            this.wasOpen = true;
        }
    }

    /* The page may be one that the browser kept: see worker.js. */
    showBanner() {
        const isAlone = this.isLost || this.isAway;
        this.banner.hidden = !isAlone;
        this.banner.textContent = !isAlone ? "" : this.wasOpen ? text.connection.waiting : text.connection.offline;
    }

    /* The server no longer knows the token: the player chooses a name again. */
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

    /* Connects as the known player, or as a new one of this name. */
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

    /* For players who only watch: the server requires a name. */
    guestName() {
        return settings.name ?? suggestName();
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

    /* A link of the page to one of its screens: the page is not loaded again. */
    follow(event) {
        const link = event.target.closest("a")?.getAttribute("href") ?? "";
        const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
        if (isPlain && link.startsWith("./#/")) {
            event.preventDefault();
            this.go(link.slice(2));
        }
    }

    go(hash) {
        if ((address() || "#/") === hash) {
            this.route();
        } else {
            location.hash = hash;
        }
    }

    screenFor(path, query) {
        const [, kind, word] = path.match(/^\/?([a-z]*)\/?([\w-]*)$/) ?? [];
        const number = Number(word);
        if (kind === "match" && number > 0) {
            return new MatchScreen(this, number, {
                code: query.get("code") ?? undefined,
                isGuided: query.has("guide"),
            });
        }
        if (kind === "replay" && number > 0) {
            return new Later(
                () => import("./replay.js"),
                ({ ReplayScreen }) => new ReplayScreen(this, number, query),
            );
        }
        if (kind === "verify") {
            return new Later(
                () => import("./verify.js"),
                ({ VerifyScreen }) => new VerifyScreen(this),
            );
        }
        if (kind === "yours" || (kind === "player" && number > 0)) {
            return new Later(
                () => import("./yours.js"),
                ({ YoursScreen }) => new YoursScreen(this, kind === "yours" ? null : number),
            );
        }
        if (kind === "as" && query.get("token")) {
            return new Later(
                () => import("./yours.js"),
                ({ BecomeScreen }) => new BecomeScreen(this, query.get("token")),
            );
        }
        if (kind === "statistics") {
            return new Later(
                () => import("./statistics.js"),
                ({ StatisticsScreen }) => new StatisticsScreen(),
            );
        }
        if (kind === "rules") {
            return new Later(
                () => import("./rules.js"),
                ({ RulesScreen }) => new RulesScreen(this, word),
            );
        }
        if (kind === "join" && number > 0) {
            return new JoinScreen(this, number, query.get("code") ?? undefined);
        }
        return new LobbyScreen(this);
    }

    /* A failure is tried again by the next screen. */
    async learn() {
        try {
            if ((await learnRulesets()) && this.screen instanceof LobbyScreen) {
                this.route();
            }
        } catch {
            this.learned = undefined;
        }
    }

    async route() {
        const hash = address();
        const [path, query = ""] = hash.slice(1).split("?");
        const isLobby = path.length < 2;
        const number = ++this.routes;
        setAddress(path === "/as" ? "#/as" : hash); /* a token is not left in the address for others to read */
        this.learned ??= this.learn();
        if (!isLobby) {
            await this.learned; /* any other screen may be about a ruleset that is new to the page */
        }
        if (number !== this.routes) {
            return; /* the reader went elsewhere meanwhile */
        }
        this.screen?.close();
        setTitle(text.title);
        const screen = this.screenFor(path, new URLSearchParams(query));
        this.screen = screen;
        put(this.main, screen.element);
        scrollTo(0, 0);
        if (this.wasRouted) {
            this.main.focus({ preventScroll: true }); /* not on a link that was removed */
        }
        this.wasRouted = true;
        if (screen instanceof MatchScreen) {
            try {
                await this.enter(this.guestName());
            } catch {
                this.screen === screen && this.go("#/");
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
install();
