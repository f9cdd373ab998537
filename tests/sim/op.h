/*
 * Everything that can happen in a simulation, one line each.
 *
 * A run is a list of these and nothing else: what a seed draws is printed as
 * such lines when it fails, and the lines can be run again without the seed.
 * An op that means nothing where it stands (a connection that is not there)
 * does nothing, so lines can be left out until the shortest list that still
 * fails is left.
 *
 * Owner:   an op's text is the op's; ops_fini frees all.
 */
#ifndef SK_SIM_OP_H
#define SK_SIM_OP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The name, how many numbers follow it, and whether a text does. */
#define SIM_OPS(X)                                                                                \
    X(OP_OPTION, "option", 1, true)    /* VALUE NAME: of the host, before the first start */      \
    X(OP_DEVICE, "device", 2, false)   /* D P: device D plays as the player of device P */        \
    X(OP_CONNECT, "connect", 2, false) /* D S: a connection in slot S */                          \
    X(OP_DROP, "drop", 1, false)       /* D: the client is gone; the server has not noticed */    \
    X(OP_GONE, "gone", 1, false)       /* C: the server notices, or has closed */                 \
    X(OP_SEND, "send", 1, true)        /* D TEXT: into the connection of the device */            \
    X(OP_UP, "up", 1, false)           /* C: the server gets the next message */                  \
    X(OP_DOWN, "down", 2, false)       /* C N: the client gets up to N messages */                \
    X(OP_WORK, "work", 1, false)       /* N: the store commits up to N jobs in a transaction */   \
    X(OP_FAIL, "fail", 1, false)       /* N: the same, but it is rolled back */                   \
    X(OP_DELIVER, "deliver", 1, false) /* N: up to N jobs come back to the host */                \
    X(OP_PIECE, "piece", 1, false)     /* N pieces of long work are done */                       \
    X(OP_FULL, "full", 1, false)       /* N: the store refuses the next N jobs */                 \
    X(OP_TIME, "time", 1, false)       /* MS pass */                                              \
    X(OP_WALL, "wall", 1, false)       /* MS: the wall clock is set */                            \
    X(OP_CRASH, "crash", 2, false)   /* MS B: the process dies; MS later it starts (B: reboot) */ \
    X(OP_STOP, "stop", 1, false)     /* MS: it drains, and starts again after that */             \
    X(OP_ANSWER, "answer", 2, false) /* N H: a bot answers its question N, well or not */         \
    X(OP_HTTP, "http", 1, true)      /* D PATH: with the token of the device */                   \
    X(OP_CORRUPT, "corrupt", 1, false) /* M: what is stored of match M is no longer readable */   \
    X(OP_STALL, "stall", 1, false)     /* MS pass in which no beat is stored (many nodes) */      \
    X(OP_AWAY, "away", 2, false)       /* M H: this node is declared dead, another takes M */     \
    X(OP_BACK, "back", 1, false)       /* M: that node dies, too */                               \
    X(OP_BREAK, "break", 1, false)     /* M: and nothing can be appended to it */                 \
    X(OP_SETTLE, "settle", 0, false)   /* everything under way is finished */

#define SIM_OP_NUMBER(number, name, numbers, has_text) number,
enum op_kind {
    SIM_OPS(SIM_OP_NUMBER) OP_COUNT
};
#undef SIM_OP_NUMBER

struct op {
    enum op_kind kind;
    int64_t a;
    int64_t b;
    char *text; /* NULL where there is none */
};

struct ops {
    struct op *at;
    uint32_t count;
    uint32_t capacity;
};

/* Takes ownership of the op's text. */
void ops_add(struct ops *ops, struct op op);
void ops_fini(struct ops *ops);

void op_print(FILE *file, const struct op *op);

/* Returns false if the line is not an op.  Empty lines and lines that begin with # are skipped. */
bool ops_read(FILE *file, struct ops *ops, uint32_t *ret_line);

#endif /* SK_SIM_OP_H */
