#include "server/replay/moments.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/json_value.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/match/work.h"
#include "server/memory.h"

#define FORMS_SIZE ((size_t)4 * 1024 * 1024)

struct json_moment {
    struct moments *moments;
    const struct sk_state *state;
    const struct sk_turn *turn;
    const void *form;
    uint64_t hash;
};

bool
moments_open(struct moments *moments, const struct store_match *match, uint8_t audience,
             struct sk_fault *ret_fault)
{
    struct sk_sizes sizes;

    *moments = (struct moments){ .audience = audience, .playback = playback_alloc() };
    heap_arena(&moments->forms, FORMS_SIZE);
    if (playback_begin(moments->playback, match, ret_fault) != SK_OK) {
        return false;
    }
    sk_rules_sizes(moments->playback->match.ruleset, moments->playback->match.config->config,
                   &sizes);
    moments->view = heap_bytes(sizes.view);
    return true;
}

void
moments_close(struct moments *moments)
{
    playback_free(moments->playback);
    free(moments->forms.base);
    free(moments->view);
}

const void *
moments_form(struct moments *moments, const struct sk_state *state)
{
    const struct sk_ruleset *ruleset = moments->playback->match.ruleset;
    const void *config = moments->playback->match.config->config;
    bool is_all = moments->audience == MOMENTS_EVERYTHING;
    struct sk_sizes sizes;
    void *form;
    enum sk_status status;

    moments->forms.used = 0;
    form = sk_arena_take(&moments->forms, is_all ? ruleset->state->size : ruleset->view->size);
    if (is_all) {
        status = sk_rules_state_form(ruleset, config, state, &moments->forms, form);
    } else {
        sk_rules_sizes(ruleset, config, &sizes);
        memset(moments->view, 0, sizes.view);
        sk_rules_view_make(ruleset, &sizes, config, state, moments->audience, moments->view);
        status = sk_rules_view_form(ruleset, config, moments->view, &moments->forms, form);
    }
    return status == SK_OK ? form : NULL;
}

bool
moments_sees_commands(const struct moments *moments, uint8_t seat)
{
    return moments->audience == MOMENTS_EVERYTHING || moments->audience == seat;
}

bool
moments_is_one(const struct moments *moments, bool had_begun)
{
    return playback_turn(moments->playback) != NULL ||
           (!had_begun && moments->playback->match.state != NULL);
}

const struct sk_value *
moments_failures(const struct moments *moments, const struct sk_turn *turn)
{
    bool is_of_match = turn == playback_turn(moments->playback);

    return is_of_match ? moments->playback->failures : NULL;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void
write_lists(struct sk_json_out *out, const struct json_moment *moment)
{
    const struct sk_turn *turn = moment->turn;
    const struct sk_value *failures = moments_failures(moment->moments, turn);

    sk_json_key(out, "commands");
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        bool is_seen = moments_sees_commands(moment->moments, seat);

        sk_variants_write(out, turn->ruleset->command, turn->commands[seat].at,
                          is_seen ? turn->commands[seat].count : 0);
    }
    sk_json_end_list(out);
    sk_json_key(out, "verdicts");
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (moments_sees_commands(moment->moments, seat)) {
            sk_verdicts_write(out, turn, seat);
        } else {
            sk_json_begin_list(out);
            sk_json_end_list(out);
        }
    }
    sk_json_end_list(out);
    sk_json_key(out, "events");
    if (moment->moments->audience == MOMENTS_EVERYTHING) {
        sk_events_write(out, turn);
    } else {
        sk_events_write_for(out, turn, moment->moments->audience);
    }
    if (failures != NULL) {
        sk_json_key(out, "failures");
        sk_json_raw(out, (struct sk_text){ failures->at, failures->length });
    }
}

static void
write_moment(struct sk_json_out *out, const struct json_moment *moment)
{
    const struct sk_ruleset *ruleset = moment->moments->playback->match.ruleset;
    bool is_all = moment->moments->audience == MOMENTS_EVERYTHING;

    sk_json_begin_object(out);
    sk_json_key_int(out, "turn", moment->state->turn);
    if (moment->turn != NULL) {
        sk_json_key_int(out, "resolved", moment->turn->before->turn);
        write_lists(out, moment);
    }
    if (moment->form != NULL) {
        sk_json_key(out, is_all ? "state" : "view");
        sk_form_write(out, is_all ? ruleset->state : ruleset->view, moment->form);
    }
    sk_json_key(out, "outcome");
    sk_outcome_write(out, ruleset, moment->state->outcome);
    if (is_all) {
        sk_json_key(out, "hash");
        sk_json_hex16(out, moment->hash);
    }
    sk_json_end_object(out);
}

struct sk_text
moments_json(struct moments *moments, const struct sk_state *state, const struct sk_turn *turn)
{
    struct json_moment moment = { .moments = moments, .state = state, .turn = turn };
    struct sk_json_out out = { 0 };
    struct sk_form_head *head = (struct sk_form_head *)(uintptr_t)moments_form(moments, state);

    if (head != NULL) {
        sk_form_head_set(head, moments->playback->match.ruleset, state->outcome);
        head->turn = (int32_t)state->turn;
        head->has_seat = moments->audience < SK_SEATS_MAX;
        head->seat = head->has_seat ? moments->audience : 0;
    }
    moment.form = head;
    moment.hash = playback_hash_of(moments->playback, state);
    while (work_writes(moments->playback->work, &out)) {
        write_moment(&out, &moment);
    }
    return work_text(&out);
}
