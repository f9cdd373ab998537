/* The functions of libskirmish that look at a position with the eyes of a seat. */
#include <string.h>

#include "common/core/rules.h"
#include "proto/referee.h"
#include "proto/referee/skirmish.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"

struct look {
    struct sk_hint_sink sink;
    struct sk_turn turn;
    struct sk_arena *arena;
    struct sk_json_out *out;
    const void *form; /* of the view */
    uint8_t seat;
};

static enum sk_status
look_begin(struct sk_referee *referee, const char *request, size_t length, uint8_t seat,
           struct look *look, struct sk_fault *ret_fault)
{
    enum sk_status status =
        sk_referee_play(referee, request, length, &look->turn, &look->arena, ret_fault);

    look->seat = seat;
    if (status == SK_OK && seat >= look->turn.seat_count && seat != SK_SPECTATOR) {
        return sk_fault_set(ret_fault, "malformed", "the match has no such seat");
    }
    return status;
}

static int
give(struct sk_referee *referee, void (*write)(struct sk_json_out *out, const void *what),
     const void *what, int status, const char **ret_answer, size_t *ret_length)
{
    struct sk_text text;
    bool is_written = sk_referee_write(referee, write, what, &text);

    *ret_answer = text.at;
    *ret_length = text.length;
    return is_written ? status : SK_FAILED;
}

/* ---- views ------------------------------------------------------------------------------- */

static void
write_view(struct sk_json_out *out, const void *what)
{
    const struct look *look = what;

    sk_form_write(out, look->turn.ruleset->view, look->form);
}

int
sk_view(struct sk_referee *referee, const char *request, size_t length, uint8_t seat,
        const char **ret_answer, size_t *ret_length)
{
    struct look look = { .seat = seat };
    struct sk_fault fault;
    enum sk_status status = look_begin(referee, request, length, seat, &look, &fault);

    if (status == SK_OK &&
        sk_view_form_make(look.turn.ruleset, look.turn.config, look.turn.after, seat,
                          look.turn.view, look.arena, &look.form) != SK_OK) {
        status = sk_fault_set(&fault, "too_large", "the view needs more memory than there is");
    }
    return status == SK_OK
               ? give(referee, write_view, &look, 0, ret_answer, ret_length)
               : give(referee, sk_fault_write, &fault, SK_FAILED, ret_answer, ret_length);
}

/* ---- hints ------------------------------------------------------------------------------- */

static bool
take_hint(struct sk_hint_sink *sink, const void *command)
{
    const struct look *look = (const struct look *)sink;

    sk_variant_write(look->out, look->turn.ruleset->command, command);
    return true;
}

static void
write_hints(struct sk_json_out *out, const void *what)
{
    struct look look = *(const struct look *)what;

    look.out = out;
    sk_json_begin_object(out);
    sk_json_key_int(out, "turn", look.turn.after->turn);
    sk_json_key(out, "commands");
    sk_json_begin_list(out);
    if (!look.turn.after->outcome.is_over && look.seat != SK_SPECTATOR) {
        sk_rules_hints(look.turn.ruleset, look.turn.config, look.turn.view, look.seat, &look.sink);
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
}

int
sk_hints(struct sk_referee *referee, const char *request, size_t length, uint8_t seat,
         const char **ret_answer, size_t *ret_length)
{
    struct look look = { .sink = { .take = take_hint } };
    struct sk_fault fault;

    if (look_begin(referee, request, length, seat, &look, &fault) != SK_OK) {
        return give(referee, sk_fault_write, &fault, SK_FAILED, ret_answer, ret_length);
    }
    memset(look.turn.view, 0, look.turn.sizes.view);
    sk_rules_view_make(look.turn.ruleset, &look.turn.sizes, look.turn.config, look.turn.after, seat,
                       look.turn.view);
    return give(referee, write_hints, &look, 0, ret_answer, ret_length);
}
