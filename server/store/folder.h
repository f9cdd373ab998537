/*
 * A name is on disk when its folder is.
 *
 * SQLite syncs the folder after it has made a file, but passes over it when
 * that fails: then everything in that file could be gone after a loss of
 * power.
 *
 * Owner:   nothing is kept.
 * Threads: any.
 */
#ifndef SK_STORE_FOLDER_H
#define SK_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that the file is in; false when its name is too long. */
bool folder_of(const char *path, char *ret_folder, size_t size);

/* Syncs the folder that the file is in. */
bool folder_sync(const char *path);

#endif /* SK_STORE_FOLDER_H */
