/*
 * bots - measures how strong the bots are.
 *
 *   bots [--ruleset R] [--games N] [--seed N] [--budget MS] [--levels A,B] [--params JSON]
 *        [--check PERCENT]
 *
 * R is a ruleset or a name out of the first column of what is printed.
 *
 * Plays matches between each two neighbouring levels (or those of --levels) in each ruleset (or the
 * one named), half of them with swapped seats, and prints the results. With --check the higher
 * level must win at least PERCENT. The same seed plays the same matches, unless a search is cut
 * short by its budget.
 *
 * In snarl, bots are compared by the levels they clear: heroes of each bot level against the
 * server's adversaries, then heroes of one level against adversaries of another. With --check each
 * level that ships must also be won by `search` alone.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/registry.h"
#include "common/rules/snarl/internal.h"
#include "tests/support/bots.h"

#define GAMES_DEFAULT 200
#define REASONS_MAX   16
#define Z_95          1.96
#define BUSY_MS       600000 /* others may use the processor: the budget is processor time */

struct options {
    const char *ruleset;
    const char *params;
    uint32_t games;
    uint32_t budget_ms;
    uint64_t seed;
    enum bot_level levels[2];
    bool has_levels;
    double check;
    uint32_t passed;
    uint32_t failed;
};

/* What is played: a ruleset with params, and how it is called in the table. */
struct field {
    const char *name;
    const char *ruleset;
    const char *params;
    bool is_coop;
    bool is_versus;
    bool is_extra; /* only printed: --check does not use it */
};

static const struct field fields[] = {
    { .name = "tactics", .ruleset = "tactics" },
    { .name = "halma", .ruleset = "halma" },
    { .name = "racers, dark", .ruleset = "racers" },
    { .name = "racers, calm",
      .ruleset = "racers",
      .params = "{'failure_permille':5}",
      .is_extra = true },
    { .name = "snarl, one hero",
      .ruleset = "snarl",
      .params = "{'heroes':['ada']}",
      .is_coop = true },
    { .name = "snarl, two heroes",
      .ruleset = "snarl",
      .params = "{'heroes':['ada','bob']}",
      .is_coop = true },
    { .name = "snarl, versus",
      .ruleset = "snarl",
      .params = "{'mode':'versus','heroes':['ada','bob']}",
      .is_versus = true },
};

struct tally {
    uint32_t games;
    uint32_t wins[2]; /* of the pairing's levels, in any seat */
    uint32_t draws;
    uint32_t reasons[REASONS_MAX];
    uint64_t turns;
    uint64_t asked;
    uint64_t given;
    uint64_t refused;
    uint64_t cleared; /* levels of snarl */
    double seconds;
};

static double
now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- playing ----------------------------------------------------------------------------- */

static uint32_t
levels_cleared(const struct bots_game *game)
{
    const struct snarl_position *position = snarl_position_of(game->table.match.state);

    return (uint32_t)position->level + (snarl_has_exit(game->table.config, position) ? 1 : 0);
}

static void
count_game(const struct field *field, const struct bots_game *game, bool is_turned,
           struct tally *tally)
{
    struct sk_outcome outcome = game->table.match.state->outcome;

    tally->games++;
    tally->reasons[outcome.reason]++;
    tally->turns += game->table.match.state->turn;
    tally->asked += game->asked;
    tally->given += game->given;
    tally->refused += game->refused;
    if (strcmp(field->ruleset, "snarl") == 0) {
        tally->cleared += levels_cleared(game);
    }
    if (outcome.winner == SK_NOBODY) {
        tally->draws++;
    } else {
        tally->wins[is_turned ? 1 - outcome.winner : outcome.winner]++;
    }
}

static void
play_games(const struct options *options, const struct field *field, const enum bot_level levels[2],
           struct tally *tally)
{
    const struct sk_ruleset *ruleset = sk_registry_find(sk_text_of(field->ruleset), 0);
    const char *params = options->params == NULL ? field->params : options->params;
    double start = now_s();

    for (uint32_t i = 0; i < options->games; i++) {
        bool is_turned = !field->is_coop && !field->is_versus && i % 2 != 0;
        struct bots_game game;

        bots_open(&game, ruleset, params, options->seed * 1000000 + i / 2);
        for (uint32_t seat = 0; seat < SK_SEATS_MAX; seat++) {
            game.levels[seat] = levels[field->is_coop ? 0 : (seat + is_turned) % 2];
        }
        game.budget_ms = options->budget_ms;
        game.wait_ms = BUSY_MS;
        bots_play(&game);
        count_game(field, &game, is_turned, tally);
        bots_close(&game);
    }
    tally->seconds = now_s() - start;
}

