/* The frames of the wire, and PROTOCOL.md, which describes them. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "proto/errors.h"
#include "proto/frames.h"
#include "proto/schema_read.h"
#include "tests/support/cases.h"
#include "tests/support/digest.h"
#include "tests/support/protocol.h"
#include "tests/support/schema_random.h"
#include "tests/unit/json_case.h"

#define ARENA_SIZE (1u << 20)
#define OUT_SIZE   (1u << 18)
#define ROUNDS     4000

#define PROTOCOL_PAGE SK_TEST_DATA "/../../proto/PROTOCOL.md"

static struct sk_arena arena;
static char buffer[OUT_SIZE];

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

TestSuite(frames, .init = set_up, .fini = tear_down);

static void
expect_written(const void *frame, const char *text)
{
    struct sk_json_out out;
    struct words words;

    sk_json_out_init(&out, buffer, sizeof(buffer) - 1);
    sk_frame_write(&out, frame);
    cr_assert(sk_json_out_is_whole(&out));
    buffer[out.used] = '\0';
    words_init(&words);
    words_say_json(&words, text);
    cr_expect_str_eq(buffer, words.at);
    words_fini(&words);
}

/* ---- bounds ------------------------------------------------------------------------------ */

#define X8        "xxxxxxxx"
#define X16       X8 X8
#define X24       X16 X8
#define X32       X16 X16
#define X64       X32 X32
#define X128      X64 X64
#define X100      X64 X32 "xxxx"
#define X500      X100 X100 X100 X100 X100
#define MISSING   "this member is missing"
#define NO_MEMBER "there is no such member"

struct read_case {
    const char *label;
    const char *text;
    const char *at; /* NULL = it is taken */
    const char *message;
};

