/*
 * Standings and ratings: updated when a rated match ends, or recomputed from
 * all stored matches.
 *
 * Both use the same step, match by match in the order of rated_match, so both
 * give the same bits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/store/glicko.h"
#include "server/store/sql.h"

#define RATED_SEATS 2

/* A match that counts: its players and result. */
struct rated {
    char ruleset[SK_ID_MAX + 1];
    int64_t match;
    int64_t ended_at_ms;
    int64_t players[RATED_SEATS];
    double scores[RATED_SEATS];
    bool is_strict; /* newcomers do not move settled ratings: see counts */
};

/* ---- one player -------------------------------------------------------------------------- */

/* The player's rating at the end of the match. */
static bool
rating_load(struct sql *sql, const struct rated *rated, int64_t player, struct glicko *ret_glicko)
{
    struct row row = sql_row(sql, SQL_RATING_LOAD);
    struct glicko glicko = glicko_first;
    int64_t rated_at_ms = 0;

    row_put_text(&row, rated->ruleset);
    row_put_number(&row, player);
    if (row_step(&row)) {
        glicko.rating = row_take_real(&row);
        glicko.deviation = row_take_real(&row);
        glicko.volatility = row_take_real(&row);
        rated_at_ms = row_take_number(&row);
    }
    *ret_glicko = rated_at_ms == 0 ? glicko : glicko_age(glicko, rated->ended_at_ms - rated_at_ms);
    return row_end(&row);
}

static bool
rating_store(struct sql *sql, const struct rated *rated, int seat, const struct glicko *before,
             const struct glicko *after)
{
    struct row standing = sql_row(sql, SQL_RATING_STORE);
    struct row seat_row = sql_row(sql, SQL_SEAT_RATING);

    row_put_real(&standing, after->rating);
    row_put_real(&standing, after->deviation);
    row_put_real(&standing, after->volatility);
    row_put_number(&standing, rated->ended_at_ms);
    row_put_text(&standing, rated->ruleset);
    row_put_number(&standing, rated->players[seat]);
    row_put_real(&seat_row, before->rating);
    row_put_real(&seat_row, after->rating);
    row_put_number(&seat_row, rated->match);
    row_put_number(&seat_row, seat);
    return row_run(&standing) && row_run(&seat_row);
}

/* ---- one match --------------------------------------------------------------------------- */

static bool
count_standing(struct sql *sql, int64_t match)
{
    struct row row = sql_row(sql, SQL_STANDING_COUNT);

    row_put_number(&row, match);
    return row_run(&row);
}

/* New players do not move a settled rating, so ratings cannot be farmed from throwaway accounts. */
static bool
is_unmoved(const struct rated *rated, const struct glicko *own, const struct glicko *other)
{
    return rated->is_strict && own->deviation <= GLICKO_PROVISIONAL &&
           other->deviation > GLICKO_PROVISIONAL;
}

/* Each is rated against what the other was before the match. */
static bool
rate_players(struct sql *sql, const struct rated *rated)
{
    struct glicko before[RATED_SEATS];

    for (int seat = 0; seat < RATED_SEATS; seat++) {
        if (!rating_load(sql, rated, rated->players[seat], &before[seat])) {
            return false;
        }
    }
    for (int seat = 0; seat < RATED_SEATS; seat++) {
        const struct glicko *other = &before[RATED_SEATS - 1 - seat];
        struct glicko_game game = { *other, rated->scores[seat] };
        struct glicko after = is_unmoved(rated, &before[seat], other)
                                  ? before[seat]
                                  : glicko_after(before[seat], &game, 1);

        if (!rating_store(sql, rated, seat, &before[seat], &after)) {
            return false;
        }
    }
    return true;
}

static void
rated_take(struct row *row, struct rated *rated)
{
    struct sk_text ruleset = row_take_text(row);
    int64_t winner;

    (void)snprintf(rated->ruleset, sizeof(rated->ruleset), "%.*s", (int)ruleset.length, ruleset.at);
    rated->ended_at_ms = row_take_number(row);
    winner = row_take_number_or(row, STORE_NOBODY);
    for (int seat = 0; seat < RATED_SEATS; seat++) {
        rated->players[seat] = row_take_number(row);
        rated->scores[seat] = winner == STORE_NOBODY ? 0.5 : winner == seat ? 1 : 0;
    }
}

