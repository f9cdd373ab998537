#include "common/core/ruleset.h"

#include "common/base/status.h"

#define WORD(number, word) word,
static const char *const shared_verdicts[] = { SK_SHARED_VERDICTS(WORD) };
static const char *const shared_reasons[] = { SK_SHARED_REASONS(WORD) };
#undef WORD

static const struct sk_member outcome_members[] = {
    SK_INT(struct sk_form_head, winner, "winner", .min = 0, .max = SK_SEATS_MAX - 1,
           .flags = SK_NULLABLE | SK_TRACKED, .present = offsetof(struct sk_form_head, has_winner),
           .doc = "The seat that won, or null."),
    SK_ID_TEXT(struct sk_form_head, reason, "reason",
               .doc = "Why the match ended; a draw's begins with draw."),
};

static const struct sk_schema outcome_schema =
    SK_SCHEMA("outcome", NULL, outcome_members, struct sk_form_head);

/* The outcome's members are in the head itself, so the object is the head again. */
#define OUTCOME_MEMBER                                                                            \
    {                                                                                             \
        .kind = SK_KIND_OBJECT, .offset = 0, SK_NAMED("outcome"), .object = &outcome_schema,      \
        .flags = SK_OPTIONAL | SK_TRACKED, .present = offsetof(struct sk_form_head, has_outcome), \
        .doc = "Only once the match is over."                                                     \
    }

static const struct sk_member state_head_members[] = { OUTCOME_MEMBER };

static const struct sk_member seat_item = {
    .kind = SK_KIND_INT,
    .min = 0,
    .max = SK_SEATS_MAX - 1,
};

static const struct sk_member view_head_members[] = {
    SK_INT(struct sk_form_head, turn, "turn", .min = 0, .max = SK_TURN_MAX),
    SK_INT(struct sk_form_head, seat, "seat", .min = 0, .max = SK_SEATS_MAX - 1,
           .flags = SK_NULLABLE | SK_TRACKED, .present = offsetof(struct sk_form_head, has_seat),
           .doc = "The seat whose view this is, or null for a spectator's."),
    SK_LIST(struct sk_form_head, owing, "owing", &seat_item, sizeof(int32_t), .min = 0,
            .max = SK_SEATS_MAX, .doc = "The seats the turn waits for."),
    OUTCOME_MEMBER,
};

const struct sk_schema sk_state_head =
    SK_SCHEMA("state", NULL, state_head_members, struct sk_form_head);
/* Behind the ruleset's own members, so that views that show the same begin alike. */
const struct sk_schema sk_view_head = {
    .title = "view",
    .members = view_head_members,
    .member_count = SK_COUNT_OF(view_head_members),
    .is_tail = true,
    .size = sizeof(struct sk_form_head),
};

/* No members; not NULL, because even adding 0 to NULL is undefined. */
static const struct sk_member no_members[1] = { { .name = NULL } };

const struct sk_schema sk_bare_command = {
    .title = "bare command",
    .members = no_members,
    .member_count = 0,
    .size = sizeof(struct sk_command),
};

const char *
sk_verdict_name(const struct sk_ruleset *ruleset, sk_verdict verdict)
{
    if (verdict < SK_VERDICT_OWN) {
        return shared_verdicts[verdict];
    }
    SK_ASSERT(verdict - SK_VERDICT_OWN < ruleset->verdict_count);
    return ruleset->verdicts[verdict - SK_VERDICT_OWN].name;
}

const char *
sk_reason_name(const struct sk_ruleset *ruleset, uint8_t reason)
{
    if (reason < SK_REASON_OWN) {
        return shared_reasons[reason];
    }
    SK_ASSERT(reason - SK_REASON_OWN < ruleset->reason_count);
    return ruleset->reasons[reason - SK_REASON_OWN].name;
}

bool
sk_reason_find(const struct sk_ruleset *ruleset, struct sk_text name, uint8_t *ret_reason)
{
    unsigned count = SK_REASON_OWN + ruleset->reason_count;

    for (unsigned i = SK_REASON_NONE + 1; i < count; i++) {
        if (sk_text_same(name, sk_text_of(sk_reason_name(ruleset, (uint8_t)i)))) {
            *ret_reason = (uint8_t)i;
            return true;
        }
    }
    return false;
}

const char *
sk_check_name(const struct sk_ruleset *ruleset, struct sk_judgement judgement)
{
    if (judgement.check == SK_CHECK_NONE) {
        return NULL;
    }
    if ((judgement.check & SK_CHECK_IS_STAGE) != 0) {
        return ruleset->stages[judgement.check & ~SK_CHECK_IS_STAGE].name;
    }
    return ruleset->checks[judgement.check].name;
}

const struct sk_check *
sk_check_find(const struct sk_ruleset *ruleset, const char *name)
{
    for (uint8_t i = 0; i < ruleset->check_count; i++) {
        if (strcmp(ruleset->checks[i].name, name) == 0) {
            return &ruleset->checks[i];
        }
    }
    return NULL;
}

const struct sk_stage *
sk_stage_find(const struct sk_ruleset *ruleset, const char *name)
{
    for (uint8_t i = 0; i < ruleset->stage_count; i++) {
        if (strcmp(ruleset->stages[i].name, name) == 0) {
            return &ruleset->stages[i];
        }
    }
    return NULL;
}
