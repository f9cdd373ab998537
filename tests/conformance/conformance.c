/* What the core requires of every ruleset, checked for each registered one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "common/core/snapshot.h"
#include "common/core/validate.h"
#include "tests/conformance/walk.h"

/* ---- tables ------------------------------------------------------------------------------ */

FOR_EACH_RULESET(a_ruleset_is_complete)
{
    const struct sk_ruleset *ruleset = version_at(*index);

    cr_expect(sk_ruleset_is_complete(ruleset), "%s lacks something", ruleset->name);
    cr_expect_leq(ruleset->seats_min, ruleset->seats_max);
    cr_expect_gt(strlen(ruleset->summary), 0u);
    cr_expect_lt(ruleset->check_count, SK_CHECK_IS_STAGE);
    cr_expect_lt(ruleset->stage_count, SK_CHECK_NONE - SK_CHECK_IS_STAGE);
    cr_expect_leq(ruleset->command->count, 32, "kinds are bits of a word");
}

/* Names to check, from any table. */
struct names {
    const char *of[256];
    size_t count;
};

static void
add_name(struct names *names, const char *name)
{
    cr_assert_lt(names->count, SK_COUNT_OF(names->of));
    names->of[names->count++] = name;
}

static void
expect_good_names(const struct names *names, const char *what)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->of[i];

        cr_expect(name[0] != '\0' && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name),
                  "%s \"%s\" is not made of a-z and _", what, name);
        for (size_t j = 0; j < i; j++) {
            cr_expect_str_neq(name, names->of[j], "%s %s occurs twice", what, name);
        }
    }
}

static void
add_variants(struct names *names, const struct sk_variants *variants)
{
    for (uint16_t i = 0; i < variants->count; i++) {
        add_name(names, variants->of[i].kind);
    }
}

FOR_EACH_RULESET(names_are_words_and_each_means_one_thing)
{
    const struct sk_ruleset *r = version_at(*index);
    struct names names[6] = { 0 };
    static const char *const what[6] = {
        "check", "stage", "verdict", "reason", "command", "event"
    };

    for (uint8_t i = 0; i < r->check_count; i++) {
        add_name(&names[0], r->checks[i].name);
    }
    for (uint8_t i = 0; i < r->stage_count; i++) {
        add_name(&names[1], r->stages[i].name);
    }
    for (unsigned i = 0; i < (unsigned)SK_VERDICT_OWN + r->verdict_count; i++) {
        add_name(&names[2], sk_verdict_name(r, (sk_verdict)i));
    }
    for (unsigned i = SK_REASON_NONE + 1; i < (unsigned)SK_REASON_OWN + r->reason_count; i++) {
        add_name(&names[3], sk_reason_name(r, (uint8_t)i));
    }
    add_variants(&names[4], r->command);
    add_variants(&names[5], r->event);
    for (size_t i = 0; i < SK_COUNT_OF(names); i++) {
        expect_good_names(&names[i], what[i]);
    }
    add_name(&names[0], r->name);
    expect_good_names(&names[0], "ruleset or check");
}

FOR_EACH_RULESET(checks_and_stages_are_found_by_their_names)
{
    const struct sk_ruleset *r = version_at(*index);

    for (uint8_t i = 0; i < r->check_count; i++) {
        cr_expect_eq(sk_check_find(r, r->checks[i].name), &r->checks[i]);
        cr_expect_neq(r->checks[i].kinds, 0u, "%s is for no command", r->checks[i].name);
    }
    for (uint8_t i = 0; i < r->stage_count; i++) {
        cr_expect_eq(sk_stage_find(r, r->stages[i].name), &r->stages[i]);
    }
}

FOR_EACH_RULESET(every_ruleset_takes_the_shared_commands)
{
    static const char *const shared[] = { "resign", "timeout", "abandon", "agree_draw" };
    const struct sk_variants *command = version_at(*index)->command;

    for (size_t i = 0; i < SK_COUNT_OF(shared); i++) {
        cr_expect_str_eq(command->of[i].kind, shared[i]);
        cr_expect_eq(command->of[i].schema, &sk_bare_command);
    }
}

/* ---- configs ----------------------------------------------------------------------------- */

