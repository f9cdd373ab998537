/* Params and states of halma that are refused, each with its reason and its place; limits. */
#include "common/core/snapshot.h"
#include "common/rules/halma/internal.h"
#include "tests/support/halma_draw.h"
#include "tests/support/table.h"
#include "tests/unit/request_case.h"

/* ---- params ------------------------------------------------------------------------------ */

#define PIECES "'pieces':[[[0,5],[1,5]],[[4,5],[5,5]]]"
#define GOALS  "'destinations':[[[5,0]],[[0,0]]]"
#define BOARD  "'size':6," PIECES "," GOALS

static const struct request_case params_cases[] = {
    { "all that there is", "{" BOARD ",'turn_limit':9,'stall_limit':3,'cycle_ms':1000}", NULL,
      NULL },
    { "nothing: the default board", "{}", NULL, NULL },
    { "the default pieces on a larger board", "{'size':64}", NULL, NULL },
    { "the default pieces on a smaller board", "{'size':17}", "defaults_do_not_fit",
      "/params/size" },
    { "own pieces but default destinations on a smaller board", "{'size':17," PIECES "}",
      "defaults_do_not_fit", "/params/size" },
    { "own destinations but default pieces on a smaller board", "{'size':6," GOALS "}",
      "defaults_do_not_fit", "/params/size" },
    { "own pieces but default destinations", "{" PIECES "}", NULL, NULL },
    { "own destinations but default pieces", "{" GOALS "}", NULL, NULL },
    { "a member that does not exist", "{'rows':9}", "malformed", "/params/rows" },
    { "a size in quotes", "{'size':'18'}", "malformed", "/params/size" },
    { "one seat's pieces", "{'pieces':[[[0,0]]]}", "malformed", "/params/pieces" },
    { "three seats' pieces", "{'pieces':[[[0,0]],[[1,0]],[[2,0]]]}", "malformed",
      "/params/pieces" },
    { "pieces that are no list", "{'pieces':{}}", "malformed", "/params/pieces" },
    { "no pieces of the host", "{'pieces':[[],[[0,0]]]}", "no_pieces", "/params/pieces/0" },
    { "no pieces of the guest", "{'pieces':[[[0,0]],[]]}", "no_pieces", "/params/pieces/1" },
    { "no destinations of the host", "{'destinations':[[],[[0,0]]]}", "no_destinations",
      "/params/destinations/0" },
    { "no destinations of the guest", "{'destinations':[[[0,0]],[]]}", "no_destinations",
      "/params/destinations/1" },
    { "a piece right of the board", "{'pieces':[[[0,0],[18,0]],[[1,1]]]}", "out_of_bounds",
      "/params/pieces/0/1" },
    { "a piece above the board", "{'pieces':[[[0,0]],[[1,1],[1,-1]]]}", "out_of_bounds",
      "/params/pieces/1/1" },
    { "a piece in the last corner", "{'pieces':[[[17,17]],[[0,17]]]}", NULL, NULL },
    { "a piece at the extremes of 32 bits", "{'pieces':[[[2147483647,-2147483648]],[[1,1]]]}",
      "out_of_bounds", "/params/pieces/0/0" },
    { "a piece beyond 32 bits", "{'pieces':[[[2147483648,0]],[[1,1]]]}", "malformed",
      "/params/pieces/0/0/0" },
    { "a destination left of the board", "{'destinations':[[[-1,0]],[[1,1]]]}", "out_of_bounds",
      "/params/destinations/0/0" },
    { "a destination below the board", "{'destinations':[[[0,0]],[[1,1],[0,18]]]}", "out_of_bounds",
      "/params/destinations/1/1" },
    { "two own pieces on a cell", "{'pieces':[[[3,3],[4,3],[3,3]],[[1,1]]]}", "cell_taken",
      "/params/pieces/0/2" },
    { "two enemies on a cell", "{'pieces':[[[3,3]],[[1,1],[3,3]]]}", "cell_taken",
      "/params/pieces/1/1" },
    { "a destination twice", "{'destinations':[[[3,3]],[[1,1],[2,2],[1,1]]]}",
      "duplicate_destination", "/params/destinations/1/2" },
    { "the same destination for both", "{'destinations':[[[3,3]],[[3,3]]]}", NULL, NULL },
    { "fewer pieces than destinations", "{'pieces':[[[0,17]],[[17,17]]]}", NULL, NULL },
    { "a piece on a destination", "{'pieces':[[[15,0]],[[17,17]]]}", NULL, NULL },
    { "a first position that is a halmate",
      "{'pieces':[[[3,3]],[[4,4]]],"
      "'destinations':[[[3,3]],[[0,0]]]}",
      NULL, NULL },
    { "a cell of three", "{'pieces':[[[0,0,0]],[[1,1]]]}", "malformed", "/params/pieces/0/0" },
};

