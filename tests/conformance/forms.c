/* What JSON requires of every ruleset: params, states, views, commands and events. */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/turn_write.h"
#include "tests/conformance/walk.h"
#include "tests/support/json.h"
#include "tests/support/schema_random.h"

#define RANDOM_PARAMS 300

/* ---- params ------------------------------------------------------------------------------ */

FOR_EACH_RULESET(params_written_and_read_back_give_the_same_config)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    struct sk_seed seed = table_seed(1);
    struct table tables[2];
    struct words json;

    words_init(&json);
    json_say_form(&json, ruleset->params, ruleset->default_params);
    table_open(&tables[0], ruleset, NULL, &seed);
    table_open_json(&tables[1], ruleset, json.at, &seed);
    cr_assert_eq(tables[0].config_size, tables[1].config_size);
    cr_expect_arr_eq(tables[0].config, tables[1].config, tables[0].config_size);
    table_close(&tables[0]);
    table_close(&tables[1]);
    words_fini(&json);
}

/* Most are refused with a reason; those accepted can be played. */
FOR_EACH_RULESET(any_params_of_the_form_are_taken_or_refused_with_a_reason)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    const struct command_list *nothing[SK_SEATS_MAX] = { NULL };
    struct sk_seed seed = table_seed(2);
    struct sk_arena arena;
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = 6 };

    json_arena_alloc(&arena, JSON_ARENA_LARGE);
    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < RANDOM_PARAMS; i++) {
        struct sk_fault fault = { .code = NULL };
        struct table table;
        void *params;

        arena.used = 0;
        params = sk_arena_take(&arena, ruleset->params->size);
        cr_assert_eq(sk_form_random(&random, ruleset->params, params), SK_OK);
        if (table_try(&table, ruleset, params, &seed, &fault) == SK_OK) {
            table_guard(&table);
            table_play(&table, nothing);
            table_close(&table);
        } else {
            cr_expect_not_null(fault.code);
            cr_expect_neq(fault.message[0], '\0');
        }
    }
    free(arena.base);
}

/* ---- states and views -------------------------------------------------------------------- */

static void
fill_outcome(const struct sk_ruleset *ruleset, struct sk_outcome outcome, struct sk_form_head *head)
{
    head->has_outcome = outcome.is_over;
    head->has_winner = outcome.is_over && outcome.winner != SK_NOBODY;
    head->winner = head->has_winner ? outcome.winner : 0;
    head->reason = sk_text_of(sk_reason_name(ruleset, outcome.reason));
}

static void
read_outcome(const struct sk_ruleset *ruleset, const struct sk_form_head *head,
             struct sk_outcome *outcome)
{
    outcome->winner = SK_NOBODY;
    if (head->has_outcome) {
        cr_expect(sk_reason_find(ruleset, head->reason, &outcome->reason));
        outcome->is_over = true;
        outcome->winner = head->has_winner ? (int8_t)head->winner : SK_NOBODY;
    }
}

static void
say_state(const struct table *table, struct sk_arena *arena, struct words *json)
{
    struct sk_form_head *form = sk_arena_take(arena, table->ruleset->state->size);

    cr_assert_eq(
        sk_rules_state_form(table->ruleset, table->config, table->match.state, arena, form), SK_OK);
    fill_outcome(table->ruleset, table->match.state->outcome, form);
    json_say_form(json, table->ruleset->state, form);
}

