#include "server/store/audit_shared.h"

#include <stdbool.h>
#include <stdlib.h>

#include "server/store/sql.h"

#define FOUND_MAX 20 /* findings per check; more of the same say nothing new */

#define MATCH_ROWS "BETWEEN ?1::bigint AND ?2::bigint"
#define COUNTS                                                           \
    "m.status = 'over' AND m.is_rated = 1 AND m.started_at IS NOT NULL " \
    "AND m.seat_count = 2 AND a.player <> b.player AND o.match IS NULL "
#define SEATS_AND_ORIGIN                                 \
    "LEFT JOIN seat a ON a.match = m.id AND a.seat = 0 " \
    "LEFT JOIN seat b ON b.match = m.id AND b.seat = 1 " \
    "LEFT JOIN origin o ON o.match = m.id "
#define IS_COUNTED                                                \
    "(EXISTS (SELECT 1 FROM rated_match r WHERE r.match = m.id) " \
    "OR EXISTS (SELECT 1 FROM unrated_match u WHERE u.match = m.id))"

/* Each returns one row per fault: the match or NULL, where, and what. */
static const char *const match_checks[] = {
    "SELECT m.id, 'chain', 'the end of its chain is missing' FROM match m "
    "LEFT JOIN chain c ON c.match = m.id WHERE m.id " MATCH_ROWS " AND c.match IS NULL",

    "SELECT s.match, 'seat/' || s.seat || '/origin_player', "
    "CASE WHEN o.match IS NULL THEN 'the match was not imported' "
    "ELSE 'in an imported match a seat has both a player and an origin player, or neither' END "
    "FROM seat s LEFT JOIN origin o ON o.match = s.match WHERE s.match " MATCH_ROWS
    " AND CASE WHEN o.match IS NULL THEN s.origin_player IS NOT NULL "
    "ELSE (s.origin_player IS NULL) <> (s.player IS NULL) END",

    "SELECT min(s.match), 'player/is_bot', 'player ' || p.id || ' sat down as ' || "
    "CASE WHEN s.is_bot = 1 THEN 'a bot' ELSE 'a person' END FROM seat s "
    "JOIN player p ON p.id = s.player LEFT JOIN origin o ON o.match = s.match "
    "WHERE s.match " MATCH_ROWS " AND o.match IS NULL AND s.is_bot <> p.is_bot "
    "GROUP BY p.id, s.is_bot",

    "SELECT m.id, 'rated_match', 'it counts for ratings, but is not among the counted matches' "
    "FROM match m " SEATS_AND_ORIGIN "WHERE m.id " MATCH_ROWS " AND " COUNTS "AND NOT " IS_COUNTED,

    "SELECT m.id, 'rated_match', 'it is among the counted matches, but does not count for ratings' "
    "FROM match m " SEATS_AND_ORIGIN "WHERE m.id " MATCH_ROWS " AND " IS_COUNTED
    " AND NOT coalesce(" COUNTS ", false)",

    "SELECT s.match, 'seat/' || s.seat || '/rating_after', "
    "CASE WHEN r.match IS NULL THEN 'the match does not count, but the seat has a rating' "
    "ELSE 'the match counts, but the seat has no rating' END "
    "FROM seat s LEFT JOIN rated_match r ON r.match = s.match WHERE s.match " MATCH_ROWS
    " AND ((s.rating_after IS NULL) <> (r.match IS NULL) "
    "OR (s.rating_before IS NULL) <> (r.match IS NULL))",

    "SELECT r.match, 'record', r.records || ' are stored, but its chain has ' || c.last_seq "
    "FROM (SELECT match, count(*) AS records FROM record WHERE match " MATCH_ROWS
    " GROUP BY match) r JOIN chain c ON c.match = r.match WHERE r.records > c.last_seq",

    "SELECT d.match, 'pruned', 'it is marked as pruned, but its first record exists' "
    "FROM pruned d JOIN record r ON r.match = d.match AND r.seq = 1 WHERE d.match " MATCH_ROWS,

    "SELECT d.match, 'pruned/records', d.records || ' were pruned, but its chain had ' || "
    "coalesce(c.last_seq, 0) FROM pruned d LEFT JOIN chain c ON c.match = d.match "
    "WHERE d.match " MATCH_ROWS " AND d.records IS DISTINCT FROM c.last_seq",

    "SELECT d.match, 'pruned/turns', 'more turns than records: ' || d.turns "
    "FROM pruned d WHERE d.match " MATCH_ROWS " AND d.turns NOT BETWEEN 0 AND d.records",

    "SELECT d.match, 'pruned/pruned_at', 'admin_log has no pruning of matches that old at this "
    "time' FROM pruned d JOIN match m ON m.id = d.match WHERE d.match " MATCH_ROWS
    " AND NOT EXISTS (SELECT 1 FROM admin_log l WHERE l.at = d.pruned_at AND l.command = 'prune' "
    "AND (l.detail::json ->> 'before')::bigint > m.ended_at)",
};

