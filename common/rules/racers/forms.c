/*
 * The forms of racers: member tables.  JSON, its schema and the fuzzers' random
 * values come from these.
 */
#include "common/rules/racers/internal.h"

static const char *const direction_words[] = {
    [RACERS_N] = "n", [RACERS_NE] = "ne", [RACERS_E] = "e", [RACERS_SE] = "se",
    [RACERS_S] = "s", [RACERS_SW] = "sw", [RACERS_W] = "w", [RACERS_NW] = "nw",
};

static const char *const item_words[] = {
    [RACERS_GRENADE] = "grenade",
    [RACERS_DISC] = "disc",
    [RACERS_CHARGED_DISC] = "charged_disc",
};

static const char *const state_words[] = {
    [RACERS_INACTIVE] = "inactive",
    [RACERS_PLACED] = "placed",
    [RACERS_ACTIVE] = "active",
    [RACERS_EXPLODED] = "exploded",
};

static const char *const why_words[] = {
    [RACERS_ACTIONS_USED] = "actions_used",
    [RACERS_ENDED] = "ended",
    [RACERS_POWER_FAILURE] = "power_failure",
    [RACERS_PENALTY] = "penalty",
    [RACERS_SKIPPED] = "skipped",
    [RACERS_TIMEOUT] = "timeout",
};

static const struct sk_member cell_item = {
    .kind = SK_KIND_CELL,
    .min = INT32_MIN,
    .max = INT32_MAX,
};

/* ---- the ground: of params' boards, states and views ------------------------------------- */

static const struct sk_member item_members[] = {
    SK_ENUM(struct racers_item_form, kind, "kind", item_words, .doc = "What it is."),
    SK_CELL(struct racers_item_form, at, "at", .doc = "Where it lies."),
    SK_ENUM(struct racers_item_form, state, "state", state_words, .flags = SK_OPTIONAL | SK_TRACKED,
            .present = offsetof(struct racers_item_form, has_state), .fallback = RACERS_INACTIVE,
            .doc = "Of a grenade."),
};

static const struct sk_schema item_schema =
    SK_SCHEMA("item", NULL, item_members, struct racers_item_form);

static const struct sk_member item_item = { .kind = SK_KIND_OBJECT, .object = &item_schema };

static const struct sk_member teleporter_members[] = {
    SK_CELL(struct racers_teleporter_form, at, "at", .doc = "Where it is."),
    SK_CELL(struct racers_teleporter_form, to, "to", .doc = "The teleporter it leads to."),
};

static const struct sk_schema teleporter_schema =
    SK_SCHEMA("teleporter", NULL, teleporter_members, struct racers_teleporter_form);

static const struct sk_member teleporter_item = { .kind = SK_KIND_OBJECT,
                                                  .object = &teleporter_schema };

/* `part` is the path to the struct racers_ground_form inside the form. */
#define WALLS(type, part)                                                            \
    SK_LIST(type, part.walls, "walls", &cell_item, sizeof(struct sk_cell), .min = 0, \
            .max = RACERS_SQUARES_MAX)
#define STARTS(type, part)                                                                        \
    SK_LIST(type, part.starts, "starts", &cell_item, sizeof(struct sk_cell), .min = RACERS_SEATS, \
            .max = RACERS_SEATS,                                                                  \
            .doc = "Seat 0's and seat 1's; each one's finish is the other's start.")
#define ITEMS(type, part)                                                                     \
    SK_LIST(type, part.items, "items", &item_item, sizeof(struct racers_item_form), .min = 0, \
            .max = RACERS_ITEMS_MAX(RACERS_SQUARES_MAX))
#define TELEPORTERS(type, part)                                      \
    SK_LIST(type, part.teleporters, "teleporters", &teleporter_item, \
            sizeof(struct racers_teleporter_form), .min = 0, .max = RACERS_SQUARES_MAX)

/* ---- params ------------------------------------------------------------------------------ */

struct board_form {
    struct racers_ground_form ground;
};

