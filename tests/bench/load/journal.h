/*
 * The journal: one line per event of a client, in order, to be compared with the store.
 *
 *   KIND TIME_US TOKEN MATCH SEAT TURN SEQ COMMAND_ID HASH
 *
 *   hello a new player; TOKEN identifies it in later lines
 *   seat       the client sits on SEAT of MATCH
 *   sent       a submission is about to be sent
 *   accepted   it was acknowledged
 *   refused it was not; HASH has the error code
 *   turn       a turn was shown, with its number, seq and the hash of the view
 *   over       the match's end was shown; HASH is the head of the chain
 *   lost       the connection broke
 *   back       it is there again and, if it played, the match was resumed
 *
 * A missing value is `-`. TIME_US is CLOCK_MONOTONIC. Lines are passed to the kernel before the
 * client does anything else, so they survive a killed load and a killed daemon.
 */
#ifndef SK_BENCH_JOURNAL_H
#define SK_BENCH_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

struct journal {
    int file; /* -1 = none is kept */
};

/* The values of a line. A text that is NULL or empty, or a match of 0, is missing. */
struct journal_line {
    const char *kind;
    const char *token;
    int64_t match;
    int seat;     /* -1 = none */
    int64_t turn; /* -1 = none */
    int64_t seq;  /* -1 = none */
    const char *command_id;
    const char *hash;
};

/* NULL = no journal. Appends to an existing file. */
bool journal_open(struct journal *journal, const char *path);
void journal_close(struct journal *journal);

void journal_add(const struct journal *journal, int64_t now_us, const struct journal_line *line);

#endif /* SK_BENCH_JOURNAL_H */