FOR_EACH_RULESET(default_params_build_a_match)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    struct sk_seed seed = table_seed(1);
    struct table table;
    uint8_t seats;

    table_open(&table, ruleset, NULL, &seed);
    seats = table.turn.seat_count;
    cr_expect(seats >= ruleset->seats_min && seats <= ruleset->seats_max, "%u seats", seats);
    cr_expect_not(table.match.state->outcome.is_over, "the match is over at its start");
    cr_expect_eq(table.match.state->turn, 0u);
    cr_expect_neq(sk_match_waiting(&table.match), 0u, "no seat owes commands");
    cr_expect_leq(table.config_size, sk_rules_config_size_max(ruleset));
    table_close(&table);
}

FOR_EACH_RULESET(the_same_params_give_the_same_config)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    struct sk_seed seed = table_seed(1);
    struct table tables[2];

    table_open(&tables[0], ruleset, NULL, &seed);
    table_open(&tables[1], ruleset, NULL, &seed);
    cr_assert_eq(tables[0].config_size, tables[1].config_size);
    cr_expect_arr_eq(tables[0].config, tables[1].config, tables[0].config_size);
    table_close(&tables[0]);
    table_close(&tables[1]);
}

FOR_EACH_RULESET(the_first_state_depends_on_params_and_seed_alone)
{
    const struct sk_ruleset *ruleset = version_at(*index);

    for (uint64_t number = 0; number < 20; number++) {
        struct sk_seed seed = table_seed(number);
        struct table tables[2];

        table_open(&tables[0], ruleset, NULL, &seed);
        table_open(&tables[1], ruleset, NULL, &seed);
        table_guard(&tables[1]);
        tables[1].turn.seed = &tables[1].seed;
        sk_turn_setup(&tables[1].turn);
        cr_expect_eq(table_hash(&tables[0]), sk_turn_hash(&tables[1].turn), "seed %u",
                     (unsigned)number);
        table_close(&tables[0]);
        table_close(&tables[1]);
    }
}

/* The same match twice, once with a config that was moved, its old memory overwritten. */
static void
expect_the_same_elsewhere(struct walk *walk)
{
    struct table *table = &walk->table;
    uint64_t hash;
    void *moved = malloc(table->config_size);
    void *old = table->config;

    table_resolve(table, walk->pointers);
    hash = sk_turn_hash(&table->turn);
    cr_assert_not_null(moved);
    memcpy(moved, old, table->config_size);
    memset(old, 0xaa, table->config_size);
    free(old);
    table->config = moved;
    table->turn.config = moved;
    table->match.config = moved;
    table_resolve(table, walk->pointers);
    cr_expect_eq(sk_turn_hash(&table->turn), hash, "seed %u", (unsigned)walk->seed);
}

FOR_EACH_RULESET(a_config_may_be_moved)
{
    walk_all(*index, expect_the_same_elsewhere);
}

/* ---- playing ----------------------------------------------------------------------------- */

static void
play_only(struct walk *walk)
{
    uint32_t seats = (1u << walk->table.turn.seat_count) - 1;
    uint32_t owing = sk_match_waiting(&walk->table.match);

    cr_expect_eq(owing & ~seats, 0u, "a seat that does not exist owes commands");
    cr_expect_eq(owing == 0, walk->table.match.state->outcome.is_over,
                 "seed %u: a running match waits for somebody, a finished one for nobody",
                 (unsigned)walk->seed);
}

FOR_EACH_RULESET(random_matches_come_to_an_end_or_go_on)
{
    walk_all(*index, play_only);
}

/* Each hint must be ok alone; several together may be refused. */
static void
expect_hints_to_stand(struct walk *walk)
{
    struct table *table = &walk->table;
    struct command_list hints;

    commands_init(&hints, table->ruleset);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        table_hints(table, seat, &hints);
        for (uint32_t i = 0; i < hints.count; i++) {
            sk_match_submit(&table->match, &table->turn, seat,
                            (struct sk_commands){ commands_item(&hints, i), 1 });
            cr_expect_eq(table->turn.judgements[seat][0].verdict, SK_VERDICT_OK,
                         "seed %u: seat %u's hint %u gets %s", (unsigned)walk->seed, seat, i,
                         sk_verdict_name(table->ruleset, table->turn.judgements[seat][0].verdict));
        }
        sk_match_withdraw(&table->match, seat);
    }
    commands_fini(&hints);
}

FOR_EACH_RULESET(every_hint_is_ok_alone)
{
    walk_all(*index, expect_hints_to_stand);
}

static bool
take_first(struct sk_hint_sink *sink, const void *command)
{
    (void)sink;
    (void)command;
    return false;
}

