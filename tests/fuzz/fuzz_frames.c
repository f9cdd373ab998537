/*
 * Any bytes as a client's message: refused with a position inside the text, or read into a frame
 * whose members are within their bounds.
 */
#include <string.h>

#include "proto/frames.h"
#include "proto/json_parse.h"
#include "tests/fuzz/input.h"

#define ARENA_SIZE (8u * FRAME_CREATE_BYTES_MAX + 65536u) /* as the host's */

static struct sk_arena arena;

static void
begin(void)
{
    if (arena.base == NULL) {
        sk_arena_init(&arena, malloc(ARENA_SIZE), ARENA_SIZE);
        must(arena.base != NULL);
    }
}

static void
check_text(struct sk_text text, uint32_t max)
{
    must(text.length <= max);
    for (uint32_t i = 0; i < text.length; i++) {
        must(text.at[i] != '\0'); /* it is used as a C string */
    }
}

static void
check_frame(const union client_frame *frame)
{
    must(frame->head.type < FRAME_COUNT);
    check_text(frame->head.id, FRAME_ID_MAX);
    switch (frame->head.type) {
    case FRAME_HELLO:
        check_text(frame->hello.token, FRAME_TOKEN_MAX);
        check_text(frame->hello.name, FRAME_PLAYER_NAME_MAX);
        break;
    case FRAME_CREATE:
        must(frame->create.spectator_delay >= 0 &&
             frame->create.spectator_delay <= FRAME_SPECTATOR_DELAY_MAX);
        must(!frame->create.clock.has_turn_ms || frame->create.clock.turn_ms >= FRAME_TURN_MS_MIN);
        must(frame->create.clock.bank_ms >= 0);
        must(frame->create.seat >= 0 && frame->create.seat < SK_SEATS_MAX);
        must(frame->create.seed.length == 0 || frame->create.seed.length == FRAME_SEED_DIGITS);
        break;
    case FRAME_JOIN:
        check_text(frame->join.code, FRAME_CODE_MAX);
        must(frame->join.seat >= 0 && frame->join.seat < SK_SEATS_MAX);
        break;
    case FRAME_SUBMIT:
        check_text(frame->submit.command_id, FRAME_COMMAND_ID_MAX);
        must(frame->submit.command_id.length > 0 && frame->submit.turn >= 0);
        must(frame->submit.match >= 1);
        break;
    case FRAME_CHAT:
        check_text(frame->chat.text, FRAME_CHAT_MAX);
        break;
    case FRAME_RESUME:
        must(frame->resume.match >= 1 && frame->resume.seq >= 0);
        break;
    default:
        break;
    }
}

/* A quick look at the type finds what reading finds, except for escaped keys. */
static void
check_id(const uint8_t *bytes, size_t size, const struct frame_head *read)
{
    char id[FRAME_ID_MAX + 1];
    bool is_found = sk_frame_find_id((const char *)bytes, size, id);

    if (is_found) {
        check_text(sk_text_of(id), FRAME_ID_MAX);
        must(read == NULL || (read->has_id && sk_text_same(read->id, sk_text_of(id))));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    union client_frame frame;
    struct sk_value *json = NULL;
    struct sk_fault fault;

    begin();
    memset(&frame, 0, sizeof(frame));
    arena.used = 0;
    if (sk_json_parse((const char *)bytes, size, &json, &fault) != SK_OK) {
        must(strcmp(fault.code, "malformed") == 0 || strcmp(fault.code, "too_large") == 0);
        check_id(bytes, size, NULL);
        return 0;
    }
    if (sk_frame_read(json, &arena, &frame, &fault) == SK_OK) {
        check_frame(&frame);
    } else {
        check_text(frame.head.id, FRAME_ID_MAX);
        must(fault.at[0] == '\0' || fault.at[0] == '/');
    }
    check_id(bytes, size, &frame.head);
    sk_json_free(json);
    return 0;
}
