/*
 * A match alone: no host, no store; time is a number given by the test.  Facts
 * are decoded from records; live play makes the same facts.
 *
 * Owner:   the test; board_close frees everything.
 */
#ifndef SK_TEST_MATCH_FIXTURE_H
#define SK_TEST_MATCH_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/core/registry.h"
#include "server/match/clock.h"
#include "server/match/read.h"
#include "server/match/resolve.h"

/* Two pikes that are too far apart to attack at once. */
#define BOARD_PIKES                                                                               \
    "{\"rows\":4,\"cols\":3,\"placement\":false,\"start_rows\":1,\"turn_limit\":20,"              \
    "\"patterns\":{\"step\":{\"rows\":[\" x \",\"x x\",\" x \"]},\"sweep\":{\"rows\":"            \
    "[\" o \",\"   \",\"   \"],\"map\":{\"o\":\"row\"}},\"row\":{\"rows\":[\"   \",\"xxx\","      \
    "\"   \"]}},\"models\":{\"pike\":{\"health\":20,\"power\":10,\"move\":[\"step\"],\"attack\":" \
    "[\"sweep\"]}},\"units\":[{\"id\":\"a1\",\"model\":\"pike\",\"seat\":0,\"at\":[1,3]},"        \
    "{\"id\":\"b1\",\"model\":\"pike\",\"seat\":1,\"at\":[1,0]}]}"

#define BOARD_REST  ",\"open\":true,\"rated\":true,\"spectator_delay\":0}"
#define BOARD_CLOCK "{\"clock\":true,\"turn_ms\":1000,\"bank_ms\":500" BOARD_REST
#define BOARD_CYCLE "{\"clock\":true,\"turn_ms\":1000,\"bank_ms\":0,\"cycle\":true" BOARD_REST
#define BOARD_NONE  "{\"clock\":false,\"bank_ms\":0" BOARD_REST

#define BOARD_ADA 11
#define BOARD_BOB 22

struct board {
    struct work work;
    struct match match;
    struct sk_turn turn; /* of the fact that was read last, if it is one */
};

static inline int64_t
board_now_us(const void *context)
{
    (void)context;
    return 0;
}

static inline struct store_match
board_row(const char *ruleset, const char *params, const char *settings)
{
    return (struct store_match){ .id = 7,
                                 .ruleset = (char *)(uintptr_t)ruleset,
                                 .version = 1,
                                 .params = (char *)(uintptr_t)params,
                                 .settings = (char *)(uintptr_t)settings,
                                 .seed = "seed",
                                 .salt = "salt" };
}

/* NULL, or what is wrong with the row.  `params` NULL: the ruleset's own. */
static inline const char *
board_try(struct board *board, const char *ruleset, const char *params, const char *settings)
{
    struct shared_config *config = NULL;
    struct store_match row;
    struct sk_fault fault;
    const char *trouble;

    *board = (struct board){ .work.now_us = board_now_us };
    work_init(&board->work, (size_t)1024 * 1024);
    if (params == NULL) {
        cr_assert_eq(config_from_json(&board->work, sk_registry_find(sk_text_of(ruleset), 1), NULL,
                                      &config, &fault),
                     SK_OK);
        params = config->params;
    }
    row = board_row(ruleset, params, settings);
    match_init(&board->match, row.id);
    trouble = match_begin(&board->work, &row, &board->match);
    config_release(&board->work, config);
    return trouble;
}

static inline void
board_close(struct board *board)
{
    match_fini(&board->work, &board->match);
    work_fini(&board->work);
}

static inline struct store_record
board_record(const struct board *board, enum store_record_kind kind, int32_t seat, const char *body)
{
    const struct sk_state *state = board->match.state;

    return (struct store_record){ .kind = kind,
                                  .turn = state == NULL ? STORE_NO_TURN : (int32_t)state->turn,
                                  .seat = seat,
                                  .command_id = (char *)(uintptr_t) "an-id",
                                  .body = (char *)(uintptr_t)body,
                                  .body_length = strlen(body) };
}

/* A record's fact; the caller ends it. */
static inline struct fact
board_fact(struct board *board, enum store_record_kind kind, int32_t seat, const char *body)
{
    struct store_record record = board_record(board, kind, seat, body);
    const char *trouble;
    struct fact fact;

    trouble = match_read(&board->work, &board->match, NULL, &record, &board->turn, &fact);
    cr_assert_null(trouble, "%s: %s", body, trouble);
    return fact;
}

/* Hands a fact in: it counts while it is under way, ... */
static inline struct fact
board_hand_in(struct board *board, enum store_record_kind kind, int32_t seat, const char *body,
              int64_t at_ms)
{
    struct fact fact = board_fact(board, kind, seat, body);

    match_hand_in(&board->match, &fact, at_ms);
    return fact;
}

/* ... and applies it: it is stored. */
static inline void
board_store(struct board *board, struct fact *fact, int64_t at_ms)
{
    match_apply(&board->work, &board->match, fact, at_ms);
    board->match.pending = NULL; /* owned by the fact */
    fact_fini(fact);
}

/* Both at once. */
static inline void
board_take(struct board *board, enum store_record_kind kind, int32_t seat, const char *body,
           int64_t at_ms)
{
    struct fact fact = board_hand_in(board, kind, seat, body, at_ms);

    board_store(board, &fact, at_ms);
}

/* Ada and Bob join; the first turn opens at at_ms. */
static inline void
board_open(struct board *board, const char *ruleset, const char *params, const char *settings,
           int64_t at_ms)
{
    cr_assert_null(board_try(board, ruleset, params, settings));
    board_take(board, RECORD_CREATED, STORE_NO_SEAT, "{}", at_ms);
    board_take(board, RECORD_JOINED, 0, "{\"player\":11,\"bot\":false,\"starts\":false}", at_ms);
    board_take(board, RECORD_JOINED, 1, "{\"player\":22,\"bot\":false,\"starts\":true}", at_ms);
}

/* The body of a submission. */
static inline const char *
board_sends(const char *commands, bool is_ready, int used_ms)
{
    static char text[20000];

    snprintf(text, sizeof(text), "{\"commands\":%s,\"verdicts\":[],\"ready\":%s,\"used_ms\":%d}",
             commands, is_ready ? "true" : "false", used_ms);
    return text;
}

/* Closes the turn; `given` may be NULL: nothing. */
static inline struct pending_turn *
board_closes(struct board *board, int64_t now_ms, uint32_t here, const uint32_t *given)
{
    static const uint32_t nothing[SK_SEATS_MAX];
    struct play_in in = { .seat = SK_SPECTATOR,
                          .now_ms = now_ms,
                          .here = here,
                          .given = given == NULL ? nothing : given };

    return match_close(&board->work, &board->match, &in);
}

/* Closes, stores and applies the turn; returns its effect on the clocks. */
static inline void
board_plays(struct board *board, int64_t now_ms, uint32_t here)
{
    struct fact fact = { .kind = RECORD_TURN, .pending = board_closes(board, now_ms, here, NULL) };

    cr_assert_not_null(fact.pending);
    match_hand_in(&board->match, &fact, now_ms);
    board_store(board, &fact, now_ms);
}

#endif /* SK_TEST_MATCH_FIXTURE_H */
