/*
 * What choose.c, story.c, scene.c and talk.c share: chance, and what a run is like.
 */
#ifndef SK_SIM_CHOOSE_H
#define SK_SIM_CHOOSE_H

#include "tests/sim/sim.h"

/* What a run is like: in parts of a thousand, or as weights beside others. */
struct taste {
    uint32_t op_count;
    bool is_begun; /* with a match that has its players */

    /* How bad the world is. */
    uint32_t fail;       /* of transactions, ... */
    uint32_t fail_ends;  /* ... and of those in which something is offered or ends, */
    uint32_t fail_start; /* ... and of what a process asks for first */
    uint32_t full;       /* weight of a store that takes no more */
    uint32_t crash;      /* weight */
    uint32_t drop;       /* weight of letting go */
    uint32_t vanish;     /* of frames: who sent it is gone when it arrives */
    uint32_t down;       /* weight of reading */
    uint32_t hurry;      /* of waits that are long, ... */
    uint32_t days;       /* ... and of the long ones, those of days */
    uint32_t damage;     /* weight of matches that are no longer readable */
    uint32_t malformed;  /* of frames */
    uint32_t small;      /* of outboxes that are soon full */

    /* What is played. */
    uint32_t matches;  /* that are created at most; pairs and rematches may add some */
    uint32_t delayed;  /* of matches: spectators are behind, */
    uint32_t cycles;   /* every turn takes the same time, */
    uint32_t others;   /* it is another ruleset than tactics, */
    uint32_t by_turns; /* it is one whose seats take turns, */
    uint32_t hidden;   /* one has to know the code */
    uint32_t clocks;   /* of matches without cycles: they have one */
    uint32_t decided;  /* the params decide it at once, */
    uint32_t threes;   /* it is for three, and waits while two sit there, */
    uint32_t bots;     /* a bot has the second seat */

    /* What is said: of a match or in the lobby; by players, weights beside 300 of commands. */
    uint32_t lobby;
    uint32_t watches; /* by those who do not play */
    uint32_t turns;   /* weight of whole turns, by all at once, */
    uint32_t returns; /* and of everybody's coming back */
    uint32_t withdraws;
    uint32_t draws;
    uint32_t ends;
    uint32_t claims;
    uint32_t leaves;
    uint32_t rematches; /* by those who know a match that is over, of thousand */
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
};

struct chooser {
    struct sim *sim;
    struct taste taste;
};

uint32_t below(struct sim *sim, uint32_t bound);
bool happens(struct sim *sim, uint32_t of_thousand);
const char *one_of(struct sim *sim, const char *const *texts, size_t count);

#define ONE_OF(sim, texts) one_of(sim, texts, SK_COUNT_OF(texts))

/* One of them, as often as its weight says. */
size_t draw_weight(struct sim *sim, const uint32_t *weights, size_t count);

/* A match that is stored, or rarely one that is not. */
int64_t any_match(struct sim *sim);

void act(struct sim *sim, enum op_kind kind, int64_t a, int64_t b);

/* ---- story.c ----------------------------------------------------------------------------- */

/* What is drawn first: of what kind this run is. */
struct taste draw_taste(struct sim *sim);

/* ---- scene.c ----------------------------------------------------------------------------- */

/* Everybody comes, and the first match has its players and spectators. */
void begin_match(struct chooser *chooser);

/* All players of a match send what they are to, and mostly it is resolved. */
bool play_turn(struct chooser *chooser);

/* Who is not there connects, says hello, or asks for what was missed: the next of these. */
bool come_back(struct chooser *chooser);

/* A draw is offered and agreed to, somebody resigns or plays on; the store may fail each time. */
bool quarrel(struct chooser *chooser);

/* The process dies, and is not told what there is: who is back asks for matches before it is. */
bool start_badly(struct chooser *chooser);

/* A match can no longer be read while players' commands are on their way and they ask for it. */
bool break_while_busy(struct chooser *chooser);

/* Somebody asks for a match from its first frames on. */
bool look_back(struct chooser *chooser);

/* A player resigns who has sent as many commands as there may be. */
bool leave_with_full_list(struct chooser *chooser);

/* All who know a match that is over want to play it again, while a new process still loads. */
bool ask_again_while_loading(struct chooser *chooser);

/* Somebody sits down and leaves again while others wait, and a spectator asks for what was told. */
bool sit_and_leave(struct chooser *chooser);

/* ---- talk.c ------------------------------------------------------------------------------ */

/* A client says something; false when the one that was drawn has nothing to say. */
bool talk(struct chooser *chooser);

void say_hello(struct sim *sim, int number);
void say_create(struct chooser *chooser, int number);
void say_join(struct sim *sim, int number, int64_t match);
void say_resume(struct sim *sim, int number, int64_t match);
void say_resume_from(struct sim *sim, int number, int64_t match, int32_t seq);
void say_full_list(struct sim *sim, int number, int64_t match);
void say_resign(struct sim *sim, int number, int64_t match);
void say_of_match(struct sim *sim, int number, const char *type, int64_t match);

/* Commands that the last hints named; they are asked for first.  `ready`: "" or the member. */
void say_submit(struct sim *sim, int number, int64_t match, const char *ready);
bool needs_hints(const struct known_match *known);
void say_hints(struct sim *sim, int number, int64_t match);

#endif /* SK_SIM_CHOOSE_H */