static const struct read_case read_cases[] = {
    { "an empty list", "[]", "", "expected an object, found a list" },
    { "null", "null", "", "expected an object, found null" },
    { "no type", "{}", "/type", MISSING },
    { "a type that is no text", "{'type':1}", "/type", "expected a text, found a number" },
    { "kind is not type", "{'kind':'ping'}", "/type", MISSING },
    { "a server's frame", "{'type':'pong','time_ms':1}", "/type", NULL },
    { "an unknown member", "{'type':'ping','time_ms':1}", "/time_ms", NO_MEMBER },

    { "no id", "{'type':'ping'}", NULL, NULL },
    { "the shortest id", "{'type':'ping','id':'x'}", NULL, NULL },
    { "the longest id", "{'type':'ping','id':'" X64 "'}", NULL, NULL },
    { "an empty id", "{'type':'ping','id':''}", "/id", "expected 1 to 64 bytes of text, found 0" },
    { "an id too long", "{'type':'ping','id':'" X64 "x'}", "/id",
      "expected 1 to 64 bytes of text, found 65" },
    { "an id that is a number", "{'type':'ping','id':1}", "/id",
      "expected a text, found a number" },

    { "a guest", "{'type':'hello','protocol':1,'name':'a'}", NULL, NULL },
    { "the longest name", "{'type':'hello','protocol':1,'name':'" X24 "','bot':true}", NULL, NULL },
    { "a name too long", "{'type':'hello','protocol':1,'name':'" X24 "x'}", "/name",
      "expected 1 to 24 bytes of text, found 25" },
    { "an empty name", "{'type':'hello','protocol':1,'name':''}", "/name",
      "expected 1 to 24 bytes of text, found 0" },
    { "a token", "{'type':'hello','protocol':1,'token':'x'}", NULL, NULL },
    { "the longest token", "{'type':'hello','protocol':1,'token':'" X128 "'}", NULL, NULL },
    { "a token too long", "{'type':'hello','protocol':1,'token':'" X128 "x'}", "/token",
      "expected 1 to 128 bytes of text, found 129" },
    { "an empty token", "{'type':'hello','protocol':1,'token':''}", "/token",
      "expected 1 to 128 bytes of text, found 0" },
    { "protocol 0", "{'type':'hello','protocol':0}", "/protocol", NULL },
    { "a later protocol", "{'type':'hello','protocol':2147483647}", NULL, NULL },
    { "no protocol", "{'type':'hello','name':'a'}", "/protocol", MISSING },
    { "renew_token", "{'type':'renew_token'}", NULL, NULL },

    { "the least create", "{'type':'create','ruleset':'x'}", NULL, NULL },
    { "any params", "{'type':'create','ruleset':'x','params':7}", NULL, NULL },
    { "params null", "{'type':'create','ruleset':'x','params':null}", "/params",
      "expected a value, found null" },
    { "no ruleset", "{'type':'create'}", "/ruleset", MISSING },
    { "a ruleset's name too long", "{'type':'create','ruleset':'" X32 "'}", "/ruleset", NULL },
    { "the shortest turn", "{'type':'create','ruleset':'x','clock':{'turn_ms':10}}", NULL, NULL },
    { "the longest turn", "{'type':'create','ruleset':'x','clock':{'turn_ms':2147483647}}", NULL,
      NULL },
    { "a turn too short", "{'type':'create','ruleset':'x','clock':{'turn_ms':9}}", "/clock/turn_ms",
      "expected 10 to 2147483647, found 9" },
    { "no bank", "{'type':'create','ruleset':'x','clock':{'bank_ms':0}}", NULL, NULL },
    { "the largest bank", "{'type':'create','ruleset':'x','clock':{'bank_ms':2147483647}}", NULL,
      NULL },
    { "a bank below 0", "{'type':'create','ruleset':'x','clock':{'bank_ms':-1}}", "/clock/bank_ms",
      "expected 0 to 2147483647, found -1" },
    { "a clock that is a number", "{'type':'create','ruleset':'x','clock':0}", "/clock", NULL },
    { "private", "{'type':'create','ruleset':'x','visibility':'private'}", NULL, NULL },
    { "secret", "{'type':'create','ruleset':'x','visibility':'secret'}", "/visibility",
      "expected one of open, private" },
    { "the last seat", "{'type':'create','ruleset':'x','seat':3}", NULL, NULL },
    { "a seat too many", "{'type':'create','ruleset':'x','seat':4}", "/seat",
      "expected 0 to 3, found 4" },
    { "a seat below 0", "{'type':'create','ruleset':'x','seat':-1}", "/seat",
      "expected 0 to 3, found -1" },
    { "the longest delay", "{'type':'create','ruleset':'x','spectator_delay':1000}", NULL, NULL },
    { "a delay too long", "{'type':'create','ruleset':'x','spectator_delay':1001}",
      "/spectator_delay", "expected 0 to 1000, found 1001" },
    { "a delay below 0", "{'type':'create','ruleset':'x','spectator_delay':-1}", "/spectator_delay",
      "expected 0 to 1000, found -1" },
    { "rated 0", "{'type':'create','ruleset':'x','rated':0}", "/rated", NULL },
    { "a seed", "{'type':'create','ruleset':'x','seed':'" X64 "'}", NULL, NULL },
    { "a seed too short", "{'type':'create','ruleset':'x','seed':'" X32 X24 "xxxxxxx'}", "/seed",
      "expected 64 to 64 bytes of text, found 63" },
    { "a seed too long", "{'type':'create','ruleset':'x','seed':'" X64 "x'}", "/seed",
      "expected 64 to 64 bytes of text, found 65" },

    { "join nothing", "{'type':'join'}", NULL, NULL },
    { "join by number", "{'type':'join','match':1,'seat':0}", NULL, NULL },
    { "the greatest match", "{'type':'join','match':2147483647}", NULL, NULL },
    { "match 0", "{'type':'join','match':0}", "/match", "expected at least 1, found 0" },
    { "join by code", "{'type':'join','code':'" X32 "'}", NULL, NULL },
    { "a code too long", "{'type':'join','code':'" X32 "x'}", "/code",
      "expected 1 to 32 bytes of text, found 33" },
    { "an empty code", "{'type':'join','code':''}", "/code",
      "expected 1 to 32 bytes of text, found 0" },
    { "join a seat too many", "{'type':'join','match':1,'seat':4}", "/seat", NULL },
    { "leave", "{'type':'leave','match':1}", NULL, NULL },
    { "leave nothing", "{'type':'leave'}", "/match", MISSING },
    { "watch", "{'type':'watch','match':1,'code':'x'}", NULL, NULL },
    { "watch match 0", "{'type':'watch','match':0}", "/match", NULL },
    { "watch with a code too long", "{'type':'watch','match':1,'code':'" X32 "x'}", "/code", NULL },
    { "queue", "{'type':'queue','ruleset':'x','params':{}}", NULL, NULL },
    { "queue no more", "{'type':'queue','ruleset':'x','cancel':true}", NULL, NULL },
    { "queue for nothing", "{'type':'queue'}", "/ruleset", MISSING },
    { "list", "{'type':'list'}", NULL, NULL },
    { "list some", "{'type':'list','status':'over','ruleset':'x','mine':true,'after':0}", NULL,
      NULL },
    { "list after -1", "{'type':'list','after':-1}", "/after", "expected at least 0, found -1" },
    { "list an unknown status", "{'type':'list','status':'ended'}", "/status",
      "expected one of any, waiting, running, over" },

    { "submit", "{'type':'submit','match':1,'turn':0,'commands':[],'command_id':'x'}", NULL, NULL },
    { "the last turn",
      "{'type':'submit','match':1,'turn':2147483647,'commands':[],'command_id':'x','ready':true}",
      NULL, NULL },
    { "turn -1", "{'type':'submit','match':1,'turn':-1,'commands':[],'command_id':'x'}", "/turn",
      "expected 0 to 2147483647, found -1" },
    { "the longest command id",
      "{'type':'submit','match':1,'turn':0,'commands':[],'command_id':'" X64 "'}", NULL, NULL },
    { "a command id too long",
      "{'type':'submit','match':1,'turn':0,'commands':[],'command_id':'" X64 "x'}", "/command_id",
      "expected 1 to 64 bytes of text, found 65" },
    { "an empty command id", "{'type':'submit','match':1,'turn':0,'commands':[],'command_id':''}",
      "/command_id", "expected 1 to 64 bytes of text, found 0" },
    { "no command id", "{'type':'submit','match':1,'turn':0,'commands':[]}", "/command_id",
      MISSING },
    { "no commands", "{'type':'submit','match':1,'turn':0,'command_id':'x'}", "/commands",
      MISSING },
    { "commands null", "{'type':'submit','match':1,'turn':0,'commands':null,'command_id':'x'}",
      "/commands", "expected a value, found null" },
    { "ready null",
      "{'type':'submit','match':1,'turn':0,'commands':[],'command_id':'x','ready':null}", "/ready",
      "expected true or false, found null" },
    { "withdraw", "{'type':'withdraw','match':1,'turn':0,'command_id':'x'}", NULL, NULL },
    { "withdraw turn -1", "{'type':'withdraw','match':1,'turn':-1,'command_id':'x'}", "/turn",
      NULL },
    { "withdraw without an id", "{'type':'withdraw','match':1,'turn':0}", "/command_id", MISSING },
    { "hints", "{'type':'hints','match':1}", NULL, NULL },
    { "hints of match 0", "{'type':'hints','match':0}", "/match", NULL },
    { "what_if", "{'type':'what_if','match':1,'commands':[]}", NULL, NULL },
    { "what_if in a turn", "{'type':'what_if','match':1,'turn':0,'commands':[]}", NULL, NULL },
    { "what_if in turn -1", "{'type':'what_if','match':1,'turn':-1,'commands':[]}", "/turn", NULL },
    { "what_if of nothing", "{'type':'what_if','match':1}", "/commands", MISSING },
    { "resign", "{'type':'resign','match':1,'command_id':'x'}", NULL, NULL },
    { "resign without an id", "{'type':'resign','match':1}", "/command_id", MISSING },
    { "offer_draw", "{'type':'offer_draw','match':1}", NULL, NULL },
    { "offer_draw of match 0", "{'type':'offer_draw','match':0}", "/match", NULL },
    { "answer_draw", "{'type':'answer_draw','match':1,'accept':false}", NULL, NULL },
    { "answer_draw with nothing", "{'type':'answer_draw','match':1}", "/accept", MISSING },
    { "rematch", "{'type':'rematch','match':1}", NULL, NULL },
    { "rematch of match 0", "{'type':'rematch','match':0}", "/match", NULL },
    { "claim", "{'type':'claim','match':1}", NULL, NULL },
    { "claim of match 0", "{'type':'claim','match':0}", "/match", NULL },

    { "the shortest chat", "{'type':'chat','match':1,'text':'x'}", NULL, NULL },
    { "the longest chat", "{'type':'chat','match':1,'text':'" X500 "'}", NULL, NULL },
    { "a chat too long", "{'type':'chat','match':1,'text':'" X500 "x'}", "/text",
      "expected 1 to 500 bytes of text, found 501" },
    { "an empty chat", "{'type':'chat','match':1,'text':''}", "/text",
      "expected 1 to 500 bytes of text, found 0" },
    { "mute", "{'type':'mute','match':1,'muted':true}", NULL, NULL },
    { "mute or not", "{'type':'mute','match':1}", "/muted", MISSING },
    { "resume from the start", "{'type':'resume','match':1,'seq':0}", NULL, NULL },
    { "resume from the end", "{'type':'resume','match':1,'seq':2147483647}", NULL, NULL },
    { "resume from before", "{'type':'resume','match':1,'seq':-1}", "/seq",
      "expected 0 to 2147483647, found -1" },
    { "resume from anywhere", "{'type':'resume','match':1}", "/seq", MISSING },
};

