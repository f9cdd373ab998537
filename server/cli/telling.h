/*
 * telling - one moment of a stored match as text or JSON: what pages and
 * what-if are made of.
 *
 * Owner:   the caller; telling_close frees.
 */
#ifndef SK_CLI_TELLING_H
#define SK_CLI_TELLING_H

#include "server/cli/pages.h"
#include "server/cli/screen.h"
#include "server/replay/moments.h"

struct telling {
    const struct store_job *job;
    enum pages_form form;
    struct moments moments;
    struct screen screen; /* what was told stands there */
};

/* False with a fault when the match cannot be played. */
bool telling_open(struct telling *telling, const struct store_job *job, uint8_t audience,
                  enum pages_form form, struct sk_fault *ret_fault);
void telling_close(struct telling *telling);

/* Tells a state and the turn that led to it, or NULL, in telling->screen. */
void telling_tell(struct telling *telling, const struct sk_state *state,
                  const struct sk_turn *turn);

#endif /* SK_CLI_TELLING_H */
