#include "server/store/tally.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_scan.h"
#include "server/memory.h"
#include "server/store/tally_table.h"
#include "server/store/tally_values.h"
#include "server/store/tally_words.h"

struct pass {
    sqlite3 *db;
    sqlite3_stmt *insert;
    struct tally_table table;
    int code; /* of the first insert that failed, or SQLITE_OK */

    /* The body that is being read. */
    struct sk_value *values;
    char *text;
    size_t text_size;
};

/* The columns of a record that tallies need. */
struct row {
    int64_t match;
    int32_t turn;
    int32_t seat;
    bool is_turn;
    bool is_submission;
    const struct sk_value *body; /* NULL: not JSON, or not needed */
};

struct tally {
    const char *view;
    const char *records; /* selects the records to read */
    const char *sql;     /* defines the twin */
    void (*take)(struct pass *pass, const struct row *row);
};

static uint32_t
word_of(struct pass *pass, const struct sk_value *value)
{
    return value == NULL ? 0
                         : tally_word(&pass->table, (struct sk_text){ value->at, value->length });
}

/* ---- rows of the temporary table --------------------------------------------------------- */

static void
bind_part(sqlite3_stmt *insert, int column, int32_t part)
{
    (void)(part == TALLY_NULL ? sqlite3_bind_null(insert, column)
                              : sqlite3_bind_int(insert, column, part));
}

static void
bind_word(sqlite3_stmt *insert, int column, struct sk_text word)
{
    (void)sqlite3_bind_text(insert, column, word.at, (int)word.length, SQLITE_TRANSIENT);
}

static void
step_insert(struct pass *pass)
{
    if (sqlite3_step(pass->insert) != SQLITE_DONE && pass->code == SQLITE_OK) {
        pass->code = sqlite3_extended_errcode(pass->db);
    }
    (void)sqlite3_reset(pass->insert);
}

static void
put_entry(struct pass *pass, const struct tally_entry *entry)
{
    const struct tally_key *key = &entry->key;
    const uint32_t words[] = { key->word, key->other };

    (void)sqlite3_clear_bindings(pass->insert);
    (void)sqlite3_bind_int64(pass->insert, 1, key->match);
    bind_part(pass->insert, 2, key->first);
    bind_part(pass->insert, 3, key->second);
    for (int i = 0; i < 2; i++) {
        if (words[i] != 0) {
            bind_word(pass->insert, 4 + i, tally_word_of(&pass->table, words[i]));
        }
    }
    for (int i = 0; i < TALLY_COUNTERS; i++) {
        (void)sqlite3_bind_int64(pass->insert, 6 + i, entry->counters[i]);
    }
    step_insert(pass);
}

/* Adds a row that is listed, not counted; a NULL text is SQL NULL. */
static void
put_row(struct pass *pass, const struct row *row, int32_t second, struct sk_text word)
{
    (void)sqlite3_clear_bindings(pass->insert);
    (void)sqlite3_bind_int64(pass->insert, 1, row->match);
    bind_part(pass->insert, 2, row->turn);
    bind_part(pass->insert, 3, second);
    bind_word(pass->insert, 4, word);
    step_insert(pass);
}

/* ---- counting ---------------------------------------------------------------------------- */

static bool
is_refusal(const struct sk_value *verdict)
{
    return member_of(verdict, "verdict") != NULL && !member_says(verdict, "verdict", "ok");
}

/* Counts turns, commands, refused ones and events. */
static void
take_turn(struct pass *pass, const struct row *row)
{
    const struct tally_key key = { .match = row->match };
    int64_t *counters = tally_at(&pass->table, &key)->counters;
    const struct sk_value *commands = member_of(row->body, "commands");
    const struct sk_value *verdicts = member_of(row->body, "verdicts");

    counters[0]++;
    for (const struct sk_value *seat = NULL; (seat = next_of(commands, seat)) != NULL;) {
        counters[1] += count_of(seat);
    }
    for (const struct sk_value *seat = NULL; (seat = next_of(verdicts, seat)) != NULL;) {
        for (const struct sk_value *verdict = NULL; (verdict = next_of(seat, verdict)) != NULL;) {
            counters[2] += is_refusal(verdict);
        }
    }
    counters[3] += count_of(member_of(row->body, "events"));
}

/* Counts turns, sum and maximum of milliseconds, per seat. */
static void
take_clocks(struct pass *pass, const struct row *row)
{
    const struct sk_value *list = member_of(row->body, "used_ms");
    struct tally_key key = { .match = row->match };

    for (const struct sk_value *used = NULL; (used = next_of(list, used)) != NULL; key.first++) {
        int64_t *counters = tally_at(&pass->table, &key)->counters;
        int64_t used_ms = used->kind == SK_VALUE_INT ? sk_value_int(used) : 0;

        counters[0]++;
        counters[1] += used_ms;
        counters[2] = used_ms > counters[2] ? used_ms : counters[2];
    }
}

