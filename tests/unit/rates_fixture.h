/*
 * Limits of a few frames per second, and how many frames are accepted.
 */
#ifndef SK_TEST_RATES_FIXTURE_H
#define SK_TEST_RATES_FIXTURE_H

#include "host_fixture.h"

#define BURST      4
#define PER_SECOND 10

/* From now on, with every bucket full. */
static inline void
set_limits(struct table *table, int32_t account_factor, int32_t address_factor)
{
    struct host_options *options = &table->host->options;

    options->frames_burst = BURST;
    options->frames_per_second = PER_SECOND;
    options->account_factor = account_factor;
    options->address_factor = address_factor;
}

/* Sends pings and returns how many were accepted; the others must be refused with this message. */
static inline int
pongs(struct peer *peer, int count, const char *refusal)
{
    int heard = 0;

    forget(peer);
    for (int i = 0; i < count; i++) {
        say(peer, "{'type':'ping'}");
        if (find_frame(peer, "pong") != NULL) {
            heard++;
        } else {
            struct json_object *error = hear_error(peer, "rate_limited");

            cr_assert_not_null(strstr(word_of(error, "message"), refusal), "%s",
                               word_of(error, "message"));
        }
        forget(peer);
    }
    return heard;
}

#endif /* SK_TEST_RATES_FIXTURE_H */
