#include "tests/support/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "common/core/snapshot.h"
#include "common/core/validate.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER
#include <sanitizer/asan_interface.h>
#define FORBID(at, size) __asan_poison_memory_region(at, size)
#define ALLOW(at, size)  __asan_unpoison_memory_region(at, size)
#else
#define FORBID(at, size) ((void)(at), (void)(size))
#define ALLOW(at, size)  ((void)(at), (void)(size))
#endif

_Noreturn void
table_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fprintf(stderr, "cannot set the table: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

static void *
take(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);

    if (memory == NULL) {
        table_fail("no %zu bytes of memory", size);
    }
    return memory;
}

struct sk_seed
table_seed(uint64_t number)
{
    struct sk_seed seed = { { 0 } };

    for (unsigned i = 0; i < sizeof(number); i++) {
        seed.bytes[i] = (uint8_t)(number >> (8 * i));
    }
    return seed;
}

/* ---- opening ----------------------------------------------------------------------------- */

#define FILLED_SIZE 65536u /* the largest memory is megabytes, of which most params use little */

/*
 * Memory for building: megabytes, whose pages a sanitizer initializes again for
 * each malloc.  So it is kept for the next table of the same size, and poisoned
 * until then.
 */
struct space {
    void *memory;
    size_t size;
};

static void
take_space(struct space *space, struct sk_arena *arena, size_t size, uint8_t content)
{
    if (space->memory == NULL || space->size != size) {
        ALLOW(space->memory, space->size);
        free(space->memory);
        *space = (struct space){ take(size), size };
    }
    ALLOW(space->memory, size);
    memset(space->memory, content, size < FILLED_SIZE ? size : FILLED_SIZE);
    sk_arena_init(arena, space->memory, size);
}

static void
leave_space(const struct space *space)
{
    FORBID(space->memory, space->size);
}

/* Copies the config out of the building memory: configs must be movable. */
static enum sk_status
build_config(struct table *table, const void *params, struct sk_fault *ret_fault)
{
    static uint8_t content; /* different each time, so that unwritten memory is noticed */
    static struct space config_space;
    static struct space scratch_space;
    const struct sk_ruleset *ruleset = table->ruleset;
    struct sk_arena config;
    struct sk_arena scratch;
    enum sk_status status;

    content = (uint8_t)~content;
    take_space(&config_space, &config, sk_rules_config_size_max(ruleset), content);
    take_space(&scratch_space, &scratch, ruleset->scratch_size_max, content);
    status = sk_rules_config_build(ruleset, params == NULL ? ruleset->default_params : params,
                                   &config, &scratch, ret_fault);
    if (status == SK_OK) {
        table->config = take(config.used);
        table->config_size = config.used;
        memcpy(table->config, config.base, config.used);
    }
    leave_space(&config_space);
    leave_space(&scratch_space);
    return status;
}

enum sk_status
table_try(struct table *table, const struct sk_ruleset *ruleset, const void *params,
          const struct sk_seed *seed, struct sk_fault *ret_fault)
{
    enum sk_status status;

    *table = (struct table){ .ruleset = ruleset, .seed = *seed };
    status = build_config(table, params, ret_fault);
    if (status != SK_OK) {
        return status;
    }
    table->turn_memory = take(sk_turn_memory_size(ruleset, table->config));
    sk_turn_init(&table->turn, ruleset, table->config, table->turn_memory);
    table->view = take(table->turn.sizes.view);
    commands_init(&table->hints[0], ruleset);
    commands_init(&table->hints[1], ruleset);
    sk_match_begin(&table->match, &table->turn, &table->seed, take(table->turn.sizes.state));
    return SK_OK;
}

void
table_open(struct table *table, const struct sk_ruleset *ruleset, const void *params,
           const struct sk_seed *seed)
{
    struct sk_fault fault;

    if (table_try(table, ruleset, params, seed, &fault) != SK_OK) {
        table_fail("%s refuses the params: %s: %s at %s", ruleset->name, fault.code, fault.message,
                   fault.at);
    }
}

void
table_close(struct table *table)
{
    for (uint32_t i = 0; i < table->piece_count; i++) {
        free(table->pieces[i]);
    }
    commands_fini(&table->hints[0]);
    commands_fini(&table->hints[1]);
    free(table->match.state);
    free(table->view);
    free(table->turn_memory);
    free(table->config);
    *table = (struct table){ 0 };
}

/* ---- guarding ---------------------------------------------------------------------------- */

