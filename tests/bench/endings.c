/*
 * endings - how matches of an alternating ruleset between simple players end.
 *
 *   endings RULESET [--games N] [--seed N] [--params JSON]
 *
 * The players: `random` takes any hint; `seeker` (racers only) takes the move
 * that brings it nearest to its finish, and one time in five any hint.  The
 * same seed plays the same matches.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/rules/racers/internal.h"
#include "tests/support/table.h"

#define REASONS_MAX     16
#define SEEKER_WANDERS  5
#define GAMES_DEFAULT   1000
#define DISTANCE_AT_ALL 1000

enum player {
    PLAYER_RANDOM,
    PLAYER_SEEKER,
};

static const char *const player_names[] = { "random", "seeker" };

struct options {
    const struct sk_ruleset *ruleset;
    const char *params;
    uint32_t games;
    uint64_t seed;
};

/* The results of a series of matches. */
struct tally {
    uint32_t games;
    uint32_t reasons[REASONS_MAX];
    uint32_t wins[SK_SEATS_MAX];
    uint64_t turns;
};

/* ---- players ----------------------------------------------------------------------------- */

static int32_t
distance(struct sk_cell one, struct sk_cell other)
{
    int32_t dx = abs(one.x - other.x);
    int32_t dy = abs(one.y - other.y);

    return dx > dy ? dx : dy;
}

/* How far from its finish the command leaves the racer; other commands: farther than any. */
static int32_t
distance_after(const struct table *table, uint8_t seat, const struct racers_command *command)
{
    const struct racers_position *position = racers_position_of(table->match.state);
    struct sk_cell finish = racers_cell(position->start[racers_other(seat)]);
    const struct racers_teleporter *teleporter;
    struct sk_cell to;

    if (command->head.kind != RACERS_MOVE) {
        return DISTANCE_AT_ALL;
    }
    to = racers_target(position, seat, command->dir);
    teleporter = racers_teleporter_on(table->config, position, to);
    return distance(teleporter == NULL ? to : racers_cell(teleporter->to), finish);
}

static uint32_t
seek(const struct table *table, uint8_t seat, const struct command_list *hints, struct sk_rng *rng)
{
    uint32_t best = 0;
    uint32_t ties = 0;
    int32_t nearest = DISTANCE_AT_ALL + 1;

    for (uint32_t i = 0; i < hints->count; i++) {
        int32_t found = distance_after(table, seat, commands_item(hints, i));

        ties = found < nearest ? 1 : ties + (found == nearest);
        if (found < nearest || (found == nearest && sk_rng_below(rng, ties) == 0)) {
            nearest = found;
            best = i;
        }
    }
    return best;
}

/* ---- matches ----------------------------------------------------------------------------- */

static uint8_t
seat_to_move(const struct table *table)
{
    return (uint8_t)__builtin_ctz(sk_match_waiting(&table->match));
}

static void
play_turn(struct table *table, const enum player players[2], struct sk_rng *rng)
{
    const struct command_list *pointers[SK_SEATS_MAX] = { NULL };
    struct command_list hints;
    struct command_list chosen;
    uint8_t seat = seat_to_move(table);
    uint32_t place;

    commands_init(&hints, table->ruleset);
    commands_init(&chosen, table->ruleset);
    table_hints(table, seat, &hints);
    place = players[seat % 2] == PLAYER_SEEKER && sk_rng_below(rng, SEEKER_WANDERS) != 0
                ? seek(table, seat, &hints, rng)
                : sk_rng_below(rng, hints.count);
    commands_add(&chosen, commands_item(&hints, place));
    pointers[seat] = &chosen;
    table_play(table, pointers);
    commands_fini(&hints);
    commands_fini(&chosen);
}

static void
play_match(const struct options *options, const enum player players[2], uint64_t number,
           struct tally *tally)
{
    struct sk_seed seed = table_seed(number);
    struct table table;
    struct sk_rng rng;

    table_open_json(&table, options->ruleset, options->params, &seed);
    sk_rng_start(&rng, &seed, 0, UINT32_MAX);
    while (!table.match.state->outcome.is_over) {
        play_turn(&table, players, &rng);
    }
    tally->games++;
    tally->turns += table.match.state->turn;
    tally->reasons[table.match.state->outcome.reason]++;
    if (table.match.state->outcome.winner != SK_NOBODY) {
        tally->wins[table.match.state->outcome.winner]++;
    }
    table_close(&table);
}

static void
print_tally(const struct options *options, const enum player players[2], const struct tally *tally)
{
    printf("%-7s %-7s %7.1f", player_names[players[0]], player_names[players[1]],
           (double)tally->turns / tally->games);
    for (uint8_t seat = 0; seat < 2; seat++) {
        printf("  %5.1f%%", 100.0 * tally->wins[seat] / tally->games);
    }
    for (uint8_t reason = 0; reason < REASONS_MAX; reason++) {
        if (tally->reasons[reason] > 0) {
            printf("  %s %.1f%%", sk_reason_name(options->ruleset, reason),
                   100.0 * tally->reasons[reason] / tally->games);
        }
    }
    printf("\n");
}

static void
play_series(const struct options *options, enum player first, enum player second)
{
    enum player players[2] = { first, second };
    struct tally tally = { 0 };

    for (uint32_t i = 0; i < options->games; i++) {
        play_match(options, players, options->seed * 1000000 + i, &tally);
    }
    print_tally(options, players, &tally);
}

/* ---- the program ------------------------------------------------------------------------- */

static int
fail_usage(void)
{
    fprintf(stderr, "usage: endings RULESET [--games N] [--seed N] [--params JSON]\n");
    return 2;
}

int
main(int argc, char **argv)
{
    struct options options = { .games = GAMES_DEFAULT, .seed = 1 };

    if (argc < 2 || argc % 2 != 0) {
        return fail_usage();
    }
    options.ruleset = sk_registry_find(sk_text_of(argv[1]), 0);
    if (options.ruleset == NULL || options.ruleset->is_simultaneous) {
        fprintf(stderr, "endings: %s is no alternating ruleset\n", argv[1]);
        return 2;
    }
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--games") == 0) {
            options.games = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            options.seed = strtoull(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--params") == 0) {
            options.params = argv[i + 1];
        } else {
            return fail_usage();
        }
    }
    printf("%-7s %-7s %7s  %6s  %6s\n", "seat 0", "seat 1", "turns", "0 wins", "1 wins");
    play_series(&options, PLAYER_RANDOM, PLAYER_RANDOM);
    if (options.ruleset == &sk_ruleset_racers) {
        play_series(&options, PLAYER_SEEKER, PLAYER_RANDOM);
        play_series(&options, PLAYER_SEEKER, PLAYER_SEEKER);
    }
    return 0;
}
