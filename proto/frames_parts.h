/*
 * What the member tables of this folder share: frames, records, match files and
 * the lines of the admin socket.
 */
#ifndef SK_FRAMES_PARTS_H
#define SK_FRAMES_PARTS_H

#include "common/core/schema.h"

extern const struct sk_schema sk_frame_head;
extern const struct sk_schema sk_frame_clock;

/* Flags of a member with a `has`: it may be missing, or null. */
#define MAY_MISS(type, has)    .flags = SK_OPTIONAL | SK_TRACKED, .present = offsetof(type, has)
#define MAY_BE_NULL(type, has) .flags = SK_NULLABLE | SK_TRACKED, .present = offsetof(type, has)

/* Members that many frames have. */
#define MATCH_OF(type)      SK_LONG(type, match, "match", .min = 1, .doc = "The match.")
#define SEQ_OF(type, text)  SK_INT(type, seq, "seq", COUNT, .doc = (text))
#define TURN_OF(type, text) SK_INT(type, turn, "turn", .min = 0, .max = SK_TURN_MAX, .doc = (text))
#define COMMAND_ID_OF(type, text) \
    SK_TEXT_OF(type, command_id, "command_id", .min = 1, .max = FRAME_COMMAND_ID_MAX, .doc = (text))

#define CODE_OF(type, text)                                                               \
    SK_TEXT_OF(type, code, "code", .min = 1, .max = FRAME_CODE_MAX, .flags = SK_OPTIONAL, \
               .doc = (text))
#define SEAT_OF(type, ...) SK_INT(type, seat, "seat", SEAT_BOUNDS, __VA_ARGS__)

/* Bounds of seats, of numbers that count something, and of hashes. */
#define SEAT_BOUNDS .min = 0, .max = SK_SEATS_MAX - 1
#define COUNT       .min = 0, .max = INT32_MAX
#define HEX64       .min = FRAME_CHAIN_DIGITS, .max = FRAME_CHAIN_DIGITS
#define HEX16       .min = FRAME_HASH_DIGITS, .max = FRAME_HASH_DIGITS

/* A frame's row in its variants, and the schema of its struct. */
#define FRAME_SCHEMA(name, type) \
    static const struct sk_schema name = SK_SCHEMA(#name, &sk_frame_head, name##_members, type)

#endif /* SK_FRAMES_PARTS_H */
