/*
 * work - a random workload on the real store, and a model of the expected
 * result.
 *
 * A life is what the store does between two openings.  Its steps are drawn
 * from a seed and handed over in bursts; a burst is one group of the store,
 * so that the same seed writes the same.  Steps come back in order, so after
 * a loss of power the database must be exactly as after the first K steps of
 * the life, where K is not less than what was acknowledged.
 *
 * Owner:   the caller; work_fini frees.
 * Threads: the caller's is the loop.
 */
#ifndef SK_CRASH_WORK_H
#define SK_CRASH_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"
#include "tests/crash/chance.h"

#define WORK_DATABASE    "matches.db"
#define WORK_OLD_PLAYERS 5 /* in a database of an older program */

struct work_record {
    enum store_record_kind kind;
    int32_t turn;
    int32_t seat;
    char command_id[24]; /* "" = none */
    char *body;
    int64_t at_ms;
};

struct work_match {
    struct work_record *records; /* by seq - 1 */
    uint32_t count;
    uint32_t space;
    uint32_t count_before; /* this life */
};

/* Counts after a step. */
struct work_step {
    uint32_t players;
    uint32_t matches;
    uint32_t match;   /* index of the match that got records ... */
    uint32_t records; /* ... and how many it has then; 0 = none did */
};

struct work {
    uint32_t player_count;
    struct work_match *matches; /* by id - 1 */
    uint32_t match_count;
    struct work_step before; /* this life */
    struct work_step *steps; /* of this life */
    uint32_t step_count;
    uint32_t step_space;
    uint32_t acknowledged; /* of these */
};

void work_init(struct work *work);
void work_fini(struct work *work);

/* A database as the first migration left it, with players, its log not brought in. */
void work_make_old(struct work *work, const char *folder);

/* Opens the store in the folder, does random steps, and closes it. disk_mark notes how many
 * steps were acknowledged.  Returns false, with a message, on a fault. */
bool work_live(struct work *work, struct chance *chance, const char *folder);

/* Before the next life: forgets all but the first `count` steps of this one. */
void work_cut(struct work *work, uint32_t count);

/* The counts after the first `count` steps; `ret_records`, by match, is large enough for all. */
struct work_step work_after(const struct work *work, uint32_t count, uint32_t *ret_records);

/* Whether one of the first `count` records is of this kind. */
bool work_has(const struct work_match *match, uint32_t count, enum store_record_kind kind);

/* A player's name and token. */
void work_player(uint32_t number, char ret_name[24], uint8_t ret_token_hash[STORE_HASH_BYTES]);

/* A line to standard output; returns false. */
bool work_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on lines are counted instead of printed, for a control run. */
void work_be_quiet(bool is_quiet);

#endif /* SK_CRASH_WORK_H */
