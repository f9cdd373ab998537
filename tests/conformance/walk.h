/*
 * walk - plays random matches of any version of any registered ruleset, and visits every turn.
 *
 * The suite uses only a ruleset's table, so a new ruleset is tested once it is registered.
 */
#ifndef SK_TEST_WALK_H
#define SK_TEST_WALK_H

#include "tests/support/cases.h"
#include "tests/support/table.h"
#include "tests/support/versions.h"

#define WALK_MATCHES \
    6                  /* half of them by players who mostly send legal commands, half by
                          * others */
#define WALK_TURNS 250 /* of one match, at most */

struct walk {
    struct table table;
    struct sk_rng rng;
    uint64_t seed; /* of the match */
    struct command_list lists[SK_SEATS_MAX];
    const struct command_list *pointers[SK_SEATS_MAX];
};

/* Plays matches; `visit` is called at each position with the commands drawn for it, before they are
 * resolved, and also at the last position. */
void walk_all(size_t ruleset, void (*visit)(struct walk *walk));

/* One test for each version of each registered ruleset; `index` is its place. */
#define FOR_EACH_RULESET(name) CASES_COUNTED(conformance, name, version_count())

#endif /* SK_TEST_WALK_H */
