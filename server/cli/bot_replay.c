/*
 * skirmish bot replay - sends a web service its own past requests again and
 * shows what it answers now.
 *
 * For developers of a bot: the requests come from the view bot_call, so what failed in
 * a match can be repeated.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/memory.h"
#include "server/net/call/call.h"
#include "server/store/question.h"

#define ROWS_MAX      1000
#define LIMIT_MS      10000
#define SHOWN_MAX     200 /* bytes of an answer that are shown */
#define CALL_TIME_MAX 600000

/* One recorded call. */
struct past_call {
    int64_t number;
    int64_t match;
    int64_t turn;
    char url[CALL_URL_MAX + 1];
    char *request;
    char *answer;
    char *error;
};

struct replaying {
    struct question_sink sink;
    struct past_call *calls;
    uint32_t count;
    const char *url; /* where to send the requests instead, or NULL */
    pthread_mutex_t lock;
    pthread_cond_t is_done;
    struct call *done;
};

/* ---- the record -------------------------------------------------------------------------- */

static char *
copy_of(const struct question_value *value)
{
    return value->kind == QUESTION_NULL ? NULL : heap_copy(value->text, value->length);
}

/* call, match, turn, bot, request, answer, error */
static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct replaying *replaying = (struct replaying *)(void *)sink;
    struct past_call *call = &replaying->calls[replaying->count];
    static const char http[] = "http:";

    (void)count;
    *call = (struct past_call){ .number = atoll(values[0].text),
                                .match = atoll(values[1].text),
                                .turn = atoll(values[2].text) };
    if (replaying->url != NULL) {
        (void)snprintf(call->url, sizeof(call->url), "%s", replaying->url);
    } else if (strncmp(values[3].text, http, strlen(http)) == 0) {
        (void)snprintf(call->url, sizeof(call->url), "%s", values[3].text + strlen(http));
    }
    call->request = copy_of(&values[4]);
    call->answer = copy_of(&values[5]);
    call->error = copy_of(&values[6]);
    replaying->count++;
    return true;
}

static bool
read_record(struct replaying *replaying, const char *database, const char *match, const char *bot,
            const char *limit)
{
    static const char sql[] =
        "SELECT call, match, turn, bot, request, answer, error FROM bot_call "
        "WHERE request IS NOT NULL AND (:match IS NULL OR match = CAST(:match AS INTEGER)) "
        "AND (:bot IS NULL OR bot = :bot) ORDER BY call DESC LIMIT CAST(:count AS INTEGER)";
    const struct question_parameter parameters[] = {
        { "match", match },
        { "bot", bot },
        { "count", limit },
    };
    const struct question_limits limits = { LIMIT_MS, ROWS_MAX, NULL };
    struct sk_fault fault;
    bool is_cut;

    replaying->sink = (struct question_sink){ NULL, take_row };
    if (question_ask(database, sql, parameters, sizeof(parameters) / sizeof(parameters[0]), &limits,
                     &replaying->sink, &is_cut, &fault) != SK_OK) {
        return cli_fail("bot replay", &fault) == CLI_OK;
    }
    return true;
}

/* ---- asking again ------------------------------------------------------------------------ */

static void
called(void *context, struct call *call)
{
    struct replaying *replaying = context;

    (void)pthread_mutex_lock(&replaying->lock);
    replaying->done = call;
    (void)pthread_cond_signal(&replaying->is_done);
    (void)pthread_mutex_unlock(&replaying->lock);
}

/* Waits for the answer, which is the caller's. */
static struct call *
ask_again(struct replaying *replaying, struct calls *calls, const struct past_call *past,
          int32_t limit_ms)
{
    struct call *call = call_alloc();

    (void)snprintf(call->url, sizeof(call->url), "%s", past->url);
    call->is_operators = true;
    call->body = heap_text(sk_text_of(past->request));
    call->body_length = strlen(past->request);
    call->limit_ms = limit_ms;
    call_add_header(call, "X-Skirmish-Match: %lld", (long long)past->match);
    call_add_header(call, "X-Skirmish-Turn: %lld", (long long)past->turn);
    call_add_header(call, "X-Skirmish-Replay: %lld", (long long)past->number);
    (void)calls_put(calls, call);
    (void)pthread_mutex_lock(&replaying->lock);
    while (replaying->done == NULL) {
        (void)pthread_cond_wait(&replaying->is_done, &replaying->lock);
    }
    call = replaying->done;
    replaying->done = NULL;
    (void)pthread_mutex_unlock(&replaying->lock);
    return call;
}

