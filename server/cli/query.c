/*
 * skirmish query, matches, match, players, player, leaderboard - questions to
 * a database, which may be in use.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/keeping.h"
#include "server/cli/options.h"
#include "server/cli/table.h"

#define PARAMETERS_MAX     16
#define TIME_DEFAULT_S     10
#define ROWS_DEFAULT       1000
#define PARAMETER_NAME_MAX 32

/* What every question has. */
struct asking {
    const char *command;
    const char *database;
    const char *form;
    int64_t time_s;
    int64_t rows;
    const char *sql;
    struct question_parameter parameters[PARAMETERS_MAX];
    size_t parameter_count;
};

/* clang-format off */
#define ASKING_OPTIONS(asking)                                                                  \
    CLI_DATABASE_OPTION(&(asking)->database),                                                   \
    { "form", CLI_TEXT, &(asking)->form, "FORM", "table, csv, json or markdown", 0, 0 },        \
    { "rows", CLI_NUMBER, &(asking)->rows, "N", "at most so many (1000); 0 = all", 0, INT64_MAX }, \
    { "time", CLI_NUMBER, &(asking)->time_s, "SECONDS", "at most so long (10)", 1, 86400 }
/* clang-format on */

static struct asking
asking_of(const char *command)
{
    return (struct asking){
        .command = command, .form = "table", .time_s = TIME_DEFAULT_S, .rows = ROWS_DEFAULT
    };
}

static int
ask(const struct asking *asking)
{
    const struct question_limits limits = { asking->time_s * 1000, asking->rows, NULL };
    enum table_form form;
    struct table table;
    struct sk_fault fault;
    bool is_cut = false;
    enum sk_status status;

    if (!table_form_read(asking->form, &form)) {
        return cli_usage_error(asking->command, "--form is table, csv, json or markdown, not",
                               asking->form);
    }
    (void)!nice(QUESTION_NICE);
    table_begin(&table, form);
    status = question_ask(cli_database(asking->database), asking->sql, asking->parameters,
                          asking->parameter_count, &limits, &table.sink, &is_cut, &fault);
    if (status == SK_OK) {
        table_end(&table);
    } else {
        table_drop(&table);
        fprintf(stderr, "skirmish %s: %s\n", asking->command, fault.message);
        return CLI_FAILED;
    }
    if (is_cut) {
        fflush(stdout);
        fprintf(stderr, "skirmish %s: there are more rows; --rows shows them\n", asking->command);
    }
    return CLI_OK;
}

static void
set_parameter(struct asking *asking, const char *name, const char *value)
{
    if (value != NULL && asking->parameter_count < PARAMETERS_MAX) {
        asking->parameters[asking->parameter_count++] = (struct question_parameter){ name, value };
    }
}

/* ---- query ------------------------------------------------------------------------------- */

/* Its first comment, which says what it asks. */
static void
print_summary(const struct question *question)
{
    const char *text = question->sql;
    bool is_first = true;

    printf("  %-12s ", question->name);
    while (strncmp(text, "-- ", 3) == 0) {
        size_t length = strcspn(text, "\n");

        printf("%s%.*s\n", is_first ? "" : "               ", (int)length - 3, text + 3);
        is_first = false;
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

static int
list_questions(void)
{
    printf("Ready-made questions; skirmish query NAME asks one, --sql prints it:\n\n");
    for (size_t i = 0; i < question_count; i++) {
        print_summary(&questions[i]);
    }
    return CLI_OK;
}

static const struct question *
find_question(const char *name)
{
    for (size_t i = 0; i < question_count; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            return &questions[i];
        }
    }
    return NULL;
}

/* A single word cannot be SQL: it is the name of a question, or a mistake. */
static bool
is_name(const char *text)
{
    for (; *text != '\0'; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-') {
            return false;
        }
    }
    return true;
}

