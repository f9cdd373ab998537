/* JSON to forms and back, on small schemas that have every kind of member. */
#include <stdlib.h>
#include <string.h>

#include "proto/json_out.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "tests/support/cases.h"
#include "tests/unit/json_case.h"
#include "tests/unit/sample_schema.h"

#define ARENA_SIZE  65536u
#define COMMAND_MAX 2

static struct sk_arena arena;

static void
set_up(void)
{
    sk_arena_init(&arena, malloc(ARENA_SIZE), ARENA_SIZE);
    cr_assert_not_null(arena.base);
}

static void
tear_down(void)
{
    free(arena.base);
}

TestSuite(schema_read, .init = set_up, .fini = tear_down);

static enum sk_status
read_box(const struct sk_schema *schema, const char *text, struct box *ret_box,
         struct sk_fault *ret_fault)
{
    struct sk_value *json = parse(text);
    enum sk_status status;

    memset(ret_box, 0xa5, sizeof(*ret_box));
    status = sk_form_read(schema, json, &arena, ret_box, ret_fault);
    sk_json_free(json);
    return status;
}

/* ---- what is read, and written back ------------------------------------------------------ */

struct good_case {
    const char *label;
    const struct sk_schema *schema;
    const char *text;
    const char *same; /* written back, or NULL for the text itself */
};

