/* Every limit of tactics' params: at, below and above. */
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "proto/referee.h"
#include "tests/support/cases.h"
#include "tests/support/table.h"
#include "tests/support/words.h"

/* ---- params made to measure -------------------------------------------------------------- */

static void
say_full_pattern(struct words *json, const char *name, uint32_t side)
{
    words_say(json, "\"%s\":{\"rows\":[", name);
    for (uint32_t y = 0; y < side; y++) {
        words_say(json, "%s\"", y == 0 ? "" : ",");
        for (uint32_t x = 0; x < side; x++) {
            words_say(json, "x");
        }
        words_say(json, "\"");
    }
    words_say(json, "]}");
}

static void
say_side(struct words *json, uint32_t side)
{
    words_say(json, "{\"models\":{},\"units\":[],\"patterns\":{");
    say_full_pattern(json, "p", side);
    words_say(json, "}}");
}

/*
 * A pattern whose one target affects `count` cells: a full square of side 63
 * (3969 cells), of which the top-left one is mapped to itself and to cells
 * above the square.
 */
static void
say_area(struct words *json, uint32_t count)
{
    uint32_t left = count - SK_TACTICS_PATTERN_SIDE_MAX * SK_TACTICS_PATTERN_SIDE_MAX;
    uint32_t side = SK_TACTICS_PATTERN_SIDE_MAX;

    words_say_json(json, "{'models':{},'units':[],'patterns':{");
    words_say_json(json, "'target':{'rows':['o'],'map':{'o':'square'}},'square':{'rows':['e");
    for (uint32_t i = 1; i < side * side; i++) {
        words_say_json(json, i % side == 0 ? "','x" : "x");
    }
    words_say_json(json, "'],'map':{'e':'above'}},'above':{'rows':['");
    for (uint32_t i = 0; i < side * side; i++) {
        bool is_centre = i == side * side / 2;

        words_say_json(json, i % side == 0 && i > 0 ? "','" : "");
        words_say_json(json, is_centre || i < left ? "x" : " ");
    }
    words_say_json(json, "']}}}");
}

/* The same square, but no target is mapped to it. */
static void
say_area_of_nobody(struct words *json, uint32_t count)
{
    const char *map = "\"map\":{\"o\":\"square\"}";
    char *at;

    say_area(json, count);
    at = strstr(json->at, map);
    at[strlen("\"map\":{\"")] = 'z'; /* maps a character that the pattern does not have */
}

static void
say_pattern_count(struct words *json, uint32_t count)
{
    words_say_json(json, "{'models':{},'units':[],'patterns':{");
    for (uint32_t i = 0; i < count; i++) {
        words_say(json, "%s\"p%u\":{\"rows\":[\"x\"]}", i == 0 ? "" : ",", i);
    }
    words_say(json, "}}");
}

/* Each maps to the next; a chain of `count`, so areas must be computed without recursion. */
static void
say_pattern_chain(struct words *json, uint32_t count)
{
    words_say_json(json, "{'models':{},'units':[],'patterns':{");
    for (uint32_t i = 0; i + 1 < count; i++) {
        words_say(json, "\"p%u\":{\"rows\":[\"x\"],\"map\":{\"x\":\"p%u\"}},", i, i + 1);
    }
    words_say(json, "\"p%u\":{\"rows\":[\"x\"]}}}", count - 1);
}

/* Every cell of each is mapped to the next: enumerated, more cells than there are atoms. */
static void
say_pattern_blowup(struct words *json, uint32_t count)
{
    words_say_json(json, "{'models':{},'units':[],'patterns':{");
    for (uint32_t i = 0; i < count; i++) {
        words_say(json, "\"p%u\":{\"rows\":[\"", i);
        for (uint32_t cell = 0; cell < 63 * 63; cell++) {
            words_say_json(json, cell % 63 == 0 && cell > 0 ? "','o" : "o");
        }
        words_say(json, "\"],\"map\":{\"o\":\"p%u\"}},", i + 1);
    }
    words_say(json, "\"p%u\":{\"rows\":[\"x\"]}}}", count);
}