CASES(halma_params, are_refused_with_reason_and_place, params_cases)
{
    struct words json;

    words_init(&json);
    words_say_json(&json, "{'ruleset':'halma','params':");
    words_say_json(&json, params_cases[*index].json);
    words_say(&json, "}");
    expect_answer(&params_cases[*index], &json);
    words_fini(&json);
}

Test(halma_params, the_default_board_is_that_of_the_rules)
{
    struct sk_seed seed = table_seed(1);
    struct table table;
    const struct halma_config *config;

    table_open_json(&table, &sk_ruleset_halma, "{}", &seed);
    config = table.config;
    cr_expect_eq(config->size, 18);
    cr_expect_eq(config->turn_limit, 200u);
    cr_expect_eq(config->stall_limit, 5u);
    cr_expect_eq(config->cycle_ms, 0u);
    cr_assert_eq(config->unit_count, 24);
    for (uint32_t i = 0; i < 24; i++) {
        const struct halma_unit_config *unit = &halma_units(config)[i];
        int32_t left = i < 12 ? 0 : 15;

        cr_expect_eq(unit->seat, i / 12);
        cr_expect_eq(unit->x, left + (int32_t)(i % 3));
        cr_expect_eq(unit->y, 14 + i % 12 / 3);
    }
    for (uint8_t y = 0; y < 18; y++) {
        cr_expect_eq(halma_destinations(config, 0)[y], y < 3 ? 7u << 15 : 0u);
        cr_expect_eq(halma_destinations(config, 1)[y], y < 3 ? 7u : 0u);
    }
    table_close(&table);
}

/* ---- limits ------------------------------------------------------------------------------ */

static void
say_size(struct words *json, int64_t size)
{
    words_say(json, "{\"size\":%lld,", (long long)size);
    words_say_json(json, PIECES "," GOALS "}");
}

static void
say_turn_limit(struct words *json, int64_t limit)
{
    words_say(json, "{\"turn_limit\":%lld}", (long long)limit);
}

static void
say_stall_limit(struct words *json, int64_t limit)
{
    words_say(json, "{\"stall_limit\":%lld}", (long long)limit);
}

static void
say_cycle(struct words *json, int64_t cycle)
{
    words_say(json, "{\"cycle_ms\":%lld}", (long long)cycle);
}

/* So many cells from the second row on. */
static void
say_cells_of(struct words *json, int64_t count)
{
    words_say(json, "[");
    for (int64_t i = 0; i < count; i++) {
        words_say(json, "%s[%d,%d]", i == 0 ? "" : ",", (int)(i % 64), (int)(1 + i / 64));
    }
    words_say(json, "]");
}

static void
say_host_pieces(struct words *json, int64_t count)
{
    words_say_json(json, "{'size':64,'pieces':[");
    say_cells_of(json, count);
    words_say_json(json, ",[[0,0]]]}");
}

static void
say_guest_pieces(struct words *json, int64_t count)
{
    words_say_json(json, "{'size':64,'pieces':[[[0,0]],");
    say_cells_of(json, count);
    words_say_json(json, "]}");
}

static void
say_destinations(struct words *json, int64_t count)
{
    words_say_json(json, "{'size':64,'destinations':[[[0,0]],");
    say_cells_of(json, count);
    words_say_json(json, "]}");
}

struct limit_case {
    const char *label;
    void (*say)(struct words *json, int64_t number);
    int64_t number;
    const char *code; /* NULL = taken */
    const char *at;
};