static const struct good_case good_cases[] = {
    { "true", &with_flag, "{'flag':true}", NULL },
    { "false", &with_flag, "{'flag':false}", NULL },
    { "lower bounds", &with_numbers, "{'number':3,'any':-2147483648}", NULL },
    { "upper bounds", &with_numbers, "{'number':64,'any':2147483647}", NULL },
    { "minus zero", &with_numbers, "{'number':5,'any':-0}", "{'number':5,'any':0}" },
    { "keys in another order", &with_numbers, "{'any':1,'number':5}", "{'number':5,'any':1}" },
    { "nothing but fallbacks", &with_options, "{}", "{'steps':200,'mood':'blue'}" },
    { "no fallbacks", &with_options, "{'limit':-5,'steps':1,'mood':'red','other':'a'}", NULL },
    { "a zero that was given", &with_options, "{'limit':0}",
      "{'limit':0,'steps':200,'mood':'blue'}" },
    { "each word", &with_colour, "{'colour':'blue'}", NULL },
    { "an id of one character", &with_id, "{'id':'a'}", NULL },
    { "the longest id", &with_id, "{'id':'0123456789012345678901234567_-Z'}", NULL },
    { "the longest id text", &with_id_text, "{'id_text':'0123456789012345678901234567_-Z'}", NULL },
    { "the longest name", &with_name, "{'name':' 12345678901234567890123456789~'}", NULL },
    { "the shortest text", &with_text, "{'text':'ab'}", NULL },
    { "the longest text", &with_text, "{'text':'0123456789'}", NULL },
    { "bytes count, shortest", &with_text, "{'text':'\xc3\xa4'}", NULL },
    { "bytes count, longest", &with_text, "{'text':'\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4'}",
      NULL },
    { "escapes", &with_text, "{'text':'\\'\\\\\\n\\u00e4'}", "{'text':'\\'\\\\\\u000a\xc3\xa4'}" },
    { "an empty text is none", &with_remark, "{}", NULL },
    { "an optional text", &with_remark, "{'remark':'ab'}", NULL },
    { "the least long", &with_longs, "{'size':-1,'since':null}", NULL },
    { "the greatest long from outside", &with_longs, "{'size':2147483647,'since':0}", NULL },
    { "JSON that is null", &with_json, "{'data':null}", NULL },
    { "another tag", &with_mark, "{'mark':{'form':'dot','unit':'a','at':[1,2]}}", NULL },
    { "extreme cells", &with_cell, "{'at':[-2147483648,2147483647]}", NULL },
    { "cells in bounds", &with_near, "{'near':[-3,3]}", NULL },
    { "nulls", &with_null, "{'target':null,'link':null}", NULL },
    { "no nulls", &with_null, "{'target':[0,0],'link':'x'}", NULL },
    { "objects", &with_object,
      "{'part':{'x':9,'colour':'red','note':'n'},'extra':{'x':0,'colour':'green'}}", NULL },
    { "fallbacks in objects", &with_object, "{'part':{'x':1}}",
      "{'part':{'x':1,'colour':'green'}}" },
    { "the shortest list", &with_list, "{'numbers':[0]}", NULL },
    { "the longest list", &with_list, "{'numbers':[0,9,5]}", NULL },
    { "empty lists", &with_lists, "{'grid':[],'parts':[],'maybe':[]}", NULL },
    { "nested lists", &with_lists,
      "{'grid':[[],[1],[1,2,3]],'parts':[{'x':1,'colour':'red'}],'maybe':['a',null]}", NULL },
    { "the smallest map", &with_map, "{'heights':{'a':1}}", NULL },
    { "the largest map", &with_map, "{'heights':{'a':1,'b':0,'c':-1}}", NULL },
    { "map keys of any kind", &with_map,
      "{'heights':{'\xc3\xa4 \\'':1,'/':0,'0123456789012345678901234567890':-1}}", NULL },
    { "a map of objects", &with_maps,
      "{'by_name':{'n':{'x':1,'colour':'red','note':'a'},'m':{'x':2,'colour':'blue'}}}", NULL },
    { "an empty map", &with_maps, "{'by_name':{}}", NULL },
    { "an empty row", &with_row, "{'path':[]}", NULL },
    { "a full row", &with_row, "{'path':[[1,2],[3,4],[5,6]]}", NULL },
    { "a row past its end", &with_row, "{'path':[[1,2],[3,4],[5,6],[7,8],[9,9]]}",
      "{'path':[[1,2],[3,4],[5,6]]}" },
    { "variants", &with_variant,
      "{'shape':{'kind':'dot','unit':'a','at':[1,2]},'shapes':[{'kind':'pass'},{'kind':'line','"
      "path':[[0,0]]}]}",
      NULL },
    { "kind need not be first", &with_variant,
      "{'shape':{'unit':'a','at':[1,2],'kind':'dot'},'shapes':[]}",
      "{'shape':{'kind':'dot','unit':'a','at':[1,2]},'shapes':[]}" },
    { "a kind with an escape", &with_variant, "{'shape':{'kind':'\\u0070ass'},'shapes':[]}",
      "{'shape':{'kind':'pass'},'shapes':[]}" },
    { "a tail comes last", &with_base, "{'number':5,'turn':0,'seat':null,'owing':[0,1]}", NULL },
    { "an object that overlaps", &with_base,
      "{'number':5,'turn':7,'seat':1,'owing':[],'outcome':{'winner':null,'reason':'draw'}}", NULL },
    { "a base's keys in another order", &with_base, "{'turn':7,'owing':[],'number':5,'seat':1}",
      "{'number':5,'turn':7,'seat':1,'owing':[]}" },
};

CASES(schema_read, forms_are_read_and_written_back, good_cases)
{
    const struct good_case *good = &good_cases[*index];
    struct sk_fault fault = { 0 };
    struct sk_json_out out;
    struct words same;
    struct box box;
    char buffer[1024];

    cr_assert_eq(read_box(good->schema, good->text, &box, &fault), SK_OK, "%s: %s at %s",
                 good->label, fault.message, fault.at);
    sk_json_out_init(&out, buffer, sizeof(buffer) - 1);
    sk_form_write(&out, good->schema, &box);
    cr_assert(sk_json_out_is_whole(&out));
    buffer[out.used] = '\0';
    words_init(&same);
    words_say_json(&same, good->same == NULL ? good->text : good->same);
    cr_expect_str_eq(buffer, same.at, "%s", good->label);
    words_fini(&same);
}

