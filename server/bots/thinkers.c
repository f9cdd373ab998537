#include "server/bots/thinkers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "server/bot/bot.h"
#include "server/clock.h"
#include "server/memory.h"
#include "server/thread.h"

struct thinkers {
    struct ask_queue waiting;
    ask_done *done;
    void *context;
    pthread_t threads[THINKERS_COUNT];
    uint32_t thread_count;
};

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * The more questions wait, the less time each has, so that none comes too late.  While
 * none waits, a busy machine makes an answer later, but not worse.
 */
struct thinkers_time
thinkers_time_of(const struct bot_ask *ask, uint32_t left, int64_t now_ms)
{
    int64_t half_ms = (ask->limit_ms - (now_ms - ask->handed_over_ms)) / 2;
    int64_t budget_ms = least(half_ms, THINKERS_BUDGET_MS / (1 + left / THINKERS_COUNT));
    int64_t wait_ms = left == 0 ? least(half_ms - budget_ms, THINKERS_WAIT_MAX_MS) : 0;

    return (struct thinkers_time){
        .budget_ms = (uint32_t)(budget_ms < THINKERS_LEAST_MS ? THINKERS_LEAST_MS : budget_ms),
        .wait_ms = (uint32_t)wait_ms,
    };
}

static uint64_t
seed_of(const struct bot_ask *ask)
{
    uint64_t seed;

    memcpy(&seed, ask->seed, sizeof(seed));
    return seed;
}

static void
think(struct bot_ask *ask, struct bot_desk *desk, struct thinkers_time time,
      const atomic_bool *is_wanted)
{
    struct bot_question question = {
        .desk = desk,
        .ruleset = sk_text_of(ask->ruleset),
        .version = ask->version,
        .params = sk_text_of(ask->params),
        .view = sk_text_of(ask->view),
        .seat = ask->seat,
        .turn = ask->turn,
        .seed = seed_of(ask),
        .budget_ms = time.budget_ms,
        .wait_ms = time.wait_ms,
        .is_wanted = is_wanted,
    };
    struct sk_fault fault;

    if (!bot_level_find(sk_text_of(ask->who.word), &question.level) ||
        bot_answer(&question, &ask->commands, &fault) != SK_OK) {
        ask->failure = BOT_BAD_FORM;
        return;
    }
    ask->commands_length = strlen(ask->commands);
}

static void *
run(void *context)
{
    struct thinkers *thinkers = context;
    struct bot_desk *desk = bot_desk_alloc();
    struct bot_ask *ask;
    uint32_t left;

    (void)setpriority(PRIO_PROCESS, 0, THINKERS_NICE); /* on Linux: this thread's only */
    while ((ask = ask_queue_take(&thinkers->waiting, &left)) != NULL) {
        int64_t now_ms = clock_ms(CLOCK_MONOTONIC);

        if (now_ms - ask->handed_over_ms >= ask->limit_ms) {
            ask->failure = BOT_TOO_SLOW; /* it waited too long in the queue */
        } else {
            think(ask, desk, thinkers_time_of(ask, left, now_ms), &thinkers->waiting.is_wanted);
        }
        ask->latency_ms = (int32_t)(clock_ms(CLOCK_MONOTONIC) - ask->handed_over_ms);
        thinkers->done(thinkers->context, ask);
    }
    bot_desk_free(desk);
    return NULL;
}

struct thinkers *
thinkers_open(ask_done *done, void *context)
{
    struct thinkers *thinkers = heap_memory(sizeof(*thinkers));

    thinkers->done = done;
    thinkers->context = context;
    ask_queue_init(&thinkers->waiting, THINKERS_ASKS_MAX);
    while (thinkers->thread_count < THINKERS_COUNT &&
           thread_start(&thinkers->threads[thinkers->thread_count], run, thinkers)) {
        thinkers->thread_count++;
    }
    if (thinkers->thread_count < THINKERS_COUNT) {
        thinkers_close(thinkers);
        return NULL;
    }
    return thinkers;
}

void
thinkers_close(struct thinkers *thinkers)
{
    if (thinkers == NULL) {
        return;
    }
    ask_queue_end(&thinkers->waiting);
    for (uint32_t i = 0; i < thinkers->thread_count; i++) {
        (void)pthread_join(thinkers->threads[i], NULL);
    }
    ask_queue_fini(&thinkers->waiting);
    free(thinkers);
}

bool
thinkers_put(struct thinkers *thinkers, struct bot_ask *ask)
{
    ask->handed_over_ms = clock_ms(CLOCK_MONOTONIC);
    return ask_queue_put(&thinkers->waiting, ask);
}
