/*
 * skirmish arena - matches of every bot against every other, many at a time, and
 * their results.
 *
 * The server plays them: every match is created with a bot on each seat, and
 * the arena watches.  So any kinds of bots can play, and results are stored like
 * those of other matches.
 */
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/utf8.h"
#include "server/bot/bot.h"
#include "server/cli/browser.h"
#include "server/cli/cli.h"
#include "server/cli/online.h"
#include "server/cli/options.h"
#include "server/cli/own_daemon.h"
#include "server/cli/standings.h"
#include "server/client/look.h"
#include "server/memory.h"
#include "server/store/address.h"

#define GAMES_DEFAULT    100
#define GAMES_MAX        1000000
#define PARALLEL_DEFAULT 8
#define PARALLEL_MAX     1000
#define CYCLE_MS_MAX     600000
#define WORD_MAX         64
#define SERVICES_MAX     4096
#define SEATS            2

/* How `create` names a bot. */
enum kind {
    KIND_LEVEL,
    KIND_HTTP,
    KIND_NAME,
};

static const char *const kind_members[] = { "level", "http", "name" };

struct contender {
    const char *word;
    enum kind kind;
    uint32_t refusals;
    uint32_t timeouts;
    uint32_t failures; /* of any other kind */
};

/* A match that is being played. */
struct game {
    uint32_t number; /* from 1; 0 = the place is free */
    int64_t match;   /* 0 = not created yet */
    int32_t turn;
};

struct options {
    const char *url;
    const char *database;
    const char *config;
    const char *ruleset;
    const char *params;
    int64_t games;
    int64_t parallel;
    int64_t cycle_ms;
    bool is_json;
    bool opens_browser;
};

struct arena {
    struct options options;
    struct contender sides[STANDINGS_MAX];
    struct standings standings;
    struct online online;
    const char *url;
    struct game *games;
    uint32_t total;
    uint32_t begun;
    uint32_t finished;
    uint32_t draws;
    uint64_t turns;
    int64_t first_match;
    int64_t last_match;
    bool has_terminal;
};

/* ---- creating ---------------------------------------------------------------------------- */

/*
 * The contender on a seat.  Pairs play in turn, so that all are equally far at any time;
 * every second match of a pair has the seats swapped, so that no bot always has the better
 * one.
 */
static uint32_t
side_on(const struct arena *arena, const struct game *game, uint32_t seat)
{
    uint32_t count = arena->standings.count;
    uint32_t pairs = count * (count - 1) / 2;
    uint32_t pair = (game->number - 1) % pairs;
    bool is_turned = (game->number - 1) / pairs % 2 == 1;
    uint32_t first = 0;

    while (pair >= count - 1 - first) {
        pair -= count - 1 - first;
        first++;
    }
    return (seat == 0) != is_turned ? first : first + 1 + pair;
}

static void
create(struct arena *arena, const struct game *game)
{
    const struct options *options = &arena->options;
    struct json_object *seats = json_object_new_array();
    struct json_object *frame;
    char id[WORD_MAX];

    (void)snprintf(id, sizeof(id), "%u", (unsigned)game->number);
    frame = online_create(id, options->ruleset, options->params);
    for (uint32_t seat = 0; seat < SEATS; seat++) {
        const struct contender *side = &arena->sides[side_on(arena, game, seat)];

        json_object_array_add(seats, online_bot(kind_members[side->kind], side->word));
    }
    json_object_object_add(frame, "clock", NULL);
    json_object_object_add(frame, "cycle_ms",
                           options->cycle_ms > 0 ? json_object_new_int64(options->cycle_ms) : NULL);
    json_object_object_add(frame, "seats", seats);
    online_send_json(&arena->online, frame);
}

