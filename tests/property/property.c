/*
 * property - plays random matches and checks each property at every turn.
 *
 *   --seed N     the first match's seed (default: $SEED, or from the clock)
 *   --turns N    turns of each ruleset (default: 20000)
 *   --hashes N   checks nothing; prints one number for N turns from fixed seeds, to compare
 *                compilers and machines
 *
 * Each match has its own seed, one more than the last. A failure prints it, and --seed N starts
 * with that match.
 *
 * Needs no JSON: tests/property/matrix builds it where there is no json-c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/registry.h"
#include "tests/property/count_allocations.h"
#include "tests/property/trial.h"
#include "tests/support/digest.h"

#define MATCH_TURNS_MAX 40
#define TURNS_DEFAULT   20000
#define MEETS_ALL_TURNS 20000 /* this many turns must have met every check and event */
#define REPORTS_MAX     5     /* of one property */

#define OWN_COMMAND_ONE_IN 6
#define FIRST_HASH_SEED    1

struct options {
    uint64_t seed;
    uint64_t turns;
    bool wants_hashes;
};

/* One ruleset's part of the run. */
struct run {
    const struct sk_ruleset *ruleset;
    const struct breed *breed; /* or NULL */
    const struct options *options;
    uint64_t turns;
    uint64_t seed;        /* of the match being played */
    bool has_spoken[256]; /* checks that refused something, stages too */
    bool has_happened[256];
    struct digest digest;
};

/* ---- trials ------------------------------------------------------------------------------ */

/* Three of four matches have random params, if the ruleset has any; half of all are guarded, see
 * table_guard. */
static void
trial_open(struct trial *trial, const struct run *run, struct sk_arena *arena)
{
    const struct sk_seed seed = table_seed(run->seed);
    const void *params = run->ruleset->default_params;

    memset(trial, 0, sizeof(*trial));
    trial->breed = run->breed;
    sk_rng_start(&trial->rng, &seed, 0, 0);
    if (run->breed != NULL && sk_rng_below(&trial->rng, 4) != 0) {
        params = run->breed->draw_params(&trial->rng, arena);
    }
    table_open(&trial->table, run->ruleset, params, &seed);
    if (sk_rng_below(&trial->rng, 2) == 0) {
        table_guard(&trial->table);
    }
    trial->has_mirror = run->breed != NULL && run->breed->mirror_params != NULL;
    if (trial->has_mirror) {
        mirror_open(trial, arena, params);
    }
    trial->after = calloc(1, trial->table.turn.sizes.state);
    if (trial->after == NULL) {
        table_fail("no memory for a state");
    }
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_init(&trial->lists[seat], run->ruleset);
        commands_init(&trial->spare[seat], run->ruleset);
        trial->pointers[seat] = &trial->lists[seat];
    }
}

static void
trial_close(struct trial *trial)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_fini(&trial->lists[seat]);
        commands_fini(&trial->spare[seat]);
    }
    if (trial->has_mirror) {
        mirror_close(&trial->mirror);
    }
    free(trial->after);
    table_close(&trial->table);
}

static void
draw_own_command(struct trial *trial, uint8_t seat)
{
    void *command = calloc(1, trial->table.ruleset->command->size);

    if (command == NULL) {
        table_fail("no memory for a command");
    }
    trial->breed->draw_command(trial, seat, command);
    commands_clear(&trial->lists[seat]);
    commands_add(&trial->lists[seat], command);
    free(command);
}

static void
draw_commands(struct trial *trial)
{
    const struct habits *habits =
        sk_rng_below(&trial->rng, 2) == 0 ? &habits_orderly : &habits_unruly;

    for (uint8_t seat = 0; seat < trial->table.turn.seat_count; seat++) {
        table_draw_commands(&trial->table, &trial->rng, habits, seat, &trial->lists[seat]);
        if (trial->breed != NULL && trial->breed->draw_command != NULL &&
            sk_rng_below(&trial->rng, OWN_COMMAND_ONE_IN) == 0) {
            draw_own_command(trial, seat);
        }
    }
}

