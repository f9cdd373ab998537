/*
 * Changed and damaged files: a damaged match is quarantined with a reason, and
 * all others continue.
 *
 * Uses the real host on the real store, with clients that are function calls.
 * Each case is a seed, which decides what is damaged, and how.  SEED is the
 * first of them and CASES their number.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/crash/corrupt_world.h"
#include "tests/support/cases.h"

#define DEFAULT_CASES 40
#define DRAWS_MAX     100

/* Describes the case, for the message if it fails. */
static char label[512];

static size_t
case_count(void)
{
    const char *count = getenv("CASES");

    return count == NULL ? DEFAULT_CASES : strtoul(count, NULL, 10);
}

static uint64_t
seed_of(size_t index)
{
    const char *first = getenv("SEED");

    return (first == NULL ? 1 : strtoull(first, NULL, 10)) + index;
}

/* ---- what becomes of a match ------------------------------------------------------------- */

/* The code of the error in the answer, or "" for a state or `done`. */
static const char *
resume(struct peer *peer, int64_t match, int seq)
{
    static char code[64];
    struct json_object *error;

    forget(peer);
    say(peer, "{'type':'resume','id':'x','match':%lld,'seq':%d}", (long long)match, seq);
    error = find_frame(peer, "error");
    (void)snprintf(code, sizeof(code), "%s", error == NULL ? "" : word_of(error, "code"));
    cr_expect(error != NULL || find_frame(peer, "state") != NULL ||
                  find_frame(peer, "done") != NULL,
              "%s: match %lld: no answer", label, (long long)match);
    return code;
}

static void
expect_served(struct world *world, int64_t match)
{
    struct table *table = &world->table;
    const char *code = resume(world->alice, match, 0);

    cr_expect_str_eq(code, "", "%s: match %lld: %s", label, (long long)match, code);
    if (code[0] != '\0') {
        return;
    }
    cr_expect_str_eq(word_of(hear(world->alice, "state"), "hash"), world->hashes[match], "%s",
                     label);
    if (match == WAITING) {
        say(world->bob, "{'type':'join','match':%lld}", (long long)match);
        (void)hear(world->bob, "joined");
    } else if (match != OVER) {
        (void)resume(world->bob, match, 0);
        submit(world->alice, match, world->turns[match], "again", "");
        submit(world->bob, match, world->turns[match], "again", "");
        table_settle(table);
        (void)hear(world->alice, "turn");
        (void)hear(world->bob, "turn");
    }
}

static void
expect_set_aside(struct world *world, int64_t match)
{
    struct fixture *store = &world->table.store;
    char sql[128];

    cr_expect_str_eq(resume(world->alice, match, 0), "quarantined", "%s", label);
    cr_expect_str_eq(resume(world->bob, match, 2), "quarantined", "%s", label);
    (void)snprintf(sql, sizeof(sql),
                   "SELECT status || (length(reason) > 0) FROM match WHERE id = %lld",
                   (long long)match);
    cr_expect_str_eq(fixture_ask(store, sql), "quarantined1", "%s", label);
}

/* Records before the newest snapshot are not read when a match is loaded.  A resume that needs
 * them must not show what was damaged; it quarantines the match. */
static void
expect_set_aside_when_read(struct world *world, int64_t match)
{
    const char *code = resume(world->alice, match, 0);

    if (code[0] == '\0') {
        world->alice = come_back(world, 0);
        code = resume(world->alice, match, 1);
    }
    cr_expect_str_eq(code, "quarantined", "%s: %s", label, code);
    expect_set_aside(world, match);
}

/* ---- rows -------------------------------------------------------------------------------- */

enum column_type {
    COLUMN_NUMBER,
    COLUMN_TEXT,
    COLUMN_BYTES
};

struct column {
    const char *table;
    const char *key; /* of the match */
    const char *name;
    enum column_type type;
};