/* Of rows that no match has. */
static const char *const other_checks[] = {
    "SELECT r.match, 'record/match', 'there is no match ' || r.match FROM record r "
    "WHERE r.seq = 1 AND NOT EXISTS (SELECT 1 FROM match m WHERE m.id = r.match) "
    "AND ?1::bigint <= ?2::bigint",

    "SELECT NULL, 'player/bot', 'player ' || id || ' is one of the server''s bots, but is not "
    "marked as a bot' FROM player WHERE bot IS NOT NULL AND is_bot = 0 "
    "AND ?1::bigint <= ?2::bigint",

    "SELECT NULL, 'player/forgotten_at', 'player ' || id || ' is forgotten, but data is left' "
    "FROM player WHERE forgotten_at IS NOT NULL AND (created_at <> 0 OR last_seen IS NOT NULL "
    "OR name <> '" STORE_FORGOTTEN "' || id) AND ?1::bigint <= ?2::bigint",

    "SELECT NULL, 'player/forgotten_at', 'player ' || id || ' is not marked as forgotten, but "
    "looks so' FROM player WHERE forgotten_at IS NULL AND (created_at = 0 "
    "OR starts_with(name, '" STORE_FORGOTTEN "')) AND ?1::bigint <= ?2::bigint",

    "SELECT match, 'rated_match/number', 'number ' || (before + 1) || ' is missing' FROM (SELECT "
    "match, number, lag(number, 1, 0::bigint) OVER (ORDER BY number) AS before FROM rated_match) n "
    "WHERE number - before > 1 AND ?1::bigint <= ?2::bigint",
};

/* The recomputed values are in temporary tables of the same names. */
#define STANDING(column)                                                                   \
    "SELECT NULL, 'standing/" column "', 'player ' || a.player || ' in ' || a.ruleset || " \
    "': ' || a." column " || ' is stored, the matches give ' || b." column                 \
    " FROM public.standing a JOIN pg_temp.standing b ON b.ruleset = a.ruleset "            \
    "AND b.player = a.player WHERE a." column " IS DISTINCT FROM b." column                \
    " AND ?1::bigint <= ?2::bigint"
#define SEAT_RATING(column)                                                                  \
    "SELECT a.match, 'seat/' || a.seat || '/" column "', coalesce(a." column "::text, "      \
    "'nothing') || ' is stored, the matches give ' || b." column " FROM public.seat a "      \
    "JOIN pg_temp.seat b ON b.match = a.match AND b.seat = a.seat WHERE a.match " MATCH_ROWS \
    " AND a." column " IS DISTINCT FROM b." column

static const char *const standing_checks[] = {
    "SELECT NULL, 'standing', 'player ' || player || ' in ' || ruleset || ' has no match that "
    "counts' FROM (SELECT ruleset, player FROM public.standing EXCEPT "
    "SELECT ruleset, player FROM pg_temp.standing) d WHERE ?1::bigint <= ?2::bigint",
    "SELECT NULL, 'standing', 'player ' || player || ' in ' || ruleset || ' is missing' "
    "FROM (SELECT ruleset, player FROM pg_temp.standing EXCEPT "
    "SELECT ruleset, player FROM public.standing) d WHERE ?1::bigint <= ?2::bigint",
    STANDING("games"),
    STANDING("wins"),
    STANDING("draws"),
    STANDING("losses"),
    STANDING("rating"),
    STANDING("deviation"),
    STANDING("volatility"),
    STANDING("rated_at"),
};

