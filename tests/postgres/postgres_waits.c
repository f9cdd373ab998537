/* What a comparison of a node's queue with the stored one says of rows that were there before. */
#include "tests/postgres/nodes.h"
#include "tests/support/cases.h"

#define ANN  1 /* the first player of a database */
#define KEY  "tactics 1 {}"
#define GONE 777 /* a node that has no row */

enum row_node { ROW_HERE, ROW_THERE, ROW_GONE };

struct waits_case {
    const char *label;
    enum row_node node;     /* of Ann's row */
    bool has_match;         /* she was seated */
    bool is_match_over;     /* ... in a match that has ended */
    struct store_wait wait; /* hers; without a number she does not wait here */
    /* What is expected: */
    bool is_over;
    bool has_ticket;
    bool is_told;     /* of the match, by her wait if that is over, else by one that is added */
    const char *rows; /* how many there are with a match, and without one */
};

#define NEW    { .player = ANN, .number = 1, .key = KEY }
#define AGAIN  { .player = ANN, .number = 1, .key = KEY, .was_sent = true }
#define STORED { .player = ANN, .number = 1, .ticket = 1 }
#define FOUND  { .player = ANN } /* by an attempt before */
#define NOBODY { 0 }

/* clang-format off */
static const struct waits_case cases[] = {
    { "she waits anew, and was seated before",      ROW_HERE,  true,  false, NEW,    false, true,  true,  "0 1" },
    { "the same wait was stored and seated",        ROW_HERE,  true,  false, AGAIN,  true,  false, true,  "1 0" },
    { "it was stored, and nobody seated her",       ROW_HERE,  false, false, AGAIN,  false, true,  false, "0 1" },
    { "she was seated",                             ROW_HERE,  true,  false, STORED, true,  false, true,  "1 0" },
    { "she left, and was seated",                   ROW_HERE,  true,  false, NOBODY, false, false, true,  "0 0" },
    { "the same, at another attempt",               ROW_HERE,  true,  false, FOUND,  true,  false, true,  "0 0" },
    { "she waits at another node by now",           ROW_THERE, false, false, STORED, true,  false, false, "0 1" },
    { "this node had another number",               ROW_GONE,  false, false, STORED, false, false, false, "0 0" },
    { "her node is gone, and she waits here",       ROW_GONE,  false, false, NEW,    false, true,  false, "0 1" },
    { "the same, and she was seated",               ROW_GONE,  true,  false, NEW,    false, true,  true,  "0 1" },
    { "her node is gone, and she is not back yet",  ROW_GONE,  true,  false, NOBODY, false, false, false, "1 0" },
    { "the same, and her match is over",            ROW_GONE,  true,  true,  NOBODY, false, false, false, "0 0" },
};
/* clang-format on */

/* Ann's row, as it was stored before. */
static void
store_row(const struct fixture *node, const struct waits_case *it, int64_t there)
{
    int64_t nodes[] = { node->node.id, there, GONE };
    char sql[512];

    (void)snprintf(sql, sizeof(sql),
                   "INSERT INTO waiting (player, node, key, seats, rating_min, rating_max, seek, "
                   "rating, match) SELECT %d, %lld, sha256('" KEY "'), 2, 0, 10000, "
                   "'{\"ruleset\":\"tactics\"}', 1500, %s FROM match;",
                   ANN, (long long)nodes[it->node], it->has_match ? "id" : "NULL");
    fixture_sql(node, sql);
    if (it->is_match_over) {
        fixture_sql(node, "UPDATE match SET status = 'over'");
    }
}

static struct store_job *
compare(struct fixture *node, const struct store_wait *hers)
{
    struct store_job *job = store_job_alloc(JOB_QUEUE);

    if (hers->player != 0) {
        struct store_wait *wait = store_queue_add_wait(&job->queue);

        *wait = *hers;
        wait->seats = 2;
        wait->rating_max = 10000;
        wait->key = hers->key == NULL ? NULL : strdup(hers->key);
        wait->seek = hers->key == NULL ? NULL : strdup("{\"ruleset\":\"tactics\"}");
    }
    job->place = STORE_ASIDE;
    (void)fixture_run(node, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    return job;
}

static bool
is_told(const struct store_queue *queue, int64_t match)
{
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        if (queue->waits[i].match == match && queue->waits[i].player == ANN) {
            return true;
        }
    }
    return false;
}

CASES(postgres_waits, a_row_that_was_there_before, cases)
{
    const struct waits_case *it = &cases[*index];
    struct store_wait none = { 0 };
    const struct store_wait *hers = &none;
    struct fixture node;
    struct fixture other;
    struct store_job *job;
    int64_t match;

    fixture_init(&node);
    fixture_open(&node);
    cr_assert_eq(fixture_player(&node, "Ann", 1), ANN);
    match = fixture_match(&node, ANN);
    other = node;
    other.node.name = "other";
    other.options.node = &other.node;
    fixture_open(&other);
    fixture_sql(&node, "UPDATE node SET expires = " LIVE);
    store_row(&node, it, other.node.id);

    job = compare(&node, &it->wait);
    if (it->wait.player != 0) {
        hers = &job->queue.waits[0];
    }
    cr_expect_eq(hers->is_over, it->is_over, "%s", it->label);
    cr_expect_eq(hers->ticket != 0, it->has_ticket, "%s", it->label);
    cr_expect_eq(hers->match != 0, it->is_over && it->is_told, "%s", it->label);
    cr_expect_eq(is_told(&job->queue, match), it->is_told, "%s", it->label);
    cr_expect_str_eq(fixture_ask(&node, "SELECT count(match) || ' ' || count(*) - count(match) "
                                        "FROM waiting"),
                     it->rows, "%s", it->label);
    store_job_free(job);
    store_close(other.store);
    fixture_close(&node);
}
