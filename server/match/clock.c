#include "server/match/clock.h"

int64_t
seat_used_ms(const struct seat *seat, int64_t now_ms)
{
    return seat->used_ms + (seat->is_running ? now_ms - seat->since_ms : 0);
}

int64_t
match_left_ms(const struct match *match, uint8_t seat, int64_t now_ms)
{
    const struct seat *it = &match->seats[seat];
    int64_t left_ms = match->clock.turn_ms + it->bank_ms - it->going_ms - seat_used_ms(it, now_ms);

    return left_ms < 0 ? 0 : left_ms;
}

bool
match_is_out_of_time(const struct match *match, uint8_t seat, int64_t now_ms)
{
    return match->clock.has_turn && match->seats[seat].is_running &&
           match_left_ms(match, seat, now_ms) == 0;
}

void
match_open_turn(struct match *match, int64_t at_ms)
{
    uint32_t owing = match_owing(match);

    match->opened_ms = at_ms;
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        struct seat *it = &match->seats[seat];

        it->used_ms = 0;
        it->since_ms = at_ms;
        it->is_running = (owing >> seat & 1) != 0;
    }
    match_set_deadline(match);
}

void
match_set_deadline(struct match *match)
{
    bool has_clock = match->clock.has_turn && match->status == MATCH_RUNS;

    match->deadline_ms = 0;
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        const struct seat *it = &match->seats[seat];
        int64_t end_ms = it->since_ms + match_left_ms(match, seat, it->since_ms);

        if (has_clock && it->is_running && end_ms > match->deadline_ms) {
            match->deadline_ms = end_ms;
        }
    }
}

int32_t
ms_of_record(int64_t ms)
{
    return (int32_t)(ms > INT32_MAX ? INT32_MAX : ms);
}
