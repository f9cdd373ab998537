import type { Connection, ConnectionOptions, Frame, Welcome } from "./client.js";
import type { Command, Json, Outcome } from "./referee.js";

export interface Position {
    match: number;
    ruleset: string;
    params: { [name: string]: Json };
    seat: number;
    view: { [name: string]: Json };
}

export interface Turn extends Position {
    turn: number;
    /** Every command that would be ok alone. */
    hints: Command[];
}

export interface BotOptions extends ConnectionOptions {
    choose(turn: Turn): Command[] | Promise<Command[]>;
    /** Whether to accept a draw; without it offers are declined. */
    agree?(position: Position): boolean | Promise<boolean>;
}

export class Bot {
    constructor(options: BotOptions);
    readonly server: Connection;
    open(): Promise<Welcome>;
    close(): void;
    /** Sends a frame that leads to a match (create, join, queue) and plays it to its end. */
    play(frame: Frame): Promise<{ match: number; seat: number; outcome: Outcome }>;
}