/* ---- what is refused --------------------------------------------------------------------- */

struct bad_case {
    const char *label;
    const struct sk_schema *schema;
    const char *text;
    const char *message;
    const char *at;
};

#define ID_RULE   "expected an id: 1 to 31 of A-Z a-z 0-9 _ -"
#define NAME_RULE "expected a name: 1 to 31 printable ASCII characters"
#define MISSING   "this member is missing"
#define UNKNOWN   "there is no such member"

static const struct bad_case bad_cases[] = {
    { "not an object", &with_flag, "[]", "expected an object, found a list", "" },
    { "null", &with_flag, "null", "expected an object, found null", "" },
    { "missing", &with_flag, "{}", MISSING, "/flag" },
    { "unknown", &with_flag, "{'flag':true,'flags':true}", UNKNOWN, "/flags" },
    { "unknown, odd name", &with_flag, "{'a/~':true}", UNKNOWN, "/a~1~0" },
    { "a number for a bool", &with_flag, "{'flag':1}", "expected true or false, found a number",
      "/flag" },
    { "null for a bool", &with_flag, "{'flag':null}", "expected true or false, found null",
      "/flag" },

    { "below the bound", &with_numbers, "{'number':2,'any':0}", "expected 3 to 64, found 2",
      "/number" },
    { "above the bound", &with_numbers, "{'number':65,'any':0}", "expected 3 to 64, found 65",
      "/number" },
    { "a text for a number", &with_numbers, "{'number':'3','any':0}",
      "expected an integer, found a text", "/number" },
    { "a bool for a number", &with_numbers, "{'number':true,'any':0}",
      "expected an integer, found a boolean", "/number" },
    { "a list for a number", &with_numbers, "{'number':[3],'any':0}",
      "expected an integer, found a list", "/number" },
    { "the second is missing", &with_numbers, "{'number':3}", MISSING, "/any" },
    { "optional but null", &with_options, "{'steps':null}", "expected an integer, found null",
      "/steps" },
    { "optional but wrong", &with_options, "{'steps':0}", "expected 1 to 1000, found 0", "/steps" },

    { "no such word", &with_colour, "{'colour':'pink'}", "expected one of red, green, blue",
      "/colour" },
    { "a word's beginning", &with_colour, "{'colour':'gree'}", "expected one of red, green, blue",
      "/colour" },
    { "a word's number", &with_colour, "{'colour':1}", "expected a text, found a number",
      "/colour" },

    { "an empty id", &with_id, "{'id':''}", ID_RULE, "/id" },
    { "an id too long", &with_id, "{'id':'01234567890123456789012345678901'}", ID_RULE, "/id" },
    { "an id with a space", &with_id, "{'id':'a b'}", ID_RULE, "/id" },
    { "an id with an umlaut", &with_id, "{'id':'\xc3\xa4'}", ID_RULE, "/id" },
    { "a number for an id", &with_id, "{'id':7}", "expected a text, found a number", "/id" },
    { "a bad id text", &with_id_text, "{'id_text':'a.b'}", ID_RULE, "/id_text" },
    { "an empty name", &with_name, "{'name':''}", NAME_RULE, "/name" },
    { "a name too long", &with_name, "{'name':'01234567890123456789012345678901'}", NAME_RULE,
      "/name" },
    { "a name with a tab", &with_name, "{'name':'a\\t'}", NAME_RULE, "/name" },
    { "a name with DEL", &with_name, "{'name':'a\x7f'}", NAME_RULE, "/name" },
    { "a name with an umlaut", &with_name, "{'name':'\xc3\xa4'}", NAME_RULE, "/name" },
    { "a text too short", &with_text, "{'text':'a'}", "expected 2 to 10 bytes of text, found 1",
      "/text" },
    { "a text too long", &with_text, "{'text':'01234567890'}",
      "expected 2 to 10 bytes of text, found 11", "/text" },
    { "too long in bytes only", &with_text, "{'text':'\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4.'}",
      "expected 2 to 10 bytes of text, found 11", "/text" },

    { "an optional text too short", &with_remark, "{'remark':''}",
      "expected 2 to 10 bytes of text, found 0", "/remark" },
    { "a long below its least", &with_longs, "{'size':-2,'since':null}",
      "expected at least -1, found -2", "/size" },
    { "a text for a long", &with_longs, "{'size':'1','since':null}",
      "expected an integer, found a text", "/size" },
    { "null for a long", &with_longs, "{'size':null,'since':null}",
      "expected an integer, found null", "/size" },
    { "null for JSON", &with_json, "{'data':1,'more':null}", "expected a value, found null",
      "/more" },
    { "JSON is missing", &with_json, "{}", MISSING, "/data" },
    { "another tag missing", &with_mark, "{'mark':{'kind':'pass'}}", MISSING, "/mark/form" },
    { "both tags", &with_mark, "{'mark':{'form':'pass','kind':'pass'}}", UNKNOWN, "/mark/kind" },
    { "another tag's word unknown", &with_mark, "{'mark':{'form':'arc'}}",
      "expected one of dot, line, pass", "/mark/form" },

    { "a cell of one number", &with_cell, "{'at':[1]}", "expected a cell of two numbers [x,y]",
      "/at" },
    { "a cell of three", &with_cell, "{'at':[1,2,3]}", "expected a cell of two numbers [x,y]",
      "/at" },
    { "a cell as an object", &with_cell, "{'at':{'x':1}}", "expected a cell [x,y], found an object",
      "/at" },
    { "a cell with a text", &with_cell, "{'at':[1,'2']}", "expected an integer, found a text",
      "/at/1" },
    { "a cell with null", &with_cell, "{'at':[null,2]}", "expected an integer, found null",
      "/at/0" },
    { "a cell out of bounds", &with_near, "{'near':[0,4]}", "expected -3 to 3, found 4",
      "/near/1" },
    { "nullable but missing", &with_null, "{'link':null}", MISSING, "/target" },

    { "inside an object", &with_object, "{'part':{'x':10}}", "expected 0 to 9, found 10",
      "/part/x" },
    { "missing in an object", &with_object, "{'part':{}}", MISSING, "/part/x" },
    { "unknown in an object", &with_object, "{'part':{'x':1,'y':1}}", UNKNOWN, "/part/y" },
    { "missing in an option", &with_object, "{'part':{'x':1},'extra':{}}", MISSING, "/extra/x" },

    { "a list too short", &with_list, "{'numbers':[]}", "expected 1 to 3 items, found 0",
      "/numbers" },
    { "a list too long", &with_list, "{'numbers':[1,2,3,4]}", "expected 1 to 3 items, found 4",
      "/numbers" },
    { "a wrong item", &with_list, "{'numbers':[1,10]}", "expected 0 to 9, found 10", "/numbers/1" },
    { "a null item", &with_list, "{'numbers':[null]}", "expected an integer, found null",
      "/numbers/0" },
    { "an object for a list", &with_list, "{'numbers':{}}", "expected a list, found an object",
      "/numbers" },
    { "inside a nested list", &with_lists, "{'grid':[[1],[2,99]],'parts':[],'maybe':[]}",
      "expected 0 to 9, found 99", "/grid/1/1" },
    { "a nested list too long", &with_lists, "{'grid':[[1,2,3,4]],'parts':[],'maybe':[]}",
      "expected 0 to 3 items, found 4", "/grid/0" },
    { "inside a list's object", &with_lists, "{'grid':[],'parts':[{'x':1},{'y':2}],'maybe':[]}",
      UNKNOWN, "/parts/1/y" },

    { "a map too small", &with_map, "{'heights':{}}", "expected 1 to 3 keys, found 0", "/heights" },
    { "a map too large", &with_map, "{'heights':{'a':1,'b':1,'c':1,'d':1}}",
      "expected 1 to 3 keys, found 4", "/heights" },
    { "a list for a map", &with_map, "{'heights':[]}", "expected an object, found a list",
      "/heights" },
    { "an empty map key", &with_map, "{'heights':{'':1}}", "expected 1 to 31 bytes of key, found 0",
      "/heights/" },
    { "a map key too long", &with_map, "{'heights':{'01234567890123456789012345678901':1}}",
      "expected 1 to 31 bytes of key, found 32", "/heights/01234567890123456789012345678901" },
    { "a wrong value in a map", &with_map, "{'heights':{'a':1,'b/c':2}}",
      "expected -1 to 1, found 2", "/heights/b~1c" },
    { "inside a map's object", &with_maps, "{'by_name':{'n':{'x':1,'colour':'x'}}}",
      "expected one of red, green, blue", "/by_name/n/colour" },

    { "a wrong item in a row", &with_row, "{'path':[[1,2],[3]]}",
      "expected a cell of two numbers [x,y]", "/path/1" },
    { "wrong past a row's end", &with_row, "{'path':[[1,2],[3,4],[5,6],[7,8],9]}",
      "expected a cell [x,y], found a number", "/path/4" },
    { "a text for a row", &with_row, "{'path':'[]'}", "expected a list, found a text", "/path" },

    { "a variant's kind missing", &with_variant, "{'shape':{},'shapes':[]}", MISSING,
      "/shape/kind" },
    { "a variant's kind unknown", &with_variant, "{'shape':{'kind':'arc'},'shapes':[]}",
      "expected one of dot, line, pass", "/shape/kind" },
    { "a variant's kind cut short", &with_variant, "{'shape':{'kind':'pas'},'shapes':[]}",
      "expected one of dot, line, pass", "/shape/kind" },
    { "a variant's kind with more behind it", &with_variant,
      "{'shape':{'kind':'pass_and_more'},'shapes':[]}", "expected one of dot, line, pass",
      "/shape/kind" },
    { "an empty kind", &with_variant, "{'shape':{'kind':''},'shapes':[]}",
      "expected one of dot, line, pass", "/shape/kind" },
    { "a variant's kind a number", &with_variant, "{'shape':{'kind':0},'shapes':[]}",
      "expected a text, found a number", "/shape/kind" },
    { "another kind's member", &with_variant, "{'shape':{'kind':'pass','at':[1,2]},'shapes':[]}",
      UNKNOWN, "/shape/at" },
    { "a kind's member missing", &with_variant, "{'shape':{'kind':'dot','unit':'a'},'shapes':[]}",
      MISSING, "/shape/at" },
    { "a row too short", &with_variant, "{'shape':{'kind':'line','path':[]},'shapes':[]}",
      "expected at least 1 items", "/shape/path" },
    { "a variant in a list", &with_variant,
      "{'shape':{'kind':'pass'},'shapes':[{'kind':'pass'},{'kind':1}]}",
      "expected a text, found a number", "/shapes/1/kind" },
    { "a list for a variant", &with_variant, "{'shape':[],'shapes':[]}",
      "expected an object, found a list", "/shape" },

    { "a base's member missing", &with_base, "{'seat':null,'owing':[],'number':5}", MISSING,
      "/turn" },
    { "in an overlapping object", &with_base,
      "{'turn':1,'seat':null,'owing':[],'outcome':{'winner':9},'number':5}",
      "expected 0 to 3, found 9", "/outcome/winner" },
};