/* Without columns whose change does no harm (owner, times, ratings). */
static const struct column columns[] = {
    { "record", "match", "seq", COLUMN_NUMBER },      { "record", "match", "epoch", COLUMN_NUMBER },
    { "record", "match", "turn", COLUMN_NUMBER },     { "record", "match", "seat", COLUMN_NUMBER },
    { "record", "match", "command_id", COLUMN_TEXT }, { "record", "match", "kind", COLUMN_TEXT },
    { "record", "match", "at", COLUMN_NUMBER },       { "record", "match", "hash", COLUMN_BYTES },
    { "record", "match", "body", COLUMN_TEXT },       { "record", "match", "body", COLUMN_TEXT },
    { "match", "id", "ruleset", COLUMN_TEXT },        { "match", "id", "version", COLUMN_NUMBER },
    { "match", "id", "status", COLUMN_TEXT },         { "match", "id", "is_open", COLUMN_NUMBER },
    { "match", "id", "seat_count", COLUMN_NUMBER },   { "match", "id", "winner", COLUMN_NUMBER },
    { "match", "id", "reason", COLUMN_TEXT },         { "match", "id", "code", COLUMN_TEXT },
    { "match", "id", "seed", COLUMN_BYTES },          { "match", "id", "salt", COLUMN_BYTES },
    { "match", "id", "settings", COLUMN_TEXT },       { "match", "id", "params", COLUMN_TEXT },
    { "chain", "match", "last_seq", COLUMN_NUMBER },  { "chain", "match", "head", COLUMN_BYTES },
    { "seat", "match", "player", COLUMN_NUMBER },
};

/* One random change of one value. */
struct damage {
    int64_t match;
    const struct column *column;
    bool is_deletion;
    int64_t seq; /* of the record, or 0 */
    char sql[4096];
};

static void
draw_hex(struct chance *chance, size_t size, char *ret_digits)
{
    for (size_t i = 0; i < size; i++) {
        (void)sprintf(ret_digits + 2 * i, "%02x", (unsigned)(chance_draw(chance) & 0xff));
    }
    ret_digits[2 * size] = '\0';
}

/* An expression for the new value. */
static void
draw_value(struct chance *chance, const struct column *column, char *ret_sql, size_t size)
{
    const char *name = column->name;
    char digits[256];
    size_t length = (size_t)chance_below(chance, 60);
    unsigned at = (unsigned)chance_below(chance, 400);

    if (column->type == COLUMN_NUMBER) {
        switch (chance_below(chance, 4)) {
        case 0:
            (void)snprintf(ret_sql, size, "%lld", (long long)chance_draw(chance));
            return;
        case 1:
            (void)snprintf(ret_sql, size, "coalesce(%s, 0) + %lld", name,
                           (long long)chance_below(chance, 5) - 2);
            return;
        case 2:
            (void)snprintf(ret_sql, size, "NULL");
            return;
        default:
            (void)snprintf(ret_sql, size, "%lld", (long long)chance_below(chance, 4));
            return;
        }
    }
    draw_hex(chance, chance_is(chance, 30) ? STORE_HASH_BYTES : length, digits);
    switch (chance_below(chance, 3)) {
    case 0: /* something else */
        (void)snprintf(ret_sql, size, "CAST(x'%s' AS %s)", digits,
                       column->type == COLUMN_TEXT ? "TEXT" : "BLOB");
        return;
    case 1: /* cut off somewhere */
        (void)snprintf(ret_sql, size, "substr(%s, 1, %u)", name, at);
        return;
    default: /* other bytes in the middle */
        (void)snprintf(ret_sql, size,
                       "CAST(substr(CAST(%s AS BLOB), 1, %u) || x'%.8s' || "
                       "substr(CAST(%s AS BLOB), %u) AS %s)",
                       name, at, digits, name, at + 4,
                       column->type == COLUMN_TEXT ? "TEXT" : "BLOB");
        return;
    }
}

