/*
 * What skirmish player does beside listing.
 */
#ifndef SK_CLI_KEEPING_H
#define SK_CLI_KEEPING_H

#include <stdbool.h>

/* Returns an exit status.  Without `is_meant` it only says what would be done. */
int cli_player_forget(const char *database, const char *name, bool is_meant);

#endif /* SK_CLI_KEEPING_H */
