/*
 * racers: active grenades are in nobody's view.
 *
 * Plays random matches; at each position the active grenades are moved
 * elsewhere, and everything sent to an audience must be the same bytes.
 * Afterwards too, as long as nobody runs into one.
 */
#include <stdlib.h>
#include <string.h>

#include "common/rules/racers/internal.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "tests/support/cases.h"
#include "tests/support/racers_random.h"
#include "tests/support/table.h"

#define MATCHES   30
#define TURNS     60
#define BYTES_MAX (1024u * 1024u)

static const uint8_t audiences[] = { 0, 1, SK_SPECTATOR };

/* One match, played twice: `hidden` differs from the other in active grenades alone. */
struct pair {
    struct table table;
    struct table hidden;
    struct sk_rng rng;
    struct sk_arena arena;
    char *bytes[2];
    uint64_t seed;
    uint32_t differing; /* positions in which the two were not the same */
};

/* ---- what an audience gets --------------------------------------------------------------- */

static void
say_view(struct pair *pair, struct table *table, const struct sk_state *state, uint8_t audience,
         struct sk_json_out *out)
{
    cr_assert_eq(sk_view_write(out, table->ruleset, table->config, state, audience, table->view,
                               &pair->arena),
                 SK_OK);
}

struct saying_sink {
    struct sk_hint_sink sink;
    struct sk_json_out *out;
    const struct sk_variants *variants;
};

static bool
say_hint(struct sk_hint_sink *sink, const void *command)
{
    struct saying_sink *saying = (struct saying_sink *)(void *)sink;

    sk_variants_write(saying->out, saying->variants, command, 1);
    return true;
}

static void
say_hints(struct table *table, uint8_t seat, struct sk_json_out *out)
{
    struct saying_sink saying = { { .take = say_hint }, out, table->ruleset->command };

    table->ruleset->hints(table->config, table_look(table, seat), seat, &saying.sink);
}

static void
say_judgement(struct table *table, uint8_t seat, struct racers_command command,
              struct sk_json_out *out)
{
    table->turn.before = table->match.state;
    table->turn.commands[seat] = (struct sk_commands){ &command, 1 };
    sk_turn_check(&table->turn, seat);
    sk_verdicts_write(out, &table->turn, seat);
}

/* The verdict of every command that there is. */
static void
say_judgements(struct table *table, uint8_t seat, struct sk_json_out *out)
{
    for (uint8_t kind = RACERS_MOVE; kind <= RACERS_END_TURN; kind++) {
        for (uint8_t dir = 0; dir <= RACERS_DIRECTIONS; dir++) {
            for (uint8_t item = 0; item < RACERS_ITEM_KINDS; item++) {
                say_judgement(table, seat,
                              (struct racers_command){ .head = { kind },
                                                       .dir = dir % RACERS_DIRECTIONS,
                                                       .has_dir = dir < RACERS_DIRECTIONS,
                                                       .item = item,
                                                       .confirm = item == 0 },
                              out);
            }
        }
    }
}

static void
say_guess(struct pair *pair, struct table *table, uint8_t seat, struct sk_json_out *out)
{
    struct sk_seed seed = table_seed(7);
    struct sk_state *guess = calloc(1, table->turn.sizes.state);
    void *form;
    size_t mark = pair->arena.used;

    table->ruleset->guess(table->config, table_look(table, seat), &seed, guess);
    form = sk_arena_take(&pair->arena, table->ruleset->state->size);
    cr_assert_eq(table->ruleset->state_form(table->config, guess, &pair->arena, form), SK_OK);
    sk_form_write(out, table->ruleset->state, form);
    pair->arena.used = mark;
    free(guess);
}

static void
say_all(struct pair *pair, struct table *table, uint8_t audience, struct sk_json_out *out)
{
    sk_json_begin_list(out);
    say_view(pair, table, table->match.state, audience, out);
    if (audience != SK_SPECTATOR && !table->match.state->outcome.is_over) {
        say_hints(table, audience, out);
        say_judgements(table, audience, out);
        say_guess(pair, table, audience, out);
    }
    sk_json_end_list(out);
}

