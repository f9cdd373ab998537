/*
 * The ground: walls, starts, items and teleporters as given from outside, and
 * their faults.  Boards in params, forms of states and snapshots are all
 * checked here.
 */
#include <string.h>

#include "common/rules/racers/internal.h"

/* What a square holds, as bits. */
enum {
    HAS_WALL = 1,
    HAS_TELEPORTER = 2,
    HAS_RACER = 4,
    HAS_ITEM = 8, /* of the first kind; the others follow */
};

struct squares {
    uint8_t has[SK_GRID_MAX][SK_GRID_MAX];
};

enum sk_status
racers_refuse(struct sk_fault *fault, const char *code, const char *message, const char *list,
              uint32_t index, const char *member)
{
    sk_fault_set(fault, code, message);
    if (member != NULL) {
        sk_fault_inside(fault, sk_text_of(member));
    }
    return sk_fault_inside_item(fault, list, index);
}

/* ---- from forms -------------------------------------------------------------------------- */

static enum sk_status
refuse_off_grid(struct sk_fault *fault, const char *list, uint32_t index, const char *member)
{
    return racers_refuse(fault, "out_of_bounds", "that square is off the board", list, index,
                         member);
}

/* More than fit cannot all be valid, whatever they are. */
static enum sk_status
check_count(const struct sk_list *list, uint32_t max, const char *name, struct sk_fault *fault)
{
    if (list->count <= max) {
        return SK_OK;
    }
    sk_fault_set(fault, "too_many", "a board of this size has space for at most ");
    sk_fault_say_number(fault, max);
    return sk_fault_inside(fault, sk_text_of(name));
}

static enum sk_status
read_starts(const struct racers_config *config, const struct sk_list *list,
            struct racers_position *position, struct sk_fault *fault)
{
    const struct sk_cell *cells = list->at;

    for (uint32_t i = 0; i < list->count; i++) {
        if (!racers_on_grid(config, cells[i])) {
            return refuse_off_grid(fault, "starts", i, NULL);
        }
        position->start[i] = racers_spot(cells[i]);
    }
    return SK_OK;
}

static enum sk_status
read_walls(const struct racers_config *config, const struct sk_list *list,
           struct racers_position *position, struct sk_fault *fault)
{
    const struct sk_cell *cells = list->at;
    enum sk_status status = check_count(list, racers_squares(config), "walls", fault);

    for (uint32_t i = 0; i < list->count && status == SK_OK; i++) {
        if (!racers_on_grid(config, cells[i])) {
            return refuse_off_grid(fault, "walls", i, NULL);
        }
        racers_wall_add(config, position, racers_spot(cells[i]));
    }
    return status;
}

static enum sk_status
read_teleporters(const struct racers_config *config, const struct sk_list *list,
                 struct racers_position *position, struct sk_fault *fault)
{
    const struct racers_teleporter_form *forms = list->at;
    struct racers_teleporter *teleporters = racers_teleporter_space(config, position);
    enum sk_status status = check_count(list, racers_squares(config), "teleporters", fault);

    for (uint32_t i = 0; i < list->count && status == SK_OK; i++) {
        bool is_at_on_grid = racers_on_grid(config, forms[i].at);

        if (!is_at_on_grid || !racers_on_grid(config, forms[i].to)) {
            return refuse_off_grid(fault, "teleporters", i, is_at_on_grid ? "to" : "at");
        }
        teleporters[i] =
            (struct racers_teleporter){ racers_spot(forms[i].at), racers_spot(forms[i].to) };
        position->teleporter_count++;
    }
    return status;
}

static enum sk_status
read_items(const struct racers_config *config, const struct sk_list *list,
           struct racers_position *position, struct sk_fault *fault)
{
    const struct racers_item_form *forms = list->at;
    enum sk_status status =
        check_count(list, RACERS_ITEMS_MAX(racers_squares(config)), "items", fault);

    for (uint32_t i = 0; i < list->count && status == SK_OK; i++) {
        if (!racers_on_grid(config, forms[i].at)) {
            return refuse_off_grid(fault, "items", i, "at");
        }
        if (forms[i].kind != RACERS_GRENADE && forms[i].state != RACERS_INACTIVE) {
            return racers_refuse(fault, "bad_item_state", "only a grenade can have this state",
                                 "items", i, "state");
        }
        racers_item_add(
            config, position,
            (struct racers_item){ racers_spot(forms[i].at), forms[i].kind, forms[i].state });
    }
    return status;
}