CASES(frames, client_frames_are_read_within_their_bounds, read_cases)
{
    const struct read_case *c = &read_cases[*index];
    struct sk_value *json = parse(c->text);
    struct sk_fault fault = { 0 };
    union client_frame frame;
    enum sk_status status = sk_frame_read(json, &arena, &frame, &fault);

    sk_json_free(json);
    cr_assert_eq(status, c->at == NULL ? SK_OK : SK_ERR_REFUSED, "%s: %s at %s", c->label,
                 fault.message, fault.at);
    if (c->at != NULL) {
        cr_expect_str_eq(fault.code, "malformed", "%s", c->label);
        cr_expect_str_eq(fault.at, c->at, "%s", c->label);
    }
    if (c->message != NULL) {
        cr_expect_str_eq(fault.message, c->message, "%s", c->label);
    }
}

Test(frames, an_unknown_type_is_told_the_known_ones)
{
    struct sk_value *json = parse("{'type':'quit'}");
    struct sk_fault fault;
    union client_frame frame;

    cr_assert_eq(sk_frame_read(json, &arena, &frame, &fault), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.at, "/type");
    cr_expect(strstr(fault.message, "expected one of hello, renew_token, create") != NULL);
    sk_json_free(json);
}

/* ---- what is read ------------------------------------------------------------------------ */

