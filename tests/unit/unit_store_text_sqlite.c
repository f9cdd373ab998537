/* server/store: damaged files, views and the cost of lists, in SQLite's dialect. */
#include <sqlite3.h>
#include <stdatomic.h>

#include "proto/utf8.h"
#include "tests/support/cases.h"
#include "tests/unit/store_world.h"

/* ---- damage ------------------------------------------------------------------------------ */

/* Columns that anybody with the file may have written into; all of match 1. */
static const char *const damages[] = {
    "UPDATE match SET settings = CAST(x'7b2278223a22ff227d' AS TEXT) WHERE id = 1",
    "UPDATE match SET status = CAST(x'00ff' AS TEXT) WHERE id = 1",
    "UPDATE match SET reason = CAST(x'c0' AS TEXT) WHERE id = 1",
    "UPDATE match SET ruleset = CAST(x'eda080' AS TEXT) WHERE id = 1",
    "UPDATE player SET name = CAST(x'2280ff5c' AS TEXT) WHERE id = 1",
    "UPDATE record SET body = CAST(x'ff' AS TEXT) WHERE match = 1 AND kind = 'turn'",
};

static bool
is_all_utf8(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t step = sk_utf8_length((const uint8_t *)text + at, (const uint8_t *)text + length);

        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

CASES(store_list, can_be_read_whatever_one_match_holds, damages)
{
    static const enum store_query queries[] = { QUERY_MATCHES, QUERY_MATCH, QUERY_LEADERBOARD };
    struct fixture fixture;

    make_world(&fixture);
    fixture_sql(&fixture, damages[*index]);
    for (size_t i = 0; i < SK_COUNT_OF(queries); i++) {
        struct store_job *job = fixture_run(&fixture, job_text(queries[i], 1));
        struct json_object *json;

        cr_assert_eq(job->result, STORE_OK, "%s: %s", damages[*index], job->message);
        cr_expect(is_all_utf8(job->text.at, job->text.length), "%s", damages[*index]);
        json = json_tokener_parse(job->text.at);
        cr_assert_not_null(json, "%s: %s", damages[*index], job->text.at);
        if (queries[i] == QUERY_MATCHES) {
            cr_expect_eq(json_object_array_length(json_object_object_get(json, "matches")), 8);
        }
        json_object_put(json);
        store_job_free(job);
    }
    fixture_close(&fixture);
}

Test(store_replay, of_a_turn_that_is_not_json_is_corrupt_and_harms_nobody_else)
{
    struct fixture fixture;

    make_world(&fixture);
    fixture_sql(&fixture, "UPDATE record SET body = '{\"comm' WHERE match = 1 AND seq = 4");
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_REPLAY, 1)), STORE_CORRUPT);
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_REPLAY, 2)), STORE_OK);
    cr_expect_str_eq(fixture_ask(&fixture, "SELECT count(*) FROM match_turn"), "7",
                     "a view over all matches goes on");
    fixture_close(&fixture);
}

/* ---- views ------------------------------------------------------------------------------- */

struct view_case {
    const char *sql;
    const char *answer;
};

static const struct view_case view_cases[] = {
    { "SELECT group_concat(status) FROM match_summary WHERE match < 4", "over,running,waiting" },
    { "SELECT turn || ' ' || turns || ' ' || duration_ms || ' ' || winner_name || ' ' || players "
      "FROM match_summary WHERE match = 1",
      "4 5 7000 B\"ob\\ [\"Ann\",\"B\\\"ob\\\\\"]" },
    { "SELECT count(*) FROM match_record", "19" },
    { "SELECT group_concat(kind) FROM match_record WHERE match = 2", "created,joined,turn,turn" },
    { "SELECT ruleset || ' ' || commands || ' ' || refused || ' ' || events || ' ' || state_hash "
      "|| ' ' || used_ms || ' ' || bank_ms FROM match_turn WHERE match = 1 AND turn = 2",
      "tactics 3 1 2 0123456789abcdef [10,20] [300,400]" },
    { "SELECT group_concat(seat || ' ' || place || ' ' || kind || ' ' || ifnull(unit, '-') || ' ' "
      "|| ifnull(cells, '-') || ' ' || ifnull(x || ' ' || y, '-') || ' ' || verdict || ' ' || "
      "ifnull(check_name, '-'), '; ') FROM match_command WHERE match = 2 AND turn = 1",
      "0 0 move a1 [[1,2]] 1 2 bounced bounce; 0 1 resign - - - ok -; "
      "1 0 move b1 [[1,2],[3,4]] 3 4 ok -" },
    { "SELECT group_concat(place || ' ' || kind || ' ' || ifnull(unit, '-') || ' ' || x || ' ' || "
      "y, '; ') FROM match_event WHERE match = 2 AND turn = 1",
      "0 bounced - 1 2; 1 moved b1 3 4" },
    { "SELECT count(*) FROM match_event WHERE kind = 'bounced' GROUP BY x, y", "7" },
    { "SELECT json_extract(command, '$.target[1]') FROM match_command LIMIT 1", "2" },
};

CASES(store_view, answers, view_cases)
{
    const struct view_case *c = &view_cases[*index];
    struct fixture fixture;

    make_world(&fixture);
    cr_expect_str_eq(fixture_ask(&fixture, c->sql), c->answer, "%s", c->sql);
    fixture_close(&fixture);
}

/* ---- what a list costs -------------------------------------------------------------------- */

static atomic_llong list_steps; /* of SQLite's machine, of all lists of matches */

static int
count_steps(unsigned event, void *context, void *statement, void *ns)
{
    (void)event;
    (void)context;
    (void)ns;
    if (strstr(sqlite3_sql(statement), "FROM match_summary s") != NULL) {
        list_steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
    }
    return 0;
}

static int
watch_steps(sqlite3 *db, char **message, const struct sqlite3_api_routines *api)
{
    (void)message;
    (void)api;
    return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, count_steps, NULL);
}

#define LONG_TURNS 300

/* The turn that is shown comes from the newest record: the others are not walked. */
Test(store_text, a_list_takes_as_many_steps_however_long_its_matches_are)
{
    struct fixture fixture;
    long long steps[2];
    uint32_t seq;

    cr_assert_eq(sqlite3_auto_extension((void (*)(void))(uintptr_t)watch_steps), SQLITE_OK);
    make_world(&fixture);
    for (int i = 0; i < 2; i++) {
        struct json_object *json;
        struct json_object *matches;

        list_steps = 0;
        json = parsed(&fixture, job_text(QUERY_MATCHES, 0));
        cr_assert(json_object_object_get_ex(json, "matches", &matches));
        cr_expect_str_eq(
            member(json_object_array_get_idx(matches, json_object_array_length(matches) - 2),
                   "turn"),
            i == 0 ? "1" : "301");
        json_object_put(json);
        steps[i] = list_steps;
        seq = (uint32_t)atoi(fixture_ask(&fixture, "SELECT max(seq) FROM record WHERE match = 2"));
        for (int turn = 2; i == 0 && turn < 2 + LONG_TURNS; turn++) {
            append_turn(&fixture, 2, ++seq, turn);
        }
    }
    cr_expect_gt(steps[0], 0);
    cr_expect_leq(steps[1], steps[0] + LONG_TURNS / 10, "%lld instead of %lld", steps[1], steps[0]);
    sqlite3_reset_auto_extension();
    fixture_close(&fixture);
}