static void
fill_places(struct arena *arena)
{
    for (int64_t i = 0; i < arena->options.parallel; i++) {
        if (arena->games[i].number == 0 && arena->begun < arena->total) {
            arena->games[i] = (struct game){ .number = ++arena->begun };
            create(arena, &arena->games[i]);
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------ */

static struct game *
find_game(struct arena *arena, const struct sk_value *frame)
{
    int64_t match = look_int(frame, "match", 0);

    for (int64_t i = 0; i < arena->options.parallel && match > 0; i++) {
        if (arena->games[i].number != 0 && arena->games[i].match == match) {
            return &arena->games[i];
        }
    }
    return NULL;
}

static void
take_joined(struct arena *arena, const struct sk_value *frame)
{
    char id[WORD_MAX] = "";
    unsigned long number;

    look_text(frame, "id", id, sizeof(id));
    number = strtoul(id, NULL, 10);
    for (int64_t i = 0; i < arena->options.parallel; i++) {
        if (arena->games[i].number == number && arena->games[i].match == 0) {
            arena->games[i].match = look_int(frame, "match", 0);
        }
    }
    if (arena->options.opens_browser) {
        browser_open(arena->url, look_int(frame, "match", 0));
        arena->options.opens_browser = false;
    }
}

static void
take_turn(struct arena *arena, const struct sk_value *frame)
{
    struct game *game = find_game(arena, frame);

    if (game != NULL) {
        game->turn = look_int(frame, "turn", game->turn);
    }
}

static void
take_failure(struct arena *arena, const struct sk_value *frame)
{
    struct game *game = find_game(arena, frame);
    uint32_t seat = (uint32_t)look_int(frame, "seat", 0);
    struct contender *side;

    if (game == NULL || seat >= SEATS) {
        return;
    }
    side = &arena->sides[side_on(arena, game, seat)];
    if (look_says(frame, "error", "refused")) {
        side->refusals++;
    } else if (look_says(frame, "error", "http_timeout")) {
        side->timeouts++;
    } else {
        side->failures++;
    }
}

static void
show_progress(const struct arena *arena)
{
    if (!arena->has_terminal) {
        return;
    }
    fprintf(stderr, "\r\033[K%u of %u played:", arena->finished, arena->total);
    for (uint32_t i = 0; i < arena->standings.count; i++) {
        fprintf(stderr, " %s %u,", arena->sides[i].word, standings_of(&arena->standings, i).wins);
    }
    fprintf(stderr, " drawn %u", arena->draws);
}

static void
note_result(struct arena *arena, const struct game *game, int32_t winner)
{
    uint32_t host = side_on(arena, game, 0);
    uint32_t guest = side_on(arena, game, 1);

    if (winner < 0 || winner >= SEATS) {
        arena->draws++;
        arena->standings.draws[host][guest]++;
        arena->standings.draws[guest][host]++;
    } else if (winner == 0) {
        arena->standings.wins[host][guest]++;
    } else {
        arena->standings.wins[guest][host]++;
    }
}

static void
finish(struct arena *arena, struct game *game, int32_t winner)
{
    note_result(arena, game, winner);
    arena->turns += (uint64_t)game->turn;
    arena->first_match =
        arena->finished == 0 || game->match < arena->first_match ? game->match : arena->first_match;
    arena->last_match = game->match > arena->last_match ? game->match : arena->last_match;
    arena->finished++;
    client_forget(arena->online.client, game->match);
    game->number = 0;
    show_progress(arena);
    if (arena->finished == arena->total) {
        client_stop(arena->online.client);
    } else {
        fill_places(arena);
    }
}

static void
take_over(struct arena *arena, const struct sk_value *frame)
{
    struct game *game = find_game(arena, frame);

    if (game != NULL) {
        finish(arena, game, look_int(frame, "winner", -1));
    }
}

/* A match that ended while the connection was lost may send no `over`. */
static void
take_state(struct arena *arena, const struct sk_value *frame)
{
    const struct sk_value *outcome = sk_value_member(frame, "outcome");
    struct game *game = find_game(arena, frame);

    take_turn(arena, frame);
    if (game != NULL && look_says(frame, "status", "over")) {
        finish(arena, game, outcome == NULL ? -1 : look_int(outcome, "winner", -1));
    }
}

static void
take_error(struct arena *arena, const struct sk_value *frame)
{
    char code[WORD_MAX] = "";
    char message[ONLINE_ERROR_MAX + 1];

    look_text(frame, "code", code, sizeof(code));
    online_error_text(frame, message, sizeof(message));
    online_fail(&arena->online, code, message);
}

static const struct {
    const char *type;
    void (*take)(struct arena *arena, const struct sk_value *frame);
} frames[] = {
    { "joined", take_joined },      { "state", take_state }, { "turn", take_turn },
    { "bot_failed", take_failure }, { "over", take_over },   { "error", take_error },
};

static void
on_frame(void *user, const struct sk_value *frame)
{
    ONLINE_TAKE(frames, user, frame)
}

/* What was not answered before the connection was lost is sent again. */
static void
on_welcome(void *user, bool is_again)
{
    struct arena *arena = user;

    for (int64_t i = 0; i < arena->options.parallel && is_again; i++) {
        if (arena->games[i].number != 0 && arena->games[i].match == 0) {
            create(arena, &arena->games[i]);
        }
    }
    fill_places(arena);
    show_progress(arena);
}

/* ---- the table --------------------------------------------------------------------------- */

/* Bots by their letters, because names are long: won - drawn - lost of the row's bot. */
static void
print_cross_table(const struct arena *arena)
{
    const struct standings *standings = &arena->standings;

    printf("\n%-26s", "won-drawn-lost against");
    for (uint32_t i = 0; i < standings->count; i++) {
        printf(" %11c", 'A' + i);
    }
    for (uint32_t a = 0; a < standings->count; a++) {
        printf("\n%c %-24.24s", 'A' + a, arena->sides[a].word);
        for (uint32_t b = 0; b < standings->count; b++) {
            char text[WORD_MAX] = "";

            if (a != b) {
                (void)snprintf(text, sizeof(text), "%u-%u-%u", standings->wins[a][b],
                               standings->draws[a][b], standings->wins[b][a]);
            }
            printf(" %11s", text);
        }
    }
    printf("\n\n");
}

static void
print_ratings(const struct arena *arena)
{
    struct rating ratings[STANDINGS_MAX];

    standings_rate(&arena->standings, ratings);
    printf("%-24s %7s %16s\n", "bot", "rating", "95% interval");
    for (uint32_t i = 0; i < arena->standings.count; i++) {
        printf("%-24s %+7.0f %+7.0f to %+5.0f\n", arena->sides[i].word, ratings[i].elo,
               ratings[i].elo - ratings[i].margin, ratings[i].elo + ratings[i].margin);
    }
    print_cross_table(arena);
}

static void
print_table(const struct arena *arena)
{
    if (arena->standings.count > SEATS) {
        print_ratings(arena);
    }
    printf("%-24s %7s %7s %16s %8s %8s %8s\n", "bot", "wins", "", "95% interval", "refused", "late",
           "failed");
    for (uint32_t i = 0; i < arena->standings.count; i++) {
        const struct contender *side = &arena->sides[i];
        struct standing sum = standings_of(&arena->standings, i);
        double low;
        double high;

        standings_interval(sum.wins, sum.games, &low, &high);
        printf("%-24s %7u %6.1f%% %6.1f%% - %5.1f%% %8u %8u %8u\n", side->word, sum.wins,
               100.0 * sum.wins / sum.games, low, high, side->refusals, side->timeouts,
               side->failures);
    }
    printf("%-24s %7u %6.1f%%\n", "drawn", arena->draws, 100.0 * arena->draws / arena->finished);
    printf("%u %s of %s, %.1f turns on average, ", arena->finished,
           sk_plural(arena->finished, "match", "matches"), arena->options.ruleset,
           (double)arena->turns / arena->finished);
    if (arena->online.is_short_lived) {
        printf("not kept (--database FILE keeps them)\n");
    } else if (arena->finished == 1) {
        printf("stored as match %lld\n", (long long)arena->first_match);
    } else {
        printf("stored as matches %lld to %lld\n", (long long)arena->first_match,
               (long long)arena->last_match);
    }
}

static void
add_number(struct json_object *json, const char *member, int64_t number)
{
    json_object_object_add(json, member, json_object_new_int64(number));
}

/* `against`: wins and draws against each bot, in the order of the list. */
static struct json_object *
json_of_side(const struct arena *arena, uint32_t place, const struct rating *rating)
{
    const struct contender *side = &arena->sides[place];
    const struct standings *standings = &arena->standings;
    struct standing sum = standings_of(standings, place);
    struct json_object *json = json_object_new_object();
    struct json_object *against = json_object_new_array();
    double low;
    double high;

    standings_interval(sum.wins, sum.games, &low, &high);
    json_object_object_add(json, "bot", json_object_new_string(side->word));
    add_number(json, "wins", sum.wins);
    add_number(json, "draws", sum.draws);
    add_number(json, "games", sum.games);
    add_number(json, "low_permille", (int64_t)(10 * low + 0.5));
    add_number(json, "high_permille", (int64_t)(10 * high + 0.5));
    add_number(json, "rating", lround(rating->elo));
    add_number(json, "rating_margin", lround(rating->margin));
    add_number(json, "refused", side->refusals);
    add_number(json, "late", side->timeouts);
    add_number(json, "failed", side->failures);
    for (uint32_t other = 0; other < standings->count; other++) {
        struct json_object *pair = json_object_new_array();

        json_object_array_add(pair, json_object_new_int64(standings->wins[place][other]));
        json_object_array_add(pair, json_object_new_int64(standings->draws[place][other]));
        json_object_array_add(against, pair);
    }
    json_object_object_add(json, "against", against);
    return json;
}

static void
print_json(const struct arena *arena)
{
    struct json_object *json = json_object_new_object();
    struct json_object *bots = json_object_new_array();
    struct json_object *matches = NULL;
    struct rating ratings[STANDINGS_MAX];

    standings_rate(&arena->standings, ratings);
    json_object_object_add(json, "ruleset", json_object_new_string(arena->options.ruleset));
    add_number(json, "games", arena->finished);
    add_number(json, "draws", arena->draws);
    add_number(json, "turns", (int64_t)arena->turns);
    if (!arena->online.is_short_lived) {
        matches = json_object_new_array();
        json_object_array_add(matches, json_object_new_int64(arena->first_match));
        json_object_array_add(matches, json_object_new_int64(arena->last_match));
    }
    json_object_object_add(json, "matches", matches);
    for (uint32_t i = 0; i < arena->standings.count; i++) {
        json_object_array_add(bots, json_of_side(arena, i, &ratings[i]));
    }
    json_object_object_add(json, "bots", bots);
    puts(json_object_to_json_string_ext(json,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(json);
}

static void
print_results(const struct arena *arena)
{
    if (arena->has_terminal) {
        fprintf(stderr, "\r\033[K");
    }
    if (arena->finished < arena->total) {
        return; /* some bots may not have played */
    }
    if (arena->options.is_json) {
        print_json(arena);
    } else {
        print_table(arena);
    }
}

/* ---- the command ------------------------------------------------------------------------- */

static int
play(struct arena *arena, const char *url)
{
    static const struct client_events events = { on_welcome, on_frame, NULL };
    struct client_options options = { .url = url, .is_bot = true };
    bool is_fine;

    arena->url = url;
    is_fine = online_run(&arena->online, &options, &events, arena);
    print_results(arena);
    return is_fine && arena->finished == arena->total ? CLI_OK : CLI_FAILED;
}

/* Its address differs in each run, so tokens are saved by the database's path. */
static int
play_on_own_server(struct arena *arena)
{
    struct own_daemon_options its = { .database = arena->options.database,
                                      .config = arena->options.config };
    struct own_daemon daemon;
    char services[SERVICES_MAX] = "";
    char path[PATH_MAX];
    int status;

    arena->online.is_short_lived = arena->options.database == NULL;
    for (uint32_t i = 0; i < arena->standings.count; i++) {
        if (arena->sides[i].kind == KIND_HTTP) {
            own_daemon_allow(services, sizeof(services), arena->sides[i].word);
        }
    }
    its.services = services[0] == '\0' ? NULL : services;
    if (!own_daemon_start(&daemon, &its)) {
        return CLI_FAILED;
    }
    if (arena->options.database != NULL && realpath(arena->options.database, path) != NULL) {
        arena->online.server = path;
    }
    status = play(arena, daemon.url);
    own_daemon_stop(&daemon);
    return status;
}

static struct contender
contender_of(const char *word)
{
    enum bot_level level;
    struct contender side = { .word = word, .kind = KIND_NAME };

    if (bot_level_find(sk_text_of(word), &level)) {
        side.kind = KIND_LEVEL;
    } else if (strstr(word, "://") != NULL) {
        side.kind = KIND_HTTP;
    }
    return side;
}

static int
check_side(const char *ruleset, const struct contender *side)
{
    enum bot_level level;

    return bot_level_find(sk_text_of(side->word), &level) ? cli_check_level("arena", ruleset, level)
                                                          : CLI_OK;
}

/* Says what is wrong with the options; CLI_OK = nothing. */
static int
check_options(struct arena *arena, const struct cli_words *words)
{
    struct options *options = &arena->options;
    int status;

    if (words->count < SEATS || words->count > STANDINGS_MAX) {
        return cli_usage_error("arena", "takes two bots or more, at most 32", NULL);
    }
    if (options->ruleset == NULL) {
        return cli_usage_error("arena", "needs --ruleset", NULL);
    }
    if (options->database != NULL && address_is_shared(options->database)) {
        return cli_usage_error(
            "arena", "--database takes a file; matches of many nodes are played with --url", NULL);
    }
    if (options->url != NULL && (options->database != NULL || options->config != NULL)) {
        return cli_usage_error("arena", "--database and --config cannot be used with --url", NULL);
    }
    arena->standings.count = (uint32_t)words->count;
    arena->total = (uint32_t)(options->games * words->count * (words->count - 1) / 2);
    for (int i = 0; i < words->count; i++) {
        const uint8_t *word = (const uint8_t *)words->at[i];

        if (!sk_utf8_is_valid(word, word + strlen(words->at[i]))) {
            return cli_usage_error("arena", "a bot's name is not UTF-8", NULL);
        }
        arena->sides[i] = contender_of(words->at[i]);
        status = check_side(options->ruleset, &arena->sides[i]);
        if (status != CLI_OK) {
            return status;
        }
    }
    return cli_check_match("arena", options->ruleset, options->params);
}

int
cli_arena(int argc, char **argv)
{
    struct arena arena = { .online = { .command = "arena" },
                           .options = { .games = GAMES_DEFAULT, .parallel = PARALLEL_DEFAULT },
                           .has_terminal = isatty(STDERR_FILENO) };
    struct options *its = &arena.options;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &its->ruleset, "NAME", "what they play", 0, 0 },
        { "params", CLI_TEXT, &its->params, "JSON", "of the matches (the ruleset's default)", 0,
          0 },
        { "games", CLI_NUMBER, &its->games, "N", "how many matches of each pair (100)", 1,
          GAMES_MAX },
        { "parallel", CLI_NUMBER, &its->parallel, "N", "how many at a time (8)", 1, PARALLEL_MAX },
        { "cycle-ms", CLI_NUMBER, &its->cycle_ms, "MS",
          "duration of each turn (else until both have answered)", 10, CYCLE_MS_MAX },
        { "url", CLI_TEXT, &its->url, "URL", "a running server (else it starts one)", 0, 0 },
        { "database", CLI_TEXT, &its->database, "FILE",
          "of the server that it starts (a temporary one)", 0, 0 },
        { "config", CLI_TEXT, &its->config, "FILE", "of the server that it starts", 0, 0 },
        CLI_TOKEN_OPTION(&arena.online.token_file),
        { "browser", CLI_FLAG, &its->opens_browser, NULL, "watch the first match in a browser", 0,
          0 },
        { "json", CLI_FLAG, &its->is_json, NULL, "results as JSON", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "arena",
        .arguments = "BOT BOT...",
        .about =
            "Plays matches of every bot against every other and compares their results.  A bot is\n"
            "a level (random, greedy, search), the http(s) address of a web service, or the name\n"
            "of one in the server's configuration.  Seats change from match to match.  From three\n"
            "bots on it also prints a cross table and ratings: 100 more means a score of 64%.  On\n"
            "a running server or with --database the matches are stored, and skirmish verify and\n"
            "replay work on them.\n"
            "In snarl, bots play heroes and adversaries:\n"
            "\n"
            "  skirmish arena --ruleset snarl --params "
            "'{\"mode\":\"versus\",\"heroes\":[\"ada\"]}' \\\n"
            "    greedy random\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    status = check_options(&arena, &words);
    if (status != CLI_OK) {
        return status;
    }
    arena.games = heap_memory((size_t)its->parallel * sizeof(arena.games[0]));
    status = its->url == NULL ? play_on_own_server(&arena) : play(&arena, its->url);
    free(arena.games);
    return status;
}