static const struct sk_member board_members[] = {
    WALLS(struct board_form, ground),
    STARTS(struct board_form, ground),
    ITEMS(struct board_form, ground),
    TELEPORTERS(struct board_form, ground),
};

static const struct sk_schema board_schema =
    SK_SCHEMA("board", NULL, board_members, struct board_form);

#define SIDE                                                             \
    .min = SK_RACERS_GRID_MIN, .max = SK_GRID_MAX, .flags = SK_OPTIONAL, \
    .fallback = SK_RACERS_GRID_DEFAULT

static const struct sk_member params_members[] = {
    SK_INT(struct racers_params, rows, "rows", SIDE),
    SK_INT(struct racers_params, cols, "cols", SIDE),
    SK_INT(struct racers_params, failure_permille, "failure_permille", .min = 0, .max = 1000,
           .flags = SK_OPTIONAL, .fallback = SK_RACERS_FAILURE_PERMILLE_DEFAULT,
           .doc = "Chance of each square to lose power at the start of every turn."),
    SK_INT(struct racers_params, turn_limit, "turn_limit", .min = 1, .max = SK_TURN_LIMIT_MAX,
           .flags = SK_OPTIONAL, .fallback = SK_RACERS_TURN_LIMIT_DEFAULT),
    SK_OBJECT(struct racers_params, board, "board", &board_schema,
              .flags = SK_OPTIONAL | SK_TRACKED,
              .present = offsetof(struct racers_params, has_board),
              .doc = "The whole board; without it, everything is placed at random."),
};

const struct sk_schema racers_params_schema =
    SK_SCHEMA("racers params", NULL, params_members, struct racers_params);

/* ---- states and views -------------------------------------------------------------------- */

static const struct sk_member trail_members[] = {
    SK_CELL(struct racers_trail_form, at, "at", .doc = "The square that was left."),
    SK_INT(struct racers_trail_form, action, "action", .min = 1, .max = INT32_MAX,
           .doc = "The owner's action at which it was left."),
    SK_BOOL(struct racers_trail_form, hop, "hop", .flags = SK_OPTIONAL,
            .doc = "It was left through a teleporter."),
};

static const struct sk_schema trail_schema =
    SK_SCHEMA("trail", NULL, trail_members, struct racers_trail_form);

static const struct sk_member trail_item = { .kind = SK_KIND_OBJECT, .object = &trail_schema };

static const struct sk_member carried_item = {
    .kind = SK_KIND_ENUM,
    .words = item_words,
    .word_count = SK_COUNT_OF(item_words),
};

static const struct sk_member racer_members[] = {
    SK_INT(struct racers_racer_form, seat, "seat", .min = 0, .max = RACERS_SEATS - 1),
    SK_CELL(struct racers_racer_form, at, "at", .doc = "Where the racer stands."),
    SK_INT(struct racers_racer_form, debt, "debt", .min = 0, .max = SK_RACERS_DEBT_MAX,
           .doc = "Actions that the racer will lose."),
    SK_INT(struct racers_racer_form, skip, "skip", .min = 0, .max = SK_RACERS_SKIP_MAX,
           .doc = "Turns that the racer will miss."),
    SK_INT(struct racers_racer_form, performed, "performed", .min = 0, .max = INT32_MAX,
           .doc = "The racer's actions so far."),
    SK_LIST(struct racers_racer_form, carried, "carried", &carried_item, sizeof(uint8_t), .min = 0,
            .max = SK_RACERS_CARRIED_MAX),
    SK_LIST(struct racers_racer_form, trail, "trail", &trail_item, sizeof(struct racers_trail_form),
            .min = 0, .max = SK_RACERS_TRAIL_MAX, .doc = "Newest first."),
};

static const struct sk_schema racer_schema =
    SK_SCHEMA("racer", NULL, racer_members, struct racers_racer_form);

static const struct sk_member racer_item = { .kind = SK_KIND_OBJECT, .object = &racer_schema };

static const struct sk_member failure_members[] = {
    SK_CELL(struct racers_failure_form, at, "at",
            .doc = "Its centre; the eight squares around it are without power too."),
    SK_INT(struct racers_failure_form, turns_left, "turns_left", .min = 1,
           .max = SK_RACERS_FAILURE_TURNS, .doc = "This one included."),
};

