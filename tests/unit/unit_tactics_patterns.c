/* Patterns: what they reach and affect, for both seats, and which of them are refused. */
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "tests/support/cases.h"
#include "tests/support/table.h"
#include "tests/support/words.h"

#define BOARD_SIDE 9

/* The names are those of the cases' source; each is tried by a unit on 4,4. */
static const char store[] = "'empty':{'rows':[' ']},"
                            "'corners':{'rows':['x x','   ','x x']},"
                            "'deep':{'rows':['   ','  I','   '],'map':{'I':'LinePattern'}},"
                            "'LinePattern':{'rows':[' x ',' x ',' x ']},"
                            "'deepDeep':{'rows':['   ','  =','   '],"
                            "            'map':{'=':'WeirdLinePattern'}},"
                            "'WeirdLinePattern':{'rows':['-  ','   ','-  '],"
                            "                    'map':{'-':'Horizontal'}},"
                            "'Horizontal':{'rows':['   ','xxx','   ']},"
                            "'asymmetric':{'rows':['xxx','xx ','x  ']},"
                            "'wild':{'rows':['x  x   ','  xx x ','x      ','   xxxx',' x  x  ',"
                            "                'x x    ','      x']}";

/* An attacker with that pattern, and an enemy out of the way. */
static void
open_attacker_at(struct table *table, const char *pattern, uint8_t seat, struct sk_cell at)
{
    struct sk_seed seed = table_seed(1);
    struct words json;

    words_init(&json);
    words_say_json(&json, "{'patterns':{");
    words_say_json(&json, store);
    words_say_json(
        &json, "},'models':{'rock':{'description':'','health':1,'power':0,'move':[],'attack':[]},"
               "'m':{'description':'','health':1,'power':1,'move':['");
    words_say_json(&json, pattern);
    words_say_json(&json, "'],'attack':['");
    words_say_json(&json, pattern);
    words_say_json(&json, "']}},'units':[{'id':'m','model':'m',");
    words_say(&json, "\"at\":[%d,%d],\"seat\":%u", at.x, at.y, seat);
    words_say_json(&json, "},{'id':'r','model':'rock','at':[8,8],'seat':");
    words_say(&json, "%u}]}", 1u - seat);
    table_open_json(table, &sk_ruleset_tactics, json.at, &seed);
    words_fini(&json);
}

static void
open_attacker(struct table *table, const char *pattern, uint8_t seat)
{
    open_attacker_at(table, pattern, seat, sk_cell(4, 4));
}

/* ---- targets ----------------------------------------------------------------------------- */

struct target_case {
    const char *pattern;
    uint8_t seat;
    const char *targets; /* in reading order */
};

static const struct target_case target_cases[] = {
    { "empty", 0, "" },
    { "corners", 0, " 3,3 5,3 3,5 5,5" },
    { "corners", 1, " 3,3 5,3 3,5 5,5" },
    { "deep", 0, " 5,4" },
    { "deep", 1, " 3,4" },
    { "deepDeep", 0, " 5,4" },
    { "deepDeep", 1, " 3,4" },
    { "WeirdLinePattern", 0, " 3,3 3,5" },
    { "WeirdLinePattern", 1, " 5,3 5,5" },
    { "asymmetric", 0, " 3,3 4,3 5,3 3,4 4,4 3,5" },
    { "asymmetric", 1, " 5,3 4,4 5,4 3,5 4,5 5,5" },
};

/* The cells that a kind of command may name, by the function behind checks and hints. */
static void
say_targets_from(const struct table *table, uint8_t kind, struct sk_cell from, struct words *words)
{
    words_clear(words);
    for (int32_t y = 0; y < BOARD_SIDE; y++) {
        for (int32_t x = 0; x < BOARD_SIDE; x++) {
            if (tactics_can_reach(table->config, 0, kind, from, sk_cell(x, y))) {
                words_say(words, " %d,%d", x, y);
            }
        }
    }
}

static void
say_targets(const struct table *table, uint8_t kind, struct words *words)
{
    say_targets_from(table, kind, sk_cell(4, 4), words);
}

