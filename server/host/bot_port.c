#include "server/host/bot_port.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/memory.h"

struct bot_ask *
bot_ask_alloc(void)
{
    return heap_memory(sizeof(struct bot_ask));
}

void
bot_ask_free(struct bot_ask *ask)
{
    if (ask != NULL) {
        free(ask->who.word);
        free(ask->params);
        free(ask->view);
        free(ask->hints);
        free(ask->last_verdicts);
        free(ask->commands);
        free(ask->request);
        free(ask->reply);
        free(ask);
    }
}

void
bot_ask_detail(char detail[BOT_DETAIL_MAX + 1], const struct sk_fault *fault)
{
    (void)snprintf(detail, BOT_DETAIL_MAX + 1, "%.60s%s%.60s", fault->at,
                   fault->at[0] == '\0' ? "" : ": ", fault->message);
    for (; *detail != '\0'; detail++) {
        *detail = *detail < ' ' || *detail > '~' ? '?' : *detail;
    }
}
