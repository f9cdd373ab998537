/*
 * Runs tests by name, one after another, and prints a summary line for tests/run.
 */
const TIME_LIMIT_MS = 600000; /* only against hanging */
const tests = [];

export function test(name, run) {
    tests.push({ name, run });
}

function limited(promise) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error("took too long")), TIME_LIMIT_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* Runs the tests whose name contains the word; returns how many failed. */
export async function runAll(word = "") {
    const failures = [];
    const chosen = tests.filter(({ name }) => name.includes(word));
    for (const { name, run } of chosen) {
        const start = Date.now();
        try {
            await limited(run());
            console.log(`ok      ${name} (${Date.now() - start} ms)`);
        } catch (error) {
            failures.push(`FAILED  ${name}\n${error.stack}`);
            console.log(failures.at(-1));
        }
    }
    /* Again where they are found first: at the end of a long list. */
    failures.forEach((failure) => console.log(failure));
    console.log(`${chosen.length - failures.length} passed, ${failures.length} failed`);
    return failures.length;
}
