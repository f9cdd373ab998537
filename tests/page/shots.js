/*
 * Takes the pictures of the README: node tests/page/shots.js
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshId, launch, Person } from "./browser.js";
import { Daemon } from "./daemon.js";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "shots");
const LAPTOP = { viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.85 };
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, colorScheme: "dark" };

const daemon = await Daemon.start();
const browser = await launch();
const ann = await Person.arrive(browser, daemon, { name: "Ann", ...LAPTOP });
const bob = await Person.arrive(browser, daemon, { name: "Bob", ...PHONE });

async function shoot(person, name) {
    await person.page.waitForFunction(() => document.querySelector(".toast") === null);
    await person.page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: "jpeg", quality: 62 });
}

async function begin(ruleset, params) {
    const { match } = await ann.ask({ type: "create", ruleset, params, rated: false });
    await bob.goTo(`#/join/${match}`);
    await bob.button("Accept and play").click();
    await ann.goTo(`#/match/${match}`);
    await Promise.all([ann, bob].map((person) => person.page.locator(".seat-card.active").first().waitFor()));
    return match;
}

/* Hints of this turn; the last turn may not be stored yet. */
async function hintsOf(player, match, turn) {
    for (;;) {
        const frame = await player.request({ type: "hints", match });
        if (frame.turn === turn) {
            return frame.commands;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/* Some turns of orders that the hints allow, so that there is a replay to look at. */
async function playOn(match, turns) {
    const players = [ann, bob].map((person) => person.connection({ token: person.token }));
    await Promise.all(players.map((player) => player.open()));
    for (let turn = 0; turn < turns; turn++) {
        for (const [seat, player] of players.entries()) {
            const commands = await hintsOf(player, match, turn);
            const units = [...new Set(commands.map((command) => command.unit))];
            const chosen = units
                .map((unit, i) => commands.filter((command) => command.unit === unit).at((turn * 5 + i * 3 + seat) % 7))
                .filter(Boolean);
            await player.request({ type: "submit", match, turn, commands: chosen, command_id: freshId(), ready: true });
        }
    }
    await players[1].request({ type: "resign", match, command_id: freshId() });
    players.forEach((player) => player.close());
}

mkdirSync(FOLDER, { recursive: true });
await shoot(ann, "lobby");
const match = await begin("tactics", { placement: false });
await ann.sees("Choose one of your units");
await ann.choose([5, 7], [5, 4], [2, 8], [2, 5], [7, 7]);
await ann.cell(6, 6).hover();
await ann.page.waitForTimeout(600);
await shoot(ann, "tactics");
await playOn(match, 16);
await ann.page.emulateMedia({ colorScheme: "dark" });
await ann.goTo(`#/replay/${match}?turn=8`);
await ann.sees("Turn 9 (last: 17)");
await shoot(ann, "replay");
await ann.page.emulateMedia({ colorScheme: "light" });
await begin("racers", { failure_permille: 5 });
await ann.page.locator('[data-mark="move"]').first().waitFor();
await ann.choose(
    await ann.page.evaluate(() => {
        const box = document.querySelector('[data-mark="move"]').getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).dataset.cell.split(",");
    }),
);
await bob.sees(/moves to/);
await shoot(bob, "phone");
await browser.close();
await daemon.stop();
console.log(execFileSync("ls", ["-l", FOLDER], { encoding: "utf8" }));
