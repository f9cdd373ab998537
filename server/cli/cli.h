/*
 * What the commands of `skirmish` share.  Each is one function and one row in the
 * table of main.c.
 */
#ifndef SK_CLI_H
#define SK_CLI_H

#include <stdbool.h>

#include "common/base/fault.h"

enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1, /* something failed, or does not hold */
    CLI_USAGE = 2,  /* the command line is wrong */
};

int cli_admin(int argc, char **argv);
int cli_resolve(int argc, char **argv);
int cli_rulesets(int argc, char **argv);
int cli_schema(int argc, char **argv);
int cli_params(int argc, char **argv);
int cli_arena(int argc, char **argv);
int cli_backup(int argc, char **argv);
int cli_bot_check(int argc, char **argv);
int cli_bot_new(int argc, char **argv);
int cli_bot_replay(int argc, char **argv);
int cli_connect(int argc, char **argv);
int cli_health(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_reset_token(int argc, char **argv);
int cli_bot(int argc, char **argv);
int cli_leaderboard(int argc, char **argv);
int cli_match(int argc, char **argv);
int cli_matches(int argc, char **argv);
int cli_play(int argc, char **argv);
int cli_player(int argc, char **argv);
int cli_migrate(int argc, char **argv);
int cli_prune(int argc, char **argv);
int cli_players(int argc, char **argv);
int cli_query(int argc, char **argv);
int cli_ratings(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_watch(int argc, char **argv);
int cli_what_if(int argc, char **argv);

/* `skirmish player forget`.  Without `is_meant` it only says what would be done. */
int cli_player_forget(const char *database, const char *name, bool is_meant);

/* Says what is wrong with the command line, and where help is. */
int cli_usage_error(const char *command, const char *message, const char *word);

/* Says what went wrong and, where the fault knows it, at which place; returns CLI_FAILED. */
int cli_fail(const char *command, const struct sk_fault *fault);

/* Ends the program's output: what could not be written is an error. */
int cli_finish(int exit_status);

#endif /* SK_CLI_H */
