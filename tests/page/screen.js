/*
 * Checks of a whole screen.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

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

/* A phone makes its window wider for what does not fit; its screen stays as it is. */
export async function isWithinScreen(page) {
    return page.evaluate(() => document.documentElement.scrollWidth <= Math.min(innerWidth, screen.width));
}

/* Until the page has its referee. */
export const refereeOf = (page) =>
    page.evaluate(async () => {
        const app = document.querySelector("script[src$='app.js']").src;
        const { loadReferee } = await import(new URL("./proof.js", app).href);
        return (await loadReferee()) !== undefined;
    });
