/* common/base: hashes and random numbers against published vectors, and the small tools. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/arena.h"
#include "common/base/bytes.h"
#include "common/base/fault.h"
#include "common/base/grid.h"
#include "common/base/hash.h"
#include "common/base/rng.h"
#include "common/base/text.h"
#include "tests/support/cases.h"

/* ---- assertions -------------------------------------------------------------------------- */

Test(base_assert, says_file_line_and_condition_and_ends_the_process)
{
    char said[256] = "";
    char expected[256];
    int line = __LINE__ + 8; /* of the assertion below */
    int ends[2];
    int status;
    pid_t child;

    cr_assert_eq(pipe(ends), 0);
    if ((child = fork()) == 0) {
        dup2(ends[1], STDERR_FILENO);
        SK_ASSERT(line == 0);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t had = 0, got = 1; got > 0; had += got) {
        got = read(ends[0], said + had, sizeof(said) - 1 - (size_t)had);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    snprintf(expected, sizeof(expected), "%s:%d: not true: line == 0\n", __FILE__, line);
    cr_expect_str_eq(said, expected);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* ---- hash -------------------------------------------------------------------------------- */

struct hash_case {
    size_t length; /* the input is 00 01 02 and so on; the key 00 01 ... 0f */
    uint64_t hash;
};

/* SipHash-2-4 with the key of its authors' paper; 15 bytes are the paper's own example. */
static const struct hash_case hash_cases[] = {
    { 0, 0x726fdb47dd0e0e31u },  { 1, 0x74f839c593dc67fdu },  { 2, 0x0d6c8009d9a94f5au },
    { 3, 0x85676696d7fb7e2du },  { 4, 0xcf2794e0277187b7u },  { 5, 0x18765564cd99a68du },
    { 6, 0xcbc9466e58fee3ceu },  { 7, 0xab0200f58b01d137u },  { 8, 0x93f5f5799a932462u },
    { 9, 0x9e0082df0ba9e4b0u },  { 10, 0x7a5dbbc594ddb9f3u }, { 11, 0xf4b32f46226bada7u },
    { 12, 0x751e8fbc860ee5fbu }, { 13, 0x14ea5627c0843d90u }, { 14, 0xf723ca908e7af2eeu },
    { 15, 0xa129ca6149be45e5u }, { 16, 0x3f2acc7f57c29bdbu }, { 63, 0x958a324ceb064572u },
};

CASES(base_hash, is_siphash_2_4, hash_cases)
{
    const struct hash_case *c = &hash_cases[*index];
    uint8_t bytes[64];

    for (uint8_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = i;
    }
    cr_expect_eq(sk_hash_keyed(bytes, c->length, 0x0706050403020100u, 0x0f0e0d0c0b0a0908u), c->hash,
                 "of %zu bytes", c->length);
}

Test(base_hash, uses_the_key_of_zeros)
{
    uint8_t zeros[256] = { 0 };

    cr_expect_eq(sk_hash(zeros, 0), 0x1e924b9d737700d7u);
    cr_expect_eq(sk_hash(zeros, 256), 0x80d978d6fa417c1eu, "a length of 256 wraps in its byte");
    cr_expect_eq(sk_hash(zeros, 17), sk_hash_keyed(zeros, 17, 0, 0));
}

Test(base_hash, goes_on_behind_a_shared_beginning)
{
    uint8_t bytes[40];

    for (uint8_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
    for (size_t shared = 0; shared <= sizeof(bytes); shared++) {
        struct sk_hash_start start;

        sk_hash_begin(&start, bytes, shared);
        for (size_t size = shared; size <= sizeof(bytes); size++) {
            cr_expect_eq(sk_hash_go_on(&start, bytes, size), sk_hash(bytes, size),
                         "%zu bytes, %zu of them shared", size, shared);
        }
    }
}

/* ---- chance ------------------------------------------------------------------------------ */

struct stream_case {
    const char *label;
    uint8_t key_first; /* keys are zeros except for one byte, or 00 01 02 ... if it is 1 */
    uint8_t key_place;
    uint32_t turn; /* the words of the nonce */
    uint32_t stage;
    uint32_t counter; /* preceding blocks */
    uint32_t words[16];
};

#define COUNTING_KEY 0xff

/* Of RFC 8439: section 2.3.2, and A.1 one to four. */
static const struct stream_case stream_cases[] = {
    { "2.3.2",
      1,
      COUNTING_KEY,
      0x09000000u,
      0x4a000000u,
      1,
      { 0xe4e7f110u, 0x15593bd1u, 0x1fdd0f50u, 0xc47120a3u, 0xc7f4d1c7u, 0x0368c033u, 0x9aaa2204u,
        0x4e6cd4c3u, 0x466482d2u, 0x09aa9f07u, 0x05d7c214u, 0xa2028bd9u, 0xd19c12b5u, 0xb94e16deu,
        0xe883d0cbu, 0x4e3c50a2u } },
    { "A.1 #1",
      0,
      0,
      0,
      0,
      0,
      { 0xade0b876u, 0x903df1a0u, 0xe56a5d40u, 0x28bd8653u, 0xb819d2bdu, 0x1aed8da0u, 0xccef36a8u,
        0xc70d778bu, 0x7c5941dau, 0x8d485751u, 0x3fe02477u, 0x374ad8b8u, 0xf4b8436au, 0x1ca11815u,
        0x69b687c3u, 0x8665eeb2u } },
    { "A.1 #2",
      0,
      0,
      0,
      0,
      1,
      { 0xbee7079fu, 0x7a385155u, 0x7c97ba98u, 0x0d082d73u, 0xa0290fcbu, 0x6965e348u, 0x3e53c612u,
        0xed7aee32u, 0x7621b729u, 0x434ee69cu, 0xb03371d5u, 0xd539d874u, 0x281fed31u, 0x45fb0a51u,
        0x1f0ae1acu, 0x6f4d794bu } },
    { "A.1 #3",
      1,
      31,
      0,
      0,
      1,
      { 0x2452eb3au, 0x9249f8ecu, 0x8d829d9bu, 0xddd4ceb1u, 0xe8252083u, 0x60818b01u, 0xf38422b8u,
        0x5aaa49c9u, 0xbb00ca8eu, 0xda3ba7b4u, 0xc4b592d1u, 0xfdf2732fu, 0x4436274eu, 0x2561b3c8u,
        0xebdd4aa6u, 0xa0136c00u } },
    { "A.1 #4",
      0xff,
      1,
      0,
      0,
      2,
      { 0xfb4dd572u, 0x4bc42ef1u, 0xdf922636u, 0x327f1394u, 0xa78dea8fu, 0x5e269039u, 0xa1bebbc1u,
        0xcaf09aaeu, 0xa25ab213u, 0x48a6b46cu, 0x1b9d9bcbu, 0x092c5be6u, 0x546ca624u, 0x1bec45d5u,
        0x87f47473u, 0x96f0992eu } },
};

static struct sk_seed
seed_of(const struct stream_case *c)
{
    struct sk_seed seed = { { 0 } };

    if (c->key_place != COUNTING_KEY) {
        seed.bytes[c->key_place] = c->key_first;
        return seed;
    }
    for (uint8_t i = 0; i < SK_SEED_BYTES; i++) {
        seed.bytes[i] = i;
    }
    return seed;
}

CASES(base_rng, is_chacha20_with_turn_and_label_as_nonce, stream_cases)
{
    const struct stream_case *c = &stream_cases[*index];
    struct sk_seed seed = seed_of(c);
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, c->turn, c->stage);
    for (uint32_t i = 0; i < 16 * c->counter; i++) {
        sk_rng_next(&rng);
    }
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t word = sk_rng_next(&rng);

        cr_expect_eq(word, c->words[i], "%s: word %u is %08x", c->label, i, word);
    }
}

Test(base_rng, gives_each_seed_turn_and_label_a_stream_of_its_own)
{
    struct sk_seed seeds[2] = { { { 0 } }, { { 0, 1 } } };
    uint32_t first[8];
    struct sk_rng rng;

    for (uint32_t i = 0; i < 8; i++) {
        sk_rng_start(&rng, &seeds[i & 1], i >> 1 & 1, i >> 2 & 1);
        first[i] = sk_rng_next(&rng);
        for (uint32_t j = 0; j < i; j++) {
            cr_expect_neq(first[i], first[j]);
        }
    }
}

static const uint32_t bounds[] = { 1,   2,    3,           6,           10,         16,
                                   255, 1000, 0x7fffffffu, 0x80000001u, 0xffffffffu };

CASES(base_rng, below_stays_below_its_bound, bounds)
{
    struct sk_seed seed = { { 7 } };
    uint32_t bound = bounds[*index];
    bool is_seen[2] = { false, false };
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t drawn = sk_rng_below(&rng, bound);

        cr_assert_lt(drawn, bound);
        is_seen[drawn >= bound / 2 && bound > 1] = true;
    }
    cr_expect(is_seen[0] && (bound == 1 || is_seen[1]), "both halves of %u come", bound);
}

