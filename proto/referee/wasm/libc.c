/*
 * The C library of the WebAssembly module: the few functions that libskirmish
 * uses, so that the module needs no runtime and imports nothing.
 *
 * Memory: sizes are rounded up to one of four classes per power of two, and a
 * freed block is kept for the next of its class.  The module's memory only
 * grows; who is done with it drops the module.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT      16u /* the alignment of max_align_t, and the size of a block's head */
#define PAGE      65536u
#define SIZE_MAX_ (1u << 30)
#define CLASSES   128u

/* ---- bytes ------------------------------------------------------------------------------- */

/* With bulk memory operations the compiler makes one instruction of each of these three. */
void *
memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return __builtin_memcpy(to, from, size);
}

void *
memmove(void *to, const void *from, size_t size)
{
    return __builtin_memmove(to, from, size);
}

void *
memset(void *at, int byte, size_t size)
{
    return __builtin_memset(at, byte, size);
}

static uint64_t
word_at(const uint8_t *at)
{
    uint64_t word;

    __builtin_memcpy(&word, at, sizeof(word));
    return word;
}

int
memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a;
    const uint8_t *y = b;
    size_t i = 0;

    while (i + 8 <= size && word_at(x + i) == word_at(y + i)) {
        i += 8;
    }
    for (; i < size; i++) {
        if (x[i] != y[i]) {
            return x[i] - y[i];
        }
    }
    return 0;
}

void *
memchr(const void *at, int byte, size_t size)
{
    const uint8_t *bytes = at;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == (uint8_t)byte) {
            return (void *)(uintptr_t)(bytes + i);
        }
    }
    return NULL;
}

/* ---- texts ------------------------------------------------------------------------------- */

size_t
strlen(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
    }
    return length;
}

int
strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (uint8_t)*a - (uint8_t)*b;
}

char *
strchr(const char *text, int c)
{
    return memchr(text, c, strlen(text) + 1);
}

char *
strncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t i = 0;

    for (; i < size && from[i] != '\0'; i++) {
        to[i] = from[i];
    }
    memset(to + i, 0, size - i);
    return to;
}

/* ---- memory ------------------------------------------------------------------------------ */

struct block {
    uint32_t class;
    uint32_t size; /* bytes that the caller may use */
    struct block *next;
    uint32_t spare;
};

_Static_assert(sizeof(struct block) == UNIT, "what follows the head is aligned");

extern uint8_t __heap_base;

static struct block *freed[CLASSES];
static uintptr_t top; /* the first byte that was never used; 0 before the first call */

static uint32_t
class_of(size_t size, uint32_t *ret_units)
{
    uint32_t units = size == 0 ? 1 : (uint32_t)((size + UNIT - 1) / UNIT);
    uint32_t shift;
    uint32_t quarter;

    if (units < 8) {
        *ret_units = units;
        return units;
    }
    shift = 29u - (uint32_t)__builtin_clz(units);
    quarter = (units + (1u << shift) - 1) >> shift; /* 4 to 8 of them */
    *ret_units = quarter << shift;
    return 8 + 4 * (shift - 1) + (quarter - 4);
}

static struct block *
take_new(uint32_t size)
{
    uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    struct block *block;

    if (top == 0) {
        top = ((uintptr_t)&__heap_base + UNIT - 1) & ~(uintptr_t)(UNIT - 1);
    }
    if (size + UNIT > end - top &&
        __builtin_wasm_memory_grow(0, (size + UNIT - (end - top) + PAGE - 1) / PAGE) == SIZE_MAX) {
        return NULL;
    }
    block = (struct block *)top;
    top += UNIT + size;
    return block;
}

void *
malloc(size_t size)
{
    struct block *block;
    uint32_t class;
    uint32_t units;

    if (size > SIZE_MAX_) {
        return NULL;
    }
    class = class_of(size, &units);
    block = freed[class];
    if (block != NULL) {
        freed[class] = block->next;
        return block + 1;
    }
    block = take_new(units * UNIT);
    if (block == NULL) {
        return NULL;
    }
    *block = (struct block){ .class = class, .size = units * UNIT };
    return block + 1;
}

void
free(void *memory)
{
    struct block *block = memory;

    if (block != NULL) {
        block--;
        block->next = freed[block->class];
        freed[block->class] = block;
    }
}

void *
calloc(size_t count, size_t size)
{
    void *memory = size != 0 && count > SIZE_MAX_ / size ? NULL : malloc(count * size);

    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

void *
realloc(void *memory, size_t size)
{
    const struct block *block = memory;
    void *other;

    if (block != NULL && size <= block[-1].size) {
        return memory;
    }
    other = malloc(size);
    if (other != NULL && block != NULL) {
        memcpy(other, memory, block[-1].size);
        free(memory);
    }
    return other;
}

/* ---- sorting ----------------------------------------------------------------------------- */

static void
swap(uint8_t *a, uint8_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = a[i];

        a[i] = b[i];
        b[i] = byte;
    }
}

/* Moves the item at `root` down until no child is larger. */
static void
sift(uint8_t *items, size_t root, size_t count, size_t size,
     int (*compare)(const void *, const void *))
{
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) {
            child++;
        }
        if (compare(items + root * size, items + child * size) >= 0) {
            return;
        }
        swap(items + root * size, items + child * size, size);
        root = child;
    }
}

/* A heap: no input makes it slow. */
void
qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t i = count / 2; i > 0; i--) {
        sift(items, i - 1, count, size, compare);
    }
    for (size_t end = count; end > 1; end--) {
        swap(items, (uint8_t *)items + (end - 1) * size, size);
        sift(items, 0, end - 1, size, compare);
    }
}

/* ---- the end ----------------------------------------------------------------------------- */

/* The caller gets a RuntimeError, and must not use the module any more. */
void
abort(void)
{
    __builtin_trap();
}
