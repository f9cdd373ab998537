/*
 * Seats that bots play: the test answers for the bots, at any time.
 */
#ifndef SK_BOTS_FIXTURE_H
#define SK_BOTS_FIXTURE_H

#include "host_fixture.h"

#define ASKS_MAX 16

/* Bots that wait for the test to answer. */
struct minds {
    struct bot_port port; /* first */
    struct bot_ask *asks[ASKS_MAX];
    uint32_t count;
    uint32_t asked; /* ever */
    bool is_full;
};

static inline const char *
refuse(struct bot_port *port, const struct bot_who *who)
{
    (void)port;
    return who->kind == BOT_OF_LEVEL ? NULL : "only the server's own";
}

static inline bool
take_ask(struct bot_port *port, struct bot_ask *ask)
{
    struct minds *minds = (struct minds *)(void *)port;

    if (minds->is_full) {
        return false;
    }
    cr_assert_lt(minds->count, ASKS_MAX);
    minds->asks[minds->count++] = ask;
    minds->asked++;
    return true;
}

struct play {
    struct table table;
    struct minds minds;
    struct peer *alice;
    int64_t match;
};

static inline void
play_open(struct play *play)
{
    play->minds = (struct minds){ .port = { refuse, take_ask } };
    table_open_with(&play->table, &play->minds.port);
    play->alice = table_player(&play->table, "alice");
}

static inline void
play_close(struct play *play)
{
    table_close(&play->table);
    while (play->minds.count > 0) {
        bot_ask_free(play->minds.asks[--play->minds.count]);
    }
}

#define BOT_ONE ",'seats':[null,{'bot':{'level':'greedy'}}]"
#define BOT_TWO ",'seats':[{'bot':{'level':'greedy'}},{'bot':{'level':'random'}}]"

static inline void
play_begin(struct play *play, const char *more)
{
    play_open(play);
    play->match = table_create(play->alice, more);
    forget(play->alice);
}

/* Takes the oldest question out of the list. */
static inline struct bot_ask *
take_first(struct play *play)
{
    struct bot_ask *ask = play->minds.asks[0];

    cr_assert_gt(play->minds.count, 0u, "no bot was asked");
    play->minds.count--;
    memmove(play->minds.asks, play->minds.asks + 1, play->minds.count * sizeof(ask));
    return ask;
}

static inline void
give_back(struct play *play, struct bot_ask *ask)
{
    host_bot_answered(play->table.host, ask);
    table_settle(&play->table);
}

/* Written with ' for ". */
static inline void
answer(struct play *play, const char *commands)
{
    struct bot_ask *ask = take_first(play);

    ask->commands = heap_text(sk_text_of(commands));
    ask->commands_length = strlen(commands);
    ask->latency_ms = 7;
    for (char *at = ask->commands; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    give_back(play, ask);
}

static inline void
fail(struct play *play, enum bot_failure failure)
{
    struct bot_ask *ask = take_first(play);

    ask->failure = failure;
    give_back(play, ask);
}

#define STEP "[{'unit':'b1','kind':'move','target':[1,1]}]"

static inline void
hear_failure(struct play *play, const char *word)
{
    struct json_object *frame = hear(play->alice, "bot_failed");

    cr_assert_str_eq(word_of(frame, "error"), word);
    cr_assert_str_eq(word_of(frame, "seat"), "1");
}

#endif /* SK_BOTS_FIXTURE_H */