static void
expect_same_bytes(struct pair *pair, const struct sk_json_out out[2], uint8_t audience,
                  const char *what)
{
    cr_assert(sk_json_out_is_whole(&out[0]) && sk_json_out_is_whole(&out[1]));
    cr_expect(out[0].used == out[1].used && memcmp(out[0].at, out[1].at, out[0].used) == 0,
              "seed %u, turn %u, audience %u: %s differs:\n%.*s\n%.*s", (unsigned)pair->seed,
              pair->table.match.state->turn, audience, what, (int)out[0].used, out[0].at,
              (int)out[1].used, out[1].at);
}

static void
expect_same_position(struct pair *pair)
{
    struct table *tables[2] = { &pair->table, &pair->hidden };

    for (uint32_t i = 0; i < SK_COUNT_OF(audiences); i++) {
        struct sk_json_out out[2];

        for (uint32_t j = 0; j < 2; j++) {
            sk_json_out_init(&out[j], pair->bytes[j], BYTES_MAX);
            say_all(pair, tables[j], audiences[i], &out[j]);
        }
        expect_same_bytes(pair, out, audiences[i], "the position");
    }
}

/* Events and the view after them, as the turn's frame has them. */
static void
expect_same_turn(struct pair *pair)
{
    struct table *tables[2] = { &pair->table, &pair->hidden };

    for (uint32_t i = 0; i < SK_COUNT_OF(audiences); i++) {
        struct sk_json_out out[2];

        for (uint32_t j = 0; j < 2; j++) {
            sk_json_out_init(&out[j], pair->bytes[j], BYTES_MAX);
            sk_json_begin_list(&out[j]);
            sk_events_write_for(&out[j], &tables[j]->turn, audiences[i]);
            say_view(pair, tables[j], tables[j]->turn.after, audiences[i], &out[j]);
            sk_json_end_list(&out[j]);
        }
        expect_same_bytes(pair, out, audiences[i], "the turn");
    }
}

/* ---- hiding ------------------------------------------------------------------------------ */

static bool
is_active(const struct racers_item *item)
{
    return item->kind == RACERS_GRENADE && item->state == RACERS_ACTIVE;
}

/* Removes the active grenades and puts a random number of them elsewhere. */
static void
hide_elsewhere(struct pair *pair)
{
    const struct racers_config *config = pair->hidden.config;
    struct racers_position *position = racers_position(pair->hidden.match.state);
    uint32_t count = sk_rng_below(&pair->rng, 8);

    memcpy(pair->hidden.match.state, pair->table.match.state, pair->table.turn.sizes.state);
    for (uint32_t i = position->item_count; i > 0; i--) {
        if (is_active(&racers_items(config, position)[i - 1])) {
            racers_item_remove(config, position, i - 1);
        }
    }
    while (count-- > 0) {
        int32_t x = (int32_t)sk_rng_below(&pair->rng, config->cols);
        int32_t y = (int32_t)sk_rng_below(&pair->rng, config->rows);
        struct sk_cell cell = sk_cell(x, y);

        if (!racers_is_wall(config, position, cell) &&
            racers_racer_on(position, cell) == RACERS_NOBODY &&
            racers_grenade_on(config, position, cell) == RACERS_NOWHERE) {
            racers_item_add(
                config, position,
                (struct racers_item){ racers_spot(cell), RACERS_GRENADE, RACERS_ACTIVE });
        }
    }
    pair->differing += table_hash(&pair->table) != table_hash(&pair->hidden);
}

static bool
has_exploded(const struct sk_turn *turn)
{
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        if (event->kind == RACERS_EVENT_EXPLODED) {
            return true;
        }
    }
    return false;
}

/* ---- playing ----------------------------------------------------------------------------- */

