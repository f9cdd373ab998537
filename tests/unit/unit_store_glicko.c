/* server/store/glicko: the figures of Glickman's paper, and properties that always hold. */
#include <math.h>

#include "server/store/glicko.h"
#include "tests/support/cases.h"

/* "Example of the Glicko-2 system": a player, three games, and the printed result. */
Test(glicko, comes_to_the_figures_of_the_paper)
{
    const struct glicko player = { 1500, 200, 0.06 };
    const struct glicko_game games[] = {
        { { 1400, 30, 0.06 }, 1 },
        { { 1550, 100, 0.06 }, 0 },
        { { 1700, 300, 0.06 }, 0 },
    };
    struct glicko after = glicko_after(player, games, SK_COUNT_OF(games));

    cr_expect_float_eq(after.rating, 1464.06, 0.02, "%f", after.rating);
    cr_expect_float_eq(after.deviation, 151.52, 0.01, "%f", after.deviation);
    cr_expect_float_eq(after.volatility, 0.05999, 0.00001, "%f", after.volatility);
}

/* Step 6 alone: the rating of a player who did not play becomes less certain by the volatility. */
Test(glicko, a_period_without_a_game_adds_the_volatility)
{
    const struct glicko player = { 1700, 200, 0.06 };
    struct glicko after = glicko_age(player, GLICKO_PERIOD_MS);

    cr_expect_float_eq(after.deviation, 200.2714, 0.0001, "%f", after.deviation);
    cr_expect_eq(after.rating, player.rating);
    cr_expect_eq(after.volatility, player.volatility);
    cr_expect_eq(glicko_age(player, 0).deviation, glicko_age(player, -5).deviation);
}

Test(glicko, nobody_becomes_less_certain_than_a_beginner)
{
    cr_expect_eq(glicko_age((struct glicko){ 1500, 349, 0.06 }, INT64_MAX).deviation,
                 GLICKO_DEVIATION_FIRST);
    cr_expect_eq(glicko_age(glicko_first, GLICKO_PERIOD_MS).deviation, GLICKO_DEVIATION_FIRST);
}

struct pair_case {
    const char *label;
    struct glicko player;
    struct glicko opponent;
};

static const struct pair_case pair_cases[] = {
    { "two beginners", { 1500, 350, 0.06 }, { 1500, 350, 0.06 } },
    { "an old hand and a beginner", { 2100, 45, 0.05 }, { 1500, 350, 0.06 } },
    { "worlds apart", { 3500, 30, 0.06 }, { 100, 30, 0.06 } },
    { "worlds apart and uncertain", { 3500, 350, 0.2 }, { 100, 350, 0.2 } },
    { "a calm one", { 1500, 60, 0.0001 }, { 1500, 60, 0.0001 } },
};

CASES(glicko, wins_raise_and_losses_lower_every_rating, pair_cases)
{
    const struct pair_case *c = &pair_cases[*index];
    struct glicko after[3];

    for (int score = 0; score <= 2; score++) {
        struct glicko_game game = { c->opponent, score / 2.0 };

        after[score] = glicko_after(c->player, &game, 1);
        cr_expect(isfinite(after[score].rating) && isfinite(after[score].volatility), "%s",
                  c->label);
        cr_expect(after[score].deviation > 0 && after[score].deviation <= GLICKO_DEVIATION_FIRST,
                  "%s: %f", c->label, after[score].deviation);
        cr_expect(after[score].volatility > 0, "%s", c->label);
    }
    cr_expect(after[0].rating < after[1].rating && after[1].rating < after[2].rating, "%s",
              c->label);
    cr_expect(after[2].rating >= c->player.rating && after[0].rating <= c->player.rating, "%s",
              c->label);
}
