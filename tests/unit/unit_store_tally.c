/* Counting for predefined questions; tests/e2e compares the results with the views. */
#include "server/store/question.h"
#include "server/store/tally_table.h"
#include "tests/unit/store_fixture.h"

#define KEYS    20000
#define RECORDS "3000" /* enough for SQLite to check the clock */

/* ---- the table --------------------------------------------------------------------------- */

static struct tally_key
key_of(int i)
{
    return (struct tally_key){ .match = i / 4,
                               .first = i % 2 == 0 ? TALLY_NULL : -i,
                               .second = i % 4 < 2 ? 0 : i };
}

Test(store_tally, every_key_has_its_own_counters_however_many_there_are)
{
    struct tally_table table = { 0 };
    size_t used = 0;

    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < KEYS; i++) {
            struct tally_key key = key_of(i);
            struct tally_entry *entry = tally_at(&table, &key);

            cr_assert_eq(entry->counters[0], round == 1 ? 0 : i, "key %d", i);
            entry->counters[0] = i;
        }
    }
    for (size_t i = 0; i < table.size; i++) {
        used += table.entries[i].is_used;
    }
    cr_assert_eq(used, KEYS);
    cr_assert_eq(table.used, KEYS);
    tally_table_fini(&table);
}

Test(store_tally, a_word_has_one_number_and_is_kept)
{
    struct tally_table table = { 0 };
    char word[] = "bounce";
    uint32_t first = tally_word(&table, sk_text_of(word));

    word[0] = 'B';
    cr_assert_neq(tally_word(&table, sk_text_of(word)), first);
    cr_assert_neq(tally_word(&table, SK_TEXT("bounced")), first);
    cr_assert_neq(tally_word(&table, SK_TEXT("")), 0);
    cr_assert_eq(tally_word(&table, SK_TEXT("bounce")), first);
    cr_assert(sk_text_same(tally_word_of(&table, first), SK_TEXT("bounce")));
    tally_table_fini(&table);
}

/* ---- the pass ---------------------------------------------------------------------------- */

struct answer {
    struct question_sink sink; /* first */
    char text[64];
};

static bool
take_columns(struct question_sink *sink, const char *const *names, uint32_t count)
{
    (void)sink;
    (void)names;
    (void)count;
    return true;
}

static bool
take_row(struct question_sink *sink, const struct question_value *values, uint32_t count)
{
    struct answer *answer = (struct answer *)(void *)sink;

    cr_assert_geq(count, 2);
    (void)snprintf(answer->text, sizeof(answer->text), "%s %s", values[0].text, values[1].text);
    return true;
}

static enum sk_status
ask(const struct fixture *fixture, bool is_stopped, struct answer *ret_answer,
    struct sk_fault *ret_fault)
{
    atomic_bool stopped = is_stopped;
    const struct question_limits limits = { .is_stopped = &stopped };
    bool is_cut;

    *ret_answer = (struct answer){ .sink = { take_columns, take_row } };
    return question_ask(fixture->path, question_find("turns")->sql, NULL, 0, &limits,
                        &ret_answer->sink, &is_cut, ret_fault);
}

static void
store_turns(const struct fixture *fixture)
{
    fixture_sql(fixture,
                "INSERT INTO match (id, ruleset, version, status, is_open, is_rated, seat_count, "
                "created_at, seed, salt, settings, params) VALUES (1, 'tactics', 1, 'running', 1, "
                "0, 2, 1, zeroblob(32), zeroblob(32), '{}', '{}');"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " RECORDS
                ") INSERT INTO record (match, seq, epoch, turn, kind, at, hash, body) "
                "SELECT 1, i, 1, i, 'turn', 1, zeroblob(32), '{\"commands\":[[],[]]}' FROM n");
}

/* If the pass did not end, the answer would come: one row takes only a few steps. */
Test(store_tally, counting_ends_when_the_question_has_to)
{
    struct fixture fixture;
    struct answer answer;
    struct sk_fault fault;

    fixture_init(&fixture);
    fixture_open(&fixture);
    store_turns(&fixture);
    cr_assert_eq(ask(&fixture, false, &answer, &fault), SK_OK);
    cr_assert_str_eq(answer.text, "tactics " RECORDS);
    cr_assert_eq(ask(&fixture, true, &answer, &fault), SK_ERR_REFUSED);
    cr_assert_str_eq(fault.code, "too_slow");
    cr_assert_str_eq(answer.text, "");
    fixture_close(&fixture);
}
