/*
 * The page in a browser: node tests/page/run.js [WORD]   (only tests whose name has the word)
 *
 * SKIRMISHD and SKIRMISH name the programs, CHROMIUM the browser if it is not Debian's.
 */
import { botTests } from "./bots.js";
import { launch } from "./browser.js";
import { Daemon } from "./daemon.js";
import { runAll } from "./harness.js";
import { mannersTests } from "./manners.js";
import { playTests } from "./play.js";
import { pureTests } from "./pure.js";
import { replayTests } from "./replay.js";
import { serveTests } from "./serve.js";
import { watchTests } from "./watch.js";

let people = 0;
const world = {
    daemon: await Daemon.start(),
    browser: await launch(),
    name: () => `player ${++people}`,
};

[pureTests, serveTests, playTests, botTests, replayTests, watchTests, mannersTests].forEach((add) => add(world));
const failed = await runAll(process.argv[2]);
await world.browser.close();
await world.daemon.stop();
process.exit(failed > 0 ? 1 : 0);
