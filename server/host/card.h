/*
 * card - what programs that show links (chats, feeds) are told about a match:
 * Open Graph tags in the head of the page.
 *
 * Names are of players, who may call themselves anything: every value is
 * escaped, and cannot leave its quotes.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: any.
 */
#ifndef SK_HOST_CARD_H
#define SK_HOST_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CARD_BYTES_MAX 8191 /* four names and an address, all of it escaped */

struct card {
    char text[CARD_BYTES_MAX + 1];
    size_t used;
};

/* Adds a tag: og:NAME.  One that does not fit is left out. */
void card_tag(struct card *card, const char *name, const char *value);

/*
 * Adds title and description of the match, a JSON text of QUERY_CARD.  `turn` is
 * the one that the link shows, or negative.  Returns false, and adds nothing, if
 * the text is not what it should be.
 */
bool card_match(struct card *card, const char *json, size_t length, int64_t turn);

#endif /* SK_HOST_CARD_H */