/* Everything stored for a match, as one text. */
static char *
dump(sqlite3 *db, int64_t match)
{
    static const char sql[] =
        "SELECT (SELECT group_concat(quote(seq) || quote(epoch) || quote(turn) || quote(seat) || "
        "quote(command_id) || quote(kind) || quote(CAST(body AS BLOB)) || quote(at) || "
        "quote(hash), '/') FROM (SELECT * FROM record WHERE match = ?1 ORDER BY rowid)) || "
        "quote(m.ruleset) || quote(CAST(m.ruleset AS BLOB)) || m.version || "
        "quote(CAST(m.status AS BLOB)) || (m.is_open != 0) || m.seat_count || "
        "coalesce(m.winner, -1) || "
        "quote(CAST(m.reason AS BLOB)) || quote(CAST(m.code AS BLOB)) || quote(m.seed) || "
        "quote(m.salt) || quote(CAST(m.settings AS BLOB)) || quote(CAST(m.params AS BLOB)) || "
        "coalesce((SELECT quote(last_seq) || quote(head) FROM chain WHERE match = ?1), '') || "
        "coalesce((SELECT group_concat(seat || quote(player)) FROM seat WHERE match = ?1), '') "
        "FROM match m WHERE m.id = ?1";
    sqlite3_stmt *statement = NULL;
    char *text;

    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    (void)sqlite3_bind_int64(statement, 1, match);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    text = copy_of(sqlite3_column_text(statement, 0) == NULL
                       ? ""
                       : (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
    return text;
}

static int64_t
ask_number(sqlite3 *db, const char *sql, int64_t match)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = 0;

    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    (void)sqlite3_bind_int64(statement, 1, match);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    return number;
}

static void
draw_damage(struct chance *chance, sqlite3 *db, struct damage *damage)
{
    const struct column *column = &columns[chance_below(chance, SK_COUNT_OF(columns))];
    char value[1024];
    char row[64] = "";

    *damage = (struct damage){ .match = 1 + (int64_t)chance_below(chance, MATCH_COUNT),
                               .column = column };
    if (strcmp(column->table, "record") == 0) {
        int64_t count =
            ask_number(db, "SELECT count(*) FROM record WHERE match = ?", damage->match);

        damage->seq = 1 + (int64_t)chance_below(chance, (uint64_t)count);
        (void)snprintf(row, sizeof(row), " AND seq = %lld", (long long)damage->seq);
    } else if (strcmp(column->table, "seat") == 0) {
        (void)snprintf(row, sizeof(row), " AND seat = %d", (int)chance_below(chance, 2));
    }
    damage->is_deletion = strcmp(column->table, "match") != 0 && chance_is(chance, 10);
    if (damage->is_deletion) {
        (void)snprintf(damage->sql, sizeof(damage->sql), "DELETE FROM %s WHERE %s = %lld%s",
                       column->table, column->key, (long long)damage->match, row);
        return;
    }
    draw_value(chance, column, value, sizeof(value));
    (void)snprintf(damage->sql, sizeof(damage->sql), "UPDATE %s SET %s = %s WHERE %s = %lld%s",
                   column->table, column->name, value, column->key, (long long)damage->match, row);
}

/* Whether the change was made and changed the match. */
static bool
apply(sqlite3 *db, const struct damage *damage)
{
    char *before = dump(db, damage->match);
    char *after;
    bool is_applied;

    if (sqlite3_exec(db, damage->sql, NULL, NULL, NULL) != SQLITE_OK) {
        free(before);
        return false; /* the table's constraints refuse the value */
    }
    after = dump(db, damage->match);
    is_applied = strcmp(before, after) != 0;
    free(before);
    free(after);
    return is_applied;
}

/* A load does not read records before the newest snapshot, except the first. */
static bool
is_old(sqlite3 *db, const struct damage *damage)
{
    int64_t snapshot = ask_number(
        db, "SELECT max(seq) FROM record WHERE match = ? AND kind = 'snapshot'", damage->match);

    return damage->seq > 1 && damage->seq < snapshot - 1;
}

static void
expect_damaged_value_found(uint64_t seed)
{
    struct damage damage;
    struct world world;
    bool is_damaged = false;
    bool was_old = false;
    sqlite3 *db;

    world_open(&world, seed);
    world_stop(&world);
    db = fixture_connect(&world.table.store);
    cr_assert_eq(sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL),
                 SQLITE_OK);
    for (int i = 0; i < DRAWS_MAX && !is_damaged; i++) {
        draw_damage(&world.chance, db, &damage);
        was_old = is_old(db, &damage);
        is_damaged = apply(db, &damage);
    }
    (void)sqlite3_close(db);
    (void)snprintf(label, sizeof(label), "SEED=%llu CASES=1: %.400s", (unsigned long long)seed,
                   damage.sql);
    cr_assert(is_damaged && world_start(&world), "%s", label);
    world.alice = come_back(&world, 0);
    world.bob = come_back(&world, 1);
    for (int64_t match = 1; match <= MATCH_COUNT; match++) {
        if (match != damage.match) {
            expect_served(&world, match);
        } else if (was_old) {
            expect_set_aside_when_read(&world, match);
        } else {
            expect_set_aside(&world, match);
        }
    }
    table_close(&world.table);
}

