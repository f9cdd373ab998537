#include "server/match/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "proto/turn_write.h"
#include "server/memory.h"

/* [a,b] and [c] make [a,b,c].  Both are freed. */
static char *
join_lists(char *a, char *b)
{
    bool is_a_empty = strlen(a) == 2;
    bool is_b_empty = strlen(b) == 2;
    char *both;

    if (is_a_empty || is_b_empty) {
        free(is_a_empty ? a : b);
        return is_a_empty ? b : a;
    }
    both = heap_memory(strlen(a) + strlen(b));
    memcpy(both, a, strlen(a));
    both[strlen(a) - 1] = ',';
    memcpy(both + strlen(a), b + 1, strlen(b) - 1);
    free(a);
    free(b);
    return both;
}

static char *
events_of(struct work *work, const struct sk_turn *turn, uint8_t audience)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        if (audience == REVIEW_EVERYTHING) {
            sk_events_write(&out, turn);
        } else {
            sk_events_write_for(&out, turn, audience);
        }
    }
    return work_text_copy(&out);
}

static char *
verdicts_of(struct work *work, const struct sk_turn *turn)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        sk_json_begin_list(&out);
        for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
            sk_verdicts_write(&out, turn, seat);
        }
        sk_json_end_list(&out);
    }
    return work_text_copy(&out);
}

static char *
view_of(struct work *work, const struct sk_turn *turn, uint8_t audience)
{
    uint8_t seat = audience == REVIEW_EVERYTHING ? SK_SPECTATOR : audience;
    struct sk_json_out out = { 0 };

    work->scratch.used = 0;
    while (work_writes(work, &out)) {
        (void)sk_view_write(&out, turn->ruleset, turn->config, turn->after, seat, turn->view,
                            &work->scratch);
    }
    return work_text_copy(&out);
}

static char *
outcome_of(struct work *work, const struct sk_turn *turn)
{
    struct sk_json_out out = { 0 };

    while (work_writes(work, &out)) {
        sk_outcome_write(&out, turn->ruleset, turn->after->outcome);
    }
    return work_text_copy(&out);
}

void
what_if_resolve(struct work *work, struct sk_turn *turn, uint8_t audience,
                struct what_if *ret_answer)
{
    char *events = heap_text(SK_TEXT("[]"));

    for (bool is_played = sk_turn_resolve(turn); is_played;
         is_played = sk_turn_resolve_next(turn)) {
        events = join_lists(events, events_of(work, turn, audience));
        memcpy((void *)(uintptr_t)turn->before, turn->after, turn->sizes.state);
    }
    *ret_answer = (struct what_if){
        .turn = (int32_t)turn->before->turn,
        .events = events,
        .verdicts = verdicts_of(work, turn),
        .view = view_of(work, turn, audience),
        .outcome = outcome_of(work, turn),
    };
}
