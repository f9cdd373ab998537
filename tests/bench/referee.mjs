/*
 * Requests per second that the referee answers in Node: node tests/bench/referee.mjs MODULE COUNT < REQUEST
 *
 * Objects in, objects out, as programs use it: encoding and parsing JSON are included.
 */
import { readFileSync } from "node:fs";
import { Referee } from "../../proto/js/referee.js";

const [module, count] = process.argv.slice(2);
const request = JSON.parse(readFileSync(0, "utf8"));
const referee = await Referee.load(readFileSync(module));
const answers = (many) => {
    for (let i = 0; i < many; i++) {
        referee.resolve(request);
    }
};

answers(Math.ceil(count / 10)); /* the compiler of Node gets ready */
const began = performance.now();
answers(Number(count));
console.log(Math.round((1000 * count) / (performance.now() - began)));
