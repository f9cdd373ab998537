#include "proto/records.h"

#include "common/base/limits.h"
#include "proto/frames.h"
#include "proto/frames_parts.h"

static const struct sk_member json_item = { .kind = SK_KIND_JSON };
static const struct sk_member number_item = { .kind = SK_KIND_INT, COUNT };

static const struct sk_member created_members[] = {
    SK_ID_TEXT(struct record_created, ruleset, "ruleset", .doc = "Its name."),
    SK_INT(struct record_created, version, "version", .min = 1, .max = INT32_MAX),
    SK_JSON(struct record_created, params, "params", .doc = "Complete: defaults written out."),
    SK_TEXT_OF(struct record_created, commitment, "commitment", HEX64),
    SK_JSON(struct record_created, settings, "settings", .doc = "See the settings."),
    SK_LONG(struct record_created, rematch_of, "rematch_of",
            MAY_MISS(struct record_created, has_rematch_of)),
};

static const struct sk_member settings_members[] = {
    SK_BOOL(struct record_settings, has_clock, "clock", .doc = "Does any clock run?"),
    SK_INT(struct record_settings, turn_ms, "turn_ms", COUNT,
           MAY_MISS(struct record_settings, has_turn_ms)),
    SK_INT(struct record_settings, bank_ms, "bank_ms", COUNT),
    SK_BOOL(struct record_settings, is_open, "open", .doc = "Shown in lists."),
    SK_BOOL(struct record_settings, is_rated, "rated", .doc = "Counts for ratings."),
    SK_INT(struct record_settings, spectator_delay, "spectator_delay", .min = 0,
           .max = FRAME_SPECTATOR_DELAY_MAX),
    SK_BOOL(struct record_settings, is_cycle, "cycle", .flags = SK_OPTIONAL,
            .doc = "Every turn takes exactly turn_ms."),
    SK_INT(struct record_settings, rated_turns, "rated_turns", .min = 1, .max = INT32_MAX,
           MAY_MISS(struct record_settings, has_rated_turns),
           .doc = "With fewer turns it does not count."),
    SK_INT(struct record_settings, rated_repeats, "rated_repeats", .min = 1, .max = INT32_MAX,
           MAY_MISS(struct record_settings, has_rated_repeats),
           .doc = "How many matches of the same two players count per day."),
    SK_LONG(struct record_settings, created_by, "created_by",
            MAY_MISS(struct record_settings, has_created_by),
            .doc = "The player who created a match that only bots play."),
};

static const struct sk_member joined_members[] = {
    SK_LONG(struct record_joined, player, "player", MAY_BE_NULL(struct record_joined, has_player)),
    SK_BOOL(struct record_joined, bot, "bot", .doc = "It says that it is a bot."),
    SK_BOOL(struct record_joined, unrated, "unrated", MAY_MISS(struct record_joined, has_unrated),
            .doc = "Did not ask that a private match count for ratings."),
    SK_BOOL(struct record_joined, starts, "starts", .doc = "The last seat: the match begins."),
};

/* How long the seat had thought in its turn when the record was made. */
#define USED_MS(type) SK_INT(type, used_ms, "used_ms", COUNT)

static const struct sk_member submission_members[] = {
    SK_JSON(struct record_submission, commands, "commands", .doc = "As they were sent."),
    SK_JSON(struct record_submission, verdicts, "verdicts", .doc = "One per command."),
    SK_BOOL(struct record_submission, ready, "ready", .doc = "May close the turn."),
    SK_BOOL(struct record_submission, asked, "asked", MAY_MISS(struct record_submission, has_asked),
            .doc = "The frame's `ready`, if it had one."),
    USED_MS(struct record_submission),
};

static const struct sk_member withdrawn_members[] = {
    USED_MS(struct record_withdrawn),
};

/* One per seat. */
#define NUMBERS_OF(field, ...)                                                          \
    SK_LIST(struct record_turn, field, #field, &number_item, sizeof(int32_t), .min = 0, \
            .max = SK_SEATS_MAX, __VA_ARGS__)

