/*
 * SQLite behind the backend: the connection, its statements, and the jobs.
 *
 *   sqlite.c          the connection, transactions, which failure is whose
 *   sqlite_row.c      values into statements and out of them
 *   sqlite_player.c   players, and lists of ids
 *   sqlite_match.c    matches created and appended to
 *   sqlite_import.c   matches that come from elsewhere
 *   sqlite_rating.c   standings and ratings
 *   sqlite_load.c     matches read back, their chain verified
 *   sqlite_admin.c    what operators do
 *   sqlite_text.c     JSON texts for lists, HTTP and replays
 *
 * Internal to server/store.
 *
 * Owner:   the backend.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_SQLITE_H
#define SK_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"
#include "server/store/backend.h"

/* ---- statements -------------------------------------------------------------------------- */

/* Every list of columns stands here once; values are put and taken in its order. */
#define PLAYER_COLUMNS "name, token_hash, is_bot, created_at"
#define PLAYER_VALUES  "?, ?, ?, ?"
#define MATCH_COLUMNS                                                           \
    "ruleset, version, params, seed, salt, settings, code, is_open, is_rated, " \
    "seat_count, status, created_at, started_at, ended_at, winner, reason, rematch_of"
#define MATCH_VALUES   "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define RECORD_REST    "seq, epoch, turn, seat, command_id, kind, at, hash, body"
#define RECORD_COLUMNS "match, " RECORD_REST
#define RECORD_VALUES  "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define SEAT_COLUMNS   "match, seat, player, is_bot"

/* A match of two and who sits there. */
#define RATED_FROM                                               \
    "FROM match m JOIN seat a ON a.match = m.id AND a.seat = 0 " \
    "JOIN seat b ON b.match = m.id AND b.seat = 1 WHERE m.id = ? "

/* As the partial index has it. */
#define IS_UNFINISHED "status IN ('waiting', 'running')"