/* The match does not count: its seats get the players' current ratings. */
static bool
keep_ratings(struct sql *sql, const struct rated *rated)
{
    for (int seat = 0; seat < RATED_SEATS; seat++) {
        struct row row = sql_row(sql, SQL_SEAT_RATING);
        struct glicko glicko;

        if (!rating_load(sql, rated, rated->players[seat], &glicko)) {
            return false;
        }
        row_put_real(&row, glicko.rating);
        row_put_real(&row, glicko.rating);
        row_put_number(&row, rated->match);
        row_put_number(&row, seat);
        if (!row_run(&row)) {
            return false;
        }
    }
    return true;
}

/*
 * Reads from the settings what a match must fulfil to count; older matches have
 * no conditions.  It needs a minimum number of turns, and the same two players
 * count only a limited number of times per day.
 */
static bool
rule_load(struct sql *sql, int64_t match, bool *ret_counts, bool *ret_is_strict)
{
    struct row row = sql_row(sql, SQL_RATED_RULE);
    bool is_there;

    row_put_number(&row, match);
    is_there = row_step(&row);
    if (is_there) {
        int64_t turns_min = row_take_number_or(&row, 0);
        int64_t repeats_max = row_take_number_or(&row, 0);
        int64_t turns = row_take_number_or(&row, 0);
        int64_t repeats = row_take_number(&row);

        *ret_is_strict = repeats_max > 0;
        *ret_counts = turns >= turns_min && (repeats_max == 0 || repeats < repeats_max);
    }
    return row_end(&row) && is_there;
}

static bool
rate_match(struct sql *sql, int64_t match)
{
    struct row row = sql_row(sql, SQL_RATED_FIND);
    struct rated rated = { .match = match };
    bool counts = true;
    bool is_there;

    row_put_number(&row, match);
    is_there = row_step(&row);
    if (is_there) {
        rated_take(&row, &rated);
    }
    if (!row_end(&row) || !is_there || !rule_load(sql, match, &counts, &rated.is_strict)) {
        return !is_there;
    }
    return counts ? count_standing(sql, match) && rate_players(sql, &rated)
                  : keep_ratings(sql, &rated);
}

enum outcome
sql_rating_count(struct sql *sql, int64_t match)
{
    struct row row = sql_row(sql, SQL_RATED_INSERT);

    row_put_number(&row, match);
    if (!row_run(&row)) {
        return OUTCOME_ERROR;
    }
    if (sql->calls->changes(sql) == 0) {
        return OUTCOME_OK; /* the match is not rated */
    }
    return rate_match(sql, match) ? OUTCOME_OK : OUTCOME_ERROR;
}

enum outcome
sql_ratings_of(struct sql *sql, struct store_job *job)
{
    for (uint32_t i = 0; i < job->ratings.count; i++) {
        struct row row = sql_row(sql, SQL_RATING_LOAD);

        row_put_text(&row, job->ratings.ruleset);
        row_put_number(&row, job->ratings.at[i].player);
        job->ratings.at[i].rating =
            (int32_t)lround(row_step(&row) ? row_take_real(&row) : glicko_first.rating);
        if (!row_end(&row)) {
            return OUTCOME_ERROR;
        }
    }
    return OUTCOME_OK;
}

/* ---- recomputing ------------------------------------------------------------------------- */

static bool
run(struct sql *sql, const char *script)
{
    return sql->calls->run(sql, &(struct sql_text){ script, NULL });
}

static bool
ask_number(struct sql *sql, const char *text, int64_t *ret_number)
{
    struct row row;
    bool is_told =
        sql->calls->prepare(sql, &(struct sql_text){ text, NULL }, &row) && row_step(&row);

    *ret_number = is_told ? row_take_number(&row) : 0;
    return sql->calls->finish(&row) && is_told;
}

static bool
count_until(struct sql *sql, int64_t last_number)
{
    static const struct sql_text text = {
        "SELECT match FROM rated_match WHERE number <= ? ORDER BY number", NULL
    };
    struct row row;
    bool is_counted = sql->calls->prepare(sql, &text, &row);

    if (is_counted) {
        row_put_number(&row, last_number);
    }
    while (is_counted && row_step(&row)) {
        is_counted = rate_match(sql, row_take_number(&row));
    }
    return sql->calls->finish(&row) && is_counted;
}

