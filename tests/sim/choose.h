/*
 * Shared by choose.c, story.c, scene.c and talk.c: chance, and the parameters
 * of a run.
 */
#ifndef SK_SIM_CHOOSE_H
#define SK_SIM_CHOOSE_H

#include "tests/sim/sim.h"

/* The parameters of a run: per mille, or relative weights. */
struct taste {
    uint32_t op_count;
    bool is_begun; /* starts with a match that has its players */

    /* How often things fail. */
    uint32_t fail;       /* of transactions, ... */
    uint32_t fail_ends;  /* ... and of those in which something is offered or ends, */
    uint32_t fail_start; /* ... and of the first jobs of a process */
    uint32_t full;       /* weight of a full store */
    uint32_t crash;      /* weight */
    uint32_t drop;       /* weight of a client that disconnects */
    uint32_t vanish;     /* of frames: the sender is gone when it arrives */
    uint32_t down;       /* weight of reading */
    uint32_t hurry;      /* of waits that are long, ... */
    uint32_t days;       /* ... and of the long ones, those of days */
    uint32_t damage;     /* weight of matches that are no longer readable */
    uint32_t malformed;  /* of frames */
    uint32_t small;      /* of outboxes that are soon full */

    /* What is played. */
    uint32_t matches;  /* that are created at most; pairs and rematches may add some */
    uint32_t delayed;  /* of matches: spectators are delayed, */
    uint32_t cycles;   /* every turn takes the same time, */
    uint32_t others;   /* it is another ruleset than tactics, */
    uint32_t by_turns; /* it is one whose seats take turns, */
    uint32_t hidden;   /* it is private */
    uint32_t clocks;   /* of matches without cycles: they have a clock */
    uint32_t decided;  /* the params decide it at once, */
    uint32_t threes;   /* it has three seats, and waits with two players, */
    uint32_t bots;     /* a bot has the second seat */

    /* Frames: about a match or in the lobby; of players, as weights relative to 300 for
     * commands. */
    uint32_t lobby;
    uint32_t watches; /* of those who do not play */
    uint32_t turns;   /* weight of whole turns, by all players, */
    uint32_t returns; /* and of everybody reconnecting */
    uint32_t withdraws;
    uint32_t draws;
    uint32_t ends;
    uint32_t claims;
    uint32_t leaves;
    uint32_t rematches; /* of those who know a finished match, per mille */
    uint32_t resumes;
    uint32_t full_lists;
    uint32_t asides; /* chat and the like */

    /* Scenes: weights. */
    uint32_t quarrels;
    uint32_t bad_starts;
    uint32_t breaks;
    uint32_t looks_back;
    uint32_t full_leaves;
    uint32_t bad_rematches;
    uint32_t short_stays;

    uint32_t moves; /* weight of matches that go to another node, or come back */
};

struct chooser {
    struct sim *sim;
    struct taste taste;
};

uint32_t below(struct sim *sim, uint32_t bound);
bool happens(struct sim *sim, uint32_t of_thousand);
const char *one_of(struct sim *sim, const char *const *texts, size_t count);

#define ONE_OF(sim, texts) one_of(sim, texts, SK_COUNT_OF(texts))

/* A random one, by weight. */
size_t draw_weight(struct sim *sim, const uint32_t *weights, size_t count);

/* A match that is stored, or rarely one that is not. */
int64_t any_match(struct sim *sim);

void act(struct sim *sim, enum op_kind kind, int64_t a, int64_t b);

/* ---- story.c ----------------------------------------------------------------------------- */

/* Drawn first: the kind of this run. */
struct taste draw_taste(struct sim *sim);

/* ---- scene.c ----------------------------------------------------------------------------- */

/* Everybody connects, and the first match gets its players and spectators. */
void begin_match(struct chooser *chooser);

/* All players of a match send their commands, and usually the turn is resolved. */
bool play_turn(struct chooser *chooser);

/* The next step of a client that is not connected: connect, hello, or resume. */
bool come_back(struct chooser *chooser);

/* A draw is offered and agreed to, a player resigns or plays on; the store may fail at each
 * step. */
bool quarrel(struct chooser *chooser);

/* The process dies, and clients ask the next one for matches before the store has listed them. */
bool start_badly(struct chooser *chooser);

/* A match becomes unreadable while commands are under way and players ask for it. */
bool break_while_busy(struct chooser *chooser);

/* A client resumes a match from its first frame on. */
bool look_back(struct chooser *chooser);

/* A player resigns after sending a full list of commands. */
bool leave_with_full_list(struct chooser *chooser);

/* All who know a finished match want a rematch, while a new process is still loading. */
bool ask_again_while_loading(struct chooser *chooser);

/* A player joins and leaves again while others wait, and a spectator resumes. */
bool sit_and_leave(struct chooser *chooser);

/* ---- talk.c ------------------------------------------------------------------------------ */

/* A client sends a frame; false if the drawn client has nothing to send. */
bool talk(struct chooser *chooser);

void say_hello(struct sim *sim, int number);
void say_create(struct chooser *chooser, int number);
void say_join(struct sim *sim, int number, int64_t match);
void say_resume(struct sim *sim, int number, int64_t match);
void say_resume_from(struct sim *sim, int number, int64_t match, int32_t seq);
void say_full_list(struct sim *sim, int number, int64_t match);
void say_resign(struct sim *sim, int number, int64_t match);
void say_of_match(struct sim *sim, int number, const char *type, int64_t match);

/* Commands out of the last hints, which are requested first.  `ready`: "" or the member. */
void say_submit(struct sim *sim, int number, int64_t match, const char *ready);
bool needs_hints(const struct known_match *known);
void say_hints(struct sim *sim, int number, int64_t match);

#endif /* SK_SIM_CHOOSE_H */
