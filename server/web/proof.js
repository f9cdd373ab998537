/*
 * The referee in the browser, loaded when it is first needed, and match files proven by it.
 */
import { Proof, Referee } from "../../proto/js/referee.js";

const SHARE_MS = 24; /* of work between two pictures */

let loading;
let loaded;

/* Undefined where the page has no referee, or the browser cannot run it. */
export function loadReferee() {
    loading ??= Referee.load().then(
        (referee) => (loaded = referee),
        () => undefined,
    );
    return loading;
}

const breathe = () => new Promise((resolve) => setTimeout(resolve));

const isTrap = (error) => error instanceof WebAssembly.RuntimeError;

/* After a trap the module is of no use, and is loaded again. */
function forget(error) {
    if (isTrap(error)) {
        loading = undefined;
        loaded = undefined;
    }
}

/* What `work` makes of the referee, or of undefined, also if it does not know the ruleset. */
export async function withReferee(work, ruleset) {
    const referee = await loadReferee();
    const isKnown = ruleset === undefined || referee?.rulesets().some(({ name }) => name === ruleset);
    try {
        return await work(isKnown ? referee : undefined);
    } catch (error) {
        forget(error);
        throw error;
    }
}

const refused = new Set(); /* rulesets whose hints the server is asked for */

/*
 * Every order that would be ok alone, at once; undefined: the referee is still being loaded, or the view does
 * not show enough, as where the map is hidden.
 */
export function hintsNow({ ruleset, version, params }, view, seat) {
    if (refused.has(ruleset)) {
        return undefined;
    }
    loadReferee();
    try {
        return loaded?.hints({ ruleset, version, params, view }, seat);
    } catch (error) {
        forget(error);
        refused.add(ruleset); /* so are its other views */
        return undefined;
    }
}

/* Calls `look(proof, step, isDue)` with each step of the file, until it returns false; the page draws meanwhile. */
async function walk(referee, bytes, look) {
    const proof = new Proof(referee, bytes);
    let since = performance.now();
    try {
        for (let step = proof.next(); step !== null; step = proof.next()) {
            const isDue = performance.now() - since > SHARE_MS;
            if (look(proof, step, isDue) === false) {
                break;
            }
            if (isDue) {
                await breathe();
                since = performance.now();
            }
        }
    } catch (error) {
        isTrap(error) || proof.close();
        throw error;
    }
    proof.close();
}

/*
 * Proves the file. `show` is called with { match, turn, moments } now and then, and once more with each match
 * that holds, until it returns false; `moments` are its boards as "everything" sees them. Throws what does not hold.
 */
export function prove(bytes, show) {
    let current;
    const look = (proof, step, isDue) => {
        if (step.step === "match") {
            current = { match: step, turn: null, moments: [] };
        } else if (step.step === "over") {
            current.isOver = true;
        } else {
            current.turn = step.turn ?? null;
            current.moments.push(proof.moment());
        }
        return current.isOver || isDue ? show(current) : true;
    };
    return withReferee((referee) => walk(referee, bytes, look));
}

/* The boards of a proven match as another audience sees them; a file may hold several matches. */
export async function momentsOf(bytes, match, audience) {
    const moments = [];
    let isIt = false;
    const look = (proof, step) => {
        isIt = step.step === "match" ? step.match === match : isIt;
        if (isIt && (step.step === "start" || step.step === "turn")) {
            moments.push(proof.moment(audience));
        }
    };
    await withReferee((referee) => walk(referee, bytes, look));
    return moments;
}