static void
play_turn(struct pair *pair)
{
    struct command_list lists[RACERS_SEATS];
    const struct command_list *pointers[SK_SEATS_MAX] = { &lists[0], &lists[1] };

    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        commands_init(&lists[seat], pair->table.ruleset);
        table_draw_commands(&pair->table, &pair->rng, &habits_orderly, seat, &lists[seat]);
    }
    hide_elsewhere(pair);
    expect_same_position(pair);
    table_resolve(&pair->hidden, pointers);
    table_resolve(&pair->table, pointers);
    if (!has_exploded(&pair->table.turn) && !has_exploded(&pair->hidden.turn)) {
        expect_same_turn(pair);
    }
    table_play(&pair->table, pointers);
    for (uint8_t seat = 0; seat < RACERS_SEATS; seat++) {
        commands_fini(&lists[seat]);
    }
}

CASES_COUNTED(racers_hidden, grenades_leave_no_trace, MATCHES)
{
    struct sk_seed seed = table_seed(*index);
    struct pair pair = { .seed = *index };
    struct racers_params params;

    sk_rng_start(&pair.rng, &seed, 0, 0);
    sk_arena_init(&pair.arena, malloc(BYTES_MAX), BYTES_MAX);
    pair.bytes[0] = malloc(BYTES_MAX);
    pair.bytes[1] = malloc(BYTES_MAX);
    cr_assert(pair.arena.base != NULL && pair.bytes[0] != NULL && pair.bytes[1] != NULL);
    racers_random_params(&pair.rng, &pair.arena, &params);
    table_open(&pair.table, &sk_ruleset_racers, &params, &seed);
    table_open(&pair.hidden, &sk_ruleset_racers, &params, &seed);
    for (uint32_t i = 0; i < TURNS && !pair.table.match.state->outcome.is_over; i++) {
        play_turn(&pair);
    }
    cr_expect_gt(pair.differing, 0u, "the two were always the same, so nothing was tested");
    table_close(&pair.table);
    table_close(&pair.hidden);
    free(pair.arena.base);
    free(pair.bytes[0]);
    free(pair.bytes[1]);
}

/* ---- guesses ----------------------------------------------------------------------------- */

/* A guess gives the seat the same view, and has as many grenades as the match. */
static uint32_t
count_grenades(const struct racers_config *config, const struct racers_position *position)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < position->item_count; i++) {
        count += racers_items(config, position)[i].kind == RACERS_GRENADE;
    }
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        for (uint32_t i = 0; i < position->racer[seat].carried_count; i++) {
            count += position->racer[seat].carried[i] == RACERS_GRENADE;
        }
    }
    return count;
}

CASES_COUNTED(racers_guesses, look_like_what_the_seat_sees, 20)
{
    struct sk_seed seed = table_seed(*index);
    struct command_list list;
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };
    struct table table;
    struct sk_state *guess;
    struct sk_rng rng;
    uint32_t hidden = 0;

    table_open(&table, &sk_ruleset_racers, NULL, &seed);
    commands_init(&list, table.ruleset);
    sk_rng_start(&rng, &seed, 0, 0);
    guess = calloc(1, table.turn.sizes.state);
    for (uint32_t i = 0; i < 200 && !table.match.state->outcome.is_over; i++) {
        uint8_t seat = racers_position(table.match.state)->active;
        void *view = calloc(1, table.turn.sizes.view);

        memset(guess, 0, table.turn.sizes.state);
        table.ruleset->guess(table.config, table_look(&table, seat), &seed, guess);
        table.ruleset->view_make(table.config, guess, seat, view);
        cr_expect_eq(memcmp(view, table.view, table.turn.sizes.view), 0, "seed %zu", *index);
        cr_expect_eq(count_grenades(table.config, racers_position(guess)),
                     count_grenades(table.config, racers_position(table.match.state)));
        hidden += racers_position(guess)->item_count - ((struct racers_position *)view)->item_count;
        table_draw_commands(&table, &rng, &habits_orderly, seat, &list);
        pointers[seat] = &list;
        pointers[1 - seat] = NULL;
        table_play(&table, pointers);
        free(view);
    }
    cr_log_info("seed %zu: %u hidden", *index, hidden);
    commands_fini(&list);
    free(guess);
    table_close(&table);
}