static void
say_model_count(struct words *json, uint32_t count)
{
    words_say_json(json, "{'patterns':{},'units':[],'models':{");
    for (uint32_t i = 0; i < count; i++) {
        words_say(
            json,
            "%s\"m%u\":{\"description\":\"\",\"health\":1,\"power\":0,\"move\":[],\"attack\":[]}",
            i == 0 ? "" : ",", i);
    }
    words_say(json, "}}");
}

static void
say_units_of(struct words *json, uint32_t hosts, uint32_t guests)
{
    words_say_json(
        json,
        "{'rows':64,'cols':64,'patterns':{},"
        "'models':{'m':{'description':'','health':1,'power':0,'move':[],'attack':[]}},'units':[");
    for (uint32_t i = 0; i < hosts + guests; i++) {
        uint32_t seat = i >= hosts;

        words_say(json, "%s{\"id\":\"u%u\",\"model\":\"m\",\"seat\":%u,\"at\":[%u,%u]}",
                  i == 0 ? "" : ",", i, seat, i % 64, i / 64);
    }
    words_say(json, "]}");
}

static void
say_host_units(struct words *json, uint32_t count)
{
    say_units_of(json, count, 1);
}

static void
say_guest_units(struct words *json, uint32_t count)
{
    say_units_of(json, 1, count);
}

static void
say_both_units(struct words *json, uint32_t count)
{
    say_units_of(json, count, count);
}

static void
say_number(struct words *json, const char *name, uint32_t number)
{
    words_say(json, "{\"%s\":%d}", name, (int32_t)number);
}

static void
say_rows(struct words *json, uint32_t count)
{
    words_say_json(json, "{'start_rows':1,'patterns':{},'models':{},'units':[],");
    words_say(json, "\"rows\":%u}", count);
}

static void
say_cols(struct words *json, uint32_t count)
{
    words_say_json(json, "{'patterns':{},'models':{},'units':[],");
    words_say(json, "\"cols\":%u}", count);
}

static void
say_turn_limit(struct words *json, uint32_t count)
{
    say_number(json, "turn_limit", count);
}

static void
say_start_rows(struct words *json, uint32_t count)
{
    say_number(json, "start_rows", count);
}

/* Nine rows: four and four do not overlap, five and five do. */
static void
say_placement_rows(struct words *json, uint32_t count)
{
    words_say_json(json, "{'placement':true,");
    words_say(json, "\"start_rows\":%u}", count);
}

static void
say_model_number(struct words *json, const char *name, uint32_t number)
{
    words_say_json(
        json, "{'patterns':{},'units':[],'models':{'m':{'description':'','move':[],'attack':[],");
    words_say(json, "\"%s\":%d,\"%s\":1}}}", name, (int32_t)number,
              strcmp(name, "health") == 0 ? "power" : "health");
}

static void
say_health(struct words *json, uint32_t number)
{
    say_model_number(json, "health", number);
}

static void
say_power(struct words *json, uint32_t number)
{
    say_model_number(json, "power", number);
}

static void
say_letters(struct words *json, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        words_say(json, "i");
    }
}

static void
say_id_length(struct words *json, uint32_t length)
{
    words_say_json(json,
                   "{'patterns':{},'models':{'m':{'description':'','health':1,'power':0,'move':[],"
                   "'attack':[]}},'units':[{'id':'");
    say_letters(json, length);
    words_say_json(json, "','model':'m','seat':0,'at':[0,0]}]}");
}

static void
say_pattern_name(struct words *json, uint32_t length)
{
    words_say_json(json, "{'models':{},'units':[],'patterns':{'");
    say_letters(json, length);
    words_say_json(json, "':{'rows':['x']}}}");
}

static void
say_model_name(struct words *json, uint32_t length)
{
    words_say_json(json, "{'patterns':{},'units':[],'models':{'");
    say_letters(json, length);
    words_say_json(json, "':{'description':'','health':1,'power':0,'move':[],'attack':[]}}}");
}

