/*
 * What the forms of all rulesets share, and halma's own functions.  For
 * server/bots/forms*.c only.
 */
#ifndef SK_BOTS_FORMS_PARTS_H
#define SK_BOTS_FORMS_PARTS_H

#include "common/base/arena.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "server/host/bot_port.h"

struct forms {
    struct sk_arena arena;
    struct sk_json_buffer out;
};

/* JSON text on the heap by a writer. */
char *forms_text(struct forms *forms, void (*write)(struct sk_json_out *out, const void *what),
                 const void *what);

/* Reads JSON text of our own by its schema; the document is the caller's to free. */
bool forms_read(struct forms *forms, const char *text, const struct sk_schema *schema,
                struct sk_value **ret_document, void *ret_form);

/* ---- forms_halma.c ----------------------------------------------------------------------- */

char *halma_question(struct forms *forms, const struct bot_ask *ask);
enum bot_failure halma_answer(struct forms *forms, struct bot_ask *ask,
                              const struct sk_value *json);

#endif /* SK_BOTS_FORMS_PARTS_H */
