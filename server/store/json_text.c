#include "server/store/json_text.h"

#include <stdlib.h>

#include "server/memory.h"

#define FIRST_SIZE 4096u

void
json_text_init(struct json_text *text)
{
    sk_json_out_init(&text->out, heap_grow(NULL, FIRST_SIZE), FIRST_SIZE);
}

void
json_text_fini(struct json_text *text)
{
    free(text->out.at);
    text->out.at = NULL;
}

void
json_text_add(struct json_text *text, void (*write)(struct sk_json_out *out, const void *context),
              const void *context)
{
    struct sk_json_out before = text->out;

    write(&text->out, context);
    while (!sk_json_out_is_whole(&text->out)) {
        before.size = 2 * text->out.used;
        before.at = heap_grow(before.at, before.size);
        text->out = before;
        write(&text->out, context);
    }
}

char *
json_text_take(struct json_text *text, size_t *ret_length)
{
    char *at = heap_grow(text->out.at, text->out.used + 1);

    at[text->out.used] = '\0';
    *ret_length = text->out.used;
    text->out = (struct sk_json_out){ 0 };
    return at;
}