Test(base_rng, below_gives_every_number_as_often)
{
    struct sk_seed seed = { { 8 } };
    uint32_t counts[6] = { 0 };
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < 60000; i++) {
        counts[sk_rng_below(&rng, 6)]++;
    }
    for (uint32_t i = 0; i < 6; i++) {
        /* The standard deviation is 91; a deviation of five of them occurs once in a million
         * times. */
        cr_expect(counts[i] > 9540 && counts[i] < 10460, "%u came %u times", i, counts[i]);
    }
}

/* The remainder alone would give the numbers below 2^30 half of all draws. */
Test(base_rng, below_has_no_modulo_bias)
{
    struct sk_seed seed = { { 9 } };
    uint32_t low = 0;
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < 30000; i++) {
        low += sk_rng_below(&rng, 0xc0000000u) < 0x40000000u;
    }
    cr_expect(low > 9600 && low < 10400, "%u of 30000", low);
}

/* ---- bytes ------------------------------------------------------------------------------- */

Test(base_bytes, are_little_endian_and_come_back)
{
    static const uint8_t expected[] = { 0x01, 0x03, 0x02, 0x07, 0x06, 0x05, 0x84 };
    uint8_t buffer[sizeof(expected)];
    struct sk_bytes_out out = { .at = buffer, .size = sizeof(buffer) };
    struct sk_bytes_in in = { .at = buffer, .size = sizeof(buffer) };

    sk_put_u8(&out, 0x01);
    sk_put_u16(&out, 0x0203);
    sk_put_u32(&out, 0x84050607u);
    cr_assert_eq(out.used, sizeof(expected));
    cr_expect_arr_eq(buffer, expected, sizeof(expected));
    cr_expect_eq(sk_take_u8(&in), 0x01);
    cr_expect_eq(sk_take_u16(&in), 0x0203);
    cr_expect_eq(sk_take_u32(&in), 0x84050607u);
    cr_expect_not(in.is_short);
    cr_expect_eq(in.used, in.size);
}

