/*
 * balance - measures whether a tactics roster is fair and every model is
 * useful.
 *
 * Simple players (players.h) play many matches from both seats; the results are printed as tables.
 * Uses the default roster, or params from a file. common/rules/tactics/README.md shows results.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "proto/schema_read.h"
#include "tests/bench/playout.h"

#define FILE_MAX (1u << 20)

/* What --check requires of a roster, besides its seats' scores. */
#define SCORE_OVER_RANDOM 90.0 /* of greedy players, at least */
#define LOSS_WITHOUT      5.0  /* of a seat's score without one of its models, at least */

struct options {
    uint64_t seed;
    uint32_t games;
    enum player player;
    const char *params;
    uint32_t check; /* how far from 50 a seat's score may be; 0 = not checked */
};

struct bench {
    struct options options;
    struct sk_arena forms;
    struct sk_arena config_memory;
    struct sk_arena scratch;
    const struct tactics_config *config;
    struct playout playout;
    uint32_t series; /* the next one's number */
    uint32_t passed; /* the conditions of --check */
    uint32_t failed;
};

static const char *
title(const struct bench *bench)
{
    return bench->options.params == NULL ? "the default roster" : bench->options.params;
}

/* One condition of --check, true or not. */
static void
promise(struct bench *bench, bool is_kept, const char *what)
{
    if (bench->options.check == 0) {
        return;
    }
    if (is_kept) {
        bench->passed++;
    } else {
        bench->failed++;
        printf("  ^ not met: %s\n", what);
    }
}

/* ---- series of matches ------------------------------------------------------------------- */

struct series {
    uint32_t games;
    uint32_t wins[TACTICS_SEATS];
    uint32_t draws;
    uint32_t limits; /* draws by the turn limit */
    uint32_t met;    /* matches in which the sides met */
    uint64_t turns;
    uint64_t contacts;
    uint32_t *lengths;
};

