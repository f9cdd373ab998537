/*
 * sql - what the databases share: statements, rows, and the jobs that are
 * written with them.
 *
 *   sql_row.c      values
 *   sql_player.c   players, and lists of ids
 *   sql_bot.c      the server's bots
 *   sql_match.c    what creating and appending have in common
 *   sql_import.c   imported matches
 *   sql_rating.c   standings and ratings
 *   sql_load.c     reading matches back and verifying their chain
 *   sql_admin.c    operators' actions
 *   sql_text.c     JSON texts for lists, HTTP and replays
 *   sql_time.c     time limits of reads
 *
 * Creating matches and appending to them is each database's own: sqlite.h and
 * postgres.h.
 *
 * Internal to server/store.
 *
 * Owner:   the backend.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_SQL_H
#define SK_STORE_SQL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"
#include "server/store/backend.h"
#include "server/store/chain.h"

/* ---- statements -------------------------------------------------------------------------- */

/* Each column list is defined once; values are bound and read in this order. */
#define PLAYER_COLUMNS "name, token_hash, is_bot, created_at"
#define PLAYER_VALUES  "?, ?, ?, ?"
#define MATCH_COLUMNS                                                           \
    "ruleset, version, params, seed, salt, settings, code, is_open, is_rated, " \
    "seat_count, status, created_at, started_at, ended_at, winner, reason, rematch_of"
#define MATCH_VALUES   "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define RECORD_REST    "seq, epoch, turn, seat, command_id, kind, at, hash, body"
#define RECORD_COLUMNS "previous, match, " RECORD_REST
#define RECORD_VALUES  "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define SEAT_COLUMNS   "match, seat, player, is_bot"

/*
 * A table `walk`: the records of match ?1 from the last one backwards, as long
 * as `goes_on` holds for the record visited last.  Ids decrease from one to the
 * next, so it terminates whatever the rows hold.
 */
#define WALK_COLUMNS "r.id, r.previous, r.seq, r.turn, r.seat, r.command_id, r.kind"
#define WALK(goes_on)                                                                          \
    "WITH RECURSIVE walk(id, previous, seq, turn, seat, command_id, kind) AS "                 \
    "(SELECT " WALK_COLUMNS                                                                    \
    " FROM chain c JOIN record r ON r.id = c.last_record WHERE c.match = ?1 AND r.match = ?1 " \
    "UNION ALL SELECT " WALK_COLUMNS " FROM walk w JOIN record r ON r.id = w.previous "        \
    "WHERE " goes_on " AND r.match = ?1 AND r.seq < w.seq) "

/* A two-player match and its seats. */
#define RATED_FROM                                               \
    "FROM match m JOIN seat a ON a.match = m.id AND a.seat = 0 " \
    "JOIN seat b ON b.match = m.id AND b.seat = 1 WHERE m.id = ? "

/* A match that ended counts for ratings. */
#define IS_RATED \
    "m.is_rated = 1 AND m.started_at IS NOT NULL AND m.seat_count = 2 AND a.player <> b.player"

/* How often the same players met in rated matches of the day before, and the match itself. */
#define RATED_REPEATS                                                              \
    "(SELECT count(*) FROM seat oa JOIN seat ob ON ob.match = oa.match AND "       \
    "ob.player = b.player JOIN rated_match o ON o.match = oa.match JOIN match om " \
    "ON om.id = oa.match WHERE oa.player = a.player AND o.number < n.number AND "  \
    "om.ruleset = m.ruleset AND om.ended_at > m.ended_at - 86400000) "             \
    "FROM rated_match n JOIN match m ON m.id = n.match "                           \
    "JOIN seat a ON a.match = m.id AND a.seat = 0 "                                \
    "JOIN seat b ON b.match = m.id AND b.seat = 1 WHERE n.match = ?1"

/* Must equal the condition of the partial index. */
#define IS_UNFINISHED "status IN ('waiting', 'running')"

/*
 * The statements, once: the text, and PostgreSQL's if it differs.  Parameters are ? or ?1, ?2 ...
 * in both.  Those that only SQLite needs have one text that PostgreSQL never prepares.
 */