Test(base_bytes, count_what_does_not_fit_and_write_nothing_there)
{
    uint8_t buffer[6] = { 0, 0, 0, 0, 0xaa, 0xaa };
    struct sk_bytes_out out = { .at = buffer, .size = 4 };

    sk_put_u16(&out, 0x0102);
    sk_put_u32(&out, 0x03040506u);
    cr_expect_eq(out.used, 6u);
    cr_expect_eq(buffer[4], 0xaa);
    cr_expect_eq(buffer[5], 0xaa);
}

Test(base_bytes, remember_that_they_ran_short)
{
    static const uint8_t buffer[3] = { 1, 2, 3 };
    struct sk_bytes_in in = { .at = buffer, .size = sizeof(buffer) };

    cr_expect_eq(sk_take_u32(&in), 0x00030201u, "zeros for what is not there");
    cr_expect(in.is_short);
    cr_expect_eq(sk_take_u8(&in), 0);
    cr_expect_eq(in.used, 3u);
}

/* ---- faults ------------------------------------------------------------------------------ */

Test(base_fault, puts_steps_in_front_and_escapes_them)
{
    struct sk_fault fault;

    cr_expect_eq(sk_fault_set(&fault, "code", "wrong: "), SK_ERR_REFUSED);
    cr_expect_str_eq(fault.at, "");
    sk_fault_inside(&fault, SK_TEXT("a/b~c"));
    sk_fault_inside_index(&fault, 4294967295u);
    sk_fault_inside(&fault, SK_TEXT(""));
    sk_fault_inside(&fault, SK_TEXT("~/~"));
    cr_expect_str_eq(fault.at, "/~0~1~0//4294967295/a~1b~0c");
    cr_expect_str_eq(fault.code, "code");
}

struct number_case {
    int64_t number;
    const char *text;
};

static const struct number_case number_cases[] = {
    { 0, "it is 0" },
    { -1, "it is -1" },
    { 4096, "it is 4096" },
    { INT32_MIN, "it is -2147483648" },
    { INT64_MAX, "it is 9223372036854775807" },
    { INT64_MIN, "it is -9223372036854775808" },
};

CASES(base_fault, says_numbers, number_cases)
{
    struct sk_fault fault;

    sk_fault_set(&fault, "code", "it is ");
    sk_fault_say_number(&fault, number_cases[*index].number);
    cr_expect_str_eq(fault.message, number_cases[*index].text);
}

Test(base_fault, cuts_a_message_that_is_too_long)
{
    struct sk_fault fault;

    sk_fault_set(&fault, "code", "");
    for (uint32_t i = 0; i < 100; i++) {
        sk_fault_say(&fault, "0123456789");
        sk_fault_say_number(&fault, 7);
    }
    cr_expect_eq(strlen(fault.message), (size_t)SK_FAULT_MESSAGE_MAX);
    cr_expect_eq(strncmp(fault.message, "01234567897012", 14), 0);
}

Test(base_fault, cuts_the_innermost_steps_of_a_position_that_is_too_long)
{
    struct sk_fault fault;

    sk_fault_set(&fault, "code", "");
    for (uint32_t i = 0; i < 200; i++) {
        sk_fault_inside_index(&fault, i);
    }
    sk_fault_inside(&fault, SK_TEXT("params"));
    cr_expect_eq(strlen(fault.at), (size_t)SK_FAULT_AT_MAX);
    cr_expect_eq(strncmp(fault.at, "/params/199/198/197", 19), 0, "%s", fault.at);
}

