/*
 * skirmish matches, match, players, player, leaderboard - lists from a database,
 * which may be in use.
 */
#include <stdio.h>
#include <string.h>

#include "server/cli/cli.h"
#include "server/cli/report.h"
#include "server/host/store_port.h"

#define STATUS_WORDS "waiting, running, over or quarantined"

/* CLI_OK for NULL and for the words of the column. */
static int
expect_status(const char *word)
{
    for (int i = 0; i <= MATCH_QUARANTINED; i++) {
        if (word == NULL || strcmp(word, store_match_status_names[i]) == 0) {
            return CLI_OK;
        }
    }
    return cli_usage_error("matches", "--status is " STATUS_WORDS ", not", word);
}

#define MATCHES_SQL(is_player)                                                       \
    "SELECT match, ruleset, status, players, turns, winner_name AS winner, reason, " \
    "datetime(created_at / 1000, 'unixepoch') AS created FROM match_summary v "      \
    "WHERE (:status IS NULL OR status = :status) "                                   \
    "AND (:ruleset IS NULL OR ruleset = :ruleset) "                                  \
    "AND (:player IS NULL OR EXISTS (SELECT 1 FROM seat s JOIN player p "            \
    "ON p.id = s.player WHERE s.match = v.match AND " is_player ")) ORDER BY match DESC"

int
cli_matches(int argc, char **argv)
{
    struct report report = report_of("matches");
    const char *status_word = NULL;
    const char *ruleset = NULL;
    const char *player = NULL;
    const struct cli_option options[] = {
        { "status", CLI_TEXT, &status_word, "S", STATUS_WORDS, 0, 0 },
        { "ruleset", CLI_TEXT, &ruleset, "R", "of this ruleset", 0, 0 },
        { "player", CLI_TEXT, &player, "NAME", "in which this player has a seat", 0, 0 },
        REPORT_OPTIONS(&report),
    };
    const struct cli_usage usage = {
        .command = "matches",
        .about = "Lists matches, the newest first.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    report.sql =
        question_text(cli_database(report.database), MATCHES_SQL("p.name = :player COLLATE NOCASE"),
                      MATCHES_SQL("lower(p.name) = lower(:player)"));
    report_set(&report, "status", status_word);
    report_set(&report, "ruleset", ruleset);
    report_set(&report, "player", player);
    status = expect_status(status_word);
    if (status == CLI_OK) {
        status = report_expect_ruleset(&report, ruleset);
    }
    if (status == CLI_OK) {
        status = report_expect_player(&report, player);
    }
    return status == CLI_OK ? report_print(&report, NULL) : status;
}

int
cli_match(int argc, char **argv)
{
    struct report report = report_of("match");
    const struct cli_option options[] = { REPORT_OPTIONS(&report) };
    const struct cli_usage usage = {
        .command = "match",
        .arguments = "ID",
        .about = "Lists the records of a match: what happened, in order.  See also\n"
                 "skirmish replay ID.\n",
        CLI_OPTIONS(options),
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
    report.sql = "SELECT r.seq, r.kind, r.turn, r.seat, s.name, r.command_id, "
                 "datetime(r.at / 1000, 'unixepoch') AS at, substr(r.hash, 1, 12) AS hash, "
                 "length(r.body) AS bytes FROM match_record r "
                 "LEFT JOIN match_seat s ON s.match = r.match AND s.seat = r.seat "
                 "WHERE r.match = CAST(:match AS INTEGER) ORDER BY r.seq";
    report_set(&report, "match", words.at[0]);
    status = report_expect_match(&report, words.at[0]);
    if (status == CLI_OK) {
        status = report_print(&report, &rows);
    }
    if (status == CLI_OK && rows == 0) {
        fprintf(stderr, "skirmish match: the records of match %s were pruned\n", words.at[0]);
    }
    return status;
}

int
cli_players(int argc, char **argv)
{
    struct report report = report_of("players");
    const struct cli_option options[] = { REPORT_OPTIONS(&report) };
    const struct cli_usage usage = {
        .command = "players",
        .about = "Lists the players.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    report.sql = "SELECT p.id, p.name, p.is_bot, "
                 "(SELECT count(*) FROM seat s WHERE s.player = p.id) AS matches, "
                 "datetime(p.created_at / 1000, 'unixepoch') AS created, "
                 "datetime(p.last_seen / 1000, 'unixepoch') AS last_seen "
                 "FROM player p ORDER BY lower(p.name)";
    return report_print(&report, NULL);
}

int
cli_player(int argc, char **argv)
{
    struct report report = report_of("player");
    bool is_meant = false;
    const struct cli_option options[] = {
        { "yes", CLI_FLAG, &is_meant, NULL, "forget: do it", 0, 0 },
        REPORT_OPTIONS(&report),
    };
    const struct cli_usage usage = {
        .command = "player",
        .arguments = "NAME | forget NAME",
        .about =
            "Lists the matches of a player, newest first.\n"
            "\n"
            "forget deletes the player's name and token for good, also from admin_log.  The\n"
            "matches stay, under a neutral name.  If the daemon runs, the player's connections "
            "are\n"
            "closed and running matches are resigned.  Earlier copies of the database still have\n"
            "the name.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count == 2 && strcmp(words.at[0], "forget") == 0) {
        return cli_player_forget(cli_database(report.database), words.at[1], is_meant);
    }
    if (words.count != 1 || is_meant) {
        return cli_usage_error("player", "takes one argument, or forget and a name", NULL);
    }
    report.sql = question_find("history")->sql;
    report_set(&report, "player", words.at[0]);
    status = report_expect_player(&report, words.at[0]);
    return status == CLI_OK ? report_print(&report, NULL) : status;
}

int
cli_leaderboard(int argc, char **argv)
{
    struct report report = report_of("leaderboard");
    const char *ruleset = NULL;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &ruleset, "R", "of this ruleset", 0, 0 },
        REPORT_OPTIONS(&report),
    };
    const struct cli_usage usage = {
        .command = "leaderboard",
        .about =
            "Lists the players of rated matches by rating (Glicko-2).  The smaller the deviation,\n"
            "the more certain the rating.  Provisional ratings, from too few matches, come last.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    report.sql = "SELECT ruleset, place, name, CAST(round(rating) AS INTEGER) AS rating, "
                 "CAST(round(deviation) AS INTEGER) AS deviation, games, wins, draws, losses, "
                 "CASE WHEN is_provisional = 1 THEN 'provisional' ELSE '' END AS note "
                 "FROM leaderboard WHERE :ruleset IS NULL OR ruleset = :ruleset "
                 "ORDER BY ruleset, place, name";
    report_set(&report, "ruleset", ruleset);
    status = report_expect_ruleset(&report, ruleset);
    return status == CLI_OK ? report_print(&report, NULL) : status;
}
