/* server/store: the JSON of lists, replays and the leaderboard, on both databases. */
#include "server/store/statistics.h"
#include "tests/support/cases.h"
#include "tests/unit/store_world.h"

/* ---- lists ------------------------------------------------------------------------------- */

struct list_case {
    const char *label;
    const char *status;
    const char *ruleset;
    int64_t player;
    int64_t after;
    int32_t limit;
    const char *ids;
    const char *next;
};

static const struct list_case list_cases[] = {
    { "all that are open", "", "", 0, 0, 0, "9 8 7 6 5 4 2 1 ", "null" },
    { "a page", "", "", 0, 0, 3, "9 8 7 ", "7" },
    { "the next page", "", "", 0, 7, 3, "6 5 4 ", "4" },
    { "the last page", "", "", 0, 4, 3, "2 1 ", "null" },
    { "exactly the rest", "", "", 0, 4, 2, "2 1 ", "null" },
    { "past the end", "", "", 0, 1, 3, "", "null" },
    { "waiting", "waiting", "", 0, 0, 0, "9 8 7 6 5 4 ", "null" },
    { "waiting, some", "waiting", "", 0, 8, 2, "7 6 ", "6" },
    { "over", "over", "", 0, 0, 0, "1 ", "null" },
    { "a status that is none", "lost", "", 0, 0, 0, "", "null" },
    { "a ruleset", "", "tactics", 0, 0, 2, "9 8 ", "8" },
    { "private ones are not shown", "", "halma", 0, 0, 0, "", "null" },
    { "a player's, private too", "", "", 2, 0, 0, "3 2 1 ", "null" },
    { "a player's of a status", "running", "", 2, 0, 0, "2 ", "null" },
    { "a player's of a ruleset", "", "halma", 2, 0, 0, "3 ", "null" },
    { "not in that", "", "halma", 1, 0, 0, "", "null" },
    { "quotes are escaped", "' OR 1=1 --", "", 0, 0, 0, "", "null" },
};

CASES(store_list, has_what_is_asked_for, list_cases)
{
    const struct list_case *c = &list_cases[*index];
    struct fixture fixture;
    struct store_job *job = job_text(QUERY_MATCHES, 0);
    struct json_object *json;
    struct json_object *list;
    char ids[128] = "";

    make_world(&fixture);
    job->query.player = c->player;
    job->query.after = c->after;
    job->query.limit = c->limit;
    (void)snprintf(job->query.status, sizeof(job->query.status), "%s", c->status);
    (void)snprintf(job->query.ruleset, sizeof(job->query.ruleset), "%s", c->ruleset);
    json = parsed(&fixture, job);
    list = json_object_object_get(json, "matches");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        size_t used = strlen(ids);

        (void)snprintf(ids + used, sizeof(ids) - used, "%s ",
                       member(json_object_array_get_idx(list, i), "id"));
    }
    cr_expect_str_eq(ids, c->ids, "%s", c->label);
    cr_expect_str_eq(member(json, "next"), c->next, "%s", c->label);
    json_object_put(json);
    fixture_close(&fixture);
}

/* From the newest record alone, whatever it is: the same as the view finds. */
Test(store_list, knows_the_last_turn_by_the_newest_record)
{
    static const struct {
        enum store_record_kind kind;
        int32_t turn;
        const char *told;
    } steps[] = {
        { RECORD_SUBMISSION, 0, "null" }, { RECORD_CLOCK, 0, "null" }, { RECORD_TURN, 0, "0" },
        { RECORD_SUBMISSION, 1, "0" },    { RECORD_TURN, 1, "1" },     { RECORD_SNAPSHOT, 2, "1" },
        { RECORD_WITHDRAWN, 2, "1" },     { RECORD_TURN, 2, "2" },     { RECORD_ENDED, 2, "2" },
    };
    struct fixture fixture;
    struct json_object *json;
    uint32_t seq = 3;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_player(&fixture, "Bob", 2);
    (void)fixture_match(&fixture, 1);
    cr_assert_eq(fixture_result(&fixture, job_join(1, 0, 2, 2)), STORE_OK);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct store_job *job = job_append(1, 0);

        job_add(job, seq++, steps[i].kind, "{}")->turn = steps[i].turn;
        cr_assert_eq(fixture_result(&fixture, job), STORE_OK);
        json = parsed(&fixture, job_text(QUERY_MATCHES, 0));
        cr_expect_str_eq(
            member(json_object_array_get_idx(json_object_object_get(json, "matches"), 0), "turn"),
            steps[i].told, "step %zu", i);
        cr_expect_str_eq(
            fixture_ask(&fixture, "SELECT coalesce(CAST(turn AS TEXT), 'null') FROM match_summary"),
            steps[i].told, "step %zu", i);
        json_object_put(json);
    }
    fixture_close(&fixture);
}

