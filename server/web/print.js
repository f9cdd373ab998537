/*
 * A match on paper: who played and how it ended, the boards at the start and at the end, and every
 * turn in words.  Loaded when somebody prints.
 */
import { Board } from "./board.js";
import { h } from "./dom.js";
import { language, tellResult, tellVerdict, text } from "./language.js";
import { tellTurn } from "./scene.js";

function boardAt(replay, position, title) {
    const board = new Board();
    replay.face.draw(board, replay.sceneAt(position));
    board.element.removeAttribute("tabindex");
    return h("figure", {}, board.frame, h("figcaption", {}, title));
}

function orders(replay, position) {
    const { commands, verdicts } = replay.moments[position];
    const before = replay.sceneAt(position - 1);
    return commands.map((list, seat) =>
        list.length === 0
            ? null
            : h(
                  "p",
                  {},
                  h("strong", {}, `${before.players[seat]?.name ?? text.match.seat(seat)}: `),
                  list
                      .map((command, i) => {
                          const verdict = verdicts[seat]?.[i] ?? { verdict: "ok" };
                          const told = replay.face.tellCommand(command, before);
                          return verdict.verdict === "ok" ? told : `${told} (✗ ${tellVerdict(verdict)})`;
                      })
                      .join("; "),
              ),
    );
}

function turnOf(replay, position) {
    const turn = replay.moments[position];
    const lines = tellTurn(replay.face, replay.sceneAt(position - 1), turn, turn.state ?? turn.view);
    return h(
        "section",
        { class: "print-turn" },
        h("h2", {}, text.match.turn(position - 1)),
        orders(replay, position),
        h(
            "ul",
            {},
            (lines.length === 0 ? [text.replay.noEvents] : lines).map((line) => h("li", {}, line)),
        ),
    );
}

function sheetOf(replay) {
    const { match, last } = replay.recording;
    const facts = [
        tellResult(match, match.players),
        match.settings && text.join.clock(match.settings),
        match.rated === undefined ? null : text.join.rating(match.rated) /* a file does not say it */,
        match.ended_at && new Date(Number(match.ended_at)).toLocaleString(language),
    ];
    return h(
        "article",
        { class: "print-sheet" },
        h(
            "h1",
            {},
            `${text.rulesets[match.ruleset]?.name ?? match.ruleset}: `,
            match.players.map((name) => name ?? text.nobody).join(` ${text.lobby.versus} `),
        ),
        h("p", {}, facts.filter(Boolean).join(" · ")),
        h(
            "div",
            { class: "print-boards" },
            boardAt(replay, 0, text.replay.start),
            boardAt(replay, last, text.replay.end),
        ),
        Array.from({ length: last }, (_, i) => turnOf(replay, i + 1)),
    );
}

/* `replay` is the screen that shows the match: the paper shows what its audience saw. */
export function printMatch(replay) {
    const sheet = sheetOf(replay);
    const { title } = document;
    const root = document.documentElement;
    const { theme } = root.dataset;
    document.body.append(sheet);
    document.title = `${text.title} ${replay.recording.match.id ?? ""}`;
    root.dataset.theme = "light";
    addEventListener(
        "afterprint",
        () => {
            sheet.remove();
            document.title = title;
            theme === undefined ? delete root.dataset.theme : (root.dataset.theme = theme);
        },
        { once: true },
    );
    print();
}