CASES_COUNTED(corrupt, values_set_their_match_aside_and_no_other, case_count())
{
    expect_damaged_value_found(seed_of(*index));
}

/* Seeds that failed once. */
static const uint64_t failed_seeds[] = {
    771339580,  /* an empty seat whose player is 0 instead of NULL */
    3118101434, /* settings that go on behind a NUL */
};

CASES(corrupt, values_that_were_not_found_once, failed_seeds)
{
    expect_damaged_value_found(failed_seeds[*index]);
}

/* A match that continues while a record before its snapshot is damaged. */
static void
world_open_with_old_damage(struct world *world, const char *change)
{
    char sql[256];

    (void)snprintf(label, sizeof(label), "%s", change);
    world_open(world, 1);
    world_stop(world);
    (void)snprintf(sql, sizeof(sql), "UPDATE record SET %s WHERE match = %d AND command_id = 't0'",
                   change, LONG);
    fixture_sql(&world->table.store, sql);
    cr_assert(world_start(world));
    world->alice = come_back(world, 0);
    world->bob = come_back(world, 1);
    cr_assert_str_eq(resume(world->alice, LONG, 0), "");
    cr_assert_str_eq(resume(world->bob, LONG, 0), "");
    forget(world->alice);
    forget(world->bob);
}

/* The turn is stored, but nobody has been shown it. */
Test(corrupt, a_damaged_record_found_while_a_turn_is_stored_stops_the_match)
{
    struct world world;
    struct peer *again;

    world_open_with_old_damage(&world, "at = at + 1");
    again = come_back(&world, 1);
    table_hold(&world.table);
    say(again, "{'type':'resume','id':'r','match':%d,'seq':2}", LONG);
    submit(world.alice, LONG, 7, "last", ""); /* the turn closes: bob's is stored */
    say(world.bob, "{'type':'resign','id':'q','match':%d,'command_id':'gone'}", LONG);
    cr_assert_eq(world.table.held_count, 3);
    table_pass(&world.table); /* what the resume will read */
    cr_expect_str_eq(word_of(hear_error(world.bob, "quarantined"), "id"), "q");
    cr_expect_str_eq(word_of(hear_error(world.bob, "quarantined"), "id"), "");
    cr_expect_str_eq(word_of(hear_error(again, "quarantined"), "id"), "r");
    table_let_go(&world.table);
    hear_nothing(world.alice, "turn");
    hear_nothing(world.bob, "turn");
    (void)hear_error(world.alice, "quarantined");
    expect_set_aside(&world, LONG);
    table_close(&world.table);
}

