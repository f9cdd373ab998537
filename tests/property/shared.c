/* The properties of every ruleset; each is checked in every trial that it applies to. */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "common/core/snapshot.h"
#include "tests/property/count_allocations.h"
#include "tests/property/trial.h"
#include "tests/support/digest.h"

#define FORM_SIZE (64u * 1024u)

static uint64_t
events_digest(const struct sk_turn *turn)
{
    struct digest digest = { 0 };

    digest_events(&digest, turn);
    return digest.value;
}

static bool
has_same_result(struct trial *trial)
{
    return sk_turn_hash(&trial->table.turn) == trial->expected.hash &&
           events_digest(&trial->table.turn) == trial->expected.events;
}

bool
trial_has_same_result(struct trial *trial)
{
    const struct sk_turn *turn = &trial->table.turn;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (memcmp(turn->judgements[seat], trial->expected.judgements[seat],
                   turn->commands[seat].count * sizeof(struct sk_judgement)) != 0) {
            return false;
        }
    }
    return has_same_result(trial);
}

/* ---- order ------------------------------------------------------------------------------- */

/* Reversed, where each command must keep its verdict; then shuffled, where only the result is
 * compared. */
static bool
order_does_not_matter(struct trial *trial)
{
    struct sk_turn *turn = &trial->table.turn;
    const struct command_list *pointers[SK_SEATS_MAX];

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        commands_clear(&trial->spare[seat]);
        for (uint32_t i = trial->lists[seat].count; i > 0; i--) {
            commands_add(&trial->spare[seat], commands_item(&trial->lists[seat], i - 1));
        }
        pointers[seat] = &trial->spare[seat];
    }
    table_resolve(&trial->table, pointers);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        uint32_t count = trial->lists[seat].count;

        /* Of several resignations in one list the first counts, so their order matters. */
        for (uint32_t i = 0; i < count && !turn->after->outcome.is_over; i++) {
            if (turn->judgements[seat][count - 1 - i].verdict !=
                trial->expected.judgements[seat][i].verdict) {
                return false;
            }
        }
    }
    if (!has_same_result(trial)) {
        return false;
    }
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        commands_shuffle(&trial->spare[seat], &trial->rng);
    }
    table_resolve(&trial->table, pointers);
    return has_same_result(trial);
}

static bool
arrival_does_not_matter(struct trial *trial)
{
    struct table *table = &trial->table;

    for (uint8_t seat = table->turn.seat_count; seat > 0; seat--) {
        sk_match_submit(&table->match, &table->turn, (uint8_t)(seat - 1),
                        commands_of(&trial->lists[seat - 1]));
    }
    sk_match_resolve(&table->match, &table->turn);
    return trial_has_same_result(trial);
}

/* ---- states ------------------------------------------------------------------------------ */

static bool
nothing_is_allocated(struct trial *trial)
{
    return trial->allocations == 0;
}

/* Resolves the trial's commands from another copy of the state, and restores the state. */
static bool
goes_on_the_same_from(struct trial *trial, struct sk_state *state)
{
    struct sk_state *kept = trial->table.match.state;
    bool is_same;

    trial->table.match.state = state;
    table_resolve(&trial->table, trial->pointers);
    is_same = trial_has_same_result(trial);
    trial->table.match.state = kept;
    return is_same;
}

static bool
snapshot_goes_on_the_same(struct trial *trial)
{
    struct table *table = &trial->table;
    struct sk_turn *turn = &table->turn;
    size_t size = sk_snapshot_write(table->ruleset, table->config, table->match.state,
                                    turn->snapshot, turn->sizes.snapshot);
    uint8_t *bytes = malloc(size);
    struct sk_state *state = calloc(1, turn->sizes.state);
    bool is_same;

    if (bytes == NULL || state == NULL) {
        table_fail("no memory for a snapshot");
    }
    memcpy(bytes, turn->snapshot, size);
    is_same = sk_snapshot_read(table->ruleset, table->config, bytes, size, state) == SK_OK &&
              sk_snapshot_write(table->ruleset, table->config, state, turn->snapshot,
                                turn->sizes.snapshot) == size &&
              memcmp(turn->snapshot, bytes, size) == 0 && goes_on_the_same_from(trial, state);
    free(state);
    free(bytes);
    return is_same;
}

/* As through JSON, but without it: uses the form that JSON is written from and read into. */
static bool
handed_back_state_goes_on_the_same(struct trial *trial)
{
    struct table *table = &trial->table;
    struct sk_state *state = calloc(1, table->turn.sizes.state);
    struct sk_arena arena;
    struct sk_fault fault;
    void *form;
    bool is_same;

    sk_arena_init(&arena, malloc(FORM_SIZE), FORM_SIZE);
    if (arena.base == NULL || state == NULL) {
        table_fail("no memory for a form");
    }
    form = sk_arena_take(&arena, table->ruleset->state->size);
    is_same = sk_rules_state_form(table->ruleset, table->config, table->match.state, &arena,
                                  form) == SK_OK &&
              sk_rules_state_read(table->ruleset, table->config, form, state, &fault) == SK_OK;
    state->turn = table->match.state->turn;
    state->outcome.winner = SK_NOBODY;
    sk_turn_settle(table->ruleset, table->config, state);
    is_same = is_same && goes_on_the_same_from(trial, state);
    free(arena.base);
    free(state);
    return is_same;
}

struct property shared_properties[] = {
    { .sentence = "the order of a seat's commands does not matter",
      .is_of_simultaneous = true,
      .holds = order_does_not_matter },
    { .sentence = "the order in which the seats' commands arrive does not matter",
      .is_of_simultaneous = true,
      .holds = arrival_does_not_matter },
    { .sentence = "resolving allocates nothing", .holds = nothing_is_allocated },
    { .sentence = "a snapshot is read back unchanged and continues the same",
      .holds = snapshot_goes_on_the_same },
    { .sentence = "a state passed back in continues the same",
      .holds = handed_back_state_goes_on_the_same },
    { .sentence = "the mirrored match has the mirrored result",
      .is_of_mirrored = true,
      .holds = mirror_comes_to_the_same },
};

const uint32_t shared_property_count = SK_COUNT_OF(shared_properties);