static void
say_description(struct words *json, uint32_t length)
{
    words_say_json(json, "{'patterns':{},'units':[],'models':{'m':{'description':'");
    say_letters(json, length);
    words_say_json(json, "','health':1,'power':0,'move':[],'attack':[]}}}");
}

/* `count` units, each of whose attacks affects 1024 cells; the 32nd reaches the limit of a turn. */
static void
say_turn_cells(struct words *json, uint32_t count)
{
    words_say_json(json, "{'rows':64,'cols':64,'patterns':{'p':{'rows':['o'],'map':{'o':'q'}},"
                         "'q':{'rows':['");
    for (uint32_t i = 0; i < 63 * 63; i++) {
        words_say_json(json, i % 63 == 0 && i > 0 ? "','" : "");
        words_say_json(json, i < 1024 ? "x" : " ");
    }
    words_say_json(json, "']}},'models':{'m':{'health':1,'power':0,'move':[],'attack':['p']}},"
                         "'units':[");
    for (uint32_t i = 0; i < count; i++) {
        words_say(json, "%s{\"id\":\"u%u\",\"model\":\"m\",\"seat\":%u,\"at\":[%u,0]}",
                  i == 0 ? "" : ",", i, i % 2, i);
    }
    words_say(json, "]}");
}

/*
 * Params that take exactly `steps` to compile: a square of squares takes a
 * good part, names that are looked for take the rest.  A name costs as many
 * steps as there are patterns before it.
 */
static void
say_names(struct words *json, const char *member, uint32_t *left)
{
    uint32_t count = 0;

    words_say_json(json, member);
    for (; *left > 0 && count < SK_TACTICS_PATTERNS_MAX; count++) {
        uint32_t place = *left < SK_TACTICS_PATTERNS_MAX - 1 ? *left : SK_TACTICS_PATTERNS_MAX - 1;

        words_say(json, "%s\"p%u\"", count == 0 ? "" : ",", place);
        *left -= place;
    }
}

#define WORK_SIDE 23u

static void
say_work_with(struct words *json, uint32_t left)
{
    words_say_json(json, "{'rows':64,'cols':64,'units':[],'patterns':{");
    for (uint32_t i = 0; i < 2; i++) {
        words_say(json, "\"p%u\":{\"rows\":[\"", i);
        for (uint32_t cell = 0; cell < WORK_SIDE * WORK_SIDE; cell++) {
            words_say_json(json, cell % WORK_SIDE == 0 && cell > 0 ? "','o" : "o");
        }
        words_say(json, "\"],\"map\":{\"o\":\"p%u\"}},", i + 1);
    }
    say_full_pattern(json, "p2", WORK_SIDE);
    for (uint32_t i = 3; i < SK_TACTICS_PATTERNS_MAX; i++) {
        words_say(json, ",\"p%u\":{\"rows\":[\"x\"]}", i);
    }
    words_say_json(json, "},'models':{");
    for (uint32_t i = 0; i == 0 || left > 0; i++) {
        words_say(json, "%s\"m%u\":{\"health\":1,\"power\":0,", i == 0 ? "" : ",", i);
        say_names(json, "'move':[", &left);
        say_names(json, "],'attack':[", &left);
        words_say(json, "]}");
    }
    words_say(json, "}}");
}

static void
say_work(struct words *json, uint32_t steps)
{
    struct sk_seed seed = table_seed(1);
    struct table table;
    uint32_t least;

    say_work_with(json, 0);
    table_open_json(&table, &sk_ruleset_tactics, json->at, &seed);
    least = ((const struct tactics_config *)table.config)->work;
    table_close(&table);
    cr_assert_gt(least, WORK_SIDE * WORK_SIDE * WORK_SIDE * WORK_SIDE);
    words_clear(json);
    say_work_with(json, steps - least);
}

