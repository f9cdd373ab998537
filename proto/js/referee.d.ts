/* Members are described by proto/referee/skirmish.h and `skirmish resolve --help`. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Command {
    kind: string;
    [member: string]: Json;
}

export interface Verdict {
    verdict: string;
    check?: string;
}

export interface Event {
    kind: string;
    [member: string]: Json;
}

export interface Outcome {
    winner: number | null;
    reason: string;
}

export interface Request {
    ruleset: string;
    /** Without it the newest. */
    version?: number;
    /** As an object, or as JSON: then it is not written again for each request. */
    params: { [name: string]: Json } | string;
    /** 16 or 64 hex digits. */
    seed?: string;
    /** Without it the first state. */
    state?: { [name: string]: Json };
    /** Instead of a state: what a seat sees. The seed decides what it hides. */
    view?: { [name: string]: Json };
    turn?: number;
    /** A list for each seat. */
    commands?: Command[][];
}

export interface Answer {
    turn: number;
    verdicts: Verdict[][];
    events: Event[];
    state: { [name: string]: Json };
    owing: number[];
    outcome: Outcome | null;
    hash: string;
}

export interface RulesetHead {
    name: string;
    version: number;
    seats_min: number;
    seats_max: number;
    simultaneous: boolean;
    summary: string;
}

/** The steps of a proof, in this order for each match of the file. */
export type Step =
    | {
          step: "match";
          match: number;
          ruleset: string;
          version: number;
          params: { [name: string]: Json };
          players: (string | null)[];
          ended_at_ms: number;
          winner: number | null;
          reason: string;
          turns: number;
          seed: string;
          salt: string;
          /** Compare it with that of the frame `state` when the match began. */
          commitment: string;
          /** Compare it with that of the frame `over`. */
          head: string;
      }
    | { step: "start" }
    | { step: "turn"; turn: number; hash: string }
    | { step: "over"; turns: number };

export interface Moment {
    turn: number;
    resolved?: number;
    commands?: Command[][];
    verdicts?: Verdict[][];
    events?: Event[];
    /** For "everything" the state, for others the view. */
    state?: { [name: string]: Json };
    view?: { [name: string]: Json };
    outcome: Outcome | null;
    hash?: string;
}

export type Audience = number | "spectator" | "everything";

/** What the referee refuses: `code` for programs, `message` for people. */
export class RefereeError extends Error {
    code: string;
    /** A JSON pointer. */
    at: string;
    /** Of a match file: the last line that was read. */
    line?: number;
    /** Of a match file: the turn that does not hold, or null. */
    turn?: number | null;
}

export class Referee {
    /** From a URL, the module's bytes or a compiled module; without one from skirmish.wasm beside this file. */
    static load(source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Referee>;
    readonly version: string;
    resolve(request: Request | string): Answer;
    /** The same with the answer as JSON. */
    resolveText(request: Request | string): string;
    /** What a seat or a spectator may know after such a request. */
    look(request: Request | string, seat: number | "spectator"): { [name: string]: Json };
    hints(request: Request | string, seat: number): { turn: number; commands: Command[] };
    rulesets(): RulesetHead[];
    schema(ruleset: string, version?: number): { [name: string]: Json };
    params(ruleset: string, params?: { [name: string]: Json }, version?: number): { [name: string]: Json };
    /** Proves a match file step by step; throws a RefereeError at the first thing that does not hold. */
    prove(file: string | Uint8Array): Generator<Step, void, void>;
}

export class Proof {
    constructor(referee: Referee, file: string | Uint8Array);
    /** The next step, or null when the whole file holds. */
    next(): Step | null;
    /** After the steps `start` and `turn`. */
    moment(audience?: Audience): Moment;
    close(): void;
}