static void
expect_state_to_come_back(struct walk *walk)
{
    struct table *table = &walk->table;
    uint64_t hash = table_hash(table);
    struct sk_state *state = calloc(1, table->turn.sizes.state);
    struct sk_state *kept = table->match.state;
    struct sk_fault fault = { .code = "none" };
    struct sk_arena arena;
    struct words json;
    void *form;

    words_init(&json);
    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    form = sk_arena_take(&arena, table->ruleset->state->size);
    say_state(table, &arena, &json);
    cr_assert_eq(json_read_form(json.at, table->ruleset->state, &arena, form, &fault), SK_OK,
                 "%s at %s: %s", fault.message, fault.at, json.at);
    cr_assert_eq(sk_rules_state_read(table->ruleset, table->config, form, state, &fault), SK_OK,
                 "%s at %s: %s", fault.message, fault.at, json.at);
    state->turn = kept->turn;
    read_outcome(table->ruleset, form, &state->outcome);
    table->match.state = state;
    cr_expect_eq(table_hash(table), hash, "seed %u: %s", (unsigned)walk->seed, json.at);
    table->match.state = kept;
    free(state);
    free(arena.base);
    words_fini(&json);
}

FOR_EACH_RULESET(a_state_written_and_read_back_is_the_same_state)
{
    walk_all(*index, expect_state_to_come_back);
}

static void
fill_view_head(const struct table *table, uint8_t seat, int32_t owing[SK_SEATS_MAX],
               struct sk_form_head *head)
{
    uint32_t bits = sk_match_waiting(&table->match);
    uint32_t count = 0;

    fill_outcome(table->ruleset, table->match.state->outcome, head);
    head->turn = (int32_t)table->match.state->turn;
    head->has_seat = seat != SK_SPECTATOR;
    head->seat = head->has_seat ? seat : 0;
    for (uint8_t i = 0; i < table->turn.seat_count; i++) {
        if ((bits >> i & 1) != 0) {
            owing[count++] = i;
        }
    }
    head->owing = (struct sk_list){ owing, count };
}

/* Valid means: the strict reader accepts it and finds every member of the view's table. */
static void
expect_view_to_be_json(struct walk *walk, uint8_t seat)
{
    struct table *table = &walk->table;
    struct sk_fault fault = { .code = "none" };
    int32_t owing[SK_SEATS_MAX];
    struct sk_arena arena;
    struct words json;
    struct words again;
    void *form;

    words_init(&json);
    words_init(&again);
    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    form = sk_arena_take(&arena, table->ruleset->view->size);
    cr_assert_eq(
        sk_rules_view_form(table->ruleset, table->config, table_look(table, seat), &arena, form),
        SK_OK);
    fill_view_head(table, seat, owing, form);
    json_say_form(&json, table->ruleset->view, form);
    cr_expect_eq(json_read_form(json.at, table->ruleset->view, &arena, form, &fault), SK_OK,
                 "%s at %s: %s", fault.message, fault.at, json.at);
    json_say_form(&again, table->ruleset->view, form);
    cr_expect_str_eq(again.at, json.at);
    free(arena.base);
    words_fini(&json);
    words_fini(&again);
}

static void
expect_views_to_be_json(struct walk *walk)
{
    for (uint8_t seat = 0; seat < walk->table.turn.seat_count; seat++) {
        expect_view_to_be_json(walk, seat);
    }
    expect_view_to_be_json(walk, SK_SPECTATOR);
}

FOR_EACH_RULESET(every_view_is_valid_json)
{
    walk_all(*index, expect_views_to_be_json);
}

#define VIEW_TEXT_MAX 262144u

/* The view as the server writes it; `last` is the view written before it, or empty. */
static struct sk_view_text
write_view(struct walk *walk, uint8_t seat, const struct sk_view_text *last, struct sk_arena *arena)
{
    struct table *table = &walk->table;
    char *bytes = sk_arena_take(arena, VIEW_TEXT_MAX);
    void *view = sk_arena_take(arena, table->turn.sizes.view);
    struct sk_view_text text = { .view = view };
    struct sk_json_out out;

    cr_assert(bytes != NULL && view != NULL);
    sk_json_out_init(&out, bytes, VIEW_TEXT_MAX);
    cr_assert_eq(sk_view_write_after(&out, table->ruleset, table->config, table->match.state, seat,
                                     view, arena, last, &text.own_length),
                 SK_OK);
    cr_assert(sk_json_out_is_whole(&out));
    text.text = (struct sk_text){ bytes, (uint32_t)out.used };
    return text;
}

