/*
 * Die deutschen Texte: the same keys and parameters as text-en.js.
 */

const number = new Intl.NumberFormat("de", { useGrouping: false }).format;
const percent = (share) => `${number(share)} %`;
const cell = (at) => `${at[0]},${at[1]}`;
const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} und ${words.at(-1)}`);
const some = (count, one, many) => `${count} ${count === 1 ? one : many}`;
const turnsOf = (count) => some(count, "Zug", "Züge");
const actionsOf = (count) => some(count, "Aktion", "Aktionen");
const duration = (ms) => (ms % 60000 === 0 ? `${ms / 60000} Min.` : `${number(ms / 1000)} s`);
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const DIRECTIONS = {
    n: "Norden",
    ne: "Nordosten",
    e: "Osten",
    se: "Südosten",
    s: "Süden",
    sw: "Südwesten",
    w: "Westen",
    nw: "Nordwesten",
};
const ITEMS = { grenade: "Lichtgranate", disc: "Identitätsscheibe", charged_disc: "geladene Scheibe" };
const MODELS = {
    guard: "Wache",
    lancer: "Lanzenreiter",
    archer: "Bogenschütze",
    bomber: "Bombenwerfer",
    scout: "Späher",
    mage: "Magier",
    pike: "Pikenier",
};
/* What the default units say of themselves. */
const DESCRIPTIONS = {
    "Holds the line: tough and slow, strikes three cells on one side of it.":
        "Hält die Linie: zäh und langsam, trifft drei Felder auf einer ihrer Seiten.",
    "Charges straight ahead and pierces all three cells before it.":
        "Stürmt geradeaus und durchbohrt alle drei Felder vor sich.",
    "Hits exactly three cells away in every direction, and nothing nearer.":
        "Trifft in jeder Richtung genau drei Felder weit, und nichts, was näher ist.",
    "Lobs bombs that burst over nine cells, friends included.":
        "Wirft Bomben, die auf neun Feldern wirken, auch auf eigene Einheiten.",
    "Leaps around the enemy and stabs one neighbour.": "Springt um die Gegner herum und sticht auf ein Nachbarfeld.",
    "Strides along rows and columns and burns four cells of a diagonal.":
        "Schreitet durch Zeilen und Spalten und verbrennt vier Felder einer Diagonale.",
};

export const text = {
    title: "Skirmish",
    cell,
    list,
    loading: "Wird geladen …",
    noAnswer: "Der Server antwortet nicht.",
    close: "Schließen",
    cancel: "Abbrechen",
    back: "Zurück zur Lobby",
    you: "du",
    bot: "Bot",
    nobody: "freier Platz",
    skipToContent: "Zum Inhalt springen",

    nav: { lobby: "Spielen", yours: "Deins", statistics: "Statistik" },

    settings: {
        title: "Einstellungen",
        language: "Sprache",
        languageAuto: (name) => `wie im Browser (${name})`,
        theme: "Farben",
        themes: { auto: "wie das Gerät", light: "hell", dark: "dunkel" },
    },

    connection: {
        connecting: "Verbindung wird hergestellt …",
        waiting: "Die Verbindung ist unterbrochen. Neuer Versuch …",
        back: "Wieder verbunden. Es ging nichts verloren.",
        offline:
            "Der Server ist nicht erreichbar. Du siehst die Seite, wie dein Browser sie behalten hat; neuer Versuch …",
        moved: "Die Partie läuft jetzt auf einem anderen Server; wieder verbunden.",
        refused: "Der Server kennt diesen Browser nicht mehr. Wähle wieder einen Namen.",
    },

    lobby: {
        welcome: "Vier Spiele auf einem Raster: gegen einen Bot, gegen Freunde oder wer sonst gerade da ist.",
        name: "Dein Name",
        nameHint: "1 bis 24 Buchstaben, Ziffern oder Zeichen. Andere sehen ihn.",
        nameWanted: "Wähle zuerst einen Namen.",
        rename: "Unter anderem Namen spielen",
        renameWarning:
            "Dieser Browser vergisst, wer du bist. Deine Partien bleiben beim alten Namen, und niemand kann sie " +
            "fortsetzen.",
        choose: "Was möchtest du spielen?",
        playBot: "Gegen einen Bot spielen",
        playFriend: "Jemanden einladen",
        playAnyone: (isRanked) => (isRanked ? "Gegner suchen, gewertet" : "Gegner suchen"),
        more: "Mehr …",
        waitingForAnyone: (ruleset, isRanked) =>
            `Es wird jemand gesucht, der ${ruleset} spielen möchte${isRanked ? ", gewertet" : ""} …`,
        stopWaiting: "Nicht mehr suchen",
        range: "Gewertete Gegner",
        within: (range) => (range === 0 ? "mit jeder Wertung" : `höchstens ${range} von meiner Wertung entfernt`),
        rangeOf: (least, most) =>
            least <= 0 && most >= 4000
                ? ""
                : most >= 4000
                  ? `Wertung ab ${least}`
                  : least <= 0
                    ? `Wertung bis ${most}`
                    : `Wertung ${least} bis ${most}`,
        answer: "Spielen",
        mine: "Deine Partien",
        open: "Gegner gesucht",
        live: "Gerade gespielt",
        recent: "Letzte Ergebnisse",
        board: "Rangliste",
        none: {
            mine: "Noch keine.",
            open: "Niemand wartet. Suche Gegner, oder erstelle eine offene Partie!",
            live: "Gerade wird keine Partie gespielt.",
            recent: "Es ist noch keine Partie zu Ende.",
            board: "Es ist noch keine gewertete Partie zu Ende.",
        },
        yourTurn: "du bist am Zug",
        theirTurn: "die anderen sind am Zug",
        waitsForPlayers: "wartet auf Mitspieler",
        join: "Mitspielen",
        watch: "Zuschauen",
        play: "Weiterspielen",
        replay: "Wiederholung",
        versus: "gegen",
        turn: (turn) => `Zug ${turn + 1}`,
        won: (name) => `${name} hat gewonnen`,
        drawn: "Unentschieden",
        nobodyWon: "Niemand hat gewonnen",
        rank: "Rang",
        player: "Name",
        rating: "Wertung",
        wins: "Siege",
        losses: "Niederlagen",
        draws: "Remis",
        matches: "Partien",
        cannotLoad: "Der Server antwortet nicht. Neuer Versuch …",
    },

    rulesets: {
        tactics: { name: "Tactics", line: "Zwei Trupps, ein Brett. Die Befehle beider Seiten geschehen gleichzeitig." },
        halma: { name: "Halma", line: "Springe mit deinen Steinen über das Brett, bevor es die andere Seite tut." },
        racers: {
            name: "Racers",
            line: "Fahre zum Start der anderen Seite; Lichtspuren, Scheiben und Granaten sind im Weg.",
            note: "Hier fällt in jedem Zug auf 0,5 % der Felder der Strom aus. Die 5 % der Regeln sind unter „Mehr“.",
        },
        snarl: { name: "Snarl", line: "Führe Helden durch dunkle Ebenen: Finde den Schlüssel, erreiche den Ausgang." },
    },

    create: {
        title: (name) => `Neue Partie ${name}`,
        opponent: "Gegner",
        opponents: {
            bot: "Ein Bot",
            friend: "Freunde, per Link",
            open: "Beliebig, aus der Liste offener Partien",
            service: "Ein Webdienst",
            services: "Zwei Webdienste gegeneinander; du schaust zu",
        },
        level: "Stärke des Bots",
        levels: {
            random: "random: irgendein erlaubter Zug",
            greedy: "greedy: nimmt den besten sofortigen Gewinn",
            search: "search: denkt voraus",
        },
        service: "Der Webdienst",
        serviceName: "Name, den andere sehen (sonst der Name des Rechners)",
        serviceUrl: "Adresse",
        cycle: "Takt: Millisekunden pro Zug",
        seat: "Dein Platz",
        seats: { first: "erster", second: "zweiter" },
        clock: "Bedenkzeit",
        clocks: {
            standard: "1 Minute pro Zug und 5 in Reserve",
            fast: "15 Sekunden pro Zug und 1 Minute in Reserve",
            slow: "5 Minuten pro Zug",
            none: "keine Uhr",
        },
        delay: "Verzögerung für Zuschauer, in Zügen",
        rated: "Gewertet (nur mit den üblichen Regeln)",
        ratedIfBoth: "Gewertet, wenn die andere Seite zustimmt (nur mit den üblichen Regeln)",
        ratedHint: "Sie zählt für die Wertung beider Seiten, wenn die andere Seite zustimmt.",
        placement: "Einheiten vor dem ersten Zug aufstellen",
        rows: "Zeilen",
        cols: "Spalten",
        size: "Größe des Bretts",
        turnLimit: "Züge bis zum Unentschieden",
        failures: "Stromausfälle",
        failureWords: {
            none: "keine",
            calm: "wenige: 0,5 % der Felder in jedem Zug",
            rules: "die 5 % der Regeln (das Brett ist großteils dunkel)",
        },
        mode: "Spielweise",
        modes: { coop: "gemeinsam gegen die Ebene", versus: "Helden gegen Widersacher" },
        heroes: "Helden",
        levelEnd: "Eine Ebene endet",
        levelEnds: {
            all: "wenn jeder Held sie verlassen hat oder ausgeschieden ist",
            any: "wenn der erste Held sie verlassen hat",
        },
        levelEndHint:
            "Im ursprünglichen Spiel endet eine Ebene, wenn der erste Held sie verlässt. Hier spielen die übrigen " +
            "weiter, bis alle draußen sind, damit niemand die Ebene für andere beendet. Mit der anderen Auswahl " +
            "spielst du das ursprüngliche Spiel.",
        json: "Alles andere",
        jsonHint:
            "Teile eines create-Frames als JSON, etwa params mit eigenen Einheiten oder einem eigenen Brett. Sie " +
            "ersetzen die Felder oben.",
        badJson: (why) => `das ist kein JSON (${why}).`,
        create: "Erstellen",
        invalid: (what) => `Das geht nicht: ${what} Ändere es und versuche es noch einmal.`,
        inviteTitle: "Es fehlt noch jemand",
        invite: "Schicke diesen Link an die andere Seite:",
        copy: "Link kopieren",
        copied: "Der Link ist kopiert.",
        openHint: "Die Partie steht auch in der Liste offener Partien.",
        giveUp: "Nicht mehr warten",
    },

    join: {
        title: (names) =>
            names.length === 0
                ? "Du bist eingeladen"
                : `${list(names)} ${names.length === 1 ? "lädt" : "laden"} dich ein`,
        terms: (name, { settings, rated }) => `${name}, ${text.join.clock(settings)}, ${text.join.rating(rated)}`,
        clock: ({ clock, turn_ms, bank_ms = 0, cycle, cycle_ms }) =>
            cycle
                ? `immer ${duration(cycle_ms ?? turn_ms)} pro Zug`
                : !clock
                  ? "keine Uhr"
                  : [
                        ...(turn_ms ? [`${duration(turn_ms)} pro Zug`] : []),
                        ...(bank_ms ? [`${duration(bank_ms)} in Reserve`] : []),
                    ].join(" + "),
        rating: (rated) => (rated ? "gewertet" : "ungewertet"),
        ratedHint: "Diese Partie zählt für die Wertung beider Seiten.",
        ratedIfBoth: "Diese Partie für die Wertung beider Seiten zählen",
        accept: "Annehmen und spielen",
        decline: "Ablehnen",
        full: "Alle Plätze dieser Partie sind besetzt.",
        over: "Diese Partie ist zu Ende.",
        gone: "Diese Einladung gilt nicht: Die Partie gibt es nicht, oder der Link ist unvollständig.",
    },

    notify: {
        turn: "Du bist am Zug:",
        join: "Deine Partie beginnt:",
        offer: "Ein Remis wird angeboten:",
        low: "Deine Zeit wird knapp:",
        sound: "Ton",
        notifications: "Benachrichtigungen",
    },

    yours: {
        title: "Deins",
        nobody: "Wähle einen Namen und spiele; hier steht dann, was du gespielt hast.",
        finished: "Deine beendeten Partien",
        opponents: "Gegen wen",
        none: "Noch keine.",
        older: "Ältere Partien",
        won: "Gewonnen",
        lost: "Verloren",
        drawn: "Remis",
        ended: "Beendet",
        tally: ({ wins, draws, losses }) => `${wins} gewonnen, ${draws} remis, ${losses} verloren`,
        unrated: "Noch keine gewertete Partie.",
        unknown: "Diesen Spieler gibt es nicht.",
        provisional: "unsicher, bis mehr Partien gespielt sind",
        history: "Partie für Partie",
        historyOf: (name, first, last, least, most) =>
            `Wertung in ${name} über die Partien: von ${first} bis ${last}, niedrigste ${least}, höchste ${most}`,
        change: (points) => `${points < 0 ? "−" : "+"}${Math.abs(points)}`,
        rating: (before, after) =>
            before === after
                ? `Deine Wertung bleibt ${after}.`
                : `Deine Wertung: ${before} → ${after} (${after > before ? "+" : "−"}${Math.abs(after - before)})`,
        carry: "Auf einem anderen Gerät spielen",
        carryHint:
            "Scanne den Code oder öffne den Link auf dem anderen Gerät, um dort unter demselben Namen zu spielen. " +
            "Wer ihn hat, kann in deinem Namen spielen: Behalte ihn für dich.",
        carryLink: "Der Link mit deinem Schlüssel",
        carryCode: "Derselbe Link als QR-Code, für die Kamera des anderen Geräts",
        becomeTitle: "Unter dem Namen dieses Links spielen?",
        becomeHint: "In diesem Browser spielst du dann als die Person, der dieser Link gehört.",
        becomeInstead: (name) =>
            `Dieser Browser spielt jetzt als ${name}. Er vergisst diesen Namen und spielt dann als die Person, der ` +
            "dieser Link gehört.",
        become: "Ja, so spielen",
    },

    match: {
        seat: (seat) => `Platz ${seat + 1}`,
        turn: (turn) => `Zug ${turn + 1}`,
        thinking: "überlegt",
        ready: "fertig",
        away: "abwesend",
        toMove: "am Zug",
        out: "ausgeschieden",
        bank: (time) => `Reserve ${time}`,
        inBank: "Reserve",
        noClock: "keine Uhr",
        ready_button: "Fertig",
        ready_nothing: "Fertig, ohne Befehle",
        sent: "Gesendet. Jetzt fehlt noch die andere Seite.",
        sentChange: "Du kannst deine Befehle noch ändern.",
        change: "Ändern",
        sendAnyway: "Trotzdem senden",
        refusedSome: (count) =>
            `${some(count, "Befehl geht", "Befehle gehen")} nicht. Ändere ${count === 1 ? "ihn" : "sie"}, oder sende ` +
            "trotzdem; dann zählen die übrigen.",
        clearAll: "Alles löschen",
        wait: "Die andere Seite ist am Zug.",
        over: {
            won: "Du hast gewonnen!",
            lost: "Du hast verloren.",
            drawn: "Unentschieden.",
            watched: (name) => `${name} hat gewonnen.`,
            none: "Niemand hat gewonnen.",
        },
        rematch: "Noch einmal spielen",
        rematchWanted: (name) => `${name} möchte noch einmal spielen.`,
        replay: "Wiederholung ansehen",
        leave: "Verlassen",
        resign: "Aufgeben",
        resignTitle: "Diese Partie aufgeben?",
        resignText: "Die andere Seite gewinnt sofort. Das lässt sich nicht zurücknehmen.",
        resignYes: "Ja, ich gebe auf",
        resignNo: "Nein, weiterspielen",
        draw: "Remis anbieten",
        drawOffered: "Du bietest ein Remis an.",
        drawAsked: (name) => `${name} bietet ein Remis an.`,
        drawAccept: "Annehmen",
        drawDecline: "Ablehnen",
        drawDeclined: "Das Remis wurde abgelehnt.",
        claim: "Den Sieg beanspruchen",
        claimAfter: (time) => `Bleibt die andere Seite weg, kannst du in ${time} den Sieg beanspruchen.`,
        chat: "Chat",
        chatSay: "Etwas sagen",
        chatSend: "Senden",
        mute: "Chat ausblenden",
        unmute: "Chat einblenden",
        speed: "Tempo",
        skip: "Überspringen",
        flip: "Brett drehen",
        zoom: "Größere Felder",
        orderGone: (words) => `entfernt: ${words}`,
        readyKey: "Taste: R",
        threats: "Bedrohte Felder",
        threatsHint: "Jedes Feld, das die andere Seite in diesem Zug angreifen kann",
        log: "Was geschah",
        watching: "Du schaust zu.",
        delay: (turns) => `Zuschauer sehen diese Partie ${turnsOf(turns)} später.`,
        notFound: "Diese Partie gibt es nicht, oder du darfst sie nicht sehen.",
        private: "Diese Partie ist privat. Du brauchst ihren Link.",
        waiting: "Wartet auf Mitspieler",
        board: (name) => `Brett von ${name}. Pfeiltasten bewegen den Zeiger, Enter wählt, Escape bricht ab.`,
        units: "Einheiten",
        select: "Wähle eine deiner Einheiten.",
        botFailed: (name, why) => `${name}: ${why}`,
        seatTaken: "Alle Plätze sind besetzt. Du schaust zu.",
    },

    replay: {
        title: "Wiederholung",
        of: (turn, last) => (turn < 0 ? `Vor Zug 1 (letzter: ${last + 1})` : `Zug ${turn + 1} (letzter: ${last + 1})`),
        start: "Der Anfang",
        startHint: "Spiele ab, oder wähle einen Zug.",
        play: "Abspielen",
        pause: "Anhalten",
        previous: "Einen Zug zurück",
        next: "Einen Zug weiter",
        first: "Zum Anfang",
        last: "Zum Ende",
        jump: "Nächster Zusammenstoß oder Verlust",
        jumpNone: "Von hier an kommt nichts mehr davon.",
        decided: "Die größte Wende",
        view: "Gesehen von",
        everything: "alles",
        spectators: "Zuschauer",
        commands: "Befehle dieses Zugs",
        noCommands: "keine Befehle",
        events: "Was geschah",
        noEvents: "Nichts geschah.",
        link: "Link zu diesem Zug kopieren",
        download: "Herunterladen",
        print: "Drucken",
        end: "Das Ende",
        whatIf: "Was wäre, wenn …",
        whatIfTitle: "Was wäre, wenn",
        whatIfHint: "Ändere die Befehle dieses Zugs und sieh, was geschehen wäre. Nichts davon bleibt.",
        whatIfSee: "Sehen, was geschieht",
        whatIfClear: "Alle Befehle löschen",
        whatIfAgain: "Die Befehle noch einmal ändern",
        whatIfBack: "Zurück zu dem, was geschah",
        whatIfSeat: "Befehle von",
        whatIfOver: (outcome) => `Die Partie wäre zu Ende: ${outcome}`,
        scrubber: "Zug",
        running: "Diese Partie läuft noch.",
        material: "Wie die Seiten standen, Zug für Zug",
        verify: "Diese Partie prüfen",
    },

    verify: {
        title: "Eine Partie prüfen",
        about: "Dein Browser spielt die ganze Partie nach, aus Startwert und Befehlen. Nichts verlässt dieses Gerät.",
        choose: "Partiedatei",
        chooseHint: "Eine Datei von „Herunterladen“, oder von skirmish export geschrieben.",
        missing: "Dieser Server hat keinen Schiedsrichter für Browser. skirmish import --check prüft eine Datei.",
        reading: "Die Datei wird gelesen …",
        progress: (turn, turns) => `Zug ${turn + 1} von ${turns + 1} stimmt`,
        holds: "Die Partie stimmt.",
        fails: (turn) => (turn === null ? "Die Datei stimmt nicht." : `Die Partie stimmt nicht: Zug ${turn + 1}.`),
        cannot: (message) => `Dieser Browser kann die Datei nicht prüfen: ${message}.`,
        line: (line) => `Zeile ${line} der Datei.`,
        byItself: "Was die Datei allein beweist",
        chain: "Nichts darin wurde verändert: Die Prüfsumme und jeder Hash der Kette stimmen.",
        seed: "Startwert und Salz ergeben die Festlegung.",
        turns: (count) =>
            `${some(count, "Zug", "Züge")}, alle nachgespielt: dieselben Urteile, Ereignisse, Stellungen, Ergebnisse.`,
        compared: "Verglichen mit dem, was der Server veröffentlicht hat",
        published: {
            commitment: {
                same: "Die Festlegung ist die, die dieser Browser während der Partie erhielt.",
                differs: "Dieser Browser erhielt eine andere Festlegung, oder die Partie ist von einem anderen Server.",
                unknown: "Die Festlegung wurde nicht verglichen: Dieser Browser hat die Partie nicht gesehen.",
            },
            head: {
                same: "Der letzte Hash ist der, den dieser Browser am Ende der Partie erhielt: Es ist diese Partie.",
                differs:
                    "Dieser Browser erhielt einen anderen letzten Hash, oder die Partie ist von einem anderen Server.",
                unknown:
                    "Der letzte Hash wurde nicht verglichen: Dieser Browser hat das Ende der Partie nicht gesehen.",
            },
        },
        alone: "Eine Datei allein zeigt nicht, dass so gespielt wurde: Jeder kann eine Partie erfinden.",
        watch: "Diese Partie ansehen",
    },

    statistics: {
        title: "Statistik",
        perDay: "Partien pro Tag",
        refusals: "Warum Befehle abgelehnt wurden",
        winRates: "Wer gewinnt, nach Platz",
        models: "Gewinnquote jeder Einheit",
        openings: "Wie Partien eröffnet werden",
        openingsHint: "Die häufigsten Befehle des ersten Zuges, und wie oft gewann, wer sie gab.",
        opening: (share, count) => `gewann ${share} von ${some(count, "Partie", "Partien")}`,
        heat: "Wohin beide Seiten wollen",
        heatHint: "Je öfter zwei Einheiten auf dasselbe Feld wollten, desto dunkler ist es.",
        ruleset: "Spiel",
        why: {
            days: "In den letzten 30 Tagen wurde keine Partie angelegt.",
            seats: "Noch ist keine Partie dieses Spiels zu Ende.",
            models: "Noch ist keine Partie dieses Spiels zu Ende.",
            refusals: "In den beendeten Partien wurde kein Befehl abgelehnt.",
            cells: "In den beendeten Partien wollten nie zwei Einheiten auf dasselbe Feld.",
        },
        value: (label, value) => `${label}: ${value}`,
        share: (part, whole) => percent(Math.round((100 * part) / Math.max(1, whole))),
        games: (count) => `von ${some(count, "beendeter Partie", "beendeten Partien")}`,
        modelsHint:
            "Wie oft eine Seite mit dieser Einheit gewinnt, und eine ohne sie. Der größte Unterschied steht oben.",
        compared: (part, without) => (without === null ? `${part}, keine Seite ohne` : `${part}, ohne ${without}`),
        numbers: "In Zahlen",
        draws: "Remis",
    },

    /* ---- what the rules say ---- */

    verdicts: {
        ok: "erledigt",
        match_over: "die Partie ist zu Ende",
        wrong_turn: "dieser Zug ist vorbei",
        not_your_turn: "du bist nicht am Zug",
        unknown_unit: "diese Einheit gibt es nicht",
        not_your_unit: "das ist nicht deine Einheit",
        multiple_commands: "nur ein Befehl pro Einheit",
        out_of_bounds: "das liegt außerhalb des Bretts",
        occupied: "das Feld ist besetzt",
        wrong_phase: "nicht in dieser Phase",
        out_of_pattern: "dieses Feld ist nicht erreichbar",
        not_start_row: "nur in deinen eigenen ersten Zeilen",
        same_target: "zwei deiner Einheiten wollen auf dasselbe Feld",
        bounced: "abgeprallt: die andere Seite wollte auf dasselbe Feld",
        bad_path: "das ist weder ein Schritt noch ein Sprung",
        nothing_to_jump: "da ist nichts zum Überspringen",
        damaged: "ein beschädigter Stein kann nicht springen",
        missing: "es kam rechtzeitig kein Befehl",
        wall: "da ist eine Wand",
        trail: "da ist eine Lichtspur",
        crosses_trail: "das würde eine Lichtspur kreuzen",
        blocked: "das andere Ende des Teleporters ist versperrt",
        must_move: "du musst in diesem Zug fahren",
        nothing_here: "hier liegt nichts",
        inventory_full: "du trägst schon sechs Gegenstände",
        not_carried: "das trägst du nicht",
        grenade_here: "hier liegt schon eine Granate",
        bad_direction: "eine Scheibe fliegt nach Norden, Osten, Süden oder Westen",
        too_far: "das ist zu weit",
        not_traversable: "dort kann niemand stehen",
        door: "ein Zombie geht durch keine Tür",
    },

    reasons: {
        eliminated: "die andere Seite hat keine Einheit mehr",
        draw_eliminated: "keine Seite hat mehr eine Einheit",
        draw_turn_limit: "die Höchstzahl der Züge ist erreicht",
        draw_agreed: "beide haben sich auf Remis geeinigt",
        draw_resigned: "beide haben aufgegeben",
        resignation: "die andere Seite hat aufgegeben",
        abandoned: "die andere Seite blieb weg",
        expired: "niemand kam dazu",
        halmate: "Halmatt: alle Ziele sind besetzt",
        draw_both_halmate: "beide sind halmatt",
        stalled: "zu viele Züge hintereinander ohne gültigen Befehl",
        finished: "das Ziel ist erreicht",
        trapped: "die andere Seite hatte keinen Ausweg",
        unmoved: "ein Zug endete ohne Bewegung",
        won: "die letzte Ebene ist geschafft",
        lost: "alle Helden sind ausgeschieden",
        draw_equal: "die besten Helden sind gleich gut",
    },

    lostReasons: {
        eliminated: "du hast keine Einheit mehr",
        resignation: "du hast aufgegeben",
        abandoned: "du bliebst weg",
        halmate: "Halmatt: alle Ziele der anderen Seite sind besetzt",
        stalled: "du hast zu viele Züge hintereinander keinen gültigen Befehl gesendet",
        finished: "die andere Seite hat das Ziel erreicht",
        trapped: "du hattest keinen Ausweg",
        unmoved: "du hast einen Zug ohne Bewegung beendet",
    },

    commands: {
        move: (who, to) => `${who} zieht nach ${to}`,
        attack: (who, to) => `${who} greift ${to} an`,
        place: (who, to) => `${who} beginnt auf ${to}`,
        path: (who, path) => `${who} geht ${path.map(cell).join(" → ")}`,
        hold: (who) => `${who} hält sein Feld`,
        stay: (who) => `${who} bleibt stehen`,
        step: (dir) => `fährt nach ${DIRECTIONS[dir] ?? dir}`,
        pick_up: (item) => `hebt die ${ITEMS[item] ?? item} auf`,
        use: (item, dir) =>
            dir
                ? `wirft die ${ITEMS[item] ?? item} nach ${DIRECTIONS[dir] ?? dir}`
                : `legt die ${ITEMS[item] ?? item} ab`,
        end_turn: "beendet den Zug",
        resign: "gibt auf",
        timeout: "hat keine Zeit mehr",
        abandon: "blieb weg",
        agree_draw: "stimmt dem Remis zu",
    },

    plain: {
        select: "Wähle hier einen Befehl, oder Feld für Feld auf dem Brett.",
        more: (count) => `Und noch ${some(count, "weiterer Befehl", "weitere Befehle")}: wähle auf dem Brett.`,
        none: "keine",
        yes: { true: "ja", false: "nein" },
    },

    tactics: {
        model: (name) => (Object.hasOwn(MODELS, name) ? MODELS[name] : capital(name)),
        described: (description) =>
            Object.hasOwn(DESCRIPTIONS, description) ? DESCRIPTIONS[description] : description,
        health: (health, most) => `${health} von ${most}`,
        placed: (who, at) => `${who} beginnt auf ${cell(at)}`,
        bounced: (whos, at) => `${list(whos)} prallen auf ${cell(at)} voneinander ab`,
        moved: (who, at) => `${who} zieht nach ${cell(at)}`,
        attacked: (who, at) => `${who} greift ${cell(at)} an`,
        hit: (who, by, damage, health) =>
            `${who} wird von ${list(by)} getroffen: ${damage} Schaden, ${Math.max(0, health)} übrig`,
        died: (who) => `${who} stirbt`,
        stats: (model) => `Leben ${model.health}, Stärke ${model.power}`,
        select:
            "Wähle eine deiner Einheiten: grüne Felder sind Züge, rote Angriffe. Die Befehle beider Seiten geschehen " +
            "gleichzeitig, sobald beide fertig sind.",
        target: (name) => `${name}: Wähle, wohin sie geht oder wen sie angreift.`,
        both: (at) => `Was soll auf ${at} geschehen?`,
        move: "Dorthin ziehen",
        attack: "Dort angreifen",
        choose: (name) => `Stattdessen ${name} wählen`,
        place: "Wähle eine Einheit, dann ein Feld deiner ersten Zeilen. Drücke Fertig, wenn alle stehen.",
        placeTitle: "Stelle deine Einheiten auf",
        orders: (count, of) =>
            `${count} von ${some(of, "Einheit", "Einheiten")} ${count === 1 ? "hat" : "haben"} einen Befehl`,
        remove: (name) => `Befehl von ${name} löschen`,
        mayMove: "kann hierher ziehen",
        mayAttack: "kann hier angreifen",
    },

    halma: {
        info: (turns, limit) => `Vergangene Züge: ${turns} von ${limit}`,
        moves: "Gemachte Züge",
        damaged: "Beschädigte Steine",
        undamaged: "keine",
        damagedFor: (who, turns) => `${who}: ${turnsOf(turns)}`,
        home: "Besetzte Ziele",
        filled: ({ full, own, all }) => `${full} von ${all}${own === full ? "" : `, ${own} mit eigenen Steinen`}`,
        faults: (count, limit) => `${count} von ${limit} verpassten Zügen hintereinander`,
        moved: (who, path) => `${who} geht ${path.map(cell).join(" → ")}`,
        held: (who) => `${who} hält sein Feld`,
        not_enacted: (whos) => `Nichts bewegt sich: ${whos}`,
        guilty: (name, why) => `${name} (${why})`,
        collided: (whos, at) => `${list(whos)} stoßen auf ${cell(at)} zusammen: beide sind beschädigt`,
        healed: (who) => `${who} kann wieder springen`,
        halmate: (name, { own, all }) =>
            `Halmatt! Alle ${all} Ziele von ${name} sind besetzt${own === all ? "" : `, ${own} mit eigenen Steinen`}.`,
        noAnswer: "keine gültige Antwort",
        damage: (turns) => `beschädigt: kann ${turnsOf(turns)} lang nicht springen`,
        select: "Wähle einen deiner Steine, dann sein Ziel. Sprünge lassen sich verketten: einfach weiterwählen.",
        chain: "Springe weiter, oder drücke Fertig.",
        hold: "Das Feld dieses Steins halten",
        undo: "Von vorn",
        destination: (name) => `Ziel von ${name}`,
    },

    racers: {
        actions: (left) => `noch ${actionsOf(left)}`,
        inventory: "Dabei",
        empty: "nichts",
        pickUp: (item) => `Aufheben: ${ITEMS[item] ?? item}`,
        use: (item) => `Benutzen: ${ITEMS[item] ?? item}`,
        chooseItem: "Einen Gegenstand benutzen",
        direction: "Wohin soll die Scheibe fliegen?",
        endTurn: "Zug beenden",
        endUnmoved: "Du bist noch nicht gefahren. Wer den Zug so beendet, verliert die Partie.",
        endYes: "Beenden und verlieren",
        dark: "hier ist kein Strom",
        finish: "dein Ziel",
        start: "dein Start",
        debt: (debt) => `schuldet ${actionsOf(debt)}`,
        skip: (skip) => `setzt ${turnsOf(skip)} aus`,
        item: (item) => ITEMS[item] ?? item,
        failures: (permille, rules) =>
            `In jedem Zug fällt auf ${percent(permille / 10)} der Felder der Strom aus; nach den Regeln auf ` +
            `${percent(rules / 10)}.`,
        moved: (name, to) => `${name} fährt nach ${cell(to)}`,
        teleported: (name, to) => `Ein Teleporter bringt ${name} nach ${cell(to)}`,
        picked_up: (name, item) => `${name} hebt die ${ITEMS[item] ?? item} auf`,
        placed: (name, at) => `${name} legt auf ${cell(at)} eine Granate ab`,
        launched: (name, item, dir, at) =>
            `${name} wirft die ${ITEMS[item] ?? item} nach ${DIRECTIONS[dir]}; sie landet auf ${cell(at)}`,
        disc_hit: (name) => `Die Scheibe trifft ${name}: einen Zug aussetzen`,
        exploded: (name, lost) => `Eine Granate kostet ${name} ${actionsOf(lost)}`,
        power_failed: (count) => `Der Strom fällt an ${some(count, "Stelle", "Stellen")} aus`,
        powered_out: (name) => `${name} fährt ins Dunkle; der Zug ist vorbei`,
        turn_passed: (name, why) => `Der Zug von ${name} ist vorbei (${why})`,
        trapped: (name) => `${name} sitzt fest`,
        finished: (name) => `${name} erreicht das Ziel`,
        why: {
            actions_used: "alle Aktionen verbraucht",
            ended: "beendet",
            power_failure: "Stromausfall",
            penalty: "Strafe",
            skipped: "ausgesetzt",
            timeout: "Zeit abgelaufen",
        },
        select: "Wähle eines der markierten Felder, oder benutze einen Gegenstand.",
        dirs: DIRECTIONS,
        wall: "Wand",
        trail: "Lichtspur",
        teleporter: (to) => `Teleporter nach ${cell(to)}`,
    },

    snarl: {
        level: (level, count) => (count === undefined ? `Ebene ${level}` : `Ebene ${level} von ${count}`),
        locked: "Der Ausgang ist verschlossen: Jemand muss den Schlüssel finden.",
        unlocked: "Der Ausgang ist offen.",
        stay: "Hier bleiben",
        select: "Wähle ein markiertes Feld. Du siehst zwei Felder weit in jede Richtung; der Rest ist Nebel.",
        adversary: "Wähle, wohin er geht.",
        status: {
            active: "in der Ebene",
            exited: "hat die Ebene verlassen",
            expelled: "ist ausgeschieden",
            resigned: "hat aufgegeben",
        },
        twin: (name, id) => `${name} (${id})`,
        found: (keys, exits) => `${some(keys, "Schlüssel", "Schlüssel")}, ${some(exits, "Ausgang", "Ausgänge")}`,
        moved: (who, to) => `${who} geht nach ${cell(to)}`,
        took_key: (who) => `${who} nimmt den Schlüssel: der Ausgang ist offen`,
        exited: (who) => `${who} verlässt die Ebene`,
        exit_locked: (who) =>
            `${who} steht auf dem Ausgang, aber er ist verschlossen: Jemand muss den Schlüssel finden`,
        expelled: (who, by) => `${who} scheidet aus, durch ${by}`,
        relocated: (who, to) => `Eine Wand lässt ${who} auf ${cell(to)} heraus`,
        level_ended: (level) => `Ebene ${level} ist zu Ende`,
        level_started: (level) => `Ebene ${level} beginnt`,
        game_ended: "Das Spiel ist zu Ende",
        tiles: { "#": "Wand", ".": "Boden", "+": "Tür", " ": "nichts", "?": "nicht in Sicht" },
        key: "der Schlüssel",
        exit: "der Ausgang",
    },

    /* ---- how to play ---- */

    rules: {
        link: "Spielregeln",
        title: (name) => `So wird ${name} gespielt`,
        games: "Spiele",
        goal: "Das Ziel",
        ends: "Wie eine Partie endet",
        turn: "Ein Zug, der Reihe nach",
        atOnce:
            "Beide Seiten geben ihre Befehle gleichzeitig, ohne die der anderen zu sehen. Sobald beide fertig " +
            "sind:",
        byTurns: "Immer eine Seite handelt. Jede Aktion wirkt sofort:",
        know: "Gut zu wissen",
        units: "Einheiten",
        pictures: "In Bildern",
        things: "Auf dem Brett",
        moves: "Züge",
        aims: "Angriffe",
        area: "Ein Angriff trifft",
        drawnFor: "Gezeichnet für eine Einheit, die nach oben blickt. Die der anderen Seite blicken nach unten.",
        commands: "Was du tun kannst",
        events: "Was geschehen kann",
        numbers: "Zahlen",
        options: "Optionen einer Partie",
        refused: "Was abgelehnt wird",
        english: "Diese Sätze kommen vom Server, auf Englisch.",

        tactics: {
            goal: "Vernichte alle Einheiten der anderen Seite.",
            stages: {
                bounce:
                    "Zwei gegnerische Einheiten, die auf dasselbe Feld ziehen, prallen voneinander " +
                    "ab: beide bleiben, " +
                    "wo sie sind.",
                placement: "Im ersten Zug wird aufgestellt. Alle Aufstellungen werden zusammen aufgedeckt.",
                movement:
                    "Alle anderen Züge geschehen gleichzeitig. Ein Zug ist ein Sprung: Nichts auf dem Weg " +
                    "hält ihn auf.",
                attacks:
                    "Alle Angriffe geschehen, auf dem Brett nach den Zügen. Der Schaden wird zusammengezählt und auf " +
                    "einmal abgezogen; wer getroffen wird, trifft also trotzdem.",
                deaths: "Einheiten ohne Leben werden entfernt. Wer keine Einheit mehr hat, hat verloren.",
            },
            know: (facts, { turn_limit }) => [
                "Jede Einheit bekommt einen Befehl pro Zug: ziehen oder angreifen. Ohne Befehl bleibt sie stehen.",
                "Eigenbeschuss: Ein Angriff trifft jede Einheit in seinem Bereich, auch deine und sogar die " +
                    "angreifende. Jede verliert so viel Leben, wie die angreifende Stärke hat.",
                "Ein Angriff zielt auf ein Feld, nicht auf eine Einheit. Wer weggezogen ist, wird verfehlt; wer " +
                    "hineingezogen ist, wird getroffen.",
                "Ein Feld, das zu Beginn des Zugs besetzt ist, kann niemand betreten, auch wenn es frei wird.",
                `Nach ${turn_limit} Zügen ist die Partie unentschieden.`,
            ],
        },
        halma: {
            goal: "Besetze alle deine Ziele. Steine beider Seiten zählen, wenn mindestens einer davon deiner ist.",
            stages: {
                enactment:
                    "Haben beide Seiten einen gültigen Zug gesendet, geschehen beide. Sonst bewegt sich nichts, und " +
                    "die Seite ohne gültigen Zug bekommt einen Fehler.",
                movement: "Beide Steine gehen dorthin, wo ihre Züge enden.",
                collisions: "Zwei Steine, die auf demselben Feld enden, stoßen zusammen: beide sind beschädigt.",
                healing: "Beschädigte Steine erholen sich, Zug um Zug.",
                halmate: "Eine Seite, deren Ziele alle besetzt sind, gewinnt.",
            },
            know: ({ damage }, { stall_limit, turn_limit }) => [
                "Du ziehst pro Zug einen Stein: ein Schritt, eine Kette von Sprüngen, oder er hält mit " +
                    "Absicht sein Feld.",
                "Ein Sprung geht gerade oder schräg über einen Stein, egal welcher Seite. Nichts wird geschlagen.",
                "Was übersprungen wird und wo man landen kann, entscheidet die Stellung zu Beginn des Zugs.",
                `Ein beschädigter Stein kann ${damage.value} Züge lang nicht springen. Er kann gehen und halten.`,
                `Eine Seite mit ${stall_limit} Fehlern verliert. Nach ${turn_limit} Zügen ist die Partie ` +
                    "unentschieden.",
            ],
            pictures: {
                step: "Ein Schritt: ein Feld in jede Richtung",
                jump: "Eine Kette von Sprüngen, über Steine beider Seiten",
                hold: "Halten: er bleibt",
                collision: "Beide enden hier: sie stoßen zusammen",
            },
        },
        racers: {
            goal: "Erreiche den Start der anderen Seite, bevor sie deinen erreicht.",
            stages: {
                move:
                    "Eine Fahrt geht auf ein Nachbarfeld und lässt eine Lichtspur zurück. Das Ziel " +
                    "gewinnt sofort. Eine " +
                    "Granate explodiert, sonst beendet die Dunkelheit den Zug. Ein Teleporter bringt dich weiter.",
                pick_up: "Aufheben nimmt einen Gegenstand vom eigenen Feld.",
                use: "Benutzen legt eine Granate ab oder lässt eine Scheibe fliegen.",
                end_turn: "Den Zug beenden verzichtet auf die übrigen Aktionen.",
                pass_turn:
                    "Nach der letzten Aktion fällt auf einigen Feldern der Strom aus, und die andere Seite ist dran.",
                trap: "Wer nirgends hinfahren kann, sitzt fest und verliert.",
            },
            know: (
                { actions, trail, carried, disc_range, grenade_costs, dark_grenade_costs, failure_turns },
                { failure_permille, turn_limit },
            ) => [
                `Ein Zug hat ${actions.value} Aktionen. Mindestens eine davon muss eine Fahrt sein.`,
                `Die letzten ${trail.value} verlassenen Felder sind Lichtspur. Niemand betritt oder kreuzt sie.`,
                `Du trägst höchstens ${carried.value} Gegenstände.`,
                "Eine Granate wird unsichtbar, wenn du ihr Feld verlässt. Wer es betritt, auch du, verliert " +
                    `${grenade_costs.value} Aktionen, im Dunkeln ${dark_grenade_costs.value}.`,
                `Eine Scheibe fliegt ${disc_range.value} Felder, im Dunkeln weniger; eine geladene, bis etwas sie ` +
                    "aufhält. Wer getroffen wird, setzt einen Zug aus. Auch deine eigene Scheibe kann dich treffen.",
                "Ein Teleporter bringt dich an sein anderes Ende, wenn dort weder jemand steht noch Lichtspur ist.",
                `Zu Beginn eines Zugs fällt auf jedem Feld mit ${percent(failure_permille / 10)} Wahrscheinlichkeit ` +
                    `für ${failure_turns.value} Züge der Strom aus, auch auf den Nachbarfeldern. Wer ` +
                    "ins Dunkle fährt, " +
                    "beendet den Zug; wer dort beginnt, verliert eine Aktion.",
                `Nach ${turn_limit} Aktionen ist die Partie unentschieden.`,
            ],
            things: {
                grenade: "Eine Lichtgranate: Nimm sie, und lege sie der anderen Seite in den Weg",
                disc: "Eine Scheibe: Nimm sie, und wirf sie",
                charged_disc: "Eine geladene Scheibe: fliegt, bis etwas sie aufhält",
                teleporter: "Ein Teleporter: führt zu seinem anderen Ende",
            },
            pictures: {
                move: "Eine Fahrt: ein Feld in jede Richtung",
                trail: "Lichtspur versperrt den Weg, auch schräg",
                disc: "Eine Scheibe fliegt geradeaus",
                teleporter: "Ein Teleporter bringt dich weiter",
            },
        },
        snarl: {
            goal: "Führe die Helden durch alle Ebenen: Jemand nimmt den Schlüssel, dann gehen alle zum Ausgang.",
            stages: {
                movement: "Die Figur geht auf ihr Feld. Ein Geist, der in eine Wand geht, kommt woanders heraus.",
                arrival:
                    "Widersacher und Held auf einem Feld: Der Held scheidet aus. Sonst nimmt ein Held den Schlüssel, " +
                    "der den Ausgang für alle öffnet, oder verlässt die Ebene durch den offenen Ausgang.",
                succession:
                    "Die nächste Figur ist dran: erst alle Helden, dann Zombies und Geister. Ist " +
                    "kein Held mehr in der " +
                    "Ebene, beginnt die nächste, mit allen Helden.",
            },
            know: ({ hero_steps, sight, ghost_hunts }, { round_limit, steps = {} }) => [
                `Ein Held geht bis zu ${hero_steps.value} Schritte nach oben, unten, links oder rechts, oder bleibt.`,
                `Ein Held sieht ${sight.value} Felder weit in jede Richtung. Früher Gesehenes bleibt blass ` +
                    "auf der Karte.",
                `Ein Zombie geht ${some(steps.zombie ?? 1, "Schritt", "Schritte")}, nie durch eine ` +
                    "Tür, und jagt Helden " +
                    "in seinem Raum.",
                `Ein Geist geht ${some(steps.ghost ?? 1, "Schritt", "Schritte")}, durch Türen und ` +
                    "Wände, und jagt Helden, " +
                    `die höchstens ${ghost_hunts.value} Schritte entfernt sind.`,
                "Verlässt niemand eine Ebene, ist das Spiel verloren. Sonst sind in der nächsten alle wieder dabei.",
                `Nach ${round_limit} Runden scheiden die Helden aus, die noch in einer Ebene sind.`,
                "Vorn ist, wer die meisten Ebenen verlassen hat, dann wer die meisten Schlüssel nahm, dann wer am " +
                    "seltensten ausschied.",
            ],
            things: {
                key: "Der Schlüssel: öffnet den Ausgang für alle Helden",
                exit: "Der Ausgang: führt aus der Ebene",
                zombie: "Ein Zombie: bleibt in seinem Raum",
                ghost: "Ein Geist: geht durch Türen und Wände",
            },
            pictures: {
                hero: "Ein Held: wohin er gehen kann, und was er sieht",
                zombie: "Ein Zombie: nicht durch Türen",
                ghost: "Ein Geist: auch durch Wände",
            },
        },
    },

    /* ---- the guided first match ---- */

    guide: {
        title: "Deine erste Partie",
        offer: "Neu hier? Lerne ein Spiel in drei Zügen, mit Hinweisen neben dem Brett:",
        start: "Erste Partie mit Hinweisen",
        hint: "Drei Züge gegen einen Bot, mit Hinweisen neben dem Brett.",
        startOf: (name) => `Erste Partie mit Hinweisen: ${name}`,
        step: (turn, of) => `Zug ${turn} von ${of}`,
        leave: "Hinweise beenden",
        promise: "Noch nie gespielt? In deiner ersten Partie sagen Hinweise neben dem Brett, was zu tun ist.",
        done: "Das Wichtigste kannst du. Spiele ohne Hinweise weiter, oder lies alle Regeln.",
        wait: "Die andere Seite überlegt.",
        waitReady: "Deine Befehle sind gesendet. Jetzt muss noch die andere Seite fertig sein.",
        tactics: {
            place:
                "Zuerst stellen beide Seiten ihre Einheiten auf. Um eine zu versetzen, wähle sie und dann ein grünes " +
                "Feld. Drücke Fertig, wenn es dir gefällt: Alle Aufstellungen werden gleichzeitig gezeigt.",
            move: (who, to) =>
                `Gib einen ersten Befehl: Wähle ${who}, dann ein grünes Feld wie ${to}. Jede Einheit ` +
                "darf pro Zug einen " +
                "Befehl bekommen.",
            ready:
                "Drücke Fertig. Niemand sieht deine Befehle, bevor beide Seiten fertig sind; dann geschieht alles " +
                "gleichzeitig.",
            attack: (who, to) =>
                `Ein Gegner ist in Reichweite. Wähle ${who}, dann das rote Feld ${to}. Erst wird gezogen, dann ` +
                "angegriffen: Wer die Felder rechtzeitig verlässt, wird verfehlt.",
            approach: (who, to) =>
                `Kein Gegner ist in Reichweite. Geh näher heran, mit ${who} nach ${to}. Zeige auf ` +
                "einen Gegner, um zu " +
                "sehen, was er kann, oder drücke „Bedrohte Felder“.",
            aim: "Dein Angriff trifft alle Einheiten auf den dunkelroten Feldern, auch deine eigenen. Drücke Fertig.",
            more:
                "Nutze jetzt zwei Einheiten in einem Zug: Greift zusammen an, oder schicke eine dorthin, wohin der " +
                "Gegner gehen wird.",
        },
        halma: {
            jump: (who, to) =>
                `Springe: Wähle ${who}, dann ${to}. Ein Sprung geht über einen Stein, deinen oder ` +
                "fremden. Deine Ziele " +
                "sind die markierte Ecke gegenüber.",
            step: (who, to) => `Kein Sprung bringt dich weiter: Geh mit ${who} einen Schritt nach ${to}.`,
            chain:
                "Du darfst mit demselben Stein weiterspringen, solange etwas zum Überspringen da ist. Drücke " +
                "dann Fertig.",
            ready:
                "Drücke Fertig. Beide Züge geschehen gleichzeitig; enden sie auf einem Feld, sind beide Steine " +
                "beschädigt.",
            hold: (who, to) =>
                `Letzter Hinweis: Weiter mit ${who} nach ${to}. Oder halte das Feld eines Steins: ` +
                "Manchmal ist Warten am besten.",
        },
        racers: {
            disc: (to) =>
                `Auf ${to} liegt eine Scheibe. Fahre hin: Wähle das markierte Feld. Ein Zug hat drei Aktionen.`,
            begin: "Du hast drei Aktionen pro Zug. Fahre los: Wähle ein markiertes Feld.",
            pickUp: "Hebe die Scheibe mit dem Knopf neben dem Brett auf. Auch das ist eine Aktion.",
            trail:
                "Die Felder, die du verlassen hast, sind Lichtspur: Eine Weile kann sie niemand betreten. " +
                "Fahre weiter.",
            throw:
                "Wirf die Scheibe mit „Benutzen“ und wähle eine Richtung. Trifft sie, setzt die andere Seite " +
                "einen Zug aus.",
            onward:
                "Fahre weiter. Wer nirgends mehr hinfahren kann, verliert: Lass dich nicht von Spuren " +
                "einschließen.",
            finish: (to) =>
                `Der Start der anderen Seite, ${to}, ist dein Ziel. Jeder Zug braucht mindestens eine Fahrt.`,
        },
        snarl: {
            look:
                "Du siehst nur ein paar Felder um deinen Helden; der Rest ist dunkel. Wähle ein " +
                "markiertes Feld: Ein Held " +
                "geht bis zu zwei Schritte.",
            key: (to) => `Da ist der Schlüssel, auf ${to}. Bis ein Held ihn nimmt, bleibt der Ausgang zu. Geh hin.`,
            seek: "Suche den Schlüssel. Zombies und Geister ziehen nach dir: Bleib weg von ihnen.",
            exit: (to) => `Der Ausgang ist offen. Geh nach ${to}, um die Ebene zu verlassen.`,
            seekExit: "Du hast den Schlüssel. Suche jetzt den Ausgang.",
        },
    },

    /* By the codes of the server; a message that says more than its code is added. */
    errors: {
        already_hello: "Diese Verbindung hat schon einen Namen.",
        already_joined: "Du hast schon einen Platz in dieser Partie.",
        already_offered: "Dein Remisangebot ist noch nicht beantwortet.",
        bad_name: "Ein Name hat 1 bis 24 druckbare ASCII-Zeichen und weder am Anfang noch am Ende ein Leerzeichen.",
        bad_token: "Kein Spieler hat diesen Schlüssel.",
        banned: (message) => `Der Betreiber hat dich gesperrt: ${message}`,
        busy: "Der Server ist überlastet; nichts ist geschehen. Versuche es gleich noch einmal.",
        chat_limited: "Zu viele Nachrichten; warte ein wenig.",
        connection_lost:
            "Die Verbindung brach ab, bevor die Antwort kam. Sieh nach, ob es geschehen ist, und versuche es noch " +
            "einmal.",
        draining: "Der Server nimmt gerade keine neuen Partien an; laufende gehen weiter.",
        hello_first: "Der Server weiß noch nicht, wer du bist. Lade die Seite neu.",
        id_reused: "Das wurde schon mit anderem Inhalt gesendet.",
        invalid_params: (message) => `Diese Einstellungen erlaubt das Spiel nicht: ${message}`,
        malformed: (message) => `Das versteht der Server nicht: ${message}`,
        match_full: "Alle Plätze der Partie sind besetzt.",
        match_not_started: "Die Partie wartet auf Spieler; ihr erster Zug hat noch nicht begonnen.",
        match_over: "Die Partie ist vorbei.",
        moved: "Die Partie zog von Server zu Server um. Versuche es noch einmal.",
        name_taken: "Ein anderer Spieler hat diesen Namen; Groß- und Kleinschreibung zählen nicht.",
        no_offer: "Niemand hat dir Remis angeboten.",
        no_submission: "Es gibt keine Befehle zum Zurücknehmen.",
        not_allowed: (message) => `Das geht hier nicht: ${message}`,
        not_found: "Unter dieser Adresse ist nichts.",
        not_in_match: "Du spielst diese Partie nicht und siehst ihr nicht zu.",
        not_your_seat: "Das darf nur ein Spieler der Partie.",
        pruned: "Die Partie ist lange her; ihre Züge wurden gelöscht, nur das Ergebnis ist noch da.",
        quarantined: "Die Partie konnte nicht geladen werden und wurde für den Betreiber beiseitegelegt.",
        rate_limited: "Zu viel auf einmal. Versuche es gleich noch einmal.",
        seat_taken: "Diesen Platz hat ein anderer Spieler, oder die Partie hat keinen solchen Platz.",
        store_unavailable: "Der Server erreicht seine Datenbank nicht; nichts ist geschehen. Er versucht es weiter.",
        timeout: "Der Server antwortete nicht rechtzeitig. Versuche es noch einmal.",
        too_early: "Die Partie kann noch nicht beansprucht werden.",
        too_large: "Das ist zu groß.",
        too_many_matches: "Du hast so viele Partien, wie ein Spieler gleichzeitig haben darf.",
        too_many_submissions:
            "Du hast die Befehle dieses Zuges so oft geändert, wie es erlaubt ist; die letzten gelten.",
        turn_closed: "Der Zug wird gerade ausgewertet; seine Befehle stehen fest.",
        unknown_match: "Es gibt keine solche Partie, oder du darfst sie nicht sehen.",
        unknown_ruleset: "Dieser Server hat dieses Spiel nicht.",
        unsupported_bot: "Dieser Server hat keine Bots. Lade jemanden ein, oder suche einen Gegner.",
        unsupported_protocol: "Seite und Server passen nicht zusammen. Lade die Seite neu.",
        wrong_code: "Die Partie ist privat, und der Link hat nicht ihren Code.",
        wrong_turn: "Dieser Zug ist vorbei.",
    },
};
