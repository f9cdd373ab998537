/*
 * Conversion between positions and their forms.
 *
 * Reading refuses impossible states, with reason and position.  Expired squares
 * of a trail are not refused but dropped, as in play.
 */
#include <string.h>

#include "common/rules/racers/internal.h"

/* ---- from a form ------------------------------------------------------------------------- */

static enum sk_status
read_trail(const struct racers_config *config, const struct sk_list *list,
           struct racers_racer *racer, struct sk_fault *fault)
{
    const struct racers_trail_form *forms = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        if (!racers_on_grid(config, forms[i].at)) {
            return racers_refuse(fault, "invalid_state", "that square is off the board", "trail", i,
                                 "at");
        }
        if (i > 0 && forms[i].action >= forms[i - 1].action) {
            return racers_refuse(fault, "invalid_state", "the trail is not newest first", "trail",
                                 i, "action");
        }
        if ((int64_t)racer->performed - forms[i].action < SK_RACERS_TRAIL_MAX) {
            racer->trail[racer->trail_count++] =
                (struct racers_trail){ forms[i].action, racers_spot(forms[i].at), forms[i].hop };
        }
    }
    return SK_OK;
}

static enum sk_status
read_racer(const struct racers_config *config, const struct racers_racer_form *form, uint32_t seat,
           struct racers_position *position, struct sk_fault *fault)
{
    struct racers_racer *racer = &position->racer[seat];

    if ((uint32_t)form->seat != seat) {
        return racers_refuse_racer(fault, seat,
                                   "the racers of seat 0 and seat 1 come in this order", "seat");
    }
    if (!racers_on_grid(config, form->at)) {
        return racers_refuse_racer(fault, seat, "that square is off the board", "at");
    }
    if (form->performed > SK_RACERS_PERFORMED_MAX) {
        return racers_refuse_racer(fault, seat, "nobody performs so many actions", "performed");
    }
    racer->at = racers_spot(form->at);
    racer->debt = (uint16_t)form->debt;
    racer->skip = (uint16_t)form->skip;
    racer->performed = form->performed;
    racer->carried_count = (uint8_t)form->carried.count;
    if (form->carried.count > 0) {
        memcpy(racer->carried, form->carried.at, form->carried.count);
    }
    if (read_trail(config, &form->trail, racer, fault) != SK_OK) {
        return sk_fault_inside_item(fault, "racers", seat);
    }
    return SK_OK;
}

static enum sk_status
read_failures(const struct racers_config *config, const struct sk_list *list,
              struct racers_position *position, struct sk_fault *fault)
{
    const struct racers_failure_form *forms = list->at;
    struct racers_failure *failures = racers_failure_space(config, position);

    if (list->count > RACERS_FAILURES_MAX(racers_squares(config))) {
        return sk_fault_set_at(fault, "invalid_state", "the board has fewer squares", "failures");
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (!racers_on_grid(config, forms[i].at)) {
            return racers_refuse(fault, "invalid_state", "that square is off the board", "failures",
                                 i, "at");
        }
        failures[i] =
            (struct racers_failure){ racers_spot(forms[i].at), (uint8_t)forms[i].turns_left };
    }
    position->failure_count = (uint16_t)list->count;
    return SK_OK;
}

enum sk_status
racers_state_read(const void *config, const void *form, struct sk_state *ret_state,
                  struct sk_fault *ret_fault)
{
    const struct racers_position_form *from = form;
    const struct racers_racer_form *racers = from->racers.at;
    struct racers_position *position = racers_position(ret_state);
    enum sk_status status = racers_ground_read(config, &from->ground, position, ret_fault);

    position->active = (uint8_t)from->active;
    position->actions_left = (uint8_t)from->actions_left;
    position->moved = from->moved;
    for (uint32_t seat = 0; seat < RACERS_SEATS && status == SK_OK; seat++) {
        status = read_racer(config, &racers[seat], seat, position, ret_fault);
    }
    if (status == SK_OK) {
        status = read_failures(config, &from->failures, position, ret_fault);
    }
    if (status == SK_OK) {
        status = racers_position_check(config, position, from->head.has_outcome, ret_fault);
    }
    if (status != SK_OK) {
        ret_fault->code = "invalid_state";
    }
    return status;
}

/* ---- to a form --------------------------------------------------------------------------- */

static bool
form_cells(const struct racers_spot *spots, uint32_t count, struct sk_arena *arena,
           struct sk_list *ret_list)
{
    struct sk_cell *cells = sk_arena_take_items(arena, count, sizeof(*cells));

    for (uint32_t i = 0; i < count && cells != NULL; i++) {
        cells[i] = racers_cell(spots[i]);
    }
    *ret_list = (struct sk_list){ cells, count };
    return cells != NULL;
}

