#include "server/host/room/park.h"

#include <stdlib.h>
#include <string.h>

struct parked {
    struct parked *next;
    uint64_t session;
    int64_t match; /* the match of its code */
    uint32_t length;
    char text[];
};

void
room_park(struct room *room, const struct session *session)
{
    const struct heard *heard = &room->host->heard;
    struct parked *parked = heap_memory(sizeof(*parked) + heard->text.length);
    struct parked **at = &room->parked;

    parked->session = session->number;
    parked->match = heard->match;
    parked->length = heard->text.length;
    memcpy(parked->text, heard->text.at, parked->length);
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = parked;
}

void
room_forget_parked(struct room *room)
{
    while (room->parked != NULL) {
        struct parked *parked = room->parked;

        room->parked = parked->next;
        free(parked);
    }
}

void
parked_handle(struct host *host, struct parked *list)
{
    while (list != NULL) {
        struct parked *parked = list;
        struct session *session = session_find(host, parked->session);

        list = parked->next;
        if (session != NULL) {
            host->handle(session,
                         &(struct heard){ { parked->text, parked->length }, parked->match });
        }
        free(parked);
    }
}

/* Takes the list first: a handler may park again. */
void
room_unpark(struct room *room, bool is_available)
{
    struct parked *list = room->parked;

    room->parked = NULL;
    room->is_refusing = !is_available;
    room_hold(room);
    parked_handle(room->host, list);
    room->is_refusing = false;
    room_let_go(room);
}
