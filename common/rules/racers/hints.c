/*
 * Hints: every command that would be ok, using the same functions as the
 * checks.  Giving up is not among them: neither the shared commands nor a
 * confirmed end_turn without a move.
 */
#include "common/rules/racers/internal.h"

struct hunt {
    const struct racers_config *config;
    const struct racers_position *view;
    const struct racers_racer *racer;
    struct sk_hint_sink *sink;
    uint8_t seat;
};

static bool
give(const struct hunt *hunt, struct racers_command command)
{
    return hunt->sink->take(hunt->sink, &command);
}

static bool
hint_moves(const struct hunt *hunt)
{
    bool goes_on = true;

    for (uint8_t dir = 0; dir < RACERS_DIRECTIONS && goes_on; dir++) {
        if (racers_can_move(hunt->config, hunt->view, hunt->seat, dir)) {
            goes_on = give(hunt, (struct racers_command){ .head = { RACERS_MOVE }, .dir = dir });
        }
    }
    return goes_on;
}

static bool
hint_pick_ups(const struct hunt *hunt)
{
    struct sk_cell at = racers_cell(hunt->racer->at);
    bool goes_on = true;

    for (uint8_t kind = 0; kind < RACERS_ITEM_KINDS && goes_on; kind++) {
        if (hunt->racer->carried_count < SK_RACERS_CARRIED_MAX &&
            racers_item_to_pick_up(hunt->config, hunt->view, at, kind) != RACERS_NOWHERE) {
            goes_on =
                give(hunt, (struct racers_command){ .head = { RACERS_PICK_UP }, .item = kind });
        }
    }
    return goes_on;
}

static bool
can_place_grenade(const struct hunt *hunt)
{
    return (hunt->view->underfoot >> hunt->seat & 1) == 0 &&
           racers_grenade_on(hunt->config, hunt->view, racers_cell(hunt->racer->at)) ==
               RACERS_NOWHERE;
}

static bool
hint_disc(const struct hunt *hunt, uint8_t kind)
{
    static const uint8_t straight[] = { RACERS_N, RACERS_E, RACERS_S, RACERS_W };
    bool goes_on = true;

    for (uint32_t i = 0; i < SK_COUNT_OF(straight) && goes_on; i++) {
        goes_on = give(
            hunt, (struct racers_command){
                      .head = { RACERS_USE }, .item = kind, .dir = straight[i], .has_dir = true });
    }
    return goes_on;
}

static bool
hint_uses(const struct hunt *hunt)
{
    bool goes_on = true;

    if (racers_carries(hunt->racer, RACERS_GRENADE) && can_place_grenade(hunt)) {
        goes_on =
            give(hunt, (struct racers_command){ .head = { RACERS_USE }, .item = RACERS_GRENADE });
    }
    for (uint8_t kind = RACERS_DISC; kind < RACERS_ITEM_KINDS && goes_on; kind++) {
        if (racers_carries(hunt->racer, kind)) {
            goes_on = hint_disc(hunt, kind);
        }
    }
    return goes_on;
}

void
racers_hints(const void *config, const void *view, uint8_t seat, struct sk_hint_sink *sink)
{
    const struct racers_position *position = view;
    struct hunt hunt = { config, position, &position->racer[seat], sink, seat };

    if (position->active != seat || !hint_moves(&hunt)) {
        return;
    }
    if (!racers_must_move(position) && (!hint_pick_ups(&hunt) || !hint_uses(&hunt))) {
        return;
    }
    if (position->moved) {
        give(&hunt, (struct racers_command){ .head = { RACERS_END_TURN } });
    }
}
