/*
 * state_path - where both programs keep what nobody named a place for: the
 * database and the tokens.
 *
 * The folder is $STATE_DIRECTORY (systemd sets it), else skirmish in
 * $XDG_STATE_HOME, else .local/state/skirmish in $HOME, else /var/lib/skirmish.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: none of its own; it reads the environment.
 */
#ifndef SK_STATE_PATH_H
#define SK_STATE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define STATE_FOLDER_SERVICE "/var/lib/skirmish" /* of deploy/skirmishd.service */
#define STATE_DATABASE       "skirmish.db"

/* All return false, with `*ret_path` untouched, when the path is longer than `size` allows. */
bool state_path(const char *name, char *ret_path, size_t size);

/* $SKIRMISH_DATABASE, else STATE_DATABASE in the folder. */
bool state_database(char *ret_path, size_t size);

/* Makes the missing folders above `path`, for this user only, if they are those of state_path. */
void state_make_folders(const char *path);

#endif /* SK_STATE_PATH_H */
