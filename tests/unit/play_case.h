/*
 * Cases about turns of snarl: a drawn position, the seats' lists, and the
 * result: events, verdicts, position, outcome, number of turns.
 */
#ifndef SK_TEST_PLAY_CASE_H
#define SK_TEST_PLAY_CASE_H

#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/say.h"
#include "tests/support/snarl_draw.h"

struct play_case {
    const char *label;
    struct dungeon dungeon;
    const char *lists[SK_SEATS_MAX];
    const char *gets[SK_SEATS_MAX]; /* NULL = nothing was sent */
    const char *events;
    const char *after;
    const char *outcome; /* NULL = goes on */
    uint32_t turns;
};

#define IDLE   .options = "'adversaries':'idle'"
#define VERSUS .options = "'mode':'versus'"

/* Key, exit and a zombie that does not move. */
#define ROOM  .levels = "#######/#A.k.z#/#..B.x#/#######"
#define TWO   ROOM "|#####/#B.A#/#.x.#/#####"
#define ALONE .levels = "######/#A.kx#/#..z.#/######"

static inline void
expect_words(struct words *words, const char *expected, const char *label, const char *what)
{
    cr_expect_str_eq(words->at, expected, "%s: %s: %s", label, what, words->at);
    words_clear(words);
}

static inline void
expect_play(const struct play_case *c)
{
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    dungeon_play(&table, c->lists, &words);
    expect_words(&words, c->events, c->label, "events");
    for (uint8_t seat = 0; seat < table.turn.seat_count; seat++) {
        dungeon_say_verdicts(&table, seat, &words);
        expect_words(&words, c->gets[seat] == NULL ? "" : c->gets[seat], c->label, "verdicts");
    }
    dungeon_say_position(&table, table.match.state, &words);
    expect_words(&words, c->after, c->label, "position");
    say_outcome(&table, table.match.state, &words);
    expect_words(&words, c->outcome == NULL ? "goes on" : c->outcome, c->label, "outcome");
    cr_expect_eq(table.match.state->turn, c->dungeon.turn + c->turns, "%s: turn %u", c->label,
                 table.match.state->turn);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&words);
}

#endif /* SK_TEST_PLAY_CASE_H */