static const char *const seat_checks[] = {
    SEAT_RATING("rating_before"),
    SEAT_RATING("rating_after"),
};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/* Shared by the checks. */
struct checking {
    struct sql *sql;
    audit_found *found;
    void *context;
    struct sk_fault *fault;
};

static enum sk_status
cannot_read(const struct checking *checking)
{
    return sk_fault_set(checking->fault, "cannot_read", checking->sql->calls->error(checking->sql));
}

static enum sk_status
check(const struct checking *checking, const char *text, int64_t first, int64_t last)
{
    struct sql *sql = checking->sql;
    struct row row;
    char *at = NULL;
    char *what = NULL;
    bool is_fine = sql->calls->prepare(sql, &(struct sql_text){ text, NULL }, &row);

    row_put_number(&row, first);
    row_put_number(&row, last);
    for (int count = 0; is_fine && count <= FOUND_MAX && row_step(&row); count++) {
        int64_t match = row_take_number_or(&row, 0);

        (void)row_take_copy(&row, &at);
        (void)row_take_copy(&row, &what);
        checking->found(checking->context, count == FOUND_MAX ? 0 : match, at == NULL ? "" : at,
                        count == FOUND_MAX ? "and more"
                        : what == NULL     ? ""
                                           : what);
    }
    free(at);
    free(what);
    return sql->calls->finish(&row) && is_fine ? SK_OK : cannot_read(checking);
}

static enum sk_status
check_all(const struct checking *checking, const char *const *texts, size_t count, int64_t first,
          int64_t last)
{
    enum sk_status status = SK_OK;

    for (size_t i = 0; status == SK_OK && i < count; i++) {
        status = check(checking, texts[i], first, last);
    }
    return status;
}

/* Ratings depend on all matches before, so all are counted. */
static enum sk_status
check_ratings(const struct checking *checking, const int64_t *matches, uint32_t count)
{
    enum sk_status status = SK_OK;

    if (!sql_ratings_count_beside(checking->sql, INT64_MAX)) {
        return cannot_read(checking);
    }
    if (matches == NULL) {
        status = check_all(checking, standing_checks, COUNT_OF(standing_checks), 0, 0);
        if (status == SK_OK) {
            status = check_all(checking, seat_checks, COUNT_OF(seat_checks), 0, INT64_MAX);
        }
    }
    for (uint32_t i = 0; matches != NULL && status == SK_OK && i < count; i++) {
        status = check_all(checking, seat_checks, COUNT_OF(seat_checks), matches[i], matches[i]);
    }
    return status;
}

static enum sk_status
begin(const char *path, struct backend **ret_backend, struct sk_fault *ret_fault)
{
    static const struct store_options options = { .jobs_max = STORE_JOBS_MAX };

    return backend_open_read_only(path, &options, ret_backend, ret_fault);
}

enum sk_status
audit_shared_rows(const char *path, int64_t first, int64_t last, audit_found *found, void *context,
                  struct sk_fault *ret_fault)
{
    struct backend *backend = NULL;
    enum sk_status status = begin(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_all(&checking, match_checks, COUNT_OF(match_checks), first, last);
        backend->close(backend);
    }
    return status;
}

enum sk_status
audit_shared_all(const char *path, audit_found *found, void *context, struct sk_fault *ret_fault)
{
    struct backend *backend = NULL;
    enum sk_status status = begin(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_all(&checking, match_checks, COUNT_OF(match_checks), 0, INT64_MAX);
        if (status == SK_OK) {
            status = check_all(&checking, other_checks, COUNT_OF(other_checks), 0, 0);
        }
        if (status == SK_OK) {
            status = check_ratings(&checking, NULL, 0);
        }
        backend->close(backend);
    }
    return status;
}

enum sk_status
audit_shared_ratings(const char *path, const int64_t *matches, uint32_t count, audit_found *found,
                     void *context, struct sk_fault *ret_fault)
{
    struct backend *backend = NULL;
    enum sk_status status = begin(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_ratings(&checking, matches, count);
        backend->close(backend);
    }
    return status;
}
