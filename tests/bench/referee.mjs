/*
 * Requests that the referee answers in Node: node tests/bench/referee.mjs COUNT MODULE... < REQUEST
 *
 * Prints a line per form and module, alternating between them: the form, requests per second, and the least CPU time
 * of one in microseconds. Each module is used by the referee.js beside it, so that two builds can be compared.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROUNDS = 10;
const [count, ...modules] = process.argv.slice(2);
const text = readFileSync(0, "utf8");
const request = JSON.parse(text);
const compact = { ...request, params: JSON.stringify(request.params) };
const forms = {
    "objects in and out": (referee) => referee.resolve(request),
    "the same with params as JSON": (referee) => referee.resolve(compact),
    "JSON in and out": (referee) => referee.resolveText(text),
};

const runs = [];
for (const module of modules) {
    const beside = join(dirname(resolve(module)), "referee.js");
    const { Referee } = await import(existsSync(beside) ? pathToFileURL(beside) : "../../proto/js/referee.js");
    const referee = await Referee.load(readFileSync(module));
    for (const [form, ask] of Object.entries(forms)) {
        runs.push({ form, module, ask: () => ask(referee), rate: 0, cpu_us: Infinity });
    }
}
for (let round = 0; round <= ROUNDS; round++) {
    for (const run of runs) {
        const many = Math.ceil(count / ROUNDS);
        const began = performance.now();
        const before = process.cpuUsage();
        for (let i = 0; i < many; i++) {
            run.ask();
        }
        const { user, system } = process.cpuUsage(before);
        if (round > 0) {
            /* in the first one the compiler of Node gets ready */
            run.rate = Math.max(run.rate, (1000 * many) / (performance.now() - began));
            run.cpu_us = Math.min(run.cpu_us, (user + system) / many);
        }
    }
}
for (const { form, module, rate, cpu_us } of runs) {
    console.log([form, Math.round(rate), cpu_us.toFixed(1), ...(modules.length > 1 ? [module] : [])].join("\t"));
}
