/*
 * The results of a run: counts, times from the last command to the turn, and
 * what the server process used.
 */
#ifndef SK_BENCH_FIGURES_H
#define SK_BENCH_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/* Frames and bytes of one type that came. */
struct arrivals {
    uint64_t count;
    uint64_t bytes;
};

struct figures {
    uint64_t turns;       /* resolved: counted once a match */
    uint64_t submissions; /* acknowledged */
    uint64_t commands;    /* in them */
    uint64_t refused;     /* verdicts that were not ok */
    uint64_t matches;     /* that came to their end */
    uint64_t errors;      /* that a client did not expect */
    uint64_t losses;      /* of connections */
    uint64_t moves;       /* to another node */
    uint64_t bytes_out;   /* of submissions */
    struct arrivals accepted;
    struct arrivals ready;
    struct arrivals turn;
    uint32_t *delays_us; /* from a turn's last command to its arrival, both seats */
    uint32_t delay_count;
    uint32_t delay_capacity;
};

#define SLICES_MAX 1024

/* Turns, and the server's CPU time, until the end of each part of the time. */
struct slices {
    double seconds; /* of one; 0 = the time is not divided */
    int pid;
    uint64_t turns[SLICES_MAX];
    double cpu_s[SLICES_MAX];
    uint32_t count;
};

/* Ends the slices before this moment. */
void slices_note(struct slices *slices, double seconds_since_start, uint64_t turns);

void figures_add_delay(struct figures *figures, int64_t delay_us);

/* Sorts the delays if needed; 0 without any. */
double figures_delay_us(struct figures *figures, double share);

void figures_fini(struct figures *figures);

#define PROCESS_THREADS_MAX 16

/* Of a process, from /proc. */
struct process_use {
    double cpu_s;                             /* all threads, user and system */
    double thread_cpu_s[PROCESS_THREADS_MAX]; /* each, the oldest first */
    uint32_t thread_count;
    uint64_t written_bytes; /* that it caused to be sent to a disk */
    uint64_t rss_kib;
};

/* False when there is no such process. */
bool process_use_read(int pid, struct process_use *ret_use);

/* Of this process itself. */
double own_cpu_s(void);

int64_t now_us(void);

#endif /* SK_BENCH_FIGURES_H */