Test(base_fault, accepts_a_single_step_that_is_too_long)
{
    static char name[2 * SK_FAULT_AT_MAX];
    struct sk_fault fault;

    memset(name, 'n', sizeof(name));
    sk_fault_set(&fault, "code", "");
    sk_fault_inside(&fault, (struct sk_text){ name, sizeof(name) });
    sk_fault_inside(&fault, SK_TEXT("outer"));
    cr_expect_eq(strncmp(fault.at, "/outer/nnn", 10), 0, "%s", fault.at);
    cr_expect_eq(strlen(fault.at), (size_t)SK_FAULT_AT_MAX);
}

/* ---- arena ------------------------------------------------------------------------------- */

Test(base_arena, gives_aligned_zeroed_pieces_until_it_is_used_up)
{
    _Alignas(8) uint8_t block[32];
    struct sk_arena arena;
    uint8_t *first;
    uint8_t *second;

    memset(block, 0xff, sizeof(block));
    sk_arena_init(&arena, block, sizeof(block));
    first = sk_arena_take(&arena, 3);
    second = sk_arena_take_items(&arena, 3, 8);
    cr_assert_not_null(first);
    cr_assert_not_null(second);
    cr_expect_eq((uintptr_t)second % 8, 0u);
    cr_expect_eq(second - first, 8);
    cr_expect_eq(first[0] | first[1] | first[2], 0);
    cr_expect_eq(second[0] | second[23], 0);
    cr_expect_null(sk_arena_take(&arena, 1), "32 of 32 bytes are taken");
    cr_expect_not_null(sk_arena_take(&arena, 0));
    cr_expect_eq(arena.used, 32u);
}

struct take_case {
    const char *label;
    size_t count;
    size_t size;
    bool is_given;
};

static const struct take_case take_cases[] = {
    { "all of it", 4, 8, true },
    { "one byte more", 33, 1, false },
    { "a size that rounds past the end of numbers", 1, SIZE_MAX, false },
    { "a product that overflows to a small one", SIZE_MAX / 8 + 2, 8, false },
    { "none", 0, 8, true },
    { "many of nothing", SIZE_MAX, 0, true },
};

CASES(base_arena, gives_nothing_rather_than_too_little, take_cases)
{
    const struct take_case *c = &take_cases[*index];
    _Alignas(8) uint8_t block[32];
    struct sk_arena arena;

    sk_arena_init(&arena, block, sizeof(block));
    cr_expect_eq(sk_arena_take_items(&arena, c->count, c->size) != NULL, c->is_given, "%s",
                 c->label);
    cr_expect(c->is_given || arena.used == 0, "%s: a refused piece takes nothing", c->label);
}

/* ---- names and cells --------------------------------------------------------------------- */

struct word_case {
    const char *word;
    bool is_id;
    bool is_name;
};

static const struct word_case word_cases[] = {
    { "a", true, true },
    { "Az09_-", true, true },
    { "", false, false },
    { "1234567", true, true },
    { "12345678", true, true },
    { "123456789", true, true },
    { "1234567890123456789012345678901", true, true },
    { "12345678901234567890123456789012", false, false },
    { "a b", false, true },
    { "a.b", false, true },
    { "~", false, true },
    { "tab\t", false, false },
    { "\x7f", false, false },
    { "\xc3\xa4", false, false },
};

CASES(base_text, ids_and_names_have_their_characters, word_cases)
{
    const struct word_case *c = &word_cases[*index];

    cr_expect_eq(sk_id_is_valid(sk_text_of(c->word)), c->is_id, "id %s", c->word);
    cr_expect_eq(sk_name_is_valid(sk_text_of(c->word)), c->is_name, "name %s", c->word);
    if (c->is_id) {
        struct sk_id id = sk_id_from(sk_text_of(c->word));

        cr_expect(sk_text_same(sk_id_text(&id), sk_text_of(c->word)), "%s comes back", c->word);
    }
}

struct grid_case {
    struct sk_cell cell;
    bool is_on;
};

static const struct grid_case grid_cases[] = {
    { { 0, 0 }, true },          { { 3, 2 }, true },          { { 4, 2 }, false },
    { { 3, 3 }, false },         { { -1, 0 }, false },        { { 0, -1 }, false },
    { { INT32_MIN, 0 }, false }, { { 0, INT32_MAX }, false }, { { INT32_MAX, INT32_MIN }, false },
};

CASES(base_grid, knows_its_edges, grid_cases)
{
    cr_expect_eq(sk_cell_on_grid(grid_cases[*index].cell, 4, 3), grid_cases[*index].is_on);
}