/* Counts submissions and replaced ones, per seat.  The last two counters are the turn of the last
 * record, and whether it was a submission (not a withdrawal). */
static void
take_submission(struct pass *pass, const struct row *row)
{
    const struct tally_key key = { .match = row->match, .first = row->seat };
    int64_t *counters = tally_at(&pass->table, &key)->counters;

    counters[0] += row->is_submission;
    counters[1] += counters[3] && counters[2] == row->turn;
    counters[2] = row->turn;
    counters[3] = row->is_submission;
}

/* Counts refusals when submitted and when resolved, per check and verdict. */
static void
take_refusals_of(struct pass *pass, const struct row *row, const struct sk_value *list)
{
    for (const struct sk_value *verdict = NULL; (verdict = next_of(list, verdict)) != NULL;) {
        if (is_refusal(verdict)) {
            const struct tally_key key = { .match = row->match,
                                           .word = word_of(pass, member_of(verdict, "check")),
                                           .other = word_of(pass, member_of(verdict, "verdict")) };

            tally_at(&pass->table, &key)->counters[row->is_turn]++;
        }
    }
}

static void
take_refusals(struct pass *pass, const struct row *row)
{
    const struct sk_value *verdicts = member_of(row->body, "verdicts");

    if (!row->is_turn) {
        take_refusals_of(pass, row, verdicts);
        return;
    }
    for (const struct sk_value *seat = NULL; (seat = next_of(verdicts, seat)) != NULL;) {
        take_refusals_of(pass, row, seat);
    }
}

/* Where an event ended: see match_event. */
static const struct sk_value *
cell_of(const struct sk_value *event)
{
    static const char *const names[] = { "at", "to", "path", "target" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct sk_value *cell = member_of(event, names[i]);

        if (strcmp(names[i], "path") == 0) {
            cell = item_of(cell, count_of(cell) - 1);
        }
        if (count_of(cell) >= 2) {
            return cell;
        }
    }
    return NULL;
}

static int32_t
number_at(const struct sk_value *cell, uint32_t index)
{
    const struct sk_value *number = item_of(cell, index);

    return sk_value_is(number, SK_VALUE_INT) ? sk_value_int(number) : TALLY_NULL;
}

static void
take_bounces(struct pass *pass, const struct row *row)
{
    const struct sk_value *events = member_of(row->body, "events");

    for (const struct sk_value *event = NULL; (event = next_of(events, event)) != NULL;) {
        if (member_says(event, "kind", "bounced") || member_says(event, "kind", "collided")) {
            const struct sk_value *cell = cell_of(event);
            const struct tally_key key = { .match = row->match,
                                           .first = number_at(cell, 0),
                                           .second = number_at(cell, 1) };

            tally_at(&pass->table, &key)->counters[0]++;
        }
    }
}

static void
take_deaths(struct pass *pass, const struct row *row)
{
    const struct sk_value *events = member_of(row->body, "events");

    for (const struct sk_value *event = NULL; (event = next_of(events, event)) != NULL;) {
        if (member_says(event, "kind", "died")) {
            const struct sk_value *unit = member_of(event, "unit");

            put_row(pass, row, 0,
                    unit == NULL ? (struct sk_text){ NULL, 0 }
                                 : (struct sk_text){ unit->at, unit->length });
        }
    }
}

static void
take_opening(struct pass *pass, const struct row *row)
{
    const struct sk_value *commands = member_of(row->body, "commands");
    const struct sk_value *verdicts = member_of(row->body, "verdicts");
    const struct sk_value *list = NULL;

    for (int32_t seat = 0; (list = next_of(commands, list)) != NULL; seat++) {
        char *words = tally_opening(list, item_of(verdicts, (uint32_t)seat));

        if (words != NULL) {
            put_row(pass, row, seat, sk_text_of(words));
            sqlite3_free(words);
        }
    }
}

/* ---- the twins --------------------------------------------------------------------------- */

#define TABLE                                                                              \
    "CREATE TEMP TABLE tally (match INTEGER, first INTEGER, second INTEGER, word, other, " \
    "n0 INTEGER, n1 INTEGER, n2 INTEGER, n3 INTEGER)"
#define INSERT  "INSERT INTO temp.tally VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
#define COUNTED "FROM temp.tally t JOIN main.match m ON m.id = t.match "

#define COLUMNS "SELECT match, turn, seat, kind, "
#define BODIES  COLUMNS "body FROM main.record WHERE kind "

