/*
 * The daemon under test, on a free port with its own database.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = process.env.SKIRMISHD ?? "build/bin/skirmishd";
const READY = /listening on https?:\/\/([^:]+):(\d+)\//;
const SANITIZER = /ERROR: \w+Sanitizer|runtime error:/;

export class Daemon {
    static start(...options) {
        return Daemon.startProgram(PROGRAM, ...options);
    }

    static async startProgram(program, ...options) {
        const daemon = new Daemon();
        daemon.program = program;
        daemon.folder = mkdtempSync(join(tmpdir(), "skirmish-page-"));
        daemon.options = options;
        daemon.port = 0;
        await daemon.run();
        return daemon;
    }

    /* On the same port as before, if there was one. */
    run() {
        const log = openSync(join(this.folder, "log"), "a");
        this.process = spawn(
            this.program,
            [
                "--port",
                String(this.port),
                "--metrics-port",
                "-1",
                "--database",
                join(this.folder, "test.db"),
                ...(this.options.includes("--frames-burst")
                    ? []
                    : ["--frames-per-second", "100000", "--frames-burst", "100000"]),
                "--frame-work",
                "1000000",
                "--connects-per-second",
                "0",
                "--hello-timeout",
                "120s",
                "--handshake-timeout",
                "120s",
                ...(this.options.includes("--http-burst") ? [] : ["--http-burst", "0", "--reads-per-address", "0"]),
                "--players-per-hour",
                "0",
                "--creates-per-minute",
                "0",
                "--rated-params",
                "any",
                "--rated-turns",
                "0",
                "--rated-repeats",
                "0",
                ...this.options,
            ],
            { stdio: ["ignore", "pipe", log] },
        );
        this.ended = new Promise((resolve) => this.process.on("exit", (code, signal) => resolve({ code, signal })));
        return new Promise((resolve, reject) => {
            let said = "";
            this.process.stdout.on("data", (bytes) => {
                said += bytes;
                const match = READY.exec(said);
                if (match) {
                    this.port = Number(match[2]);
                    this.url = `http://127.0.0.1:${this.port}/`;
                    resolve();
                }
            });
            this.ended.then(() => reject(new Error(`the daemon ended: ${this.log()}`)));
        });
    }

    log() {
        return readFileSync(join(this.folder, "log"), "utf8");
    }

    async kill() {
        this.process.kill("SIGKILL");
        await this.ended;
    }

    async stop() {
        this.process.kill("SIGTERM");
        const { code } = await this.ended;
        const log = this.log();
        rmSync(this.folder, { recursive: true });
        if (code !== 0 || SANITIZER.test(log)) {
            throw new Error(`the daemon ended with ${code}:\n${log}`);
        }
    }
}
