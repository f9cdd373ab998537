#include "proto/turn_write.h"

#include <string.h>

#include "common/core/rules.h"
#include "proto/json_pen.h"
#include "proto/json_put.h"
#include "proto/schema_write.h"

static char *
put_judgement(char *to, const struct sk_ruleset *ruleset, struct sk_judgement judgement)
{
    const char *check;

    if (judgement.verdict == SK_VERDICT_OK && judgement.check == SK_CHECK_NONE) { /* as most are */
        return sk_json_put_text(to, SK_TEXT("{\"verdict\":\"ok\"}"));
    }
    check = sk_check_name(ruleset, judgement);
    to = sk_json_put_text(to, SK_TEXT("{\"verdict\":"));
    to = sk_json_put_word(to, sk_verdict_name(ruleset, judgement.verdict));
    if (check != NULL) {
        to = sk_json_put_text(to, SK_TEXT(",\"check\":"));
        to = sk_json_put_word(to, check);
    }
    *to++ = '}';
    return to;
}

void
sk_verdicts_write(struct sk_json_out *out, const struct sk_turn *turn, uint8_t seat)
{
    struct sk_json_pen pen;
    char *to = sk_pen_begin(&pen, out);

    *to++ = '[';
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        to = sk_pen_space(&pen, to);
        if (i > 0) {
            *to++ = ',';
        }
        to = put_judgement(to, turn->ruleset, turn->judgements[seat][i]);
    }
    *to++ = ']';
    sk_pen_end(&pen, to);
}

void
sk_events_write_items(struct sk_json_out *out, const struct sk_turn *turn)
{
    const struct sk_event *event = turn->events.first;
    struct sk_json_pen pen;
    char *to;

    if (event == NULL) {
        return;
    }
    to = sk_variant_put(&pen, sk_pen_begin(&pen, out), turn->ruleset->event, event);
    while ((event = event->next) != NULL) {
        to = sk_pen_space(&pen, to);
        *to++ = ',';
        to = sk_variant_put(&pen, to, turn->ruleset->event, event);
    }
    sk_pen_end(&pen, to);
}

void
sk_events_write(struct sk_json_out *out, const struct sk_turn *turn)
{
    sk_json_begin_list(out);
    sk_events_write_items(out, turn);
    sk_json_end_list(out);
}

void
sk_events_write_for(struct sk_json_out *out, const struct sk_turn *turn, uint8_t audience)
{
    const struct sk_ruleset *ruleset = turn->ruleset;

    if (ruleset->event_is_shown == NULL) {
        sk_events_write(out, turn);
        return;
    }
    sk_json_begin_list(out);
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        if (ruleset->event_is_shown(turn->config, turn->before, turn->after, event, audience)) {
            sk_variant_write(out, ruleset->event, event);
        }
    }
    sk_json_end_list(out);
}

void
sk_outcome_write(struct sk_json_out *out, const struct sk_ruleset *ruleset,
                 struct sk_outcome outcome)
{
    if (!outcome.is_over) {
        sk_json_null(out);
        return;
    }
    sk_json_begin_object(out);
    sk_json_key(out, "winner");
    if (outcome.winner == SK_NOBODY) {
        sk_json_null(out);
    } else {
        sk_json_int(out, outcome.winner);
    }
    sk_json_key_string(out, "reason", sk_reason_name(ruleset, outcome.reason));
    sk_json_end_object(out);
}

void
sk_fault_write(struct sk_json_out *out, const void *fault)
{
    const struct sk_fault *it = fault;

    sk_json_begin_object(out);
    sk_json_key(out, "error");
    sk_json_begin_object(out);
    sk_json_key_string(out, "code", it->code);
    sk_json_key_string(out, "message", it->message);
    sk_json_key_string(out, "at", it->at);
    sk_json_end_object(out);
    sk_json_end_object(out);
}

void
sk_seats_write(struct sk_json_out *out, uint32_t seats)
{
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if ((seats >> seat & 1) != 0) {
            sk_json_int(out, seat);
        }
    }
    sk_json_end_list(out);
}

