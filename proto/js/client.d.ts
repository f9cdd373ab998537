/* Frames are described by proto/PROTOCOL.md, and by /api/v1/protocol of a server as JSON Schemas. */
export interface Frame {
    type: string;
    id?: string;
    match?: number;
    seq?: number;
    [member: string]: any;
}

export interface Welcome extends Frame {
    type: "welcome";
    player: number;
    name: string;
    token?: string;
    time_ms: number;
}

export interface ConnectionOptions {
    url: string;
    /** Of a player who was here before; without it `name` is a new player. */
    token?: string | null;
    name?: string | null;
    bot?: boolean;
    /** Where there is no global one: that of the package `ws`. */
    WebSocket?: unknown;
    timeout_ms?: number;
}

export type Status = "closed" | "connecting" | "open" | "waiting";

/** What the server refused: `code` for programs, `message` for people. */
export class Refusal extends Error {
    constructor(frame: { code: string; message: string; [member: string]: any });
    code: string;
    at?: string;
    check?: string;
    retry_ms?: number;
    frame: { code: string; message: string; [member: string]: any };
}

export class Connection {
    constructor(options: ConnectionOptions);
    readonly status: Status;
    url: string;
    token: string | null;
    name: string | null;
    player: number | null;
    /** The answer to the first hello, if `connect` has opened it. */
    welcome?: Welcome;
    open(): Promise<Welcome>;
    close(): void;
    /** Reconnects now instead of after a pause. */
    hurry(): void;
    /** Sends a frame and resolves with its answer; an `error` is thrown as a Refusal. */
    request(frame: Frame): Promise<Frame>;
    /** Stops following a match. */
    leave(match: number): Promise<void>;
    /** Returns a function that removes the listener. */
    on(
        type: "status",
        listener: (event: { status: Status; retry_ms?: number; isBack?: boolean }) => void,
    ): () => boolean;
    on(type: "gone", listener: (event: { match: number; refusal: Refusal }) => void): () => boolean;
    on(type: "back" | "found", listener: (event: { match: number }) => void): () => boolean;
    on(type: "refused", listener: (refusal: Refusal) => void): () => boolean;
    on(type: string, listener: (frame: Frame) => void): () => boolean;
}

export function connect(options: ConnectionOptions): Promise<Connection & { welcome: Welcome }>;
export function findWebSocket(): Promise<unknown>;
/** An id that nobody has used, for `command_id`. */
export function freshId(): string;
export const PROTOCOL: 1;
export const SUBPROTOCOL: "skirmish.v1";
