/*
 * The lines of the admin socket: one request, one answer, JSON each.
 *
 * Described by member tables like everything else that is JSON, so the tool
 * and the daemon cannot disagree.  Both have the same version: this format is
 * internal, `skirmish admin` is the interface.
 *
 * Owner:   what was read points into the arena it was read with.
 */
#ifndef SK_ADMIN_LINES_H
#define SK_ADMIN_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/core/schema.h"

#define ADMIN_LINE_MAX   4096 /* bytes of a request */
#define ADMIN_REASON_MAX 64   /* FRAME_REASON_MAX: players get it */
#define ADMIN_HOURS_MAX  876000

#define ADMIN_ADDRESS_MAX 47 /* RATE_ADDRESS_MAX */

/* Words of the wire and of admin_log; the enum comes from here. */
#define ADMIN_COMMANDS(X)         \
    X(ADMIN_ROOMS, "rooms")       \
    X(ADMIN_WHO, "who")           \
    X(ADMIN_END, "end")           \
    X(ADMIN_KICK, "kick")         \
    X(ADMIN_BAN, "ban")           \
    X(ADMIN_UNBAN, "unban")       \
    X(ADMIN_ANNOUNCE, "announce") \
    X(ADMIN_DRAIN, "drain")       \
    X(ADMIN_UNDRAIN, "undrain")   \
    X(ADMIN_FORGET, "forget")

#define ADMIN_NUMBER(number, word) number,
enum admin_command {
    ADMIN_COMMANDS(ADMIN_NUMBER) ADMIN_COMMAND_COUNT
};
#undef ADMIN_NUMBER

extern const char *const sk_admin_commands[ADMIN_COMMAND_COUNT];

/* The host checks which of these a command needs. */
struct admin_request_line {
    uint8_t command;
    bool has_match;
    int64_t match;
    bool has_seat;
    int32_t seat;
    struct sk_text player; /* a name */
    struct sk_text reason; /* sent to the players concerned */
    struct sk_text text;
    int32_t hours; /* 0 = for ever */
};

struct admin_room_line {
    int64_t match;
    struct sk_text ruleset;
    struct sk_text status;
    int32_t turn;
    struct sk_text players;
    int32_t here; /* seats whose player is connected */
    int32_t watching;
};

/* A connection that has said hello. */
struct admin_person_line {
    struct sk_text name;
    bool is_bot;
    struct sk_text address;
    int32_t seconds; /* since it was welcomed */
    int32_t matches; /* unfinished ones of the player */
};

struct admin_answer_line {
    bool ok;
    struct sk_text message;
    struct sk_list rooms;  /* struct admin_room_line */
    struct sk_list people; /* struct admin_person_line */
};

extern const struct sk_schema sk_admin_request_line;
extern const struct sk_schema sk_admin_answer_line;

#endif /* SK_ADMIN_LINES_H */
