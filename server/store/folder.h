/*
 * Syncs the folder of a file: a new file's name is on disk only then.
 *
 * SQLite syncs the folder after creating a file but ignores a failure, which
 * could lose the whole file on power loss.
 *
 * Owner:   nothing is kept.
 * Threads: any.
 */
#ifndef SK_STORE_FOLDER_H
#define SK_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of a file; false if its name is too long. */
bool folder_of(const char *path, char *ret_folder, size_t size);

/* Syncs the folder of a file. */
bool folder_sync(const char *path);

#endif /* SK_STORE_FOLDER_H */