static const struct sk_schema failure_schema =
    SK_SCHEMA("failure", NULL, failure_members, struct racers_failure_form);

static const struct sk_member failure_item = { .kind = SK_KIND_OBJECT, .object = &failure_schema };

#define POSITION struct racers_position_form

static const struct sk_member position_members[] = {
    WALLS(POSITION, ground),
    STARTS(POSITION, ground),
    SK_INT(POSITION, active, "active", .min = 0, .max = RACERS_SEATS - 1,
           .doc = "The seat whose turn it is."),
    SK_INT(POSITION, actions_left, "actions_left", .min = 0, .max = SK_RACERS_ACTIONS,
           .doc = "0 only once the match is over."),
    SK_BOOL(POSITION, moved, "moved", .doc = "Whether the active racer has moved in this turn."),
    SK_LIST(POSITION, racers, "racers", &racer_item, sizeof(struct racers_racer_form),
            .min = RACERS_SEATS, .max = RACERS_SEATS),
    ITEMS(POSITION, ground),
    TELEPORTERS(POSITION, ground),
    SK_LIST(POSITION, failures, "failures", &failure_item, sizeof(struct racers_failure_form),
            .min = 0, .max = RACERS_FAILURES_MAX(RACERS_SQUARES_MAX)),
};

const struct sk_schema racers_state_schema =
    SK_SCHEMA("racers state", &sk_state_head, position_members, POSITION);
const struct sk_schema racers_view_schema =
    SK_SCHEMA("racers view", &sk_view_head, position_members, POSITION);

/* ---- commands ---------------------------------------------------------------------------- */

#define COMMAND struct racers_command

static const struct sk_member move_members[] = {
    SK_ENUM(COMMAND, dir, "dir", direction_words, .doc = "n is toward y = 0."),
};
static const struct sk_member pick_up_members[] = {
    SK_ENUM(COMMAND, item, "item", item_words, .doc = "What kind of item."),
};
static const struct sk_member use_members[] = {
    SK_ENUM(COMMAND, item, "item", item_words, .doc = "What kind of item."),
    SK_ENUM(COMMAND, dir, "dir", direction_words, .flags = SK_OPTIONAL | SK_TRACKED,
            .present = offsetof(COMMAND, has_dir), .doc = "For a disc: n, e, s or w."),
};
static const struct sk_member end_turn_members[] = {
    SK_BOOL(COMMAND, confirm, "confirm", .flags = SK_OPTIONAL,
            .doc = "End the turn even without a move, which loses the match."),
};

#define COMMAND_SCHEMA(members) SK_SCHEMA("racers command", NULL, members, COMMAND)

static const struct sk_schema move_schema = COMMAND_SCHEMA(move_members);
static const struct sk_schema pick_up_schema = COMMAND_SCHEMA(pick_up_members);
static const struct sk_schema use_schema = COMMAND_SCHEMA(use_members);
static const struct sk_schema end_turn_schema = COMMAND_SCHEMA(end_turn_members);

static const struct sk_variant commands[] = {
    SK_SHARED_COMMANDS,
    { "move", &move_schema, "One square in that direction." },
    { "pick_up", &pick_up_schema, "What lies on the own square." },
    { "use", &use_schema, "Places a grenade on the own square, or launches a disc." },
    { "end_turn", &end_turn_schema, "The actions that are left stay empty." },
};

const struct sk_variants racers_command_variants = SK_COMMANDS("racers command", commands, COMMAND);

/* ---- events ------------------------------------------------------------------------------ */

#define EVENT struct racers_event

#define EVENT_SEAT SK_INT(EVENT, seat, "seat", .min = 0, .max = RACERS_SEATS - 1)
#define EVENT_AT   SK_CELL(EVENT, at, "at", .doc = "Where.")

