/*
 * Checks of a whole screen.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SETTLE_MS = 3000;

/* What axe-core calls serious or critical on the page as it is now. */
export async function seriousIssues(page) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(
            ({ id, nodes }) =>
                `${id}: ${nodes
                    .map((node) => node.html)
                    .slice(0, 3)
                    .join(" ")}`,
        );
}

/* A phone makes its window wider for what does not fit; its screen stays as it is. A window that has just got
 * another size lays its page out a moment later, so what is too wide must stay so. */
export async function isWithinScreen(page) {
    const fits = () => document.documentElement.scrollWidth <= Math.min(innerWidth, screen.width);
    const isSeen = await page.waitForFunction(fits, null, { timeout: SETTLE_MS }).catch(() => null);
    if (isSeen === null) {
        console.error(await page.evaluate(tooWide));
    }
    return isSeen !== null;
}

/* What a person would look for: the sizes, and which elements end right of the screen. */
const tooWide = () => {
    const right = Math.min(innerWidth, screen.width);
    const beyond = [...document.querySelectorAll("body *")].filter(
        (one) => one.getBoundingClientRect().right > right + 0.5,
    );
    const names = beyond.map((one) => {
        const { left, right: end } = one.getBoundingClientRect();
        return `${one.localName}.${one.getAttribute("class") ?? ""} ${Math.round(left)} to ${Math.round(end)}`;
    });
    return [
        `too wide: window ${innerWidth}, screen ${screen.width}, page ${document.documentElement.scrollWidth}`,
        ...names.slice(0, 20),
    ].join("\n  ");
};

/* Until the page has its referee. */
export const refereeOf = (page) =>
    page.evaluate(async () => {
        const app = document.querySelector("script[src$='app.js']").src;
        const { loadReferee } = await import(new URL("./proof.js", app).href);
        return (await loadReferee()) !== undefined;
    });
