/* Rows and numbers are described by proto/referee/skirmish.h. */
import type { Command, Json } from "./referee.js";

export const RUNNING: 0;
export const DRAWN: 1;
/** Plus the seat. */
export const WON: 2;
export const SPECTATOR: 255;

export interface Field {
    name: string;
    min: number;
    max: number;
}

export interface Description {
    ruleset: string;
    version: number;
    seats: number;
    slots: number;
    ids: string[];
    names: string[];
    verdicts: string[];
    actions: number;
    action: { width: number; kinds: { kind: string; fields: Field[] }[] };
    observation: Field[];
}

export interface GameOptions {
    params?: { [name: string]: Json };
    /** Without it the newest. */
    version?: number;
    /** How many matches. */
    count?: number;
    /** Commands of a seat in one turn. */
    slots?: number;
    listMax?: number;
    /** Whether `masks` are filled. */
    masks?: boolean;
    /** As for Referee.load. */
    source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
}

/** Many matches with the same params. The arrays are the module's memory: ask for them again after each call. */
export class Game {
    static load(ruleset: string, options?: GameOptions): Promise<Game>;
    readonly version: string;
    readonly description: Description;
    readonly seats: number;
    readonly count: number;
    readonly slots: number;
    readonly actionWidth: number;
    /** 0: commands have no numbers. */
    readonly actionCount: number;
    readonly observationWidth: number;
    readonly actions: Int32Array;
    readonly rows: Int32Array;
    readonly observations: Int32Array;
    readonly masks: Uint8Array;
    readonly outcomes: Uint8Array;
    /** A turn of every match by `actions`; returns how many are over. */
    play(options?: { again?: boolean }): number;
    /** The same by `rows`. */
    playRows(options?: { again?: boolean }): number;
    reset(i?: number, seed?: number | Uint8Array): void;
    owing(i?: number): number[];
    turn(i?: number): number;
    hash(i?: number): string;
    view(seat: number, i?: number): { [name: string]: Json };
    hints(seat: number, i?: number): Command[];
    hintRows(seat: number, most: number, i?: number): Int32Array;
    judge(seat: number, commands: Command[], i?: number): string[];
    /** A list of commands for each seat; returns the verdicts of each. */
    step(commands: Command[][], i?: number): string[][];
    save(i?: number): Uint8Array;
    load(saved: Uint8Array, i?: number): void;
}