Test(store_list, tells_of_each_match_what_a_lobby_needs)
{
    struct fixture fixture;
    struct json_object *json;
    struct json_object *list;
    struct json_object *over;
    struct json_object *waiting;

    make_world(&fixture);
    json = parsed(&fixture, job_text(QUERY_MATCHES, 0));
    list = json_object_object_get(json, "matches");
    waiting = json_object_array_get_idx(list, 0);
    over = json_object_array_get_idx(list, 7);
    cr_expect_str_eq(json_object_to_json_string_ext(over, JSON_C_TO_STRING_PLAIN),
                     "{\"id\":1,\"ruleset\":\"tactics\",\"version\":3,\"status\":\"over\","
                     "\"open\":true,\"rated\":true,\"players\":[\"Ann\",\"B\\\"ob\\\\\"],"
                     "\"ratings\":[{\"rating\":1338,\"provisional\":true,\"change\":-162},"
                     "{\"rating\":1662,\"provisional\":true,\"change\":162}],"
                     "\"turn\":4,\"created_at\":1000,\"started_at\":2000,\"ended_at\":9000,"
                     "\"winner\":1,\"reason\":\"eliminated\",\"settings\":{\"clock\":true,"
                     "\"spectator_delay\":0}}");
    cr_expect_str_eq(member_of(waiting, "players"), "[\"Ann\",null]");
    cr_expect_str_eq(member(waiting, "turn"), "null");
    cr_expect_str_eq(member(waiting, "started_at"), "null");
    cr_expect_str_eq(member(waiting, "winner"), "null");
    json_object_put(json);
    fixture_close(&fixture);
}

static const char *const not_json[] = {
    "UPDATE match SET settings = 'x'",
    "UPDATE match SET settings = ''",
    "UPDATE match SET settings = '{\"spectator_delay\":'",
    "UPDATE match SET params = '{'",
    "UPDATE match SET params = '{}]'",
};

CASES(store_list, can_be_read_whatever_settings_and_params_are, not_json)
{
    static const enum store_query queries[] = { QUERY_MATCHES, QUERY_MATCH };
    bool is_params = strstr(not_json[*index], "params") != NULL;
    struct fixture fixture;

    make_world(&fixture);
    fixture_sql(&fixture, not_json[*index]);
    for (int64_t match = 1; match <= 2; match++) {
        for (size_t i = 0; i < SK_COUNT_OF(queries); i++) {
            struct json_object *json = parsed(&fixture, job_text(queries[i], match));
            struct json_object *row =
                queries[i] == QUERY_MATCH
                    ? json
                    : json_object_array_get_idx(json_object_object_get(json, "matches"), 7);

            cr_expect_eq(strcmp(member(row, "settings"), "null") == 0, !is_params);
            if (queries[i] == QUERY_MATCH) {
                cr_expect_eq(strcmp(member(row, "params"), "null") == 0, is_params);
            }
            json_object_put(json);
        }
    }
    fixture_close(&fixture);
}

/* ---- one match --------------------------------------------------------------------------- */

Test(store_one, keeps_its_seed_until_it_is_over)
{
    struct fixture fixture;
    struct json_object *json;

    make_world(&fixture);
    json = parsed(&fixture, job_text(QUERY_MATCH, 1));
    cr_expect_str_eq(member_of(json, "params"), "{\"rows\":9}");
    cr_expect_eq(strlen(member(json, "seed")), 64);
    cr_expect_eq(memcmp(member(json, "seed"), "5e5e", 4), 0);
    cr_expect_eq(memcmp(member(json, "salt"), "5a5a", 4), 0);
    cr_expect_str_eq(member(json, "head"),
                     fixture_ask(&fixture, "SELECT hash FROM match_record "
                                           "WHERE match = 1 ORDER BY seq DESC"));
    json_object_put(json);

    json = parsed(&fixture, job_text(QUERY_MATCH, 2));
    cr_expect_str_eq(member(json, "seed"), "-");
    cr_expect_str_eq(member(json, "salt"), "-");
    cr_expect_str_eq(member(json, "head"), "-");
    json_object_put(json);
    fixture_close(&fixture);
}

