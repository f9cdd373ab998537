#include "server/store/audit_shared.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/audit_sql.h"
#include "server/store/sql.h"

/* Details are written as objects; before version 16 there is no test whether a text is JSON. */
#define LOOKS_LIKE_JSON "detail LIKE '{%}'"

#define IS_COUNTED                                                \
    "(EXISTS (SELECT 1 FROM rated_match r WHERE r.match = m.id) " \
    "OR EXISTS (SELECT 1 FROM unrated_match u WHERE u.match = m.id))"

static const char *const match_checks[] = {
    AUDIT_OF_MATCHES,

    "SELECT m.id, 'rated_match', 'it counts for ratings, but is not among the counted matches' "
    "FROM match m " SEATS_AND_ORIGIN "WHERE m.id " MATCH_ROWS " AND " COUNTS "AND NOT " IS_COUNTED,

    "SELECT m.id, 'rated_match', 'it is among the counted matches, but does not count for ratings' "
    "FROM match m " SEATS_AND_ORIGIN "WHERE m.id " MATCH_ROWS " AND " IS_COUNTED
    " AND NOT coalesce(" COUNTS ", false)",

    "SELECT r.match, 'record', r.records || ' are stored, but its chain has ' || c.last_seq "
    "FROM (SELECT match, count(*) AS records FROM record WHERE match " MATCH_ROWS
    " GROUP BY match) r JOIN chain c ON c.match = r.match WHERE r.records > c.last_seq",

    "SELECT d.match, 'pruned', 'it is marked as pruned, but its first record exists' "
    "FROM pruned d JOIN record r ON r.match = d.match AND r.seq = 1 WHERE d.match " MATCH_ROWS,

    "SELECT d.match, 'pruned/pruned_at', 'admin_log has no pruning of matches that old at this "
    "time' FROM pruned d JOIN match m ON m.id = d.match WHERE d.match " MATCH_ROWS
    " AND NOT EXISTS (SELECT 1 FROM admin_log l WHERE l.at = d.pruned_at AND l.command = 'prune' "
    "AND (l.detail::json ->> 'before')::bigint > m.ended_at)",
};

/* Of rows that no match has. */
static const char *const other_checks[] = {
    "SELECT r.match, 'record/match', 'there is no match ' || r.match FROM record r "
    "WHERE r.seq = 1 AND NOT EXISTS (SELECT 1 FROM match m WHERE m.id = r.match)",

    AUDIT_OF_OTHERS,

    /* The last admin action on a player decides whether they are banned. */
    "WITH last AS (SELECT player, command, at, detail FROM admin_log l WHERE id = (SELECT max(id) "
    "FROM admin_log n WHERE n.player = l.player AND n.command IN ('ban', 'unban', 'forget'))), "
    "told AS (SELECT player, at AS since, detail::json ->> 'reason' AS reason, "
    "at + nullif((detail::json ->> 'hours')::bigint, 0) * 3600000 AS until FROM last "
    "WHERE command = 'ban' AND " LOOKS_LIKE_JSON ") "
    "SELECT NULL, CASE WHEN b.player IS NULL OR t.player IS NULL THEN 'ban' "
    "WHEN b.since <> t.since THEN 'ban/since' "
    "WHEN b.until IS DISTINCT FROM t.until THEN 'ban/until' ELSE 'ban/reason' END, "
    "'player ' || w.player || "
    "CASE WHEN b.player IS NULL THEN ' is banned according to admin_log, but has no ban' "
    "WHEN t.player IS NULL THEN ' is banned, but not according to admin_log' "
    "ELSE ' has a ban that differs from admin_log' END "
    "FROM (SELECT player FROM told UNION SELECT player FROM ban) w "
    "LEFT JOIN told t ON t.player = w.player LEFT JOIN ban b ON b.player = w.player "
    "WHERE b.player IS NULL OR t.player IS NULL OR b.since <> t.since "
    "OR b.until IS DISTINCT FROM t.until OR b.reason <> coalesce(t.reason, '')",

    "SELECT NULL, 'admin_log/detail', 'row ' || id || ' is not JSON' FROM admin_log "
    "WHERE NOT " LOOKS_LIKE_JSON,

    "SELECT c.match, 'bot_call_log/turn', 'call ' || c.id || ' is for a turn that was never open' "
    "FROM bot_call_log c JOIN chain h ON h.match = c.match "
    "JOIN record r ON r.match = h.match AND r.seq = h.last_seq "
    "WHERE c.turn NOT BETWEEN 0 AND r.turn + CASE WHEN r.kind = 'turn' THEN 1 ELSE 0 END",

    "SELECT NULL, 'schema/' || t.tgname, 'no migration creates this trigger' FROM pg_trigger t "
    "JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal "
    "AND c.relnamespace = 'public'::regnamespace",

    /* What makes the checks of rows unnecessary on this database must be there and hold. */
    "SELECT NULL, 'schema/' || w.name, 'the constraint is missing or was not checked' "
    "FROM unnest(ARRAY['seat_match_fkey', 'seat_player_fkey', 'chain_match_fkey', "
    "'match_rematch_of_fkey', 'standing_player_fkey', 'ban_player_fkey', 'pruned_match_fkey', "
    "'record_pkey', 'chain_pkey', 'match_pkey', 'player_pkey', 'seat_pkey']) AS w(name) "
    "WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = w.name "
    "AND c.connamespace = 'public'::regnamespace AND c.convalidated)",
    "SELECT NULL, 'schema/' || w.name, 'the index is missing or invalid' "
    "FROM unnest(ARRAY['player_name', 'player_token', 'match_code', 'match_status', "
    "'match_unfinished', 'seat_player', 'record_command', 'chain_owner', 'admin_log_at', "
    "'waiting_key']) AS w(name) WHERE NOT EXISTS (SELECT 1 FROM pg_class c "
    "JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = w.name AND i.indisvalid "
    "AND c.relnamespace = 'public'::regnamespace)",

    "SELECT match, 'rated_match/number', 'number ' || (before + 1) || ' is missing' FROM (SELECT "
    "match, number, lag(number, 1, 0::bigint) OVER (ORDER BY number) AS before FROM rated_match) n "
    "WHERE number - before > 1",
};