CASES(schema_read, a_fault_says_what_would_be_right_and_where, bad_cases)
{
    const struct bad_case *bad = &bad_cases[*index];
    struct sk_fault fault = { 0 };
    struct box box;

    cr_assert_eq(read_box(bad->schema, bad->text, &box, &fault), SK_ERR_REFUSED, "%s", bad->label);
    cr_expect_str_eq(fault.code, "malformed", "%s", bad->label);
    cr_expect_str_eq(fault.message, bad->message, "%s", bad->label);
    cr_expect_str_eq(fault.at, bad->at, "%s", bad->label);
}

/* ---- single things ----------------------------------------------------------------------- */

Test(schema_read, what_is_missing_is_not_present_but_has_its_fallback)
{
    struct sk_fault fault;
    struct box box;

    cr_assert_eq(read_box(&with_options, "{}", &box, &fault), SK_OK);
    cr_expect_not(box.has_limit);
    cr_expect_eq(box.limit, 2);
    cr_expect_eq(box.steps, 200);
    cr_expect_eq(box.mood, 2);
    cr_expect_eq(box.other.at[0], '\0');
    cr_assert_eq(read_box(&with_options, "{'limit':2}", &box, &fault), SK_OK);
    cr_expect(box.has_limit);
}

Test(schema_read, null_is_zero_and_not_present)
{
    struct sk_fault fault;
    struct box box;

    cr_assert_eq(read_box(&with_null, "{'target':null,'link':null}", &box, &fault), SK_OK);
    cr_expect_not(box.has_target);
    cr_expect(sk_cell_same(box.target, sk_cell(0, 0)));
    cr_expect_eq(box.link.length, 0);
    cr_assert_eq(read_box(&with_null, "{'target':[0,0],'link':'a'}", &box, &fault), SK_OK);
    cr_expect(box.has_target);
}

