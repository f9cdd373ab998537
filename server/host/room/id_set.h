/*
 * id_set - the command ids that a match has used, each as its key.
 *
 * Every submission looks its id up, so the cost must not depend on the length
 * of the match.  Two ids may have the same key: then the store, which has the
 * ids themselves, is asked.
 *
 * Owner:   the room; all zeros is empty.
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ROOM_ID_SET_H
#define SK_HOST_ROOM_ID_SET_H

#include <stdbool.h>
#include <stdint.h>

struct id_set {
    uint64_t *places; /* open addressing; 0 = free */
    uint32_t size;    /* a power of two, or 0 */
    uint32_t count;
};

void id_set_fini(struct id_set *set);
bool id_set_has(const struct id_set *set, uint64_t key);
void id_set_add(struct id_set *set, uint64_t key);
void id_set_remove(struct id_set *set, uint64_t key);

#endif /* SK_HOST_ROOM_ID_SET_H */
