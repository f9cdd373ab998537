/*
 * The page over TLS: everything comes over the same connection's scheme, and a match is played.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person } from "./browser.js";
import { Daemon } from "./daemon.js";
import { test } from "./harness.js";

/* A certificate that nobody but this test trusts. */
function certify(folder) {
    const [certificate, key] = ["certificate.pem", "key.pem"].map((name) => join(folder, name));
    const subject = ["-subj", "/CN=skirmish.test", "-addext", "subjectAltName=IP:127.0.0.1"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", certificate], {
        stdio: "ignore",
    });
    return ["--tls-certificate", certificate, "--tls-key", key];
}

export function tlsTests(world) {
    test("over TLS the page loads and a turn is played, with nothing in the clear and nothing refused", async () => {
        const folder = mkdtempSync(join(tmpdir(), "skirmish-tls-"));
        const daemon = await Daemon.start(...certify(folder));
        const secure = daemon.url.replace("http:", "https:");
        await assert.rejects(fetch(secure), "a browser that was not told would refuse the certificate");
        const person = await Person.arrive(world.browser, daemon, { at: secure, ignoreHTTPSErrors: true });
        const used = [];
        person.page.on("request", (request) => used.push(request.url()));
        person.page.on("websocket", (socket) => used.push(socket.url()));
        await person.page.addInitScript(() => {
            globalThis.violations = [];
            addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
                globalThis.violations.push(`${violatedDirective} ${blockedURI}`),
            );
        });
        const answer = await person.page.reload();
        assert.equal((await answer.securityDetails()).subjectName, "skirmish.test");
        assert.ok(await person.page.evaluate(() => isSecureContext));
        await person.page
            .locator("[data-ruleset=tactics]")
            .getByRole("button", { name: /Play against a bot/ })
            .click();
        await person.sees(/^Choose one of your units/);
        await person.button("Ready without orders").click();
        await person.sees("Turn 2");
        assert.deepEqual(await person.page.evaluate(() => globalThis.violations), []);
        assert.ok(used.some((url) => url === `${secure.replace("https", "wss")}ws`));
        assert.deepEqual(
            used.filter((url) => !url.startsWith(secure) && !url.startsWith(secure.replace("https", "wss"))),
            [],
        );
        await person.leave();
        await daemon.stop();
        rmSync(folder, { recursive: true });
    });
}
