/*
 * skirmish player forget - erases a player's name and token.
 */
#ifndef SK_CLI_FORGET_H
#define SK_CLI_FORGET_H

#include <stdbool.h>

/* Returns an exit status.  Without `is_meant` it only says what would be done. */
int cli_player_forget(const char *database, const char *name, bool is_meant);

#endif /* SK_CLI_FORGET_H */