struct id_case {
    const char *label;
    const char *text;
    const char *id; /* NULL = none */
};

static const struct id_case id_cases[] = {
    { "a good frame", "{'type':'ping','id':'7'}", "7" },
    { "a good frame without", "{'type':'ping'}", NULL },
    { "an unknown type", "{'type':'quit','id':'7'}", "7" },
    { "no type", "{'id':'7'}", "7" },
    { "a fault before the id", "{'type':'resume','match':0,'id':'7'}", "7" },
    { "a fault behind the id", "{'id':'7','type':'resume','match':0}", "7" },
    { "the longest id", "{'type':'quit','id':'" X64 "'}", X64 },
    { "an id too long", "{'type':'quit','id':'" X64 "x'}", NULL },
    { "an empty id", "{'type':'quit','id':''}", NULL },
    { "an id that is a number", "{'type':'quit','id':7}", NULL },
    { "an id of null", "{'type':'quit','id':null}", NULL },
    { "no object", "['id']", NULL },
};

CASES(frames, the_id_is_known_even_of_a_bad_frame, id_cases)
{
    const struct id_case *c = &id_cases[*index];
    struct sk_value *json = parse(c->text);
    struct sk_fault fault;
    union client_frame frame;

    memset(&frame, 0xa5, sizeof(frame));
    (void)sk_frame_read(json, &arena, &frame, &fault);
    cr_assert_eq(frame.head.has_id, c->id != NULL, "%s", c->label);
    if (c->id != NULL) {
        cr_expect(sk_text_same(frame.head.id, sk_text_of(c->id)), "%s", c->label);
    }
    sk_json_free(json);
}