static void
print_answer(const char *when, const char *error, const char *answer)
{
    printf("  %-4s %s%s%.*s\n", when, error == NULL ? "" : error, error == NULL ? "" : " ",
           SHOWN_MAX, answer == NULL ? "" : answer);
}

/* True when the answer is the same as before. */
static bool
replay_one(struct replaying *replaying, struct calls *calls, const struct past_call *past,
           int32_t limit_ms)
{
    struct call *call = ask_again(replaying, calls, past, limit_ms);
    const char *error = call->failure == BOT_ANSWERED ? NULL : sk_bot_failure_word(call->failure);
    const char *then = past->answer == NULL ? "" : past->answer;
    bool is_same = error == NULL && strcmp(then, call->answer == NULL ? "" : call->answer) == 0;

    printf("call %lld: match %lld turn %lld, %d ms, %s\n", (long long)past->number,
           (long long)past->match, (long long)past->turn, call->latency_ms,
           is_same ? "the same answer" : "another answer");
    if (!is_same) {
        print_answer("then", past->error, past->answer);
        print_answer("now", error, call->answer);
    }
    call_free(call);
    return is_same;
}

static int
replay_all(struct replaying *replaying, int32_t limit_ms)
{
    struct calls_options options = { .done = called, .context = replaying };
    struct calls *calls;
    uint32_t same = 0;
    uint32_t asked = 0;

    options.targets.allows_plain = true; /* the user of the tool may call any address */
    (void)net_networks_parse("0.0.0.0/0 ::/0", &options.targets.networks);
    calls = calls_open(&options);
    if (calls == NULL) {
        fprintf(stderr, "skirmish bot replay: no threads\n");
        return CLI_FAILED;
    }
    for (uint32_t i = replaying->count; i-- > 0;) { /* the oldest first */
        if (replaying->calls[i].url[0] == '\0') {
            fprintf(stderr, "call %lld: a bot by name; --url says where it is\n",
                    (long long)replaying->calls[i].number);
            continue;
        }
        same += replay_one(replaying, calls, &replaying->calls[i], limit_ms) ? 1 : 0;
        asked++;
    }
    calls_close(calls);
    printf("%u asked again, %u with the same answer\n", asked, same);
    return asked == 0 ? CLI_FAILED : CLI_OK;
}

static void
replaying_free(struct replaying *replaying)
{
    for (uint32_t i = 0; i < replaying->count; i++) {
        free(replaying->calls[i].request);
        free(replaying->calls[i].answer);
        free(replaying->calls[i].error);
    }
    free(replaying->calls);
}

int
cli_bot_replay(int argc, char **argv)
{
    const char *database = NULL;
    const char *match = NULL;
    const char *bot = NULL;
    const char *url = NULL;
    int64_t count = 10;
    int64_t limit_ms = LIMIT_MS;
    const struct cli_option options[] = {
        { "match", CLI_TEXT, &match, "ID", "only calls of this match", 0, 0 },
        { "bot", CLI_TEXT, &bot, "BOT", "only this bot's, as the view has it: http:ADDRESS", 0, 0 },
        { "count", CLI_NUMBER, &count, "N", "the newest N (10)", 1, ROWS_MAX },
        { "url", CLI_TEXT, &url, "ADDRESS", "send them there instead", 0, 0 },
        { "limit-ms", CLI_NUMBER, &limit_ms, "MS", "for each answer (10000)", 1, CALL_TIME_MAX },
        CLI_DATABASE_OPTION(&database),
    };
    const struct cli_usage usage = {
        .command = "bot replay",
        .about =
            "Sends past requests to a web service again, the oldest first, and prints what it\n"
            "answers now and what it answered then.  The requests are those of the view bot_call.\n"
            "They are not signed.\n"
            "\n"
            "exit status: 0 asked, 1 there was nothing to ask or no database, 2 wrong usage\n",
        CLI_OPTIONS(options),
    };
    struct replaying replaying = { .lock = PTHREAD_MUTEX_INITIALIZER,
                                   .is_done = PTHREAD_COND_INITIALIZER };
    struct cli_words words;
    char limit[24];
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 0) {
        return cli_usage_error("bot replay", "unknown argument", words.at[0]);
    }
    (void)snprintf(limit, sizeof(limit), "%lld", (long long)count);
    replaying.url = url;
    replaying.calls = heap_memory(ROWS_MAX * sizeof(*replaying.calls));
    status = CLI_FAILED;
    if (read_record(&replaying, cli_database(database), match, bot, limit)) {
        if (replaying.count == 0) {
            fprintf(stderr, "skirmish bot replay: there are no such calls\n");
        } else {
            status = replay_all(&replaying, (int32_t)limit_ms);
        }
    }
    replaying_free(&replaying);
    return status;
}
