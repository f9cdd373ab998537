/*
 * The whole server except sockets and disk, in one thread, with a simulated
 * clock, transport and store.
 *
 *   op.c       what can happen, one op per line
 *   choose.c   draws the next op from the seed, by a story (story.c) and its scenes (scene.c);
 *              talk.c draws the frames of clients
 *   world.c    executes ops: clock, transport, start and crash of the host; finish.c ends a run
 *   store.c    a store in memory, which fails and loses what it did not commit; its records
 *   nodes.c    other nodes that share the database with the host
 *   http.c     requests
 *   bots.c     bots that answer late, wrong, or not at all
 *   device.c   a client: remembers what a client would, and checks the frames it gets
 *   check.c    what must hold after every step: the host's state, clocks, the end
 *   twin.c     a second copy of every match, built from stored records only
 *   told.c     whether each frame may be sent, given what the store has committed
 *   main.c     seeds, fixtures, and the shortest list of ops that still fails
 *
 * Devices are clients: each has a memory that outlives its connections.
 * Devices of one player share its token.
 *
 * Owner:   main.c; everything belongs to struct sim.
 */
#ifndef SK_SIM_H
#define SK_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/rng.h"
#include "common/core/registry.h"
#include "server/host/bot_port.h"
#include "tests/sim/op.h"
#include "tests/sim/scan.h"
#include "tests/sim/store.h"
#include "tests/support/look.h"

#define SIM_DEVICES     8
#define SIM_SLOTS       4 /* connections of a device that the server may still have */
#define SIM_CONNECTIONS (SIM_DEVICES * SIM_SLOTS)
#define SIM_ASKED       64
#define SIM_REQUESTS    4
#define SIM_ASKS        8
#define SIM_TOKEN       64

/* ---- promises ---------------------------------------------------------------------------- */

/* The promises; a failure is named after the one that was broken. */
#define SIM_PROMISES(X)                                                                          \
    X(PROMISE_STORED_FIRST, "stored_first") /* nothing is sent that is not committed */          \
    X(PROMISE_SEQ, "seq")                   /* no number twice, none missing, over resume too */ \
    X(PROMISE_COMMAND_ID, "command_id")     /* one id, one effect, the same answer again */      \
    X(PROMISE_COMMANDS, "commands")         /* a turn uses exactly what was accepted for it */   \
    X(PROMISE_CLOCK, "clock")               /* runs only for seats that owe; not while down */   \
    X(PROMISE_CLOSES, "closes")             /* a turn that waits for nobody is closed */         \
    X(PROMISE_ENDS, "ends")                 /* every match ends with a reason */                 \
    X(PROMISE_OUTBOX, "outbox")             /* bounded; slow readers are closed */               \
    X(PROMISE_HORIZON, "horizon")           /* spectators see no further than they may */        \
    X(PROMISE_SESSIONS, "sessions")         /* all sessions of a player get the same */          \
    X(PROMISE_ANSWERS, "answers")           /* one answer to each frame, of the right type */    \
    X(PROMISE_STORE, "store")               /* jobs for the store are valid */                   \
    X(PROMISE_REST, "rest")                 /* nothing repeats for ever by itself */             \
    X(PROMISE_QUARANTINE, "quarantine")     /* corrupt matches are quarantined, no others */     \
    X(PROMISE_OFFERS, "offers")             /* draws are what is offered and agreed to */        \
    X(PROMISE_TWIN, "twin")                 /* a match equals what its stored records give */

#define SIM_PROMISE_NUMBER(number, name) number,
enum promise {
    SIM_PROMISES(SIM_PROMISE_NUMBER) PROMISE_COUNT
};
#undef SIM_PROMISE_NUMBER

#define SIM_EXIT_BROKEN 64 /* + promise: the exit status after a broken one */

struct sim;