/* Moves to the own cell are never hints: it is occupied. */
static void
say_hints(struct table *table, uint8_t seat, uint8_t kind, struct words *words)
{
    struct command_list hints;

    words_clear(words);
    commands_init(&hints, table->ruleset);
    table_hints(table, seat, &hints);
    for (uint32_t i = 0; i < hints.count; i++) {
        const struct tactics_command *hint = commands_item(&hints, i);

        if (hint->head.kind == kind) {
            words_say(words, " %d,%d", hint->target.x, hint->target.y);
        }
    }
    commands_fini(&hints);
}

CASES(tactics_patterns, name_the_cells_that_a_unit_may_choose, target_cases)
{
    const struct target_case *c = &target_cases[*index];
    struct table table;
    struct words words;

    words_init(&words);
    open_attacker(&table, c->pattern, c->seat);
    say_targets(&table, TACTICS_ATTACK, &words);
    cr_expect_str_eq(words.at, c->targets, "%s of seat %u attacks%s", c->pattern, c->seat,
                     words.at);
    say_targets(&table, TACTICS_MOVE, &words);
    cr_expect_str_eq(words.at, c->targets, "%s of seat %u moves to%s", c->pattern, c->seat,
                     words.at);
    say_hints(&table, c->seat, TACTICS_ATTACK, &words);
    cr_expect_str_eq(words.at, c->targets, "%s of seat %u is hinted%s", c->pattern, c->seat,
                     words.at);
    table_close(&table);
    words_fini(&words);
}

/* At the edges as well, where a part of the pattern lies off the board. */
Test(tactics_patterns, hints_are_the_cells_that_checks_accept_wherever_the_unit_stands)
{
    struct words expected;
    struct words hinted;

    words_init(&expected);
    words_init(&hinted);
    for (int32_t i = 0; i < 2 * (BOARD_SIDE * BOARD_SIDE - 1); i++) { /* the enemy is on the last */
        uint8_t seat = (uint8_t)(i % 2);
        struct sk_cell at = sk_cell(i / 2 % BOARD_SIDE, i / 2 / BOARD_SIDE);
        struct table table;

        open_attacker_at(&table, "wild", seat, at);
        say_targets_from(&table, TACTICS_ATTACK, at, &expected);
        say_hints(&table, seat, TACTICS_ATTACK, &hinted);
        cr_expect_str_eq(hinted.at, expected.at, "seat %u on %d,%d:%s", seat, at.x, at.y,
                         hinted.at);
        table_close(&table);
    }
    words_fini(&hinted);
    words_fini(&expected);
}

/* ---- areas ------------------------------------------------------------------------------- */

struct area_case {
    const char *pattern;
    uint8_t seat;
    struct sk_cell target;
    const char *area;
};

static const struct area_case area_cases[] = {
    { "empty", 0, { 4, 3 }, "" },
    { "empty", 0, { 12332, -123 }, "" },
    { "corners", 0, { 3, 3 }, " 3,3" },
    { "corners", 0, { 5, 5 }, " 5,5" },
    { "corners", 0, { INT32_MAX, INT32_MIN }, "" },
    { "deep", 0, { 5, 4 }, " 5,3 5,4 5,5" },
    { "deep", 0, { 5, 5 }, "" },
    { "deep", 1, { 3, 4 }, " 3,3 3,4 3,5" },
    { "deep", 1, { 5, 4 }, "" },
    { "deepDeep", 0, { 5, 4 }, " 3,3 4,3 5,3 3,5 4,5 5,5" },
    { "deepDeep", 0, { 5, 5 }, "" },
    { "deepDeep", 1, { 3, 4 }, " 3,3 4,3 5,3 3,5 4,5 5,5" },
    { "WeirdLinePattern", 0, { 3, 3 }, " 2,3 3,3 4,3" },
    { "WeirdLinePattern", 1, { 5, 5 }, " 4,5 5,5 6,5" },
    { "asymmetric", 0, { 4, 4 }, " 4,4" },
};

