/*
 * The levels that ship with the project: there are enough of them, in
 * increasing difficulty, and each can be won against the server's adversaries.
 *
 * That a level can be won is shown by winning it: a search over the moves of
 * one hero, from the first state, with the real rules and the seed's chance.
 * The path found is then played as an ordinary match.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/snapshot.h"
#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/table.h"

#define LEVELS_MIN   5
#define NODES_MAX    20000u
#define SLOTS        (1u << 16) /* of the set of positions seen, by their hash */
#define FAR          1000
#define SEARCH_SEEDS 10

/* ---- how far it is for a hero ------------------------------------------------------------- */

struct distances {
    int32_t to[SK_SNARL_SIDE_MAX][SK_SNARL_SIDE_MAX]; /* steps, by y and x */
};

static void
measure(const struct snarl_config *config, const struct snarl_level *level, struct sk_cell goal,
        struct distances *ret)
{
    static struct sk_cell queue[SK_SNARL_SIDE_MAX * SK_SNARL_SIDE_MAX];
    size_t count = 0;

    for (int32_t y = 0; y < SK_SNARL_SIDE_MAX; y++) {
        for (int32_t x = 0; x < SK_SNARL_SIDE_MAX; x++) {
            ret->to[y][x] = FAR;
        }
    }
    ret->to[goal.y][goal.x] = 0;
    queue[count++] = goal;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t d = 0; d < SNARL_DIRECTIONS; d++) {
            struct sk_cell next =
                sk_cell(queue[i].x + snarl_directions[d].x, queue[i].y + snarl_directions[d].y);

            if (snarl_is_traversable(snarl_tile(config, level, next)) &&
                ret->to[next.y][next.x] == FAR) {
                ret->to[next.y][next.x] = ret->to[queue[i].y][queue[i].x] + 1;
                queue[count++] = next;
            }
        }
    }
}

/* ---- the search --------------------------------------------------------------------------- */

struct node {
    struct sk_state *state;
    uint32_t parent;
    struct sk_cell to;
    int32_t cost; /* by moves so far and those still to come */
};

struct search {
    struct table table;
    struct distances *to_key;
    struct distances *to_exit;
    struct node *nodes;
    uint32_t count;
    uint32_t *heap; /* of nodes, the cheapest first */
    uint32_t heap_count;
    uint64_t *seen;
};

static int32_t
moves_left(const struct search *search, const struct sk_state *state)
{
    const struct snarl_position *position = snarl_position_of(state);
    const struct snarl_level *level = snarl_level_at(search->table.config, position->level);
    struct sk_cell at = position->hero[0].at;

    if (position->exit_unlocked) {
        return (search->to_exit->to[at.y][at.x] + 1) / 2;
    }
    return (search->to_key->to[at.y][at.x] + 1) / 2 +
           (search->to_exit->to[level->key.y][level->key.x] + 1) / 2;
}

static bool
is_better(const struct search *search, uint32_t a, uint32_t b)
{
    return search->nodes[a].cost < search->nodes[b].cost ||
           (search->nodes[a].cost == search->nodes[b].cost && a > b);
}

static void
push(struct search *search, uint32_t node)
{
    uint32_t at = search->heap_count++;

    while (at > 0 && is_better(search, node, search->heap[(at - 1) / 2])) {
        search->heap[at] = search->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    search->heap[at] = node;
}

static uint32_t
pop(struct search *search)
{
    uint32_t best = search->heap[0];
    uint32_t moved = search->heap[--search->heap_count];
    uint32_t at = 0;

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child + 1 < search->heap_count &&
            is_better(search, search->heap[child + 1], search->heap[child])) {
            child++;
        }
        if (child >= search->heap_count || !is_better(search, search->heap[child], moved)) {
            break;
        }
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = moved;
    return best;
}