/* clang-format off */
#define SQL_STATEMENTS(X)                                                                         \
    X(SQL_BEGIN_READ, "BEGIN",                                                                    \
      "BEGIN READ ONLY")                                                                          \
    X(SQL_BEGIN_WRITE, "BEGIN IMMEDIATE",                                                         \
      "BEGIN")                                                                                    \
    X(SQL_COMMIT, "COMMIT")                                                                       \
    X(SQL_JOB_BEGIN, "SAVEPOINT job")                                                             \
    X(SQL_JOB_UNDO, "ROLLBACK TO job")                                                            \
    X(SQL_JOB_END, "RELEASE job")                                                                 \
    X(SQL_PLAYER_INSERT,                                                                          \
      "INSERT INTO player (" PLAYER_COLUMNS ") VALUES (" PLAYER_VALUES ") RETURNING id")          \
    X(SQL_PLAYER_LOGIN,                                                                           \
      "SELECT p.id, p.name, p.is_bot, b.reason FROM player p LEFT JOIN ban b "                    \
      "ON b.player = p.id AND (b.until IS NULL OR b.until > ?2) WHERE p.token_hash = ?1")         \
    X(SQL_TOKEN_RENEW, "UPDATE player SET token_hash = ? WHERE id = ?")                           \
    X(SQL_BOT_FIND, "SELECT id, name FROM player WHERE bot = ?")                                  \
    X(SQL_BOT_INSERT,                                                                             \
      "INSERT INTO player (" PLAYER_COLUMNS ", bot) VALUES (" PLAYER_VALUES ", ?) RETURNING id")  \
    X(SQL_NAME_FIND,                                                                              \
      "SELECT EXISTS (SELECT 1 FROM player WHERE name = ?), "                                     \
      "(SELECT coalesce(max(id), 0) + 1 FROM player)",                                            \
      "SELECT EXISTS (SELECT 1 FROM player WHERE lower(name) = lower(?))::integer, "              \
      "(SELECT coalesce(max(id), 0) + 1 FROM player)")                                            \
    X(SQL_BOT_CALL_INSERT,                                                                        \
      "INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms, status, error, "         \
      "message, request, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id")          \
    X(SQL_BOT_CALL_FORGET, "DELETE FROM bot_call_log WHERE id <= ?")                              \
    X(SQL_MATCH_INSERT, /* PostgreSQL's ids are drawn ahead */                                    \
      "INSERT INTO match (" MATCH_COLUMNS ") VALUES (" MATCH_VALUES ") RETURNING id",             \
      "INSERT INTO match (" MATCH_COLUMNS ", id) VALUES (" MATCH_VALUES ", ?) RETURNING id")      \
    X(SQL_MATCH_LOAD,                                                                             \
      "SELECT " MATCH_COLUMNS ", epoch, owner, NULL, c.last_seq, c.head, c.first_record, "        \
      "o.number, d.pruned_at FROM match "                                                         \
      "LEFT JOIN chain c ON c.match = id LEFT JOIN origin o ON o.match = id "                     \
      "LEFT JOIN pruned d ON d.match = id WHERE id = ?",                                          \
      "SELECT " MATCH_COLUMNS ", c.epoch, c.owner, c.stopped_at, c.last_seq, c.head, NULL, "      \
      "o.number, d.pruned_at FROM match m "                                                       \
      "LEFT JOIN chain c ON c.match = m.id LEFT JOIN origin o ON o.match = m.id "                 \
      "LEFT JOIN pruned d ON d.match = m.id WHERE m.id = ?")                                      \
    X(SQL_IS_PRUNED, "SELECT 1 FROM pruned WHERE match = ?")                                      \
    X(SQL_MATCH_HEAD,                                                                             \
      "SELECT m.epoch, c.last_seq, c.last_record, c.head FROM match m "                           \
      "LEFT JOIN chain c ON c.match = m.id WHERE m.id = ?")                                       \
    X(SQL_MATCH_START,                                                                            \
      "UPDATE match SET status = 'running', started_at = ?, is_rated = is_rated * ? "             \
      "WHERE id = ?")                                                                             \
    X(SQL_MATCH_END,                                                                              \
      "UPDATE match SET status = 'over', ended_at = ?, winner = ?, reason = ? "                   \
      "WHERE id = ? AND ended_at IS NULL")                                                        \
    X(SQL_MATCH_QUARANTINE, "UPDATE match SET status = 'quarantined', reason = ? WHERE id = ?")   \
    X(SQL_MATCHES_LIST, "SELECT id FROM match WHERE id > ? ORDER BY id LIMIT ?")                  \
    X(SQL_MATCHES_OF_PLAYER,                                                                      \
      "SELECT DISTINCT s.match FROM seat s JOIN player p ON p.id = s.player "                     \
      "WHERE s.match > ?1 AND p.name = ?3 ORDER BY s.match LIMIT ?2",                             \
      "SELECT DISTINCT s.match FROM seat s JOIN player p ON p.id = s.player "                     \
      "WHERE s.match > ?1 AND lower(p.name) = lower(?3) ORDER BY s.match LIMIT ?2")               \
    X(SQL_FREE_PAGES,                                                                             \
      "SELECT freelist_count, page_size FROM pragma_freelist_count(), pragma_page_size()")        \
    X(SQL_MATCH_BY_CODE, "SELECT id FROM match WHERE code = ?")                                   \
    X(SQL_REMATCH_FIND,                                                                           \
      "SELECT id FROM match WHERE rematch_of = ? AND " IS_UNFINISHED " ORDER BY id DESC LIMIT 1") \
    X(SQL_SEAT_INSERT, "INSERT INTO seat (" SEAT_COLUMNS ") VALUES (?, ?, ?, ?)")                 \
    X(SQL_SEAT_CHANGE,                                                                            \
      "UPDATE seat SET player = ?1, "                                                             \
      "is_bot = coalesce((SELECT is_bot FROM player WHERE id = ?1), 0) "                          \
      "WHERE match = ?2 AND seat = ?3",                                                           \
      "UPDATE seat SET player = ?1::bigint, "                                                     \
      "is_bot = coalesce((SELECT is_bot FROM player WHERE id = ?1::bigint), 0) "                  \
      "WHERE match = ?2 AND seat = ?3")                                                           \
    X(SQL_SEAT_INSERT_ORIGIN,                                                                     \
      "INSERT INTO seat (" SEAT_COLUMNS ", origin_player) VALUES (?, ?, ?, ?, ?)")                \
    X(SQL_PLAYER_BY_NAME, "SELECT id FROM player WHERE name = ?",                                 \
      "SELECT id FROM player WHERE lower(name) = lower(?)")                                       \
    X(SQL_PLAYER_SEEN, /* not a player forgotten meanwhile */                                     \
      "UPDATE player SET last_seen = ? WHERE id = ? AND forgotten_at IS NULL")                    \
    X(SQL_BAN_SET,                                                                                \
      "INSERT INTO ban (player, since, until, reason) VALUES (?, ?, ?, ?) ON CONFLICT (player) "  \
      "DO UPDATE SET since = excluded.since, until = excluded.until, reason = excluded.reason")   \
    X(SQL_BAN_END, "DELETE FROM ban WHERE player = ?")                                            \
    X(SQL_PLAYER_FORGET, /* unless the name is taken */                                           \
      "UPDATE player SET name = ?2, token_hash = ?3, created_at = 0, forgotten_at = ?4, "         \
      "last_seen = NULL "                                                                         \
      "WHERE id = ?1")                                                                            \
    X(SQL_ADMIN_FORGET,                                                                           \
      "UPDATE admin_log SET detail = json_remove(detail, '$.player', '$.reason') "                \
      "WHERE player = ?",                                                                         \
      "UPDATE admin_log SET detail = (detail::jsonb - 'player' - 'reason')::text "                \
      "WHERE player = ?")                                                                         \
    X(SQL_ADMIN_NOTE,                                                                             \
      "INSERT INTO admin_log (id, at, uid, command, match, player, detail) "                      \
      "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id")                                                \
    X(SQL_ORIGIN_INSERT, "INSERT INTO origin (match, number, imported_at) VALUES (?, ?, ?)")      \
    X(SQL_ORIGIN_FIND, /* also finds a match that was played here */                              \
      "SELECT c.match FROM chain c LEFT JOIN origin o ON o.match = c.match "                      \
      "WHERE c.head = ?2 AND c.match IN "                                                         \
      "(SELECT ?1 UNION ALL SELECT match FROM origin WHERE number = ?1) "                         \
      "AND coalesce(o.number, c.match) = ?1",                                                     \
      "SELECT c.match FROM chain c LEFT JOIN origin o ON o.match = c.match "                      \
      "WHERE c.head = ?2 AND c.match IN "                                                         \
      "(SELECT ?1::bigint UNION ALL SELECT match FROM origin WHERE number = ?1::bigint) "         \
      "AND coalesce(o.number, c.match) = ?1::bigint")                                             \
    X(SQL_SEATS_LOAD,                                                                             \
      "SELECT s.seat, s.player, p.name, s.is_bot, s.origin_player, "                              \
      "p.bot, CASE WHEN p.forgotten_at IS NULL THEN 0 ELSE 1 END FROM seat s "                    \
      "LEFT JOIN player p ON p.id = s.player WHERE s.match = ? ORDER BY s.seat")                  \
    X(SQL_CHAIN_INSERT,                                                                           \
      "INSERT INTO chain (last_seq, head, last_record, match, first_record) "                     \
      "VALUES (?, ?, ?, ?, ?)")                                                                   \
    X(SQL_CHAIN_MOVE, "UPDATE chain SET last_seq = ?, head = ?, last_record = ? WHERE match = ?") \
    X(SQL_RECORD_INSERT, "INSERT INTO record (" RECORD_COLUMNS ") VALUES (" RECORD_VALUES ")")    \
    X(SQL_RECORDS_UNDO, "DELETE FROM record WHERE id >= ?")                                       \
    X(SQL_CHAIN_LAST,                                                                             \
      "SELECT c.last_record, coalesce(o.number, c.match) FROM chain c "                           \
      "LEFT JOIN origin o ON o.match = c.match WHERE c.match = ?")                                \
    X(SQL_RECORD_READ,                                                                            \
      "SELECT previous, seq, epoch, turn, seat, command_id, kind, at, hash, "                     \
      "iif(seq BETWEEN ?4 AND ?5, body, NULL) FROM record WHERE id = ?1 AND match = ?2 "          \
      "AND seq < ?3")                                                                             \
    X(SQL_JOINED_NAMES,                                                                           \
      WALK("w.seq > 1") "SELECT w.seq, p.name FROM walk w JOIN record r ON r.id = w.id "          \
      "JOIN player p ON p.id = json_extract(r.body, '$.player') WHERE w.kind = 'joined'",         \
      "SELECT r.seq, p.name FROM record r "                                                       \
      "JOIN player p ON p.id = (r.body ->> 'player')::bigint "                                    \
      "WHERE r.match = ? AND r.kind = 'joined'")                                                  \
    X(SQL_COMMANDS_LOAD,                                                                          \
      WALK("w.seq > 1") "SELECT seat, command_id FROM walk WHERE command_id IS NOT NULL",         \
      "SELECT seat, command_id FROM record WHERE match = ? AND command_id IS NOT NULL")           \
    X(SQL_COMMAND_FIND,                                                                           \
      WALK("w.seq > 1") "SELECT seq FROM walk WHERE seat = ?2 AND command_id = ?3 LIMIT 1",       \
      "SELECT seq FROM record WHERE match = ?1 AND seat = ?2 AND command_id = ?3")                \
    X(SQL_COMMAND_NEXT,                                                                           \
      WALK("w.seq > ?2 + 1") "SELECT kind FROM walk WHERE seq > ?2 AND (kind = 'turn' "           \
      "OR (seat = ?3 AND kind IN ('submission', 'withdrawn'))) ORDER BY seq LIMIT 1",             \
      "SELECT kind FROM record WHERE match = ?1 AND seq > ?2 AND (kind = 'turn' "                 \
      "OR (seat = ?3 AND kind IN ('submission', 'withdrawn'))) ORDER BY seq LIMIT 1")             \
    X(SQL_STANDING_COUNT,                                                                         \
      "INSERT INTO standing (ruleset, player, games, wins, draws, losses) "                       \
      "SELECT m.ruleset, s.player, 1, CASE WHEN m.winner = s.seat THEN 1 ELSE 0 END, "            \
      "CASE WHEN m.winner IS NULL THEN 1 ELSE 0 END, "                                            \
      "CASE WHEN m.winner <> s.seat THEN 1 ELSE 0 END "                                           \
      "FROM match m JOIN seat s ON s.match = m.id "                                               \
      "WHERE m.id = ? AND s.player IS NOT NULL "                                                  \
      "ON CONFLICT (ruleset, player) DO UPDATE SET games = standing.games + excluded.games, "     \
      "wins = standing.wins + excluded.wins, draws = standing.draws + excluded.draws, "           \
      "losses = standing.losses + excluded.losses")                                               \
    X(SQL_RATED_INSERT,                                                                           \
      "INSERT INTO rated_match (match) SELECT m.id " RATED_FROM                                   \
      "AND " IS_RATED,                                                                            \
      "INSERT INTO rated_match (number, match) "                                                  \
      "SELECT (SELECT coalesce(max(number), 0) + 1 FROM rated_match), m.id " RATED_FROM           \
      "AND " IS_RATED)                                                                            \
    X(SQL_RATED_FIND,                                                                             \
      "SELECT m.ruleset, m.ended_at, m.winner, a.player, b.player " RATED_FROM)                   \
    X(SQL_RATING_LOAD,                                                                            \
      "SELECT rating, deviation, volatility, rated_at FROM standing "                             \
      "WHERE ruleset = ? AND player = ?")                                                         \
    X(SQL_RATING_STORE,                                                                           \
      "UPDATE standing SET rating = ?, deviation = ?, volatility = ?, rated_at = ? "              \
      "WHERE ruleset = ? AND player = ?")                                                         \
    X(SQL_RATED_RULE,                                                                             \
      "SELECT CASE WHEN json_valid(m.settings) THEN m.settings ->> '$.rated_turns' END, "         \
      "CASE WHEN json_valid(m.settings) THEN m.settings ->> '$.rated_repeats' END, "              \
      "coalesce((SELECT p.turns FROM pruned p WHERE p.match = m.id), "                            \
      "(" WALK("w.kind <> 'turn'") "SELECT turn + 1 FROM walk WHERE kind = 'turn')), "            \
      RATED_REPEATS,                                                                              \
      "SELECT m.settings::json ->> 'rated_turns', m.settings::json ->> 'rated_repeats', "         \
      "coalesce((SELECT p.turns FROM pruned p WHERE p.match = m.id), "                            \
      "(SELECT r.turn + 1 FROM record r WHERE r.match = m.id AND r.kind = 'turn' "                \
      "ORDER BY r.seq DESC LIMIT 1)), " RATED_REPEATS)                                            \
    X(SQL_SEAT_RATING,                                                                            \
      "UPDATE seat SET rating_before = ?, rating_after = ? WHERE match = ? AND seat = ?")         \
    X(SQL_UNFINISHED,                                                                             \
      "SELECT id FROM match INDEXED BY match_unfinished "                                         \
      "WHERE " IS_UNFINISHED " AND id > ? ORDER BY id LIMIT ?",                                   \
      "SELECT id FROM match WHERE " IS_UNFINISHED " AND id > ? ORDER BY id "                      \
      "LIMIT nullif(?::bigint, -1)")                                                              \
    X(SQL_QUARANTINED, "SELECT count(*) FROM match WHERE status = 'quarantined'")                 \
    X(SQL_PLAYER_MATCHES,                                                                         \
      "SELECT DISTINCT m.id FROM seat s JOIN match m ON m.id = s.match "                          \
      "WHERE s.player = ? AND m." IS_UNFINISHED " ORDER BY m.id")                                 \
    X(SQL_BEAT_SET,                                                                               \
      "INSERT INTO beat (id, at) VALUES (1, ?) "                                                  \
      "ON CONFLICT (id) DO UPDATE SET at = excluded.at")                                          \
    X(SQL_BEAT_GET, "SELECT at FROM beat WHERE id = 1")