void
sk_form_head_set(struct sk_form_head *head, const struct sk_ruleset *ruleset,
                 struct sk_outcome outcome)
{
    head->has_outcome = outcome.is_over;
    head->has_winner = outcome.is_over && outcome.winner != SK_NOBODY;
    head->winner = head->has_winner ? outcome.winner : 0;
    head->reason = sk_text_of(sk_reason_name(ruleset, outcome.reason));
}

/* The seats of `bits` as a list of numbers. */
static bool
list_seats(uint32_t bits, struct sk_arena *arena, struct sk_list *ret_list)
{
    int32_t *seats = sk_arena_take_items(arena, SK_SEATS_MAX, sizeof(*seats));
    uint32_t count = 0;

    if (seats == NULL) {
        return false;
    }
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        if ((bits >> seat & 1) != 0) {
            seats[count++] = seat;
        }
    }
    *ret_list = (struct sk_list){ seats, count };
    return true;
}

static size_t
make_view(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state,
          uint8_t seat, void *view)
{
    struct sk_sizes sizes;

    sk_rules_sizes(ruleset, config, &sizes);
    sk_rules_view_make(ruleset, &sizes, config, state, seat, view);
    return sizes.view;
}

/* All that is not the ruleset's own. */
static bool
fill_head(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state,
          uint8_t seat, struct sk_arena *arena, struct sk_form_head *form)
{
    sk_form_head_set(form, ruleset, state->outcome);
    form->turn = (int32_t)state->turn;
    form->has_seat = seat != SK_SPECTATOR;
    form->seat = form->has_seat ? seat : 0;
    return list_seats(sk_turn_owing(ruleset, config, state), arena, &form->owing);
}

enum sk_status
sk_view_form_make(const struct sk_ruleset *ruleset, const void *config,
                  const struct sk_state *state, uint8_t seat, void *view, struct sk_arena *arena,
                  const void **ret_form)
{
    struct sk_form_head *form = sk_arena_take(arena, ruleset->view->size);

    (void)make_view(ruleset, config, state, seat, view);
    if (form == NULL || !fill_head(ruleset, config, state, seat, arena, form) ||
        sk_rules_view_form(ruleset, config, view, arena, form) != SK_OK) {
        return SK_ERR_TOO_LONG;
    }
    *ret_form = form;
    return SK_OK;
}

enum sk_status
sk_view_write_after(struct sk_json_out *out, const struct sk_ruleset *ruleset, const void *config,
                    const struct sk_state *state, uint8_t seat, void *view, struct sk_arena *arena,
                    const struct sk_view_text *last, uint32_t *ret_own_length)
{
    size_t mark = arena->used;
    struct sk_form_head *form = sk_arena_take(arena, ruleset->view->size);
    enum sk_status status = SK_ERR_TOO_LONG;
    size_t size = make_view(ruleset, config, state, seat, view);
    size_t from = out->used;

    if (form == NULL || !fill_head(ruleset, config, state, seat, arena, form)) {
        goto out;
    }
    if (last->view != NULL && memcmp(view, last->view, size) == 0) {
        sk_json_raw(out, (struct sk_text){ last->text.at, last->own_length });
    } else if (sk_rules_view_form(ruleset, config, view, arena, form) == SK_OK) {
        sk_form_write_own(out, ruleset->view, form);
    } else {
        goto out;
    }
    *ret_own_length = (uint32_t)(out->used - from);
    sk_form_write_tail(out, ruleset->view, form);
    status = SK_OK;
out:
    arena->used = mark;
    return status;
}

enum sk_status
sk_view_write(struct sk_json_out *out, const struct sk_ruleset *ruleset, const void *config,
              const struct sk_state *state, uint8_t seat, void *view, struct sk_arena *arena)
{
    static const struct sk_view_text nothing;
    uint32_t own_length;

    return sk_view_write_after(out, ruleset, config, state, seat, view, arena, &nothing,
                               &own_length);
}