Test(schema_read, a_row_counts_what_it_does_not_keep)
{
    struct sk_fault fault;
    struct box box;

    cr_assert_eq(read_box(&with_row, "{'path':[[1,1],[2,2],[3,3],[4,4],[5,5]]}", &box, &fault),
                 SK_OK);
    cr_expect_eq(box.path.row.count, 5);
    cr_expect(sk_cell_same(box.path.cells[2], sk_cell(3, 3)));
    cr_expect_eq(arena.used, 0, "what was not kept takes no space");
}

Test(schema_read, json_is_borrowed_as_it_is)
{
    struct sk_value *json = parse("{'data':[1,{'a':'b'}],'more':false}");
    struct sk_fault fault;
    struct box box;

    cr_assert_eq(sk_form_read(&with_json, json, &arena, &box, &fault), SK_OK);
    cr_expect_eq(box.data.object, sk_value_member(json, "data"));
    cr_expect_eq(box.more.object, sk_value_member(json, "more"));
    cr_expect_eq(arena.used, 0);
    sk_json_free(json);
}

Test(schema_read, json_is_written_as_it_stands)
{
    static const struct box box = { .data = { .text = SK_TEXT_CONST("[1,{\"a\":2}]") },
                                    .more = { .text = SK_TEXT_CONST("0") } };
    static const char json[] = "{\"data\":[1,{\"a\":2}],\"more\":0}";
    char buffer[128];
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_form_write(&out, &with_json, &box);
    cr_assert_eq(out.used, sizeof(json) - 1);
    cr_expect_eq(memcmp(buffer, json, out.used), 0);
}

