/*
 * PROTOCOL.md for tests: the parts generated from the tables of the frames, and
 * the examples.
 *
 *   <!-- generated: client submit -->      up to <!-- end -->: a frame's table; also
 *   <!-- generated: server turn -->        "client frames", "server frames", "object clock",
 *                                          "errors" and "limits"
 *
 *   <!-- client: submit -->                the fenced JSON after it is an example of that frame
 *   <!-- server alice: turn -->            the same in the conversation: what alice gets
 *
 * Owner:   examples point into the text.
 */
#ifndef SK_TEST_PROTOCOL_H
#define SK_TEST_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/words.h"

/* Appends the text with every generated part regenerated.  An unknown part ends the program. */
void protocol_fill(const char *text, struct words *words);

struct protocol_example {
    bool is_client;
    char player[16]; /* "" outside the conversation */
    char frame[32];
    const char *json;
    size_t length;
};

/* Finds the next example at or after *text and moves *text past it; false = no more.  A marker
 * without an example ends the program. */
bool protocol_next_example(const char **text, struct protocol_example *ret_example);

#endif /* SK_TEST_PROTOCOL_H */