static const struct sk_member step_members[] = {
    EVENT_SEAT,
    SK_CELL(EVENT, from, "from", .doc = "Where the racer was."),
    SK_CELL(EVENT, at, "to", .doc = "Where the racer is now."),
};
static const struct sk_member picked_up_members[] = {
    EVENT_SEAT,
    SK_ENUM(EVENT, item, "item", item_words, .doc = "What kind of item."),
    EVENT_AT,
};
static const struct sk_member place_members[] = { EVENT_SEAT, EVENT_AT };
static const struct sk_member launched_members[] = {
    EVENT_SEAT,
    SK_ENUM(EVENT, item, "item", item_words, .doc = "What kind of item."),
    SK_ENUM(EVENT, dir, "dir", direction_words, .doc = "The direction of its flight."),
    SK_LIST(EVENT, cells, "path", &cell_item, sizeof(struct sk_cell), .min = 1,
            .max = SK_RACERS_PATH_MAX(RACERS_SQUARES_MAX),
            .doc = "The launch square, then each square the disc came to."),
    SK_CELL(EVENT, at, "landed", .doc = "Where it lies now."),
};
static const struct sk_member exploded_members[] = {
    EVENT_SEAT,
    EVENT_AT,
    SK_INT(EVENT, actions_lost, "actions_lost", .min = 0, .max = INT32_MAX,
           .doc = "In this turn and in later ones."),
};
static const struct sk_member power_failed_members[] = {
    SK_LIST(EVENT, cells, "centres", &cell_item, sizeof(struct sk_cell), .min = 1,
            .max = RACERS_SQUARES_MAX),
};
static const struct sk_member turn_passed_members[] = {
    EVENT_SEAT,
    SK_ENUM(EVENT, why, "why", why_words, .doc = "What ended it."),
};
static const struct sk_member seat_members[] = { EVENT_SEAT };

#define EVENT_SCHEMA(members) SK_SCHEMA("racers event", NULL, members, EVENT)

static const struct sk_schema step_schema = EVENT_SCHEMA(step_members);
static const struct sk_schema picked_up_schema = EVENT_SCHEMA(picked_up_members);
static const struct sk_schema place_schema = EVENT_SCHEMA(place_members);
static const struct sk_schema launched_schema = EVENT_SCHEMA(launched_members);
static const struct sk_schema exploded_schema = EVENT_SCHEMA(exploded_members);
static const struct sk_schema power_failed_schema = EVENT_SCHEMA(power_failed_members);
static const struct sk_schema turn_passed_schema = EVENT_SCHEMA(turn_passed_members);
static const struct sk_schema seat_schema = EVENT_SCHEMA(seat_members);

static const struct sk_variant events[] = {
    [RACERS_EVENT_MOVED] = { "moved", &step_schema, "A racer moved one square." },
    [RACERS_EVENT_TELEPORTED] = { "teleported", &step_schema, "A teleporter moved the racer." },
    [RACERS_EVENT_PICKED_UP] = { "picked_up", &picked_up_schema, "A racer took an item." },
    [RACERS_EVENT_PLACED] = { "placed", &place_schema, "A racer put a grenade down." },
    [RACERS_EVENT_LAUNCHED] = { "launched", &launched_schema, "A racer launched a disc." },
    [RACERS_EVENT_DISC_HIT] = { "disc_hit", &place_schema, "It hit this racer." },
    [RACERS_EVENT_EXPLODED] = { "exploded", &exploded_schema, "A racer ran into a grenade." },
    [RACERS_EVENT_POWER_FAILED] = { "power_failed", &power_failed_schema, "Power failed here." },
    [RACERS_EVENT_POWERED_OUT] = { "powered_out", &place_schema, "A racer ran into the dark." },
    [RACERS_EVENT_TURN_PASSED] = { "turn_passed", &turn_passed_schema, "A turn is over." },
    [RACERS_EVENT_TRAPPED] = { "trapped", &seat_schema, "This racer can move nowhere." },
    [RACERS_EVENT_FINISHED] = { "finished", &seat_schema, "This racer is at the finish." },
};

const struct sk_variants racers_event_variants = SK_EVENTS("racers event", events, EVENT);