struct clock_case {
    const char *label;
    const char *text;
    bool has_clock;
    bool without_clock;
};

static const struct clock_case clock_cases[] = {
    { "missing", "{'type':'create','ruleset':'x'}", false, false },
    { "null", "{'type':'create','ruleset':'x','clock':null}", false, true },
    { "given", "{'type':'create','ruleset':'x','clock':{'turn_ms':1000}}", true, false },
    { "empty", "{'type':'create','ruleset':'x','clock':{}}", true, false },
};

CASES(frames, no_clock_and_no_word_of_a_clock_differ, clock_cases)
{
    const struct clock_case *c = &clock_cases[*index];
    struct sk_value *json = parse(c->text);
    struct sk_fault fault;
    union client_frame frame;

    cr_assert_eq(sk_frame_read(json, &arena, &frame, &fault), SK_OK, "%s", c->label);
    cr_expect_eq(frame.create.has_clock, c->has_clock, "%s", c->label);
    cr_expect_eq(frame.create.without_clock, c->without_clock, "%s", c->label);
    sk_json_free(json);
}

Test(frames, what_is_missing_has_its_default)
{
    struct sk_value *json = parse("{'type':'create','ruleset':'halma'}");
    struct sk_fault fault;
    union client_frame frame;

    cr_assert_eq(sk_frame_read(json, &arena, &frame, &fault), SK_OK);
    cr_expect_eq(frame.head.type, FRAME_CREATE);
    cr_expect(sk_text_same(frame.create.ruleset, SK_TEXT("halma")));
    cr_expect_null(frame.create.params.object);
    cr_expect_eq(frame.create.visibility, VISIBILITY_OPEN);
    cr_expect_not(frame.create.has_seat);
    cr_expect_eq(frame.create.spectator_delay, 0);
    cr_expect_not(frame.create.has_rated);
    cr_expect_eq(frame.create.seed.length, 0);
    sk_json_free(json);
}

/* ---- what is written --------------------------------------------------------------------- */

Test(frames, the_type_comes_first_and_the_id_second)
{
    const struct frame_head done = { .type = SERVER_DONE, .has_id = true, .id = SK_TEXT("7") };
    const struct server_pong pong = { .head = { .type = SERVER_PONG }, .time_ms = 1700000000000 };

    expect_written(&done, "{'type':'done','id':'7'}");
    expect_written(&pong, "{'type':'pong','time_ms':1700000000000}");
}

Test(frames, what_is_empty_is_left_out)
{
    const struct server_error error = { .head = { .type = SERVER_ERROR },
                                        .code = SK_TEXT("busy"),
                                        .message = SK_TEXT("Later.") };
    const struct server_seated seated = { .head = { .type = SERVER_SEATED }, .match = 3, .seq = 2 };

    expect_written(&error, "{'type':'error','code':'busy','message':'Later.'}");
    expect_written(&seated, "{'type':'seated','match':3,'seq':2,'seat':0,'name':null,'bot':false}");
}