/* The most that a reasonable match may need: every one of these patterns is 63 x 63. */
static void
say_wide_patterns(struct words *json, uint32_t count)
{
    words_say_json(json, "{'rows':64,'cols':64,'models':{},'units':[],'patterns':{");
    for (uint32_t i = 0; i < count; i++) {
        words_say(json, "\"p%u\":{\"rows\":[\"", i);
        for (uint32_t cell = 0; cell < 63 * 63; cell++) {
            words_say_json(json, cell % 63 == 0 && cell > 0 ? "','o" : "o");
        }
        words_say_json(json, "'],'map':{'o':'plus'}},");
    }
    words_say_json(json, "'plus':{'rows':[' x ','xxx',' x ']}}}");
}

/* ---- the table --------------------------------------------------------------------------- */

struct limit_case {
    const char *label;
    void (*say)(struct words *json, uint32_t number);
    uint32_t number;
    const char *code; /* NULL = taken */
    const char *at;
};

static const struct limit_case limit_cases[] = {
    { "a pattern of side 61", say_side, 61, NULL, NULL },
    { "a pattern of side 62", say_side, 62, "pattern_even_side", "/patterns/p" },
    { "a pattern of side 63", say_side, 63, NULL, NULL },
    { "a pattern of side 64", say_side, 64, "pattern_even_side", "/patterns/p" },
    { "a pattern of side 65", say_side, 65, "pattern_too_long", "/patterns/p" },
    { "a pattern of side 201", say_side, 201, "pattern_too_long", "/patterns/p" },
    { "4095 cells affected", say_area, 4095, NULL, NULL },
    { "4096 cells affected", say_area, 4096, NULL, NULL },
    { "4097 cells affected", say_area, 4097, "pattern_area_too_large", "/patterns/target" },
    { "4097 cells that no target affects", say_area_of_nobody, 4097, NULL, NULL },
    { "255 patterns", say_pattern_count, 255, NULL, NULL },
    { "256 patterns", say_pattern_count, 256, NULL, NULL },
    { "257 patterns", say_pattern_count, 257, "malformed", "/patterns" },
    { "a chain of 256 patterns", say_pattern_chain, 256, NULL, NULL },
    { "a square mapped to a single cell", say_pattern_blowup, 1, NULL, NULL },
    { "squares of squares", say_pattern_blowup, 20, "pattern_area_too_large", "/patterns/p0" },
    { "64 patterns of side 63, all mapped", say_wide_patterns, 64, NULL, NULL },
    { "399999 steps", say_work, SK_TACTICS_WORK_MAX - 1, NULL, NULL },
    { "400000 steps", say_work, SK_TACTICS_WORK_MAX, NULL, NULL },
    { "400001 steps", say_work, SK_TACTICS_WORK_MAX + 1, "too_much_work", NULL },
    { "31 units that affect 1024 cells each", say_turn_cells, 31, NULL, NULL },
    { "32 units that affect 1024 cells each", say_turn_cells, 32, NULL, NULL },
    { "33 units that affect 1024 cells each", say_turn_cells, 33, "turn_too_large", "/units/32" },
    { "63 models", say_model_count, 63, NULL, NULL },
    { "64 models", say_model_count, 64, NULL, NULL },
    { "65 models", say_model_count, 65, "malformed", "/models" },
    { "63 units of the host", say_host_units, 63, NULL, NULL },
    { "64 units of the host", say_host_units, 64, NULL, NULL },
    { "65 units of the host", say_host_units, 65, "too_many_units", "/units/64" },
    { "64 units of the guest", say_guest_units, 64, NULL, NULL },
    { "65 units of the guest", say_guest_units, 65, "too_many_units", "/units/65" },
    { "64 units of both", say_both_units, 64, NULL, NULL },
    { "65 units of both", say_both_units, 65, "malformed", "/units" },
    { "2 rows", say_rows, 2, "malformed", "/rows" },
    { "3 rows", say_rows, 3, NULL, NULL },
    { "64 rows", say_rows, 64, NULL, NULL },
    { "65 rows", say_rows, 65, "malformed", "/rows" },
    { "2 columns", say_cols, 2, "malformed", "/cols" },
    { "3 columns", say_cols, 3, NULL, NULL },
    { "64 columns", say_cols, 64, NULL, NULL },
    { "65 columns", say_cols, 65, "malformed", "/cols" },
    { "turn limit 0", say_turn_limit, 0, "malformed", "/turn_limit" },
    { "turn limit 1", say_turn_limit, 1, NULL, NULL },
    { "turn limit 1000000", say_turn_limit, 1000000, NULL, NULL },
    { "turn limit 1000001", say_turn_limit, 1000001, "malformed", "/turn_limit" },
    { "0 start rows", say_start_rows, 0, "malformed", "/start_rows" },
    { "1 start row", say_start_rows, 1, NULL, NULL },
    { "9 start rows of 9", say_start_rows, 9, NULL, NULL },
    { "10 start rows of 9", say_start_rows, 10, "start_rows_too_many", "/start_rows" },
    { "4 and 4 start rows of 9", say_placement_rows, 4, NULL, NULL },
    { "5 and 5 start rows of 9", say_placement_rows, 5, "start_rows_overlap", "/start_rows" },
    { "health 0", say_health, 0, "malformed", "/models/m/health" },
    { "health 1", say_health, 1, NULL, NULL },
    { "health 10000", say_health, 10000, NULL, NULL },
    { "health 10001", say_health, 10001, "malformed", "/models/m/health" },
    { "power -1", say_power, (uint32_t)-1, "malformed", "/models/m/power" },
    { "power 0", say_power, 0, NULL, NULL },
    { "power 10000", say_power, 10000, NULL, NULL },
    { "power 10001", say_power, 10001, "malformed", "/models/m/power" },
    { "an id of 0 characters", say_id_length, 0, "malformed", "/units/0/id" },
    { "an id of 1 character", say_id_length, 1, NULL, NULL },
    { "an id of 31 characters", say_id_length, 31, NULL, NULL },
    { "an id of 32 characters", say_id_length, 32, "malformed", "/units/0/id" },
    { "a pattern's name of 31 characters", say_pattern_name, 31, NULL, NULL },
    { "a pattern's name of 32 characters", say_pattern_name, 32, "malformed", NULL },
    { "a model's name of 31 characters", say_model_name, 31, NULL, NULL },
    { "a model's name of 32 characters", say_model_name, 32, "malformed", NULL },
    { "a description of 1000 bytes", say_description, 1000, NULL, NULL },
    { "a description of 1001 bytes", say_description, 1001, "malformed", "/models/m/description" },
};

