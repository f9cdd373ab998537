#include "server/bots/forms.h"

#include <stdlib.h>
#include <string.h>

#include "proto/bot_question.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/bots/forms_parts.h"
#include "server/memory.h"

#define ARENA_SIZE (1u << 20)

/* ---- the shared form --------------------------------------------------------------------- */

static void
write_question(struct sk_json_out *out, const void *what)
{
    const struct bot_ask *ask = what;
    const char *verdicts = ask->last_verdicts;
    struct bot_http_question question = {
        .match = ask->match,
        .turn = (int32_t)ask->turn,
        .seat = ask->seat,
        .view = { .text = sk_text_of(ask->view) },
        .hints = { .text = sk_text_of(ask->hints) },
        .deadline_ms = ask->limit_ms,
        .last = {
            .verdicts = { .text = sk_text_of(verdicts == NULL ? "[]" : verdicts) },
            .latency_ms = ask->last_latency_ms,
            .has_error = ask->last_failure != BOT_ANSWERED,
        },
    };

    if (question.last.has_error) {
        question.last.error = sk_text_of(sk_bot_failure_word(ask->last_failure));
    }
    sk_form_write(out, &sk_bot_question, &question);
}

static enum bot_failure
shared_answer(struct forms *forms, struct bot_ask *ask, const struct sk_value *json)
{
    struct sk_fault fault;
    struct bot_http_answer answer;

    (void)sk_fault_set(&fault, "malformed", "there are no commands");
    if (sk_form_read(&sk_bot_answer, json, &forms->arena, &answer, &fault) != SK_OK ||
        answer.commands.object == NULL) {
        bot_ask_detail(ask->detail, &fault);
        return BOT_BAD_FORM;
    }
    ask->commands = sk_json_text_of(answer.commands.object);
    ask->commands_length = strlen(ask->commands);
    return BOT_ANSWERED;
}

/* ---- which form -------------------------------------------------------------------------- */

static bool
is_halma(const struct bot_ask *ask)
{
    return strcmp(ask->ruleset, "halma") == 0;
}

char *
forms_question(struct forms *forms, const struct bot_ask *ask)
{
    return is_halma(ask) ? halma_question(forms, ask) : forms_text(forms, write_question, ask);
}

enum bot_failure
forms_answer(struct forms *forms, struct bot_ask *ask, const char *text, size_t length)
{
    struct sk_value *json;
    struct sk_fault fault;
    enum bot_failure failure;

    forms->arena.used = 0;
    if (sk_json_parse(text, length, &json, &fault) != SK_OK) {
        bot_ask_detail(ask->detail, &fault);
        return BOT_NOT_JSON;
    }
    failure = is_halma(ask) ? halma_answer(forms, ask, json) : shared_answer(forms, ask, json);
    sk_json_free(json);
    return failure;
}

/* ---- memory ------------------------------------------------------------------------------ */

char *
forms_text(struct forms *forms, void (*write)(struct sk_json_out *out, const void *what),
           const void *what)
{
    return heap_text(sk_json_buffer_write(&forms->out, write, what));
}

bool
forms_read(struct forms *forms, const char *text, const struct sk_schema *schema,
           struct sk_value **ret_document, void *ret_form)
{
    struct sk_fault fault;
    struct sk_value *json;

    if (sk_json_parse(text, strlen(text), &json, &fault) != SK_OK) {
        return false;
    }
    if (sk_form_read(schema, json, &forms->arena, ret_form, &fault) != SK_OK) {
        sk_json_free(json);
        return false;
    }
    *ret_document = json;
    return true;
}

struct forms *
forms_alloc(void)
{
    struct forms *forms = heap_memory(sizeof(*forms));

    heap_arena(&forms->arena, ARENA_SIZE);
    return forms;
}

void
forms_free(struct forms *forms)
{
    if (forms != NULL) {
        free(forms->arena.base);
        free(forms->out.at);
        free(forms);
    }
}
