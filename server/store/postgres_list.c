#include "server/store/postgres_list.h"

#include <arpa/inet.h>
#include <string.h>

#include "server/memory.h"

static void
list_add_bytes(struct postgres_list *list, const void *bytes, size_t size)
{
    if (list->used + size > list->capacity) {
        list->capacity = 2 * (list->used + size);
        list->at = heap_grow(list->at, list->capacity);
    }
    memcpy(list->at + list->used, bytes, size);
    list->used += size;
}

static void
list_add_32(struct postgres_list *list, uint32_t value)
{
    uint32_t ordered = htonl(value);

    list_add_bytes(list, &ordered, sizeof(ordered));
}

static void
list_add_64(struct postgres_list *list, uint64_t value)
{
    list_add_32(list, (uint32_t)(value >> 32));
    list_add_32(list, (uint32_t)value);
}

/* One dimension, perhaps with NULLs; the count is filled in at the end. */
void
postgres_list_init(struct postgres_list *list, uint32_t oid)
{
    *list = (struct postgres_list){ 0 };
    list_add_32(list, 1);
    list_add_32(list, 1);
    list_add_32(list, oid);
    list_add_32(list, 0);
    list_add_32(list, 1);
}

void
postgres_list_put_number(struct postgres_list *list, int64_t value)
{
    list->count++;
    list_add_32(list, 8);
    list_add_64(list, (uint64_t)value);
}

/* 4 bytes, or NULL. */
void
postgres_list_put_small(struct postgres_list *list, int32_t value, int32_t null_value)
{
    list->count++;
    if (value == null_value) {
        list_add_32(list, UINT32_MAX);
        return;
    }
    list_add_32(list, 4);
    list_add_32(list, (uint32_t)value);
}

/* NULL becomes SQL NULL. */
void
postgres_list_put_bytes(struct postgres_list *list, const void *bytes, size_t size)
{
    list->count++;
    if (bytes == NULL) {
        list_add_32(list, UINT32_MAX);
        return;
    }
    list_add_32(list, (uint32_t)size);
    list_add_bytes(list, bytes, size);
}

void
postgres_list_end(struct postgres_list *list)
{
    uint32_t ordered = htonl(list->count);

    memcpy(list->at + 12, &ordered, sizeof(ordered));
}
