/* common/core: snapshots, matches, replays and the registry, on tactics matches. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/replay.h"
#include "common/core/snapshot.h"
#include "common/rules/racers/racers.h"
#include "common/rules/tactics/tactics.h"
#include "tests/support/cases.h"
#include "tests/support/tactics_draw.h"

/* ---- snapshots --------------------------------------------------------------------------- */

static const struct drawing positions[] = {
    { .board = "..b/.../A.." },
    { .board = "..b/.c./A.D", .healths = "c=0 D=2147483647", .turn = 2147483647 },
    { .board = "..b/.../A..", .start_rows = 1 },
    { .board = "b../.../..A", .turn = 70000, .turn_limit = 1000000 },
};

struct snapshot {
    struct table table;
    uint8_t *bytes;
    size_t size;
    struct sk_state *state; /* zeroed memory to read into */
};

static void
snapshot_open(struct snapshot *snapshot, const struct drawing *drawing)
{
    struct table *table = &snapshot->table;

    drawing_open(drawing, table);
    sk_turn_settle(table->ruleset, table->config, table->match.state);
    snapshot->bytes = malloc(table->turn.sizes.snapshot);
    snapshot->state = calloc(1, table->turn.sizes.state);
    cr_assert(snapshot->bytes != NULL && snapshot->state != NULL);
    snapshot->size = sk_snapshot_write(table->ruleset, table->config, table->match.state,
                                       snapshot->bytes, table->turn.sizes.snapshot);
}

static void
snapshot_close(struct snapshot *snapshot)
{
    free(snapshot->bytes);
    free(snapshot->state);
    table_close(&snapshot->table);
}

static enum sk_status
read_back(struct snapshot *snapshot, const uint8_t *bytes, size_t size)
{
    memset(snapshot->state, 0, snapshot->table.turn.sizes.state);
    return sk_snapshot_read(snapshot->table.ruleset, snapshot->table.config, bytes, size,
                            snapshot->state);
}

/* What is read must be written as exactly the same bytes. */
static bool
writes_itself_as(struct snapshot *snapshot, const uint8_t *bytes, size_t size)
{
    struct table *table = &snapshot->table;
    size_t written = sk_snapshot_write(table->ruleset, table->config, snapshot->state,
                                       table->turn.snapshot, table->turn.sizes.snapshot);

    return written == size && memcmp(table->turn.snapshot, bytes, size) == 0;
}

CASES(core_snapshot, comes_back_as_the_same_bytes, positions)
{
    struct snapshot snapshot;

    snapshot_open(&snapshot, &positions[*index]);
    cr_expect_eq(read_back(&snapshot, snapshot.bytes, snapshot.size), SK_OK);
    cr_expect(writes_itself_as(&snapshot, snapshot.bytes, snapshot.size));
    cr_expect_eq(snapshot.state->turn, snapshot.table.match.state->turn);
    cr_expect_eq(snapshot.state->outcome.is_over, snapshot.table.match.state->outcome.is_over);
    snapshot_close(&snapshot);
}

CASES(core_snapshot, with_any_byte_changed_is_corrupt_or_another_state, positions)
{
    struct snapshot snapshot;
    uint64_t hash;

    snapshot_open(&snapshot, &positions[*index]);
    hash = table_hash(&snapshot.table);
    for (size_t i = 0; i < snapshot.size; i++) {
        for (unsigned change = 1; change < 256; change++) {
            enum sk_status status;

            snapshot.bytes[i] ^= (uint8_t)change;
            status = read_back(&snapshot, snapshot.bytes, snapshot.size);
            if (status == SK_OK) {
                cr_expect(writes_itself_as(&snapshot, snapshot.bytes, snapshot.size),
                          "byte %zu changed by %02x reads as something else", i, change);
                cr_expect_neq(sk_snapshot_hash(snapshot.table.ruleset, snapshot.table.config,
                                               snapshot.state, snapshot.table.turn.snapshot,
                                               snapshot.table.turn.sizes.snapshot),
                              hash);
            } else {
                cr_expect_eq(status, SK_ERR_CORRUPT);
            }
            snapshot.bytes[i] ^= (uint8_t)change;
        }
    }
    snapshot_close(&snapshot);
}

