#include "common/core/snapshot.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/status.h"
#include "common/core/rules.h"

#define FORMAT 1u

static void
head_write(const struct sk_ruleset *ruleset, const struct sk_state *state, struct sk_bytes_out *out)
{
    struct sk_text name = sk_text_of(ruleset->name);
    uint8_t *space;

    sk_put_u8(out, FORMAT);
    sk_put_u8(out, (uint8_t)name.length);
    space = sk_put_space(out, name.length);
    if (space != NULL) {
        memcpy(space, name.at, name.length);
    }
    sk_put_u32(out, ruleset->version);
    sk_put_u32(out, state->turn);
    sk_put_u8(out, state->outcome.is_over);
    sk_put_u8(out, (uint8_t)(state->outcome.winner + 1));
    sk_put_u8(out, state->outcome.reason);
}

static bool
head_names_ruleset(const struct sk_ruleset *ruleset, struct sk_bytes_in *in)
{
    struct sk_text name = sk_text_of(ruleset->name);

    if (sk_take_u8(in) != FORMAT || sk_take_u8(in) != name.length) {
        return false;
    }
    for (uint32_t i = 0; i < name.length; i++) {
        if (sk_take_u8(in) != (uint8_t)name.at[i]) {
            return false;
        }
    }
    return sk_take_u32(in) == ruleset->version;
}

static bool
outcome_read(const struct sk_ruleset *ruleset, uint8_t seat_count, struct sk_bytes_in *in,
             struct sk_outcome *ret_outcome)
{
    uint8_t is_over = sk_take_u8(in);
    uint8_t winner = sk_take_u8(in);
    uint8_t reason = sk_take_u8(in);

    if (is_over > 1 || winner > seat_count || reason >= SK_REASON_OWN + ruleset->reason_count ||
        (is_over == 1) != (reason != SK_REASON_NONE) || (is_over == 0 && winner != 0)) {
        return false;
    }
    *ret_outcome = (struct sk_outcome){ is_over == 1, reason, (int8_t)(winner - 1) };
    return true;
}

size_t
sk_snapshot_write(const struct sk_ruleset *ruleset, const void *config,
                  const struct sk_state *state, uint8_t *buffer, size_t size)
{
    struct sk_bytes_out out = { .at = buffer, .size = size };

    head_write(ruleset, state, &out);
    sk_rules_snapshot_write(ruleset, config, state, &out);
    SK_ASSERT(out.used <= size);
    return out.used;
}

enum sk_status
sk_snapshot_read(const struct sk_ruleset *ruleset, const void *config, const uint8_t *bytes,
                 size_t size, struct sk_state *ret_state)
{
    struct sk_bytes_in in = { .at = bytes, .size = size };
    struct sk_outcome outcome;
    uint32_t turn;
    enum sk_status status;

    if (!head_names_ruleset(ruleset, &in)) {
        return SK_ERR_CORRUPT;
    }
    turn = sk_take_u32(&in);
    if (turn > SK_TURN_MAX ||
        !outcome_read(ruleset, sk_rules_seat_count(ruleset, config), &in, &outcome)) {
        return SK_ERR_CORRUPT;
    }
    ret_state->turn = turn;
    ret_state->outcome = outcome;
    status = sk_rules_snapshot_read(ruleset, config, &in, ret_state);
    if (status != SK_OK) {
        return status;
    }
    return in.is_short || in.used != in.size ? SK_ERR_CORRUPT : SK_OK;
}

uint64_t
sk_snapshot_hash(const struct sk_ruleset *ruleset, const void *config, const struct sk_state *state,
                 uint8_t *buffer, size_t size)
{
    return sk_hash(buffer, sk_snapshot_write(ruleset, config, state, buffer, size));
}