Test(schema_read, longs_are_written_with_all_their_bits)
{
    static const struct box box = { .size = INT64_MAX, .since = INT64_MIN, .has_since = true };
    static const char json[] = "{\"size\":9223372036854775807,\"since\":-9223372036854775808}";
    char buffer[128];
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_form_write(&out, &with_longs, &box);
    cr_assert_eq(out.used, sizeof(json) - 1);
    cr_expect_eq(memcmp(buffer, json, out.used), 0);
}

Test(schema_read, texts_do_not_point_into_the_json)
{
    struct sk_fault fault;
    struct box box;

    cr_assert_eq(read_box(&with_text, "{'text':'abc'}", &box, &fault), SK_OK);
    cr_expect(sk_text_same(box.text, SK_TEXT("abc")));
    cr_expect_geq((const uint8_t *)box.text.at, arena.base);
    cr_expect_lt((const uint8_t *)box.text.at, arena.base + ARENA_SIZE);
}

Test(schema_read, an_arena_of_any_size_is_never_overrun)
{
    static const char text[] =
        "{'grid':[[1],[2,3],[]],'parts':[{'x':1,'note':'abc'}],'maybe':['a',null]}";
    struct sk_fault fault;
    struct box box;
    size_t needed;

    cr_assert_eq(read_box(&with_lists, text, &box, &fault), SK_OK);
    needed = arena.used;
    cr_assert_gt(needed, 0);
    for (size_t size = 0; size < needed; size++) {
        void *memory = malloc(size == 0 ? 1 : size);

        free(arena.base);
        sk_arena_init(&arena, memory, size);
        cr_expect_eq(read_box(&with_lists, text, &box, &fault), SK_ERR_REFUSED);
        cr_expect_str_eq(fault.code, "too_large", "%zu bytes", size);
    }
}

