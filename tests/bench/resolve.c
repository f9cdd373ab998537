/*
 * resolve - measures how long a turn takes inside the rules: checks, stages
 * and hash, without JSON.
 *
 * Turns are played and kept first, then resolved repeatedly; only measured_turn
 * counts.  Under callgrind (--toggle-collect=measured_turn) the same function
 * gives the number of instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/registry.h"
#include "common/rules/tactics/tactics.h"
#include "tests/support/table.h"

#define KEPT_MAX 64u

/* One turn to resolve: the state before it, and both seats' commands. */
struct kept_turn {
    struct sk_state *before;
    struct command_list commands[SK_SEATS_MAX];
};

struct scenario {
    const char *name;
    const char *what;
    char *(*params)(void); /* JSON text to free, or NULL for the ruleset's default */
    bool attacks_only;
};

/* ---- params ------------------------------------------------------------------------------ */

static void
add_units(FILE *out, const char *model)
{
    fputs("\"units\":[", out);
    for (int i = 0; i < SK_TACTICS_UNITS_PER_SEAT_MAX; i++) {
        fprintf(out,
                "%s{\"id\":\"a%d\",\"model\":\"%s\",\"seat\":0,\"at\":[%d,40]},"
                "{\"id\":\"b%d\",\"model\":\"%s\",\"seat\":1,\"at\":[%d,23]}",
                i == 0 ? "" : ",", i, model, i, i, model, i);
    }
    fputs("]}", out);
}

/* The largest board with the most units, and patterns of ordinary size. */
static char *
large_params(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fputs("{\"rows\":64,\"cols\":64,\"turn_limit\":1000000,\"patterns\":{"
          "\"step\":{\"rows\":[\"xxx\",\"x x\",\"xxx\"]},"
          "\"lob\":{\"rows\":[\" ooo \",\"ooooo\",\"oo oo\",\"ooooo\",\" ooo \"],"
          "\"map\":{\"o\":\"cross\"}},"
          "\"cross\":{\"rows\":[\" x \",\"xxx\",\" x \"]}},"
          "\"models\":{\"bomber\":{\"health\":10000,\"power\":1,\"move\":[\"step\"],"
          "\"attack\":[\"lob\"]}},",
          out);
    add_units(out, "bomber");
    fclose(out);
    return text;
}

/* The attacks of a turn affect as many cells as they may: each of 128 units 15 x 15. */
#define WORST_SIDE 15
static char *
worst_params(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fputs("{\"rows\":64,\"cols\":64,\"turn_limit\":1000000,\"patterns\":{"
          "\"far\":{\"rows\":[",
          out);
    for (int y = 0; y < SK_TACTICS_PATTERN_SIDE_MAX; y++) {
        fprintf(out, "%s\"", y == 0 ? "" : ",");
        for (int x = 0; x < SK_TACTICS_PATTERN_SIDE_MAX; x++) {
            fputc('o', out);
        }
        fputc('"', out);
    }
    fputs("],\"map\":{\"o\":\"whole\"}},\"whole\":{\"rows\":[", out);
    for (int y = 0; y < WORST_SIDE; y++) {
        fprintf(out, "%s\"", y == 0 ? "" : ",");
        for (int x = 0; x < WORST_SIDE; x++) {
            fputc('x', out);
        }
        fputc('"', out);
    }
    fputs("]}},\"models\":{\"doom\":{\"health\":10000,\"power\":0,\"move\":[],"
          "\"attack\":[\"far\"]}},",
          out);
    add_units(out, "doom");
    fclose(out);
    return text;
}

static const struct scenario scenarios[] = {
    { "default", "default roster, 12 units, all commanded", NULL, false },
    { "large", "64 x 64, 64 units per side, all commanded", large_params, false },
    { "worst", "the same, every attack affects 225 cells", worst_params, true },
};

/* ---- playing beforehand ------------------------------------------------------------------ */

/* One hint for each unit that has any; so every unit is commanded. */
static void
command_everybody(struct table *table, struct sk_rng *rng, uint8_t seat, bool attacks_only,
                  struct command_list *ret_commands)
{
    struct command_list hints;
    uint32_t first = 0;

    commands_init(&hints, table->ruleset);
    table_hints(table, seat, &hints);
    while (first < hints.count && ret_commands->count < SK_COMMANDS_MAX) {
        const struct tactics_command *command = commands_item(&hints, first);
        uint32_t end = first;
        const struct tactics_command *chosen;

        while (end < hints.count &&
               sk_id_same(&((const struct tactics_command *)commands_item(&hints, end))->unit,
                          &command->unit)) {
            end++;
        }
        chosen = commands_item(&hints, first + sk_rng_below(rng, end - first));
        if (!attacks_only || chosen->head.kind == TACTICS_ATTACK) {
            commands_add(ret_commands, chosen);
        }
        first = end;
    }
    commands_fini(&hints);
}

