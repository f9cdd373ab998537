/* Limits of HTTP reads per address: rate, burst, and what counts. */
#include "host_fixture.h"

#define BURST    10
#define RATE     5
#define HERE     "192.0.2.1"
#define THERE    "192.0.2.2"
#define VISITORS 16

/* One request and its answer. */
struct visitor {
    struct http_request request;
    int status; /* 0 = no answer yet */
    int answers;
    int32_t retry_ms;
    size_t length;
};

static void
answered(struct http_request *request, const struct http_answer *answer)
{
    struct visitor *visitor = request->context;

    visitor->status = answer->status;
    visitor->answers++;
    visitor->retry_ms = answer->retry_ms;
    visitor->length = answer->length;
    if (!answer->is_constant) {
        free(answer->body);
    }
}

static int
begin(struct table *table, struct visitor *visitor, const char *address, int32_t cost)
{
    *visitor = (struct visitor){ .request = { .answer = answered, .context = visitor } };
    return host_http_begin(table->host, &visitor->request, address, cost) ? 0 : visitor->status;
}

static void
end(struct table *table, struct visitor *visitor)
{
    host_http_end(table->host, &visitor->request);
}

/* Its status once the store has answered; 0 = a job is held. */
static int
get(struct table *table, struct visitor *visitor, const char *address)
{
    if (begin(table, visitor, address, HTTP_COST_API) == 0) {
        host_http_get(table->host, &visitor->request, "/api/v1/matches", "", NULL);
        table_settle(table);
    }
    return visitor->status;
}

/* How many of so many requests are let through. */
static int
count_of(struct table *table, const char *address, int32_t cost, int count)
{
    int through = 0;

    for (int i = 0; i < count; i++) {
        struct visitor visitor;

        through += begin(table, &visitor, address, cost) == 0 ? 1 : 0;
        end(table, &visitor);
    }
    return through;
}

static void
open_table(struct table *table)
{
    table_open(table);
    table->host->options.http_rate = RATE;
    table->host->options.http_burst = BURST;
}

/* ---- the rate ---------------------------------------------------------------------------- */

struct rate_case {
    const char *label;
    int32_t cost;
    int count;
    int through;
};

static const struct rate_case rate_cases[] = {
    { "fewer than may be", HTTP_COST_API, BURST - 1, BURST - 1 },
    { "as many as may be", HTTP_COST_API, BURST, BURST },
    { "one more", HTTP_COST_API, BURST + 1, BURST },
    { "files count as a tenth", HTTP_COST_FILE, 10 * BURST, 10 * BURST },
    { "one more of these", HTTP_COST_FILE, 10 * BURST + 1, 10 * BURST },
    { "what is free never ends", HTTP_COST_FREE, 100 * BURST, 100 * BURST },
};

Test(http_rate, is_of_an_address)
{
    for (size_t i = 0; i < SK_COUNT_OF(rate_cases); i++) {
        const struct rate_case *it = &rate_cases[i];
        struct table table;

        open_table(&table);
        cr_expect_eq(count_of(&table, HERE, it->cost, it->count), it->through, "%s", it->label);
        cr_expect_eq(count_of(&table, THERE, it->cost, it->count), it->through,
                     "%s, from elsewhere", it->label);
        cr_expect_eq(table.host->counters.limited[LIMIT_HTTP_RATE],
                     (uint64_t)(2 * (it->count - it->through)), "%s", it->label);
        table_close(&table);
    }
}

Test(http_rate, refusals_say_when_to_ask_again)
{
    struct visitor visitor;
    struct table table;

    open_table(&table);
    cr_assert_eq(count_of(&table, HERE, HTTP_COST_API, BURST), BURST);
    cr_expect_eq(begin(&table, &visitor, HERE, HTTP_COST_API), 429);
    end(&table, &visitor);
    cr_expect_eq(visitor.retry_ms, 1000 / RATE);
    table.now_ms += visitor.retry_ms - 1;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, 1), 0, "too early");
    table.now_ms += 1;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, 2), 1);
    table.now_ms += 1000;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, BURST), RATE);
    table.now_ms += 3600 * 1000;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, 2 * BURST), BURST);
    table_close(&table);
}

Test(http_rate, a_burst_of_zero_is_no_limit)
{
    struct table table;

    open_table(&table);
    table.host->options.http_burst = 0;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, 1000), 1000);
    table_close(&table);
}

Test(http_rate, work_is_paid_for_and_no_debt_is_larger_than_the_burst)
{
    struct table table;
    struct rate *rate;

    open_table(&table);
    rate = rate_of_address(table.host, HERE);
    rate_http_charge(table.host, rate, (BURST - 2) * (int64_t)table.host->options.http_work_us);
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, BURST), 2);
    rate_http_charge(table.host, rate, INT32_MAX);
    table.now_ms += 1000 * BURST / RATE;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, BURST), 0, "it has paid its debt only");
    table.now_ms += 1000 * BURST / RATE;
    cr_expect_eq(count_of(&table, HERE, HTTP_COST_API, 2 * BURST), BURST);
    rate_release(table.host, rate);
    table_close(&table);
}