static const struct sk_member turn_members[] = {
    SK_LIST(struct record_turn, commands, "commands", &json_item, sizeof(struct sk_json), .min = 1,
            .max = SK_SEATS_MAX),
    SK_LIST(struct record_turn, verdicts, "verdicts", &json_item, sizeof(struct sk_json), .min = 1,
            .max = SK_SEATS_MAX),
    SK_JSON(struct record_turn, events, "events", .doc = "All of them, hidden ones too."),
    SK_TEXT_OF(struct record_turn, hash, "hash", HEX16),
    NUMBERS_OF(used_ms, .flags = 0),
    NUMBERS_OF(bank_ms, .flags = 0),
    NUMBERS_OF(missed, .flags = SK_OPTIONAL),
    NUMBERS_OF(going_ms, .flags = SK_OPTIONAL),
    SK_JSON(struct record_turn, failures, "failures", .flags = SK_OPTIONAL),
};

static const struct sk_member clock_members[] = {
    SK_INT(struct record_clock, shift_ms, "shift_ms", COUNT),
};

static const struct sk_member offer_members[] = {
    SK_BOOL(struct record_offer, is_declined, "declined", .doc = "False: it was offered."),
};

static const struct sk_member ended_members[] = {
    SK_INT(struct record_ended, winner, "winner", SEAT_BOUNDS,
           MAY_BE_NULL(struct record_ended, has_winner)),
    SK_ID_TEXT(struct record_ended, reason, "reason", .doc = "Why."),
    SK_TEXT_OF(struct record_ended, seed, "seed", HEX64),
    SK_TEXT_OF(struct record_ended, salt, "salt", HEX64),
    SK_TEXT_OF(struct record_ended, hash, "hash", HEX16),
};

static const struct sk_member seat_members[] = {
    SK_LONG(struct record_seat, player, "player", .min = 1),
    SK_BOOL(struct record_seat, bot, "bot", .doc = "It says that it is a bot."),
};

static const struct sk_schema seat_schema =
    SK_SCHEMA("seat", NULL, seat_members, struct record_seat);
static const struct sk_member seat_item = { .kind = SK_KIND_OBJECT, .object = &seat_schema };

static const struct sk_member snapshot_members[] = {
    SK_INT(struct record_snapshot, seq, "seq", .min = 1, .max = INT32_MAX),
    SK_INT(struct record_snapshot, open_ms, "open_ms", COUNT),
    SK_LIST(struct record_snapshot, seats, "seats", &seat_item, sizeof(struct record_seat),
            .min = 1, .max = SK_SEATS_MAX),
    SK_TEXT_OF(struct record_snapshot, state, "state", .min = 2, .max = RECORD_STATE_DIGITS_MAX),
};

#define RECORD_SCHEMA(name)                   \
    const struct sk_schema sk_record_##name = \
        SK_SCHEMA(#name, NULL, name##_members, struct record_##name)

RECORD_SCHEMA(created);
RECORD_SCHEMA(settings);
RECORD_SCHEMA(joined);
RECORD_SCHEMA(submission);
RECORD_SCHEMA(withdrawn);
RECORD_SCHEMA(turn);
const struct sk_schema sk_record_turn_rest = {
    .title = "turn",
    .members = turn_members + RECORD_TURN_PLAYED,
    .member_count = (uint16_t)(SK_COUNT_OF(turn_members) - RECORD_TURN_PLAYED),
    .size = sizeof(struct record_turn),
};
RECORD_SCHEMA(clock);
RECORD_SCHEMA(offer);
RECORD_SCHEMA(ended);
RECORD_SCHEMA(snapshot);

static const struct sk_member nothing_members[1] = { { .name = NULL } };

const struct sk_schema sk_record_nothing = {
    .title = "nothing",
    .members = nothing_members,
    .member_count = 0,
    .size = 0,
};
