/*
 * state_path - the default location of the database and the tokens, for both
 * programs.
 *
 * The folder is $STATE_DIRECTORY (set by systemd), else skirmish in
 * $XDG_STATE_HOME, else .local/state/skirmish in $HOME, else /var/lib/skirmish.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: any; reads the environment.
 */
#ifndef SK_STATE_PATH_H
#define SK_STATE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define STATE_FOLDER_SERVICE "/var/lib/skirmish" /* as in deploy/skirmishd.service */
#define STATE_DATABASE       "skirmish.db"

/* All return false, with `*ret_path` untouched, if the path does not fit into `size`. */
bool state_path(const char *name, char *ret_path, size_t size);

/* $SKIRMISH_DATABASE, else STATE_DATABASE in the folder. */
bool state_database(char *ret_path, size_t size);

/* The admin socket beside a database; for one that is not a file, in the folder. */
bool state_admin_socket(const char *database, char *ret_path, size_t size);

/* Creates the missing folders above `path`, for this user only, if they are those of state_path. */
void state_make_folders(const char *path);

#endif /* SK_STATE_PATH_H */