/* Differences to what was stored before, in both directions. */
static const char difference_sql[] =
    "SELECT count(*) FROM (SELECT ruleset, player FROM "
    "(SELECT * FROM standing_before EXCEPT SELECT * FROM standing) a UNION "
    "SELECT ruleset, player FROM "
    "(SELECT * FROM standing EXCEPT SELECT * FROM standing_before) b) c";

static bool
recompute(struct sql *sql, struct sql_ratings *ret_ratings)
{
    return run(sql, "CREATE TEMP TABLE standing_before AS SELECT * FROM standing; "
                    "DELETE FROM standing; "
                    "UPDATE seat SET rating_before = NULL, rating_after = NULL "
                    "WHERE rating_after IS NOT NULL") &&
           count_until(sql, INT64_MAX) &&
           ask_number(sql, "SELECT count(*) FROM rated_match", &ret_ratings->matches) &&
           ask_number(sql, "SELECT count(*) FROM standing", &ret_ratings->standings) &&
           ask_number(sql, difference_sql, &ret_ratings->different) &&
           run(sql, "DROP TABLE standing_before");
}

/* No other process counts meanwhile. */
static const struct sql_text begin_sql = {
    "BEGIN IMMEDIATE", "BEGIN; LOCK TABLE rated_match IN SHARE ROW EXCLUSIVE MODE"
};

bool
sql_ratings_recompute(struct sql *sql, bool is_only_look, struct sql_ratings *ret_ratings)
{
    if (sql->calls->run(sql, &begin_sql) && recompute(sql, ret_ratings) &&
        run(sql, is_only_look ? "ROLLBACK" : "COMMIT")) {
        return true;
    }
    (void)run(sql, "ROLLBACK"); /* fails if there is no transaction, which is fine */
    return false;
}

/* Copies the table's definition, with key and defaults, as a temporary table. */
static bool
make_temp_standing(struct sql *sql)
{
    static const struct sql_text text = {
        "SELECT 'CREATE TEMP' || substr(sql, length('CREATE') + 1) "
        "FROM main.sqlite_schema WHERE type = 'table' AND name = 'standing'",
        "SELECT 'CREATE TEMP TABLE standing (LIKE public.standing INCLUDING ALL)'",
    };
    struct row row;
    char *made = NULL;
    bool is_made;

    if (sql->calls->prepare(sql, &text, &row) && row_step(&row)) {
        (void)row_take_copy(&row, &made);
    }
    is_made = sql->calls->finish(&row) && made != NULL && run(sql, made);
    free(made);
    return is_made;
}

#define TEMP_SEAT(main)                                                      \
    "CREATE TEMP TABLE seat AS SELECT s.match, s.seat, s.player, s.is_bot, " \
    "CAST(NULL AS DOUBLE PRECISION) AS rating_before, "                      \
    "CAST(NULL AS DOUBLE PRECISION) AS rating_after "                        \
    "FROM " main ".seat s WHERE s.match IN (SELECT match FROM rated_match); "

bool
sql_ratings_count_beside(struct sql *sql, int64_t last_number)
{
    static const struct sql_text begin = { "PRAGMA temp_store = MEMORY; BEGIN",
                                           "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE" };
    static const struct sql_text seats = {
        TEMP_SEAT("main") "CREATE UNIQUE INDEX temp.seat_key ON seat (match, seat); "
                          "CREATE INDEX temp.seat_player ON seat (player, match)",
        TEMP_SEAT("public") "CREATE UNIQUE INDEX ON pg_temp.seat (match, seat); "
                            "CREATE INDEX ON pg_temp.seat (player, match)",
    };

    return sql->calls->run(sql, &begin) && make_temp_standing(sql) &&
           sql->calls->run(sql, &seats) && count_until(sql, last_number);
}

bool
sql_ratings_begin(struct sql *sql)
{
    struct sql_ratings ratings;
    int64_t count;

    return ask_number(sql, "SELECT count(*) FROM standing WHERE rated_at = 0", &count) &&
           (count == 0 || sql_ratings_recompute(sql, false, &ratings));
}