/* clang-format on */

#define SQL_NUMBER(number, ...) number,
enum sql_number {
    SQL_STATEMENTS(SQL_NUMBER) SQL_COUNT
};
#undef SQL_NUMBER

/* A statement in both dialects; `postgres` is NULL if the text is the same. */
struct sql_text {
    const char *sqlite;
    const char *postgres;
};

extern const struct sql_text sql_texts[SQL_COUNT];

/* ---- rows -------------------------------------------------------------------------------- */

struct row;

/* How a database binds and reads values.  Bound values must live until the statement has run. */
struct row_calls {
    void (*put_null)(struct row *row);
    void (*put_number)(struct row *row, int64_t value);
    void (*put_real)(struct row *row, double value);
    void (*put_text)(struct row *row, const char *text, size_t length);
    void (*put_bytes)(struct row *row, const void *bytes, size_t size);
    bool (*step)(struct row *row);
    bool (*end)(struct row *row);
    int (*column_count)(const struct row *row);
    bool (*is_null)(const struct row *row);
    int64_t (*take_number)(struct row *row);
    double (*take_real)(struct row *row);
    struct sk_text (*take_text)(struct row *row);
    bool (*take_bytes)(struct row *row, uint8_t *ret_bytes, size_t size);
};

/* A statement whose values are bound, or read, in order. */
struct row {
    const struct row_calls *calls;
    void *statement;
    int next;
};

