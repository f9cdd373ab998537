/*
 * The English texts.  Every other language has the same keys, and the same parameters where a key
 * is a function; language.js tells which one is shown.
 */

const number = new Intl.NumberFormat("en", { useGrouping: false }).format;
const percent = (share) => `${number(share)}%`;

const cell = (at) => `${at[0]},${at[1]}`;
const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const duration = (ms) => (ms % 60000 === 0 ? `${ms / 60000} min` : `${number(ms / 1000)} s`);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const DIRECTIONS = {
    n: "north",
    ne: "north-east",
    e: "east",
    se: "south-east",
    s: "south",
    sw: "south-west",
    w: "west",
    nw: "north-west",
};
const ITEMS = { grenade: "light grenade", disc: "identity disc", charged_disc: "charged disc" };

export const text = {
    title: "Skirmish",
    cell,
    list,
    loading: "Loading …",
    noAnswer: "The server does not answer.",
    close: "Close",
    cancel: "Cancel",
    back: "Back to the lobby",
    you: "you",
    bot: "bot",
    nobody: "free seat",
    skipToContent: "Skip to the content",

    nav: { lobby: "Play", yours: "Yours", statistics: "Statistics" },

    settings: {
        title: "Settings",
        language: "Language",
        languageAuto: (name) => `as the browser (${name})`,
        theme: "Colours",
        themes: { auto: "as the device", light: "light", dark: "dark" },
    },

    connection: {
        connecting: "Connecting …",
        waiting: "The connection is lost. Trying again …",
        back: "Connected again. Nothing was lost.",
        offline: "The server cannot be reached. This is the page as your browser kept it; trying again …",
        moved: "The match moved to another server; reconnected.",
        refused: "The server no longer knows this browser. Choose a name again.",
    },

    lobby: {
        welcome: "Four games on a grid. Play a bot, a friend, or the next player to join.",
        name: "Your name",
        nameHint: "1 to 24 letters, digits or symbols. Other players see it.",
        nameWanted: "Choose a name first.",
        rename: "Play under another name",
        renameWarning:
            "This browser forgets who you are. Your matches stay with the old name, and nobody can continue them.",
        choose: "What do you want to play?",
        playBot: "Play against a bot",
        playFriend: "Invite somebody",
        playAnyone: (isRanked) => (isRanked ? "Find an opponent, rated" : "Find an opponent"),
        more: "More …",
        waitingForAnyone: (ruleset, isRanked) =>
            `Looking for somebody who wants to play ${ruleset}${isRanked ? ", rated" : ""} …`,
        stopWaiting: "Stop looking",
        range: "Rated opponents",
        within: (range) => (range === 0 ? "of any rating" : `within ${range} of my rating`),
        rangeOf: (least, most) =>
            least <= 0 && most >= 4000
                ? ""
                : most >= 4000
                  ? `rating from ${least}`
                  : least <= 0
                    ? `rating up to ${most}`
                    : `rating ${least} to ${most}`,
        answer: "Play",
        mine: "Your matches",
        open: "Looking for opponents",
        live: "Being played now",
        recent: "Recent results",
        board: "Leaderboard",
        none: {
            mine: "None yet.",
            open: "Nobody is waiting. Find an opponent, or create an open match!",
            live: "No match is being played.",
            recent: "No match has ended yet.",
            board: "No rated match has ended yet.",
        },
        yourTurn: "your turn",
        theirTurn: "their turn",
        waitsForPlayers: "waiting for players",
        join: "Join",
        watch: "Watch",
        play: "Continue",
        replay: "Replay",
        versus: "against",
        turn: (turn) => `turn ${turn + 1}`,
        won: (name) => `${name} won`,
        drawn: "A draw",
        nobodyWon: "Nobody won",
        rank: "Rank",
        player: "Player",
        rating: "Rating",
        wins: "Won",
        losses: "Lost",
        draws: "Drawn",
        matches: "Matches",
        cannotLoad: "The server does not answer. Trying again …",
    },

    rulesets: {
        tactics: { name: "Tactics", line: "Two squads, one grid. Both sides' orders happen at once." },
        halma: { name: "Halma", line: "Jump your pieces across the board before the other side does." },
        racers: {
            name: "Racers",
            line: "Race to the other's start; trails, discs and grenades in the way.",
            note: "Power fails on 0.5% of the squares in each turn here. The rules' 5% is under More.",
        },
        snarl: { name: "Snarl", line: "Lead heroes through dark levels: find the key, reach the exit." },
    },

    create: {
        title: (name) => `New match of ${name}`,
        opponent: "Opponent",
        opponents: {
            bot: "A bot",
            friend: "A friend, by link",
            open: "Anyone, from the list of open matches",
            service: "A web service",
            services: "Two web services against each other; you watch",
        },
        level: "Strength of the bot",
        levels: {
            random: "random: any legal move",
            greedy: "greedy: takes the best immediate gain",
            search: "search: thinks ahead",
        },
        service: "The web service",
        serviceName: "Name that others see (default: its host)",
        serviceUrl: "Address",
        cycle: "Cycle: milliseconds per turn",
        seat: "Your seat",
        seats: { first: "first", second: "second" },
        clock: "Time",
        clocks: {
            standard: "1 minute per turn and 5 in the bank",
            fast: "15 seconds per turn and 1 minute in the bank",
            slow: "5 minutes per turn",
            none: "no clock",
        },
        delay: "Delay for spectators, in turns",
        rated: "Rated (only with the default rules)",
        ratedIfBoth: "Rated, if your friend agrees (only with the default rules)",
        ratedHint: "It counts for the rating of both players if the other player agrees.",
        placement: "Place your units before the first turn",
        rows: "Rows",
        cols: "Columns",
        size: "Size of the board",
        turnLimit: "Turns until it is a draw",
        failures: "Power failures",
        failureWords: {
            none: "none",
            calm: "calm: 0.5% of the squares in each turn",
            rules: "the rules' 5% (most of the board is dark)",
        },
        mode: "Mode",
        modes: { coop: "together against the level", versus: "heroes against adversaries" },
        heroes: "Heroes",
        levelEnd: "A level ends",
        levelEnds: { all: "when every hero has left or is expelled", any: "when the first hero has left" },
        levelEndHint:
            "In the original game a level ends when the first hero leaves it. Here the others play on until all are " +
            "out, so that no player ends the level for others. Choose the other option to play the original.",
        json: "Everything else",
        jsonHint:
            "Members of a create frame as JSON, such as params with a roster or a board of your own. They replace " +
            "the fields above.",
        badJson: (why) => `this is not JSON (${why}).`,
        create: "Create",
        invalid: (what) => `That does not work: ${what} Change it and try again.`,
        inviteTitle: "Waiting for somebody to join",
        invite: "Send this link to the other player:",
        copy: "Copy the link",
        copied: "The link is copied.",
        openHint: "The match is also in the list of open matches.",
        giveUp: "Stop waiting",
    },

    join: {
        title: (names) =>
            names.length === 0 ? "You are invited" : `${list(names)} ${names.length === 1 ? "invites" : "invite"} you`,
        terms: (name, { settings, rated }) => `${name}, ${text.join.clock(settings)}, ${text.join.rating(rated)}`,
        clock: ({ clock, turn_ms, bank_ms = 0, cycle, cycle_ms }) =>
            cycle
                ? `${duration(cycle_ms ?? turn_ms)} per turn, always`
                : !clock
                  ? "no clock"
                  : [
                        ...(turn_ms ? [`${duration(turn_ms)} per turn`] : []),
                        ...(bank_ms ? [`${duration(bank_ms)} in the bank`] : []),
                    ].join(" + "),
        rating: (rated) => (rated ? "rated" : "casual"),
        ratedHint: "This match counts for the rating of both players.",
        ratedIfBoth: "Count this match for the rating of both players",
        accept: "Accept and play",
        decline: "Decline",
        full: "All seats of this match are taken.",
        over: "This match is over.",
        gone: "This invitation is not valid: there is no such match, or the link is incomplete.",
    },

    notify: {
        turn: "It is your turn:",
        join: "Your match begins:",
        offer: "A draw is offered:",
        low: "Your time is short:",
        sound: "Sound",
        notifications: "Notifications",
    },

    yours: {
        title: "Yours",
        nobody: "Choose a name and play; what you have played is shown here.",
        finished: "Your finished matches",
        opponents: "Against whom",
        none: "None yet.",
        older: "Older matches",
        won: "Won",
        lost: "Lost",
        drawn: "Drawn",
        ended: "Ended",
        tally: ({ wins, draws, losses }) => `${wins} won, ${draws} drawn, ${losses} lost`,
        unrated: "No rated match yet.",
        unknown: "There is no such player.",
        provisional: "uncertain until more matches are played",
        history: "Match by match",
        historyOf: (name, first, last, least, most) =>
            `Rating in ${name} over the matches: from ${first} to ${last}, lowest ${least}, highest ${most}`,
        change: (points) => `${points < 0 ? "−" : "+"}${Math.abs(points)}`,
        rating: (before, after) =>
            before === after
                ? `Your rating stays ${after}.`
                : `Your rating: ${before} → ${after} (${after > before ? "+" : "−"}${Math.abs(after - before)})`,
        carry: "Play on another device",
        carryHint:
            "Scan the code or open the link on the other device to play there under the same name. Anyone who has " +
            "the link can play as you: keep it to yourself.",
        carryLink: "The link with your key",
        carryCode: "The same link as a QR code, for the camera of the other device",
        becomeTitle: "Play under the name of this link?",
        becomeHint: "This browser will be the player whose link this is.",
        becomeInstead: (name) =>
            `This browser is ${name} now. It will forget that name and be the player whose link this is.`,
        become: "Yes, play as this player",
    },

    match: {
        seat: (seat) => `Seat ${seat + 1}`,
        turn: (turn) => `Turn ${turn + 1}`,
        thinking: "thinking",
        ready: "ready",
        away: "away",
        toMove: "to move",
        out: "out",
        bank: (time) => `bank ${time}`,
        inBank: "bank",
        noClock: "no clock",
        ready_button: "Ready",
        ready_nothing: "Ready without orders",
        sent: "Sent. Waiting for the other side.",
        sentChange: "You can still change your orders.",
        change: "Change",
        sendAnyway: "Send anyway",
        refusedSome: (count) =>
            `${some(count, "order")} cannot be done. Change ${count === 1 ? "it" : "them"}, ` +
            "or send anyway and the others count.",
        clearAll: "Clear all",
        wait: "The other side is to move.",
        over: {
            won: "You won!",
            lost: "You lost.",
            drawn: "A draw.",
            watched: (name) => `${name} won.`,
            none: "Nobody won.",
        },
        rematch: "Play again",
        rematchWanted: (name) => `${name} wants to play again.`,
        replay: "Watch the replay",
        leave: "Leave",
        resign: "Resign",
        resignTitle: "Resign this match?",
        resignText: "The other side wins at once. This cannot be undone.",
        resignYes: "Yes, I resign",
        resignNo: "No, play on",
        draw: "Offer a draw",
        drawOffered: "You offer a draw.",
        drawAsked: (name) => `${name} offers a draw.`,
        drawAccept: "Accept",
        drawDecline: "Decline",
        drawDeclined: "The draw offer was declined.",
        claim: "Claim the win",
        claimAfter: (time) => `If the other side stays away you can claim the match in ${time}.`,
        chat: "Chat",
        chatSay: "Say something",
        chatSend: "Send",
        mute: "Hide chat",
        unmute: "Show chat",
        speed: "Speed",
        skip: "Skip",
        flip: "Rotate the board",
        zoom: "Larger cells",
        orderGone: (words) => `removed: ${words}`,
        readyKey: "Key: R",
        threats: "Enemy threats",
        threatsHint: "Every cell that the other side can attack in this turn",
        log: "What happened",
        watching: "You are watching.",
        delay: (turns) => `Spectators see this match ${some(turns, "turn")} later.`,
        notFound: "There is no such match, or you may not see it.",
        private: "This match is private. You need its link.",
        waiting: "Waiting for players",
        board: (name) => `Board of ${name}. Arrow keys move the cursor, Enter chooses, Escape cancels.`,
        units: "Units",
        select: "Choose one of your units.",
        botFailed: (name, why) => `${name}: ${why}`,
        seatTaken: "All seats are taken. You are watching.",
    },

    replay: {
        title: "Replay",
        of: (turn, last) => (turn < 0 ? `Before turn 1 (last: ${last + 1})` : `Turn ${turn + 1} (last: ${last + 1})`),
        start: "The start",
        startHint: "Play, or choose a turn.",
        play: "Play",
        pause: "Pause",
        previous: "One turn back",
        next: "One turn forward",
        first: "To the start",
        last: "To the end",
        jump: "Next clash or loss",
        jumpNone: "Nothing more of that kind from here on.",
        decided: "The biggest swing",
        view: "Seen by",
        everything: "everything",
        spectators: "spectators",
        commands: "Orders of this turn",
        noCommands: "no orders",
        events: "What happened",
        noEvents: "Nothing happened.",
        link: "Copy a link to this turn",
        download: "Download",
        print: "Print",
        end: "The end",
        whatIf: "What if …",
        whatIfTitle: "What if",
        whatIfHint: "Change the orders of this turn and see what would have happened. Nothing is kept.",
        whatIfSee: "See what happens",
        whatIfClear: "Clear all orders",
        whatIfAgain: "Change the orders again",
        whatIfBack: "Back to what happened",
        whatIfSeat: "Orders of",
        whatIfOver: (outcome) => `The match would be over: ${outcome}`,
        scrubber: "Turn",
        running: "This match is still being played.",
        material: "How the sides stood, turn by turn",
        verify: "Verify this match",
    },

    verify: {
        title: "Verify a match",
        about: "Your browser plays the whole match again, from its seed and its orders. Nothing leaves this device.",
        choose: "Match file",
        chooseHint: "A file from “Download”, or written by skirmish export.",
        missing: "This server has no referee for browsers. skirmish import --check verifies a downloaded file.",
        reading: "Reading the file …",
        progress: (turn, turns) => `Turn ${turn + 1} of ${turns + 1} holds`,
        holds: "The match holds.",
        fails: (turn) => (turn === null ? "The file does not hold." : `The match does not hold: turn ${turn + 1}.`),
        cannot: (message) => `This browser cannot verify the file: ${message}.`,
        line: (line) => `Line ${line} of the file.`,
        byItself: "What the file proves by itself",
        chain: "Nothing in it was changed: the checksum and every hash of the chain are right.",
        seed: "Seed and salt give the commitment.",
        turns: (count) =>
            `All ${some(count, "turn")}, played again by the rules: the same verdicts, events, states and result.`,
        compared: "Compared with what the server published",
        published: {
            commitment: {
                same: "The commitment is the one that this browser was told during the match: no later seed.",
                differs:
                    "The commitment is not the one that this browser was told, or this is a match of another server.",
                unknown: "The commitment was not compared: this browser did not see the match.",
            },
            head: {
                same: "The last hash is the one that this browser was told when the match ended: this is that match.",
                differs:
                    "The last hash is not the one that this browser was told, or this is a match of another server.",
                unknown: "The last hash was not compared: this browser was not told how the match ended.",
            },
        },
        alone: "A file alone cannot show that it is the match that was played: anyone can make one up.",
        watch: "Watch this match",
    },

    statistics: {
        title: "Statistics",
        perDay: "Matches per day",
        refusals: "Why orders were refused",
        winRates: "Who wins, by seat",
        models: "Win rate of each unit",
        openings: "How matches are opened",
        openingsHint: "The most frequent orders of the first turn, and how often those who gave them won.",
        opening: (share, count) => `won ${share} of ${some(count, "match", "matches")}`,
        heat: "Where both sides want to go",
        heatHint: "The more often two units wanted the same cell, the darker it is.",
        ruleset: "Ruleset",
        why: {
            days: "No match was created in the last 30 days.",
            seats: "No match of this ruleset has ended yet.",
            models: "No match of this ruleset has ended yet.",
            refusals: "In the finished matches no order was refused.",
            cells: "In the finished matches no two units wanted the same cell.",
        },
        value: (label, value) => `${label}: ${value}`,
        share: (part, whole) => percent(Math.round((100 * part) / Math.max(1, whole))),
        games: (count) => `of ${some(count, "finished match", "finished matches")}`,
        modelsHint: "How often a side with this unit wins, and a side without it. The largest difference comes first.",
        compared: (part, without) =>
            without === null ? `${part}, no side was without` : `${part}, without ${without}`,
        numbers: "In numbers",
        draws: "draws",
    },

    /* ---- what the rules say ---- */

    verdicts: {
        ok: "done",
        match_over: "the match is over",
        wrong_turn: "that turn is over",
        not_your_turn: "it is not your turn",
        unknown_unit: "there is no such unit",
        not_your_unit: "it is not your unit",
        multiple_commands: "only one order per unit",
        out_of_bounds: "that is off the board",
        occupied: "the cell is occupied",
        wrong_phase: "not in this phase",
        out_of_pattern: "it cannot reach that cell",
        not_start_row: "only in your own first rows",
        same_target: "two of your units want the same cell",
        bounced: "bounced: the other side wanted the same cell",
        bad_path: "that is neither a step nor a jump",
        nothing_to_jump: "there is nothing to jump over",
        damaged: "a damaged piece cannot jump",
        missing: "no order arrived in time",
        wall: "there is a wall",
        trail: "there is a light trail",
        crosses_trail: "that would cross a light trail",
        blocked: "the other end of the teleporter is blocked",
        must_move: "you have to move in this turn",
        nothing_here: "there is nothing to pick up",
        inventory_full: "you already carry six items",
        not_carried: "you do not carry that",
        grenade_here: "there is already a grenade here",
        bad_direction: "a disc flies north, east, south or west",
        too_far: "that is too far",
        not_traversable: "nobody can stand there",
        door: "a zombie does not use doors",
    },

    reasons: {
        eliminated: "no unit is left on the other side",
        draw_eliminated: "no unit is left on either side",
        draw_turn_limit: "the turn limit is reached",
        draw_agreed: "both agreed on a draw",
        draw_resigned: "both resigned",
        resignation: "the other side resigned",
        abandoned: "the other side stayed away",
        expired: "nobody joined",
        halmate: "halmate: all destinations are full",
        draw_both_halmate: "both are halmate",
        stalled: "too many turns in a row without a valid move",
        finished: "the finish is reached",
        trapped: "the other side had no way out",
        unmoved: "a turn ended without a move",
        won: "the last level is completed",
        lost: "all heroes are expelled",
        draw_equal: "the best heroes are equal",
    },

    /* The same for the player who lost, if it differs. */
    lostReasons: {
        eliminated: "no unit is left on your side",
        resignation: "you resigned",
        abandoned: "you stayed away",
        halmate: "halmate: all destinations of the other side are full",
        stalled: "you sent no valid move too many turns in a row",
        finished: "the other side reached the finish",
        trapped: "you had no way out",
        unmoved: "you ended a turn without a move",
    },

    commands: {
        move: (who, to) => `${who} moves to ${to}`,
        attack: (who, to) => `${who} attacks ${to}`,
        place: (who, to) => `${who} starts at ${to}`,
        path: (who, path) => `${who} goes ${path.map(cell).join(" → ")}`,
        hold: (who) => `${who} holds its square`,
        stay: (who) => `${who} stays`,
        step: (dir) => `moves ${DIRECTIONS[dir] ?? dir}`,
        pick_up: (item) => `picks up the ${ITEMS[item] ?? item}`,
        use: (item, dir) =>
            dir
                ? `throws the ${ITEMS[item] ?? item} ${DIRECTIONS[dir] ?? dir}`
                : `puts down the ${ITEMS[item] ?? item}`,
        end_turn: "ends the turn",
        resign: "resigns",
        timeout: "ran out of time",
        abandon: "stayed away",
        agree_draw: "agrees on a draw",
    },

    plain: {
        select: "Choose an order here, or cell by cell on the board.",
        more: (count) => `And ${some(count, "more order")}: choose on the board.`,
        none: "none",
        yes: { true: "yes", false: "no" },
    },

    tactics: {
        model: (name) => capital(name),
        described: (description) => description /* as the params have it */,
        health: (health, most) => `${health} of ${most}`,
        placed: (who, at) => `${who} starts at ${cell(at)}`,
        bounced: (whos, at) => `${list(whos)} bounce off each other at ${cell(at)}`,
        moved: (who, at) => `${who} moves to ${cell(at)}`,
        attacked: (who, at) => `${who} attacks ${cell(at)}`,
        hit: (who, by, damage, health) => `${who} is hit by ${list(by)}: ${damage} damage, ${Math.max(0, health)} left`,
        died: (who) => `${who} dies`,
        stats: (model) => `health ${model.health}, power ${model.power}`,
        select:
            "Choose one of your units: green cells are moves, red ones attacks. Both sides' orders happen at once, " +
            "when both are ready.",
        target: (name) => `${name}: choose where it goes, or whom it attacks.`,
        both: (at) => `What should happen at ${at}?`,
        move: "Move there",
        attack: "Attack there",
        choose: (name) => `Choose ${name} instead`,
        place: "Choose a unit, then a cell of your first rows. Press Ready when you are done.",
        placeTitle: "Place your units",
        orders: (count, of) => `${count} of ${some(of, "unit")} ${count === 1 ? "has" : "have"} an order`,
        remove: (name) => `Remove the order of ${name}`,
        mayMove: "can move here",
        mayAttack: "can attack here",
    },

    halma: {
        info: (turns, limit) => `Turns elapsed: ${turns} of ${limit}`,
        moves: "Moves made",
        damaged: "Damaged pieces",
        undamaged: "none",
        damagedFor: (who, turns) => `${who}: ${some(turns, "turn")}`,
        home: "Destinations filled",
        filled: ({ full, own, all }) => `${full} of ${all}${own === full ? "" : `, ${own} by own pieces`}`,
        faults: (count, limit) => `${count} of ${limit} missed turns in a row`,
        moved: (who, path) => `${who} goes ${path.map(cell).join(" → ")}`,
        held: (who) => `${who} holds its square`,
        not_enacted: (whos) => `Nothing moves: ${whos}`,
        guilty: (name, why) => `${name} (${why})`,
        collided: (whos, at) => `${list(whos)} collide at ${cell(at)}: both are damaged`,
        healed: (who) => `${who} can jump again`,
        halmate: (name, { own, all }) =>
            `Halmate! All ${all} destinations of ${name} are filled${own === all ? "" : `, ${own} by own pieces`}.`,
        noAnswer: "no valid answer",
        damage: (turns) => `damaged: cannot jump for ${some(turns, "turn")}`,
        select: "Choose one of your pieces, then where it goes. Jumps can be chained: keep choosing.",
        chain: "Keep jumping, or press Ready.",
        hold: "Hold this piece's square",
        undo: "Start over",
        destination: (name) => `destination of ${name}`,
    },

    racers: {
        actions: (left) => `${some(left, "action")} left`,
        inventory: "Carried",
        empty: "nothing",
        pickUp: (item) => `Pick up: ${ITEMS[item] ?? item}`,
        use: (item) => `Use: ${ITEMS[item] ?? item}`,
        chooseItem: "Use an item",
        direction: "Where should the disc fly?",
        endTurn: "End the turn",
        endUnmoved: "You have not moved. Ending the turn now loses the match.",
        endYes: "End it and lose",
        dark: "no power here",
        finish: "your finish",
        start: "your start",
        debt: (debt) => `owes ${some(debt, "action")}`,
        skip: (skip) => `misses ${some(skip, "turn")}`,
        item: (item) => ITEMS[item] ?? item,
        failures: (permille, rules) =>
            `Power fails on ${percent(permille / 10)} of the squares in each turn; by the rules on ` +
            `${percent(rules / 10)}.`,
        moved: (name, to) => `${name} moves to ${cell(to)}`,
        teleported: (name, to) => `A teleporter takes ${name} to ${cell(to)}`,
        picked_up: (name, item) => `${name} picks up the ${ITEMS[item] ?? item}`,
        placed: (name, at) => `${name} puts a grenade down at ${cell(at)}`,
        launched: (name, item, dir, at) =>
            `${name} throws the ${ITEMS[item] ?? item} ${DIRECTIONS[dir]}; it lands at ${cell(at)}`,
        disc_hit: (name) => `The disc hits ${name}, who misses a turn`,
        exploded: (name, lost) => `A grenade costs ${name} ${some(lost, "action")}`,
        power_failed: (count) => `Power fails in ${some(count, "place")}`,
        powered_out: (name) => `${name} runs into the dark; the turn is over`,
        turn_passed: (name, why) => `${name}'s turn is over (${why})`,
        trapped: (name) => `${name} is trapped`,
        finished: (name) => `${name} reaches the finish`,
        why: {
            actions_used: "all actions used",
            ended: "ended",
            power_failure: "power failure",
            penalty: "penalty",
            skipped: "skipped",
            timeout: "out of time",
        },
        select: "Choose one of the marked squares, or use an item.",
        dirs: DIRECTIONS,
        wall: "wall",
        trail: "light trail",
        teleporter: (to) => `teleporter to ${cell(to)}`,
    },

    snarl: {
        level: (level, count) => (count === undefined ? `Level ${level}` : `Level ${level} of ${count}`),
        locked: "The exit is locked: somebody has to find the key.",
        unlocked: "The exit is open.",
        stay: "Stay here",
        select: "Choose a marked tile. You see two tiles in each direction; the rest is fog.",
        adversary: "Choose where it goes.",
        status: {
            active: "in the level",
            exited: "has left the level",
            expelled: "is expelled",
            resigned: "has resigned",
        },
        twin: (name, id) => `${name} (${id})`,
        found: (keys, exits) => `${some(keys, "key")}, ${some(exits, "exit")}`,
        moved: (who, to) => `${who} goes to ${cell(to)}`,
        took_key: (who) => `${who} takes the key: the exit is open`,
        exited: (who) => `${who} leaves the level`,
        exit_locked: (who) => `${who} is on the exit, but it is locked: somebody has to find the key`,
        expelled: (who, by) => `${who} is expelled by ${by}`,
        relocated: (who, to) => `A wall lets ${who} out at ${cell(to)}`,
        level_ended: (level) => `Level ${level} is over`,
        level_started: (level) => `Level ${level} begins`,
        game_ended: "The game is over",
        tiles: { "#": "wall", ".": "floor", "+": "door", " ": "nothing", "?": "not in sight" },
        key: "the key",
        exit: "the exit",
    },

    /* ---- how to play; `facts` and `params` are the server's ---- */

    rules: {
        link: "How to play",
        title: (name) => `How to play ${name}`,
        games: "Games",
        goal: "The goal",
        ends: "How a match ends",
        turn: "A turn, in order",
        atOnce:
            "Both sides give their orders at the same time, without seeing those of the other. When both are " +
            "ready:",
        byTurns: "One side acts at a time. Each action takes effect at once:",
        know: "Good to know",
        units: "Units",
        pictures: "In pictures",
        things: "On the board",
        moves: "Moves",
        aims: "Attacks",
        area: "One attack hits",
        drawnFor: "Drawn for a unit that faces up. The other side's units face down.",
        commands: "What you can do",
        events: "What can happen",
        numbers: "Numbers",
        options: "Options of a match",
        refused: "What is refused",
        english: "These sentences come from the server, in English.",

        tactics: {
            goal: "Destroy every unit of the other side.",
            stages: {
                bounce: "Two opposing units that go to the same cell bounce off each other: both stay where they are.",
                placement: "In the first turn units are placed. All placements are revealed together.",
                movement: "All other moves happen at the same time. A move is a jump: nothing on the way blocks it.",
                attacks:
                    "All attacks happen, on the board after the moves. Damage is added up and subtracted at once, so " +
                    "a unit that is hit still hits.",
                deaths: "Units without health are removed. A side that has no units left has lost.",
            },
            know: (facts, { turn_limit }) => [
                "A unit gets one order per turn: a move or an attack. Without an order it stays.",
                "Friendly fire: an attack hits every unit in its area, also your own and even the attacker. Each " +
                    "loses as much health as the attacker has power.",
                "An attack aims at a cell, not at a unit. It misses who has moved away and hits who has moved in.",
                "A cell that is occupied at the start of the turn cannot be entered, even if the unit there leaves.",
                `After ${turn_limit} turns the match is a draw.`,
            ],
        },
        halma: {
            goal: "Fill all your destinations. Pieces of either side fill them, if at least one is your own.",
            stages: {
                enactment:
                    "If both sides sent a valid move, both happen. Otherwise nothing moves, and the side without a " +
                    "valid move gets a fault.",
                movement: "Both pieces go where their moves end.",
                collisions: "Two pieces that end on the same square collide: both are damaged, and share it.",
                healing: "Damaged pieces recover, turn by turn.",
                halmate: "A side whose destinations are all full wins.",
            },
            know: ({ damage }, { stall_limit, turn_limit }) => [
                "You move one piece per turn: a step, a chain of jumps, or a hold, with which it stays on purpose.",
                "A jump goes over one piece of either side, straight or diagonally. Nothing is captured.",
                "What is jumped over, and where one can land, is decided by the positions at the start of the turn.",
                `A damaged piece cannot jump for ${damage.value} turns. It can step and hold.`,
                `A side with ${stall_limit} faults loses. After ${turn_limit} turns the match is a draw.`,
            ],
            pictures: {
                step: "A step: one square in any direction",
                jump: "A chain of jumps, over pieces of either side",
                hold: "A hold: it stays",
                collision: "Both end here: they collide",
            },
        },
        racers: {
            goal: "Reach the start of the other racer before they reach yours.",
            stages: {
                move:
                    "A move goes to a neighbouring square and leaves trail behind. The finish wins " +
                    "at once. A grenade " +
                    "explodes, otherwise the dark ends the turn. A teleporter takes the racer on.",
                pick_up: "Picking up takes an item from the racer's square.",
                use: "Using puts a grenade down, or lets a disc fly.",
                end_turn: "Ending the turn gives up the actions that are left.",
                pass_turn: "After the last action power fails on some squares, and the other racer's turn begins.",
                trap: "A racer who cannot move is trapped, and loses.",
            },
            know: (
                { actions, trail, carried, disc_range, grenade_costs, dark_grenade_costs, failure_turns },
                { failure_permille, turn_limit },
            ) => [
                `A turn has ${actions.value} actions. At least one of them must be a move.`,
                `The last ${trail.value} squares that a racer left are trail. Nobody enters it or crosses ` +
                    "it diagonally.",
                `You carry at most ${carried.value} items.`,
                "A grenade becomes invisible when you leave its square. Whoever enters, you too, loses " +
                    `${grenade_costs.value} actions, in the dark ${dark_grenade_costs.value}.`,
                `A disc flies ${disc_range.value} squares, less in the dark; a charged one until something stops it. ` +
                    "A racer who is hit misses a turn. Your own disc can hit you, too.",
                "A teleporter takes you to its other end, unless a racer or trail is there.",
                `At the start of a turn each square fails with a chance of ${percent(failure_permille / 10)}, for ` +
                    `${failure_turns.value} turns, and its neighbours with it. Entering the dark ends your turn; ` +
                    "beginning there costs an action.",
                `After ${turn_limit} actions the match is a draw.`,
            ],
            things: {
                grenade: "A light grenade: take it, and put it in the way of the other racer",
                disc: "An identity disc: take it, and throw it",
                charged_disc: "A charged disc: flies until something stops it",
                teleporter: "A teleporter: leads to its other end",
            },
            pictures: {
                move: "A move: one square in any direction",
                trail: "Trail blocks the way, also diagonally",
                disc: "A disc flies straight on",
                teleporter: "A teleporter takes you on",
            },
        },
        snarl: {
            goal: "Lead the heroes through all levels: somebody takes the key, then all go to the exit.",
            stages: {
                movement: "The unit goes to its tile. A ghost that enters a wall comes out elsewhere.",
                arrival:
                    "An adversary and a hero on one tile: the hero is expelled. Otherwise a hero " +
                    "takes the key, which " +
                    "opens the exit for all, or leaves by the open exit.",
                succession:
                    "The next unit moves: all heroes, then all zombies and ghosts. When no hero is " +
                    "left in the level, " +
                    "the next one begins, with all heroes.",
            },
            know: ({ hero_steps, sight, ghost_hunts }, { round_limit, steps = {} }) => [
                `A hero goes up to ${hero_steps.value} steps up, down, left or right, or stays.`,
                `A hero sees ${sight.value} tiles in each direction. What was seen before stays on the map, dimmed.`,
                `A zombie goes ${some(steps.zombie ?? 1, "step")}, never through a door, and hunts heroes ` +
                    "in its own room.",
                `A ghost goes ${some(steps.ghost ?? 1, "step")}, through doors and walls, and hunts ` +
                    "heroes who are at " +
                    `most ${ghost_hunts.value} steps away.`,
                "If nobody leaves a level, the game is lost. Otherwise expelled heroes are back in the next one.",
                `After ${round_limit} rounds the heroes who are still in a level are expelled.`,
                "First is who left most levels, then who took most keys, then who was expelled least.",
            ],
            things: {
                key: "The key: opens the exit for all heroes",
                exit: "The exit: leads out of the level",
                zombie: "A zombie: stays in its room",
                ghost: "A ghost: goes through doors and walls",
            },
            pictures: {
                hero: "A hero: where it can go, and what it sees",
                zombie: "A zombie: not through doors",
                ghost: "A ghost: through walls, too",
            },
        },
    },

    /* ---- the guided first match ---- */

    guide: {
        title: "Your first match",
        offer: "New here? Learn a game in three turns, with hints beside the board:",
        start: "Guided first match",
        hint: "Three turns against a bot, with hints beside the board.",
        startOf: (name) => `Guided first match: ${name}`,
        step: (turn, of) => `Turn ${turn} of ${of}`,
        leave: "End the hints",
        promise: "Never played it? In your first match, hints beside the board say what to do.",
        done: "You know the basics. Play on without hints, or read all rules.",
        wait: "The other side is thinking.",
        waitReady: "Your orders are sent. Now the other side has to be ready, too.",
        tactics: {
            place:
                "First, both sides place their units. To move one, choose it and then a green cell. Press Ready when " +
                "you like it: all placements are shown at once.",
            move: (who, to) =>
                `Give a first order: choose ${who}, then a green cell such as ${to}. Every unit may get ` +
                "one order per turn.",
            ready: "Press Ready. Nobody sees your orders before both sides are ready; then all happen at once.",
            attack: (who, to) =>
                `An enemy is in reach. Choose ${who}, then the red cell ${to}. Moves happen before attacks: whoever ` +
                "leaves the cells in time is missed.",
            approach: (who, to) =>
                `No enemy is in reach. Go closer, with ${who} to ${to}. Point at an enemy to see what it can do, or ` +
                "press “Enemy threats”.",
            aim: "Your attack hits every unit in the dark red cells, your own too. Press Ready.",
            more: "Now use two units in one turn: let them attack the same enemy, or send one where the enemy will go.",
        },
        halma: {
            jump: (who, to) =>
                `Jump: choose ${who}, then ${to}. A jump goes over one piece, yours or theirs. Your ` +
                "destinations are the " +
                "marked corner on the other side.",
            step: (who, to) => `Nothing to jump over brings you on: step with ${who} to ${to}.`,
            chain:
                "You may keep jumping with the same piece, as long as there is something to jump over. Then " +
                "press Ready.",
            ready: "Press Ready. Both moves happen at once; if both end on one square, the pieces are damaged.",
            hold: (who, to) => `Last hint: go on with ${who} to ${to}. Or hold a piece: sometimes it is best to wait.`,
        },
        racers: {
            disc: (to) => `A disc lies at ${to}. Go there: choose the marked square. A turn has three actions.`,
            begin: "You have three actions per turn. Go on: choose a marked square.",
            pickUp: "Pick the disc up with the button beside the board. That is an action, too.",
            trail: "The squares that you left are trail: nobody can enter them for a while. Go on.",
            throw: "Throw the disc with “Use”, and choose a direction. If it hits the other racer, they miss a turn.",
            onward: "Go on. If you cannot move any more, you lose: do not let trails shut you in.",
            finish: (to) => `The other racer's start, ${to}, is your finish. Every turn needs at least one move.`,
        },
        snarl: {
            look:
                "You see only a few tiles around your hero; the rest is dark. Choose a marked tile: a hero " +
                "goes up to two steps.",
            key: (to) => `There is the key, at ${to}. The exit stays locked until a hero takes it. Go there.`,
            seek: "Look for the key. Zombies and ghosts move after you: keep away from them.",
            exit: (to) => `The exit is open. Go to ${to} to leave the level.`,
            seekExit: "You have the key. Now look for the exit.",
        },
    },

    /* By the codes of the server; a message that says more than its code is added. */
    errors: {
        already_hello: "This connection has a name already.",
        already_joined: "You have a seat in this match already.",
        already_offered: "Your draw offer is not answered yet.",
        bad_name: "A name is 1 to 24 printable ASCII characters and neither begins nor ends with a space.",
        bad_token: "No player has this key.",
        banned: (message) => message,
        busy: "The server is busy; nothing was done. Try again in a moment.",
        chat_limited: "Too many chat messages; wait a little.",
        connection_lost: "The connection was lost before the answer came. Check whether it was done, and try again.",
        draining: "The server takes no new matches now; running matches continue.",
        hello_first: "The server does not know yet who you are. Load the page again.",
        id_reused: "This was sent before with other content.",
        invalid_params: (message) => message,
        malformed: (message) => message,
        match_full: "All seats of the match are taken.",
        match_not_started: "The match waits for players; its first turn has not begun.",
        match_over: "The match is over.",
        moved: "The match moved from server to server. Try again.",
        name_taken: "Another player has this name; upper and lower case do not matter.",
        no_offer: "Nobody has offered you a draw.",
        no_submission: "There are no orders to take back.",
        not_allowed: (message) => message,
        not_found: "There is nothing at this address.",
        not_in_match: "You neither play nor watch this match.",
        not_your_seat: "Only a player of the match may do this.",
        pruned: "The match was played long ago; its turns were dropped and only its result is kept.",
        quarantined: "The match could not be loaded and is set aside for the operator.",
        rate_limited: "Too much at once. Try again in a moment.",
        seat_taken: "Another player has this seat, or the match has no such seat.",
        store_unavailable: "The server cannot reach its database; nothing was done. It keeps trying.",
        timeout: "The server did not answer in time. Try again.",
        too_early: "The match cannot be claimed yet.",
        too_large: "That is too large.",
        too_many_matches: "You have as many matches as one player may have at a time.",
        too_many_submissions: "You have changed the orders of this turn as often as allowed; the last ones count.",
        turn_closed: "The turn is being resolved; its orders can no longer change.",
        unknown_match: "There is no such match, or you may not see it.",
        unknown_ruleset: "This server does not have that game.",
        unsupported_bot: "This server has no bots. Invite somebody, or look for an opponent.",
        unsupported_protocol: "The page and the server do not fit together. Load the page again.",
        wrong_code: "The match is private, and the link has not its code.",
        wrong_turn: "That turn is over.",
    },
};
