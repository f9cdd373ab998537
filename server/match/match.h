/*
 * match - a live match as a value.
 *
 * Holds everything about a match that is being played or replayed: its rules,
 * players, state, what was submitted for the open turn, clocks, an open draw
 * offer.  It knows no session, store, socket or clock.  Time is an argument:
 * monotonic in live play, the records' wall clock while reading (match_go_on
 * switches from one to the other).
 *
 * Three things exist twice, because they count before they are stored: a seat's
 * submission (latest, stored), the draw offer (offer_next, offer) and the state
 * (pending, state).
 *
 * A header in this folder that does not say otherwise means what this one says:
 *
 * Owner:   the struct that embeds the match; match_fini frees what it holds.
 * Threads: none of its own; one thread at a time.
 */
#ifndef SK_LIVE_MATCH_H
#define SK_LIVE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/rng.h"
#include "common/core/turn.h"
#include "proto/frames.h"
#include "server/match/work.h"

#define MATCH_COMMAND_ID_MAX 64
#define MATCH_HEAD_BYTES     32
#define MATCH_EXPIRED        "expired" /* why a match ended that nobody joined */

/* What a seat wants for the current turn; one block with all that it points to. */
struct submission {
    uint32_t references; /* held by the seat's slots and by the store job */
    uint32_t count;
    bool is_ready;
    bool is_refused; /* a verdict is not ok; false for a loaded submission */
    int64_t used_ms; /* how long the seat had thought when it arrived */
    char command_id[MATCH_COMMAND_ID_MAX + 1];
    struct sk_text commands; /* JSON text of the list */
    struct sk_text verdicts; /* JSON text of the list */
    const void *at;          /* `count` structs of the ruleset's */

    /* `count` of them, from sk_turn_check on the match's state, which does not change while a seat
     * has a submission.  NULL for loaded submissions and for lists that were played. */
    const struct sk_judgement *judgements;
};

/* What submission_alloc copies. */
struct submission_parts {
    struct sk_text command_id;
    const struct sk_list *commands;
    const struct sk_value *said; /* the commands' JSON */
    const struct sk_judgement *judgements;
    struct sk_text verdicts;
};

struct seat {
    int64_t player; /* 0 = free */
    char name[FRAME_PLAYER_NAME_MAX + 1];
    bool is_bot;
    bool is_unrated;           /* the player did not ask for a private match to be rated */
    struct submission *latest; /* the newest, perhaps not stored yet */
    struct submission *stored; /* the newest that is stored, or NULL */
    uint32_t sent;             /* submissions and withdrawals in this turn, since server start */
    uint32_t offers;           /* draws that the seat has offered in this turn, stored */
    uint32_t offers_next;      /* the same once all records under way are stored */
    int64_t bank_ms;
    int64_t going_ms; /* time used in earlier turns of this clock: see clock_goes_on */
    int64_t used_ms;  /* time used in this turn; while is_running ... */
    int64_t since_ms; /* ... the time since `since_ms` is added */
    bool is_running;  /* the seat owes and is not ready */
    uint32_t missed;  /* deadlines missed in a row while away */
};

struct match_clock {
    bool has_turn; /* a limit per turn, and a bank for what goes beyond it */
    bool is_cycle; /* every turn takes its full time, even if all are ready */
    int64_t turn_ms;
    int64_t bank_ms;
};

/* What a turn does to a seat's clock. */
struct clock_step {
    int64_t used_ms;  /* in this turn */
    int64_t bank_ms;  /* left after it */
    int64_t going_ms; /* used so far, if the clock continues with the next turn */
    uint32_t missed;  /* deadlines missed in a row while away, including this one */
};

/* A turn that is resolved but not stored yet. */
struct pending_turn {
    struct pending_turn *next;               /* of the same list of commands, stored together */
    uint32_t turn;                           /* its number */
    struct sk_state *state;                  /* after it; in the same block */
    char *failures;                          /* JSON: see room_failures_text; NULL: none */
    char *texts;                             /* where the following lie */
    struct sk_text commands[SK_SEATS_MAX];   /* JSON as used, for the record */
    struct sk_text verdicts[SK_SEATS_MAX];   /* JSON for each seat */
    struct sk_text events[SK_SEATS_MAX + 1]; /* for each audience; last: spectators */
    struct sk_text all_events;               /* JSON, for the record */
    struct clock_step clocks[SK_SEATS_MAX];
    bool clock_goes_on;
    int64_t cpu_us;                   /* of the thread, for the whole list; first turn only */
    uint32_t given[SK_SEATS_MAX];     /* commands from the host that were used; first turn only */
    char hash[FRAME_HASH_DIGITS + 1]; /* of the new state */
};

enum match_status {
    MATCH_IS_NOT_THERE, /* not read yet */
    MATCH_WAITS,
    MATCH_RUNS,
    MATCH_ENDED
};

struct match {
    int64_t id;
    enum match_status status;
    const struct sk_ruleset *ruleset;
    struct shared_config *config;
    struct sk_seed seed;
    struct sk_seed salt;
    int64_t created_by; /* who created a match without taking a seat, or 0 */
    bool is_open;
    bool is_rated;
    int32_t spectator_delay;
    struct match_clock clock;
    uint8_t seat_count;
    struct seat seats[SK_SEATS_MAX];
    struct sk_state *state; /* NULL before the match begins */
    size_t state_size;
    char last_hash[FRAME_HASH_DIGITS + 1]; /* of the current state */
    uint8_t head[MATCH_HEAD_BYTES];        /* of the record chain, once the match is over */
    uint32_t seq;                          /* of the last public record */
    uint32_t snapshot_turn;                /* of the newest snapshot; 0 = none */
    int offer;                             /* the seat that offers a draw, or -1 */
    int offer_next;                        /* the same once all records under way are stored */
    struct pending_turn *pending;          /* not NULL = the turn is closed */
    int64_t opened_ms;                     /* when the current turn opened */
    int64_t deadline_ms;                   /* 0 = none */
};

void match_init(struct match *match, int64_t id);
void match_fini(struct work *work, struct match *match);

/* The seats that the rules wait for, as bits; and whether the seat is one of them. */
uint32_t match_owing(const struct match *match);
bool match_owes(const struct match *match, uint8_t seat);

/* True if a bot plays, or a player did not ask for a private match to be rated.  Such a match is
 * not rated. */
bool match_is_unrated(const struct match *match);
void seat_set(struct seat *seat, int64_t player, const char *name, bool is_bot);

/* With one reference. */
struct submission *submission_alloc(const struct sk_ruleset *ruleset,
                                    const struct submission_parts *parts);
void submission_free(struct submission *submission);

/* A turn that was resolved: its state and hash.  pending_keep_texts adds the rest. */
struct pending_turn *pending_alloc(const struct match *match, struct sk_turn *turn);
void pending_free(struct pending_turn *pending); /* and those after it */

#endif /* SK_LIVE_MATCH_H */