/* clang-format off */
#define SQL_STATEMENTS(X)                                                                         \
    X(SQL_BEGIN_READ, "BEGIN")                                                                    \
    X(SQL_BEGIN_WRITE, "BEGIN IMMEDIATE")                                                         \
    X(SQL_COMMIT, "COMMIT")                                                                       \
    X(SQL_JOB_BEGIN, "SAVEPOINT job")                                                             \
    X(SQL_JOB_UNDO, "ROLLBACK TO job")                                                            \
    X(SQL_JOB_END, "RELEASE job")                                                                 \
    X(SQL_PLAYER_INSERT, "INSERT INTO player (" PLAYER_COLUMNS ") VALUES (" PLAYER_VALUES ")")    \
    X(SQL_PLAYER_LOGIN,                                                                           \
      "SELECT p.id, p.name, p.is_bot, b.reason FROM player p LEFT JOIN ban b "                    \
      "ON b.player = p.id AND (b.until IS NULL OR b.until > ?2) WHERE p.token_hash = ?1")         \
    X(SQL_TOKEN_RENEW, "UPDATE player SET token_hash = ? WHERE id = ?")                           \
    X(SQL_BOT_FIND, "SELECT id, name FROM player WHERE bot = ?")                                  \
    X(SQL_BOT_INSERT,                                                                             \
      "INSERT INTO player (" PLAYER_COLUMNS ", bot) VALUES (" PLAYER_VALUES ", ?)")               \
    X(SQL_NAME_FIND,                                                                              \
      "SELECT EXISTS (SELECT 1 FROM player WHERE name = ?), "                                     \
      "(SELECT coalesce(max(id), 0) + 1 FROM player)")                                            \
    X(SQL_BOT_CALL_INSERT,                                                                        \
      "INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms, status, error, "         \
      "message, request, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                       \
    X(SQL_BOT_CALL_FORGET, "DELETE FROM bot_call_log WHERE id <= ?")                              \
    X(SQL_MATCH_INSERT, "INSERT INTO match (" MATCH_COLUMNS ") VALUES (" MATCH_VALUES ")")        \
    X(SQL_MATCH_LOAD,                                                                             \
      "SELECT " MATCH_COLUMNS ", epoch, owner, c.last_seq, c.head, o.number, d.pruned_at "        \
      "FROM match "                                                                               \
      "LEFT JOIN chain c ON c.match = id LEFT JOIN origin o ON o.match = id "                     \
      "LEFT JOIN pruned d ON d.match = id WHERE id = ?")                                          \
    X(SQL_IS_PRUNED, "SELECT 1 FROM pruned WHERE match = ?")                                      \
    X(SQL_MATCH_HEAD,                                                                             \
      "SELECT m.epoch, c.last_seq, c.head FROM match m "                                          \
      "LEFT JOIN chain c ON c.match = m.id WHERE m.id = ?")                                       \
    X(SQL_MATCH_START,                                                                             \
      "UPDATE match SET status = 'running', started_at = ?, is_rated = is_rated AND ? "            \
      "WHERE id = ?")                                                                              \
    X(SQL_MATCH_END,                                                                              \
      "UPDATE match SET status = 'over', ended_at = ?, winner = ?, reason = ? "                   \
      "WHERE id = ? AND ended_at IS NULL")                                                        \
    X(SQL_MATCH_QUARANTINE, "UPDATE match SET status = 'quarantined', reason = ? WHERE id = ?")   \
    X(SQL_MATCHES_LIST, "SELECT id FROM match WHERE id > ? ORDER BY id LIMIT ?")                  \
    X(SQL_MATCHES_OF_PLAYER,                                                                      \
      "SELECT DISTINCT s.match FROM seat s JOIN player p ON p.id = s.player "                     \
      "WHERE s.match > ?1 AND p.name = ?3 ORDER BY s.match LIMIT ?2")                             \
    X(SQL_FREE_PAGES, "SELECT freelist_count FROM pragma_freelist_count()")                       \
    X(SQL_MATCH_BY_CODE, "SELECT id FROM match WHERE code = ?")                                   \
    X(SQL_REMATCH_FIND,                                                                           \
      "SELECT id FROM match WHERE rematch_of = ? AND " IS_UNFINISHED " ORDER BY id DESC LIMIT 1") \
    X(SQL_SEAT_INSERT, "INSERT INTO seat (" SEAT_COLUMNS ") VALUES (?, ?, ?, ?)")                 \
    X(SQL_SEAT_CHANGE,                                                                            \
      "UPDATE seat SET player = ?1, "                                                             \
      "is_bot = coalesce((SELECT is_bot FROM player WHERE id = ?1), 0) "                          \
      "WHERE match = ?2 AND seat = ?3")                                                           \
    X(SQL_SEAT_INSERT_ORIGIN,                                                                     \
      "INSERT INTO seat (" SEAT_COLUMNS ", origin_player) VALUES (?, ?, ?, ?, ?)")                \
    X(SQL_PLAYER_BY_NAME, "SELECT id FROM player WHERE name = ?")                                 \
    X(SQL_PLAYER_SEEN, /* not who was forgotten meanwhile */                                      \
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
      "WHERE player = ?")                                                                         \
    X(SQL_ADMIN_NOTE,                                                                             \
      "INSERT INTO admin_log (at, uid, command, match, player, detail) "                          \
      "VALUES (?, ?, ?, ?, ?, ?)")                                                                \
    X(SQL_ORIGIN_INSERT, "INSERT INTO origin (match, number, imported_at) VALUES (?, ?, ?)")      \
    X(SQL_ORIGIN_FIND, /* also where the match was played itself */                               \
      "SELECT c.match FROM chain c LEFT JOIN origin o ON o.match = c.match "                      \
      "WHERE c.head = ?2 AND c.match IN "                                                         \
      "(SELECT ?1 UNION ALL SELECT match FROM origin WHERE number = ?1) "                         \
      "AND coalesce(o.number, c.match) = ?1")                                                     \
    X(SQL_SEATS_LOAD,                                                                             \
      "SELECT s.seat, s.player, p.name, s.is_bot, s.origin_player, "                              \
      "p.bot, p.forgotten_at IS NOT NULL FROM seat s "                                            \
      "LEFT JOIN player p ON p.id = s.player WHERE s.match = ? ORDER BY s.seat")                  \
    X(SQL_CHAIN_INSERT, "INSERT INTO chain (last_seq, head, match) VALUES (?, ?, ?)")             \
    X(SQL_CHAIN_MOVE, "UPDATE chain SET last_seq = ?, head = ? WHERE match = ?")                  \
    X(SQL_RECORD_INSERT, "INSERT INTO record (" RECORD_COLUMNS ") VALUES (" RECORD_VALUES ")")    \
    X(SQL_RECORDS_LOAD,                                                                           \
      "SELECT coalesce((SELECT number FROM origin WHERE match = ?1), match), " RECORD_REST        \
      " FROM record WHERE match = ?1 AND seq >= ?2 ORDER BY seq")                                 \
    X(SQL_RECORD_HASH, "SELECT hash FROM record WHERE match = ? AND seq = ?")                     \
    X(SQL_SNAPSHOT_FIND,                                                                          \
      "SELECT seq FROM record WHERE match = ?1 AND kind = 'snapshot' AND turn <= "                \
      "(SELECT turn + (kind IN ('turn', 'ended')) FROM record " /* the turn that waits now */     \
      "WHERE match = ?1 ORDER BY seq DESC LIMIT 1) - ?2 ORDER BY seq DESC LIMIT 1")               \
    X(SQL_JOINED_NAMES,                                                                           \
      "SELECT r.seq, p.name FROM record r "                                                       \
      "JOIN player p ON p.id = json_extract(r.body, '$.player') "                                 \
      "WHERE r.match = ? AND r.kind = 'joined'")                                                  \
    X(SQL_COMMANDS_LOAD,                                                                          \
      "SELECT seat, command_id FROM record WHERE match = ? AND command_id IS NOT NULL")           \
    X(SQL_COMMAND_FIND,                                                                           \
      "SELECT seq FROM record WHERE match = ? AND seat = ? AND command_id = ?")                   \
    X(SQL_COMMAND_NEXT,                                                                           \
      "SELECT kind FROM record WHERE match = ? AND seq > ? "                                      \
      "AND (kind = 'turn' OR (seat = ? AND kind IN ('submission', 'withdrawn'))) "                \
      "ORDER BY seq LIMIT 1")                                                                     \
    X(SQL_STANDING_COUNT,                                                                         \
      "INSERT INTO standing (ruleset, player, games, wins, draws, losses) "                       \
      "SELECT m.ruleset, s.player, 1, m.winner IS s.seat, m.winner IS NULL, "                     \
      "m.winner IS NOT NULL AND m.winner IS NOT s.seat "                                          \
      "FROM match m JOIN seat s ON s.match = m.id "                                               \
      "WHERE m.id = ? AND s.player IS NOT NULL "                                                  \
      "ON CONFLICT (ruleset, player) DO UPDATE SET games = games + excluded.games, "              \
      "wins = wins + excluded.wins, draws = draws + excluded.draws, "                             \
      "losses = losses + excluded.losses")                                                        \
    X(SQL_RATED_INSERT,                                                                           \
      "INSERT INTO rated_match (match) SELECT m.id " RATED_FROM                                   \
      "AND m.is_rated AND m.started_at IS NOT NULL AND m.seat_count = 2 AND a.player <> b.player") \
    X(SQL_RATED_FIND,                                                                             \
      "SELECT m.ruleset, m.ended_at, m.winner, a.player, b.player " RATED_FROM)                   \
    X(SQL_RATING_LOAD,                                                                            \
      "SELECT rating, deviation, volatility, rated_at FROM standing "                             \
      "WHERE ruleset = ? AND player = ?")                                                         \
    X(SQL_RATING_STORE,                                                                           \
      "UPDATE standing SET rating = ?, deviation = ?, volatility = ?, rated_at = ? "              \
      "WHERE ruleset = ? AND player = ?")                                                         \
    X(SQL_SEAT_RATING,                                                                            \
      "UPDATE seat SET rating_before = ?, rating_after = ? WHERE match = ? AND seat = ?")         \
    X(SQL_UNFINISHED,                                                                             \
      "SELECT id FROM match INDEXED BY match_unfinished "                                         \
      "WHERE " IS_UNFINISHED " AND id > ? ORDER BY id LIMIT ?")                                   \
    X(SQL_QUARANTINED, "SELECT count(*) FROM match WHERE status = 'quarantined'")                 \
    X(SQL_PLAYER_MATCHES,                                                                         \
      "SELECT DISTINCT m.id FROM seat s JOIN match m ON m.id = s.match "                          \
      "WHERE s.player = ? AND m." IS_UNFINISHED " ORDER BY m.id")                                 \
    X(SQL_BEAT_SET,                                                                               \
      "INSERT INTO beat (id, at) VALUES (1, ?) "                                                  \
      "ON CONFLICT (id) DO UPDATE SET at = excluded.at")                                          \
    X(SQL_BEAT_GET, "SELECT at FROM beat WHERE id = 1")
