/*
 * Views and hints of a seat as JSON.
 *
 * Owner:   the caller frees what is said to be on the heap.
 */
#ifndef SK_HOST_ROOM_VIEWS_H
#define SK_HOST_ROOM_VIEWS_H

#include "common/base/hash.h"
#include "proto/turn_write.h"
#include "server/host/room/room.h"

/* A view as JSON. Most rulesets hide nothing, so the next audience's text is copied from it.
 * The hash is that of the text: a client can compute it, and it reveals nothing beyond the view. */
struct view_text {
    struct sk_view_text it;
    void *seen; /* what `it` points to */
    char *text;
    struct sk_hash_start hashed; /* of what the next text has in common with it */
    char hash[FRAME_HASH_DIGITS + 1];
};

/* `view` is zeroed, or another seat's view of the same state. */
void room_view_next(struct room *room, uint8_t seat, struct view_text *view);
void view_fini(struct view_text *view);

char *room_view_text(struct room *room, uint8_t seat);     /* on the heap */
char *room_hints_text(struct room *room, uint8_t seat);    /* on the heap */
struct sk_text room_shown_params(const struct room *room); /* owned by the room */

#endif /* SK_HOST_ROOM_VIEWS_H */