/* ---- printing ---------------------------------------------------------------------------- */

static double
percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void
print_reasons(const struct field *field, const struct tally *tally)
{
    const struct sk_ruleset *ruleset = sk_registry_find(sk_text_of(field->ruleset), 0);

    printf("   ");
    for (uint8_t reason = 0; reason < REASONS_MAX; reason++) {
        if (tally->reasons[reason] > 0) {
            printf(" %s %" PRIu32, sk_reason_name(ruleset, reason), tally->reasons[reason]);
        }
    }
    printf("; %.1f ms per question, %" PRIu64 " of %" PRIu64 " commands refused\n",
           1000 * tally->seconds / (double)tally->asked, tally->refused, tally->given);
    fflush(stdout);
}

static void
promise(struct options *options, bool is_kept, const char *what)
{
    if (options->check <= 0) {
        return;
    }
    if (is_kept) {
        options->passed++;
    } else {
        options->failed++;
        printf("  ^ not met: %s\n", what);
    }
}

static void
report_pairing(struct options *options, const struct field *field, const enum bot_level levels[2])
{
    struct tally tally = { 0 };
    double share;

    play_games(options, field, levels, &tally);
    share = percent(tally.wins[0], tally.games);
    printf("%-18s %-7s %-7s %5" PRIu32 " %6.1f%% +-%4.1f %6.1f%% %6.1f%% %7.1f\n", field->name,
           bot_level_names[levels[0]], bot_level_names[levels[1]], tally.games, share,
           Z_95 * sqrt(share * (100 - share) / tally.games), percent(tally.wins[1], tally.games),
           percent(tally.draws, tally.games), (double)tally.turns / tally.games);
    print_reasons(field, &tally);
    promise(options, field->is_extra || share >= options->check, "a clear win of the higher level");
    promise(options, tally.refused == 0, "no command refused");
}

/* Returns the levels that a party clears on average; the second is its adversaries', if bots play
 * them. */
static double
report_party(struct options *options, const struct field *field, const enum bot_level levels[2])
{
    struct tally tally = { 0 };
    double cleared;

    play_games(options, field, levels, &tally);
    cleared = (double)tally.cleared / tally.games;
    printf("%-18s %-7s %-7s %5" PRIu32
           "  clears %4.2f levels, %5.1f%% of the matches won, %6.1f turns\n",
           field->name, bot_level_names[levels[0]],
           field->is_versus ? bot_level_names[levels[1]] : "", tally.games, cleared,
           percent(tally.games - tally.reasons[SNARL_LOST], tally.games),
           (double)tally.turns / tally.games);
    print_reasons(field, &tally);
    promise(options, tally.refused == 0, "no command refused");
    return cleared;
}

static void
report_parties(struct options *options, const struct field *field)
{
    double below = -1;

    for (enum bot_level level = 0; level < BOT_LEVELS; level++) {
        enum bot_level levels[2] = { level, level };
        double cleared = report_party(options, field, levels);

        promise(options, cleared > below, "more levels cleared than by the level below");
        below = cleared;
    }
}

/*
 * Better heroes clear more levels against the same adversaries, and the same heroes fewer against
 * better ones. The latter is tested with heroes that search: greedy ones run into the first zombie.
 */
static void
report_versus(struct options *options, const struct field *field)
{
    const enum bot_level naive[] = { BOT_GREEDY, BOT_GREEDY };
    const enum bot_level heroes[] = { BOT_SEARCH, BOT_GREEDY };
    const enum bot_level both[] = { BOT_SEARCH, BOT_SEARCH };
    double least = report_party(options, field, naive);
    double most = report_party(options, field, heroes);

    promise(options, most > least, "more levels cleared by better heroes");
    promise(options, report_party(options, field, both) < most,
            "fewer levels cleared against better adversaries");
}

static void
report_levels(struct options *options, const struct field *field)
{
    if (options->has_levels && !field->is_coop && !field->is_versus) {
        report_pairing(options, field, options->levels);
        return;
    }
    if (options->has_levels) {
        report_party(options, field, options->levels);
        return;
    }
    for (enum bot_level level = BOT_RANDOM + 1; level < BOT_LEVELS; level++) {
        report_pairing(options, field, (const enum bot_level[]){ level, level - 1 });
    }
}