static inline void
row_put_number(struct row *row, int64_t value)
{
    row->calls->put_number(row, value);
}

static inline void
row_put_real(struct row *row, double value)
{
    row->calls->put_real(row, value);
}

static inline void
row_put_text_of(struct row *row, const char *text, size_t length)
{
    row->calls->put_text(row, text, length);
}

static inline void
row_put_bytes(struct row *row, const void *bytes, size_t size)
{
    row->calls->put_bytes(row, bytes, size);
}

void row_put_number_or_null(struct row *row, int64_t value, int64_t null_value);
void row_put_text(struct row *row, const char *text); /* NULL becomes SQL NULL */

/* Returns true if there is another row; reading then starts at its first value. */
static inline bool
row_step(struct row *row)
{
    return row->calls->step(row);
}

/* Must be called after the last row that is read.  Returns true if there was no error. */
static inline bool
row_end(struct row *row)
{
    return row->calls->end(row);
}

/* For statements without rows. */
bool row_run(struct row *row);

/* For statements with one number; 0 if there is no row. */
bool row_run_for(struct row *row, int64_t *ret_number);

/* About the next value. */
static inline bool
row_is_null(const struct row *row)
{
    return row->calls->is_null(row);
}

static inline int64_t
row_take_number(struct row *row)
{
    return row->calls->take_number(row);
}