enum sk_status
racers_ground_read(const struct racers_config *config, const struct racers_ground_form *form,
                   struct racers_position *position, struct sk_fault *ret_fault)
{
    enum sk_status status = read_starts(config, &form->starts, position, ret_fault);

    if (status == SK_OK) {
        status = read_walls(config, &form->walls, position, ret_fault);
    }
    if (status == SK_OK) {
        status = read_teleporters(config, &form->teleporters, position, ret_fault);
    }
    if (status == SK_OK) {
        status = read_items(config, &form->items, position, ret_fault);
    }
    return status;
}

/* ---- what cannot be ---------------------------------------------------------------------- */

static bool
is_start(const struct racers_position *position, struct racers_spot spot)
{
    return racers_spot_same(spot, position->start[0]) || racers_spot_same(spot, position->start[1]);
}

static uint8_t *
square(struct squares *squares, struct racers_spot spot)
{
    return &squares->has[spot.y][spot.x];
}

static enum sk_status
check_walls(const struct racers_config *config, const struct racers_position *position,
            struct squares *squares, struct sk_fault *fault)
{
    const struct racers_spot *walls = racers_walls(config, position);

    for (uint32_t i = 0; i < position->wall_count; i++) {
        uint8_t *has = square(squares, walls[i]);

        if (is_start(position, walls[i])) {
            return racers_refuse(fault, "wall_on_start", "a wall must not be on a start", "walls",
                                 i, NULL);
        }
        if ((*has & HAS_WALL) != 0) {
            return racers_refuse(fault, "two_of_a_kind", "the same wall is listed twice", "walls",
                                 i, NULL);
        }
        *has |= HAS_WALL;
    }
    return SK_OK;
}

static enum sk_status
check_teleporter(const struct racers_position *position, struct squares *squares,
                 const struct racers_teleporter *teleporter, uint32_t index, struct sk_fault *fault)
{
    uint8_t *has = square(squares, teleporter->at);

    if (is_start(position, teleporter->at)) {
        return racers_refuse(fault, "teleporter_on_start", "a teleporter must not be on a start",
                             "teleporters", index, "at");
    }
    if ((*has & HAS_WALL) != 0) {
        return racers_refuse(fault, "teleporter_on_wall", "a teleporter must not be on a wall",
                             "teleporters", index, "at");
    }
    if ((*has & HAS_TELEPORTER) != 0) {
        return racers_refuse(fault, "two_of_a_kind", "another teleporter is on this square",
                             "teleporters", index, "at");
    }
    *has |= HAS_TELEPORTER;
    return SK_OK;
}

static enum sk_status
check_teleporters(const struct racers_config *config, const struct racers_position *position,
                  struct squares *squares, struct sk_fault *fault)
{
    const struct racers_teleporter *teleporters = racers_teleporters(config, position);
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; i < position->teleporter_count && status == SK_OK; i++) {
        status = check_teleporter(position, squares, &teleporters[i], i, fault);
    }
    for (uint32_t i = 0; i < position->teleporter_count && status == SK_OK; i++) {
        if (racers_spot_same(teleporters[i].to, teleporters[i].at)) {
            return racers_refuse(fault, "teleporter_to_itself",
                                 "a teleporter must lead to another one", "teleporters", i, "to");
        }
        if ((*square(squares, teleporters[i].to) & HAS_TELEPORTER) == 0) {
            return racers_refuse(fault, "teleporter_to_nowhere",
                                 "a teleporter leads to another teleporter", "teleporters", i,
                                 "to");
        }
    }
    return status;
}

/* Discs may lie anywhere, but two grenades never lie on one square. */
static enum sk_status
check_items(const struct racers_config *config, const struct racers_position *position, bool is_new,
            struct squares *squares, struct sk_fault *fault)
{
    const struct racers_item *items = racers_items(config, position);

    for (uint32_t i = 0; i < position->item_count; i++) {
        uint8_t *has = square(squares, items[i].at);
        uint8_t kind = (uint8_t)(HAS_ITEM << items[i].kind);

        if ((*has & HAS_WALL) != 0) {
            return racers_refuse(fault, "item_on_wall", "an item must not be on a wall", "items", i,
                                 "at");
        }
        if ((*has & kind) != 0 && (is_new || items[i].kind == RACERS_GRENADE)) {
            return racers_refuse(fault, "two_of_a_kind",
                                 "another item of this kind is on this square", "items", i, "at");
        }
        *has |= kind;
    }
    return SK_OK;
}

