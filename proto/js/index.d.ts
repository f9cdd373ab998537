export { Bot, type BotOptions, type Position, type Turn } from "./bot.js";
export * from "./client.js";
export * from "./game.js";
export * from "./referee.js";