static bool
is_new(struct search *search, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & (SLOTS - 1);

    while (search->seen[slot] != 0 && search->seen[slot] != hash) {
        slot = (slot + 1) & (SLOTS - 1);
    }
    if (search->seen[slot] == hash) {
        return false;
    }
    search->seen[slot] = hash;
    return true;
}

static void
add_node(struct search *search, const struct sk_state *state, uint32_t parent, struct sk_cell to)
{
    struct node *node = &search->nodes[search->count];
    size_t size = search->table.turn.sizes.state;

    node->state = malloc(size);
    cr_assert_not_null(node->state);
    memcpy(node->state, state, size);
    node->parent = parent;
    node->to = to;
    node->cost = (int32_t)state->turn + 3 * moves_left(search, state); /* any way will do */
    push(search, search->count++);
}

/* Every move of the hero from there; true when one of them wins. */
static bool
expand(struct search *search, uint32_t from)
{
    struct table *table = &search->table;
    struct command_list hints;
    bool is_won = false;

    memcpy(table->match.state, search->nodes[from].state, table->turn.sizes.state);
    commands_init(&hints, table->ruleset);
    table_hints(table, 0, &hints);
    for (uint32_t i = 0; i < hints.count && !is_won && search->count < NODES_MAX; i++) {
        const struct snarl_command *command = commands_item(&hints, i);

        table->match.commands[0] = (struct sk_commands){ command, 1 };
        sk_match_resolve(&table->match, &table->turn);
        is_won = table->turn.after->outcome.reason == SNARL_WON;
        if (is_won ||
            (!table->turn.after->outcome.is_over && is_new(search, sk_turn_hash(&table->turn)))) {
            add_node(search, table->turn.after, from, command->to);
        }
    }
    commands_fini(&hints);
    return is_won;
}

static bool
search_win(struct search *search)
{
    add_node(search, search->table.match.state, 0, sk_cell(0, 0));
    while (search->heap_count > 0 && search->count < NODES_MAX) {
        if (expand(search, pop(search))) {
            return true;
        }
    }
    return false;
}

/* One level of the project's, for one hero. */
static void
search_open(struct search *search, size_t number, uint64_t seed)
{
    static const struct sk_text solo = SK_TEXT_CONST("solo");
    struct snarl_params params = *(const struct snarl_params *)sk_ruleset_snarl.default_params;
    struct sk_seed chance = table_seed(seed);
    const struct snarl_level *level;

    params.levels.at = (struct snarl_level_form *)params.levels.at + number;
    params.levels.count = 1;
    params.heroes = (struct sk_list){ (void *)&solo, 1 };
    memset(search, 0, sizeof(*search));
    table_open(&search->table, &sk_ruleset_snarl, &params, &chance);
    search->to_key = malloc(sizeof(*search->to_key));
    search->to_exit = malloc(sizeof(*search->to_exit));
    search->nodes = malloc(NODES_MAX * sizeof(*search->nodes));
    search->heap = malloc(NODES_MAX * sizeof(*search->heap));
    search->seen = calloc(SLOTS, sizeof(*search->seen));
    cr_assert(search->to_key != NULL && search->to_exit != NULL && search->nodes != NULL &&
              search->heap != NULL && search->seen != NULL);
    level = snarl_level_at(search->table.config, 0);
    measure(search->table.config, level, level->key, search->to_key);
    measure(search->table.config, level, level->exit, search->to_exit);
}

static void
search_close(struct search *search)
{
    for (uint32_t i = 0; i < search->count; i++) {
        free(search->nodes[i].state);
    }
    free(search->to_key);
    free(search->to_exit);
    free(search->nodes);
    free(search->heap);
    free(search->seen);
    table_close(&search->table);
}