Test(corrupt, a_repeated_command_is_not_answered_from_a_damaged_record)
{
    struct world world;

    world_open_with_old_damage(&world, "body = replace(body, 'true', 'false')");
    submit(world.alice, LONG, 0, "t0", "");
    hear_nothing(world.alice, "accepted");
    (void)hear_error(world.alice, "quarantined");
    expect_set_aside(&world, LONG);
    table_close(&world.table);
}

/* ---- under a match that is played ------------------------------------------------------- */

#define TAKE_THE_NEXT                                                                         \
    "INSERT INTO record SELECT NULL, id, match, seq + 1, epoch, turn, seat, NULL, kind, at, " \
    "hash, body FROM record WHERE match = %d ORDER BY seq DESC LIMIT 1"

struct live_case {
    const char *label;
    int match;
    const char *damage; /* damaged while the match is in memory, before anything is appended */
    const char *frame;  /* what alice then sends for the match */
    const char *reason; /* a part of the expected answer */
};

static const struct live_case live_cases[] = {
    { "a submission whose record is there", SHORT, TAKE_THE_NEXT,
      "'type':'submit','match':3,'turn':1,'command_id':'x','commands':[],'ready':false",
      "another program wrote record" },
    { "a turn whose record is there", OPENED, TAKE_THE_NEXT,
      "'type':'resign','match':2,'command_id':'x'", "another program wrote record" },
    { "an offer whose record is there", LONG, TAKE_THE_NEXT, "'type':'offer_draw','match':4",
      "another program wrote record" },
    { "a seat whose record is there", WAITING, TAKE_THE_NEXT, "'type':'leave','match':1",
      "another program wrote record" },
    { "the chain's end is gone", SHORT, "DELETE FROM chain WHERE match = %d",
      "'type':'submit','match':3,'turn':1,'command_id':'x','commands':[]",
      "end of its chain is missing" },
    { "the chain's end is elsewhere", SHORT,
      "UPDATE chain SET last_seq = last_seq + 1 WHERE match = %d",
      "'type':'submit','match':3,'turn':1,'command_id':'x','commands':[]", "does not follow" },
};

/* It is not retried for ever: the match is quarantined, its clients are informed, others play
 * on. */
Test(corrupt, a_match_that_cannot_be_appended_to_is_quarantined_while_it_is_played)
{
    for (size_t i = 0; i < SK_COUNT_OF(live_cases); i++) {
        const struct live_case *it = &live_cases[i];
        struct world world;
        char sql[512];

        (void)snprintf(label, sizeof(label), "%s", it->label);
        world_open(&world, 1);
        world_stop(&world);
        cr_assert(world_start(&world));
        world.alice = come_back(&world, 0);
        world.bob = come_back(&world, 1);
        cr_assert_str_eq(resume(world.alice, it->match, 0), "");
        forget(world.alice);
        (void)snprintf(sql, sizeof(sql), it->damage, it->match);
        fixture_sql(&world.table.store, sql);
        say(world.alice, "{%s,'id':'x'}", it->frame);
        cr_expect_not_null(find_frame(world.alice, "error"), "%s", label);
        cr_expect_str_eq(word_of(hear_error(world.alice, "quarantined"), "code"), "quarantined");
        expect_set_aside(&world, it->match);
        (void)snprintf(sql, sizeof(sql), "SELECT instr(reason, '%s') > 0 FROM match WHERE id = %d",
                       it->reason, it->match);
        cr_expect_str_eq(fixture_ask(&world.table.store, sql), "1", "%s", label);
        cr_expect_eq(world.table.host->quarantined_count, 1, "%s", label);
        expect_served(&world, CLOCKED);
        table_close(&world.table);
    }
}

/* ---- bytes ------------------------------------------------------------------------------- */