CASES(tactics_limits, are_kept_exactly, limit_cases)
{
    const struct limit_case *c = &limit_cases[*index];
    struct sk_fault fault = { .code = "none" };
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words json;
    enum sk_status status;

    words_init(&json);
    c->say(&json, c->number);
    status = table_try_json(&table, &sk_ruleset_tactics, json.at, &seed, &fault);
    words_fini(&json);
    if (status == SK_OK) {
        table_close(&table);
    }
    cr_expect_str_eq(fault.code, c->code == NULL ? "none" : c->code, "%s: %s: %s at %s", c->label,
                     fault.code, fault.message, fault.at);
    cr_expect(c->at == NULL || strcmp(fault.at, c->at) == 0, "%s: reported at %s", c->label,
              fault.at);
}

/* ---- commands ---------------------------------------------------------------------------- */

struct count_case {
    const char *label;
    uint32_t count;
    bool is_taken;
};

static const struct count_case count_cases[] = {
    { "127 commands of a seat", 127, true },
    { "128 commands of a seat", 128, true },
    { "129 commands of a seat", 129, false },
};

CASES(tactics_limits, a_submission_has_at_most_128_commands, count_cases)
{
    const struct count_case *c = &count_cases[*index];
    struct sk_referee *referee = sk_referee_alloc();
    struct sk_text answer;
    struct words json;

    words_init(&json);
    words_say_json(&json, "{'ruleset':'tactics','params':{},'commands':[[],[");
    for (uint32_t i = 0; i < c->count; i++) {
        words_say_json(&json, i == 0 ? "" : ",");
        words_say_json(&json, "{'kind':'move','unit':'b1','target':[0,0]}");
    }
    words_say_json(&json, "]]}");
    cr_expect_eq(sk_referee_answer(referee, json.at, json.used, &answer), c->is_taken, "%s: %.200s",
                 c->label, answer.at);
    words_clear(&json);
    words_say(&json, "%.*s", (int)answer.length, answer.at);
    cr_expect_eq(strstr(json.at, "\"at\":\"/commands/1\"") == NULL, c->is_taken, "%s: %s", c->label,
                 json.at);
    words_fini(&json);
    sk_referee_free(referee);
}

