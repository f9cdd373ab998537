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

/*
 * Proves the file. `show` is called with { match, turn, moments } now and then, and once more with each match
 * that holds; `moments` are its boards as "everything" sees them. Throws what does not hold.
 */
export async function prove(bytes, show) {
    const proof = new Proof(await loadReferee(), bytes);
    let current;
    let since = performance.now();
    try {
        for (let step = proof.next(); step !== null; step = proof.next()) {
            if (step.step === "match") {
                current = { match: step, turn: null, moments: [] };
            } else if (step.step === "over") {
                current.isOver = true;
            } else {
                current.turn = step.turn ?? null;
                current.moments.push(proof.moment());
            }
            if (current.isOver || performance.now() - since > SHARE_MS) {
                show(current);
                await breathe();
                since = performance.now();
            }
        }
    } catch (error) {
        loading = error instanceof WebAssembly.RuntimeError ? undefined : loading; /* after a trap it is no use */
        throw error;
    } finally {
        loading === undefined || proof.close();
    }
}

/* The boards of a proven match as another audience sees them; a file may hold several matches. */
export async function momentsOf(bytes, match, audience) {
    const proof = new Proof(await loadReferee(), bytes);
    const moments = [];
    let isIt = false;
    try {
        for (let step = proof.next(); step !== null; step = proof.next()) {
            isIt = step.step === "match" ? step.match === match : isIt;
            if (isIt && (step.step === "start" || step.step === "turn")) {
                moments.push(proof.moment(audience));
            }
        }
    } finally {
        proof.close();
    }
    return moments;
}
