export { Bot } from "./bot.js";
export { connect, Connection, findWebSocket, freshId, PROTOCOL, Refusal, SUBPROTOCOL } from "./client.js";
export { DRAWN, Game, RUNNING, SPECTATOR, WON } from "./game.js";
export { Proof, Referee, RefereeError } from "./referee.js";