/* Empty when the attack was refused: then nothing is affected either. */
static void
say_attack(struct table *table, const struct area_case *c, struct words *words)
{
    const struct tactics_command command = { .head = { TACTICS_ATTACK },
                                             .unit = sk_id_from(SK_TEXT("m")),
                                             .target = c->target };
    const struct command_list *lists[2] = { NULL, NULL };
    struct command_list list;

    words_clear(words);
    commands_init(&list, table->ruleset);
    commands_add(&list, &command);
    lists[c->seat] = &list;
    table_resolve(table, lists);
    if (table->turn.events.first != NULL) {
        const struct tactics_event *event = (const void *)table->turn.events.first;

        for (uint32_t i = 0; i < event->cells.count; i++) {
            const struct sk_cell *cell = sk_list_item(&event->cells, i, sizeof(*cell));

            words_say(words, " %d,%d", cell->x, cell->y);
        }
    }
    commands_fini(&list);
}

CASES(tactics_patterns, affect_what_their_characters_are_mapped_to, area_cases)
{
    const struct area_case *c = &area_cases[*index];
    struct sk_cell cells[BOARD_SIDE * BOARD_SIDE];
    struct table table;
    struct words words;
    uint32_t count;

    words_init(&words);
    open_attacker(&table, c->pattern, c->seat);
    count = tactics_area(table.config, 0, sk_cell(4, 4), c->target, cells);
    for (uint32_t i = 0; i < count; i++) {
        words_say(&words, " %d,%d", cells[i].x, cells[i].y);
    }
    cr_expect_str_eq(words.at, c->area, "%s of seat %u on %d,%d affects%s", c->pattern, c->seat,
                     c->target.x, c->target.y, words.at);
    say_attack(&table, c, &words);
    cr_expect_str_eq(words.at, c->area, "an attack with %s of seat %u on %d,%d affects%s",
                     c->pattern, c->seat, c->target.x, c->target.y, words.at);
    table_close(&table);
    words_fini(&words);
}

/* ---- refusals ---------------------------------------------------------------------------- */

struct refusal_case {
    const char *label;
    const char *patterns; /* nobody uses them: unused ones are checked too */
    const char *code;     /* NULL = they are taken */
    const char *at;
};