/* name=value words after the question. */
static bool
take_parameters(struct asking *asking, const struct cli_words *words,
                char names[PARAMETERS_MAX][PARAMETER_NAME_MAX + 1])
{
    for (int i = 1; i < words->count; i++) {
        const char *equals = strchr(words->at[i], '=');
        size_t length = equals == NULL ? 0 : (size_t)(equals - words->at[i]);

        if (length == 0 || length > PARAMETER_NAME_MAX || i > PARAMETERS_MAX) {
            return false;
        }
        memcpy(names[i - 1], words->at[i], length);
        names[i - 1][length] = '\0';
        set_parameter(asking, names[i - 1], equals + 1);
    }
    return true;
}

int
cli_query(int argc, char **argv)
{
    static char names[PARAMETERS_MAX][PARAMETER_NAME_MAX + 1];
    struct asking asking = asking_of("query");
    const struct question *question;
    bool wants_list = false;
    bool wants_sql = false;
    const struct cli_option options[] = {
        { "list", CLI_FLAG, &wants_list, NULL, "the ready-made questions", 0, 0 },
        { "sql", CLI_FLAG, &wants_sql, NULL, "print the question's SQL instead of asking it", 0,
          0 },
        ASKING_OPTIONS(&asking),
    };
    const struct cli_usage usage = {
        .command = "query",
        .arguments = "NAME|SQL [PARAMETER=VALUE...]",
        .about =
            "Asks the database: a ready-made question by its name (--list), or any SELECT over\n"
            "the views that migrations/README.md describes.  Only reads, never for long, and so\n"
            "never keeps a turn of the running daemon waiting.\n"
            "\n"
            "  skirmish query refusals ruleset=tactics\n"
            "  skirmish query \"SELECT * FROM match_summary LIMIT 5\" --form json\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (wants_list) {
        return list_questions();
    }
    if (words.count < 1) {
        return cli_usage_error("query", "name a question (--list) or give SQL", NULL);
    }
    question = find_question(words.at[0]);
    if (question == NULL && is_name(words.at[0])) {
        return cli_usage_error("query", "there is no question of that name (--list)", words.at[0]);
    }
    if (!take_parameters(&asking, &words, names)) {
        return cli_usage_error("query", "parameters are given as NAME=VALUE", NULL);
    }
    asking.sql = question == NULL ? words.at[0] : question->sql;
    if (wants_sql) {
        printf("%s", asking.sql);
        return CLI_OK;
    }
    return ask(&asking);
}

/* ---- lists ------------------------------------------------------------------------------- */

