/*
 * The page in a browser: node tests/page/run.js [--pure] [WORD]
 *
 * With WORD, only tests whose name contains it; with --pure, only those that need no browser.
 *
 * SKIRMISHD and SKIRMISH name the programs, CHROMIUM the browser if it is not Debian's.
 */
import { botTests } from "./bots.js";
import { launch } from "./browser.js";
import { comfortTests } from "./comfort.js";
import { Daemon } from "./daemon.js";
import { runAll } from "./harness.js";
import { guideTests } from "./guide.js";
import { insightTests } from "./insight.js";
import { installTests } from "./install.js";
import { inviteTests } from "./invite.js";
import { languagePureTests, languageTests } from "./languages.js";
import { linkTests } from "./links.js";
import { liveTests } from "./live.js";
import { mannersTests } from "./manners.js";
import { movingTests } from "./moving.js";
import { nodesTests } from "./nodes.js";
import { phoneTests } from "./phone.js";
import { plainTests } from "./plain.js";
import { playTests } from "./play.js";
import { pureTests } from "./pure.js";
import { refereeTests } from "./referee.js";
import { replayTests } from "./replay.js";
import { rulesPureTests, rulesTests } from "./rules.js";
import { seekTests } from "./seeks.js";
import { serveTests } from "./serve.js";
import { tlsTests } from "./tls.js";
import { verifyTests } from "./verify.js";
import { watchTests } from "./watch.js";
import { wordsTests } from "./words.js";
import { yoursTests } from "./yours.js";

const words = process.argv.slice(2).filter((word) => word !== "--pure");
const isPure = process.argv.includes("--pure");
let people = 0;
const world = {
    daemon: await Daemon.start(),
    browser: isPure ? null : await launch(),
    name: () => `player ${++people}`,
};

const inBrowser = [
    serveTests,
    playTests,
    plainTests,
    botTests,
    replayTests,
    verifyTests,
    watchTests,
    insightTests,
    inviteTests,
    linkTests,
    phoneTests,
    liveTests,
    movingTests,
    mannersTests,
    comfortTests,
    wordsTests,
    languageTests,
    rulesTests,
    guideTests,
    installTests,
    yoursTests,
    seekTests,
    tlsTests,
];
const pure = [pureTests, refereeTests, languagePureTests, rulesPureTests, nodesTests];
[...pure, ...(isPure ? [] : inBrowser)].forEach((add) => add(world));
const failed = await runAll(words[0]);
await world.browser?.close();
await world.daemon.stop();
process.exit(failed > 0 ? 1 : 0);
