/*
 * The default roster: six models with clearly different roles, the same for
 * both seats.  README.md tells what each is for and how the balance was
 * judged; tests/bench/balance plays it.
 *
 * Patterns are written for the host, who faces y = 0.
 */
#include "common/rules/tactics/internal.h"

/* Lists of constants: struct sk_list is not const because readers fill it. */
#define LIST(array)                         \
    {                                       \
        (void *)(array), SK_COUNT_OF(array) \
    }

static const struct sk_text step_rows[] = {
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("x x"),
    SK_TEXT_CONST("xxx"),
};

static const struct sk_text stride_rows[] = {
    SK_TEXT_CONST("  x  "), SK_TEXT_CONST(" xxx "), SK_TEXT_CONST("xx xx"),
    SK_TEXT_CONST(" xxx "), SK_TEXT_CONST("  x  "),
};

static const struct sk_text leap_rows[] = {
    SK_TEXT_CONST(" x x "), SK_TEXT_CONST("x x x"), SK_TEXT_CONST(" x x "),
    SK_TEXT_CONST("x x x"), SK_TEXT_CONST(" x x "),
};

static const struct sk_text charge_rows[] = {
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("   x   "), SK_TEXT_CONST("  xxx  "),
    SK_TEXT_CONST("  x x  "), SK_TEXT_CONST("   x   "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text sweep_rows[] = {
    SK_TEXT_CONST("www"),
    SK_TEXT_CONST("w w"),
    SK_TEXT_CONST("www"),
};

static const struct sk_text pair_rows[] = {
    SK_TEXT_CONST("   "),
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("   "),
};

static const struct sk_text thrust_rows[] = {
    SK_TEXT_CONST(" x x "), SK_TEXT_CONST(" xxx "), SK_TEXT_CONST(" x x "),
    SK_TEXT_CONST("     "), SK_TEXT_CONST("     "),
};

static const struct sk_text volley_rows[] = {
    SK_TEXT_CONST("  xxx  "), SK_TEXT_CONST(" xxxxx "), SK_TEXT_CONST("xx   xx"),
    SK_TEXT_CONST("xx   xx"), SK_TEXT_CONST("xx   xx"), SK_TEXT_CONST(" x   x "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text lob_rows[] = {
    SK_TEXT_CONST("  ooo  "), SK_TEXT_CONST(" ooooo "), SK_TEXT_CONST("oo   oo"),
    SK_TEXT_CONST("oo   oo"), SK_TEXT_CONST("oo   oo"), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text blast_rows[] = {
    SK_TEXT_CONST(" x "),
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST(" x "),
};

static const struct sk_text stab_rows[] = {
    SK_TEXT_CONST("x x"),
    SK_TEXT_CONST("x x"),
    SK_TEXT_CONST("x x"),
};

static const struct sk_text nova_rows[] = { SK_TEXT_CONST("*") };

static const struct sk_text flare_rows[] = {
    SK_TEXT_CONST("  x  "), SK_TEXT_CONST(" xxx "), SK_TEXT_CONST("xx xx"),
    SK_TEXT_CONST(" xxx "), SK_TEXT_CONST("  x  "),
};

static const struct tactics_map_form lob_map[] = {
    { SK_TEXT_CONST("o"), SK_TEXT_CONST("blast") },
};
static const struct tactics_map_form nova_map[] = {
    { SK_TEXT_CONST("*"), SK_TEXT_CONST("flare") },
};
static const struct tactics_map_form sweep_map[] = {
    { SK_TEXT_CONST("w"), SK_TEXT_CONST("pair") },
};

static const struct tactics_pattern_form patterns[] = {
    { SK_TEXT_CONST("step"), LIST(step_rows), { NULL, 0 } },
    { SK_TEXT_CONST("stride"), LIST(stride_rows), { NULL, 0 } },
    { SK_TEXT_CONST("leap"), LIST(leap_rows), { NULL, 0 } },
    { SK_TEXT_CONST("charge"), LIST(charge_rows), { NULL, 0 } },
    { SK_TEXT_CONST("sweep"), LIST(sweep_rows), LIST(sweep_map) },
    { SK_TEXT_CONST("pair"), LIST(pair_rows), { NULL, 0 } },
    { SK_TEXT_CONST("thrust"), LIST(thrust_rows), { NULL, 0 } },
    { SK_TEXT_CONST("volley"), LIST(volley_rows), { NULL, 0 } },
    { SK_TEXT_CONST("lob"), LIST(lob_rows), LIST(lob_map) },
    { SK_TEXT_CONST("blast"), LIST(blast_rows), { NULL, 0 } },
    { SK_TEXT_CONST("stab"), LIST(stab_rows), { NULL, 0 } },
    { SK_TEXT_CONST("nova"), LIST(nova_rows), LIST(nova_map) },
    { SK_TEXT_CONST("flare"), LIST(flare_rows), { NULL, 0 } },
};

static const struct sk_text only_step[] = { SK_TEXT_CONST("step") };
static const struct sk_text only_stride[] = { SK_TEXT_CONST("stride") };
static const struct sk_text only_leap[] = { SK_TEXT_CONST("leap") };
static const struct sk_text only_charge[] = { SK_TEXT_CONST("charge") };
static const struct sk_text only_sweep[] = { SK_TEXT_CONST("sweep") };
static const struct sk_text only_thrust[] = { SK_TEXT_CONST("thrust") };
static const struct sk_text only_volley[] = { SK_TEXT_CONST("volley") };
static const struct sk_text only_lob[] = { SK_TEXT_CONST("lob") };
static const struct sk_text only_stab[] = { SK_TEXT_CONST("stab") };
static const struct sk_text only_nova[] = { SK_TEXT_CONST("nova") };

static const struct tactics_model_form models[] = {
    { SK_TEXT_CONST("guard"),
      SK_TEXT_CONST("Holds the line: tough, slow, hits three cells beside it."), 44, 8,
      LIST(only_step), LIST(only_sweep) },
    { SK_TEXT_CONST("lancer"), SK_TEXT_CONST("Charges ahead and strikes hard to the front."), 26,
      18, LIST(only_charge), LIST(only_thrust) },
    { SK_TEXT_CONST("archer"), SK_TEXT_CONST("Shoots two and three cells far, helpless up close."),
      18, 13, LIST(only_step), LIST(only_volley) },
    { SK_TEXT_CONST("bomber"), SK_TEXT_CONST("Lobs bombs that hit friend and foe in a cross."), 20,
      9, LIST(only_step), LIST(only_lob) },
    { SK_TEXT_CONST("scout"), SK_TEXT_CONST("Leaps far and stabs those beside it."), 22, 12,
      LIST(only_leap), LIST(only_stab) },
    { SK_TEXT_CONST("mage"), SK_TEXT_CONST("Walks into the crowd and burns all around itself."), 28,
      10, LIST(only_stride), LIST(only_nova) },
};

/* The two sides stand as each other's mirror image, turned by 180 degrees. */
#define PAIR(number, name, column)                                                \
    { SK_TEXT_CONST("a" number), SK_TEXT_CONST(name), 0, { column, 8 }, 0 },      \
    {                                                                             \
        SK_TEXT_CONST("b" number), SK_TEXT_CONST(name), 1, { 8 - (column), 0 }, 0 \
    }

static const struct tactics_unit_form units[] = {
    PAIR("1", "scout", 1),  PAIR("2", "archer", 2), PAIR("3", "guard", 3),
    PAIR("4", "lancer", 5), PAIR("5", "bomber", 6), PAIR("6", "mage", 7),
};

const struct tactics_params tactics_default_params = {
    .rows = SK_TACTICS_GRID_DEFAULT,
    .cols = SK_TACTICS_GRID_DEFAULT,
    .start_rows = SK_TACTICS_START_ROWS_DEFAULT,
    .turn_limit = SK_TACTICS_TURN_LIMIT_DEFAULT,
    .placement = true,
    .has_patterns = true,
    .has_models = true,
    .has_units = true,
    .patterns = LIST(patterns),
    .models = LIST(models),
    .units = LIST(units),
};