/* ---- the largest turn -------------------------------------------------------------------- */

/* 64 units per side on 64 x 64 cells: close to what a turn may have. */
#define SQUARE_SIDE   15u /* what most of them attack */
#define LARGEST_CELLS ((SK_TACTICS_UNITS_MAX - 1) * SQUARE_SIDE * SQUARE_SIDE + 63u * 63u)

_Static_assert(LARGEST_CELLS <= SK_TACTICS_TURN_CELLS_MAX &&
                   LARGEST_CELLS > SK_TACTICS_TURN_CELLS_MAX - SQUARE_SIDE * SQUARE_SIDE,
               "one unit more would be too much");

static void
say_largest(struct words *json)
{
    words_say_json(json, "{'rows':64,'cols':64,'patterns':{'here':{'rows':['o'],"
                         "'map':{'o':'square'}},'first':{'rows':['o'],'map':{'o':'most'}},");
    say_full_pattern(json, "square", SQUARE_SIDE);
    words_say(json, ",");
    say_full_pattern(json, "most", 63);
    words_say_json(json, "},'models':{'m':{'health':10000,'power':1,'move':[],"
                         "'attack':['here']},'f':{'health':10000,'power':1,'move':[],"
                         "'attack':['first']}},'units':[");
    for (uint32_t i = 0; i < SK_TACTICS_UNITS_MAX; i++) {
        words_say(json, "%s{\"id\":\"u%u\",\"model\":\"%s\",\"seat\":%u,\"at\":[%u,%u]}",
                  i == 0 ? "" : ",", i, i == 0 ? "f" : "m", i % 2, 32 + i % 12, 32 + i / 12);
    }
    words_say(json, "]}");
}

static void
attack_where_they_stand(const struct table *table, struct command_list *lists)
{
    const struct tactics_config *config = table->config;

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        const struct tactics_unit_config *own = &tactics_units(config)[unit];
        const struct tactics_command command = { .head = { TACTICS_ATTACK },
                                                 .unit = own->id,
                                                 .target = { own->x, own->y } };

        commands_add(&lists[own->seat], &command);
    }
}

static void
expect_all_cells_told(const struct table *table)
{
    uint32_t cells = 0;
    uint32_t hit = 0;

    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        const struct tactics_event *own = (const struct tactics_event *)(const void *)event;

        cells += event->kind == TACTICS_EVENT_ATTACKED ? own->cells.count : 0;
        hit += event->kind == TACTICS_EVENT_HIT;
    }
    cr_expect_eq(cells, (uint32_t)LARGEST_CELLS);
    cr_expect_eq(hit, (uint32_t)SK_TACTICS_UNITS_MAX);
}

Test(tactics_limits, the_largest_turn_fits_into_its_memory)
{
    struct sk_seed seed = table_seed(1);
    struct command_list lists[2];
    struct table table;
    struct words json;

    words_init(&json);
    say_largest(&json);
    table_open_json(&table, &sk_ruleset_tactics, json.at, &seed);
    table_guard(&table);
    commands_init(&lists[0], table.ruleset);
    commands_init(&lists[1], table.ruleset);
    attack_where_they_stand(&table, lists);
    table_resolve(&table, (const struct command_list *const[]){ &lists[0], &lists[1] });
    expect_all_cells_told(&table);
    cr_expect(table_guard_holds(&table));
    commands_fini(&lists[0]);
    commands_fini(&lists[1]);
    table_close(&table);
    words_fini(&json);
}
