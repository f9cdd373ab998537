#include "server/cli/orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_buffer.h"
#include "server/client/look.h"
#include "server/memory.h"

#define ORDERS_ID      "orders" /* of the frames */
#define COMMAND_ID_MAX 64

void
orders_fini(struct orders *orders)
{
    free(orders->unanswered);
    orders->unanswered = NULL;
}

static void
send_frame(struct orders *orders, struct client *client, union client_frame *frame)
{
    struct sk_json_buffer buffer = { NULL, 0 };
    struct sk_text text;

    frame->head.has_id = true;
    frame->head.id = SK_TEXT(ORDERS_ID);
    text = sk_json_buffer_write(&buffer, sk_client_frame_write, frame);
    client_send_text(client, text);
    free(orders->unanswered);
    orders->unanswered = heap_text(text);
    free(buffer.at);
}

static struct sk_text
make_id(struct orders *orders, char ret_id[COMMAND_ID_MAX])
{
    (void)snprintf(ret_id, COMMAND_ID_MAX, "play-%x-%u", (unsigned)orders->prefix, orders->count++);
    return sk_text_of(ret_id);
}

void
orders_submit(struct orders *orders, struct client *client, int64_t match, int32_t turn,
              const struct choices *choices)
{
    union client_frame frame = { .submit = { .head = { .type = FRAME_SUBMIT },
                                             .match = match,
                                             .turn = turn,
                                             .has_ready = true,
                                             .ready = true } };
    struct sk_json_buffer buffer = { NULL, 0 };
    char id[COMMAND_ID_MAX];

    frame.submit.command_id = make_id(orders, id);
    frame.submit.commands.text = sk_json_buffer_write(&buffer, choices_write, choices);
    send_frame(orders, client, &frame);
    free(buffer.at);
}

void
orders_resign(struct orders *orders, struct client *client, int64_t match)
{
    union client_frame frame = { .resign = { .head = { .type = FRAME_RESIGN }, .match = match } };
    char id[COMMAND_ID_MAX];

    frame.resign.command_id = make_id(orders, id);
    send_frame(orders, client, &frame);
}

void
orders_send_again(const struct orders *orders, struct client *client)
{
    if (orders->unanswered != NULL) {
        client_send_text(client, sk_text_of(orders->unanswered));
    }
}

void
orders_take(struct orders *orders, const struct sk_value *frame)
{
    if (look_says(frame, "id", ORDERS_ID) && !look_says(frame, "type", "moved")) {
        orders_fini(orders);
    }
}