static const struct limit_case limit_cases[] = {
    { "size 5", say_size, 5, "malformed", "/size" },
    { "size 6", say_size, 6, NULL, NULL },
    { "size 7", say_size, 7, NULL, NULL },
    { "size 63", say_size, 63, NULL, NULL },
    { "size 64", say_size, 64, NULL, NULL },
    { "size 65", say_size, 65, "malformed", "/size" },
    { "turn limit 0", say_turn_limit, 0, "malformed", "/turn_limit" },
    { "turn limit 1", say_turn_limit, 1, NULL, NULL },
    { "turn limit 1000000", say_turn_limit, 1000000, NULL, NULL },
    { "turn limit 1000001", say_turn_limit, 1000001, "malformed", "/turn_limit" },
    { "stall limit -1", say_stall_limit, -1, "malformed", "/stall_limit" },
    { "stall limit 0", say_stall_limit, 0, NULL, NULL },
    { "stall limit 1000000", say_stall_limit, 1000000, NULL, NULL },
    { "stall limit 1000001", say_stall_limit, 1000001, "malformed", "/stall_limit" },
    { "a cycle of -1", say_cycle, -1, "malformed", "/cycle_ms" },
    { "a cycle of 0", say_cycle, 0, NULL, NULL },
    { "a cycle of 1", say_cycle, 1, "cycle_too_short", "/cycle_ms" },
    { "a cycle of 9", say_cycle, 9, "cycle_too_short", "/cycle_ms" },
    { "a cycle of 10", say_cycle, 10, NULL, NULL },
    { "a cycle of an hour", say_cycle, 3600000, NULL, NULL },
    { "a cycle of more than an hour", say_cycle, 3600001, "malformed", "/cycle_ms" },
    { "63 pieces of the host", say_host_pieces, 63, NULL, NULL },
    { "64 pieces of the host", say_host_pieces, 64, NULL, NULL },
    { "65 pieces of the host", say_host_pieces, 65, "too_many_pieces", "/pieces/0/64" },
    { "64 pieces of the guest", say_guest_pieces, 64, NULL, NULL },
    { "65 pieces of the guest", say_guest_pieces, 65, "too_many_pieces", "/pieces/1/64" },
    { "4000 pieces of the guest", say_guest_pieces, 4000, "too_many_pieces", "/pieces/1/64" },
    { "64 destinations", say_destinations, 64, NULL, NULL },
    { "65 destinations", say_destinations, 65, "too_many_destinations", "/destinations/1/64" },
};

CASES(halma_limits, are_kept_exactly, limit_cases)
{
    const struct limit_case *c = &limit_cases[*index];
    struct sk_fault fault = { .code = "none" };
    struct sk_seed seed = table_seed(1);
    struct table table;
    struct words json;

    words_init(&json);
    c->say(&json, c->number);
    if (table_try_json(&table, &sk_ruleset_halma, json.at, &seed, &fault) == SK_OK) {
        table_close(&table);
    }
    words_fini(&json);
    cr_expect_str_eq(fault.code, c->code == NULL ? "none" : c->code, "%s: %s: %s at %s", c->label,
                     fault.code, fault.message, fault.at);
    cr_expect(c->at == NULL || strcmp(fault.at, c->at) == 0, "%s: told at %s", c->label, fault.at);
}

/* 64 pieces a side, all damaged, the longest paths, and both seats mate by a collision. */
Test(halma_limits, the_largest_turn_fits_into_its_memory)
{
    struct sk_seed seed = table_seed(1);
    struct halma_command commands[2] = { { .head = { HALMA_MOVE }, .unit = { "a1" } },
                                         { .head = { HALMA_MOVE }, .unit = { "b1" } } };
    struct halma_position *position;
    struct table table;
    struct words json;

    words_init(&json);
    words_say_json(&json, "{'size':64,'destinations':[[[2,0]],[[2,0]]],'pieces':[[[0,0],[1,0]");
    for (int i = 2; i < 64; i++) {
        words_say(&json, ",[%d,10]", i);
    }
    words_say_json(&json, "],[[4,0],[3,0]");
    for (int i = 2; i < 64; i++) {
        words_say(&json, ",[%d,20]", i);
    }
    words_say(&json, "]]}");
    table_open_json(&table, &sk_ruleset_halma, json.at, &seed);
    table_guard(&table);
    position = halma_position(table.match.state);
    for (uint32_t i = 0; i < 128; i++) {
        position->piece[i].damage = i % 64 == 0 ? 0 : 1;
    }
    for (uint32_t i = 0; i < SK_HALMA_PATH_MAX - 1; i++) {
        for (int32_t seat = 0; seat < 2; seat++) {
            commands[seat].path.at[i] = sk_cell(i % 2 == 0 ? 2 : 4 * seat, 0);
            commands[seat].path.row.count = i + 1;
        }
    }
    table.match.commands[0] = (struct sk_commands){ &commands[0], 1 };
    table.match.commands[1] = (struct sk_commands){ &commands[1], 1 };
    sk_match_resolve(&table.match, &table.turn);
    cr_expect_eq(table.turn.events.count, 2u + 1u + 126u + 1u);
    cr_expect(table_guard_holds(&table));
    table_close(&table);
    words_fini(&json);
}

