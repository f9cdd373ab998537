/*
 * What the page has for each ruleset: drawing, animation, words and orders.
 */
import { halma } from "./halma.js";
import { racers } from "./racers.js";
import { snarl } from "./snarl.js";
import { tactics } from "./tactics.js";

export const faces = { tactics, halma, racers, snarl };