static inline double
row_take_real(struct row *row)
{
    return row->calls->take_real(row);
}

/* `at` is NULL for NULL; valid until the next step. */
static inline struct sk_text
row_take_text(struct row *row)
{
    return row->calls->take_text(row);
}

/* Exactly `size` bytes, or false. */
static inline bool
row_take_bytes(struct row *row, uint8_t *ret_bytes, size_t size)
{
    return row->calls->take_bytes(row, ret_bytes, size);
}

int64_t row_take_number_or(struct row *row, int64_t null_value);

/* Frees the previous text.  False if a NUL is inside the new one. */
bool row_take_copy(struct row *row, char **ret_text);

/* ---- connections ------------------------------------------------------------------------- */

enum outcome {
    OUTCOME_OK,
    OUTCOME_REFUSED, /* the job's result and message say why; its changes are rolled back */
    OUTCOME_ERROR,   /* the connection has the error */
    OUTCOME_LOST,    /* the database changed unexpectedly; nothing may be built on it */
};

struct sql;
struct archive_taker;
struct reading;
struct load_end;

/* What each database does in its own way. */
struct sql_calls {
    struct row (*row)(struct sql *sql, enum sql_number number);

    /* For a statement that is not in the list; `finish` instead of row_end. */
    bool (*prepare)(struct sql *sql, const struct sql_text *text, struct row *ret_row);
    bool (*finish)(struct row *row);