static const struct refusal_case refusal_cases[] = {
    { "one row of two", "'p':{'rows':['  ']}", "pattern_not_square", "/patterns/p" },
    { "two rows of two", "'p':{'rows':['  ','  ']}", "pattern_even_side", "/patterns/p" },
    { "two ragged rows", "'p':{'rows':[' ','  ']}", "pattern_even_side", "/patterns/p" },
    { "five rows of three", "'p':{'rows':['   ','   ','   ','   ','   ']}", "pattern_not_square",
      "/patterns/p" },
    { "a ragged row", "'p':{'rows':['   ','  ','   ']}", "pattern_not_square", "/patterns/p" },
    { "no rows", "'p':{'rows':[]}", "pattern_even_side", "/patterns/p" },
    { "an empty row", "'p':{'rows':['']}", "pattern_not_square", "/patterns/p" },
    { "one cell", "'p':{'rows':['x']}", NULL, NULL },
    { "nothing but spaces", "'p':{'rows':['   ','   ','   ']}", NULL, NULL },
    { "the second of two is wrong", "'p':{'rows':['x']},'q':{'rows':['xx']}", "pattern_not_square",
      "/patterns/q" },
    { "an umlaut", "'p':{'rows':['\xc3\xa4']}", "pattern_bad_character", "/patterns/p" },
    { "a control character", "'p':{'rows':['\\u0007']}", "pattern_bad_character", "/patterns/p" },
    { "a tab", "'p':{'rows':['\\t']}", "pattern_bad_character", "/patterns/p" },
    { "delete", "'p':{'rows':['\\u007f']}", "pattern_bad_character", "/patterns/p" },
    { "the first and the last printable one", "'p':{'rows':['! ~',' ! ','~ !']}", NULL, NULL },
    { "a mapped umlaut", "'p':{'rows':['x'],'map':{'\xc3\xa4':'p'}}", "pattern_bad_character",
      "/patterns/p" },
    { "two characters mapped as one", "'p':{'rows':['x'],'map':{'xx':'q'}},'q':{'rows':['x']}",
      "pattern_bad_character", "/patterns/p" },
    { "a name that is not there", "'p':{'rows':['x'],'map':{'x':'q'}}", "pattern_unknown_name",
      "/patterns/p" },
    { "the second name is not there",
      "'p':{'rows':['xy ','   ','   '],'map':{'x':'q','y':'z'}},'q':{'rows':['x']}",
      "pattern_unknown_name", "/patterns/p" },
    { "a name that is not there, of a character that is not there either",
      "'p':{'rows':['x'],'map':{'y':'q'}}", "pattern_unknown_name", "/patterns/p" },
    { "deep without what it maps to",
      "'deep':{'rows':['   ','  I','   '],"
      "'map':{'I':'LinePattern'}}",
      "pattern_unknown_name", "/patterns/deep" },
    { "deepDeep without what its sub-pattern maps to",
      "'deepDeep':{'rows':['   ','  =','   '],'map':{'=':'WeirdLinePattern'}},"
      "'WeirdLinePattern':{'rows':['-  ','   ','-  '],'map':{'-':'Horizontal'}}",
      "pattern_unknown_name", "/patterns/WeirdLinePattern" },
    { "names differ by case", "'p':{'rows':['x'],'map':{'x':'Q'}},'q':{'rows':['x']}",
      "pattern_unknown_name", "/patterns/p" },
    { "a mapped space", "'p':{'rows':['x'],'map':{' ':'q'}},'q':{'rows':['x']}",
      "pattern_mapped_space", "/patterns/p" },
    { "itself", "'p':{'rows':['x'],'map':{'x':'p'}}", "pattern_cycle", "/patterns/p" },
    { "each other", "'p':{'rows':['x'],'map':{'x':'q'}},'q':{'rows':['x'],'map':{'x':'p'}}",
      "pattern_cycle", "/patterns/p" },
    { "a cycle that another pattern leads into: reported at one in the cycle",
      "'a':{'rows':['x'],'map':{'x':'b'}},'b':{'rows':['x'],'map':{'x':'c'}},"
      "'c':{'rows':['x'],'map':{'x':'c'}}",
      "pattern_cycle", "/patterns/c" },
    { "two ways to the same pattern are no cycle",
      "'a':{'rows':['xy ','   ','   '],'map':{'x':'b','y':'c'}},"
      "'b':{'rows':['x'],'map':{'x':'d'}},'c':{'rows':['x'],'map':{'x':'d'}},'d':{'rows':['x']}",
      NULL, NULL },
    { "slashes and tildes in a name are escaped", "'a/b~c':{'rows':['xx']}", "pattern_not_square",
      "/patterns/a~1b~0c" },
};

static enum sk_status
try_patterns(const char *patterns, struct sk_fault *ret_fault)
{
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words json;
    enum sk_status status;

    words_init(&json);
    words_say_json(&json, "{'models':{},'units':[],'patterns':{");
    words_say_json(&json, patterns);
    words_say_json(&json, "}}");
    status = table_try_json(&table, &sk_ruleset_tactics, json.at, &seed, ret_fault);
    if (status == SK_OK) {
        table_close(&table);
    }
    words_fini(&json);
    return status;
}

CASES(tactics_patterns, are_refused_each_with_its_reason_and_place, refusal_cases)
{
    const struct refusal_case *c = &refusal_cases[*index];
    struct sk_fault fault = { .code = "none" };
    enum sk_status status = try_patterns(c->patterns, &fault);

    if (c->code == NULL) {
        cr_expect_eq(status, SK_OK, "%s: %s", c->label, fault.message);
        return;
    }
    cr_expect_eq(status, SK_ERR_REFUSED, "%s: it was taken", c->label);
    cr_expect_str_eq(fault.code, c->code, "%s: %s: %s", c->label, fault.code, fault.message);
    cr_expect_str_eq(fault.at, c->at, "%s: reported at %s", c->label, fault.at);
    cr_expect_neq(fault.message[0], '\0');
}
