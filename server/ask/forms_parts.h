/*
 * What the forms of all rulesets share, and the door to halma's own.  For
 * server/ask/forms*.c only.
 */
#ifndef SK_ASK_FORMS_PARTS_H
#define SK_ASK_FORMS_PARTS_H

#include "common/base/arena.h"
#include "proto/json_out.h"
#include "proto/json_parse.h"
#include "server/ask/forms.h"

struct forms {
    struct sk_json_reader reader;
    struct sk_arena arena;
    char *out; /* for writing; grows */
    size_t out_size;
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

#endif /* SK_ASK_FORMS_PARTS_H */
