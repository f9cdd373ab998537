/*
 * rated_file - the file of params that the operator wants to be rated.
 *
 * Owner:   the caller.
 * Threads: the loop's only.
 */
#ifndef SK_RATED_FILE_H
#define SK_RATED_FILE_H

#include <stdbool.h>

#include "server/host/host.h"
#include "server/server_limits.h"

/* Hands the file to the host; "" = no file, no such params.  On failure nothing changes. */
bool rated_file_apply(const char *path, struct host *host, char error[SERVER_ERROR_MAX + 1]);

#endif /* SK_RATED_FILE_H */
