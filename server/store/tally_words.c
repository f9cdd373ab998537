#include "server/store/tally_words.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/tally_values.h"

/* Commands that are not part of play. */
static const char *const left_out[] = { "place", "timeout", "resign", "abandon", "agree_draw" };

static bool
is_play(const struct sk_value *command, const struct sk_value *verdict)
{
    if (!sk_value_is(member_of(command, "kind"), SK_VALUE_TEXT)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
        if (member_says(command, "kind", left_out[i])) {
            return false;
        }
    }
    return member_says(verdict, "verdict", "ok") || member_says(verdict, "verdict", "bounced");
}

/* " 3,4" for [3,4]. */
static void
add_cell(sqlite3_str *words, const struct sk_value *cell)
{
    uint32_t from = 0;
    uint32_t to = cell->length;

    while (from < to && strchr("[]", cell->at[from]) != NULL) {
        from++;
    }
    while (to > from && strchr("[]", cell->at[to - 1]) != NULL) {
        to--;
    }
    sqlite3_str_appendchar(words, 1, ' ');
    sqlite3_str_append(words, cell->at + from, (int)(to - from));
}

/* The cells that the command names, as in match_command. */
static void
add_cells(sqlite3_str *words, const struct sk_value *command)
{
    const struct sk_value *path = member_of(command, "path");
    const struct sk_value *cell = member_of(command, "target");

    if (sk_value_is(path, SK_VALUE_LIST)) {
        for (cell = NULL; (cell = next_of(path, cell)) != NULL;) {
            add_cell(words, cell);
        }
        return;
    }
    if (!sk_value_is(cell, SK_VALUE_LIST)) {
        cell = member_of(command, "to");
    }
    if (sk_value_is(cell, SK_VALUE_LIST)) {
        add_cell(words, cell);
    }
}

static char *
words_of(const struct sk_value *command)
{
    static const char *const names[] = { "unit", "item", "dir" };
    const struct sk_value *kind = member_of(command, "kind");
    sqlite3_str *words = sqlite3_str_new(NULL);

    sqlite3_str_append(words, kind->at, (int)kind->length);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct sk_value *name = member_of(command, names[i]);

        if (name != NULL) {
            sqlite3_str_appendchar(words, 1, ' ');
            sqlite3_str_append(words, name->at, (int)name->length);
        }
    }
    add_cells(words, command);
    return sqlite3_str_finish(words);
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Frees the joined texts. */
static char *
join(char **list, size_t count)
{
    sqlite3_str *words = sqlite3_str_new(NULL);

    qsort(list, count, sizeof(*list), compare);
    for (size_t i = 0; i < count; i++) {
        sqlite3_str_appendf(words, "%s%s", i == 0 ? "" : "; ", list[i]);
        sqlite3_free(list[i]);
    }
    return sqlite3_str_finish(words);
}

char *
tally_opening(const struct sk_value *commands, const struct sk_value *verdicts)
{
    char **list = heap_memory((count_of(commands) + 1) * sizeof(*list));
    const struct sk_value *command = NULL;
    char *words = NULL;
    size_t count = 0;

    for (uint32_t i = 0; (command = next_of(commands, command)) != NULL; i++) {
        if (is_play(command, item_of(verdicts, i))) {
            list[count++] = words_of(command);
        }
    }
    if (count > 0) {
        words = join(list, count);
    }
    free(list);
    return words;
}
