/*
 * checker - plays the scenarios of `skirmish bot check` against a bot, one match after the other,
 * and prints what the bot did wrong.
 *
 * Owner:   the caller fills in the first members; checker_play frees what it makes.
 * Threads: one.
 */
#ifndef SK_CLI_CHECKER_H
#define SK_CLI_CHECKER_H

#include "server/cli/check_scenario.h"
#include "server/cli/checked_bot.h"
#include "server/cli/online.h"
#include "server/cli/own_daemon.h"
#include "server/cli/service_relay.h"

#define CHECK_WORD_MAX    64
#define CHECK_FAULTS_MAX  8
#define CHECK_FAULT_BYTES 400

/* The match that is being played. */
struct check_game {
    int64_t match;
    int32_t turn; /* that is open; -1 = none */
    bool owes;    /* this program does */
    bool is_disturbed;
    int32_t disturbed_turn;
    int64_t held_until_ms;      /* commands are not sent before; 0 = they may be */
    bool waits_to_cut;          /* the same, until the bot's commands are accepted */
    bool bot_owes;              /* the bot does, too */
    int64_t offered_ms;         /* a draw, and no answer came; 0 = none is open */
    int64_t moved_ms;           /* when something happened last */
    struct relay_report before; /* the silence */
    bool has_failed;            /* the web service, by our trick */
    bool is_over;
    char ruleset[CHECK_WORD_MAX];
    uint32_t version;
    char *params;
    char *view;
};

struct checker {
    struct online online;
    struct own_daemon daemon;
    struct relay *relay;           /* of a command */
    struct service_relay *service; /* of a web service */
    struct checked_bot bot;
    const char *only; /* scenarios with this in their name; NULL = all */
    int64_t answer_ms;

    uint32_t ruleset; /* that is played, and its scenario */
    uint32_t scenario;
    struct check_game game;
    uint32_t submissions;
    char faults[CHECK_FAULTS_MAX][CHECK_FAULT_BYTES];
    uint32_t fault_count;
    uint32_t checks;
    uint32_t failed;
};

/* Plays on the daemon until all is checked; the status of the program. */
int checker_play(struct checker *checker);

#endif /* SK_CLI_CHECKER_H */