/* Reads over WebSockets use the same budget. */
Test(http_rate, is_shared_with_the_lists_of_websockets)
{
    struct table table;
    struct peer *alice;

    open_table(&table);
    table.host->options.http_work_us = INT32_MAX;
    alice = table_connect_from(&table, HERE);
    say(alice, "{'type':'hello','protocol':1,'name':'alice'}");
    cr_assert_eq(count_of(&table, HERE, HTTP_COST_API, BURST - 1), BURST - 1);
    say(alice, "{'type':'list','id':'a'}");
    cr_expect_not_null(find_frame(alice, "matches"));
    say(alice, "{'type':'list','id':'b'}");
    cr_expect_eq(number_of(hear_error(alice, "rate_limited"), "retry_ms"), 1000 / RATE);
    table_close(&table);
}

/* ---- how many at once -------------------------------------------------------------------- */

Test(http_reads, of_an_address_are_limited_from_the_question_to_the_end_of_the_answer)
{
    struct visitor visitors[VISITORS];
    struct table table;

    table_open(&table);
    table.host->options.reads_per_address = 2;
    table_hold(&table);
    cr_expect_eq(get(&table, &visitors[0], HERE), 0);
    cr_expect_eq(get(&table, &visitors[1], HERE), 0);
    cr_expect_eq(get(&table, &visitors[2], HERE), 429, "a third");
    cr_expect_eq(visitors[2].retry_ms, 1000);
    cr_expect_eq(get(&table, &visitors[3], THERE), 0, "others are not concerned");
    table_pass(&table);
    cr_expect_eq(visitors[0].status, 200);
    cr_expect_eq(get(&table, &visitors[4], HERE), 429, "the first is answered but not read");
    end(&table, &visitors[0]);
    cr_expect_eq(get(&table, &visitors[5], HERE), 0);
    cr_expect_eq(table.host->counters.limited[LIMIT_READS_OF_ADDRESS], 2);
    table_let_go(&table);
    for (int i = 1; i <= 5; i++) {
        end(&table, &visitors[i]);
        cr_expect_eq(visitors[i].answers, 1);
    }
    cr_expect_eq(table.host->reads, 0);
    cr_expect_eq(table.host->http_bytes, 0);
    table_close(&table);
}

Test(http_reads, that_nobody_waits_for_count_until_they_are_back)
{
    struct visitor visitors[VISITORS];
    struct table table;

    table_open(&table);
    table.host->options.reads_per_address = 1;
    table_hold(&table);
    cr_expect_eq(get(&table, &visitors[0], HERE), 0);
    end(&table, &visitors[0]);
    cr_expect_eq(get(&table, &visitors[1], HERE), 429);
    end(&table, &visitors[1]);
    table_pass(&table);
    cr_expect_eq(visitors[0].answers, 0);
    cr_expect_eq(get(&table, &visitors[2], HERE), 0);
    table_let_go(&table);
    end(&table, &visitors[2]);
    cr_expect_eq(table.host->reads, 0);
    table_close(&table);
}

/* The page is sent without its card, and the read counts until it is back. */
Test(http_reads, of_a_card_that_is_late_are_not_waited_for)
{
    struct visitor visitors[VISITORS];
    struct table table;

    table_open(&table);
    table.host->options.reads_per_address = 1;
    table_hold(&table);
    cr_assert_eq(begin(&table, &visitors[0], HERE, HTTP_COST_API), 0);
    host_http_card(table.host, &visitors[0].request, "join=1");
    cr_expect_eq(visitors[0].answers, 0);
    host_http_abandon(table.host, &visitors[0].request);
    host_http_abandon(table.host, &visitors[0].request); /* nothing: no harm */
    cr_expect_eq(get(&table, &visitors[1], HERE), 429);
    end(&table, &visitors[1]);
    table_pass(&table);
    cr_expect_eq(visitors[0].answers, 0);
    cr_expect_eq(table.host->reads, 0);
    end(&table, &visitors[0]);
    cr_expect_eq(table.host->reads, 0);
    table_close(&table);
}

/* The thread that plays matches again, busy for good. */
struct reviewers {
    struct store_port port; /* first */
    struct store_job *jobs[VISITORS];
    uint32_t count;
    uint32_t cancelled;
};

static bool
take_review(struct store_port *port, struct store_job *job)
{
    struct reviewers *reviewers = (struct reviewers *)(void *)port;

    reviewers->jobs[reviewers->count++] = job;
    return true;
}

static void
cancel_review(struct store_port *port, struct store_job *job)
{
    struct reviewers *reviewers = (struct reviewers *)(void *)port;

    cr_expect_eq(job, reviewers->jobs[reviewers->cancelled++]);
}

