/* Lists of commands, and the random players that fill them. */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "tests/support/schema_random.h"
#include "tests/support/table.h"

#define DRAWS_MAX        32 /* hints that a careful player tries */
#define LIST_MAX         12 /* usual number of commands of a careless player */
#define FORMS_SIZE       4096
#define LONG_LIST_ONE_IN 200

const struct habits habits_orderly = { .careless = 50 };
const struct habits habits_unruly = {
    .careless = 500,
    .wild = 150,
    .bent = 250,
    .twice = 60,
    .foreign = 60,
    .alone = 300,
    .shared = 4,
};

/* ---- lists ------------------------------------------------------------------------------- */

void
commands_init(struct command_list *list, const struct sk_ruleset *ruleset)
{
    *list = (struct command_list){ .item_size = ruleset->command->size };
}

void
commands_fini(struct command_list *list)
{
    free(list->at);
    *list = (struct command_list){ 0 };
}

void
commands_clear(struct command_list *list)
{
    list->count = 0;
}

const void *
commands_item(const struct command_list *list, uint32_t index)
{
    return list->at + (size_t)index * list->item_size;
}

void
commands_add(struct command_list *list, const void *command)
{
    if (list->count == list->space) {
        uint32_t space = list->space == 0 ? 16 : 2 * list->space;
        uint8_t *memory = malloc((size_t)space * list->item_size);

        if (memory == NULL) {
            table_fail("no memory for %u commands", space);
        }
        /* `command` may be in the list itself, so the old block is freed last. */
        if (list->count > 0) {
            memcpy(memory, list->at, (size_t)list->count * list->item_size);
        }
        memcpy(memory + (size_t)list->count * list->item_size, command, list->item_size);
        free(list->at);
        list->at = memory;
        list->space = space;
    } else {
        memcpy(list->at + (size_t)list->count * list->item_size, command, list->item_size);
    }
    list->count++;
}

void
commands_add_bare(struct command_list *list, uint8_t kind)
{
    uint8_t *command = calloc(1, list->item_size);

    if (command == NULL) {
        table_fail("no memory for a command");
    }
    ((struct sk_command *)(void *)command)->kind = kind;
    commands_add(list, command);
    free(command);
}

void
commands_copy(struct command_list *list, const struct command_list *from)
{
    commands_clear(list);
    for (uint32_t i = 0; i < from->count; i++) {
        commands_add(list, commands_item(from, i));
    }
}

static void
swap_items(struct command_list *list, uint32_t i, uint32_t j)
{
    uint8_t *a = list->at + (size_t)i * list->item_size;
    uint8_t *b = list->at + (size_t)j * list->item_size;

    for (uint32_t k = 0; k < list->item_size; k++) {
        uint8_t byte = a[k];

        a[k] = b[k];
        b[k] = byte;
    }
}

void
commands_shuffle(struct command_list *list, struct sk_rng *rng)
{
    for (uint32_t left = list->count; left > 1; left--) {
        swap_items(list, left - 1, sk_rng_below(rng, left));
    }
}

struct sk_commands
commands_of(const struct command_list *list)
{
    return (struct sk_commands){ list->at, list->count };
}

/* ---- hints ------------------------------------------------------------------------------- */

struct collector {
    struct sk_hint_sink sink;
    struct command_list *list;
};

static bool
collect(struct sk_hint_sink *sink, const void *command)
{
    commands_add(((struct collector *)(void *)sink)->list, command);
    return true;
}

void
table_hints(struct table *table, uint8_t seat, struct command_list *ret_hints)
{
    struct collector collector = { { .take = collect }, ret_hints };

    commands_clear(ret_hints);
    if (!table->match.state->outcome.is_over) {
        sk_rules_hints(table->ruleset, table->config, table_look(table, seat), seat,
                       &collector.sink);
    }
}

/* ---- players ----------------------------------------------------------------------------- */

struct player {
    struct table *table;
    struct sk_rng *rng;
    const struct habits *habits;
    struct command_list *commands;
    struct command_list *hints;
    struct command_list *foreign;
    uint8_t seat;
};

static bool
has_chance(struct player *player, uint32_t permille)
{
    return sk_rng_below(player->rng, 1000) < permille;
}

static void
add_one_of(struct player *player, const struct command_list *list)
{
    if (list->count > 0) {
        commands_add(player->commands, commands_item(list, sk_rng_below(player->rng, list->count)));
    }
}

/* A random form of the kinds from `least` to `most`. */
static void
draw_wild(struct player *player, uint8_t least, uint8_t most, void *ret_command)
{
    void *memory = malloc(FORMS_SIZE);
    struct sk_arena arena;
    struct sk_random random = {
        .rng = player->rng, .arena = &arena, .list_max = 8, .wild_permille = 100
    };
    uint8_t kind;

    if (memory == NULL) {
        table_fail("no memory for a wild command");
    }
    do {
        sk_arena_init(&arena, memory, FORMS_SIZE);
        if (sk_variant_random(&random, player->table->ruleset->command, ret_command) != SK_OK) {
            table_fail("a random command does not fit into FORMS_SIZE");
        }
        kind = ((struct sk_command *)ret_command)->kind;
    } while (kind < least || kind > most);
    free(memory);
}

/* Leaving the match is left to add_shared; otherwise no match would last. */
static void
add_wild(struct player *player)
{
    void *command = malloc(player->table->ruleset->command->size);

    if (command == NULL) {
        table_fail("no memory for a wild command");
    }
    draw_wild(player, SK_COMMAND_OWN, UINT8_MAX, command);
    commands_add(player->commands, command);
    free(command);
}