/* The copy has exactly the given length, so AddressSanitizer detects a read past its end. */
CASES(core_snapshot, cut_or_continued_is_corrupt, positions)
{
    struct snapshot snapshot;

    snapshot_open(&snapshot, &positions[*index]);
    for (size_t size = 0; size <= snapshot.size + 1; size++) {
        uint8_t *copy = calloc(1, size == 0 ? 1 : size);

        memcpy(copy, snapshot.bytes, size < snapshot.size ? size : snapshot.size);
        cr_expect_eq(read_back(&snapshot, copy, size),
                     size == snapshot.size ? SK_OK : SK_ERR_CORRUPT, "%zu of %zu bytes", size,
                     snapshot.size);
        free(copy);
    }
    snapshot_close(&snapshot);
}

/* ---- what no position can be ------------------------------------------------------------- */

/* The tail of a snapshot of positions[0]: a phase, then health, x and y of A and of b. */
struct tail_case {
    const char *label;
    uint8_t tail[13];
    enum sk_status status;
};

static const struct tail_case tail_cases[] = {
    { "as it was", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 2, 0 }, SK_OK },
    { "b beside A", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 1, 2 }, SK_OK },
    { "b on A's cell", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 0, 2 }, SK_ERR_CORRUPT },
    { "b dead, in the corner", { 1, 10, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0 }, SK_OK },
    { "b dead, elsewhere", { 1, 10, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0 }, SK_ERR_CORRUPT },
    { "b dead, A in the corner", { 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, SK_OK },
    { "b off to the right", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 3, 0 }, SK_ERR_CORRUPT },
    { "b off below", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 0, 3 }, SK_ERR_CORRUPT },
    { "b far off", { 1, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 255, 255 }, SK_ERR_CORRUPT },
    { "all health there is", { 1, 10, 0, 0, 0, 0, 2, 255, 255, 255, 127, 2, 0 }, SK_OK },
    { "health below 0", { 1, 10, 0, 0, 0, 0, 2, 255, 255, 255, 255, 2, 0 }, SK_ERR_CORRUPT },
    { "a phase that does not exist", { 2, 10, 0, 0, 0, 0, 2, 10, 0, 0, 0, 2, 0 }, SK_ERR_CORRUPT },
};

CASES(core_snapshot, of_what_no_position_can_be_is_corrupt, tail_cases)
{
    const struct tail_case *c = &tail_cases[*index];
    struct snapshot snapshot;

    snapshot_open(&snapshot, &positions[0]);
    memcpy(snapshot.bytes + snapshot.size - sizeof(c->tail), c->tail, sizeof(c->tail));
    cr_expect_eq(read_back(&snapshot, snapshot.bytes, snapshot.size), c->status, "%s", c->label);
    cr_expect(c->status != SK_OK || writes_itself_as(&snapshot, snapshot.bytes, snapshot.size),
              "%s: reads as something else", c->label);
    snapshot_close(&snapshot);
}

Test(core_snapshot, of_a_placement_is_corrupt_in_a_match_without_placement)
{
    struct snapshot with;
    struct snapshot without;

    snapshot_open(&with, &positions[2]);
    snapshot_open(&without, &positions[0]);
    cr_expect_eq(read_back(&without, with.bytes, with.size), SK_ERR_CORRUPT);
    snapshot_close(&with);
    snapshot_close(&without);
}

Test(core_snapshot, hash_depends_only_on_its_bytes)
{
    struct snapshot snapshot;
    uint64_t hash;

    snapshot_open(&snapshot, &positions[0]);
    hash = table_hash(&snapshot.table);
    snapshot.table.match.state->turn++;
    cr_expect_neq(table_hash(&snapshot.table), hash);
    snapshot.table.match.state->turn--;
    snapshot.table.match.state->outcome =
        (struct sk_outcome){ .is_over = true, .winner = 1, .reason = SK_RESIGNATION };
    cr_expect_neq(table_hash(&snapshot.table), hash);
    snapshot.table.match.state->outcome = (struct sk_outcome){ .winner = SK_NOBODY };
    cr_expect_eq(table_hash(&snapshot.table), hash);
    snapshot_close(&snapshot);
}

/* ---- matches ----------------------------------------------------------------------------- */

struct duel {
    struct table table;
    struct command_list host;
    struct command_list guest;
};

static void
duel_open(struct duel *duel)
{
    const struct drawing drawing = { .board = "..b/.../A.." };

    drawing_open(&drawing, &duel->table);
    commands_init(&duel->host, duel->table.ruleset);
    commands_init(&duel->guest, duel->table.ruleset);
}

