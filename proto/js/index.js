export { Bot } from "./bot.js";
export { connect, Connection, findWebSocket, freshId, PROTOCOL, Refusal, SUBPROTOCOL } from "./client.js";
export { Proof, Referee, RefereeError } from "./referee.js";