#define MOMENTS 5

/* What is packed waits for no match that is played again; and who hangs up is not worked for. */
Test(http_reads, of_lists_are_packed_while_moments_are_asked_for_and_left)
{
    struct reviewers reviewers = { .port = { .submit = take_review, .cancel = cancel_review } };
    struct visitor visitors[VISITORS];
    struct visitor lister;
    struct table table;

    table_open(&table);
    table.host->world.reviews = &reviewers.port;
    for (int i = 0; i < MOMENTS; i++) {
        cr_assert_eq(begin(&table, &visitors[i], HERE, HTTP_COST_API), 0);
        host_http_get(table.host, &visitors[i].request, "/api/v1/matches/1/moments", "", NULL);
        table_settle(&table);
        cr_expect_eq(visitors[i].status, 0, "%d: %d", i, visitors[i].status);
    }
    cr_assert_eq(reviewers.count, MOMENTS);
    lister = (struct visitor){ .request = {
                                   .answer = answered, .context = &lister, .takes_gzip = true } };
    cr_assert(host_http_begin(table.host, &lister.request, THERE, HTTP_COST_API));
    host_http_get(table.host, &lister.request, "/api/v1/matches", "", NULL);
    table_settle(&table);
    cr_expect_eq(lister.status, 200);
    end(&table, &lister);
    for (int i = 0; i < MOMENTS; i++) {
        cr_expect_eq(reviewers.cancelled, i);
        end(&table, &visitors[i]);
    }
    cr_expect_eq(reviewers.cancelled, MOMENTS);
    for (int i = 0; i < MOMENTS; i++) {
        reviewers.jobs[i]->result = STORE_ABANDONED;
        host_job_done(table.host, reviewers.jobs[i]);
    }
    cr_expect_eq(table.host->reads, 0);
    table_close(&table);
}

Test(http_reads, of_all_are_limited)
{
    struct visitor visitors[VISITORS];
    struct table table;

    table_open(&table);
    table.host->options.reads_max = 2;
    table_hold(&table);
    cr_expect_eq(get(&table, &visitors[0], HERE), 0);
    cr_expect_eq(get(&table, &visitors[1], THERE), 0);
    cr_expect_eq(get(&table, &visitors[2], "192.0.2.3"), 503);
    cr_expect_eq(visitors[2].retry_ms, 1000);
    cr_expect_eq(table.host->counters.limited[LIMIT_READS], 1);
    table_let_go(&table);
    for (int i = 0; i < 3; i++) {
        end(&table, &visitors[i]);
    }
    cr_expect_eq(get(&table, &visitors[0], HERE), 200);
    end(&table, &visitors[0]);
    table_close(&table);
}

Test(http_reads, are_answered_with_503_when_the_store_takes_no_more)
{
    struct visitor visitor;
    struct table table;

    table_open(&table);
    table.is_full = true;
    cr_expect_eq(get(&table, &visitor, HERE), 503);
    end(&table, &visitor);
    table.is_full = false;
    cr_expect_eq(get(&table, &visitor, HERE), 200);
    end(&table, &visitor);
    table_close(&table);
}

Test(http_answers, that_nobody_reads_have_a_limit)
{
    struct visitor visitors[VISITORS];
    struct table table;

    table_open(&table);
    cr_assert_eq(get(&table, &visitors[0], HERE), 200);
    table.host->options.http_answers_max = (int32_t)(2 * visitors[0].length);
    cr_expect_eq(get(&table, &visitors[1], HERE), 200);
    cr_expect_eq(get(&table, &visitors[2], THERE), 503, "one byte too many");
    cr_expect_eq(table.host->counters.limited[LIMIT_HTTP_ANSWERS], 1);
    end(&table, &visitors[0]);
    cr_expect_eq(get(&table, &visitors[3], THERE), 200);
    for (int i = 1; i <= 3; i++) {
        end(&table, &visitors[i]);
    }
    cr_expect_eq(table.host->http_bytes, 0);
    table_close(&table);
}

/* ---- documents --------------------------------------------------------------------------- */

Test(http_documents, are_packed_once_for_all)
{
    struct visitor visitors[2];
    struct table table;
    const char *paths[] = { "/api/v1/rulesets", "/api/v1/protocol" };

    table_open(&table);
    for (int i = 0; i < 2; i++) {
        size_t plain;

        for (int again = 0; again < 3; again++) {
            cr_assert_eq(begin(&table, &visitors[i], HERE, HTTP_COST_API), 0);
            visitors[i].request.takes_gzip = again > 0;
            host_http_get(table.host, &visitors[i].request, paths[i], "", NULL);
            cr_expect_eq(visitors[i].status, 200);
            plain = again == 0 ? visitors[i].length : plain;
            end(&table, &visitors[i]);
            table_settle(&table);
        }
        cr_expect_lt(visitors[i].length, plain / 4, "%s", paths[i]);
    }
    table_close(&table);
}