static void
duel_close(struct duel *duel)
{
    commands_fini(&duel->host);
    commands_fini(&duel->guest);
    table_close(&duel->table);
}

static void
submit(struct duel *duel, uint8_t seat, const char *commands)
{
    struct command_list *list = seat == 0 ? &duel->host : &duel->guest;

    drawing_commands(commands, list);
    sk_match_submit(&duel->table.match, &duel->table.turn, seat, commands_of(list));
}

static void
expect_board(struct duel *duel, const struct sk_state *state, const char *expected)
{
    struct words words;

    words_init(&words);
    drawing_say_board(&duel->table, state, &words);
    cr_expect_str_eq(words.at, expected, "the board is %s, expected %s", words.at, expected);
    words_fini(&words);
}

Test(core_match, waits_for_seats_that_owe_and_have_not_submitted)
{
    struct duel duel;

    duel_open(&duel);
    cr_expect_eq(sk_match_waiting(&duel.table.match), 3u);
    submit(&duel, 1, "b>2,1");
    cr_expect_eq(sk_match_waiting(&duel.table.match), 1u);
    submit(&duel, 0, "");
    cr_expect_eq(sk_match_waiting(&duel.table.match), 0u, "an empty list is a submission");
    sk_match_withdraw(&duel.table.match, 1);
    cr_expect_eq(sk_match_waiting(&duel.table.match), 2u);
    duel_close(&duel);
}

#ifdef SK_CHECK_STATES
static enum sk_status
refuse_state(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    (void)config;
    (void)in;
    (void)ret_state;
    return SK_ERR_CORRUPT;
}

Test(core_match, in_test_builds_an_impossible_state_stops_the_program, .signal = SIGABRT)
{
    struct sk_ruleset ruleset = sk_ruleset_tactics;
    struct duel duel;

    duel_open(&duel);
    duel.table.turn.ruleset = &ruleset;
    duel.table.match.ruleset = &ruleset;
    submit(&duel, 0, "A>0,1");
    if (!sk_match_resolve(&duel.table.match, &duel.table.turn)) {
        exit(1); /* success so far */
    }
    ruleset.snapshot_read = refuse_state;
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    exit(1);
}
#endif

Test(core_match, takes_the_last_submission_of_a_seat)
{
    struct duel duel;

    duel_open(&duel);
    submit(&duel, 0, "A>9,9");
    cr_expect_eq(duel.table.turn.judgements[0][0].verdict, SK_OUT_OF_BOUNDS, "told at once");
    submit(&duel, 1, "b>2,1");
    submit(&duel, 0, "A>0,1");
    cr_expect_eq(duel.table.turn.judgements[0][0].verdict, SK_VERDICT_OK);
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    expect_board(&duel, duel.table.turn.after, ".../A.b/...");
    duel_close(&duel);
}

Test(core_match, plays_nothing_of_a_withdrawn_submission)
{
    struct duel duel;

    duel_open(&duel);
    submit(&duel, 0, "A>0,1");
    submit(&duel, 1, "b>2,1");
    sk_match_withdraw(&duel.table.match, 0);
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    expect_board(&duel, duel.table.turn.after, ".../..b/A..");
    duel_close(&duel);
}

Test(core_match, stays_as_it_is_until_commit_and_then_forgets_the_submissions)
{
    struct duel duel;
    uint64_t before;
    uint64_t after;

    duel_open(&duel);
    before = table_hash(&duel.table);
    submit(&duel, 0, "A>0,1");
    submit(&duel, 1, "b>2,1");
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    after = sk_turn_hash(&duel.table.turn);
    cr_expect_eq(table_hash(&duel.table), before);
    cr_expect_eq(sk_match_waiting(&duel.table.match), 0u);
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    cr_expect_eq(sk_turn_hash(&duel.table.turn), after, "resolving again changes nothing");
    sk_match_commit(&duel.table.match, &duel.table.turn);
    cr_expect_eq(table_hash(&duel.table), after);
    cr_expect_eq(sk_match_waiting(&duel.table.match), 3u);
    sk_match_resolve(&duel.table.match, &duel.table.turn);
    expect_board(&duel, duel.table.turn.after, ".../A.b/...");
    duel_close(&duel);
}