/* ---- states ------------------------------------------------------------------------------ */

/* Of a match with a1 and a2 on the left, b1 and b2 on the right of 18 x 18 squares. */
#define A1(x, y)     "{'id':'a1','seat':0,'at':[" #x "," #y "],'damage':0}"
#define A2(x, y)     "{'id':'a2','seat':0,'at':[" #x "," #y "],'damage':0}"
#define B1(x, y)     "{'id':'b1','seat':1,'at':[" #x "," #y "],'damage':0}"
#define B2(x, y)     "{'id':'b2','seat':1,'at':[" #x "," #y "],'damage':0}"
#define OTHERS       A2(3, 3) "," B1(4, 4) "," B2(5, 5)
#define STATE(first) "{'units':[" first "," OTHERS "]"
#define DAMAGED(of)  "{'id':'a1','seat':0,'at':[0,0],'damage':" of "}"

static const struct request_case state_cases[] = {
    { "all of them", STATE(A1(0, 0)) ",'faults':[1,4]}", NULL, NULL },
    { "in another order", "{'units':[" B2(5, 5) "," A2(3, 3) "," A1(1, 1) "," B1(4, 4) "]}", NULL,
      NULL },
    { "no faults given", STATE(A1(0, 0)) "}", NULL, NULL },
    { "two of both seats on a square", STATE(A1(4, 4)) "}", NULL, NULL },
    { "two of one seat on a square", STATE(A1(3, 3)) "}", NULL, NULL },
    { "three on a square", "{'units':[" A1(3, 3) "," A2(3, 3) "," B1(3, 3) "," B2(5, 5) "]}",
      "invalid_state", "/state/units/2/at" },
    { "four on a square", "{'units':[" B2(3, 3) "," A2(3, 3) "," B1(3, 3) "," A1(3, 3) "]}",
      "invalid_state", "/state/units/2/at" },
    { "two pairs", "{'units':[" A1(3, 3) "," A2(5, 5) "," B1(3, 3) "," B2(5, 5) "]}", NULL, NULL },
    { "an id that params do not know", STATE("{'id':'a3','seat':0,'at':[0,0],'damage':0}") "}",
      "invalid_state", "/state/units/0/id" },
    { "an id twice", "{'units':[" A1(0, 0) "," A2(1, 1) "," A1(2, 2) "," B1(4, 4) "]}",
      "invalid_state", "/state/units/2/id" },
    { "a piece is missing", "{'units':[" A1(0, 0) "," B1(4, 4) "," B2(5, 5) "]}", "invalid_state",
      "/state/units" },
    { "nobody is there", "{'units':[]}", "invalid_state", "/state/units" },
    { "the other seat's piece", STATE("{'id':'a1','seat':1,'at':[0,0],'damage':0}") "}",
      "invalid_state", "/state/units/0/seat" },
    { "off the board", STATE(A1(0, 18)) "}", "invalid_state", "/state/units/0/at" },
    { "at the extremes of 32 bits", STATE(A1(2147483647, -2147483648)) "}", "invalid_state",
      "/state/units/0/at" },
    { "damage -1", STATE(DAMAGED("-1")) "}", "malformed", "/state/units/0/damage" },
    { "damage 0", STATE(DAMAGED("0")) "}", NULL, NULL },
    { "damage 5", STATE(DAMAGED("5")) "}", NULL, NULL },
    { "damage 6", STATE(DAMAGED("6")) "}", "malformed", "/state/units/0/damage" },
    { "no damage given", STATE("{'id':'a1','seat':0,'at':[0,0]}") "}", "malformed",
      "/state/units/0/damage" },
    { "a fault of one seat alone", STATE(A1(0, 0)) ",'faults':[1]}", "malformed", "/state/faults" },
    { "faults of three", STATE(A1(0, 0)) ",'faults':[1,1,1]}", "malformed", "/state/faults" },
    { "faults below 0", STATE(A1(0, 0)) ",'faults':[0,-1]}", "malformed", "/state/faults/1" },
    { "the most faults that 32 bits hold", STATE(A1(0, 0)) ",'faults':[2147483647,0]}", NULL,
      NULL },
    { "more than that", STATE(A1(0, 0)) ",'faults':[2147483648,0]}", "malformed",
      "/state/faults/0" },
    { "one who has stalled", STATE(A1(0, 0)) ",'faults':[5,4]}", NULL, NULL },
    { "two who have stalled", STATE(A1(0, 0)) ",'faults':[5,5]}", "invalid_state",
      "/state/faults" },
    { "no units", "{'faults':[0,0]}", "malformed", "/state/units" },
    { "won by stalling", STATE(A1(0, 0)) ",'outcome':{'winner':0,'reason':'stalled'}}", NULL,
      NULL },
    { "a draw of both", STATE(A1(0, 0)) ",'outcome':{'winner':null,'reason':'draw_both_halmate'}}",
      NULL, NULL },
    { "a reason of another ruleset",
      STATE(A1(0, 0)) ",'outcome':{'winner':0,'reason':"
                      "'eliminated'}}",
      "invalid_state", "/state/outcome/reason" },
};