/* The recomputed values are in temporary tables of the same names. */
static const char *const standing_checks[] = { AUDIT_OF_STANDINGS("public", "pg_temp") };
static const char *const seat_checks[] = { AUDIT_OF_RATINGS("public", "pg_temp") };

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

    if (strstr(text, "?1") != NULL) {
        row_put_number(&row, first);
        row_put_number(&row, last);
    }
    for (int count = 0; is_fine && count <= AUDIT_FOUND_MAX && row_step(&row); count++) {
        int64_t match = row_take_number_or(&row, 0);

        (void)row_take_copy(&row, &at);
        (void)row_take_copy(&row, &what);
        checking->found(checking->context, count == AUDIT_FOUND_MAX ? 0 : match,
                        at == NULL ? "" : at,
                        count == AUDIT_FOUND_MAX ? "and more"
                        : what == NULL           ? ""
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
        status = check_all(checking, standing_checks, AUDIT_COUNT_OF(standing_checks), 0, 0);
        if (status == SK_OK) {
            status = check_all(checking, seat_checks, AUDIT_COUNT_OF(seat_checks), 0, INT64_MAX);
        }
    }
    for (uint32_t i = 0; matches != NULL && status == SK_OK && i < count; i++) {
        status =
            check_all(checking, seat_checks, AUDIT_COUNT_OF(seat_checks), matches[i], matches[i]);
    }
    return status;
}

static enum sk_status
begin(const char *path, struct backend **ret_backend, struct sk_fault *ret_fault)
{
    static const struct store_options options = { .jobs_max = STORE_JOBS_MAX };

    return backend_open_read_only(path, &options, ret_backend, ret_fault);
}

/* Ratings are counted in temporary tables, which a standby does not have. */
static enum sk_status
begin_at_primary(const char *path, struct backend **ret_backend, struct sk_fault *ret_fault)
{
    static const struct store_options options = { .jobs_max = STORE_JOBS_MAX };
    static const struct sql_text settings = { "SET default_transaction_read_only = on", NULL };
    enum sk_status status = backend_open_beside(path, &options, ret_backend, ret_fault);

    if (status == SK_OK) {
        struct sql *sql = (struct sql *)*ret_backend;

        (void)sql->calls->run(sql, &settings); /* if it fails, so do the checks */
    }
    return status;
}

enum sk_status
audit_shared_rows(const char *path, int64_t first, int64_t last, audit_found *found, void *context,
                  struct sk_fault *ret_fault)
{
    struct backend *backend = NULL;
    enum sk_status status = begin(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_all(&checking, match_checks, AUDIT_COUNT_OF(match_checks), first, last);
        backend->close(backend);
    }
    return status;
}

enum sk_status
audit_shared_all(const char *path, audit_found *found, void *context, struct sk_fault *ret_fault)
{
    struct backend *backend = NULL;
    enum sk_status status = begin_at_primary(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_all(&checking, match_checks, AUDIT_COUNT_OF(match_checks), 0, INT64_MAX);
        if (status == SK_OK) {
            status = check_all(&checking, other_checks, AUDIT_COUNT_OF(other_checks), 0, 0);
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
    enum sk_status status = begin_at_primary(path, &backend, ret_fault);

    if (status == SK_OK) {
        struct checking checking = { (struct sql *)backend, found, context, ret_fault };

        status = check_ratings(&checking, matches, count);
        backend->close(backend);
    }
    return status;
}