static const struct tally tallies[] = {
    { "turn_stats", BODIES "= 'turn'",
      "CREATE TEMP VIEW turn_stats AS SELECT m.ruleset AS ruleset, sum(n0) AS turns, "
      "sum(n1) AS commands, sum(n2) AS refused, sum(n3) AS events " COUNTED "GROUP BY m.ruleset",
      take_turn },
    { "clock_stats", BODIES "= 'turn'",
      "CREATE TEMP VIEW clock_stats AS SELECT match, m.ruleset AS ruleset, first AS seat, "
      "n0 AS turns, n1 AS used_ms, n2 AS longest_ms " COUNTED,
      take_clocks },
    { "submission_stats", COLUMNS "NULL FROM main.record WHERE kind IN ('submission', 'withdrawn')",
      "CREATE TEMP VIEW submission_stats AS SELECT match, first AS seat, n0 AS submissions, "
      "n1 AS replaced FROM temp.tally WHERE n0 > 0",
      take_submission },
    { "refusal_stats", BODIES "IN ('turn', 'submission')",
      "CREATE TEMP VIEW refusal_stats AS SELECT m.ruleset AS ruleset, word AS check_name, "
      "other AS verdict, sum(n0) AS submitted, sum(n1) AS resolved " COUNTED "GROUP BY 1, 2, 3",
      take_refusals },
    { "bounce_cells", BODIES "= 'turn'",
      "CREATE TEMP VIEW bounce_cells AS SELECT m.ruleset AS ruleset, first AS x, second AS y, "
      "sum(n0) AS bounces, count(*) AS matches " COUNTED "GROUP BY 1, 2, 3",
      take_bounces },
    { "unit_death", BODIES "= 'turn'",
      "CREATE TEMP VIEW unit_death AS SELECT match, m.ruleset AS ruleset, first AS turn, "
      "word AS unit " COUNTED,
      take_deaths },
    { "opening_turn", BODIES "= 'turn' AND turn <= 6",
      "CREATE TEMP VIEW opening_turn AS SELECT match, m.ruleset AS ruleset, second AS seat, "
      "first AS turn, word AS words " COUNTED,
      take_opening },
};

/* ---- the pass ---------------------------------------------------------------------------- */

static const struct sk_value *
read_body(struct pass *pass, sqlite3_stmt *records, int column)
{
    const char *text = (const char *)sqlite3_column_text(records, column);
    size_t length = (size_t)sqlite3_column_bytes(records, column);
    struct sk_fault fault;

    if (text == NULL || length == 0) {
        return NULL;
    }
    if (length + SK_JSON_PADDING > pass->text_size) {
        pass->text_size = 2 * (length + SK_JSON_PADDING);
        pass->text = heap_grow(pass->text, pass->text_size);
        pass->values =
            heap_grow(pass->values, sk_json_values_max(pass->text_size) * sizeof(*pass->values));
    }
    memcpy(pass->text, text, length);
    memset(pass->text + length, 0, SK_JSON_PADDING);
    return sk_json_scan_text(pass->text, length, false, NULL, pass->values, &fault) == SK_OK
               ? pass->values
               : NULL;
}

static int32_t
part_of(sqlite3_stmt *records, int column)
{
    return sqlite3_column_type(records, column) == SQLITE_NULL
               ? TALLY_NULL
               : sqlite3_column_int(records, column);
}

static int
take_all(struct pass *pass, const struct tally *tally)
{
    sqlite3_stmt *records = NULL;
    int code = sqlite3_prepare_v2(pass->db, tally->records, -1, &records, NULL);

    while (code == SQLITE_OK && (code = sqlite3_step(records)) == SQLITE_ROW) {
        const char *kind = (const char *)sqlite3_column_text(records, 3);
        const struct row row = {
            .match = sqlite3_column_int64(records, 0),
            .turn = part_of(records, 1),
            .seat = part_of(records, 2),
            .is_turn = kind[0] == 't',
            .is_submission = kind[0] == 's',
            .body = read_body(pass, records, 4),
        };

        tally->take(pass, &row);
        code = pass->code;
    }
    (void)sqlite3_finalize(records);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int
put_all(struct pass *pass)
{
    for (size_t i = 0; pass->code == SQLITE_OK && i < pass->table.size; i++) {
        if (pass->table.entries[i].is_used) {
            put_entry(pass, &pass->table.entries[i]);
        }
    }
    return pass->code;
}

static int
make(sqlite3 *db, const struct tally *tally)
{
    struct pass pass = { .db = db };
    int code = sqlite3_exec(db, "BEGIN; " TABLE, NULL, NULL, NULL);

    if (code == SQLITE_OK) {
        code = sqlite3_prepare_v2(db, INSERT, -1, &pass.insert, NULL);
    }
    if (code == SQLITE_OK) {
        code = take_all(&pass, tally);
    }
    if (code == SQLITE_OK) {
        code = put_all(&pass);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, tally->sql, NULL, NULL, NULL);
    }
    (void)sqlite3_finalize(pass.insert);
    tally_table_fini(&pass.table);
    free(pass.text);
    free(pass.values);
    return code;
}

int
tally_make(struct sqlite3 *db, const char *sql)
{
    for (size_t i = 0; i < sizeof(tallies) / sizeof(tallies[0]); i++) {
        if (strstr(sql, tallies[i].view) != NULL) {
            return make(db, &tallies[i]);
        }
    }
    return SQLITE_OK;
}