/* Turns of one match as long as nobody has died: the figure is for full boards. */
static uint32_t
keep_turns(struct table *table, bool attacks_only, uint32_t count_max, struct kept_turn *ret_turns)
{
    struct sk_seed seed = table_seed(7);
    struct sk_rng rng;
    uint32_t count = 0;

    sk_rng_start(&rng, &seed, 0, 0);
    table_play(table, (const struct command_list *const[SK_SEATS_MAX]){ NULL }); /* placement */
    while (count < count_max && !table->match.state->outcome.is_over) {
        struct kept_turn *turn = &ret_turns[count++];
        const struct command_list *lists[SK_SEATS_MAX] = { NULL };

        turn->before = malloc(table->turn.sizes.state);
        memcpy(turn->before, table->match.state, table->turn.sizes.state);
        for (uint8_t seat = 0; seat < table->turn.seat_count; seat++) {
            commands_init(&turn->commands[seat], table->ruleset);
            command_everybody(table, &rng, seat, attacks_only, &turn->commands[seat]);
            lists[seat] = &turn->commands[seat];
        }
        table_play(table, lists);
        for (const struct sk_event *event = table->turn.events.first; event != NULL;
             event = event->next) {
            if (event->kind == TACTICS_EVENT_DIED) {
                return count;
            }
        }
    }
    return count;
}

/* ---- measuring --------------------------------------------------------------------------- */

/* Not inlined, so that callgrind finds it by name. */
static __attribute__((noinline)) uint64_t
measured_turn(struct sk_turn *turn)
{
    sk_turn_resolve(turn);
    return sk_turn_hash(turn);
}

static double
now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void
run_scenario(const struct scenario *scenario, uint32_t turns)
{
    struct kept_turn kept[KEPT_MAX];
    struct sk_seed seed = table_seed(1);
    char *params = scenario->params == NULL ? NULL : scenario->params();
    struct table table;
    uint32_t kept_count;
    uint64_t commands = 0;
    uint64_t sum = 0;
    double start_s;
    double spent_s;

    table_open_json(&table, &sk_ruleset_tactics, params, &seed);
    kept_count = keep_turns(&table, scenario->attacks_only, KEPT_MAX, kept);
    table.turn.seed = &table.seed;
    start_s = now_s();
    for (uint32_t i = 0; i < turns; i++) {
        const struct kept_turn *turn = &kept[i % kept_count];

        table.turn.before = turn->before;
        for (uint8_t seat = 0; seat < table.turn.seat_count; seat++) {
            table.turn.commands[seat] = commands_of(&turn->commands[seat]);
            commands += turn->commands[seat].count;
        }
        sum += measured_turn(&table.turn);
    }
    spent_s = now_s() - start_s;
    printf("%-8s %10u turns %12.0f turns/s %9.1f ns/command %6.1f commands/turn  %016llx\n",
           scenario->name, turns, (double)turns / spent_s, spent_s * 1e9 / (double)commands,
           (double)commands / (double)turns, (unsigned long long)sum);
    for (uint32_t i = 0; i < kept_count; i++) {
        free(kept[i].before);
        for (uint8_t seat = 0; seat < table.turn.seat_count; seat++) {
            commands_fini(&kept[i].commands[seat]);
        }
    }
    table_close(&table);
    free(params);
}

/* ---- the command line -------------------------------------------------------------------- */

static int
usage(FILE *to)
{
    fprintf(to, "usage: resolve [SCENARIO [TURNS]]\n\nscenarios:\n");
    for (size_t i = 0; i < SK_COUNT_OF(scenarios); i++) {
        fprintf(to, "  %-8s %s\n", scenarios[i].name, scenarios[i].what);
    }
    return to == stdout ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
    const char *wanted = argc < 2 ? NULL : argv[1];
    long turns = argc < 3 ? 20000 : strtol(argv[2], NULL, 10);
    bool is_known = false;

    if (wanted != NULL && strcmp(wanted, "--help") == 0) {
        return usage(stdout);
    }
    for (size_t i = 0; i < SK_COUNT_OF(scenarios); i++) {
        if (wanted == NULL || strcmp(wanted, scenarios[i].name) == 0) {
            is_known = true;
            run_scenario(&scenarios[i], turns < 1 ? 1 : (uint32_t)turns);
        }
    }
    return is_known ? EXIT_SUCCESS : usage(stderr);
}
