/*
 * Chromium, and its users: each has a separate context, as if in a separate browser.
 */
import { existsSync } from "node:fs";
import { WebSocket } from "ws";
import { chromium } from "playwright-core";
import { Connection, freshId } from "../../proto/js/client.js";

const PROGRAM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const SPEED = 8; /* of the animations; nobody watches */
const GUIDED = ["tactics", "halma", "racers", "snarl"]; /* who returns needs no hints */

/* --no-sandbox: the tests also run as root and in containers, and open our own page only. */
export const launch = () => chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox"] });

export class Person {
    static async arrive(browser, daemon, options = {}) {
        const person = new Person();
        person.daemon = daemon;
        const { at, name, guided = GUIDED, ...browserOptions } = options;
        person.context = await browser.newContext({
            viewport: { width: 1280, height: 860 },
            permissions: ["clipboard-write"],
            serviceWorkers: "block" /* hides requests from tests; install.js tests it */,
            ...browserOptions,
        });
        const kept = { speed: SPEED, ...(name === undefined ? {} : { guided, ...(await person.register(name)) }) };
        await person.context.addInitScript((values) => {
            for (const [key, value] of Object.entries(values)) {
                localStorage.getItem(`skirmish.${key}`) ??
                    localStorage.setItem(`skirmish.${key}`, JSON.stringify(value));
            }
        }, kept);
        person.page = await person.context.newPage();
        person.page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 120000));
        person.troubles = [];
        person.page.on("pageerror", (error) => person.troubles.push(error.stack));
        person.page.on(
            "console",
            (message) =>
                message.type() === "error" &&
                !/ERR_CONNECTION|WebSocket connection/.test(message.text()) &&
                person.troubles.push(message.text()),
        );
        await person.page.goto(at ?? daemon.url);
        return person;
    }

    /* A returning player. */
    async register(name) {
        const server = this.connection({ name });
        await server.open();
        server.close();
        this.token = server.token;
        return { token: this.token, name };
    }

    connection(who, path = "") {
        return new Connection({ url: this.daemon.url.replace("http", "ws") + path, WebSocket, ...who });
    }

    /* Creates matches that the lobby cannot, such as with a custom board or at the node of a path. */
    async ask(frame, path) {
        const server = this.connection({ token: this.token }, path);
        await server.open();
        const answer = await server.request(frame);
        server.close();
        return answer;
    }

    async goTo(hash) {
        await this.page.evaluate((to) => {
            location.hash = to;
        }, hash);
    }

    cell(x, y) {
        return this.page.locator(`[data-cell="${x},${y}"]`);
    }

    async choose(...cells) {
        for (const [x, y] of cells) {
            await this.cell(x, y).click();
        }
    }

    unit(id) {
        return this.page.locator(`[data-unit="${id}"]`);
    }

    button(name) {
        return this.page.getByRole("button", { name, exact: true });
    }

    async sees(words) {
        await this.page.getByText(words).first().waitFor();
    }

    /* The page has logged no errors. */
    check() {
        if (this.troubles.length > 0) {
            throw new Error(`the page complained:\n${this.troubles.splice(0).join("\n")}`);
        }
    }

    async leave() {
        await this.context.close();
        this.check();
    }
}

export { freshId, WebSocket };