/* Prints the fault, the seed and the last ops, and ends the process. */
void sim_broken(struct sim *sim, enum promise promise, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/* ---- devices ----------------------------------------------------------------------------- */

/* A frame that waits for its answer. */
struct asked {
    char id[16];
    char type[16];
    int64_t match;
    int32_t seq;       /* of a resume, ... */
    bool is_told;      /* ... and whether the frame after it has come */
    bool may_follow;   /* when it was sent */
    uint64_t commands; /* of a submission: their hash */
    uint32_t failed;   /* jobs that had failed by then */
};

/* What a client knows about a match. */
struct known_match {
    bool is_known;
    int32_t last_seq; /* the last one it has; outlives connections */
    int32_t next_seq; /* the next one on this connection, or 0: it may be any */
    bool follows;     /* on this connection */
    int seat;         /* -1: a spectator */
    bool has_seat;    /* the server said so; unknown after resuming a new match */
    int32_t turn;
    bool is_unsure; /* whether it follows on this connection */
    bool is_running;
    bool is_over;
    char *hints; /* the commands that the last `hints` named */
    int32_t hints_turn;
};

struct device {
    int partner; /* whose token it uses; itself: its own */
    bool has_token;
    char token[SIM_TOKEN + 1];
    int64_t player; /* the player of its token, if known; else 0 */
    int connection; /* or -1 */
    bool is_greeted;
    bool is_queued; /* the server said so, and sent no match since */
    struct asked asked[SIM_ASKED];
    uint32_t asked_count;
    struct known_match matches[STORE_MATCHES_MAX + 1];

    /* What the chooser keeps. */
    uint32_t ids;      /* of frames */
    uint32_t commands; /* of submissions */
    uint32_t names;
    char *last_submit; /* the last one sent, to be sent again */
};

/* Notes a frame when it is sent. */
void device_sent(struct sim *sim, struct device *device, struct sk_text frame);

/* A message has arrived. */
/* Is a resume of that match not answered yet? */
bool device_is_resuming(const struct device *device, int64_t match);
void device_receive(struct sim *sim, struct device *device, struct sk_text frame);

/* The connection is gone, with all that waited on it. */
void device_disconnected(struct device *device);
void device_fini(struct device *device);

/* The number of its connection in that slot. */
int connection_of(int device, int slot);

const struct asked *device_asked(const struct device *device, const char *id);

/* Frames of this type may be answered by `moved`. */
bool device_names_match(const char *type);

/* Does the record hold the commands that were sent? */
bool device_sent_these(const struct asked *asked, struct sk_text body);

/* ---- connections ------------------------------------------------------------------------- */

struct sent {
    struct sent *next;
    char *text;
};

struct connection {
    struct session *session; /* NULL: there is none */
    int device;              /* its device, or -1: the client has disconnected */
    int64_t since_ms;
    bool is_closing;  /* the host wants it closed */
    uint32_t checked; /* messages in the outbox that were checked */
    struct sent *up;  /* under way to the server */
};

/* ---- the whole --------------------------------------------------------------------------- */

/* Time used by each seat in the open turn, computed independently of the host. */
struct thinking {
    uint32_t start; /* the first turn of the process: earlier time is not known exactly */
    uint32_t turn;
    int64_t sure_ms[SK_SEATS_MAX];
    int64_t unsure_ms[SK_SEATS_MAX]; /* while a job was in the store */
    int64_t overdue_ms;              /* since when something is due in the room, or 0 */
};

/* What a seat had left when the process died. */
struct remembered_clock {
    bool is_there;
    bool is_moving; /* the room of before may still be there */
    uint32_t turn;
    int64_t left_ms[SK_SEATS_MAX];
    bool is_thinking[SK_SEATS_MAX];
    int64_t slack_ms; /* by which the store was late */
    int64_t since_beat_ms;
};

/* A numbered frame as the first of its audience got it, except for what changes with time. */
struct told {
    struct told *next;
    int64_t match;
    int32_t seq;
    uint8_t audience;
    char *text;
};

/* A submission that was accepted for the first time in this step, and who got `accepted`. */
struct accepted {
    int64_t match;
    uint8_t seat;
    uint32_t connections; /* as bits */
};

_Static_assert(SIM_CONNECTIONS <= 32, "one bit each");

#define SIM_ACCEPTED 16

/* Questions to bots that wait for their answer. */
struct sim_bots {
    struct bot_port port; /* first */
    struct bot_ask *asks[SIM_ASKS];
    uint32_t count;
};

struct sim {
    uint64_t seed;
    struct ops ops; /* that were done */
    bool is_traced; /* printed as they are done */
    struct sk_rng chance;
    struct sk_rng secrets;
    struct host_options options;
    uint64_t digest; /* of everything sent and stored */
    struct fake_store store;
    struct sim_bots bots;
    struct transport transport;
    struct host *host;
    bool is_dying; /* the process is dead: effects of the host are ignored */
    int64_t now_ms;
    int64_t wall_ms;
    int64_t next_tick_ms;
    int64_t skew_ms; /* by how much the wall clock was set */
    uint32_t starts;
    struct connection connections[SIM_CONNECTIONS];
    struct device devices[SIM_DEVICES];
    int device_count;
    struct thinking thinking[STORE_MATCHES_MAX + 1];
    struct remembered_clock clocks[STORE_MATCHES_MAX + 1];
    struct told *told[256];
    struct told *answers;                        /* verdicts of each command_id */
    char delivered_id[FRAME_COMMAND_ID_MAX + 1]; /* of the submission that is just coming back */
    struct accepted accepted[SIM_ACCEPTED];
    uint32_t accepted_count;
    bool has_nodes; /* draws a run in which nodes die */
    struct http_request requests[SIM_REQUESTS];
    bool is_asking[SIM_REQUESTS];
    bool is_finishing;
};

/* ---- world.c ----------------------------------------------------------------------------- */

void sim_init(struct sim *sim, uint64_t seed);
void sim_fini(struct sim *sim);

/* Executes an op, checks everything and logs it.  Takes ownership of the op's text. */
void sim_do(struct sim *sim, struct op op);

/* Parts of that, for the end. */
void sim_connect_device(struct sim *sim, int number, int slot);
void sim_end_connection(struct sim *sim, struct connection *connection);
void sim_send_text(struct sim *sim, int number, const char *text);
void sim_pass_time(struct sim *sim, int64_t ms);
void sim_work_off(struct sim *sim); /* all jobs */
void sim_settle(struct sim *sim);

/* No more faults: all work is finished, time passes, every match ends. */
void sim_finish(struct sim *sim);

/* ---- http.c ------------------------------------------------------------------------------ */

void sim_ask_http(struct sim *sim, int device, const char *path);
void sim_end_request(struct sim *sim, int number);

/* ---- nodes.c ----------------------------------------------------------------------------- */

void sim_move(struct sim *sim, const struct op *op); /* OP_AWAY, OP_BACK */
void sim_beat_for(struct sim *sim, int64_t ms);      /* the beats of this time are stored */

/* ---- bots.c ------------------------------------------------------------------------------ */

void sim_bots_init(struct sim_bots *bots);

/* Answers the question of that number; `how` says how well. */
void sim_bots_answer(struct sim *sim, int64_t number, int64_t how);

/* Answers all of them with no commands. */
void sim_bots_answer_all(struct sim *sim);
void sim_bots_lose(struct sim_bots *bots); /* the process dies */

/* Where the ops are left when a promise is broken, or NULL. */
extern const char *sim_ops_path;
void sim_leave_ops(const struct sim *sim);

/* ---- check.c ----------------------------------------------------------------------------- */

/* Checks what the host has sent since the last time, and its state. */
void check_step(struct sim *sim);

/* Whether the match waits for the seat.  Then its clock runs; in a cycle it always does. */
bool check_thinks(const struct room_look *room, const struct stored_match *match, uint8_t seat);

/* Nothing is under way: every client has everything it should have. */
void check_settled(struct sim *sim);

/* The host hands a job over: checks what it says about clocks. */
void sim_handed_over(struct sim *sim, const struct store_job *job);

/* A process begins. */
void check_forget_clocks(struct sim *sim);

/* Time passes; called before it does. */
void check_think(struct sim *sim, int64_t ms);

/* The process dies now. */
void check_remember_clocks(struct sim *sim);

/* Its matches go to other nodes now, which it does not know yet. */
void check_remember_move(struct sim *sim);

/* ---- twin.c ------------------------------------------------------------------------------ */

/* Compares a live match with its twin, if nothing of it is under way. */
void check_twin(struct sim *sim, int64_t id);
void twins_fini(void);

/* ---- told.c ------------------------------------------------------------------------------ */

/* A message was put into the outbox of a connection. */
void check_told(struct sim *sim, struct connection *connection, struct sk_text frame);

/* Numbered frames of the match that this audience may have by now. */
int32_t told_visible(const struct stored_match *match, bool is_spectator);

/* The seat whose offer is open after that number, or -1. */
int64_t told_offer(const struct stored_match *match, int32_t seq);

/* Called after all messages of a step were checked. */
void check_accepted(struct sim *sim);
void told_fini(struct sim *sim);

/* Adds what is sent or stored to the run's digest. */
void sim_note(struct sim *sim, const void *bytes, size_t size);

/* ---- choose.c ---------------------------------------------------------------------------- */

/* Draws a whole run and executes it. */
void choose_run(struct sim *sim);

#endif /* SK_SIM_H */