struct counting_sink {
    struct sk_hint_sink sink;
    uint32_t count;
    uint32_t enough;
};

static bool
take_until_enough(struct sk_hint_sink *sink, const void *command)
{
    struct counting_sink *counting = (struct counting_sink *)(void *)sink;

    (void)command;
    counting->count++;
    return counting->count < counting->enough;
}

static void
expect_hints_to_stop(struct walk *walk)
{
    struct table *table = &walk->table;
    struct command_list hints;

    commands_init(&hints, table->ruleset);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        struct counting_sink some = { { .take = take_until_enough }, 0, 3 };
        struct sk_hint_sink none = { .take = take_first };

        table_hints(table, seat, &hints);
        if (hints.count >= 3) {
            sk_rules_hints(table->ruleset, table->config, table_look(table, seat), seat,
                           &some.sink);
            cr_expect_eq(some.count, 3u);
        }
        if (hints.count > 0) {
            sk_rules_hints(table->ruleset, table->config, table_look(table, seat), seat, &none);
        }
    }
    commands_fini(&hints);
}

FOR_EACH_RULESET(hints_stop_when_the_taker_has_enough)
{
    walk_all(*index, expect_hints_to_stop);
}

static void
expect_default_to_stand(struct walk *walk)
{
    struct table *table = &walk->table;
    void *command = calloc(1, table->ruleset->command->size);

    cr_assert_not_null(command);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        if ((sk_match_waiting(&table->match) >> seat & 1) != 0 &&
            sk_rules_default_command(table->ruleset, table->config, table_look(table, seat), seat,
                                     command)) {
            sk_match_submit(&table->match, &table->turn, seat, (struct sk_commands){ command, 1 });
            cr_expect_eq(table->turn.judgements[seat][0].verdict, SK_VERDICT_OK);
            sk_match_withdraw(&table->match, seat);
        }
    }
    free(command);
}

FOR_EACH_RULESET(what_a_silent_seat_does_is_ok)
{
    walk_all(*index, expect_default_to_stand);
}

static void
expect_rules_to_be_asked_alone(struct walk *walk)
{
    cr_expect(table_ask_alone(&walk->table, walk->pointers),
              "seed %u: a check refuses under another's name", (unsigned)walk->seed);
}

FOR_EACH_RULESET(every_check_and_stage_can_be_asked_alone)
{
    walk_all(*index, expect_rules_to_be_asked_alone);
}

/* Running all checks by name, in the order of the table, equals running the validator. */
static void
expect_names_to_compose(struct walk *walk)
{
    struct table *table = &walk->table;
    const char *names[UINT8_MAX + 1] = { NULL };
    struct sk_judgement judgements[SK_COMMANDS_MAX];

    for (uint8_t i = 0; i < table->ruleset->check_count; i++) {
        names[i] = table->ruleset->checks[i].name;
    }
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        struct sk_check_in in = {
            .ruleset = table->ruleset,
            .config = table->config,
            .view = table_look(table, seat),
            .commands = commands_of(&walk->lists[seat]),
            .judgements = judgements,
            .work = table->turn.work,
            .seat = seat,
        };

        cr_expect_eq(sk_validate_some(&in, names), SK_OK);
        in.judgements = table->turn.judgements[seat];
        sk_validate(&in);
        for (uint32_t i = 0; i < in.commands.count; i++) {
            cr_expect_eq(judgements[i].verdict, in.judgements[i].verdict, "seed %u",
                         (unsigned)walk->seed);
            cr_expect_eq(judgements[i].check, in.judgements[i].check);
        }
    }
}

FOR_EACH_RULESET(checks_composed_by_name_are_the_validator)
{
    walk_all(*index, expect_names_to_compose);
}

static void
expect_before_to_stay(struct walk *walk)
{
    struct table *table = &walk->table;
    size_t size = table->turn.sizes.state;
    uint8_t *copy = malloc(size);

    cr_assert_not_null(copy);
    memcpy(copy, table->match.state, size);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        sk_match_submit(&table->match, &table->turn, seat, commands_of(&walk->lists[seat]));
    }
    sk_match_resolve(&table->match, &table->turn);
    cr_expect_arr_eq(table->match.state, copy, size, "seed %u", (unsigned)walk->seed);
    free(copy);
}

FOR_EACH_RULESET(resolving_does_not_change_the_state_before)
{
    walk_all(*index, expect_before_to_stay);
}