static void
resolve_first(struct trial *trial)
{
    struct sk_turn *turn = &trial->table.turn;
    struct digest digest = { 0 };
    uint64_t allocations = allocations_count();

    table_resolve(&trial->table, trial->pointers);
    trial->expected.hash = sk_turn_hash(turn);
    trial->allocations = allocations_count() - allocations;
    digest_events(&digest, turn);
    trial->expected.events = digest.value;
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        memcpy(trial->expected.judgements[seat], turn->judgements[seat],
               trial->lists[seat].count * sizeof(struct sk_judgement));
    }
    memcpy(trial->after, turn->after, turn->sizes.state);
}

/* ---- properties -------------------------------------------------------------------------- */

static void
check(const struct run *run, struct trial *trial, struct property *property)
{
    if ((property->is_of_mirrored && !trial->has_mirror) ||
        (property->is_of_simultaneous && !run->ruleset->is_simultaneous)) {
        return;
    }
    property->checked++;
    if (!property->holds(trial) && property->broken++ < REPORTS_MAX) {
        printf("BROKEN: %s\n        %s, turn %u; again with --seed %" PRIu64 " --turns %d\n",
               property->sentence, run->ruleset->name, trial->table.match.state->turn, run->seed,
               MATCH_TURNS_MAX);
    }
}

static void
check_properties(const struct run *run, struct trial *trial)
{
    for (uint32_t i = 0; i < shared_property_count; i++) {
        check(run, trial, &shared_properties[i]);
    }
    for (uint32_t i = 0; run->breed != NULL && i < run->breed->property_count; i++) {
        check(run, trial, &run->breed->properties[i]);
    }
}

/* ---- what the run met -------------------------------------------------------------------- */

static void
note_what_happened(struct run *run, const struct trial *trial)
{
    const struct sk_turn *turn = &trial->table.turn;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            run->has_spoken[turn->judgements[seat][i].check] = true;
        }
    }
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        run->has_happened[event->kind] = true;
    }
}

/* Properties mean little if random play never reaches what they are about. */
static bool
met_everything(const struct run *run)
{
    bool has_met_all = true;

    for (uint8_t i = 0; i < run->ruleset->check_count; i++) {
        if (!run->has_spoken[i]) {
            printf("BROKEN: random play of %s never met check %s\n", run->ruleset->name,
                   run->ruleset->checks[i].name);
            has_met_all = false;
        }
    }
    for (uint16_t i = 0; i < run->ruleset->event->count; i++) {
        if (!run->has_happened[i]) {
            printf("BROKEN: random play of %s never met event %s\n", run->ruleset->name,
                   run->ruleset->event->of[i].kind);
            has_met_all = false;
        }
    }
    return has_met_all;
}

/* ---- running ----------------------------------------------------------------------------- */

static void
add_to_digest(struct run *run, const struct trial *trial)
{
    digest_number(&run->digest, trial->expected.hash);
    digest_number(&run->digest, trial->expected.events);
    for (uint8_t seat = 0; seat < trial->table.turn.seat_count; seat++) {
        digest_verdicts(&run->digest, &trial->table.turn, seat);
    }
}

static void
play_match(struct run *run, struct sk_arena *arena)
{
    struct trial trial;

    arena->used = 0;
    trial_open(&trial, run, arena);
    for (uint32_t i = 0; i < MATCH_TURNS_MAX && run->turns < run->options->turns &&
                         !trial.table.match.state->outcome.is_over;
         i++) {
        draw_commands(&trial);
        resolve_first(&trial);
        note_what_happened(run, &trial);
        if (run->options->wants_hashes) {
            add_to_digest(run, &trial);
        } else {
            check_properties(run, &trial);
        }
        table_play(&trial.table, trial.pointers);
        if (trial.has_mirror && !run->options->wants_hashes) {
            mirror_play(&trial.mirror);
        }
        run->turns++;
    }
    if (!table_guard_holds(&trial.table)) {
        table_fail("%s wrote past the end of its memory, seed %" PRIu64, run->ruleset->name,
                   run->seed);
    }
    trial_close(&trial);
}

