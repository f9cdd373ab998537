/*
 * forms - a question to a web service and its answer, as JSON.
 *
 * halma has forms of its own, those of existing services for that game.  All other
 * rulesets share one, with the seat's view and hints as clients get them.
 * proto/PROTOCOL.md describes them.
 *
 * Owner:   forms_alloc's caller; it holds memory for one question at a time.
 * Threads: one at a time.
 */
#ifndef SK_BOTS_FORMS_H
#define SK_BOTS_FORMS_H

#include "server/host/bot_port.h"

struct forms;

struct forms *forms_alloc(void);
void forms_free(struct forms *forms);

/* JSON text on the heap, or NULL: the question is not valid. */
char *forms_question(struct forms *forms, const struct bot_ask *ask);

/* Fills in ask->commands from what came back, or returns why it cannot. */
enum bot_failure forms_answer(struct forms *forms, struct bot_ask *ask, const char *text,
                              size_t length);

#endif /* SK_BOTS_FORMS_H */
