/*
 * The referee in the browser, loaded when it is first needed, and match files proven by it.
 */
import { Proof, Referee } from "../../proto/js/referee.js";

const SHARE_MS = 24; /* of work between two pictures */

let loading;

/* Undefined where the page has no referee, or the browser cannot run it. */
export function loadReferee() {
    loading ??= Referee.load().catch(() => undefined);
    return loading;
}

const breathe = () => new Promise((resolve) => setTimeout(resolve));

const isTrap = (error) => error instanceof WebAssembly.RuntimeError;

/* What `work` makes of the referee, or of undefined. After a trap the module is of no use, and is loaded again. */
export async function withReferee(work) {
    const referee = await loadReferee();
    try {
        return await work(referee);
    } catch (error) {
        loading = isTrap(error) ? undefined : loading;
        throw error;
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
