/* The types of the package as a program uses them; an error in them fails the test. */
import {
    Bot,
    connect,
    Game,
    Proof,
    Referee,
    RefereeError,
    Refusal,
    type Answer,
    type Command,
    type Step,
} from "skirmish";

const referee: Referee = await Referee.load();
const answer: Answer = referee.resolve({ ruleset: "halma", params: {}, commands: [[], []] });
const winner: number | null | undefined = answer.outcome?.winner;
const commands: Command[] = referee.hints({ ruleset: "halma", params: {} }, 0).commands;
for (const step of referee.prove(new Uint8Array())) {
    const told: Step = step;
    if (told.step === "turn") {
        const hash: string = told.hash;
        console.log(told.turn + 1, hash);
    }
}
const text: string = referee.resolveText({ ruleset: "halma", params: "{}", view: referee.look("{}", 0) });
const game: Game = await Game.load("tactics", { count: 2 });
game.actions[0] = game.masks.indexOf(1, 1);
const over: number = game.play({ again: false });
console.log(text, over, game.step([[], []], 1)[0]?.[0], game.description.observation[0]?.name);
const proof = new Proof(referee, "");
console.log(proof.moment("spectator").view, proof.moment(1), winner, commands);
try {
    const server = await connect({ url: "ws://127.0.0.1/", name: "carol" });
    const stop = server.on("turn", (frame) => console.log(frame.seq));
    server.on("status", ({ status }) => console.log(status === "open"));
    stop();
    console.log(server.welcome.player + 1);
} catch (error) {
    console.log(error instanceof Refusal ? error.code : error instanceof RefereeError ? error.turn : null);
}
const bot = new Bot({ url: "ws://127.0.0.1/", name: "dora", choose: ({ hints }) => hints.slice(0, 1) });
const { outcome } = await bot.play({ type: "queue", ruleset: "halma" });
console.log(outcome.reason.length);
// @ts-expect-error: a seat is a number
referee.hints({ ruleset: "halma", params: {} }, "one");
// @ts-expect-error: params are required
referee.resolve({ ruleset: "halma" });
