/*
 * Random commands of one seat of a default tactics match, from the view in a
 * frame: every unit moves or attacks within its patterns, on the board and, for moves, to a free
 * cell. Most get `ok`.
 *
 * Owner:   struct roster is the caller's and does not change once made.
 */
#ifndef SK_BENCH_COMMANDS_H
#define SK_BENCH_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/bench/load/text.h"

#define ROSTER_MODELS_MAX  16
#define ROSTER_OFFSETS_MAX 64

struct reach {
    uint32_t count;
    int8_t dx[ROSTER_OFFSETS_MAX];
    int8_t dy[ROSTER_OFFSETS_MAX];
};

struct roster_model {
    char name[32];
    struct reach move;
    struct reach attack;
};

struct roster {
    uint32_t count;
    int32_t rows;
    int32_t cols;
    struct roster_model models[ROSTER_MODELS_MAX];
};

/* From the ruleset's default params; false if they do not fit. */
bool roster_init(struct roster *roster);

/* xorshift: each client has its own, so that a run's commands depend on its seed alone. */
uint32_t random_next(uint64_t *chance);

/* Commands as a JSON list. */
struct commands {
    uint32_t count;
    size_t length;
    char text[2048];
};

/* `view` begins at the view's members.  Without attacks nobody dies and a match is long. */
void commands_make(const struct roster *roster, struct piece view, int seat, bool attacks,
                   uint64_t *chance, struct commands *ret_commands);

#endif /* SK_BENCH_COMMANDS_H */