Test(frames, an_open_turn_is_told_by_seat)
{
    static int32_t seats[] = { 1 };
    static struct frame_deadline deadlines[] = { { .is_running = false },
                                                 { .is_running = true, .left_ms = 60000 } };
    static int64_t banks[] = { 1, 0 };
    const struct server_clock clock = { .head = { .type = SERVER_CLOCK },
                                        .match = 3,
                                        .seq = 9,
                                        .turn_open = { .turn = 4,
                                                       .owing = { seats, 1 },
                                                       .deadline_ms = { deadlines, 2 },
                                                       .bank_ms = { banks, 2 } } };

    expect_written(&clock, "{'type':'clock','match':3,'seq':9,'turn_open':{'turn':4,'owing':[1],"
                           "'ready':[],'deadline_ms':[null,60000],'bank_ms':[1,0]}}");
}

Test(frames, random_server_frames_come_back_the_same)
{
    static const struct sk_seed seed = { { 3 } };
    struct sk_rng rng;
    struct sk_random random = { .rng = &rng, .arena = &arena, .list_max = SK_SEATS_MAX };
    uint32_t seen[SERVER_COUNT] = { 0 };

    sk_rng_start(&rng, &seed, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct digest before = { 0 };
        struct digest after = { 0 };
        struct sk_fault fault = { 0 };
        struct sk_value *json;
        struct sk_json_out out;
        union server_frame frame;

        arena.used = 0;
        cr_assert_eq(sk_variant_random(&random, &sk_server_frames, &frame), SK_OK);
        seen[frame.head.type]++;
        digest_variant(&before, &sk_server_frames, &frame);
        sk_json_out_init(&out, buffer, sizeof(buffer));
        sk_frame_write(&out, &frame);
        cr_assert(sk_json_out_is_whole(&out));
        cr_assert_eq(sk_json_parse(buffer, out.used, &json, &fault), SK_OK, "round %d: %s at %s",
                     round, fault.message, fault.at);
        cr_assert_eq(sk_variant_read(&sk_server_frames, json, &arena, &frame, &fault), SK_OK,
                     "round %d: %s at %s: %.*s", round, fault.message, fault.at, (int)out.used,
                     buffer);
        digest_variant(&after, &sk_server_frames, &frame);
        cr_assert_eq(before.value, after.value, "round %d: %.*s", round, (int)out.used, buffer);
        sk_json_free(json);
    }
    for (int i = 0; i < SERVER_COUNT; i++) {
        cr_expect_gt(seen[i], 0, "%s", sk_server_frames.of[i].kind);
    }
}

/* ---- descriptions ------------------------------------------------------------------------ */

struct document_case {
    const char *pointer;
    const char *json;
};

static const struct document_case document_cases[] = {
    { "/version", "'" SK_PROTOCOL_VERSION "'" },
    { "/client/title", "'client frame'" },
    { "/client/oneOf/0/properties/type/const", "'hello'" },
    { "/client/oneOf/0/required", "['type','protocol']" },
    { "/client/oneOf/0/properties/id/maxLength", "64" },
    { "/client/oneOf/0/additionalProperties", "false" },
    { "/server/oneOf/0/properties/type/const", "'welcome'" },
    { "/server/oneOf/0/properties/time_ms/type", "'integer'" },
    { "/server/oneOf/4/properties/params",
      "{'description':'The ruleset\\u0027s params with all defaults written out; "
      "until the match is over, without hidden ones (snarl\\u0027s levels).'}" },
    { "/server/oneOf/4/properties/players/items/anyOf/1/type", "'null'" },
    { "/server/oneOf/4/properties/turn_open/properties/deadline_ms/items/anyOf/0/minimum", "0" },
    { "/errors/0/code", "'malformed'" },
    { "/errors/3/code", "'unsupported_protocol'" },
};

