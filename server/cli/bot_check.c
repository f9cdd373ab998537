/*
 * skirmish bot check - plays against a bot in every situation, and says what it did wrong.
 *
 * A server of its own plays each scenario as a match: this program has seat 0, the bot seat 1.  A
 * bot that is a command connects through a relay, which sees what the server refuses and
 * can cut the connection.  A web service is called by the server, which says what was wrong with
 * its answers.
 */
#include <stddef.h>

#include "server/cli/checker.h"
#include "server/cli/cli.h"
#include "server/cli/options.h"

#define SERVICES_MAX 1024

static int
play_on_own_server(struct checker *checker)
{
    char services[SERVICES_MAX] = "";
    struct own_daemon_options options = { .services = checker->bot.url == NULL ? NULL : services };
    int status;

    if (checker->bot.url != NULL) {
        checker->service = service_relay_open(checker->bot.url);
        if (checker->service == NULL) {
            return CLI_FAILED;
        }
        own_daemon_allow(services, sizeof(services), checker->bot.url);
        own_daemon_allow(services, sizeof(services), service_relay_url(checker->service));
    }
    status = own_daemon_start(&checker->daemon, &options) ? checker_play(checker) : CLI_FAILED;
    own_daemon_stop(&checker->daemon);
    service_relay_close(checker->service);
    return status;
}

static int
check_rulesets(const struct checked_bot *bot)
{
    int status =
        bot->ruleset_count > 0
            ? CLI_OK
            : cli_usage_error("bot check", "the bot does not say what it plays; use --ruleset NAME",
                              NULL);

    for (uint32_t i = 0; i < bot->ruleset_count && status == CLI_OK; i++) {
        status = cli_check_match("bot check", bot->rulesets[i], NULL);
    }
    return status;
}

int
cli_bot_check(int argc, char **argv)
{
    struct checker checker = { .online = { .command = "bot check", .is_short_lived = true } };
    const char *ruleset = NULL;
    int64_t answer_s = 20;
    const struct cli_option options[] = {
        { "ruleset", CLI_TEXT, &ruleset, "NAME", "what it plays; several with commas", 0, 0 },
        { "only", CLI_TEXT, &checker.only, "WORD", "checks with this in their name", 0, 0 },
        { "timeout", CLI_NUMBER, &answer_s, "SECONDS", "how long an answer may take it (20)", 1,
          3600 },
    };
    const struct cli_usage usage = {
        .command = "bot check",
        .arguments = "COMMAND... | URL",
        .about =
            "Plays matches against a bot on a server of its own, and says what the bot did wrong:\n"
            "whole matches, other params, silence, a draw offer, a lost connection, a server that\n"
            "is restarted or slow, refused commands, frames that come twice or are unknown, turns\n"
            "that end without it, an opponent who resigns.  COMMAND is started for each match with "
            "--url URL\n"
            "--join MATCH, joins it, and ends with status 0 when it is over.  URL is the address "
            "of\n"
            "a web service.  Without --ruleset, COMMAND --rulesets prints the names of the "
            "rulesets\n"
            "that it plays, and a GET of URL returns them as {\"rulesets\":[...]}.\n"
            "\n"
            "  skirmish bot check python3 mine.py\n"
            "  skirmish bot check --ruleset halma -- skirmish bot --level random\n"
            "\n"
            "exit status: 0 nothing is wrong, 1 something is\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count == 0 || words.count > CHECKED_WORDS_MAX) {
        return cli_usage_error("bot check", "takes a command or an address", NULL);
    }
    checker.answer_ms = answer_s * 1000;
    checked_bot_init(&checker.bot, words.at, words.count, ruleset);
    status = check_rulesets(&checker.bot);
    if (status == CLI_OK) {
        status = play_on_own_server(&checker);
    }
    checked_bot_fini(&checker.bot);
    return status;
}