static void
report_field(struct options *options, const struct field *field)
{
    if (field->is_coop && !options->has_levels) {
        report_parties(options, field);
    } else if (field->is_versus && !options->has_levels) {
        report_versus(options, field);
    } else {
        report_levels(options, field);
    }
}

/* ---- the levels that ship ---------------------------------------------------------------- */

#define TRIES   20
#define SHIPPED "snarl, shipped levels"

/* The matches that one hero played by `search` needs to win the level alone; 0 = not won. */
static uint32_t
tries_to_win(const struct options *options, uint32_t level)
{
    static const struct sk_text solo = SK_TEXT_CONST("solo");
    struct snarl_params params = *(const struct snarl_params *)sk_ruleset_snarl.default_params;
    bool is_won = false;
    uint32_t tries = 0;

    params.levels.at = (struct snarl_level_form *)params.levels.at + level;
    params.levels.count = 1;
    params.heroes = (struct sk_list){ (void *)(uintptr_t)&solo, 1 };
    while (!is_won && tries < TRIES) {
        struct bots_game game;

        bots_open_form(&game, &sk_ruleset_snarl, &params, options->seed * TRIES + tries);
        game.levels[0] = BOT_SEARCH;
        game.budget_ms = options->budget_ms;
        game.wait_ms = BUSY_MS;
        is_won = bots_play(&game).reason == SNARL_WON;
        bots_close(&game);
        tries++;
    }
    return is_won ? tries : 0;
}

static void
report_shipped_levels(struct options *options)
{
    const struct snarl_params *params = sk_ruleset_snarl.default_params;

    for (uint32_t level = 0; level < params->levels.count; level++) {
        uint32_t tries = tries_to_win(options, level);

        printf(SHIPPED ": level %" PRIu32 " won by search alone in match %" PRIu32 "\n", level + 1,
               tries);
        fflush(stdout);
        promise(options, tries > 0, "a level that search wins");
    }
}

/* ---- the program ------------------------------------------------------------------------- */

static bool
parse_levels(const char *text, struct options *options)
{
    const char *comma = strchr(text, ',');

    options->has_levels = true;
    return comma != NULL &&
           bot_level_find((struct sk_text){ text, (uint32_t)(comma - text) },
                          &options->levels[0]) &&
           bot_level_find(sk_text_of(comma + 1), &options->levels[1]);
}

static bool
parse_option(const char *name, const char *value, struct options *options)
{
    if (strcmp(name, "--ruleset") == 0) {
        options->ruleset = value;
    } else if (strcmp(name, "--games") == 0) {
        options->games = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--seed") == 0) {
        options->seed = strtoull(value, NULL, 10);
    } else if (strcmp(name, "--budget") == 0) {
        options->budget_ms = (uint32_t)strtoul(value, NULL, 10);
    } else if (strcmp(name, "--params") == 0) {
        options->params = value;
    } else if (strcmp(name, "--check") == 0) {
        options->check = strtod(value, NULL);
    } else {
        return strcmp(name, "--levels") == 0 && parse_levels(value, options);
    }
    return true;
}

int
main(int argc, char **argv)
{
    struct options options = { .games = GAMES_DEFAULT, .seed = 1 };
    bool is_good = argc % 2 == 1;

    for (int i = 1; is_good && i + 1 < argc; i += 2) {
        is_good = parse_option(argv[i], argv[i + 1], &options);
    }
    if (!is_good || options.games == 0) {
        fprintf(stderr, "usage: bots [--ruleset R] [--games N] [--seed N] [--budget MS]"
                        " [--levels A,B] [--params JSON] [--check PERCENT]\n");
        return 2;
    }
    printf("seed %" PRIu64 "; wins of the first level with a 95%% confidence interval\n\n"
           "%-18s %-7s %-7s %5s %7s %7s %7s %7s %7s\n",
           options.seed, "", "first", "second", "games", "wins", "", "losses", "draws", "turns");
    for (size_t i = 0; i < SK_COUNT_OF(fields); i++) {
        if (options.ruleset == NULL || strcmp(options.ruleset, fields[i].ruleset) == 0 ||
            strcmp(options.ruleset, fields[i].name) == 0) {
            report_field(&options, &fields[i]);
        }
    }
    if (options.ruleset == NULL || strcmp(options.ruleset, "snarl") == 0 ||
        strcmp(options.ruleset, SHIPPED) == 0) {
        report_shipped_levels(&options);
    }
    if (options.check > 0) {
        printf("%" PRIu32 " passed, %" PRIu32 " failed\n", options.passed, options.failed);
    }
    return options.failed > 0;
}