/* Verdicts are the same whatever the other seat has submitted. */
static void
expect_verdicts(struct walk *walk, uint8_t seat, const struct sk_judgement *expected)
{
    struct sk_turn *turn = &walk->table.turn;

    sk_match_submit(&walk->table.match, turn, seat, commands_of(&walk->lists[seat]));
    for (uint32_t i = 0; i < walk->lists[seat].count; i++) {
        cr_expect_eq(turn->judgements[seat][i].verdict, expected[i].verdict, "seed %u",
                     (unsigned)walk->seed);
        cr_expect_eq(turn->judgements[seat][i].check, expected[i].check);
    }
}

static void
expect_order_not_to_matter(struct walk *walk)
{
    struct sk_turn *turn = &walk->table.turn;
    struct sk_judgement told[SK_SEATS_MAX][SK_COMMANDS_MAX];
    uint64_t hash;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        sk_match_submit(&walk->table.match, turn, seat, commands_of(&walk->lists[seat]));
        memcpy(told[seat], turn->judgements[seat], sizeof(told[seat]));
    }
    sk_match_resolve(&walk->table.match, turn);
    hash = sk_turn_hash(turn);
    for (uint8_t seat = turn->seat_count; seat > 0; seat--) {
        expect_verdicts(walk, (uint8_t)(seat - 1), told[seat - 1]);
    }
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        commands_shuffle(&walk->lists[seat], &walk->rng);
    }
    table_resolve(&walk->table, walk->pointers);
    cr_expect_eq(sk_turn_hash(turn), hash, "seed %u: another order gives another result",
                 (unsigned)walk->seed);
}

FOR_EACH_RULESET(in_simultaneous_rulesets_no_order_matters)
{
    if (version_at(*index)->is_simultaneous) {
        walk_all(*index, expect_order_not_to_matter);
    }
}

/* ---- the end ----------------------------------------------------------------------------- */

static void
expect_match_over(struct walk *walk)
{
    struct sk_turn *turn = &walk->table.turn;
    uint64_t hash = table_hash(&walk->table);

    table_resolve(&walk->table, walk->pointers);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        for (uint32_t i = 0; i < walk->lists[seat].count; i++) {
            cr_expect_eq(turn->judgements[seat][i].verdict, SK_MATCH_OVER);
            cr_expect_eq(turn->judgements[seat][i].check, SK_CHECK_NONE);
        }
    }
    cr_expect_eq(sk_turn_hash(turn), hash, "a finished match changed");
    cr_expect_eq(turn->events.count, 0u);
}

/* Ends the match at every position; the commands drawn for it are then too late. */
static void
end_and_expect_match_over(struct walk *walk)
{
    struct table *table = &walk->table;
    size_t size = table->turn.sizes.state;
    struct sk_state *kept = malloc(size);

    cr_assert_not_null(kept);
    memcpy(kept, table->match.state, size);
    if (!table->match.state->outcome.is_over) {
        table->match.state->outcome =
            (struct sk_outcome){ .is_over = true, .winner = 0, .reason = SK_RESIGNATION };
    }
    for (uint8_t kind = 0; kind < SK_COMMAND_OWN; kind++) {
        if (walk->lists[0].count < SK_COMMANDS_MAX) {
            commands_add_bare(&walk->lists[0], kind);
        }
    }
    expect_match_over(walk);
    commands_clear(&walk->lists[0]);
    memcpy(table->match.state, kept, size);
    free(kept);
}

FOR_EACH_RULESET(a_finished_match_answers_match_over_and_does_not_change)
{
    walk_all(*index, end_and_expect_match_over);
}

/* ---- snapshots and guesses --------------------------------------------------------------- */

static void
expect_state_to_come_back(struct walk *walk, const struct sk_state *state)
{
    struct table *table = &walk->table;
    size_t size = sk_snapshot_write(table->ruleset, table->config, state, table->turn.snapshot,
                                    table->turn.sizes.snapshot);
    uint8_t *bytes = malloc(size);
    struct sk_state *read = calloc(1, table->turn.sizes.state);

    cr_assert(bytes != NULL && read != NULL);
    memcpy(bytes, table->turn.snapshot, size);
    cr_expect_eq(sk_snapshot_read(table->ruleset, table->config, bytes, size, read), SK_OK,
                 "seed %u: a snapshot is corrupt", (unsigned)walk->seed);
    cr_expect_eq(sk_snapshot_write(table->ruleset, table->config, read, table->turn.snapshot,
                                   table->turn.sizes.snapshot),
                 size);
    cr_expect_arr_eq(table->turn.snapshot, bytes, size);
    free(read);
    free(bytes);
}