/* As json-c reads it, after we have. */
static struct json_object *
tree_of(const char *text, size_t length)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *tree = json_tokener_parse_ex(tokener, text, (int)length);
    struct sk_value *json;
    struct sk_fault fault;

    if (json_tokener_get_error(tokener) == json_tokener_continue) {
        tree = json_tokener_parse_ex(tokener, " ", 1); /* a number could go on */
    }
    json_tokener_free(tokener);
    cr_assert_eq(sk_json_parse(text, length, &json, &fault), SK_OK, "%s", fault.message);
    sk_json_free(json);
    return tree;
}

CASES(frames, the_published_document_describes_them, document_cases)
{
    const struct document_case *c = &document_cases[*index];
    struct json_object *found = NULL;
    struct json_object *expected;
    struct json_object *document;
    struct sk_json_out out;
    struct words words;

    sk_json_out_init(&out, buffer, sizeof(buffer));
    sk_frames_document(&out);
    cr_assert(sk_json_out_is_whole(&out));
    document = tree_of(buffer, out.used);
    words_init(&words);
    words_say_json(&words, c->json);
    expected = tree_of(words.at, words.used);
    words_fini(&words);
    cr_assert_eq(json_pointer_get(document, c->pointer, &found), 0, "%s", c->pointer);
    cr_expect(json_object_equal(found, expected), "%s: %s", c->pointer,
              json_object_to_json_string(found));
    json_object_put(expected);
    json_object_put(document);
}

static bool
is_error_code(struct sk_text word)
{
    for (unsigned i = 0; i < ERROR_COUNT; i++) {
        if (sk_text_same(word, sk_text_of(sk_error_code((enum error_code)i)))) {
            return true;
        }
    }
    return false;
}

Test(frames, every_error_has_a_word_of_its_own_and_a_sentence)
{
    for (unsigned i = 0; i < ERROR_COUNT; i++) {
        const char *code = sk_error_code((enum error_code)i);
        size_t length = strlen(sk_error_meaning((enum error_code)i));

        cr_expect(sk_id_is_valid(sk_text_of(code)), "%s", code);
        cr_expect(length > 1 && length <= SK_FAULT_MESSAGE_MAX, "%s", code);
        cr_expect_eq(sk_error_meaning((enum error_code)i)[length - 1], '.', "%s", code);
        for (unsigned j = 0; j < i; j++) {
            cr_expect_str_neq(code, sk_error_code((enum error_code)j));
        }
    }
}

/* ---- PROTOCOL.md ------------------------------------------------------------------------- */

static void
page_open(struct words *page)
{
    words_init(page);
    words_read_file(page, PROTOCOL_PAGE);
}

Test(frames, the_tables_of_the_page_are_those_of_the_code)
{
    struct words page;
    struct words filled;

    page_open(&page);
    words_init(&filled);
    protocol_fill(page.at, &filled);
    cr_expect(strcmp(page.at, filled.at) == 0, "made anew by: build/asan/tests/protocol_tables "
                                               "proto/PROTOCOL.md >new && mv new "
                                               "proto/PROTOCOL.md");
    words_fini(&filled);
    words_fini(&page);
}

static const char *const other_parts[] = { "client frames",    "server frames", "object clock",
                                           "object turn_open", "object player", "object pending",
                                           "object outcome",   "errors",        "limits" };

static void
expect_part(const char *page, const char *side, const char *name)
{
    struct words marker;
    const char *found;

    words_init(&marker);
    words_say(&marker, "<!-- generated: %s%s -->\n", side, name);
    found = strstr(page, marker.at);
    cr_expect_not_null(found, "%s", marker.at);
    cr_expect(found == NULL || strstr(found + 1, marker.at) == NULL, "twice: %s", marker.at);
    words_fini(&marker);
}