#ifdef HAS_SANITIZER
static const size_t mark_size = 0;
#else
static const size_t mark_size = 64;
#endif
#define MARK 0xa5

/* Filled with garbage: a ruleset must not rely on cleared memory. */
static void *
take_piece(struct table *table, size_t size)
{
    uint32_t place = table->piece_count;

    if (place == TABLE_PIECES_MAX) {
        table_fail("a turn has more pieces than TABLE_PIECES_MAX");
    }
    table->pieces[place] = take(size + mark_size);
    memset(table->pieces[place], MARK, size + mark_size);
    table->piece_sizes[place] = size;
    table->piece_count++;
    return table->pieces[place];
}

bool
table_guard_holds(const struct table *table)
{
    for (uint32_t i = 0; i < table->piece_count; i++) {
        const uint8_t *mark = (const uint8_t *)table->pieces[i] + table->piece_sizes[i];

        for (size_t j = 0; j < mark_size; j++) {
            if (mark[j] != MARK) {
                return false;
            }
        }
    }
    return true;
}

void
table_guard(struct table *table)
{
    struct sk_turn *turn = &table->turn;

    turn->after = take_piece(table, turn->sizes.state);
    turn->view = take_piece(table, turn->sizes.view);
    turn->work = take_piece(table, turn->sizes.work);
    turn->events_memory = take_piece(table, turn->sizes.events);
    turn->snapshot = take_piece(table, turn->sizes.snapshot);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        turn->judgements[seat] =
            take_piece(table, SK_COMMANDS_MAX * sizeof(*turn->judgements[seat]));
    }
    sk_events_init(&turn->events, turn->events_memory, turn->sizes.events);
}

/* ---- playing ----------------------------------------------------------------------------- */

void
table_resolve(struct table *table, const struct command_list *const *lists)
{
    for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
        table->match.commands[seat] =
            lists[seat] == NULL ? (struct sk_commands){ NULL, 0 } : commands_of(lists[seat]);
    }
    sk_match_resolve(&table->match, &table->turn);
}

void
table_play(struct table *table, const struct command_list *const *lists)
{
    bool is_played;

    table_resolve(table, lists);
    do {
        is_played = sk_match_resolve_next(&table->match, &table->turn);
    } while (is_played);
    sk_match_commit(&table->match, &table->turn);
}

uint64_t
table_hash(struct table *table)
{
    return sk_snapshot_hash(table->ruleset, table->config, table->match.state, table->turn.snapshot,
                            table->turn.sizes.snapshot);
}

const void *
table_look(struct table *table, uint8_t seat)
{
    memset(table->view, 0, table->turn.sizes.view);
    sk_rules_view_make(table->ruleset, &table->turn.sizes, table->config, table->match.state, seat,
                       table->view);
    return table->view;
}

/* ---- single rules ------------------------------------------------------------------------ */

static bool
check_alone(struct table *table, uint8_t seat, struct sk_commands commands,
            const struct sk_check *check)
{
    struct sk_check_in in = {
        .ruleset = table->ruleset,
        .config = table->config,
        .view = table_look(table, seat),
        .commands = commands,
        .judgements = table->turn.judgements[seat],
        .work = table->turn.work,
        .seat = seat,
    };
    bool is_own_word = true;

    sk_validate_alone(&in, check);
    for (uint32_t i = 0; i < commands.count; i++) {
        is_own_word &= in.judgements[i].verdict == SK_VERDICT_OK ||
                       in.judgements[i].check == check - table->ruleset->checks;
    }
    return is_own_word;
}

/* For an alternating ruleset each command in turn is the one being played. */
static void
stages_alone(struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        uint32_t count = turn->ruleset->is_simultaneous ? 1 : turn->commands[seat].count;

        turn->acting_seat = seat;
        for (turn->acting_index = 0; turn->acting_index < count; turn->acting_index++) {
            for (uint8_t i = 0; i < turn->ruleset->stage_count; i++) {
                sk_turn_run_alone(turn, &turn->ruleset->stages[i]);
            }
        }
    }
}

bool
table_ask_alone(struct table *table, const struct command_list *const *lists)
{
    struct sk_turn *turn = &table->turn;
    bool is_own_word = true;

    turn->before = table->match.state;
    turn->seed = &table->seed;
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        turn->commands[seat] = commands_of(lists[seat]);
        for (uint8_t i = 0; i < table->ruleset->check_count; i++) {
            is_own_word &=
                check_alone(table, seat, turn->commands[seat], &table->ruleset->checks[i]);
        }
    }
    stages_alone(turn);
    return is_own_word;
}