    bool (*run)(struct sql *sql, const struct sql_text *script);
    int64_t (*changes)(struct sql *sql); /* rows that the last statement changed */
    const char *(*error)(struct sql *sql);
    void (*interrupt)(struct sql *sql); /* makes the next step fail */

    bool is_shared; /* by several nodes */

    /* See sql_load.h. */
    bool (*records_read)(struct sql *sql, struct reading *reading, const struct load_end *end);
    bool (*records_read_from)(struct sql *sql, struct reading *reading, int64_t first,
                              int64_t last_seq, int64_t limit);

    /* See archive_stream; NULL: the database has no such order. */
    void (*stream)(struct sql *sql, const int64_t *ids, uint32_t count,
                   const struct archive_taker *taker);

    /* For imports: inserts the match's row and sets its id; all its records and its chain. */
    bool (*match_insert)(struct sql *sql, struct store_match *match);
    bool (*records_insert)(struct sql *sql, const struct store_job *job);
};

struct sql {
    struct backend backend; /* must be first */
    const struct sql_calls *calls;
    struct heads *heads;
    const struct store_options *options;
    bool must_empty_log;            /* a player was forgotten whose name may still be in the log */
    int64_t text_deadline_us;       /* 0 = none */
    int64_t text_began_us;          /* in the thread's processor time */
    const atomic_bool *is_unwanted; /* NULL = never cancelled */
};

