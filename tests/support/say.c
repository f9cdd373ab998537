#include "tests/support/say.h"

void
say_outcome(const struct table *table, const struct sk_state *state, struct words *words)
{
    if (!state->outcome.is_over) {
        words_say(words, "goes on");
    } else if (state->outcome.winner == SK_NOBODY) {
        words_say(words, "%s", sk_reason_name(table->ruleset, state->outcome.reason));
    } else {
        words_say(words, "%d %s", state->outcome.winner,
                  sk_reason_name(table->ruleset, state->outcome.reason));
    }
}

void
say_verdicts(const struct table *table, const struct sk_judgement *judgements, uint32_t count,
             struct words *words)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *check = sk_check_name(table->ruleset, judgements[i]);

        words_say(words, "%s%s", i == 0 ? "" : " ",
                  sk_verdict_name(table->ruleset, judgements[i].verdict));
        if (check != NULL) {
            words_say(words, ":%s", check);
        }
    }
}

void
say_names(const struct sk_list *names, struct words *words)
{
    for (uint32_t i = 0; i < names->count; i++) {
        const struct sk_text *name = sk_list_item(names, i, sizeof(*name));

        words_say(words, " %.*s", (int)name->length, name->at);
    }
}

void
say_cells(const struct sk_list *cells, struct words *words)
{
    for (uint32_t i = 0; i < cells->count; i++) {
        const struct sk_cell *cell = sk_list_item(cells, i, sizeof(*cell));

        words_say(words, " %d,%d", cell->x, cell->y);
    }
}
