/*
 * Bots: an op says when they answer, and how.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

static const char *
refuses(struct bot_port *port, const struct bot_who *who)
{
    (void)port;
    return who->kind == BOT_OF_NAME ? "no service has that name" : NULL;
}

static bool
ask(struct bot_port *port, struct bot_ask *ask)
{
    struct sim_bots *bots = (struct sim_bots *)(void *)port;

    if (bots->count == SIM_ASKS) {
        return false;
    }
    bots->asks[bots->count++] = ask;
    return true;
}

void
sim_bots_init(struct sim_bots *bots)
{
    *bots = (struct sim_bots){ .port = { .refuses = refuses, .ask = ask } };
}

static struct bot_ask *
take(struct sim_bots *bots, uint32_t number)
{
    struct bot_ask *ask = bots->asks[number];

    bots->count--;
    memmove(&bots->asks[number], &bots->asks[number + 1],
            (bots->count - number) * sizeof(bots->asks[0]));
    return ask;
}

void
sim_bots_lose(struct sim_bots *bots)
{
    while (bots->count > 0) {
        bot_ask_free(take(bots, 0));
    }
}

/* One of the commands in the question; only web services get them, the server's own bots compute
 * them. */
static char *
hinted(const struct bot_ask *ask, int64_t which)
{
    struct sk_text list = sk_text_of(ask->hints == NULL ? "[]" : ask->hints);
    uint32_t count = scan_count(list);
    struct sk_text item = { 0 };
    char *text = malloc(list.length + 3);

    for (int64_t i = count == 0 ? -1 : which % count; i >= 0; i--) {
        (void)scan_item(&list, &item);
    }
    snprintf(text, list.length + 3, "[%.*s]", (int)item.length, item.at == NULL ? "" : item.at);
    return text;
}

/* The number selects a kind of answer, and one answer of that kind. */
static void
answer(struct sim *sim, struct bot_ask *ask, int64_t how)
{
    static const char *const wrong[] = { "[{]", "[{\"kind\":\"resign\"}]", "[1]",
                                         "[{\"kind\":\"move\",\"unit\":\"b1\",\"target\":[9,9]}]" };

    if (how % 4 == 1) {
        ask->failure = (enum bot_failure)(1 + how / 4 % (BOT_FAILURE_COUNT - 1));
    } else {
        ask->commands = how % 4 == 0   ? strdup("[]")
                        : how % 4 == 2 ? strdup(wrong[(size_t)how / 4 % SK_COUNT_OF(wrong)])
                                       : hinted(ask, how / 4);
        ask->commands_length = strlen(ask->commands);
    }
    ask->latency_ms = 7;
    host_bot_answered(sim->host, ask);
}

void
sim_bots_answer(struct sim *sim, int64_t number, int64_t how)
{
    if (sim->host != NULL && sim->bots.count > 0) {
        answer(sim, take(&sim->bots, (uint32_t)(number % sim->bots.count)), how);
    }
}

void
sim_bots_answer_all(struct sim *sim)
{
    for (uint32_t count = sim->bots.count; count > 0; count--) {
        sim_bots_answer(sim, 0, 0);
        check_step(sim); /* frames are checked before they are read */
    }
}