Test(core_match, continues_from_a_state)
{
    struct duel duel;
    struct sk_match match;

    duel_open(&duel);
    submit(&duel, 0, "A>0,1");
    sk_match_continue(&match, duel.table.ruleset, duel.table.config, &duel.table.seed,
                      duel.table.match.state);
    cr_expect_eq(sk_match_waiting(&match), 3u, "nothing was submitted there");
    cr_expect_eq(match.state->turn, 0u);
    duel_close(&duel);
}

/* ---- replays ----------------------------------------------------------------------------- */

#define TURNS 24

struct record {
    struct sk_replay_source source;
    struct command_list lists[TURNS][2];
    uint64_t hashes[TURNS];
    uint32_t count;
    uint32_t given;
};

static bool
next_turn(struct sk_replay_source *source, struct sk_replay_turn *ret_turn)
{
    struct record *record = (struct record *)(void *)source;

    if (record->given == record->count) {
        return false;
    }
    ret_turn->commands[0] = commands_of(&record->lists[record->given][0]);
    ret_turn->commands[1] = commands_of(&record->lists[record->given][1]);
    ret_turn->hash = record->hashes[record->given];
    record->given++;
    return true;
}

/* A match of the default roster by random players. */
static void
record_open(struct record *record, struct table *table)
{
    struct sk_seed seed = table_seed(5);
    struct sk_rng rng;

    *record = (struct record){ .source = { next_turn }, .count = TURNS };
    sk_rng_start(&rng, &seed, 0, 0);
    table_open(table, &sk_ruleset_tactics, NULL, &seed);
    for (uint32_t i = 0; i < TURNS; i++) {
        for (uint8_t seat = 0; seat < 2; seat++) {
            commands_init(&record->lists[i][seat], table->ruleset);
            table_draw_commands(table, &rng, &habits_orderly, seat, &record->lists[i][seat]);
        }
        table_play(table, (const struct command_list *const[]){ &record->lists[i][0],
                                                                &record->lists[i][1] });
        record->hashes[i] = table_hash(table);
    }
    table_close(table);
    table_open(table, &sk_ruleset_tactics, NULL, &seed);
}

static void
record_close(struct record *record, struct table *table)
{
    for (uint32_t i = 0; i < TURNS; i++) {
        commands_fini(&record->lists[i][0]);
        commands_fini(&record->lists[i][1]);
    }
    table_close(table);
}

Test(core_replay, gives_the_stored_hashes)
{
    struct record record;
    struct table table;
    struct sk_replay_result result;

    record_open(&record, &table);
    cr_expect_eq(sk_replay_run(&table.match, &table.turn, &record.source, &result), SK_OK);
    cr_expect_eq(result.turns, (uint32_t)TURNS);
    cr_expect_eq(table_hash(&table), record.hashes[TURNS - 1]);
    record_close(&record, &table);
}

static const uint32_t wrong_turns[] = { 0, 1, TURNS / 2, TURNS - 1 };

CASES(core_replay, stops_at_the_first_turn_that_differs, wrong_turns)
{
    uint32_t wrong = wrong_turns[*index];
    struct record record;
    struct table table;
    struct sk_replay_result result;
    uint64_t right;

    record_open(&record, &table);
    right = record.hashes[wrong];
    for (uint32_t i = wrong; i < TURNS; i++) {
        record.hashes[i] ^= 1;
    }
    cr_expect_eq(sk_replay_run(&table.match, &table.turn, &record.source, &result), SK_ERR_DIFFERS);
    cr_expect_eq(result.turns, wrong);
    cr_expect_eq(result.expected, right ^ 1);
    cr_expect_eq(result.found, right);
    cr_expect_eq(table.match.state->turn, wrong, "the turn that differs is not taken over");
    record_close(&record, &table);
}

CASES(core_replay, finds_a_command_that_was_changed, wrong_turns)
{
    uint32_t wrong = wrong_turns[*index];
    struct record record;
    struct table table;
    struct sk_replay_result result;

    record_open(&record, &table);
    commands_clear(&record.lists[wrong][0]);
    commands_add_bare(&record.lists[wrong][0], SK_COMMAND_RESIGN);
    cr_expect_eq(sk_replay_run(&table.match, &table.turn, &record.source, &result), SK_ERR_DIFFERS);
    cr_expect_eq(result.turns, wrong);
    record_close(&record, &table);
}

