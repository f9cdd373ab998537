/*
 * bots - matches between the bots that ship, without sockets or a database.
 *
 * Each turn a bot gets exactly what a client would: the params, its seat's view
 * and its seat's hints as JSON text.  Its answer is read as the daemon reads a
 * submission.
 *
 * Owner:   the caller; bots_close frees everything.
 * Threads: one at a time; several games may be played in parallel.
 */
#ifndef SK_TEST_BOTS_H
#define SK_TEST_BOTS_H

#include "server/bot/bot.h"
#include "tests/support/table.h"

struct bots_game {
    struct table table;
    char *params;
    struct sk_arena arena;
    struct bot_desk *desk;
    struct command_list commands[SK_SEATS_MAX];
    enum bot_level levels[SK_SEATS_MAX];
    uint64_t seed;
    uint32_t budget_ms;
    uint32_t wait_ms;

    uint32_t asked;   /* questions so far */
    uint32_t given;   /* commands in the answers */
    uint32_t refused; /* commands refused by the ruleset's checks: must be none */
};

/* `params` is JSON with ' for ", or NULL for the default.  Refused params end the program. */
void bots_open(struct bots_game *game, const struct sk_ruleset *ruleset, const char *params,
               uint64_t seed);

/* The same with a form of the ruleset's params. */
void bots_open_form(struct bots_game *game, const struct sk_ruleset *ruleset, const void *form,
                    uint64_t seed);
void bots_close(struct bots_game *game);

/* The question of a seat, and how to free its texts. */
struct bot_question bots_question(struct bots_game *game, uint8_t seat);
void bots_question_fini(struct bot_question *question);

/* Asks every seat that owes, and plays their answers. */
void bots_play_turn(struct bots_game *game);

/* Plays to the end of the match; returns its outcome. */
struct sk_outcome bots_play(struct bots_game *game);

#endif /* SK_TEST_BOTS_H */