/* Returns the statement, reset and ready for binding. */
static inline struct row
sql_row(struct sql *sql, enum sql_number number)
{
    return sql->calls->row(sql, number);
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Sets the result and the message; returns OUTCOME_REFUSED. */
enum outcome job_refuse(struct store_job *job, enum store_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum outcome sql_player_create(struct sql *sql, struct store_job *job);
enum outcome sql_player_login(struct sql *sql, struct store_job *job);
enum outcome sql_token_renew(struct sql *sql, struct store_job *job);
enum outcome sql_bot_player(struct sql *sql, struct store_job *job);
enum outcome sql_bot_call(struct sql *sql, struct store_job *job);
enum outcome sql_match_import(struct sql *sql, struct store_job *job);

enum outcome sql_match_load(struct sql *sql, struct store_job *job);
enum outcome sql_command_find(struct sql *sql, struct store_job *job);
enum outcome sql_match_by_code(struct sql *sql, struct store_job *job);
enum outcome sql_rematch_find(struct sql *sql, struct store_job *job);
enum outcome sql_unfinished(struct sql *sql, struct store_job *job);
enum outcome sql_player_matches(struct sql *sql, struct store_job *job);
enum outcome sql_text(struct sql *sql, struct store_job *job);
enum outcome sql_admin(struct sql *sql, struct store_job *job);
enum outcome sql_beat(struct sql *sql, struct store_job *job);

/* What the record's hash is computed from. */
struct chain_columns sql_record_columns(const struct head *head, const struct store_record *record);

/* Binds the values of MATCH_COLUMNS. */
void sql_match_put(struct row *bound, const struct store_match *match);

/* Binds the match and RECORD_REST. */
void sql_record_put(struct row *bound, int64_t match, int64_t epoch,
                    const struct store_record *record);

/* Applies the change of an append. */
enum outcome sql_match_change(struct sql *sql, struct store_job *job);

/* Inserts the seats of a new match. */
bool sql_seats_insert(struct sql *sql, const struct store_job *job);

/* A damaged row is a fault of the job. */
enum outcome sql_seats_load(struct sql *sql, struct store_job *job, int64_t match,
                            struct store_seat seats[STORE_SEATS_MAX], int32_t *ret_count);

/* Gives the player a meaningless name (`*name`, unless NULL) and a token that nobody has. */
bool sql_player_forget(struct sql *sql, int64_t player, int64_t at_ms, char **name);

/* Counts a match that has ended, if it is rated. */
enum outcome sql_rating_count(struct sql *sql, int64_t match);
enum outcome sql_ratings_of(struct sql *sql, struct store_job *job);

struct sql_ratings {
    int64_t matches;   /* that count */
    int64_t standings; /* one per ruleset and player */
    int64_t different; /* of these, how many differ from what was stored */
};

/* Recomputes all standings and ratings in one transaction.  On false the connection has the
 * error. */
bool sql_ratings_recompute(struct sql *sql, bool is_only_look, struct sql_ratings *ret_ratings);

/*
 * The same into temp tables `standing` and `seat` of this connection, which
 * hide the stored ones, in a transaction that stays open: for a read-only
 * connection.  Counts matches up to that number of rated_match.
 */
bool sql_ratings_count_beside(struct sql *sql, int64_t last_number);

/* The same if the database has standings from before ratings existed. */
bool sql_ratings_begin(struct sql *sql);

/* Whether a read must end now.  For SQLite's progress handler; the context is the struct sql. */
int sql_must_end(void *context);

/* From now on statements together may use this much of the thread's processor time, or four times
 * as much of a shared database's time; 0 = unlimited. */
void sql_limit_time(struct sql *sql, int32_t limit_ms);

/* Whether the thread has used this much processor time since then. */
bool sql_has_used(const struct sql *sql, int32_t part_ms);

/* Once the flag is true, statements end early; NULL = never. */
void sql_end_when(struct sql *sql, const atomic_bool *is_unwanted);

/* A database checks both limits now and then.  Where one step takes long, call this to make the
 * next step fail if it is time. */
void sql_look_up(struct sql *sql);

#endif /* SK_STORE_SQL_H */
