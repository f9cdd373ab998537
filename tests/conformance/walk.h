/*
 * walk - random matches of any registered ruleset in any version, looked at turn by turn.
 *
 * The suite knows nothing of a ruleset but its table: a new one gets all of
 * it by being registered.
 */
#ifndef SK_TEST_WALK_H
#define SK_TEST_WALK_H

#include "tests/support/cases.h"
#include "tests/support/table.h"
#include "tests/support/versions.h"

#define WALK_MATCHES 6   /* half of them by orderly players, half by unruly ones */
#define WALK_TURNS   250 /* of one match at most */

struct walk {
    struct table table;
    struct sk_rng rng;
    uint64_t seed; /* of the match, to repeat it */
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *pointers[SK_SEATS_MAX];
};

/* Plays matches; `visit` sees each position with the commands drawn for it, before they are
 * resolved, and once more the last position with what was drawn for it too. */
void walk_all(size_t ruleset, void (*visit)(struct walk *walk));

/* One test for each version of each registered ruleset; `index` is its place. */
#define FOR_EACH_RULESET(name) CASES_COUNTED(conformance, name, version_count())

#endif /* SK_TEST_WALK_H */
