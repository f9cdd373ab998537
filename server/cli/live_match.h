/*
 * live_match - a match on a running server, as its frames describe it: what play
 * and watch draw, in the same pictures as replay.
 *
 * Owner:   the caller; live_fini frees.
 * Threads: one.
 */
#ifndef SK_CLI_LIVE_MATCH_H
#define SK_CLI_LIVE_MATCH_H

#include "common/base/arena.h"
#include "common/core/ruleset.h"
#include "proto/frames.h"
#include "proto/json_value.h"
#include "server/cli/screen.h"

/* A cell that a command leads to: '*' one that is possible, '>' a planned move, '!' a planned
 * command of another kind. */
struct live_mark {
    struct sk_cell cell;
    char sign;
    char unit[SK_ID_MAX + 1]; /* whose, or empty */
};

struct live_match {
    const struct sk_ruleset *ruleset; /* NULL until a `state` came */
    void *config;
    struct sk_arena forms;
    struct screen screen;
    bool has_terminal; /* each screen replaces the last one */
    int64_t match;
    int32_t seat; /* -1 = a spectator */
    int32_t turn;
    bool is_placement; /* units are being placed */
    uint8_t seat_count;
    char names[SK_SEATS_MAX][FRAME_PLAYER_NAME_MAX + 1];
    const void *view; /* the newest one's form, or NULL */
};

void live_init(struct live_match *live);
void live_fini(struct live_match *live);

/* Handles any frame of the match.  False with a fault when the match cannot be shown. */
bool live_take(struct live_match *live, const struct sk_value *frame, struct sk_fault *ret_fault);

/* Begins a new live->screen: the match and its board, with marks on some cells. */
void live_draw(struct live_match *live, const struct live_mark *marks, uint32_t mark_count);

/*
 * What happened, and how it ended, if the frame says so.  `lines_kept` lines of
 * a terminal stay free: events that do not fit are only counted.
 */
void live_add_events(struct live_match *live, const struct sk_value *frame, int32_t lines_kept);
void live_add_outcome(struct live_match *live, const struct sk_value *outcome);

/* A command of JSON in words; valid until the next line of the screen is made. */
struct sk_line live_say_command(struct live_match *live, const struct sk_value *command);

/* Prints the screen. */
void live_print(struct live_match *live);

#endif /* SK_CLI_LIVE_MATCH_H */