/* clang-format on */

#define SQL_NUMBER(number, sql) number,
enum sql {
    SQL_STATEMENTS(SQL_NUMBER) SQL_COUNT
};
#undef SQL_NUMBER

struct sqlite {
    struct backend backend; /* first */
    sqlite3 *db;
    sqlite3_stmt *statements[SQL_COUNT];
    struct heads *heads;
    const struct store_options *options;
    int lock_file;   /* -1 = none */
    char *lock_name; /* removed at the end; NULL = the lock is not ours */
    struct backend_pages pages;
    int64_t free_pages_at_us; /* when they were looked at */
    int64_t text_deadline_us;
    int64_t moved[STORE_BATCH_MAX]; /* matches of this transaction whose chains' ends are to be
                                       written, some perhaps twice */
    uint32_t moved_count;
};

/* A statement whose values are put, or taken, one after the other. */
struct row {
    sqlite3_stmt *statement;
    int next;
};

/* Ready for its values to be put. */
struct row sqlite_row(struct sqlite *sqlite, enum sql number);

/* What is put must live until the statement has run. */
void row_put_number(struct row *row, int64_t value);
void row_put_number_or_null(struct row *row, int64_t value, int64_t null_value);
void row_put_real(struct row *row, double value);
void row_put_text(struct row *row, const char *text); /* NULL is NULL */
void row_put_text_of(struct row *row, const char *text, size_t length);
void row_put_bytes(struct row *row, const void *bytes, size_t size);

