/*
 * tactics: bytes as turns of a match. What must hold is asserted after each.
 *
 * The first byte chooses the board; then each seat's turn is a count and
 * four bytes per command: kind and unit, target, and how the target is meant.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/tactics/internal.h"
#include "tests/fuzz/input.h"
#include "tests/support/table.h"

#define TURNS_MAX    40
#define COMMANDS_MAX 15u

/* A crowded board on which nearly everything meets, hits and dies. */
static const char crowded[] =
    "{\"rows\":4,\"cols\":4,\"start_rows\":2,\"placement\":true,\"turn_limit\":30,\"patterns\":{"
    "\"any\":{\"rows\":[\"xxxxx\",\"xxxxx\",\"xxoxx\",\"xxxxx\",\"xxxxx\"],"
    "\"map\":{\"o\":\"cross\"}},"
    "\"cross\":{\"rows\":[\"p p\",\" x \",\"p p\"],\"map\":{\"p\":\"dot\"}},"
    "\"dot\":{\"rows\":[\"xx \",\"   \",\"   \"]}},"
    "\"models\":{\"one\":{\"health\":9,\"power\":4,\"move\":[\"any\"],\"attack\":[\"any\"]},"
    "\"two\":{\"health\":30,\"power\":0,\"move\":[\"dot\",\"cross\"],\"attack\":[\"cross\"]}},"
    "\"units\":[{\"id\":\"a1\",\"model\":\"one\",\"seat\":0,\"at\":[0,2]},"
    "{\"id\":\"b1\",\"model\":\"one\",\"seat\":1,\"at\":[0,1]},"
    "{\"id\":\"a2\",\"model\":\"two\",\"seat\":0,\"at\":[1,2]},"
    "{\"id\":\"b2\",\"model\":\"two\",\"seat\":1,\"at\":[1,1]},"
    "{\"id\":\"a3\",\"model\":\"one\",\"seat\":0,\"at\":[2,2]},"
    "{\"id\":\"b3\",\"model\":\"two\",\"seat\":1,\"at\":[3,0]},"
    "{\"id\":\"a4\",\"model\":\"one\",\"seat\":0,\"at\":[3,3]},"
    "{\"id\":\"b4\",\"model\":\"one\",\"seat\":1,\"at\":[2,1]}]}";

/* Mostly on the board, sometimes far outside it. */
static int32_t
coordinate(uint8_t nibble, uint8_t how)
{
    static const int32_t extremes[] = { INT32_MIN, INT32_MAX, -1, 64 };

    return how >= 0xf0 ? extremes[how & 3] : nibble;
}

static void
take_commands(const struct table *table, struct input *input, struct command_list *list)
{
    const struct tactics_config *config = table->config;
    uint8_t count = input_take(input) & COMMANDS_MAX;

    commands_clear(list);
    for (uint8_t i = 0; i < count; i++) {
        struct tactics_command command = { .head = { 0 } };
        uint8_t unit = input_take(input);
        uint8_t target = input_take(input);
        uint8_t how = input_take(input);

        command.head.kind = (uint8_t)(input_take(input) % tactics_command_variants.count);
        command.unit = unit < config->unit_count ? tactics_units(config)[unit].id
                                                 : sk_id_from(SK_TEXT("nobody"));
        command.target = sk_cell(coordinate(target & 15, how), coordinate(target >> 4, how));
        commands_add(list, &command);
    }
}

/* ---- what must hold ---------------------------------------------------------------------- */

static int64_t
total_health(const struct tactics_config *config, const struct tactics_position *position)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < config->unit_count; i++) {
        sum += position->unit[i].health;
    }
    return sum;
}

static void
check_position(const struct tactics_config *config, const struct sk_state *before,
               const struct sk_state *after)
{
    const struct tactics_position *position = tactics_position_of(after);
    uint64_t taken[SK_GRID_MAX] = { 0 };

    for (uint32_t i = 0; i < config->unit_count; i++) {
        const struct tactics_unit *unit = &position->unit[i];

        must(unit->health >= 0 && unit->x < config->cols && unit->y < config->rows);
        must(unit->health > 0 || (unit->x == 0 && unit->y == 0));
        must(unit->health == 0 || (taken[unit->y] >> unit->x & 1) == 0);
        taken[unit->y] |= (uint64_t)(unit->health > 0) << unit->x;
    }
    must(total_health(config, position) <= total_health(config, tactics_position_of(before)));
}

static void
check_snapshot(struct table *table)
{
    uint8_t bytes[4096];
    struct sk_state *again = calloc(1, table->turn.sizes.state);
    size_t size =
        sk_snapshot_write(table->ruleset, table->config, table->turn.after, bytes, sizeof(bytes));

    must(again != NULL);
    must(sk_snapshot_read(table->ruleset, table->config, bytes, size, again) == SK_OK);
    must(memcmp(again, table->turn.after, table->turn.sizes.state) == 0);
    free(again);
}

/* The same commands in another order give the same state. */
static void
check_order(struct table *table, struct command_list *lists, struct sk_rng *rng)
{
    const struct command_list *both[SK_SEATS_MAX] = { &lists[0], &lists[1] };
    uint64_t hash = sk_turn_hash(&table->turn);

    commands_shuffle(&lists[0], rng);
    commands_shuffle(&lists[1], rng);
    table_resolve(table, both);
    must(sk_turn_hash(&table->turn) == hash);
}

/* ---- the whole --------------------------------------------------------------------------- */

static void
play_turn(struct table *table, struct input *input, struct command_list *lists, struct sk_rng *rng)
{
    const struct command_list *both[SK_SEATS_MAX] = { &lists[0], &lists[1] };

    take_commands(table, input, &lists[0]);
    take_commands(table, input, &lists[1]);
    table_resolve(table, both);
    check_position(table->config, table->match.state, table->turn.after);
    check_snapshot(table);
    check_order(table, lists, rng);
    table_play(table, both);
}

/* One table per board is kept, because making one takes longer than a match. */
static struct table *
table_of(bool is_crowded, const struct sk_seed *seed)
{
    static struct table tables[2];
    struct table *table = &tables[is_crowded ? 1 : 0];

    if (table->ruleset == NULL) {
        table_open_json(table, &sk_ruleset_tactics, is_crowded ? crowded : NULL, seed);
    }
    sk_match_begin(&table->match, &table->turn, seed, table->match.state);
    return table;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = { bytes, size };
    struct sk_seed seed = table_seed(1);
    struct table *table = table_of((input_take(&input) & 1) == 0, &seed);
    struct command_list lists[2];
    struct sk_rng rng;

    commands_init(&lists[0], table->ruleset);
    commands_init(&lists[1], table->ruleset);
    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t turn = 0; turn < TURNS_MAX && input.size > 0; turn++) {
        play_turn(table, &input, lists, &rng);
    }
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
    return 0;
}
