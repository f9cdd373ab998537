/*
 * Decodes stored records into facts.
 *
 * A turn is resolved again; the fact says whether it gave the stored hash.
 * Comparing the rest of a record is up to the code that proves a match
 * (server/replay).
 *
 * Owner:   the caller, who frees a fact by fact_fini.
 */
#ifndef SK_MATCH_READ_H
#define SK_MATCH_READ_H

#include "proto/records.h"
#include "server/match/apply.h"

/* The decoded body of a record kind that changes the match. */
union record_form {
    struct record_joined joined;
    struct record_submission submission;
    struct record_turn turn;
    struct record_withdrawn withdrawn;
    struct record_clock clock;
    struct record_offer offer;
};

/*
 * Returns NULL, or what is wrong.  `people` may be NULL: then players have no
 * names.  A turn's resolution stays in *ret_turn until `work` is used again.
 * The caller decides what follows if it does not match the stored result
 * (fact.is_as_stored).
 */
const char *match_read(struct work *work, const struct match *match, const struct store_job *people,
                       const struct store_record *record, struct sk_turn *ret_turn,
                       struct fact *ret_fact);

/* The same for a body that is already decoded. */
const char *match_read_form(struct work *work, const struct match *match,
                            const struct store_job *people, const struct store_record *record,
                            const union record_form *form, struct sk_turn *ret_turn,
                            struct fact *ret_fact);

/* The same for a turn whose commands the caller has resolved; the caller sets its clocks. */
void match_read_resolved(const struct match *match, const struct store_record *record,
                         struct sk_turn *turn, struct fact *ret_fact);
void fact_fini(struct fact *fact);

/* Starts a match from its row, as it was created.  Returns NULL, or what is wrong. */
const char *match_begin(struct work *work, const struct store_match *row, struct match *ret_match);

/* Decodes the record's body into the arena.  Returns NULL, or what is wrong.  The caller frees the
 * JSON. */
const char *match_read_body(struct work *work, const struct store_record *record,
                            const struct sk_schema *schema, struct sk_value **ret_json,
                            void *ret_form);

/* The player that a record seats; names come from `people`. */
struct fact_joined match_read_sitter(const struct store_job *people, int64_t player, bool is_bot);

/* Banks and missed deadlines after that turn. */
void match_read_clocks(const struct match *match, const struct record_turn *body,
                       struct clock_step ret_clocks[SK_SEATS_MAX]);

#endif /* SK_MATCH_READ_H */