Test(frames, the_page_has_a_table_of_every_frame)
{
    struct words page;

    page_open(&page);
    for (uint16_t i = 0; i < sk_client_frames.count; i++) {
        expect_part(page.at, "client ", sk_client_frames.of[i].kind);
    }
    for (uint16_t i = 0; i < sk_server_frames.count; i++) {
        expect_part(page.at, "server ", sk_server_frames.of[i].kind);
    }
    for (size_t i = 0; i < SK_COUNT_OF(other_parts); i++) {
        expect_part(page.at, "", other_parts[i]);
    }
    words_fini(&page);
}

/* Clients' examples as the server reads them; returns the type. */
static uint8_t
read_client_example(const struct protocol_example *example)
{
    struct sk_value *json = NULL;
    struct sk_fault fault = { 0 };
    union client_frame frame = { 0 };

    cr_assert_leq(example->length, FRAME_BYTES_MAX);
    cr_assert_eq(sk_json_parse(example->json, example->length, &json, &fault), SK_OK, "%.*s: %s",
                 (int)example->length, example->json, fault.message);
    cr_assert_eq(sk_frame_read(json, &arena, &frame, &fault), SK_OK, "%.*s: %s at %s",
                 (int)example->length, example->json, fault.message, fault.at);
    sk_json_free(json);
    return frame.head.type;
}

/* The scan allows 32 bits only, which is not for what the server writes: times are longer. */
static size_t
copy_with_short_numbers(const struct protocol_example *example, char *ret_text)
{
    size_t length = 0;
    size_t digits = 0;
    bool in_text = false;

    for (size_t i = 0; i < example->length; i++) {
        char byte = example->json[i];

        in_text ^= byte == '"' && (i == 0 || example->json[i - 1] != '\\');
        digits = !in_text && byte >= '0' && byte <= '9' ? digits + 1 : 0;
        if (digits <= 9) {
            ret_text[length++] = byte;
        }
    }
    return length;
}

static uint8_t
read_server_example(const struct protocol_example *example)
{
    size_t length = copy_with_short_numbers(example, buffer);
    struct sk_value *json = NULL;
    struct sk_fault fault = { 0 };
    union server_frame frame = { 0 };

    cr_assert_eq(sk_json_parse(buffer, length, &json, &fault), SK_OK, "%.*s: %s", (int)length,
                 buffer, fault.message);
    cr_assert_eq(sk_variant_read(&sk_server_frames, json, &arena, &frame, &fault), SK_OK,
                 "%.*s: %s at %s", (int)example->length, example->json, fault.message, fault.at);
    if (frame.head.type == SERVER_ERROR) {
        cr_expect(is_error_code(frame.error.code), "%.*s", (int)example->length, example->json);
    }
    sk_json_free(json);
    return frame.head.type;
}

static void
expect_type(const struct protocol_example *example, const struct sk_variants *frames, uint8_t type,
            uint32_t *seen)
{
    cr_expect_str_eq(frames->of[type].kind, example->frame);
    seen[type]++;
}

Test(frames, every_example_of_the_page_is_a_frame)
{
    uint32_t client_seen[FRAME_COUNT] = { 0 };
    uint32_t server_seen[SERVER_COUNT] = { 0 };
    struct protocol_example example;
    struct words page;
    const char *at;

    page_open(&page);
    at = page.at;
    while (protocol_next_example(&at, &example)) {
        arena.used = 0;
        if (example.is_client) {
            expect_type(&example, &sk_client_frames, read_client_example(&example), client_seen);
        } else {
            expect_type(&example, &sk_server_frames, read_server_example(&example), server_seen);
        }
    }
    for (int i = 0; i < FRAME_COUNT; i++) {
        cr_expect_gt(client_seen[i], 0, "no example of client %s", sk_client_frames.of[i].kind);
    }
    for (int i = 0; i < SERVER_COUNT; i++) {
        cr_expect_gt(server_seen[i], 0, "no example of server %s", sk_server_frames.of[i].kind);
    }
    words_fini(&page);
}