static void
play_ruleset(struct run *run)
{
    struct sk_arena arena;

    sk_arena_init(&arena, malloc(BREED_ARENA), BREED_ARENA);
    if (arena.base == NULL) {
        table_fail("no memory for params");
    }
    for (run->seed = run->options->seed; run->turns < run->options->turns; run->seed++) {
        play_match(run, &arena);
    }
    free(arena.base);
}

static struct run
run_of(size_t ruleset, const struct options *options)
{
    return (struct run){
        .ruleset = sk_registry_at(ruleset),
        .breed = breed_find(sk_registry_at(ruleset)),
        .options = options,
    };
}

static int
print_hashes(struct options *options)
{
    struct digest digest = { 0 };

    options->seed = FIRST_HASH_SEED;
    for (size_t i = 0; i < sk_registry_count(); i++) {
        struct run run = run_of(i, options);

        play_ruleset(&run);
        digest_number(&digest, run.digest.value);
    }
    printf("%016" PRIx64 "\n", digest.value);
    return 0;
}

struct summary {
    uint32_t passed;
    uint32_t failed;
};

static void
print_properties(const struct property *properties, uint32_t count, struct summary *summary)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct property *property = &properties[i];

        if (property->checked > 0) {
            printf("%s  %s (checked %" PRIu64 " times, broken %" PRIu64 ")\n",
                   property->broken == 0 ? "ok    " : "BROKEN", property->sentence,
                   property->checked, property->broken);
            summary->passed += property->broken == 0;
            summary->failed += property->broken != 0;
        }
    }
}

static int
print_summary(struct summary summary)
{
    print_properties(shared_properties, shared_property_count, &summary);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct breed *breed = breed_find(sk_registry_at(i));

        if (breed != NULL) {
            print_properties(breed->properties, breed->property_count, &summary);
        }
    }
    printf("%u passed, %u failed\n", summary.passed, summary.failed);
    return summary.failed == 0 ? 0 : 1;
}

static int
run_all(const struct options *options)
{
    struct summary summary = { 0, 0 };

    printf("seed %" PRIu64 ", %" PRIu64 " turns\n", options->seed, options->turns);
    if (!allocations_are_counted()) {
        printf("BROKEN: allocations are not counted\n");
        summary.failed++;
    } else {
        printf("ok      allocations are counted\n");
        summary.passed++;
    }
    for (size_t i = 0; i < sk_registry_count(); i++) {
        struct run run = run_of(i, options);

        play_ruleset(&run);
        if (options->turns >= MEETS_ALL_TURNS) {
            bool has_met_all = met_everything(&run);

            printf("%s  random play of %s meets every check and event\n",
                   has_met_all ? "ok    " : "BROKEN", run.ruleset->name);
            summary.passed += has_met_all;
            summary.failed += !has_met_all;
        }
    }
    return print_summary(summary);
}

static bool
read_number(const char *text, uint64_t *ret_number)
{
    char *end;

    *ret_number = strtoull(text, &end, 10);
    return end != text && *end == '\0';
}

int
main(int argc, char **argv)
{
    struct options options = { .seed = (uint64_t)time(NULL) * 1000, .turns = TURNS_DEFAULT };
    const char *seed = getenv("SEED");

    if (seed != NULL && !read_number(seed, &options.seed)) {
        fprintf(stderr, "property: SEED is not a number: %s\n", seed);
        return 2;
    }
    for (int i = 1; i < argc; i += 2) {
        bool is_right = i + 1 < argc;

        if (is_right && strcmp(argv[i], "--seed") == 0) {
            is_right = read_number(argv[i + 1], &options.seed);
        } else if (is_right && strcmp(argv[i], "--turns") == 0) {
            is_right = read_number(argv[i + 1], &options.turns);
        } else if (is_right && strcmp(argv[i], "--hashes") == 0) {
            is_right = read_number(argv[i + 1], &options.turns);
            options.wants_hashes = true;
        } else {
            is_right = false;
        }
        if (!is_right) {
            fprintf(stderr, "usage: property [--seed N] [--turns N] [--hashes N]\n");
            return 2;
        }
    }
    return options.wants_hashes ? print_hashes(&options) : run_all(&options);
}