#define PAGE_BYTES 8192

struct bytes {
    uint8_t *at;
    size_t size;
};

static struct bytes
read_file(const char *path)
{
    struct bytes bytes = { 0 };
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    cr_assert(file >= 0 && fstat(file, &about) == 0);
    bytes.size = (size_t)about.st_size;
    bytes.at = malloc(bytes.size);
    cr_assert(bytes.at != NULL && read(file, bytes.at, bytes.size) == (ssize_t)bytes.size);
    (void)close(file);
    return bytes;
}

static void
write_file(const char *path, struct bytes bytes)
{
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

    cr_assert(file >= 0 && write(file, bytes.at, bytes.size) == (ssize_t)bytes.size);
    (void)close(file);
}

/* Damages one place, as a disk or a stray program could. */
static void
damage_bytes(struct chance *chance, struct bytes *bytes)
{
    size_t pages = bytes->size / PAGE_BYTES;
    size_t page = (size_t)chance_below(chance, pages) * PAGE_BYTES;
    size_t at = (size_t)chance_below(chance, bytes->size);
    size_t length = 1 + (size_t)chance_below(chance, 64);

    switch (chance_below(chance, 10)) {
    case 0: /* a page of zeros */
        memset(bytes->at + page, 0, PAGE_BYTES);
        break;
    case 1: /* a page from another place */
        memmove(bytes->at + page, bytes->at + (size_t)chance_below(chance, pages) * PAGE_BYTES,
                PAGE_BYTES);
        break;
    case 2: /* the end is gone */
        bytes->size = at;
        break;
    case 3: /* one bit */
        bytes->at[at] ^= (uint8_t)(1u << chance_below(chance, 8));
        break;
    default:
        for (size_t i = at; i < at + length && i < bytes->size; i++) {
            bytes->at[i] = (uint8_t)chance_draw(chance);
        }
        break;
    }
}

/* The match is served as it was, or refused; nothing else is allowed. */
static void
expect_served_or_refused(struct world *world, int64_t match)
{
    static const char *const codes[] = { "quarantined", "store_unavailable", "unknown_match",
                                         "not_in_match" };
    const char *code = resume(world->alice, match, 0);
    bool is_known = code[0] == '\0';

    if (is_known) {
        cr_expect_str_eq(word_of(hear(world->alice, "state"), "hash"), world->hashes[match],
                         "%s: match %lld", label, (long long)match);
        submit(world->alice, match, world->turns[match], "again", "");
    }
    for (size_t i = 0; i < SK_COUNT_OF(codes); i++) {
        is_known = is_known || strcmp(code, codes[i]) == 0;
    }
    /* A damaged page of another table can claim this, but it can be true only for a finished
     * match. */
    is_known = is_known || (match == OVER && strcmp(code, "pruned") == 0);
    cr_expect(is_known, "%s: match %lld: %s", label, (long long)match, code);
}

CASES_COUNTED(corrupt, bytes_are_never_taken_for_what_was_stored, case_count())
{
    uint64_t seed = seed_of(*index);
    struct world world;
    struct bytes bytes;

    (void)snprintf(label, sizeof(label), "SEED=%llu CASES=1", (unsigned long long)seed);
    world_open(&world, seed);
    world_stop(&world);
    bytes = read_file(world.table.store.path);
    for (uint64_t i = 1 + chance_below(&world.chance, 6); i > 0 && bytes.size > 0; i--) {
        damage_bytes(&world.chance, &bytes);
    }
    write_file(world.table.store.path, bytes);
    free(bytes.at);
    if (!world_start(&world)) {
        fixture_close(&world.table.store);
        return;
    }
    world.alice = come_back(&world, 0);
    for (int64_t match = 1; match <= MATCH_COUNT && world.alice != NULL; match++) {
        expect_served_or_refused(&world, match);
    }
    table_wait(&world.table, 5000);
    table_close(&world.table);
}
