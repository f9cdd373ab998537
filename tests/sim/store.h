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

enum match_owner {
    OWNER_THIS, /* the host that is simulated */
    OWNER_OTHER,
    OWNER_NONE
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

    /* Where several nodes share the database. */
    enum match_owner owner;
    bool is_stale;           /* what the host has in memory is of an earlier owner ... */
    bool is_behind;          /* ... and lacks records of the one after it */
    int64_t stopped_at_ms;   /* wall clock; 0: its clocks did not stop since the last record ... */
    int64_t claimed_at_ms;   /* ... and until then, ... */
    int64_t claimed_skew_ms; /* ... by a clock that was set so far */
};

struct fake_store {
    struct store_port port; /* first */
    struct sim *sim;
    struct stored_player players[STORE_PLAYERS_MAX];
    uint32_t player_count;
    struct stored_match matches[STORE_MATCHES_MAX + 1]; /* by id */
    uint32_t match_count;
    int64_t beat_ms; /* wall clock; 0 = none */
    int64_t leased_until_ms;
    struct store_job *waiting;
    uint32_t waiting_count;
    uint32_t apart_count; /* jobs that were not in order */
    struct store_job *done;
    uint32_t done_count;
    uint32_t full;   /* this many of the next jobs are refused */
    uint32_t failed; /* jobs that the host knows of so far */
    bool is_gone;    /* the process dies: all are refused */
    bool is_dead;    /* other nodes have declared this one dead: the next beat says so */
};

void fake_store_init(struct fake_store *store, struct sim *sim);
void fake_store_fini(struct fake_store *store);

/* One transaction of up to `count` jobs; `fails`: it is rolled back. */
void fake_store_work(struct fake_store *store, uint32_t count, bool fails);

/* The next job that is done, or NULL. */
struct store_job *fake_store_take(struct fake_store *store);

/* Any job that has not come back, as failed: the process dies. */
struct store_job *fake_store_lose(struct fake_store *store);

/* ---- several nodes ----------------------------------------------------------------------- */

/* A new process begins: the matches of the one before are without a node. */
void fake_store_restart(struct fake_store *store);

/* This node is declared dead, and another one takes the match; `stores`: its clock record, too. */
void fake_store_take_away(struct fake_store *store, struct stored_match *match, bool stores);

/* The other node is dead, too. */
void fake_store_give_back(struct stored_match *match);

/* JOB_BEAT, JOB_CLAIM, JOB_RELEASE and JOB_QUEUE. */
enum store_result fake_store_beat(struct fake_store *store, const struct store_job *job);
enum store_result fake_store_claim(struct fake_store *store, struct store_job *job);
enum store_result fake_store_queue(struct fake_store *store, struct store_job *job);
enum store_result fake_store_release(struct fake_store *store);

/* A load claims the match; returns false if another node has it. */
bool stored_claim(const struct fake_store *store, struct stored_match *match,
                  struct store_job *job);

/* The first record after a change of owner must say by how much the clocks have moved. */
void stored_check_shifted(const struct fake_store *store, const struct stored_match *match,
                          const struct store_job *job);

/* ---- looking ----------------------------------------------------------------------------- */

/* NULL when there is none. */
struct stored_match *fake_store_match(struct fake_store *store, int64_t id);

/* The record that has this number on the wire, from 1. */
const struct store_record *stored_public(const struct stored_match *match, int32_t seq);
const struct store_record *stored_command(const struct stored_match *match, int32_t seat,
                                          const char *command_id);
bool stored_is_unfinished(const struct stored_match *match);
int stored_seat_of(const struct stored_match *match, int64_t player);
bool stored_is_public(enum store_record_kind kind);

/* ---- of the store's own files ------------------------------------------------------------ */

void stored_copy_record(struct store_record *to, const struct store_record *from);
enum store_result fake_store_find(struct fake_store *store, struct store_job *job);
void stored_append(struct fake_store *store, struct stored_match *match,
                   const struct store_record *record);

#endif /* SK_SIM_STORE_H */
