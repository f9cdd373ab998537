/*
 * Hints by trying: every command that the schema and the board allow is put to
 * the checks.  And the checks and events that rulesets share.
 */
#include "common/core/flat.h"

#include <string.h>

#include "common/base/status.h"
#include "common/core/rules.h"
#include "common/core/validate.h"

/* ---- shared checks ----------------------------------------------------------------------- */

static sk_verdict
judge_turn(const struct sk_check_in *in, uint32_t index)
{
    (void)index;
    return (sk_rules_owing(in->ruleset, in->config, in->view) >> in->seat & 1) != 0
               ? SK_VERDICT_OK
               : SK_NOT_YOUR_TURN;
}

void
sk_check_own_turn(const struct sk_check_in *in)
{
    sk_judge_each(in, judge_turn);
}

static sk_verdict
judge_multiple(const struct sk_check_in *in, uint32_t index)
{
    (void)in;
    (void)index;
    return SK_MULTIPLE_COMMANDS;
}

void
sk_check_single_command(const struct sk_check_in *in)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < in->commands.count; i++) {
        count += (in->standing[i] & in->kinds) != 0;
    }
    if (count > 1) {
        sk_judge_each(in, judge_multiple);
    }
}

static sk_verdict
judge_cells(const struct sk_check_in *in, uint32_t index)
{
    const struct sk_command *command = sk_command_at(in->ruleset, in->commands, index);
    const struct sk_schema *schema = in->ruleset->command->of[command->kind].schema;
    struct sk_cell board = sk_flat_board(in->ruleset, in->config);

    for (uint16_t i = 0; i < schema->member_count; i++) {
        const struct sk_member *member = &schema->members[i];

        if (member->kind == SK_KIND_CELL && !sk_member_is_absent(member, command) &&
            !sk_cell_on_grid(
                *(const struct sk_cell *)(const void *)((const uint8_t *)command + member->offset),
                board.x, board.y)) {
            return SK_OUT_OF_BOUNDS;
        }
    }
    return SK_VERDICT_OK;
}

void
sk_check_on_board(const struct sk_check_in *in)
{
    sk_judge_each(in, judge_cells);
}

/* ---- shared commands --------------------------------------------------------------------- */

#define FROM SK_CELL(struct sk_to_command, from, "from", .doc = "Where it is.")
#define TO   SK_CELL(struct sk_to_command, to, "to", .doc = "Where it goes.")

const struct sk_member sk_cell_item = {
    .kind = SK_KIND_CELL,
    .min = INT32_MIN,
    .max = INT32_MAX,
};

static const struct sk_member piece_members[] = {
    SK_INT(struct sk_piece, seat, "seat", .min = 0, .max = SK_SEATS_MAX - 1),
    SK_INT(struct sk_piece, points, "points", .min = 0, .max = SK_PIECE_POINTS_MAX),
    SK_CELL(struct sk_piece, at, "at", .doc = "Where it is."),
};

static const struct sk_schema piece_schema =
    SK_SCHEMA("piece", NULL, piece_members, struct sk_piece);

const struct sk_member sk_piece_item = { .kind = SK_KIND_OBJECT, .object = &piece_schema };

int32_t
sk_cells_nearest(const struct sk_row *cells, struct sk_cell from)
{
    const struct sk_cell *cell = (const struct sk_cell *)(const void *)(cells + 1);
    int32_t nearest = SK_GRID_MAX;

    for (uint32_t i = 0; i < cells->count; i++) {
        int64_t steps = sk_cell_distance(cell[i], from);

        nearest = steps < nearest ? (int32_t)steps : nearest;
    }
    return nearest;
}

struct sk_cell
sk_rng_cell(struct sk_rng *rng, int32_t cols, int32_t rows)
{
    int32_t x = (int32_t)sk_rng_below(rng, (uint32_t)cols);

    return sk_cell(x, (int32_t)sk_rng_below(rng, (uint32_t)rows));
}

static const struct sk_member to_members[] = { TO };
static const struct sk_member from_to_members[] = { FROM, TO };

const struct sk_schema sk_command_to =
    SK_SCHEMA("command to a cell", NULL, to_members, struct sk_to_command);
const struct sk_schema sk_command_from_to =
    SK_SCHEMA("command from cell to cell", NULL, from_to_members, struct sk_to_command);

const void *
sk_turn_command(const struct sk_turn *turn, uint8_t seat)
{
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        if (sk_turn_accepted(turn, seat, i)) {
            return sk_command_at(turn->ruleset, turn->commands[seat], i);
        }
    }
    return NULL;
}

struct sk_cell
sk_turn_target(const struct sk_turn *turn, uint8_t seat, struct sk_cell otherwise)
{
    const struct sk_to_command *command = sk_turn_command(turn, seat);

    return command == NULL ? otherwise : command->to;
}

void
sk_turn_refuse_commands(struct sk_turn *turn, sk_verdict verdict,
                        void (*stage)(struct sk_turn *turn))
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            if (sk_turn_accepted(turn, seat, i)) {
                sk_turn_refuse(turn, seat, i, verdict, stage);
            }
        }
    }
}

/* ---- shared events ----------------------------------------------------------------------- */

#define SEAT SK_INT(struct sk_plain_event, seat, "seat", .min = 0, .max = SK_SEATS_MAX - 1)