static void
expect_snapshot_to_come_back(struct walk *walk)
{
    expect_state_to_come_back(walk, walk->table.match.state);
}

FOR_EACH_RULESET(a_snapshot_comes_back_as_the_same_bytes)
{
    walk_all(*index, expect_snapshot_to_come_back);
}

static void
expect_guess_to_be_a_state(struct walk *walk)
{
    struct table *table = &walk->table;
    struct sk_seed seed = table_seed(walk->seed + 1000);
    struct sk_state *guessed = calloc(1, table->turn.sizes.state);

    cr_assert_not_null(guessed);
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        memset(guessed, 0, table->turn.sizes.state);
        guessed->outcome.winner = SK_NOBODY;
        guessed->turn = table->match.state->turn;
        sk_rules_guess(table->ruleset, &table->turn.sizes, table->config, table_look(table, seat),
                       &seed, guessed);
        expect_state_to_come_back(walk, guessed);
    }
    free(guessed);
}

FOR_EACH_RULESET(a_guess_from_any_view_is_a_state)
{
    walk_all(*index, expect_guess_to_be_a_state);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* The walk uses guarded memory; here the single block that hosts use must be long enough, too. */
FOR_EACH_RULESET(a_turn_fits_into_the_memory_it_asked_for)
{
    const struct sk_ruleset *ruleset = version_at(*index);
    struct sk_seed seed = table_seed(3);
    const struct command_list *nothing[SK_SEATS_MAX] = { NULL };
    struct table table;
    size_t size;
    uint8_t *memory;

    table_open(&table, ruleset, NULL, &seed);
    size = sk_turn_memory_size(ruleset, table.config);
    memory = malloc(size);
    cr_assert_not_null(memory);
    memset(memory, 0x5a, size);
    sk_turn_init(&table.turn, ruleset, table.config, memory);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        /* All parts are inside the block, and the last ends with it. */
        cr_expect((uint8_t *)table.turn.judgements[seat] >= memory);
        cr_expect_leq((size_t)((uint8_t *)&table.turn.judgements[seat][SK_COMMANDS_MAX] - memory),
                      size);
    }
    for (uint32_t turn = 0; turn < 20; turn++) {
        table_play(&table, nothing);
    }
    table_close(&table);
    free(memory);
}

/* ---- judged before ----------------------------------------------------------------------- */

static size_t
copy_judgements(const struct sk_turn *turn, struct sk_judgement *to)
{
    size_t count = 0;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        memcpy(to + count, turn->judgements[seat],
               turn->commands[seat].count * sizeof(struct sk_judgement));
        count += turn->commands[seat].count;
    }
    return count;
}

/* As in the host: each list is judged when it arrives, and not again when the turn closes. */
static void
expect_the_same_of_judged_commands(struct walk *walk)
{
    struct sk_turn *turn = &walk->table.turn;
    struct sk_judgement judgements[2][SK_SEATS_MAX * SK_COMMANDS_MAX];
    size_t counts[2];
    uint64_t hash;
    uint32_t events;

    if (!walk->table.ruleset->is_simultaneous) {
        return;
    }
    table_resolve(&walk->table, walk->pointers);
    hash = sk_turn_hash(turn);
    events = turn->events.count;
    counts[0] = copy_judgements(turn, judgements[0]);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        sk_turn_check(turn, seat);
        turn->judged |= 1u << seat;
    }
    memset(turn->work, 0xff, turn->sizes.work);
    (void)sk_turn_resolve(turn);
    turn->judged = 0;
    counts[1] = copy_judgements(turn, judgements[1]);
    cr_expect_eq(sk_turn_hash(turn), hash, "seed %u", (unsigned)walk->seed);
    cr_expect_eq(turn->events.count, events, "seed %u", (unsigned)walk->seed);
    cr_assert_eq(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; i++) {
        cr_expect_eq(judgements[0][i].verdict, judgements[1][i].verdict);
        cr_expect_eq(judgements[0][i].check, judgements[1][i].check);
    }
}

FOR_EACH_RULESET(commands_that_were_judged_before_make_the_same_turn)
{
    walk_all(*index, expect_the_same_of_judged_commands);
}