/* True with the next row, whose values are then taken from the first on. */
bool row_step(struct row *row);

/* To be called after the last row that is wanted: SQLITE_DONE when nothing went wrong. */
bool row_end(struct row *row);

/* For statements without rows. */
bool row_run(struct row *row);

bool row_is_null(const struct row *row); /* the next value */
int64_t row_take_number(struct row *row);
double row_take_real(struct row *row);
int64_t row_take_number_or(struct row *row, int64_t null_value);
struct sk_text
row_take_text(struct row *row); /* `at` is NULL for NULL; valid until the next step */
void row_take_copy(struct row *row, char **ret_text);               /* frees what was there */
bool row_take_bytes(struct row *row, uint8_t *ret_bytes, int size); /* exactly so many */

/* ---- jobs -------------------------------------------------------------------------------- */

enum outcome {
    OUTCOME_OK,
    OUTCOME_REFUSED, /* the job's result and message say why; what it wrote is taken back */
    OUTCOME_ERROR,   /* the connection knows what is wrong */
    OUTCOME_LOST,    /* the database is not as it was a moment ago: nothing may be built on it */
};

/* Sets them; returns OUTCOME_REFUSED. */
enum outcome job_refuse(struct store_job *job, enum store_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int64_t sqlite_wall_ms(void);

enum outcome sqlite_player_create(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_player_login(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_token_renew(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_bot_player(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_bot_call(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_create(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_import(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_append(struct sqlite *sqlite, struct store_job *job);

/* Appends leave it for later to write where chains end: that is now. */
enum outcome sqlite_chains_settle(struct sqlite *sqlite);

/* They are not written, because nothing of the transaction is: heads are read again. */
void sqlite_chains_forget(struct sqlite *sqlite);
enum outcome sqlite_match_load(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_command_find(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_by_code(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_rematch_find(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_unfinished(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_player_matches(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_text(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_admin(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_beat(struct sqlite *sqlite, struct store_job *job);

/* The match's row, which gets its id; a record as it is, hash and all. */
bool sqlite_match_insert(struct sqlite *sqlite, struct store_match *match);
bool sqlite_record_insert(struct sqlite *sqlite, int64_t match, int64_t epoch,
                          const struct store_record *record);

/* Into the job's seats. */
enum outcome sqlite_seats_load(struct sqlite *sqlite, struct store_job *job, int64_t match,
                               int32_t *ret_count);

/* The player gets a name that says nothing (`*name`, if asked for) and a token that nobody has. */
bool sqlite_player_forget(struct sqlite *sqlite, int64_t player, int64_t at_ms, char **name);

/* The match has ended: if it is rated, it counts. */
enum outcome sqlite_rating_count(struct sqlite *sqlite, int64_t match);

struct sqlite_ratings {
    int64_t matches;   /* that count */
    int64_t standings; /* a ruleset and a player each */
    int64_t different; /* of them, from what was stored */
};

/* All standings and ratings anew, in a transaction of its own; false: the connection knows why. */
bool sqlite_ratings_recompute(struct sqlite *sqlite, bool is_only_look,
                              struct sqlite_ratings *ret_ratings);

/*
 * The same into temp tables `standing` and `seat` of this connection, which hide the stored ones,
 * in a transaction that stays open: for a connection that may only read.
 */
bool sqlite_ratings_count_beside(struct sqlite *sqlite);

/* The same where there are standings of a time before there were ratings. */
bool sqlite_ratings_begin(struct sqlite *sqlite);

/* From now on no statement may take longer; 0 = it may.  */
void sqlite_limit_time(struct sqlite *sqlite, int32_t limit_ms);

#endif /* SK_STORE_SQLITE_H */