int
cli_matches(int argc, char **argv)
{
    struct asking asking = asking_of("matches");
    const char *status_word = NULL;
    const char *ruleset = NULL;
    const char *player = NULL;
    const struct cli_option options[] = {
        { "status", CLI_TEXT, &status_word, "S", "waiting, running, over or quarantined", 0, 0 },
        { "ruleset", CLI_TEXT, &ruleset, "R", "of this ruleset", 0, 0 },
        { "player", CLI_TEXT, &player, "NAME", "in which this player has a seat", 0, 0 },
        ASKING_OPTIONS(&asking),
    };
    const struct cli_usage usage = {
        .command = "matches",
        .about = "Lists matches, the newest first.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    asking.sql = "SELECT match, ruleset, status, players, turns, winner_name AS winner, reason, "
                 "datetime(created_at / 1000, 'unixepoch') AS created FROM match_summary v "
                 "WHERE (:status IS NULL OR status = :status) "
                 "AND (:ruleset IS NULL OR ruleset = :ruleset) "
                 "AND (:player IS NULL OR EXISTS (SELECT 1 FROM seat s JOIN player p "
                 "ON p.id = s.player WHERE s.match = v.match AND p.name = :player COLLATE NOCASE)) "
                 "ORDER BY match DESC";
    set_parameter(&asking, "status", status_word);
    set_parameter(&asking, "ruleset", ruleset);
    set_parameter(&asking, "player", player);
    return ask(&asking);
}

/* One argument, which becomes a parameter of the question. */
static int
ask_about(int argc, char **argv, struct asking *asking, const char *argument, const char *about,
          const char *parameter)
{
    const struct cli_option options[] = { ASKING_OPTIONS(asking) };
    const struct cli_usage usage = {
        .command = asking->command,
        .arguments = argument,
        .about = about,
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (parameter != NULL) {
        if (words.count != 1) {
            return cli_usage_error(asking->command, "takes one argument", NULL);
        }
        set_parameter(asking, parameter, words.at[0]);
    }
    return ask(asking);
}

int
cli_match(int argc, char **argv)
{
    struct asking asking = asking_of("match");

    asking.sql = "SELECT seq, kind, turn, seat, command_id, "
                 "datetime(at / 1000, 'unixepoch') AS at, substr(hash, 1, 12) AS hash, "
                 "length(body) AS bytes FROM match_record WHERE match = CAST(:match AS INTEGER) "
                 "ORDER BY seq";
    return ask_about(argc, argv, &asking, "ID",
                     "Lists the records of a match: what happened, in order.  See also\n"
                     "skirmish replay ID.\n",
                     "match");
}

int
cli_players(int argc, char **argv)
{
    struct asking asking = asking_of("players");

    asking.sql = "SELECT p.id, p.name, p.is_bot, "
                 "(SELECT count(*) FROM seat s WHERE s.player = p.id) AS matches, "
                 "datetime(p.created_at / 1000, 'unixepoch') AS created "
                 "FROM player p ORDER BY p.name";
    return ask_about(argc, argv, &asking, NULL, "Lists the players.\n", NULL);
}

int
cli_player(int argc, char **argv)
{
    struct asking asking = asking_of("player");
    bool is_meant = false;
    const struct cli_option options[] = {
        { "yes", CLI_FLAG, &is_meant, NULL, "forget: do it", 0, 0 },
        ASKING_OPTIONS(&asking),
    };
    const struct cli_usage usage = {
        .command = "player",
        .arguments = "NAME | forget NAME",
        .about =
            "Lists the matches of a player, newest first.\n"
            "\n"
            "forget erases the person: name and token are gone for good, also from admin_log;\n"
            "the matches stay, as those of a player whose name says nothing.  With a daemon\n"
            "that runs, the player's connections are closed and running matches given up.\n"
            "Copies of the database that were made before still know the name.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count == 2 && strcmp(words.at[0], "forget") == 0) {
        return cli_player_forget(cli_database(asking.database), words.at[1], is_meant);
    }
    if (words.count != 1 || is_meant) {
        return cli_usage_error("player", "takes one argument, or forget and a name", NULL);
    }
    asking.sql = find_question("history")->sql;
    set_parameter(&asking, "player", words.at[0]);
    return ask(&asking);
}

int
cli_leaderboard(int argc, char **argv)
{
    struct asking asking = asking_of("leaderboard");
    const char *ruleset = NULL;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &ruleset, "R", "of this ruleset", 0, 0 },
        ASKING_OPTIONS(&asking),
    };
    const struct cli_usage usage = {
        .command = "leaderboard",
        .about = "Lists the players of rated matches by their ratings (Glicko-2), which are more\n"
                 "certain the smaller their deviation is.  Provisional ones stand behind the\n"
                 "others: there are too few matches to tell.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    asking.sql = "SELECT ruleset, place, name, CAST(round(rating) AS INTEGER) AS rating, "
                 "CAST(round(deviation) AS INTEGER) AS deviation, games, wins, draws, losses, "
                 "CASE WHEN is_provisional THEN 'provisional' ELSE '' END AS note "
                 "FROM leaderboard WHERE :ruleset IS NULL OR ruleset = :ruleset "
                 "ORDER BY ruleset, place, name";
    set_parameter(&asking, "ruleset", ruleset);
    return ask(&asking);
}
