/*
 * The default roster: six models with clearly different roles, the same for
 * both seats.  README.md explains each model and how the balance was measured;
 * tests/bench/balance plays it.
 *
 * Patterns are written for the host, who faces y = 0.
 */
#include "common/rules/tactics/internal.h"

/* Lists of constants: struct sk_list is not const because readers fill it. */
#define LIST(array)                         \
    {                                       \
        (void *)(array), SK_COUNT_OF(array) \
    }

/* ---- how they move ----------------------------------------------------------------------- */

static const struct sk_text step_rows[] = {
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("x x"),
    SK_TEXT_CONST("xxx"),
};

static const struct sk_text trudge_rows[] = {
    SK_TEXT_CONST(" x "),
    SK_TEXT_CONST("x x"),
    SK_TEXT_CONST(" x "),
};

static const struct sk_text charge_rows[] = {
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("   x   "), SK_TEXT_CONST("  xxx  "),
    SK_TEXT_CONST("  x x  "), SK_TEXT_CONST("   x   "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text leap_rows[] = {
    SK_TEXT_CONST(" x x "), SK_TEXT_CONST("x x x"), SK_TEXT_CONST(" x x "),
    SK_TEXT_CONST("x x x"), SK_TEXT_CONST(" x x "),
};

static const struct sk_text stride_rows[] = {
    SK_TEXT_CONST("  x  "), SK_TEXT_CONST("  x  "), SK_TEXT_CONST("xx xx"),
    SK_TEXT_CONST("  x  "), SK_TEXT_CONST("  x  "),
};

/* ---- how they attack --------------------------------------------------------------------- */

static const struct sk_text sweep_rows[] = {
    SK_TEXT_CONST(" r "),
    SK_TEXT_CONST("c c"),
    SK_TEXT_CONST(" r "),
};

static const struct sk_text row_rows[] = {
    SK_TEXT_CONST("   "),
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("   "),
};

static const struct sk_text column_rows[] = {
    SK_TEXT_CONST(" x "),
    SK_TEXT_CONST(" x "),
    SK_TEXT_CONST(" x "),
};

static const struct sk_text thrust_rows[] = {
    SK_TEXT_CONST("xlx"),
    SK_TEXT_CONST("   "),
    SK_TEXT_CONST("   "),
};

static const struct sk_text lance_rows[] = {
    SK_TEXT_CONST("  x  "), SK_TEXT_CONST("  x  "), SK_TEXT_CONST("  x  "),
    SK_TEXT_CONST("     "), SK_TEXT_CONST("     "),
};

static const struct sk_text shot_rows[] = {
    SK_TEXT_CONST("xxxxxxx"), SK_TEXT_CONST("x     x"), SK_TEXT_CONST("x     x"),
    SK_TEXT_CONST("x     x"), SK_TEXT_CONST("x     x"), SK_TEXT_CONST("x     x"),
    SK_TEXT_CONST("xxxxxxx"),
};

static const struct sk_text lob_rows[] = {
    SK_TEXT_CONST("   b   "), SK_TEXT_CONST(" b   b "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("b     b"), SK_TEXT_CONST("       "), SK_TEXT_CONST(" b   b "),
    SK_TEXT_CONST("   b   "),
};

static const struct sk_text burst_rows[] = {
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("xxx"),
    SK_TEXT_CONST("xxx"),
};

static const struct sk_text beam_rows[] = {
    SK_TEXT_CONST("1 2"),
    SK_TEXT_CONST("   "),
    SK_TEXT_CONST("3 4"),
};

static const struct sk_text ray_1_rows[] = {
    SK_TEXT_CONST("x      "), SK_TEXT_CONST(" x     "), SK_TEXT_CONST("  x    "),
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("       "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text ray_2_rows[] = {
    SK_TEXT_CONST("      x"), SK_TEXT_CONST("     x "), SK_TEXT_CONST("    x  "),
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("       "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("       "),
};

static const struct sk_text ray_3_rows[] = {
    SK_TEXT_CONST("       "), SK_TEXT_CONST("       "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("  x    "), SK_TEXT_CONST(" x     "),
    SK_TEXT_CONST("x      "),
};

static const struct sk_text ray_4_rows[] = {
    SK_TEXT_CONST("       "), SK_TEXT_CONST("       "), SK_TEXT_CONST("       "),
    SK_TEXT_CONST("   x   "), SK_TEXT_CONST("    x  "), SK_TEXT_CONST("     x "),
    SK_TEXT_CONST("      x"),
};

static const struct tactics_map_form sweep_map[] = {
    { SK_TEXT_CONST("r"), SK_TEXT_CONST("row") },
    { SK_TEXT_CONST("c"), SK_TEXT_CONST("column") },
};
static const struct tactics_map_form thrust_map[] = {
    { SK_TEXT_CONST("l"), SK_TEXT_CONST("lance") },
};
static const struct tactics_map_form lob_map[] = {
    { SK_TEXT_CONST("b"), SK_TEXT_CONST("burst") },
};
static const struct tactics_map_form beam_map[] = {
    { SK_TEXT_CONST("1"), SK_TEXT_CONST("ray-1") },
    { SK_TEXT_CONST("2"), SK_TEXT_CONST("ray-2") },
    { SK_TEXT_CONST("3"), SK_TEXT_CONST("ray-3") },
    { SK_TEXT_CONST("4"), SK_TEXT_CONST("ray-4") },
};

static const struct tactics_pattern_form patterns[] = {
    { SK_TEXT_CONST("step"), LIST(step_rows), { NULL, 0 } },
    { SK_TEXT_CONST("trudge"), LIST(trudge_rows), { NULL, 0 } },
    { SK_TEXT_CONST("charge"), LIST(charge_rows), { NULL, 0 } },
    { SK_TEXT_CONST("leap"), LIST(leap_rows), { NULL, 0 } },
    { SK_TEXT_CONST("stride"), LIST(stride_rows), { NULL, 0 } },
    { SK_TEXT_CONST("sweep"), LIST(sweep_rows), LIST(sweep_map) },
    { SK_TEXT_CONST("row"), LIST(row_rows), { NULL, 0 } },
    { SK_TEXT_CONST("column"), LIST(column_rows), { NULL, 0 } },
    { SK_TEXT_CONST("thrust"), LIST(thrust_rows), LIST(thrust_map) },
    { SK_TEXT_CONST("lance"), LIST(lance_rows), { NULL, 0 } },
    { SK_TEXT_CONST("shot"), LIST(shot_rows), { NULL, 0 } },
    { SK_TEXT_CONST("lob"), LIST(lob_rows), LIST(lob_map) },
    { SK_TEXT_CONST("burst"), LIST(burst_rows), { NULL, 0 } },
    { SK_TEXT_CONST("stab"), LIST(step_rows), { NULL, 0 } },
    { SK_TEXT_CONST("beam"), LIST(beam_rows), LIST(beam_map) },
    { SK_TEXT_CONST("ray-1"), LIST(ray_1_rows), { NULL, 0 } },
    { SK_TEXT_CONST("ray-2"), LIST(ray_2_rows), { NULL, 0 } },
    { SK_TEXT_CONST("ray-3"), LIST(ray_3_rows), { NULL, 0 } },
    { SK_TEXT_CONST("ray-4"), LIST(ray_4_rows), { NULL, 0 } },
};

/* ---- models ------------------------------------------------------------------------------ */

static const struct sk_text only_step[] = { SK_TEXT_CONST("step") };
static const struct sk_text only_trudge[] = { SK_TEXT_CONST("trudge") };
static const struct sk_text only_charge[] = { SK_TEXT_CONST("charge") };
static const struct sk_text only_leap[] = { SK_TEXT_CONST("leap") };
static const struct sk_text only_stride[] = { SK_TEXT_CONST("stride") };
static const struct sk_text only_sweep[] = { SK_TEXT_CONST("sweep") };
static const struct sk_text only_thrust[] = { SK_TEXT_CONST("thrust") };
static const struct sk_text only_shot[] = { SK_TEXT_CONST("shot") };
static const struct sk_text only_lob[] = { SK_TEXT_CONST("lob") };
static const struct sk_text only_stab[] = { SK_TEXT_CONST("stab") };
static const struct sk_text only_beam[] = { SK_TEXT_CONST("beam") };

static const struct tactics_model_form models[] = {
    { SK_TEXT_CONST("guard"),
      SK_TEXT_CONST("Holds the line: tough and slow, strikes three cells on one side of it."), 36,
      8, LIST(only_step), LIST(only_sweep) },
    { SK_TEXT_CONST("lancer"),
      SK_TEXT_CONST("Charges straight ahead and pierces all three cells before it."), 32, 16,
      LIST(only_charge), LIST(only_thrust) },
    { SK_TEXT_CONST("archer"),
      SK_TEXT_CONST("Hits exactly three cells away in every direction, and nothing nearer."), 18,
      12, LIST(only_step), LIST(only_shot) },
    { SK_TEXT_CONST("bomber"),
      SK_TEXT_CONST("Lobs bombs that burst over nine cells, friends included."), 20, 7,
      LIST(only_trudge), LIST(only_lob) },
    { SK_TEXT_CONST("scout"), SK_TEXT_CONST("Leaps around the enemy and stabs one neighbour."), 24,
      14, LIST(only_leap), LIST(only_stab) },
    { SK_TEXT_CONST("mage"),
      SK_TEXT_CONST("Strides along rows and columns and burns four cells of a diagonal."), 26, 12,
      LIST(only_stride), LIST(only_beam) },
};

/* ---- units ------------------------------------------------------------------------------- */

/* The two sides mirror each other, turned by 180 degrees. */
#define HOST(number, name, x, y)                                       \
    {                                                                  \
        SK_TEXT_CONST("a" number), SK_TEXT_CONST(name), 0, { x, y }, 0 \
    }
#define GUEST(number, name, x, y)                                                  \
    {                                                                              \
        SK_TEXT_CONST("b" number), SK_TEXT_CONST(name), 1, { 8 - (x), 8 - (y) }, 0 \
    }
#define SIDE(UNIT)                                                                 \
    UNIT("1", "scout", 1, 7), UNIT("2", "archer", 2, 8), UNIT("3", "guard", 3, 7), \
        UNIT("4", "bomber", 4, 8), UNIT("5", "lancer", 5, 7), UNIT("6", "mage", 7, 7)

static const struct tactics_unit_form units[] = { SIDE(HOST), SIDE(GUEST) };

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