static void
expect_views_to_be_the_same_after_another(struct walk *walk)
{
    static const struct sk_view_text nothing;
    uint8_t count = walk->table.turn.seat_count;
    struct sk_view_text last = nothing;
    static struct sk_arena arena; /* kept: its pages cost more than what is written there */

    if (arena.base == NULL) {
        json_arena_alloc(&arena, JSON_ARENA_LARGE);
    }
    arena.used = 0;
    for (uint8_t i = 0; i <= count; i++) {
        uint8_t seat = i == count ? SK_SPECTATOR : i;
        struct sk_view_text alone = write_view(walk, seat, &nothing, &arena);

        last = write_view(walk, seat, &last, &arena);
        cr_expect(sk_text_same(last.text, alone.text), "seed %u, seat %u: %.*s instead of %.*s",
                  (unsigned)walk->seed, seat, (int)last.text.length, last.text.at,
                  (int)alone.text.length, alone.text.at);
    }
}

FOR_EACH_RULESET(a_view_written_after_another_one_has_its_own_text)
{
    walk_all(*index, expect_views_to_be_the_same_after_another);
}

/* ---- commands and events ----------------------------------------------------------------- */

static void
expect_variant_to_come_back(const struct sk_variants *variants, const void *form)
{
    struct sk_fault fault = { .code = "none" };
    struct sk_arena arena;
    struct words json;
    struct words again;
    void *read;

    words_init(&json);
    words_init(&again);
    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    read = sk_arena_take(&arena, variants->size);
    json_say_variant(&json, variants, form);
    cr_expect_eq(json_read_variant(json.at, variants, &arena, read, &fault), SK_OK, "%s at %s: %s",
                 fault.message, fault.at, json.at);
    json_say_variant(&again, variants, read);
    cr_expect_str_eq(again.at, json.at);
    free(arena.base);
    words_fini(&json);
    words_fini(&again);
}

static void
expect_hints_to_come_back(struct walk *walk)
{
    struct table *table = &walk->table;
    struct command_list hints;

    commands_init(&hints, table->ruleset);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        table_hints(table, seat, &hints);
        if (hints.count > 0) {
            uint32_t i = sk_rng_below(&walk->rng, hints.count);

            expect_variant_to_come_back(table->ruleset->command, commands_item(&hints, i));
        }
    }
    commands_fini(&hints);
}

FOR_EACH_RULESET(hints_are_valid_json)
{
    walk_all(*index, expect_hints_to_come_back);
}

static void
expect_events_to_come_back(struct walk *walk)
{
    struct table *table = &walk->table;
    uint32_t count = 0;

    table_resolve(table, walk->pointers);
    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        cr_assert_lt(event->kind, table->ruleset->event->count);
        expect_variant_to_come_back(table->ruleset->event, event);
        count++;
    }
    cr_expect_eq(count, table->turn.events.count);
}

FOR_EACH_RULESET(events_are_valid_json)
{
    walk_all(*index, expect_events_to_come_back);
}

/* The ruleset can decide for every audience whether it sees the event. */
static void
ask_who_sees_events(struct walk *walk)
{
    struct table *table = &walk->table;

    table_resolve(table, walk->pointers);
    for (const struct sk_event *event = table->turn.events.first;
         event != NULL && table->ruleset->event_is_shown != NULL; event = event->next) {
        for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
            table->ruleset->event_is_shown(table->config, table->match.state, table->turn.after,
                                           event, seat);
        }
        table->ruleset->event_is_shown(table->config, table->match.state, table->turn.after, event,
                                       SK_SPECTATOR);
    }
}

FOR_EACH_RULESET(who_sees_an_event_is_known_for_every_audience)
{
    walk_all(*index, ask_who_sees_events);
}