Test(schema_read, one_member_is_read_alone)
{
    static const struct sk_member turn = { .kind = SK_KIND_INT, .min = 0, .max = SK_TURN_MAX };
    struct sk_value *json = parse("17");
    struct sk_fault fault;
    int32_t value = 0;

    cr_expect_eq(sk_member_read(&turn, json, &arena, &value, &fault), SK_OK);
    cr_expect_eq(value, 17);
    sk_json_free(json);
    json = parse("-1");
    cr_expect_eq(sk_member_read(&turn, json, &arena, &value, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.at, "");
    sk_json_free(json);
}

struct commands_case {
    const char *label;
    const char *text;
    uint32_t count;
    const char *at; /* NULL = taken */
};

static const struct commands_case commands_cases[] = {
    { "none", "[]", 0, NULL },
    { "one", "[{'kind':'pass'}]", 1, NULL },
    { "at the limit", "[{'kind':'pass'},{'unit':'a1','kind':'dot','at':[1,2]}]", 2, NULL },
    { "past the limit", "[{'kind':'pass'},{'kind':'pass'},{'kind':'pass'}]", 0, "" },
    { "not a list", "{'kind':'pass'}", 0, "" },
    { "null", "null", 0, "" },
    { "a wrong one", "[{'kind':'pass'},{'kind':'dot','unit':'a1','at':[1]}]", 0, "/1/at" },
    { "no object", "[7]", 0, "/0" },
};

CASES(schema_read, commands_are_read_as_a_list, commands_cases)
{
    const struct commands_case *c = &commands_cases[*index];
    struct sk_value *json = parse(c->text);
    struct sk_list commands = { NULL, 0 };
    struct sk_fault fault;
    enum sk_status status = sk_commands_read(&shapes, json, COMMAND_MAX, &arena, &commands, &fault);

    sk_json_free(json);
    cr_assert_eq(status, c->at == NULL ? SK_OK : SK_ERR_REFUSED, "%s", c->label);
    if (c->at != NULL) {
        cr_expect_str_eq(fault.at, c->at, "%s", c->label);
        return;
    }
    cr_expect_eq(commands.count, c->count, "%s", c->label);
    if (c->count == 2) {
        const struct shape *second = sk_list_item(&commands, 1, sizeof(struct shape));

        cr_expect_eq(second->kind, 0);
        cr_expect_str_eq(second->unit.at, "a1");
        cr_expect(sk_cell_same(second->at, sk_cell(1, 2)));
    }
}

Test(schema_read, variants_are_written_as_a_list)
{
    static const struct shape list[] = { { .kind = 2 },
                                         { .kind = 0, .unit = { "a1" }, .at = { 3, 4 } } };
    static const char json[] =
        "[{\"kind\":\"pass\"},{\"kind\":\"dot\",\"unit\":\"a1\",\"at\":[3,4]}]";
    char buffer[128];
    struct sk_json_out out;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_variants_write(&out, &shapes, list, 2);
    cr_assert_eq(out.used, sizeof(json) - 1);
    cr_expect_eq(memcmp(buffer, json, out.used), 0);
}
