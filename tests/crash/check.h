/*
 * check - everything acknowledged is in the database, and nothing that was
 * never sent.
 *
 * First the real store opens what is left and loads every match, which
 * verifies the chains.  Then the file is read with SQLite alone.
 *
 * Owner: the caller.
 */
#ifndef SK_CRASH_CHECK_H
#define SK_CRASH_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/crash/work.h"

/*
 * Returns true if the database in the folder is as after the first K steps of
 * the life, with K at least `acknowledged`.  `had_older`: the life began with
 * a database of an older program; then its copy must exist as soon as it was
 * changed.
 */
bool check_folder(const struct work *work, const char *folder, uint32_t acknowledged,
                  bool had_older, uint32_t *ret_steps);

#endif /* SK_CRASH_CHECK_H */
