/*
 * check - is everything that was acknowledged in the database, and nothing
 * that was never sent?
 *
 * First the real store has to open what is left and to load every match,
 * which verifies the chains.  Then the file is read with SQLite alone.
 *
 * Owner: the caller.
 */
#ifndef SK_CRASH_CHECK_H
#define SK_CRASH_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/crash/work.h"

/*
 * True when the database in the folder is as after the first K steps of the
 * life, K at least `acknowledged`.  `had_older` says that the life began
 * with a database of an older program: then its copy must be there as soon
 * as it is no longer as it was.
 */
bool check_folder(const struct work *work, const char *folder, uint32_t acknowledged,
                  bool had_older, uint32_t *ret_steps);

#endif /* SK_CRASH_CHECK_H */