Test(core_replay, of_no_turns_succeeds)
{
    struct record record;
    struct table table;
    struct sk_replay_result result;

    record_open(&record, &table);
    record.count = 0;
    cr_expect_eq(sk_replay_run(&table.match, &table.turn, &record.source, &result), SK_OK);
    cr_expect_eq(result.turns, 0u);
    record_close(&record, &table);
}

/* ---- registry ---------------------------------------------------------------------------- */

Test(core_registry, finds_rulesets_by_name_and_version)
{
    const struct sk_ruleset *tactics = &sk_ruleset_tactics;

    cr_expect_eq(sk_registry_find(SK_TEXT("tactics"), 0), tactics);
    cr_expect_eq(sk_registry_find(SK_TEXT("tactics"), tactics->version), tactics);
    cr_expect_null(sk_registry_find(SK_TEXT("tactics"), tactics->version + 1));
    cr_expect_null(sk_registry_find(SK_TEXT("tactic"), 0));
    cr_expect_null(sk_registry_find(SK_TEXT("Tactics"), 0));
    cr_expect_null(sk_registry_find(SK_TEXT(""), 0));
}

Test(core_registry, is_in_alphabetical_order)
{
    cr_assert_gt(sk_registry_count(), 0u);
    for (size_t i = 1; i < sk_registry_count(); i++) {
        cr_expect_lt(strcmp(sk_registry_at(i - 1)->name, sk_registry_at(i)->name), 0);
    }
}

/* Members that have no default where the state is not flat. */
static const size_t needed_members[] = {
    offsetof(struct sk_ruleset, name),          offsetof(struct sk_ruleset, summary),
    offsetof(struct sk_ruleset, params),        offsetof(struct sk_ruleset, state),
    offsetof(struct sk_ruleset, view),          offsetof(struct sk_ruleset, command),
    offsetof(struct sk_ruleset, event),         offsetof(struct sk_ruleset, checks),
    offsetof(struct sk_ruleset, stages),        offsetof(struct sk_ruleset, default_params),
    offsetof(struct sk_ruleset, config_build),  offsetof(struct sk_ruleset, sizes),
    offsetof(struct sk_ruleset, setup),         offsetof(struct sk_ruleset, outcome),
    offsetof(struct sk_ruleset, hints),         offsetof(struct sk_ruleset, state_read),
    offsetof(struct sk_ruleset, view_form),     offsetof(struct sk_ruleset, snapshot_write),
    offsetof(struct sk_ruleset, snapshot_read),
};

CASES(core_registry, a_ruleset_without_something_needed_is_not_complete, needed_members)
{
    struct sk_ruleset ruleset = sk_ruleset_tactics;

    cr_assert(sk_ruleset_is_complete(&ruleset));
    memset((uint8_t *)&ruleset + needed_members[*index], 0, sizeof(void *));
    cr_expect_not(sk_ruleset_is_complete(&ruleset));
}

Test(core_registry, the_first_check_of_an_alternating_ruleset_is_whose_turn_it_is)
{
    struct sk_ruleset ruleset = sk_ruleset_racers;
    struct sk_check checks[] = { ruleset.checks[1], ruleset.checks[0] };

    cr_assert(sk_ruleset_is_complete(&ruleset));
    ruleset.checks = checks;
    ruleset.check_count = SK_COUNT_OF(checks);
    cr_expect_not(sk_ruleset_is_complete(&ruleset));
    ruleset.is_simultaneous = true;
    cr_expect(sk_ruleset_is_complete(&ruleset), "others may ask in any order");
}

Test(core_registry, words_are_found_by_name_and_back)
{
    uint8_t reason;

    cr_expect_str_eq(sk_verdict_name(&sk_ruleset_tactics, SK_VERDICT_OK), "ok");
    cr_expect_str_eq(sk_verdict_name(&sk_ruleset_tactics, TACTICS_BOUNCED), "bounced");
    cr_assert(sk_reason_find(&sk_ruleset_tactics, SK_TEXT("eliminated"), &reason));
    cr_expect_eq(reason, TACTICS_ELIMINATED);
    cr_expect_str_eq(sk_reason_name(&sk_ruleset_tactics, reason), "eliminated");
    cr_expect_not(sk_reason_find(&sk_ruleset_tactics, SK_TEXT(""), &reason));
    cr_expect_not(sk_reason_find(&sk_ruleset_tactics, SK_TEXT("luck"), &reason));
}
