#include "proto/frames.h"

#include <string.h>

#include "proto/bot_failures.h"
#include "proto/errors.h"
#include "proto/frames_parts.h"
#include "proto/json_value.h"
#include "proto/schema_doc.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"

/* ---- what both directions share ---------------------------------------------------------- */

static const struct sk_member head_members[] = {
    SK_TEXT_OF(struct frame_head, id, "id", .min = 1, .max = FRAME_ID_MAX,
               MAY_MISS(struct frame_head, has_id),
               .doc = "Chosen by the client; the answer to the frame carries the same."),
};
const struct sk_schema sk_frame_head = SK_SCHEMA("frame", NULL, head_members, struct frame_head);

static const struct sk_member clock_members[] = {
    SK_INT(struct frame_clock, turn_ms, "turn_ms", .min = FRAME_TURN_MS_MIN, .max = INT32_MAX,
           MAY_MISS(struct frame_clock, has_turn_ms),
           .doc = "Milliseconds for each turn; when missing, all time comes from the bank."),
    SK_INT(struct frame_clock, bank_ms, "bank_ms", COUNT, .flags = SK_OPTIONAL,
           .doc = "Milliseconds for the whole match, used when those of a turn are over."),
};
const struct sk_schema sk_frame_clock = SK_SCHEMA("clock", NULL, clock_members, struct frame_clock);

/* ---- errors ------------------------------------------------------------------------------ */

struct error_row {
    const char *code;
    const char *meaning;
    int32_t retry_ms;
};

#define ERROR_ROW(number, code, retry_ms, meaning) [number] = { code, meaning, retry_ms },
static const struct error_row error_rows[] = { SK_ERRORS(ERROR_ROW) };
#undef ERROR_ROW

const char *
sk_error_code(enum error_code code)
{
    SK_ASSERT(code < ERROR_COUNT);
    return error_rows[code].code;
}

const char *
sk_error_meaning(enum error_code code)
{
    SK_ASSERT(code < ERROR_COUNT);
    return error_rows[code].meaning;
}

int32_t
sk_error_retry_ms(enum error_code code)
{
    SK_ASSERT(code < ERROR_COUNT);
    return error_rows[code].retry_ms;
}

#define FAILURE_ROW(number, word, meaning) [number] = { word, meaning, 0 },
static const struct error_row failure_rows[] = { SK_BOT_FAILURES(FAILURE_ROW) };
#undef FAILURE_ROW

const char *
sk_bot_failure_word(enum bot_failure failure)
{
    SK_ASSERT(failure != BOT_ANSWERED && failure < BOT_FAILURE_COUNT);
    return failure_rows[failure].code;
}

const char *
sk_bot_failure_meaning(enum bot_failure failure)
{
    SK_ASSERT(failure != BOT_ANSWERED && failure < BOT_FAILURE_COUNT);
    return failure_rows[failure].meaning;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* A malformed frame is still answered with its id, if that is valid. */
static void
read_id_only(const struct sk_value *json, struct sk_arena *arena, struct frame_head *ret_head)
{
    const struct sk_value *id =
        sk_value_is(json, SK_VALUE_OBJECT) ? sk_value_member(json, "id") : NULL;
    struct sk_text text;

    if (sk_value_is(id, SK_VALUE_TEXT) && sk_value_text(id, arena, &text) && text.length >= 1 &&
        text.length <= FRAME_ID_MAX) {
        ret_head->has_id = true;
        ret_head->id = text;
    }
}

/* The tables treat null and missing members alike; here they differ. */
static bool
has_null(const struct sk_value *json, const char *name)
{
    return sk_value_is(sk_value_member(json, name), SK_VALUE_NULL);
}

enum sk_status
sk_frame_read(const struct sk_value *json, struct sk_arena *arena, union client_frame *ret_frame,
              struct sk_fault *ret_fault)
{
    enum sk_status status = sk_variant_read(&sk_client_frames, json, arena, ret_frame, ret_fault);

    if (status != SK_OK) {
        memset(ret_frame, 0, sizeof(*ret_frame));
        read_id_only(json, arena, &ret_frame->head);
        return status;
    }
    if (ret_frame->head.type == FRAME_CREATE) {
        ret_frame->create.without_clock = has_null(json, "clock");
        ret_frame->create.without_cycle = has_null(json, "cycle_ms");
    }
    return SK_OK;
}

/* ---- writing ----------------------------------------------------------------------------- */

void
sk_frame_write(struct sk_json_out *out, const void *frame)
{
    sk_variant_write(out, &sk_server_frames, frame);
}

void
sk_client_frame_write(struct sk_json_out *out, const void *frame)
{
    sk_variant_write(out, &sk_client_frames, frame);
}

void
sk_frames_document(struct sk_json_out *out)
{
    sk_json_begin_object(out);
    sk_json_key_string(out, "version", SK_PROTOCOL_VERSION);
    sk_json_key(out, "client");
    sk_variants_document(out, &sk_client_frames);
    sk_json_key(out, "server");
    sk_variants_document(out, &sk_server_frames);
    sk_json_key(out, "errors");
    sk_json_begin_list(out);
    for (unsigned i = 0; i < ERROR_COUNT; i++) {
        sk_json_begin_object(out);
        sk_json_key_string(out, "code", sk_error_code((enum error_code)i));
        sk_json_key_string(out, "meaning", sk_error_meaning((enum error_code)i));
        sk_json_key_bool(out, "retry", sk_error_retry_ms((enum error_code)i) != 0);
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
}