static int
compare_lengths(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

static void
count_result(struct series *series, const struct playout_result *result)
{
    series->lengths[series->games++] = result->turns;
    series->turns += result->turns;
    series->met += result->contact != 0;
    series->limits += result->is_at_limit;
    series->contacts += result->contact;
    if (result->winner == SK_NOBODY) {
        series->draws++;
    } else {
        series->wins[result->winner]++;
    }
}

/* Plays options.games matches.  The caller frees ret_series->lengths. */
static bool
play_series(struct bench *bench, struct playout_setup setup, struct model_tally *tallies,
            struct series *ret_series)
{
    struct series series = { .games = 0 };

    series.lengths = calloc(bench->options.games, sizeof(series.lengths[0]));
    if (series.lengths == NULL) {
        return false;
    }
    for (int i = 0; i < 8; i++) {
        setup.seed.bytes[i] = (uint8_t)(bench->options.seed >> (8 * i));
    }
    setup.series = bench->series++;
    for (setup.number = 0; setup.number < bench->options.games; setup.number++) {
        struct playout_result result = playout_run(&bench->playout, &setup, tallies);

        count_result(&series, &result);
    }
    qsort(series.lengths, series.games, sizeof(series.lengths[0]), compare_lengths);
    *ret_series = series;
    return true;
}

/* ---- figures ----------------------------------------------------------------------------- */

struct share {
    double percent;
    double margin; /* of the 95% confidence interval, to either side */
};

/* The score of a seat: its wins and half the draws, of all matches. */
static struct share
score(const struct series *series, uint8_t seat)
{
    double games = series->games;
    double mean = (series->wins[seat] + series->draws / 2.0) / games;
    double square = (series->wins[seat] + series->draws / 4.0) / games;

    return (struct share){ 100 * mean, 196 * sqrt((square - mean * mean) / games) };
}

static struct share
middle(struct share a, struct share b)
{
    return (struct share){ (a.percent + b.percent) / 2, hypot(a.margin, b.margin) / 2 };
}

static double
percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static double
per(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

/* ---- who wins ---------------------------------------------------------------------------- */

static void
print_pairing(const struct series *series, enum player host, enum player guest)
{
    struct share host_score = score(series, 0);
    uint32_t tenth = series->games / 10;

    printf("%-9s %-9s %5.1f%% +-%4.1f %6.1f%% %6.1f%% %6.1f%% %6.1f%% %6.1f %4" PRIu32 " %4" PRIu32
           " %8.1f\n",
           player_names[host], player_names[guest], host_score.percent, host_score.margin,
           percent(series->wins[0], series->games), percent(series->wins[1], series->games),
           percent(series->draws, series->games), percent(series->limits, series->games),
           per((double)series->turns, series->games), series->lengths[tenth],
           series->lengths[series->games - 1 - tenth], per((double)series->contacts, series->met));
}

static void
check_pairing(struct bench *bench, const struct series *series, enum player host, enum player guest)
{
    double host_score = score(series, 0).percent;
    double margin = bench->options.check;

    if (host == guest) {
        promise(bench, host_score >= 50 - margin && host_score <= 50 + margin,
                "a fair score for both seats");
    } else if (guest == PLAYER_RANDOM) {
        promise(bench, host_score >= SCORE_OVER_RANDOM, "a clear win over random");
    } else if (host == PLAYER_RANDOM) {
        promise(bench, 100 - host_score >= SCORE_OVER_RANDOM, "a clear win over random");
    }
}

static bool
report_pairings(struct bench *bench)
{
    printf("Who wins.  The score is seat 0's: its wins and half the draws, with a 95%% confidence\n"
           "interval.  `limit` is the part of the draws that the turn limit made.  Turns of play:\n"
           "average, shortest and longest tenth, first hit on an enemy.\n"
           "\n"
           "seat 0    seat 1            score  0 wins  1 wins   draws   limit  turns  10%%  90%%"
           "  contact\n");
    for (enum player host = 0; host < PLAYER_COUNT; host++) {
        for (enum player guest = 0; guest < PLAYER_COUNT; guest++) {
            struct playout_setup setup = {
                .player = { host, guest },
                .without = { PLAYOUT_EVERY_MODEL, PLAYOUT_EVERY_MODEL },
            };
            struct series series;

            if (!play_series(bench, setup, NULL, &series)) {
                return false;
            }
            print_pairing(&series, host, guest);
            check_pairing(bench, &series, host, guest);
            fflush(stdout);
            free(series.lengths);
        }
    }
    return true;
}

/* ---- what the models do ------------------------------------------------------------------ */

static void
print_model(const struct tactics_model *model, const struct model_tally *tally, double games)
{
    double units = (double)tally->living[TALLY_BEGIN];
    double turns = (double)tally->living[TALLY_TURN];
    double rests = turns - (double)tally->attacks - (double)tally->moves;

    printf("%-10s %5.1f %7.1f %9.1f %6.2f %8.1f%% %6.1f %9.1f%% %6.1f%% %6.1f%%\n", model->name.at,
           units / games, per((double)tally->damage, units),
           per((double)tally->friendly_damage, units), per(tally->kills, units),
           percent((double)tally->living[TALLY_END], units), per(turns, units),
           percent((double)tally->attacks, turns), percent((double)tally->moves, turns),
           percent(rests, turns));
}

static bool
report_models(struct bench *bench)
{
    const struct tactics_model *models = tactics_part(bench->config, bench->config->models_at);
    struct model_tally tallies[SK_TACTICS_MODELS_MAX] = { { .attacks = 0 } };
    struct playout_setup setup = {
        .player = { bench->options.player, bench->options.player },
        .without = { PLAYOUT_EVERY_MODEL, PLAYOUT_EVERY_MODEL },
    };
    struct series series;

    if (!play_series(bench, setup, tallies, &series)) {
        return false;
    }
    printf(
        "\nWhat the models do, %s against itself.  Per unit and match: damage to enemies and to\n"
        "friends, kills, share that survives, turns alive; then what it does in those turns.\n"
        "\n"
        "model      units  damage  friendly  kills  survives  turns    attacks   moves    rests\n",
        player_names[bench->options.player]);
    for (uint32_t i = 0; i < bench->config->model_count; i++) {
        print_model(&models[i], &tallies[i], series.games);
    }
    free(series.lengths);
    return true;
}

/* ---- what the models are worth ----------------------------------------------------------- */

static bool
has_model(const struct tactics_config *config, uint8_t seat, uint32_t model)
{
    const struct tactics_unit_config *units = tactics_units(config);

    for (uint32_t i = 0; i < config->unit_count; i++) {
        if (units[i].seat == seat && units[i].model == model) {
            return true;
        }
    }
    return false;
}

/* The score of a seat that lacks the model, against one that has everything. */
static bool
score_without(struct bench *bench, uint8_t seat, int32_t model, struct share *ret_share)
{
    struct playout_setup setup = {
        .player = { bench->options.player, bench->options.player },
        .without = { PLAYOUT_EVERY_MODEL, PLAYOUT_EVERY_MODEL },
    };
    struct series series;

    setup.without[seat] = model;
    if (!play_series(bench, setup, NULL, &series)) {
        return false;
    }
    *ret_share = score(&series, seat);
    free(series.lengths);
    return true;
}

/* A row of the table.  The score of a seat that does not have the model anyway is 0. */
static bool
report_without(struct bench *bench, int32_t model, const char *name,
               struct share ret_scores[TACTICS_SEATS])
{
    bool has_both = true;

    printf("%-10s", name);
    for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
        ret_scores[seat] = (struct share){ 0, 0 };
        if (model != PLAYOUT_EVERY_MODEL && !has_model(bench->config, seat, (uint32_t)model)) {
            printf("               -");
            has_both = false;
            continue;
        }
        if (!score_without(bench, seat, model, &ret_scores[seat])) {
            return false;
        }
        printf(" %8.1f%% +-%3.1f", ret_scores[seat].percent, ret_scores[seat].margin);
    }
    if (has_both) {
        struct share both = middle(ret_scores[0], ret_scores[1]);

        printf(" %8.1f%% +-%3.1f", both.percent, both.margin);
    }
    printf("\n");
    fflush(stdout);
    return true;
}

static bool
report_worth(struct bench *bench)
{
    const struct tactics_model *models = tactics_part(bench->config, bench->config->models_at);
    struct share whole[TACTICS_SEATS] = { { 0, 0 } };
    struct share scores[TACTICS_SEATS];

    printf("\nWhat the models are worth, %s against itself: the score of a seat that lacks all\n"
           "units of one model.\n"
           "\n"
           "without             seat 0          seat 1            both\n",
           player_names[bench->options.player]);
    if (!report_without(bench, PLAYOUT_EVERY_MODEL, "(nothing)", whole)) {
        return false;
    }
    for (uint32_t i = 0; i < bench->config->model_count; i++) {
        if (!report_without(bench, (int32_t)i, models[i].name.at, scores)) {
            return false;
        }
        for (uint8_t seat = 0; seat < TACTICS_SEATS; seat++) {
            promise(bench, scores[seat].percent <= whole[seat].percent - LOSS_WITHOUT,
                    "a model worth having");
        }
    }
    return true;
}

/* ---- params ------------------------------------------------------------------------------ */

static void
say_fault(const struct bench *bench, const struct sk_fault *fault)
{
    fprintf(stderr, "balance: %s: %s%s%s\n", title(bench), fault->message,
            fault->at[0] == '\0' ? "" : ", at ", fault->at);
}

/* The file's text in memory that the caller frees, or NULL. */
static char *
read_file(const char *path, size_t *ret_length)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(FILE_MAX);

    if (file == NULL || text == NULL) {
        fprintf(stderr, "balance: %s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    } else {
        *ret_length = fread(text, 1, FILE_MAX, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static bool
read_params(struct bench *bench, struct tactics_params *ret_params)
{
    struct sk_value *json = NULL;
    struct sk_fault fault;
    size_t length = 0;
    char *text = read_file(bench->options.params, &length);
    bool is_read = false;

    if (text == NULL) {
        return false;
    }
    is_read =
        sk_json_parse(text, length, &json, &fault) == SK_OK &&
        sk_form_read(sk_ruleset_tactics.params, json, &bench->forms, ret_params, &fault) == SK_OK;
    if (!is_read) {
        say_fault(bench, &fault);
    }
    sk_json_free(json);
    free(text);
    return is_read;
}

static bool
build_config(struct bench *bench)
{
    struct tactics_params params = tactics_default_params;
    struct sk_fault fault;

    if (bench->options.params != NULL && !read_params(bench, &params)) {
        return false;
    }
    if (sk_ruleset_tactics.config_build(&params, &bench->config_memory, &bench->scratch, &fault) !=
        SK_OK) {
        say_fault(bench, &fault);
        return false;
    }
    bench->config = (const struct tactics_config *)(void *)bench->config_memory.base;
    return true;
}

/* ---- options ----------------------------------------------------------------------------- */

static void
print_help(void)
{
    printf(
        "usage: balance [OPTIONS]\n"
        "\n"
        "Tests a tactics roster by many matches between simple players: who wins from which\n"
        "seat, what each model does, and what a side is worth without it.\n"
        "\n"
        "  --games N      matches in each row of the tables (1000)\n"
        "  --seed N       of all chance (1); the same seed plays the same matches\n"
        "  --player NAME  who plays for the tables of models: random, greedy, cautious (greedy)\n"
        "  --params FILE  params in JSON; without it the default roster\n"
        "  --check N      fail unless each seat scores 50%% +- N between equal players, greedy\n"
        "                 and cautious beat random, and every model is worth having\n"
        "  --help         print this text\n");
}

static bool
read_number(const char *word, uint64_t min, uint64_t max, uint64_t *ret_number)
{
    char *end;
    unsigned long long number;

    errno = 0;
    number = strtoull(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 || number < min ||
        number > max) {
        return false;
    }
    *ret_number = number;
    return true;
}

static bool
read_player(const char *word, enum player *ret_player)
{
    for (enum player player = 0; player < PLAYER_COUNT; player++) {
        if (strcmp(player_names[player], word) == 0) {
            *ret_player = player;
            return true;
        }
    }
    return false;
}

static bool
read_small(const char *word, uint32_t max, uint32_t *ret_number)
{
    uint64_t number;

    if (!read_number(word, 1, max, &number)) {
        return false;
    }
    *ret_number = (uint32_t)number;
    return true;
}

static bool
read_option(const char *name, const char *value, struct options *options)
{
    if (strcmp(name, "--params") == 0) {
        options->params = value;
        return true;
    }
    return (strcmp(name, "--games") == 0 && read_small(value, 10000000, &options->games)) ||
           (strcmp(name, "--check") == 0 && read_small(value, 50, &options->check)) ||
           (strcmp(name, "--seed") == 0 && read_number(value, 0, UINT64_MAX, &options->seed)) ||
           (strcmp(name, "--player") == 0 && read_player(value, &options->player));
}

/* ---- the whole --------------------------------------------------------------------------- */

static bool
arena_alloc(struct sk_arena *arena, size_t size)
{
    void *memory = malloc(size);

    sk_arena_init(arena, memory, memory == NULL ? 0 : size);
    return memory != NULL;
}

static void
print_title(const struct bench *bench)
{
    uint32_t counts[TACTICS_SEATS] = { 0, 0 };

    for (uint32_t i = 0; i < bench->config->unit_count; i++) {
        counts[tactics_units(bench->config)[i].seat]++;
    }
    printf("%s: %d x %d, %" PRIu32 " against %" PRIu32 "; seed %" PRIu64 ", %" PRIu32
           " matches per row\n\n",
           title(bench), bench->config->cols, bench->config->rows, counts[0], counts[1],
           bench->options.seed, bench->options.games);
}

static bool
take_memory(struct bench *bench)
{
    return arena_alloc(&bench->forms, 8 * (size_t)FILE_MAX) &&
           arena_alloc(&bench->config_memory, sk_ruleset_tactics.config_size_max) &&
           arena_alloc(&bench->scratch, sk_ruleset_tactics.scratch_size_max);
}

static int
run(struct bench *bench)
{
    if (!take_memory(bench)) {
        goto no_memory;
    }
    if (!build_config(bench)) {
        return 1;
    }
    if (!playout_init(&bench->playout, bench->config)) {
        goto no_memory;
    }
    print_title(bench);
    if (!report_pairings(bench) || !report_models(bench) || !report_worth(bench)) {
        goto no_memory;
    }
    if (bench->options.check != 0) {
        printf("\n%" PRIu32 " passed, %" PRIu32 " failed\n", bench->passed, bench->failed);
    }
    return bench->failed == 0 ? 0 : 1;
no_memory:
    fprintf(stderr, "balance: not enough memory\n");
    return 1;
}

int
main(int argc, char **argv)
{
    struct bench bench = {
        .options = { .seed = 1, .games = 1000, .player = PLAYER_GREEDY },
    };
    int exit_status;

    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
            return 0;
        }
        if (i + 1 == argc || !read_option(argv[i], argv[i + 1], &bench.options)) {
            fprintf(stderr, "balance: %s %s: no such option or value; --help explains\n", argv[i],
                    i + 1 == argc ? "" : argv[i + 1]);
            return 2;
        }
    }
    exit_status = run(&bench);
    playout_fini(&bench.playout);
    free(bench.forms.base);
    free(bench.config_memory.base);
    free(bench.scratch.base);
    return exit_status;
}
