/* What a comparison of a node's queue with the stored one says of rows that were there before. */
#include "tests/postgres/nodes.h"
#include "tests/support/cases.h"

#define ANN  1 /* the first player of a database */
#define KEY  "tactics 1 {}"
#define GONE 777 /* a node that has no row */

enum row_node {
    ROW_NONE,
    ROW_HERE,
    ROW_THERE,
    ROW_GONE
};

struct waits_case {
    const char *label;
    enum row_node node;            /* of Ann's row */
    bool has_match;                /* she was seated */
    bool is_match_over;            /* ... in a match that has ended */
    const struct store_wait *wait; /* hers, or NULL: she does not wait here */
    /* What is expected: */
    bool is_over;
    bool has_ticket;
    bool is_told;     /* of the match, by her wait if that is over, else by one that is added */
    const char *rows; /* how many there are with a match, and without one */
};

static const struct store_wait new = { .player = ANN, .number = 1, .key = KEY };
static const struct store_wait again = { .player = ANN, .number = 1, .key = KEY, .was_sent = true };
static const struct store_wait stored = { .player = ANN, .number = 1, .ticket = 1 };
static const struct store_wait anew = {
    .player = ANN, .number = 1, .key = KEY, .was_sent = true, .older = 1
};
/* By an attempt before, whose answer was lost: */
static const struct store_wait found = { .player = ANN };
static const struct store_wait told = { .player = ANN, .match = 1 };
static const struct store_wait ended = { .player = ANN, .number = 1, .key = KEY, .match = 1 };

static const struct waits_case cases[] = {
    { "waits anew, was seated before", ROW_HERE, true, false, &new, false, true, true, "0 1" },
    { "waits anew, sent in vain", ROW_HERE, true, false, &anew, false, false, true, "1 0" },
    { "this wait was stored and seated", ROW_HERE, true, false, &again, true, false, true, "1 0" },
    { "this wait was stored", ROW_HERE, false, false, &again, false, true, false, "0 1" },
    { "was seated", ROW_HERE, true, false, &stored, true, false, true, "1 0" },
    { "left, was seated", ROW_HERE, true, false, NULL, false, false, true, "0 0" },
    { "the same, again", ROW_HERE, true, false, &found, true, false, true, "0 0" },
    { "the same, row deleted", ROW_NONE, false, false, &told, true, false, true, "0 0" },
    { "waits, row deleted", ROW_NONE, false, false, &ended, true, false, true, "0 0" },
    { "waits at another node by now", ROW_THERE, false, false, &stored, true, false, false, "0 1" },
    { "this node has a new number", ROW_GONE, false, false, &stored, false, false, false, "0 0" },
    { "node is gone, waits here", ROW_GONE, false, false, &new, false, true, false, "0 1" },
    { "the same, was seated", ROW_GONE, true, false, &new, false, true, true, "0 1" },
    { "node is gone, not back yet", ROW_GONE, true, false, NULL, false, false, false, "1 0" },
    { "the same, match is over", ROW_GONE, true, true, NULL, false, false, false, "0 0" },
};

/* Ann's row, as it was stored before. */
static void
store_row(const struct fixture *node, const struct waits_case *it, int64_t there)
{
    int64_t nodes[] = { 0, node->node.id, there, GONE };
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

    if (hers != NULL) {
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
    cr_assert_eq(match, told.match);
    other = node;
    other.node.name = "other";
    other.options.node = &other.node;
    fixture_open(&other);
    fixture_sql(&node, "UPDATE node SET expires = " LIVE);
    if (it->node != ROW_NONE) {
        store_row(&node, it, other.node.id);
    }

    job = compare(&node, it->wait);
    if (it->wait != NULL) {
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

/* The node was gone by then, and the match is newer than the comparison. */
Test(postgres_waits, who_is_seated_while_rows_of_dead_nodes_are_deleted_keeps_the_row,
     .timeout = 600)
{
    struct waits_case gone = { .node = ROW_GONE };
    struct fixture node;
    struct store_job *job;
    FILE *other;

    fixture_init(&node);
    fixture_open(&node);
    cr_assert_eq(fixture_player(&node, "Ann", 1), ANN);
    (void)fixture_match(&node, ANN);
    store_row(&node, &gone, 0);
    other = session_open(&node, "other",
                         "INSERT INTO match SELECT (jsonb_populate_record(m, '{\"id\":99}')).* "
                         "FROM match m; UPDATE waiting SET match = 99;");
    session_commit_when_awaited(other, "");
    job = compare(&node, NULL);
    cr_expect_str_eq(fixture_ask(&node, "SELECT match FROM waiting"), "99");
    store_job_free(job);
    (void)pclose(other);
    fixture_close(&node);
}
