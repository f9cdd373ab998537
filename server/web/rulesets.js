/*
 * What the page knows of each ruleset: how to draw it, animate it, speak of it and give orders.
 */
import { halma } from "./halma.js";
import { racers } from "./racers.js";
import { snarl } from "./snarl.js";
import { tactics } from "./tactics.js";

export const faces = { tactics, halma, racers, snarl };
