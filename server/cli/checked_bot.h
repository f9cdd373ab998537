/*
 * checked_bot - the bot that `skirmish bot check` plays against: a command that is started for
 * each match, or a web service; and the rulesets that it plays.
 *
 * Owner:   the caller; checked_bot_fini ends the process and frees the names.
 * Threads: one.
 */
#ifndef SK_CLI_CHECKED_BOT_H
#define SK_CLI_CHECKED_BOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CHECKED_WORDS_MAX    64
#define CHECKED_RULESETS_MAX 32

struct checked_bot {
    const char *url; /* of a web service; NULL = it is a command */
    char *command[CHECKED_WORDS_MAX + 8];
    int command_words;
    pid_t process; /* 0 = it does not run */
    char *rulesets[CHECKED_RULESETS_MAX];
    uint32_t ruleset_count;
};

/* `rulesets`, separated by commas, are those that it plays; if NULL, the bot is asked. */
void checked_bot_init(struct checked_bot *bot, char **words, int count, const char *rulesets);
void checked_bot_fini(struct checked_bot *bot);

/* Starts the command to play this match; false: there is no process. */
bool checked_bot_start(struct checked_bot *bot, const char *url, int64_t match);

/* Whether the process has ended; if it has just done so, *ret_status is as from waitpid, else 0. */
bool checked_bot_has_ended(struct checked_bot *bot, int *ret_status);
void checked_bot_kill(struct checked_bot *bot);

#endif /* SK_CLI_CHECKED_BOT_H */
