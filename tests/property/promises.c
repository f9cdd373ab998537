/* The promises, each asked in every trial that it speaks of. */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/tactics/internal.h"
#include "tests/property/count_allocations.h"
#include "tests/property/trial.h"
#include "tests/support/digest.h"

#define HINT_CELLS_MAX 400 /* boards that are asked cell by cell */
#define FORM_SIZE      (64u * 1024u)

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
trial_came_to_the_same(struct trial *trial)
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

/* In reverse, where each command must get its verdict; then shuffled, for the result alone. */
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

        /* Of several equal resignations in one list the first is taken, so order shows there. */
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
    return trial_came_to_the_same(trial);
}

/* ---- states ------------------------------------------------------------------------------ */

static bool
nothing_is_allocated(struct trial *trial)
{
    return trial->allocations == 0;
}

/* Resolves the trial's commands from another copy of the state, and puts things back. */
static bool
goes_on_the_same_from(struct trial *trial, struct sk_state *state)
{
    struct sk_state *kept = trial->table.match.state;
    bool is_same;

    trial->table.match.state = state;
    table_resolve(&trial->table, trial->pointers);
    is_same = trial_came_to_the_same(trial);
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

/* As through JSON, but without it: the form is what JSON is written from and read into. */
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
    is_same =
        table->ruleset->state_form(table->config, table->match.state, &arena, form) == SK_OK &&
        table->ruleset->state_read(table->config, form, state, &fault) == SK_OK;
    state->turn = table->match.state->turn;
    state->outcome.winner = SK_NOBODY;
    sk_turn_settle(table->ruleset, table->config, state);
    is_same = is_same && goes_on_the_same_from(trial, state);
    free(arena.base);
    free(state);
    return is_same;
}

/* ---- tactics ----------------------------------------------------------------------------- */

static bool
nobody_shares_a_cell(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *position = tactics_position_of(trial->after);
    bool is_taken[SK_GRID_MAX * SK_GRID_MAX] = { false };

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        struct sk_cell cell = tactics_cell_of(position, unit);

        if (!tactics_is_alive(position, unit)) {
            continue;
        }
        if (!sk_cell_on_grid(cell, config->cols, config->rows) ||
            is_taken[sk_cell_index(cell, config->cols)]) {
            return false;
        }
        is_taken[sk_cell_index(cell, config->cols)] = true;
    }
    return true;
}

static bool
health_never_grows(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    const struct tactics_position *before = tactics_position_of(trial->table.match.state);
    const struct tactics_position *after = tactics_position_of(trial->after);

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (after->unit[unit].health > before->unit[unit].health || after->unit[unit].health < 0) {
            return false;
        }
    }
    return true;
}

/* How many commands of the unit are ok alone, by asking for every cell of the board. */
static uint32_t
count_ok_alone(struct trial *trial, uint32_t unit)
{
    struct table *table = &trial->table;
    const struct tactics_config *config = table->config;
    uint8_t seat = tactics_units(config)[unit].seat;
    struct tactics_command command = { .unit = tactics_units(config)[unit].id };
    uint32_t count = 0;

    for (uint8_t kind = TACTICS_MOVE; kind <= TACTICS_PLACE; kind++) {
        for (int32_t cell = 0; cell < config->rows * config->cols; cell++) {
            command.head.kind = kind;
            command.target = sk_cell(cell % config->cols, cell / config->cols);
            sk_match_submit(&table->match, &table->turn, seat, (struct sk_commands){ &command, 1 });
            count += table->turn.judgements[seat][0].verdict == SK_VERDICT_OK;
        }
    }
    sk_match_withdraw(&table->match, seat);
    return count;
}

/* All hints are ok (that is asked elsewhere) and different, so the numbers must agree. */
static bool
hints_leave_nothing_out(struct trial *trial)
{
    const struct tactics_config *config = trial->table.config;
    uint32_t unit = sk_rng_below(&trial->rng, config->unit_count);
    const struct tactics_unit_config *named = &tactics_units(config)[unit];
    uint32_t count = 0;

    if (config->rows * config->cols > HINT_CELLS_MAX || sk_rng_below(&trial->rng, 8) != 0) {
        return true;
    }
    table_hints(&trial->table, named->seat, &trial->spare[0]);
    for (uint32_t i = 0; i < trial->spare[0].count; i++) {
        const struct tactics_command *hint = commands_item(&trial->spare[0], i);

        count += sk_id_same(&hint->unit, &named->id);
    }
    return count == count_ok_alone(trial, unit);
}

static bool
mirrored_match_comes_to_the_same(struct trial *trial)
{
    return !trial->has_mirror || mirror_comes_to_the_same(trial);
}

struct promise promises[] = {
    { .sentence = "the order of a seat's commands does not matter",
      .is_of_simultaneous = true,
      .holds = order_does_not_matter },
    { .sentence = "the order in which the seats' commands arrive does not matter",
      .is_of_simultaneous = true,
      .holds = arrival_does_not_matter },
    { .sentence = "resolving allocates nothing", .holds = nothing_is_allocated },
    { .sentence = "a snapshot comes back as it was and goes on the same",
      .holds = snapshot_goes_on_the_same },
    { .sentence = "a state handed back goes on the same",
      .holds = handed_back_state_goes_on_the_same },
    { .sentence = "no two living units share a cell",
      .is_of_tactics = true,
      .holds = nobody_shares_a_cell },
    { .sentence = "health never grows", .is_of_tactics = true, .holds = health_never_grows },
    { .sentence = "hints leave nothing out that is ok alone",
      .is_of_tactics = true,
      .holds = hints_leave_nothing_out },
    { .sentence = "the mirrored match comes to the mirrored result",
      .is_of_tactics = true,
      .holds = mirrored_match_comes_to_the_same },
};

const uint32_t promise_count = SK_COUNT_OF(promises);
