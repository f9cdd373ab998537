/*
 * Answers for the load's clients without reading JSON and without rules. Every frame is a prepared
 * text into which a few numbers are written, padded to the mean length of the daemon's frames, so
 * that as many bytes are sent.
 *
 * It tracks the players and the turn of each match. Jobs that must be stored first are passed to
 * `store` and answered when canned_stored is called.
 *
 * Owner:   the server; clients and matches are never freed, because a run is short.
 * Threads: one.
 */
#ifndef SK_BENCH_CANNED_H
#define SK_BENCH_CANNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Mean lengths of the daemon's frames and records, and how long its matches are. */
struct canned_options {
    uint32_t accepted_bytes;
    uint32_t ready_bytes;
    uint32_t turn_bytes;
    uint32_t submission_record_bytes;
    uint32_t turn_record_bytes;
    uint32_t match_turns;
    double commands;    /* of one submission: as many units are shown to a seat */
    bool is_plain_file; /* records are appended to a file instead of a database */
};

/* Reads --accepted-bytes N and so on; exits with a message on an error. */
void canned_options_read(int argc, char **argv, struct canned_options *ret_options, int *ret_port,
                         const char **ret_database);

#define CANNED_SEATS          2
#define CANNED_COMMAND_ID_MAX 24

struct canned_client {
    void *connection; /* NULL = gone */
    struct canned_match *match;
    int seat;
};

struct canned_match {
    struct canned_match *next; /* that waits for a second player */
    int64_t id;
    int64_t seq;        /* of the last frame shown */
    int64_t record_seq; /* of the last record handed over */
    int64_t turn;
    uint32_t submitted; /* seats, as bits */
    struct canned_client *seats[CANNED_SEATS];
};

enum canned_kind {
    CANNED_CREATED,
    CANNED_JOINED,
    CANNED_SUBMISSION,
    CANNED_TURN,
    CANNED_ENDED
};

/* Something to be stored. */
struct canned_job {
    struct canned_job *next;
    enum canned_kind kind;
    struct canned_match *match;
    int seat;
    int64_t seq;
    int64_t turn;
    char command_id[CANNED_COMMAND_ID_MAX + 1];
    size_t body_length;
    char body[];
};

#define CANNED_HOLES_MAX 6

/* A prepared frame; numbers are written into its gaps. */
struct canned_template {
    char *text;
    size_t length;
    size_t holes[CANNED_HOLES_MAX];
    uint32_t hole_count;
};

struct canned_server {
    struct canned_options options;
    void (*send)(void *connection, const char *text, size_t length);
    void (*store)(struct canned_job *job); /* owns it until canned_stored */
    struct canned_match *waiting;
    int64_t last_match;
    int64_t last_player;
    struct canned_template turn[2]; /* with fewer and with more units */
    struct canned_template last[2]; /* likewise, of a match's last turn */
    struct canned_template seated[2];
    char *filler;
};

void canned_init(struct canned_server *server, const struct canned_options *options,
                 void (*send)(void *connection, const char *text, size_t length),
                 void (*store)(struct canned_job *job));

/* One message of a client. */
void canned_message(struct canned_server *server, struct canned_client *client, const char *text,
                    size_t length);

/* The job is stored: answers, and frees it. */
void canned_stored(struct canned_server *server, struct canned_job *job);

#endif /* SK_BENCH_CANNED_H */
