/*
 * skirmish matches, match, players, player, leaderboard - lists out of a
 * database, which may be in use.
 */
#include <stdio.h>
#include <string.h>

#include "server/cli/asking.h"
#include "server/cli/cli.h"
#include "server/cli/keeping.h"
#include "server/host/store_port.h"

/* CLI_OK for NULL and for the words of the column. */
static int
expect_status(const char *word)
{
    char message[128] = "--status is";
    size_t used = strlen(message);

    for (int i = 0; i <= MATCH_QUARANTINED; i++) {
        if (word == NULL || strcmp(word, store_match_status_names[i]) == 0) {
            return CLI_OK;
        }
        used += (size_t)snprintf(message + used, sizeof(message) - used, "%s %s",
                                 i == 0                   ? ""
                                 : i == MATCH_QUARANTINED ? " or"
                                                          : ",",
                                 store_match_status_names[i]);
    }
    (void)snprintf(message + used, sizeof(message) - used, ", not");
    return cli_usage_error("matches", message, word);
}

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
    asking_set(&asking, "status", status_word);
    asking_set(&asking, "ruleset", ruleset);
    asking_set(&asking, "player", player);
    status = expect_status(status_word);
    if (status == CLI_OK) {
        status = asking_expect_ruleset(&asking, ruleset);
    }
    if (status == CLI_OK) {
        status = asking_expect_player(&asking, player);
    }
    return status == CLI_OK ? asking_ask(&asking, NULL) : status;
}

int
cli_match(int argc, char **argv)
{
    struct asking asking = asking_of("match");
    const struct cli_option options[] = { ASKING_OPTIONS(&asking) };
    const struct cli_usage usage = {
        .command = "match",
        .arguments = "ID",
        .about = "Lists the records of a match: what happened, in order.  See also\n"
                 "skirmish replay ID.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    uint64_t rows = 0;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1) {
        return cli_usage_error("match", "takes one argument, the number of a match", NULL);
    }
    asking.sql = "SELECT r.seq, r.kind, r.turn, r.seat, s.name, r.command_id, "
                 "datetime(r.at / 1000, 'unixepoch') AS at, substr(r.hash, 1, 12) AS hash, "
                 "length(r.body) AS bytes FROM match_record r "
                 "LEFT JOIN match_seat s ON s.match = r.match AND s.seat = r.seat "
                 "WHERE r.match = CAST(:match AS INTEGER) ORDER BY r.seq";
    asking_set(&asking, "match", words.at[0]);
    status = asking_expect_match(&asking, words.at[0]);
    if (status == CLI_OK) {
        status = asking_ask(&asking, &rows);
    }
    if (status == CLI_OK && rows == 0) {
        fprintf(stderr, "skirmish match: the records of match %s were pruned\n", words.at[0]);
    }
    return status;
}

int
cli_players(int argc, char **argv)
{
    struct asking asking = asking_of("players");
    const struct cli_option options[] = { ASKING_OPTIONS(&asking) };
    const struct cli_usage usage = {
        .command = "players",
        .about = "Lists the players.\n",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    asking.sql = "SELECT p.id, p.name, p.is_bot, "
                 "(SELECT count(*) FROM seat s WHERE s.player = p.id) AS matches, "
                 "datetime(p.created_at / 1000, 'unixepoch') AS created, "
                 "datetime(p.last_seen / 1000, 'unixepoch') AS last_seen "
                 "FROM player p ORDER BY p.name";
    return asking_ask(&asking, NULL);
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
    asking.sql = question_find("history")->sql;
    asking_set(&asking, "player", words.at[0]);
    status = asking_expect_player(&asking, words.at[0]);
    return status == CLI_OK ? asking_ask(&asking, NULL) : status;
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
    asking_set(&asking, "ruleset", ruleset);
    status = asking_expect_ruleset(&asking, ruleset);
    return status == CLI_OK ? asking_ask(&asking, NULL) : status;
}
