/*
 * What choose.c and talk.c share: chance, and how bad the world is.
 */
#ifndef SK_SIM_CHOOSE_H
#define SK_SIM_CHOOSE_H

#include "tests/sim/sim.h"

/* How bad it is, in parts of a thousand where nothing else is said. */
struct taste {
    uint32_t op_count;
    uint32_t fail;      /* of transactions */
    uint32_t full;      /* weight of a store that takes no more */
    uint32_t crash;     /* weight */
    uint32_t drop;      /* weight of letting go */
    uint32_t down;      /* weight of reading */
    uint32_t hurry;     /* of waits that are long */
    uint32_t malformed; /* of frames */
};

struct chooser {
    struct sim *sim;
    struct taste taste;
};

uint32_t below(struct sim *sim, uint32_t bound);
bool happens(struct sim *sim, uint32_t of_thousand);
const char *one_of(struct sim *sim, const char *const *texts, size_t count);

#define ONE_OF(sim, texts) one_of(sim, texts, SK_COUNT_OF(texts))

/* A match that is stored, or rarely one that is not. */
int64_t any_match(struct sim *sim);

/* A client says something; false when the one that was drawn has nothing to say. */
bool talk(struct chooser *chooser);

#endif /* SK_SIM_CHOOSE_H */
