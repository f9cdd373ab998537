/*
 * A store in memory behind the host's port, which does as the real one does
 * (server/store/store.h), only when it is told: jobs wait until `work`
 * commits some of them together or fails them together, and stay with it
 * until `take`.  What is not committed is lost when the process dies.
 *
 * What it holds is the truth that everything shown is compared with.
 *
 * Owner:   struct sim's.
 */
#ifndef SK_SIM_STORE_H
#define SK_SIM_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/host/store_port.h"

#define STORE_MATCHES_MAX 64
#define STORE_PLAYERS_MAX 128

struct sim;

struct stored_player {
    int64_t id;
    char *name;
    bool is_bot;
    char *bot; /* NULL: who has the token plays */
    uint8_t token_hash[STORE_HASH_BYTES];
};

struct stored_match {
    struct store_match row; /* id 0: there is none */
    struct store_seat seats[STORE_SEATS_MAX];
    struct store_record *records;
    uint32_t record_count;
    uint32_t record_room;
    uint32_t public_count; /* records with a number on the wire */
    uint32_t turn_count;   /* turns resolved */
    int64_t bank_ms[STORE_SEATS_MAX];
    bool has_clock;
    bool is_cycle; /* every turn takes all of its time */
    int64_t turn_ms;
    int32_t spectator_delay;
    bool is_corrupt;
    bool is_broken;   /* nothing more can be appended, ... */
    bool was_refused; /* ... and the host knows it */
    bool has_failed;
    uint32_t failed_generation;
};

struct fake_store {
    struct store_port port; /* first */
    struct sim *sim;
    struct stored_player players[STORE_PLAYERS_MAX];
    uint32_t player_count;
    struct stored_match matches[STORE_MATCHES_MAX + 1]; /* by id */
    uint32_t match_count;
    int64_t beat_ms; /* wall clock; 0 = none */
    struct store_job *waiting;
    uint32_t waiting_count;
    uint32_t apart_count; /* jobs that were not in order */
    struct store_job *done;
    uint32_t done_count;
    uint32_t full;   /* this many of the next jobs are refused */
    uint32_t failed; /* jobs that the host knows of so far */
    bool is_gone;    /* the process dies: all are refused */
};

void fake_store_init(struct fake_store *store, struct sim *sim);
void fake_store_fini(struct fake_store *store);

/* One transaction of up to `count` jobs; `fails`: it is rolled back. */
void fake_store_work(struct fake_store *store, uint32_t count, bool fails);

/* The next job that is done, or NULL. */
struct store_job *fake_store_take(struct fake_store *store);

/* Any job that has not come back, as failed: the process dies. */
struct store_job *fake_store_lose(struct fake_store *store);

/* NULL when there is none. */
struct stored_match *fake_store_match(struct fake_store *store, int64_t id);

/* The record that has this number on the wire, from 1. */
const struct store_record *stored_public(const struct stored_match *match, int32_t seq);
const struct store_record *stored_command(const struct stored_match *match, int32_t seat,
                                          const char *command_id);
int stored_seat_of(const struct stored_match *match, int64_t player);
bool stored_is_public(enum store_record_kind kind);

/* ---- of the store's own files ------------------------------------------------------------ */

void stored_copy_record(struct store_record *to, const struct store_record *from);
void stored_append(struct fake_store *store, struct stored_match *match,
                   const struct store_record *record);

#endif /* SK_SIM_STORE_H */
