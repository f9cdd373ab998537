/*
 * "Verify this match": the browser plays a match file again and says what holds, for the replay and for files
 * from disk.
 */
import { h, put } from "./dom.js";
import { text } from "./language.js";
import { loadReferee, prove } from "./proof.js";
import { publishedOf } from "./published.js";
import { Recording } from "./recording.js";
import { ReplayScreen } from "./replay.js";

/* How what was told compares: same, differs or unknown. */
const compare = (told, found) => (told === undefined ? "unknown" : told === found ? "same" : "differs");

const SIGNS = { same: "✓", differs: "✗", unknown: "–" };

export class Verifier {
    constructor() {
        this.progress = h("p", { class: "dim" });
        this.bar = h("progress", { value: 0, max: 1, hidden: true, "aria-label": text.replay.verify });
        this.results = h("div", { "aria-live": "polite" });
        this.element = h(
            "section",
            { class: "card verify" },
            h("h2", {}, text.replay.verify),
            this.bar,
            this.progress,
            this.results,
        );
    }

    /*
     * Resolves with the matches that hold; the first that does not is shown. `id` is the match's number on this
     * server, if the file is from there: one that was imported has another number in its file.
     */
    async run(bytes, id) {
        const held = [];
        this.id = id;
        put(this.results);
        put(this.progress, text.verify.reading);
        if ((await loadReferee()) === undefined) {
            put(this.progress, text.verify.missing);
            return held;
        }
        try {
            await prove(bytes, (found) => {
                this.showProgress(found);
                if (found.isOver) {
                    held.push(found);
                    this.results.append(this.report(found));
                }
                return !this.isStopped;
            });
        } catch (error) {
            this.results.append(this.failure(error));
        }
        this.bar.hidden = true;
        put(this.progress);
        return held;
    }

    /* Nobody wants the result any more. */
    stop() {
        this.isStopped = true;
    }

    showProgress({ match, turn }) {
        this.bar.hidden = false;
        this.bar.max = match.turns;
        this.bar.value = (turn ?? -1) + 1;
        put(this.progress, turn === null ? text.verify.reading : text.verify.progress(turn, match.turns - 1));
    }

    failure({ name, code, message, at, line, turn = null }) {
        if (name !== "RefereeError" || code === "too_large") {
            return h(
                "p",
                { class: "bad", role: "alert" },
                text.verify.cannot(message),
            ); /* it says nothing of the file */
        }
        return h(
            "div",
            { class: "verdict-bad", role: "alert" },
            h("p", { class: "bad" }, h("strong", {}, text.verify.fails(turn))),
            h("p", {}, `${message}${at ? ` (${at})` : ""}. `, line > 0 ? text.verify.line(line) : ""),
        );
    }

    report({ match }) {
        const told = this.id === undefined || this.id === match.match ? publishedOf(match.match) : {};
        const facts = ["commitment", "head"].map((fact) => [fact, compare(told[fact], match[fact])]);
        const line = (sign, words) =>
            h("li", { class: sign }, h("span", { "aria-hidden": "true" }, `${SIGNS[sign]} `), words);
        return h(
            "div",
            {},
            h("p", { class: "ok" }, h("strong", {}, text.verify.holds)),
            h("h3", {}, text.verify.byItself),
            h(
                "ul",
                { class: "facts" },
                line("same", text.verify.chain),
                line("same", text.verify.seed),
                line("same", text.verify.turns(match.turns)),
            ),
            h("h3", {}, text.verify.compared),
            h(
                "ul",
                { class: "facts" },
                facts.map(([fact, result]) => line(result, text.verify.published[fact][result])),
            ),
            facts.every(([, result]) => result === "same") ? null : h("p", { class: "dim" }, text.verify.alone),
        );
    }
}

/* A file from disk: verified, and shown as a replay. */
export class VerifyScreen {
    constructor(app) {
        this.app = app;
        loadReferee(); /* so that the network may go */
        this.watch = h("div", { class: "row" });
        this.place = h("div", {});
        this.element = h(
            "div",
            { class: "verify-screen" },
            h(
                "div",
                { class: "panel" },
                h("h1", {}, text.verify.title),
                h("p", {}, text.verify.about),
                h(
                    "label",
                    {},
                    text.verify.choose,
                    h("input", {
                        type: "file",
                        accept: ".jsonl,.ndjson,application/x-ndjson",
                        onchange: (event) => this.read(event.target.files[0]),
                    }),
                ),
                h("p", { class: "dim" }, text.verify.chooseHint),
                this.watch,
            ),
            this.place,
        );
    }

    async read(file) {
        if (file === undefined) {
            return;
        }
        this.close();
        const verifier = new Verifier();
        this.verifier = verifier;
        put(this.watch);
        put(this.place, verifier.element);
        const bytes = new Uint8Array(await file.arrayBuffer());
        const held = await verifier.run(bytes);
        if (verifier.isStopped) {
            return; /* another file was chosen meanwhile */
        }
        put(
            this.watch,
            held.map((found) =>
                h(
                    "button",
                    { onclick: () => this.show(found, bytes) },
                    `${text.verify.watch}: ${text.list(found.match.players.map((name) => name ?? text.nobody))}`,
                ),
            ),
        );
    }

    show({ match, moments }, bytes) {
        this.replay?.close();
        this.replay = new ReplayScreen(
            this.app,
            match.match,
            new URLSearchParams(),
            Recording.ofFile(match, moments, bytes),
        );
        put(this.place, this.replay.element);
        this.replay.open();
    }

    close() {
        this.replay?.close();
        this.verifier?.stop();
    }
}