static enum sk_status
check_ground(const struct racers_config *config, const struct racers_position *position,
             bool is_new, struct squares *squares, struct sk_fault *fault)
{
    enum sk_status status = SK_OK;

    if (racers_spot_same(position->start[0], position->start[1])) {
        return racers_refuse(fault, "equal_starts", "the racers must start on different squares",
                             "starts", 1, NULL);
    }
    status = check_walls(config, position, squares, fault);
    if (status == SK_OK) {
        status = check_teleporters(config, position, squares, fault);
    }
    if (status == SK_OK) {
        status = check_items(config, position, is_new, squares, fault);
    }
    return status;
}

enum sk_status
racers_ground_check(const struct racers_config *config, const struct racers_position *position,
                    bool is_new, struct sk_fault *ret_fault)
{
    struct squares squares;

    memset(&squares, 0, sizeof(squares));
    return check_ground(config, position, is_new, &squares, ret_fault);
}

/* ---- positions --------------------------------------------------------------------------- */

enum sk_status
racers_refuse_racer(struct sk_fault *fault, uint32_t seat, const char *message, const char *member)
{
    return racers_refuse(fault, "invalid_state", message, "racers", seat, member);
}

static enum sk_status
check_trail(const struct racers_racer *racer, uint32_t seat, struct squares *squares,
            struct sk_fault *fault)
{
    for (uint32_t i = 0; i < racer->trail_count; i++) {
        const char *wrong = NULL;
        const char *member = "action";

        if (i > 0 && racer->trail[i].action >= racer->trail[i - 1].action) {
            wrong = "the trail is not newest first";
        } else if ((*square(squares, racer->trail[i].at) & HAS_WALL) != 0) {
            wrong = "there is trail on a wall";
            member = "at";
        }
        if (wrong != NULL) {
            racers_refuse(fault, "invalid_state", wrong, "trail", i, member);
            return sk_fault_inside_item(fault, "racers", seat);
        }
    }
    return SK_OK;
}

static enum sk_status
check_racers(const struct racers_position *position, struct squares *squares,
             struct sk_fault *fault)
{
    enum sk_status status = SK_OK;

    for (uint32_t seat = 0; seat < RACERS_SEATS && status == SK_OK; seat++) {
        const struct racers_racer *racer = &position->racer[seat];
        uint8_t *has = square(squares, racer->at);

        if ((*has & HAS_WALL) != 0) {
            return racers_refuse_racer(fault, seat, "a racer stands on a wall", "at");
        }
        if ((*has & HAS_RACER) != 0) {
            return racers_refuse_racer(fault, seat, "both racers stand on one square", "at");
        }
        *has |= HAS_RACER;
        status = check_trail(racer, seat, squares, fault);
    }
    return status;
}

static enum sk_status
check_failures(const struct racers_config *config, const struct racers_position *position,
               struct sk_fault *fault)
{
    const struct racers_failure *failures = racers_failures(config, position);
    struct squares began; /* bit t: a failure with t turns left */

    memset(&began, 0, sizeof(began));
    for (uint32_t i = 0; i < position->failure_count; i++) {
        uint8_t *has = square(&began, failures[i].at);
        uint8_t bit = (uint8_t)(1 << failures[i].turns_left);

        if ((*has & bit) != 0) {
            return racers_refuse(fault, "invalid_state", "a square fails at most once per turn",
                                 "failures", i, "at");
        }
        *has |= bit;
    }
    return SK_OK;
}

static enum sk_status
check_counts(const struct racers_config *config, const struct racers_position *position,
             bool is_over, struct sk_fault *fault)
{
    if (racers_items_in_all(position) > RACERS_ITEMS_MAX(racers_squares(config))) {
        return sk_fault_set_at(fault, "invalid_state", "there are too many items", "items");
    }
    if (position->actions_left == 0 && !is_over) {
        return sk_fault_set_at(fault, "invalid_state",
                               "while the match runs, its active racer has an action to take",
                               "actions_left");
    }
    return SK_OK;
}

enum sk_status
racers_position_check(const struct racers_config *config, const struct racers_position *position,
                      bool is_over, struct sk_fault *ret_fault)
{
    struct squares squares;
    enum sk_status status;

    memset(&squares, 0, sizeof(squares));
    status = check_ground(config, position, false, &squares, ret_fault);
    if (status == SK_OK) {
        status = check_racers(position, &squares, ret_fault);
    }
    if (status == SK_OK) {
        status = check_failures(config, position, ret_fault);
    }
    if (status == SK_OK) {
        status = check_counts(config, position, is_over, ret_fault);
    }
    return status;
}