static bool
form_items(const struct racers_config *config, const struct racers_position *position,
           struct sk_arena *arena, struct sk_list *ret_list)
{
    const struct racers_item *items = racers_items(config, position);
    struct racers_item_form *forms =
        sk_arena_take_items(arena, position->item_count, sizeof(*forms));

    for (uint32_t i = 0; i < position->item_count && forms != NULL; i++) {
        forms[i] = (struct racers_item_form){
            .at = racers_cell(items[i].at),
            .kind = items[i].kind,
            .state = items[i].state,
            .has_state = items[i].kind == RACERS_GRENADE,
        };
    }
    *ret_list = (struct sk_list){ forms, position->item_count };
    return forms != NULL;
}

static bool
form_teleporters(const struct racers_config *config, const struct racers_position *position,
                 struct sk_arena *arena, struct sk_list *ret_list)
{
    const struct racers_teleporter *teleporters = racers_teleporters(config, position);
    struct racers_teleporter_form *forms =
        sk_arena_take_items(arena, position->teleporter_count, sizeof(*forms));

    for (uint32_t i = 0; i < position->teleporter_count && forms != NULL; i++) {
        forms[i] = (struct racers_teleporter_form){
            .at = racers_cell(teleporters[i].at),
            .to = racers_cell(teleporters[i].to),
        };
    }
    *ret_list = (struct sk_list){ forms, position->teleporter_count };
    return forms != NULL;
}

static bool
form_failures(const struct racers_config *config, const struct racers_position *position,
              struct sk_arena *arena, struct sk_list *ret_list)
{
    const struct racers_failure *failures = racers_failures(config, position);
    struct racers_failure_form *forms =
        sk_arena_take_items(arena, position->failure_count, sizeof(*forms));

    for (uint32_t i = 0; i < position->failure_count && forms != NULL; i++) {
        forms[i] = (struct racers_failure_form){
            .at = racers_cell(failures[i].at),
            .turns_left = failures[i].turns_left,
        };
    }
    *ret_list = (struct sk_list){ forms, position->failure_count };
    return forms != NULL;
}

static bool
form_racer(const struct racers_racer *racer, int32_t seat, struct sk_arena *arena,
           struct racers_racer_form *ret_form)
{
    struct racers_trail_form *trail =
        sk_arena_take_items(arena, racer->trail_count, sizeof(*trail));
    uint8_t *carried = sk_arena_take(arena, racer->carried_count);

    if (trail == NULL || carried == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < racer->trail_count; i++) {
        trail[i] = (struct racers_trail_form){
            .at = racers_cell(racer->trail[i].at),
            .action = racer->trail[i].action,
            .hop = racer->trail[i].hop,
        };
    }
    memcpy(carried, racer->carried, racer->carried_count);
    *ret_form = (struct racers_racer_form){
        .seat = seat,
        .at = racers_cell(racer->at),
        .debt = racer->debt,
        .skip = racer->skip,
        .performed = racer->performed,
        .carried = { carried, racer->carried_count },
        .trail = { trail, racer->trail_count },
    };
    return true;
}

static bool
form_racers(const struct racers_position *position, struct sk_arena *arena,
            struct sk_list *ret_list)
{
    struct racers_racer_form *forms = sk_arena_take_items(arena, RACERS_SEATS, sizeof(*forms));

    for (int32_t seat = 0; seat < RACERS_SEATS && forms != NULL; seat++) {
        if (!form_racer(&position->racer[seat], seat, arena, &forms[seat])) {
            return false;
        }
    }
    *ret_list = (struct sk_list){ forms, RACERS_SEATS };
    return forms != NULL;
}

enum sk_status
racers_view_form(const void *config, const void *view, struct sk_arena *arena, void *ret_form)
{
    const struct racers_position *position = view;
    struct racers_position_form *form = ret_form;
    struct racers_ground_form *ground = &form->ground;

    form->active = position->active;
    form->actions_left = position->actions_left;
    form->moved = position->moved;
    return form_cells(racers_walls(config, position), position->wall_count, arena,
                      &ground->walls) &&
                   form_cells(position->start, RACERS_SEATS, arena, &ground->starts) &&
                   form_racers(position, arena, &form->racers) &&
                   form_items(config, position, arena, &ground->items) &&
                   form_teleporters(config, position, arena, &ground->teleporters) &&
                   form_failures(config, position, arena, &form->failures)
               ? SK_OK
               : SK_ERR_TOO_LONG;
}

enum sk_status
racers_state_form(const void *config, const struct sk_state *state, struct sk_arena *arena,
                  void *ret_form)
{
    return racers_view_form(config, racers_position_of(state), arena, ret_form);
}