static const struct sk_member seat_members[] = { SEAT };
static const struct sk_member cell_members[] = {
    SEAT,
    SK_CELL(struct sk_plain_event, to, "at", .doc = "Where it happened."),
};
static const struct sk_member moved_members[] = {
    SEAT,
    SK_CELL(struct sk_plain_event, from, "from", .doc = "Where it was."),
    SK_CELL(struct sk_plain_event, to, "to", .doc = "Where it is now."),
};

const struct sk_schema sk_event_of_seat =
    SK_SCHEMA("event of a seat", NULL, seat_members, struct sk_plain_event);
const struct sk_schema sk_event_at_cell =
    SK_SCHEMA("event at a cell", NULL, cell_members, struct sk_plain_event);
const struct sk_schema sk_event_moved =
    SK_SCHEMA("move", NULL, moved_members, struct sk_plain_event);

void
sk_turn_tell(struct sk_turn *turn, uint8_t kind, uint8_t seat, struct sk_cell from,
             struct sk_cell to)
{
    struct sk_plain_event *event = sk_events_add(&turn->events, kind, sizeof(*event));

    event->seat = seat;
    event->from = from;
    event->to = to;
}

/* ---- hints ------------------------------------------------------------------------------- */

#define COMMAND_SIZE_MAX 256

/* How many values of the member are tried; 0 = too many to try. */
static uint64_t
value_count(const struct sk_member *member, struct sk_cell board)
{
    if (sk_member_may_lack(member)) {
        return 0;
    }
    switch (member->kind) {
    case SK_KIND_BOOL:
        return 2;
    case SK_KIND_ENUM:
        return member->word_count;
    case SK_KIND_INT:
        return (uint64_t)((int64_t)member->max - member->min + 1);
    case SK_KIND_CELL:
        return (uint64_t)board.x * (uint64_t)board.y; /* none without a board */
    default:
        return 0;
    }
}

bool
sk_flat_can_hint(const struct sk_ruleset *ruleset)
{
    struct sk_cell board = sk_flat_board_max(ruleset);
    uint64_t tries = 0;

    for (uint16_t kind = SK_COMMAND_OWN; kind < ruleset->command->count; kind++) {
        const struct sk_schema *schema = ruleset->command->of[kind].schema;
        uint64_t of_kind = 1;

        for (uint16_t i = 0; i < schema->member_count && of_kind <= SK_HINT_TRIES_MAX; i++) {
            uint64_t count = value_count(&schema->members[i], board);

            of_kind = count == 0 ? SK_HINT_TRIES_MAX + 1 : of_kind * count;
        }
        tries += of_kind;
    }
    return tries <= SK_HINT_TRIES_MAX && ruleset->command->size <= COMMAND_SIZE_MAX;
}

struct trying {
    struct sk_check_in in;
    struct sk_judgement judgement;
    struct sk_cell board;
    const struct sk_schema *schema; /* of the kind that is tried */
    struct sk_hint_sink *sink;
    _Alignas(8) uint8_t command[COMMAND_SIZE_MAX];
};

/* The value of that number. */
static void
value_set(struct trying *trying, const struct sk_member *member, uint32_t number)
{
    void *at = trying->command + member->offset;

    switch (member->kind) {
    case SK_KIND_BOOL:
        *(bool *)at = number != 0;
        break;
    case SK_KIND_ENUM:
        *(uint8_t *)at = (uint8_t)number;
        break;
    case SK_KIND_INT:
        *(int32_t *)at = (int32_t)(member->min + (int64_t)number);
        break;
    default:
        *(struct sk_cell *)at = sk_cell((int32_t)(number % (uint32_t)trying->board.x),
                                        (int32_t)(number / (uint32_t)trying->board.x));
        break;
    }
}

/* All values of the members from `place` on.  False = the receiver has enough. */
static bool
try_members(struct trying *trying, uint16_t place)
{
    const struct sk_member *member = &trying->schema->members[place];
    uint32_t count;

    if (place == trying->schema->member_count) {
        sk_validate(&trying->in);
        return trying->judgement.verdict != SK_VERDICT_OK ||
               trying->sink->take(trying->sink, trying->command);
    }
    count = (uint32_t)value_count(member, trying->board);
    for (uint32_t i = 0; i < count; i++) {
        value_set(trying, member, i);
        if (!try_members(trying, (uint16_t)(place + 1))) {
            return false;
        }
    }
    return true;
}

void
sk_flat_hints(const struct sk_ruleset *ruleset, const void *config, const void *view, uint8_t seat,
              struct sk_hint_sink *sink)
{
    struct trying trying = {
        .in = { .ruleset = ruleset, .config = config, .view = view, .seat = seat },
        .board = sk_flat_board(ruleset, config),
        .sink = sink,
    };
    bool goes_on = !((const struct sk_state *)view)->outcome.is_over;

    trying.in.commands = (struct sk_commands){ trying.command, 1 };
    trying.in.judgements = &trying.judgement;
    for (uint8_t kind = SK_COMMAND_OWN; kind < ruleset->command->count && goes_on; kind++) {
        memset(trying.command, 0, sizeof(trying.command));
        ((struct sk_command *)(void *)trying.command)->kind = kind;
        trying.schema = ruleset->command->of[kind].schema;
        goes_on = try_members(&trying, 0);
    }
}