CASES(halma_states, that_could_not_be_are_refused_with_place, state_cases)
{
    struct words json;

    words_init(&json);
    words_say_json(&json, "{'ruleset':'halma','turn':3,'params':{'pieces':[[[0,0],[1,0]],"
                          "[[16,0],[17,0]]]},'state':");
    words_say_json(&json, state_cases[*index].json);
    words_say(&json, "}");
    expect_answer(&state_cases[*index], &json);
    words_fini(&json);
}

/* ---- snapshots --------------------------------------------------------------------------- */

/* Three pieces; the ruleset's part is 8 bytes of faults and 3 bytes per piece. */
#define OWN_PART (8 + 3 * 3)

struct spoilt_case {
    const char *label;
    size_t place; /* in the ruleset's part */
    uint8_t bytes[6];
    size_t count;
    bool is_taken;
};

static const struct spoilt_case spoilt_cases[] = {
    { "as it was", 8, { 0, 0, 0 }, 3, true },
    { "the last column", 8, { 5, 0, 0 }, 3, true },
    { "a column too far", 8, { 6, 0, 0 }, 3, false },
    { "a row too far", 8, { 0, 6, 0 }, 3, false },
    { "far too far", 8, { 255, 255, 0 }, 3, false },
    { "the most damage", 8, { 0, 0, 5 }, 3, true },
    { "more damage", 8, { 0, 0, 6 }, 3, false },
    { "two on a square", 8, { 2, 0, 0, 2, 0, 0 }, 6, true },
    { "three on a square", 8, { 3, 0, 0, 3, 0, 0 }, 6, false },
    { "the most faults", 0, { 255, 255, 255, 127 }, 4, true },
    { "more faults", 0, { 0, 0, 0, 128 }, 4, false },
    { "one has stalled", 0, { 5, 0, 0, 0, 4 }, 5, true },
    { "both have stalled", 0, { 5, 0, 0, 0, 5 }, 5, false },
};

CASES(halma_snapshots, that_no_state_makes_are_refused, spoilt_cases)
{
    const struct spoilt_case *c = &spoilt_cases[*index];
    const struct halma_drawing drawing = { .board = "AB.a" };
    struct table table;
    struct sk_state *read;
    uint8_t bytes[128];
    size_t size;

    halma_drawing_open(&drawing, &table);
    size = sk_snapshot_write(table.ruleset, table.config, table.match.state, bytes, sizeof(bytes));
    memcpy(bytes + size - OWN_PART + c->place, c->bytes, c->count);
    read = table.turn.after;
    memset(read, 0, table.turn.sizes.state);
    cr_expect_eq(sk_snapshot_read(table.ruleset, table.config, bytes, size, read) == SK_OK,
                 c->is_taken, "%s", c->label);
    cr_expect_neq(sk_snapshot_read(table.ruleset, table.config, bytes, size - 1, read), SK_OK,
                  "a byte is missing");
    table_close(&table);
}