Test(store_one, is_shown_to_those_in_it_when_it_is_private)
{
    static const enum store_query kinds[] = { QUERY_MATCH, QUERY_REPLAY };
    struct fixture fixture;

    make_world(&fixture);
    for (size_t i = 0; i < SK_COUNT_OF(kinds); i++) {
        for (int64_t player = 0; player <= 2; player++) {
            struct store_job *job = job_text(kinds[i], 3);

            job->query.player = player;
            cr_expect_eq(fixture_result(&fixture, job), player == 2 ? STORE_OK : STORE_NOT_FOUND);
        }
    }
    fixture_close(&fixture);
}

/* ---- replays ----------------------------------------------------------------------------- */

struct replay_case {
    const char *label;
    int64_t match;
    int64_t after;
    int32_t limit;
    const char *settings;
    const char *turns;
    const char *next;
    bool has_hash;
};

#define DELAY(turns) "{\"spectator_delay\":" #turns "}"

static const struct replay_case replay_cases[] = {
    { "all of it", 1, STORE_NO_TURN, 0, DELAY(9), "0 1 2 3 4 ", "null", true },
    { "a page", 1, STORE_NO_TURN, 2, DELAY(0), "0 1 ", "1", true },
    { "the next page", 1, 1, 2, DELAY(0), "2 3 ", "3", true },
    { "the last page", 1, 3, 2, DELAY(0), "4 ", "null", true },
    { "past the end", 1, 4, 2, DELAY(0), "", "null", true },
    { "nothing yet", 9, STORE_NO_TURN, 0, DELAY(0), "", "null", false },
    { "one that runs", 2, STORE_NO_TURN, 0, DELAY(0), "0 1 ", "null", false },
    { "as far as one may see", 2, STORE_NO_TURN, 0, DELAY(1), "0 ", "null", false },
    { "a part of that", 2, STORE_NO_TURN, 1, DELAY(0), "0 ", "0", false },
    { "nothing may be seen", 2, STORE_NO_TURN, 0, DELAY(2), "", "null", false },
    { "later", 2, STORE_NO_TURN, 0, DELAY(3), "", "null", false },
    { "the delay is not known", 2, STORE_NO_TURN, 0, "{}", "", "null", false },
};

static void
expect_header(const char *line, const struct replay_case *c)
{
    struct json_object *header = json_tokener_parse(line);

    cr_assert_not_null(header, "%s: %s", c->label, line);
    cr_expect_str_eq(member(header, "next"), c->next, "%s", c->label);
    cr_expect_eq(strcmp(member(header, "seed"), "-") != 0, c->has_hash, "%s", c->label);
    if (c->match == 1) {
        cr_expect_str_eq(member_of(header, "seats"),
                         "[{\"player\":1,\"name\":\"Ann\",\"bot\":false},"
                         "{\"player\":2,\"name\":\"B\\\"ob\\\\\",\"bot\":false}]");
    }
    json_object_put(header);
}

CASES(store_replay, has_a_header_and_a_line_a_turn, replay_cases)
{
    const struct replay_case *c = &replay_cases[*index];
    struct fixture fixture;
    struct store_job *job = job_text(QUERY_REPLAY, c->match);
    char turns[128] = "";
    char settings[128];
    char *rest;
    char *line;

    make_world(&fixture);
    (void)snprintf(settings, sizeof(settings), "UPDATE match SET settings = '%s'", c->settings);
    fixture_sql(&fixture, settings);
    job->query.after = c->after;
    job->query.limit = c->limit;
    job = fixture_run(&fixture, job);
    cr_assert_eq(job->result, STORE_OK, "%s", job->message);
    cr_expect_eq(job->text.at[job->text.length - 1], '\n');
    expect_header(strtok_r(job->text.at, "\n", &rest), c);
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
        struct json_object *json = json_tokener_parse(line);
        size_t used = strlen(turns);

        cr_assert_not_null(json, "%s", line);
        (void)snprintf(turns + used, sizeof(turns) - used, "%s ", member(json, "turn"));
        cr_expect_eq(strcmp(member(json, "hash"), "-") != 0, c->has_hash, "%s", c->label);
        cr_expect_str_eq(member_of(json, "clocks"), "{\"used_ms\":[10,20],\"bank_ms\":[300,400]}");
        cr_expect_eq(json_object_array_length(json_object_object_get(json, "events")), 2);
        cr_expect_eq(json_object_array_length(json_object_object_get(json, "commands")), 2);
        json_object_put(json);
    }
    cr_expect_str_eq(turns, c->turns, "%s", c->label);
    store_job_free(job);
    fixture_close(&fixture);
}

