/*
 * The players of a load: two clients per game, who play match after match against each other and
 * reconnect when their connection breaks.
 *
 *   down -> connecting -> greeting -> idle -> asking -> playing -> idle ...
 *
 * A client with a seat that reconnects goes from greeting to resuming, and then to playing. It
 * sends again what was not answered, the same bytes with the same command_id.  A client whose
 * match has moved connects to the path of its node; if that fails, to any node.
 *
 * Owner:   the load; clients and games are in two arrays and point at each other.
 * Threads: one.
 */
#ifndef SK_BENCH_CLIENT_H
#define SK_BENCH_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/bench/load/commands.h"
#include "tests/bench/load/figures.h"
#include "tests/bench/load/journal.h"
#include "tests/bench/load/wire.h"

#define LOAD_SEATS     2
#define OTHERS_MAX     64u
#define TOKEN_MAX      128
#define COMMAND_ID_MAX 24
#define PATH_MAX_BYTES 200

enum client_phase {
    CLIENT_DOWN,
    CLIENT_CONNECTING,
    CLIENT_GREETING,
    CLIENT_IDLE,     /* greeted, and has no seat */
    CLIENT_ASKING,   /* for a match or a seat */
    CLIENT_RESUMING, /* what was missed is on its way */
    CLIENT_PLAYING
};

struct client {
    struct wire wire;
    struct load *load;
    struct game *game;
    int seat;
    enum client_phase phase;
    bool has_begun; /* has sat down at least once */
    bool has_seat;
    char token[TOKEN_MAX + 1];
    uint32_t number;
    uint32_t renamed;   /* how many names were taken */
    int64_t last_match; /* the one that it saw the end of */
    int64_t seq;        /* the last one seen of this match */
    int64_t retry_us;   /* when to go on with what could not be done; 0 = nothing waits */
    char path[PATH_MAX_BYTES + 1]; /* of the node; "/" = any */
    uint32_t moves;                /* in a row */
    uint64_t chance;
    uint32_t serial; /* of the last command_id */

    int64_t turn; /* that the submission is for; -1 = none yet */
    bool is_answered;
    uint32_t command_count;
    char command_id[COMMAND_ID_MAX + 1];
    char *submission;
    size_t submission_length;
};

struct game {
    int64_t match; /* 0 = not created */
    struct client *seats[LOAD_SEATS];
    uint32_t over_count;     /* clients that were told of the end */
    uint32_t played;         /* matches before this one */
    int64_t last_sent_us[2]; /* of the last command of a turn, by the turn's parity */
};

struct load_options {
    uint16_t port;
    uint32_t matches;
    double seconds;
    double warmup_seconds;
    double slice_seconds; /* the time is divided into so many; 0 = it is not */
    uint64_t turns;       /* measured at most; 0 = by time alone */
    int pid;
    int other_pids[OTHERS_MAX]; /* what the server consists of besides */
    uint32_t other_count;
    uint64_t seed;
    const char *journal;
    const char *params; /* JSON, or NULL for the default match */
    bool is_idle;       /* sit down and send nothing */
    uint32_t think_ms;  /* before a submission, at most */
    bool is_peaceful;   /* no attacks */
    bool finishes;      /* when the time is over, matches are played to their end */
};

struct load {
    struct load_options options;
    struct roster roster;
    struct journal journal;
    struct figures figures;
    struct wire_events events;
    int epoll;
    char prefix[16]; /* of the players' names: new for each run */
    struct client *clients;
    struct game *games;
    uint32_t client_count;
    uint32_t opening_count; /* connecting or greeting */
    uint32_t waiting_count; /* clients with a retry_us, or down */
    uint32_t begun_count;   /* clients that have sat down at least once */
    bool is_measuring;
    bool is_ending; /* no new matches */
};

bool load_init(struct load *load, const struct load_options *options);
void load_fini(struct load *load);

/* Handles the events of a client. */
void client_work(struct client *client, uint32_t what);

/* Connects clients that are down, and retries what waits. */
void load_tick(struct load *load);

#endif /* SK_BENCH_CLIENT_H */
