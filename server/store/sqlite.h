/*
 * The SQLite backend: the connection, its statements, and the jobs.
 *
 *   sqlite.c          the connection, transactions, kinds of failure
 *   sqlite_row.c      binding and reading values
 *   sqlite_player.c   players, and lists of ids
 *   sqlite_match.c    creating matches and appending to them
 *   sqlite_import.c   imported matches
 *   sqlite_rating.c   standings and ratings
 *   sqlite_load.c     reading matches back and verifying their chain
 *   sqlite_admin.c    operators' actions
 *   sqlite_text.c     JSON texts for lists, HTTP and replays
 *   sqlite_time.c     time limits of reads
 *
 * Internal to server/store.
 *
 * Owner:   the backend.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_SQLITE_H
#define SK_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/text.h"
#include "server/store/backend.h"

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

/* Must equal the condition of the partial index. */
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
      "SELECT " MATCH_COLUMNS ", epoch, owner, c.last_seq, c.head, c.first_record, o.number, "    \
      "d.pruned_at "                                                                              \
      "FROM match "                                                                               \
      "LEFT JOIN chain c ON c.match = id LEFT JOIN origin o ON o.match = id "                     \
      "LEFT JOIN pruned d ON d.match = id WHERE id = ?")                                          \
    X(SQL_IS_PRUNED, "SELECT 1 FROM pruned WHERE match = ?")                                      \
    X(SQL_MATCH_HEAD,                                                                             \
      "SELECT m.epoch, c.last_seq, c.last_record, c.head FROM match m "                           \
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
    X(SQL_FREE_PAGES,                                                                             \
      "SELECT freelist_count, page_size FROM pragma_freelist_count(), pragma_page_size()")        \
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
    X(SQL_PLAYER_SEEN, /* not a player forgotten meanwhile */                                      \
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
    X(SQL_ORIGIN_FIND, /* also finds a match that was played here */                               \
      "SELECT c.match FROM chain c LEFT JOIN origin o ON o.match = c.match "                      \
      "WHERE c.head = ?2 AND c.match IN "                                                         \
      "(SELECT ?1 UNION ALL SELECT match FROM origin WHERE number = ?1) "                         \
      "AND coalesce(o.number, c.match) = ?1")                                                     \
    X(SQL_SEATS_LOAD,                                                                             \
      "SELECT s.seat, s.player, p.name, s.is_bot, s.origin_player, "                              \
      "p.bot, p.forgotten_at IS NOT NULL FROM seat s "                                            \
      "LEFT JOIN player p ON p.id = s.player WHERE s.match = ? ORDER BY s.seat")                  \
    X(SQL_CHAIN_INSERT,                                                                           \
      "INSERT INTO chain (last_seq, head, last_record, match, first_record) "                     \
      "VALUES (?, ?, ?, ?, ?)")                                                                   \
    X(SQL_CHAIN_MOVE, "UPDATE chain SET last_seq = ?, head = ?, last_record = ? WHERE match = ?") \
    X(SQL_RECORD_INSERT, "INSERT INTO record (" RECORD_COLUMNS ") VALUES (" RECORD_VALUES ")")    \
    X(SQL_RECORDS_UNDO, "DELETE FROM record WHERE id >= ?")                                       \
    X(SQL_RECORD_LOAD,                                                                            \
      "SELECT coalesce((SELECT number FROM origin WHERE match = ?2), match), " RECORD_REST        \
      " FROM record WHERE id = ?1 AND match = ?2")                                                \
    X(SQL_RECORD_HASH, "SELECT hash FROM record WHERE id = ?")                                    \
    X(SQL_CHAIN_LAST, "SELECT last_record FROM chain WHERE match = ?")                            \
    X(SQL_RECORD_STEP, /* one step of WALK, in half the time */                                  \
      "SELECT previous, seq, turn, kind FROM record WHERE id = ? AND match = ? AND seq < ?")      \
    X(SQL_JOINED_NAMES,                                                                           \
      WALK("w.seq > 1") "SELECT w.seq, p.name FROM walk w JOIN record r ON r.id = w.id "          \
      "JOIN player p ON p.id = json_extract(r.body, '$.player') WHERE w.kind = 'joined'")         \
    X(SQL_COMMANDS_LOAD,                                                                          \
      WALK("w.seq > 1") "SELECT seat, command_id FROM walk WHERE command_id IS NOT NULL")         \
    X(SQL_COMMAND_FIND,                                                                           \
      WALK("w.seq > 1") "SELECT seq FROM walk WHERE seat = ?2 AND command_id = ?3 LIMIT 1")       \
    X(SQL_COMMAND_NEXT,                                                                           \
      WALK("w.seq > ?2 + 1") "SELECT kind FROM walk WHERE seq > ?2 AND (kind = 'turn' "           \
      "OR (seat = ?3 AND kind IN ('submission', 'withdrawn'))) ORDER BY seq LIMIT 1")             \
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
    X(SQL_RATED_RULE,                                                                             \
      "SELECT CASE WHEN json_valid(m.settings) THEN m.settings ->> '$.rated_turns' END, "         \
      "CASE WHEN json_valid(m.settings) THEN m.settings ->> '$.rated_repeats' END, "              \
      "coalesce((SELECT p.turns FROM pruned p WHERE p.match = m.id), "                            \
      "(" WALK("w.kind <> 'turn'") "SELECT turn + 1 FROM walk WHERE kind = 'turn')), "            \
      "(SELECT count(*) FROM seat oa JOIN seat ob ON ob.match = oa.match AND "                    \
      "ob.player = b.player JOIN rated_match o ON o.match = oa.match JOIN match om "              \
      "ON om.id = oa.match WHERE oa.player = a.player AND o.number < n.number AND "               \
      "om.ruleset = m.ruleset AND om.ended_at > m.ended_at - 86400000) "                          \
      "FROM rated_match n JOIN match m ON m.id = n.match "                                        \
      "JOIN seat a ON a.match = m.id AND a.seat = 0 "                                             \
      "JOIN seat b ON b.match = m.id AND b.seat = 1 WHERE n.match = ?1")                           \
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
    struct backend backend; /* must be first */
    sqlite3 *db;
    sqlite3_stmt *statements[SQL_COUNT];
    struct heads *heads;
    const struct store_options *options;
    int lock_file;   /* -1 = none */
    char *lock_name; /* removed on close; NULL = we do not hold the lock */
    struct backend_pages pages;
    bool must_empty_log;            /* a player was forgotten whose name may still be in the log */
    int64_t free_pages_at_us;       /* when they were last counted */
    int64_t text_deadline_us;       /* in the thread's processor time; 0 = none */
    const atomic_bool *is_unwanted; /* NULL = never cancelled */
    int64_t moved[STORE_BATCH_MAX]; /* matches whose chain ends are not written yet; may repeat */
    uint32_t moved_count;
    int64_t first_of_job; /* id of the first record inserted by this job; 0 = none */
};

/* A statement whose values are bound, or read, in order. */
struct row {
    sqlite3_stmt *statement;
    int next;
};

/* Returns the statement, reset and ready for binding. */
struct row sqlite_row(struct sqlite *sqlite, enum sql number);

/* Bound values must live until the statement has run. */
void row_put_number(struct row *row, int64_t value);
void row_put_number_or_null(struct row *row, int64_t value, int64_t null_value);
void row_put_real(struct row *row, double value);
void row_put_text(struct row *row, const char *text); /* NULL becomes SQL NULL */
void row_put_text_of(struct row *row, const char *text, size_t length);
void row_put_bytes(struct row *row, const void *bytes, size_t size);

/* Returns true if there is another row; reading then starts at its first value. */
bool row_step(struct row *row);

/* Must be called after the last row that is read.  Returns true if there was no error. */
bool row_end(struct row *row);

/* For statements without rows. */
bool row_run(struct row *row);

bool row_is_null(const struct row *row); /* about the next value */
int64_t row_take_number(struct row *row);
double row_take_real(struct row *row);
int64_t row_take_number_or(struct row *row, int64_t null_value);
struct sk_text
row_take_text(struct row *row); /* `at` is NULL for NULL; valid until the next step */
/* Frees the previous text.  False if a NUL is inside the new one. */
bool row_take_copy(struct row *row, char **ret_text);
bool row_take_bytes(struct row *row, uint8_t *ret_bytes, int size); /* exactly `size` bytes */

/* ---- jobs -------------------------------------------------------------------------------- */

enum outcome {
    OUTCOME_OK,
    OUTCOME_REFUSED, /* the job's result and message say why; its changes are rolled back */
    OUTCOME_ERROR,   /* the connection has the error */
    OUTCOME_LOST,    /* the database changed unexpectedly; nothing may be built on it */
};

/* Sets the result and the message; returns OUTCOME_REFUSED. */
enum outcome job_refuse(struct store_job *job, enum store_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum outcome sqlite_player_create(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_player_login(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_token_renew(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_bot_player(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_bot_call(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_create(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_import(struct sqlite *sqlite, struct store_job *job);
enum outcome sqlite_match_append(struct sqlite *sqlite, struct store_job *job);

/* Writes the chain ends that appends have deferred. */
enum outcome sqlite_chains_settle(struct sqlite *sqlite);

/* Drops the deferred chain ends after a rollback: heads are read again. */
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

/* Inserts the match's row and sets its id. */
bool sqlite_match_insert(struct sqlite *sqlite, struct store_match *match);

/* Inserts a record as it is, including its hash, after the head's last one; moves the head. */
bool sqlite_record_insert(struct sqlite *sqlite, struct head *head, int64_t epoch,
                          const struct store_record *record);

/* Inserts the chain of a match whose records were all inserted with this head. */
bool sqlite_chain_insert(struct sqlite *sqlite, const struct head *head);

/* A damaged row is a fault of the job. */
enum outcome sqlite_seats_load(struct sqlite *sqlite, struct store_job *job, int64_t match,
                               struct store_seat seats[STORE_SEATS_MAX], int32_t *ret_count);

/* Gives the player a meaningless name (`*name`, unless NULL) and a token that nobody has. */
bool sqlite_player_forget(struct sqlite *sqlite, int64_t player, int64_t at_ms, char **name);

/* Counts a match that has ended, if it is rated. */
enum outcome sqlite_rating_count(struct sqlite *sqlite, int64_t match);

struct sqlite_ratings {
    int64_t matches;   /* that count */
    int64_t standings; /* one per ruleset and player */
    int64_t different; /* of these, how many differ from what was stored */
};

/* Recomputes all standings and ratings in one transaction.  On false the connection has the
 * error. */
bool sqlite_ratings_recompute(struct sqlite *sqlite, bool is_only_look,
                              struct sqlite_ratings *ret_ratings);

/*
 * The same into temp tables `standing` and `seat` of this connection, which
 * hide the stored ones, in a transaction that stays open: for a read-only
 * connection.  Counts matches up to that number of rated_match.
 */
bool sqlite_ratings_count_beside(struct sqlite *sqlite, int64_t last_number);

/* The same if the database has standings from before ratings existed. */
bool sqlite_ratings_begin(struct sqlite *sqlite);

/* Takes the file `.lock`.  Two stores on one database would each extend their own chains. */
enum sk_status sqlite_lock(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault);
void sqlite_unlock(struct sqlite *sqlite);

/* For SQLite's progress handler; its context is the struct sqlite. */
int sqlite_must_end(void *context);

/* From now on statements together may use this much of the thread's processor time; 0 =
 * unlimited. */
void sqlite_limit_time(struct sqlite *sqlite, int32_t limit_ms);

/* Whether `part_ms` of that limit are used. */
bool sqlite_has_used(const struct sqlite *sqlite, int32_t limit_ms, int32_t part_ms);

/* Once the flag is true, statements end early; NULL = never. */
void sqlite_end_when(struct sqlite *sqlite, const atomic_bool *is_unwanted);

/* SQLite checks both limits between steps of its virtual machine.  Where one step takes long, call
 * this to make the next step fail if it is time. */
void sqlite_look_up(struct sqlite *sqlite);

#endif /* SK_STORE_SQLITE_H */