static uint32_t
hides_old_tactics(struct sk_text ruleset, uint32_t version)
{
    return sk_text_same(ruleset, SK_TEXT("tactics")) && version == 3
               ? STORE_HIDES_TURNS | STORE_HIDES_PARAMS
               : 0;
}

Test(store_replay, of_a_running_match_hides_what_its_ruleset_does)
{
    static const struct {
        int64_t match;
        store_hides *hides;
        const char *params;
        bool has_turns;
    } cases[] = {
        { 2, hides_nothing, "{\"rows\":9}", true },
        { 2, hides_old_tactics, "null", false },
        { 2, NULL, "null", false },
        { 9, hides_old_tactics, "null", false },
        { 1, hides_old_tactics, "{\"rows\":9}", true },
        { 1, NULL, "{\"rows\":9}", true },
    };
    struct fixture fixture;

    make_world(&fixture);
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        struct store_job *job = job_text(QUERY_REPLAY, cases[i].match);
        struct json_object *json;
        char *rest;

        job->query.hides = cases[i].hides;
        job = fixture_run(&fixture, job);
        cr_assert_eq(job->result, STORE_OK, "%s", job->message);
        json = json_tokener_parse(strtok_r(job->text.at, "\n", &rest));
        cr_expect_str_eq(member_of(json, "params"), cases[i].params, "%zu", i);
        cr_expect_eq(strtok_r(NULL, "\n", &rest) != NULL, cases[i].has_turns, "%zu", i);
        json_object_put(json);
        store_job_free(job);
    }
    fixture_close(&fixture);
}

Test(store_replay, ends_a_page_early_when_it_grows_too_large)
{
    struct fixture fixture;
    struct store_job *job;
    const size_t size = STORE_REPLAY_BYTES_MAX / 3;
    char *body = malloc(size + 64);
    int64_t after = STORE_NO_TURN;

    cr_assert_not_null(body);
    (void)snprintf(body, size + 64, "{\"events\":[\"%0*d\"]}", (int)size, 0);
    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_player(&fixture, "Bob", 2);
    (void)fixture_match(&fixture, 1);
    cr_assert_eq(fixture_result(&fixture, job_join(1, 0, 2, 2)), STORE_OK);
    for (int32_t turn = 0; turn < 5; turn++) {
        job = job_append(1, 0);
        job_add(job, 3 + (uint32_t)turn, RECORD_TURN, body)->turn = turn;
        cr_assert_eq(fixture_result(&fixture, job), STORE_OK);
    }
    free(body);
    for (int page = 0; page < 2; page++) {
        char *end;

        job = job_text(QUERY_REPLAY, 1);
        job->query.after = after;
        job = fixture_run(&fixture, job);
        cr_assert_eq(job->result, STORE_OK, "%s", job->message);
        cr_expect(job->text.length < 2 * (size_t)STORE_REPLAY_BYTES_MAX);
        end = strchr(job->text.at, '\n');
        *end = '\0';
        cr_expect_not_null(strstr(job->text.at, page == 0 ? "\"next\":2}" : "\"next\":null}"), "%s",
                           job->text.at);
        after = 2;
        store_job_free(job);
    }
    fixture_close(&fixture);
}

/* ---- leaderboard ------------------------------------------------------------------------- */

static void
play(struct fixture *fixture, int32_t winner, bool is_rated, bool starts)
{
    struct store_job *job = job_create(1);
    uint32_t seq = 2;
    int64_t id;

    job->match.is_rated = is_rated;
    job = fixture_run(fixture, job);
    id = job->match_id;
    store_job_free(job);
    if (starts) {
        cr_assert_eq(fixture_result(fixture, job_join(id, 0, seq++, 2)), STORE_OK);
    }
    cr_assert_eq(fixture_result(fixture, job_end(id, 0, seq, winner)), STORE_OK);
    fixture_rate(fixture);
}