static size_t
member_size(const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        return sizeof(bool);
    case SK_KIND_INT:
        return sizeof(int32_t);
    case SK_KIND_ENUM:
        return sizeof(uint8_t);
    case SK_KIND_ID:
        return sizeof(struct sk_id);
    case SK_KIND_CELL:
        return sizeof(struct sk_cell);
    case SK_KIND_ROW:
        return sizeof(struct sk_row) + (size_t)member->max * member->item_size;
    default:
        return 0;
    }
}

/* The source of a bent command's foreign member: another hint with the same members, or any. */
static void
draw_for_bending(struct player *player, uint8_t kind, void *ret_command)
{
    const struct sk_variants *variants = player->table->ruleset->command;
    const struct command_list *from =
        sk_rng_below(player->rng, 2) == 0 ? player->hints : player->foreign;

    if (from->count > 0 && sk_rng_below(player->rng, 4) != 0) {
        const struct sk_command *hint = commands_item(from, sk_rng_below(player->rng, from->count));

        if (variants->of[hint->kind].schema == variants->of[kind].schema) {
            memcpy(ret_command, hint, variants->size);
            return;
        }
    }
    draw_wild(player, kind, kind, ret_command);
}

/* A hint with one member from another command. */
static void
add_bent(struct player *player)
{
    const struct sk_variants *variants = player->table->ruleset->command;
    const struct sk_schema *schema;
    uint8_t *command;
    uint8_t *other;
    uint8_t kind;

    if (player->hints->count == 0) {
        return;
    }
    add_one_of(player, player->hints);
    other = malloc(variants->size);
    if (other == NULL) {
        table_fail("no memory for a bent command");
    }
    command =
        player->commands->at + (size_t)(player->commands->count - 1) * player->commands->item_size;
    kind = ((struct sk_command *)(void *)command)->kind;
    schema = variants->of[kind].schema;
    draw_for_bending(player, kind, other);
    if (schema->member_count > 0) {
        const struct sk_member *member =
            &schema->members[sk_rng_below(player->rng, schema->member_count)];

        memcpy(command + member->offset, other + member->offset, member_size(member));
    }
    free(other);
}

static bool
all_stand(struct player *player)
{
    struct sk_turn *turn = &player->table->turn;

    turn->before = player->table->match.state;
    turn->seed = &player->table->match.seed;
    turn->commands[player->seat] = commands_of(player->commands);
    sk_turn_check(turn, player->seat);
    for (uint32_t i = 0; i < player->commands->count; i++) {
        if (turn->judgements[player->seat][i].verdict != SK_VERDICT_OK) {
            return false;
        }
    }
    return true;
}

/* Finds a list that is accepted as a whole, without knowing why anything is refused. */
static void
draw_carefully(struct player *player)
{
    uint32_t draws = sk_rng_below(player->rng, DRAWS_MAX + 1);

    for (uint32_t i = 0; i < draws; i++) {
        add_one_of(player, player->hints);
        if (player->commands->count == 0) {
            return;
        }
        if (player->commands->count > SK_COMMANDS_MAX || !all_stand(player)) {
            player->commands->count--;
        }
    }
}

static void
draw_carelessly(struct player *player)
{
    uint32_t count = sk_rng_below(player->rng, LONG_LIST_ONE_IN) == 0
                         ? SK_COMMANDS_MAX
                         : sk_rng_below(player->rng, LIST_MAX + 1);

    for (uint32_t i = 0; i < count; i++) {
        add_one_of(player, player->hints);
    }
}

/* Spoils a list: each kind of spoiling has its own chance per command. */
static void
add_mischief(struct player *player)
{
    uint32_t count = player->commands->count + 1;

    for (uint32_t i = 0; i < count && player->commands->count + 4 <= SK_COMMANDS_MAX; i++) {
        if (has_chance(player, player->habits->wild)) {
            add_wild(player);
        }
        if (has_chance(player, player->habits->bent)) {
            add_bent(player);
        }
        if (has_chance(player, player->habits->twice)) {
            add_one_of(player, player->commands);
        }
        if (has_chance(player, player->habits->foreign)) {
            add_one_of(player, player->foreign);
        }
    }
}

/* If one command too many spoils all of them, the others would hide what is wrong with it. */
static void
leave_one(struct player *player)
{
    struct command_list *list = player->commands;

    if (list->count > 1 && has_chance(player, player->habits->alone)) {
        swap_items(list, 0, sk_rng_below(player->rng, list->count));
        list->count = 1;
    }
}

static void
add_shared(struct player *player)
{
    if (has_chance(player, player->habits->shared) && player->commands->count < SK_COMMANDS_MAX) {
        commands_add_bare(player->commands, (uint8_t)sk_rng_below(player->rng, SK_COMMAND_OWN));
    }
}

void
table_draw_commands(struct table *table, struct sk_rng *rng, const struct habits *habits,
                    uint8_t seat, struct command_list *ret_commands)
{
    struct player player = {
        .table = table, .rng = rng, .habits = habits, .commands = ret_commands, .seat = seat
    };
    bool is_careful = table->ruleset->is_simultaneous && !has_chance(&player, habits->careless);

    commands_clear(ret_commands);
    player.hints = &table->hints[0];
    player.foreign = &table->hints[1];
    table_hints(table, seat, player.hints);
    if (is_careful) {
        draw_carefully(&player);
    } else {
        draw_carelessly(&player);
    }
    if (habits->foreign > 0 || habits->bent > 0) {
        table_hints(table, (uint8_t)((seat + 1) % table->turn.seat_count), player.foreign);
    }
    add_mischief(&player);
    leave_one(&player);
    add_shared(&player);
    commands_shuffle(ret_commands, rng);
}
