#include "proto/match_lines.h"

#include "common/base/limits.h"
#include "proto/frames.h"
#include "proto/frames_parts.h"

#define DIGITS .min = 1, .max = MATCH_DIGITS_MAX
#define WHOLE  .min = 1, .max = (int32_t)MATCH_LINE_MAX

static const struct sk_member seat_members[] = {
    SK_LONG(struct match_line_seat, player, "player", .min = 1,
            MAY_BE_NULL(struct match_line_seat, has_player)),
    SK_TEXT_OF(struct match_line_seat, name, "name", .min = 1, .max = FRAME_PLAYER_NAME_MAX,
               .flags = SK_NULLABLE),
    SK_BOOL(struct match_line_seat, bot, "bot", .doc = "A program plays it."),
};

static const struct sk_schema seat_schema =
    SK_SCHEMA("seat", NULL, seat_members, struct match_line_seat);
static const struct sk_member seat_item = { .kind = SK_KIND_OBJECT, .object = &seat_schema };

static const struct sk_member head_members[] = {
    SK_INT(struct match_line_head, form, MATCH_LINES_TAG, .min = MATCH_LINES_VERSION,
           .max = MATCH_LINES_VERSION),
    SK_TEXT_OF(struct match_line_head, match, "match", DIGITS),
    SK_ID_TEXT(struct match_line_head, ruleset, "ruleset", .doc = "Its name."),
    SK_INT(struct match_line_head, version, "version", .min = 1, .max = INT32_MAX),
    SK_TEXT_OF(struct match_line_head, params, "params", WHOLE),
    SK_TEXT_OF(struct match_line_head, settings, "settings", WHOLE),
    SK_TEXT_OF(struct match_line_head, seed, "seed", HEX64),
    SK_TEXT_OF(struct match_line_head, salt, "salt", HEX64),
    SK_BOOL(struct match_line_head, rated, "rated", .doc = "Its result counted there."),
    SK_LIST(struct match_line_head, seats, "seats", &seat_item, sizeof(struct match_line_seat),
            .min = 1, .max = SK_SEATS_MAX),
    SK_TEXT_OF(struct match_line_head, created_at, "created_at", DIGITS),
    SK_TEXT_OF(struct match_line_head, started_at, "started_at", DIGITS, .flags = SK_NULLABLE),
    SK_TEXT_OF(struct match_line_head, ended_at, "ended_at", DIGITS),
    SK_INT(struct match_line_head, winner, "winner", SEAT_BOUNDS,
           MAY_BE_NULL(struct match_line_head, has_winner)),
    SK_ID_TEXT(struct match_line_head, reason, "reason", .doc = "Why it ended."),
    SK_INT(struct match_line_head, records, "records", .min = 1, .max = INT32_MAX),
    SK_TEXT_OF(struct match_line_head, head, "head", HEX64),
};

static const struct sk_member record_members[] = {
    SK_INT(struct match_line_record, seq, "seq", .min = 1, .max = INT32_MAX),
    SK_INT(struct match_line_record, epoch, "epoch", .min = 1, .max = INT32_MAX),
    SK_INT(struct match_line_record, turn, "turn", .min = 0, .max = SK_TURN_MAX,
           MAY_BE_NULL(struct match_line_record, has_turn)),
    SEAT_OF(struct match_line_record, MAY_BE_NULL(struct match_line_record, has_seat)),
    SK_TEXT_OF(struct match_line_record, command_id, "command_id", .min = 1,
               .max = FRAME_COMMAND_ID_MAX, .flags = SK_NULLABLE),
    SK_ID_TEXT(struct match_line_record, kind, "kind", .doc = "Of the record."),
    SK_TEXT_OF(struct match_line_record, at, "at", DIGITS),
    SK_TEXT_OF(struct match_line_record, hash, "hash", HEX64),
    SK_TEXT_OF(struct match_line_record, body, "body", WHOLE),
};

static const struct sk_member end_members[] = {
    SK_TEXT_OF(struct match_line_end, end, "end", DIGITS),
    SK_TEXT_OF(struct match_line_end, sha256, "sha256", HEX64),
};

#define LINE_SCHEMA(name)                         \
    const struct sk_schema sk_match_line_##name = \
        SK_SCHEMA(#name, NULL, name##_members, struct match_line_##name)

LINE_SCHEMA(head);
LINE_SCHEMA(record);
LINE_SCHEMA(end);