Test(store_leaderboard, counts_rated_matches_that_were_played)
{
    /* The ratings were computed by another program from the paper.  The last win was against a
     * player who seemed much better. */
    static const struct {
        const char *ruleset;
        const char *text;
    } cases[] = {
        { "tactics",
          "{\"leaderboard\":["
          "{\"player\":1,\"name\":\"Ann\",\"bot\":false,\"games\":4,\"wins\":1,\"draws\":1,"
          "\"losses\":2,\"rating\":1505,\"deviation\":213,\"provisional\":true},"
          "{\"player\":2,\"name\":\"Bob\",\"bot\":false,\"games\":4,\"wins\":2,\"draws\":1,"
          "\"losses\":1,\"rating\":1495,\"deviation\":213,\"provisional\":true}]}" },
        { "", "{\"leaderboard\":["
              "{\"player\":2,\"name\":\"Bob\",\"bot\":false,"
              "\"games\":4,\"wins\":2,\"draws\":1,\"losses\":1},"
              "{\"player\":1,\"name\":\"Ann\",\"bot\":false,"
              "\"games\":4,\"wins\":1,\"draws\":1,\"losses\":2}]}" },
    };
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    (void)fixture_player(&fixture, "Ann", 1);
    (void)fixture_player(&fixture, "Bob", 2);
    (void)fixture_player(&fixture, "Eve", 3);
    play(&fixture, 1, true, true);
    play(&fixture, 1, true, true);
    play(&fixture, 0, true, true);
    play(&fixture, STORE_NOBODY, true, true);
    play(&fixture, 0, false, true);
    play(&fixture, STORE_NOBODY, true, false);
    for (size_t i = 0; i < SK_COUNT_OF(cases); i++) {
        struct store_job *job = job_text(QUERY_LEADERBOARD, 0);

        (void)snprintf(job->query.ruleset, sizeof(job->query.ruleset), "%s", cases[i].ruleset);
        job = fixture_run(&fixture, job);
        cr_expect_str_eq(job->text.at, cases[i].text, "%s", job->text.at);
        store_job_free(job);
    }
    fixture_close(&fixture);
}

/* ---- one player -------------------------------------------------------------------------- */

/* Asks as this player (0 = nobody) about another one (0 = oneself). */
static struct json_object *
profile(struct fixture *fixture, int64_t asker, int64_t subject)
{
    struct store_job *job = job_text(QUERY_PLAYER, 0);

    job->query.player = asker;
    job->query.subject = subject;
    return parsed(fixture, job);
}

/* A match that counts, won by the second. */
static void
two_players(struct fixture *fixture)
{
    fixture_init(fixture);
    fixture_open(fixture);
    (void)fixture_player(fixture, "Ann", 1);
    (void)fixture_player(fixture, "Bob", 2);
    play(fixture, 1, true, true);
}

Test(store_player, has_standings_history_and_opponents)
{
    struct fixture fixture;
    struct json_object *json;
    struct json_object *last;

    two_players(&fixture);
    play(&fixture, 0, true, true);
    play(&fixture, STORE_NOBODY, true, true);
    play(&fixture, 0, false, true);
    play(&fixture, STORE_NOBODY, true, false); /* was never played */
    fixture_sql(&fixture, "UPDATE match SET reason = 'draw_agreed' WHERE winner IS NULL");
    json = profile(&fixture, 0, 1);
    cr_expect_str_eq(member(json, "name"), "Ann");
    cr_expect_eq(json_object_array_length(json_object_object_get(json, "history")), 3,
                 "only rated ones");
    last = json_object_array_get_idx(json_object_object_get(json, "history"), 0);
    cr_expect_str_eq(member(last, "match"), "3", "the newest first");
    cr_expect_str_eq(
        member_of(json, "opponents"),
        "[{\"player\":2,\"name\":\"Bob\",\"bot\":false,\"games\":4,\"won\":2,\"drawn\":1,"
        "\"lost\":1}]");
    json_object_put(json);
    cr_expect_eq(fixture_result(&fixture, job_text(QUERY_PLAYER, 0)), STORE_NOT_FOUND);
    fixture_close(&fixture);
}

Test(store_player, counts_private_matches_for_themselves_only)
{
    struct fixture fixture;

    two_players(&fixture);
    fixture_sql(&fixture, "UPDATE match SET is_open = 0");
    for (int64_t asker = 0; asker <= 2; asker++) {
        struct json_object *json = profile(&fixture, asker, 1);
        size_t shown = asker == 1 ? 1 : 0;

        cr_expect_eq(json_object_array_length(json_object_object_get(json, "history")), shown);
        cr_expect_eq(json_object_array_length(json_object_object_get(json, "opponents")), shown);
        json_object_put(json);
    }
    fixture_close(&fixture);
}

/* ---- statistics -------------------------------------------------------------------------- */

Test(store_statistics, are_answered_for_any_number_of_requests)
{
    struct fixture fixture;

    fixture_init(&fixture);
    fixture_open(&fixture);
    for (uint32_t i = 0; i <= STORE_APART_MAX; i++) {
        struct store_job *job = store_job_alloc(JOB_TEXT);

        job->query.kind = QUERY_STATISTICS;
        cr_assert_eq(fixture_result(&fixture, job), STORE_OK, "question %u", i);
    }
    fixture_close(&fixture);
}