/* Plays the way that was found, move by move, from the start. */
static uint32_t
replay(struct search *search)
{
    uint32_t way[1024];
    uint32_t count = 0;
    struct table *table = &search->table;

    for (uint32_t at = search->count - 1; at != 0; at = search->nodes[at].parent) {
        cr_assert_lt(count, SK_COUNT_OF(way));
        way[count++] = at;
    }
    memcpy(table->match.state, search->nodes[0].state, table->turn.sizes.state);
    for (uint32_t i = count; i > 0; i--) {
        struct snarl_command command = { .head = { SNARL_MOVE },
                                         .has_to = true,
                                         .to = search->nodes[way[i - 1]].to };

        table->match.commands[0] = (struct sk_commands){ &command, 1 };
        cr_assert(sk_match_resolve(&table->match, &table->turn));
        sk_match_commit(&table->match, &table->turn);
    }
    cr_expect_eq(table->match.state->outcome.reason, SNARL_WON);
    cr_expect_eq(table->match.state->outcome.winner, 0);
    return count;
}

static size_t
level_count(void)
{
    return ((const struct snarl_params *)sk_ruleset_snarl.default_params)->levels.count;
}

CASES_COUNTED(snarl_shipped, each_level_can_be_won_alone, level_count())
{
    for (uint64_t seed = 0; seed < SEARCH_SEEDS; seed++) {
        struct search search;
        uint32_t moves = 0;

        search_open(&search, *index, seed);
        if (search_win(&search)) {
            moves = replay(&search);
        }
        cr_expect_gt(moves, 0u, "level %zu, seed %u: no way found among %u positions", *index + 1,
                     (unsigned)seed, search.count);
        cr_log_info("level %zu, seed %u: %u moves, %u positions\n", *index + 1, (unsigned)seed,
                    moves, search.count);
        search_close(&search);
    }
}

/* ---- the set as a whole ------------------------------------------------------------------- */

Test(snarl_shipped, there_are_enough_levels_and_each_has_more_against_the_heroes)
{
    struct sk_seed seed = table_seed(1);
    struct table table;
    const struct snarl_config *config;

    table_open(&table, &sk_ruleset_snarl, NULL, &seed);
    config = table.config;
    cr_expect_geq(config->level_count, LEVELS_MIN);
    for (int32_t i = 0; i < config->level_count; i++) {
        const struct snarl_level *level = snarl_level_at(config, i);
        uint16_t kinds[SNARL_KIND_COUNT] = { 0 };

        for (uint32_t j = 0; j < level->adversary_count; j++) {
            kinds[snarl_adversaries_of(config, level)[j].kind]++;
        }
        cr_expect(level->has_key, "level %d has no key", i + 1);
        cr_expect_eq(kinds[SNARL_ZOMBIE], (i + 1) / 2 + 1, "zombies of level %d", i + 1);
        cr_expect_eq(kinds[SNARL_GHOST], i / 2, "ghosts of level %d", i + 1);
        cr_expect(i == 0 || level->room_count >= snarl_level_at(config, i - 1)->room_count,
                  "level %d has fewer rooms than the one before", i + 1);
    }
    table_close(&table);
}

/* Each of one to four heroes finds a place in each level. */
Test(snarl_shipped, the_levels_are_for_one_to_four_heroes)
{
    static const struct sk_text names[] = { SK_TEXT_CONST("a"), SK_TEXT_CONST("b"),
                                            SK_TEXT_CONST("c"), SK_TEXT_CONST("d") };
    struct snarl_params params = *(const struct snarl_params *)sk_ruleset_snarl.default_params;
    struct sk_seed seed = table_seed(1);

    for (uint32_t heroes = 1; heroes <= SK_COUNT_OF(names); heroes++) {
        struct sk_fault fault = { .code = "none" };
        struct table table;

        params.heroes = (struct sk_list){ (void *)names, heroes };
        cr_expect_eq(table_try(&table, &sk_ruleset_snarl, &params, &seed, &fault), SK_OK,
                     "%u heroes: %s at %s", heroes, fault.message, fault.at);
        cr_expect_eq(table.turn.seat_count, heroes);
        table_close(&table);
    }
}
