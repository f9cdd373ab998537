/*
 * The lines of a match file: a match that can be verified without its
 * database, to move, keep or prove it.
 *
 * One JSON object per line: the head, each record, and the end with a checksum
 * over the lines before it.  Texts that hashes are made of (params, settings,
 * bodies) are strings, so that their bytes are exact.  Numbers that may not
 * fit 32 bits (ids of matches, times) are strings of digits.  The form has a
 * version of its own; migrations/README.md describes it for people.
 *
 * Owner:   what was read points into the arena it was read with.
 */
#ifndef SK_MATCH_LINES_H
#define SK_MATCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/core/schema.h"

#define MATCH_LINES_VERSION 1
#define MATCH_LINE_MAX      (16u * 1024u * 1024u) /* bytes of one line */
#define MATCH_DIGITS_MAX    19

struct match_line_seat {
    bool has_player;
    int64_t player; /* as in the records; not present: the seat was free */
    struct sk_text name;
    bool bot;
};

struct match_line_head {
    int32_t form;         /* MATCH_LINES_VERSION */
    struct sk_text match; /* the number that the hashes are made with */
    struct sk_text ruleset;
    int32_t version;
    struct sk_text params;
    struct sk_text settings;
    struct sk_text seed;
    struct sk_text salt;
    bool rated;
    struct sk_list seats; /* struct match_line_seat */
    struct sk_text created_at;
    struct sk_text started_at; /* empty: it never started */
    struct sk_text ended_at;
    bool has_winner;
    int32_t winner;
    struct sk_text reason;
    int32_t records;
    struct sk_text head; /* hash of the last record */
};

struct match_line_record {
    int32_t seq;
    int32_t epoch;
    bool has_turn;
    int32_t turn;
    bool has_seat;
    int32_t seat;
    struct sk_text command_id; /* empty: none */
    struct sk_text kind;
    struct sk_text at;
    struct sk_text hash;
    struct sk_text body;
};

struct match_line_end {
    struct sk_text end;    /* the match's number again */
    struct sk_text sha256; /* of all its lines before this one, newlines included */
};

extern const struct sk_schema sk_match_line_head;
extern const struct sk_schema sk_match_line_record;
extern const struct sk_schema sk_match_line_end;

/* The member with the version of a head. */
#define MATCH_LINES_TAG "skirmish_match"

#endif /* SK_MATCH_LINES_H */
