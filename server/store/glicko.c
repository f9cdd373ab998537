/*
 * Steps and symbols follow "Example of the Glicko-2 system" (Glickman): phi and
 * mu are deviation and rating on its internal scale.
 */
#include "server/store/glicko.h"

#include <math.h>

#define SCALE     173.7178
#define PI        3.14159265358979323846
#define TOLERANCE 0.000001
#define STEPS_MAX 100 /* a few suffice; this guards against no convergence */

const struct glicko glicko_first = {
    .rating = GLICKO_RATING_FIRST,
    .deviation = GLICKO_DEVIATION_FIRST,
    .volatility = GLICKO_VOLATILITY_FIRST,
};

struct glicko
glicko_age(struct glicko player, int64_t elapsed_ms)
{
    double periods = elapsed_ms > 0 ? (double)elapsed_ms / GLICKO_PERIOD_MS : 0;
    double phi = player.deviation / SCALE;
    double aged = SCALE * sqrt(phi * phi + periods * player.volatility * player.volatility);

    player.deviation = aged < GLICKO_DEVIATION_FIRST ? aged : GLICKO_DEVIATION_FIRST;
    return player;
}

/* What the games say about the player: steps 3 and 4. */
struct evidence {
    double v;     /* variance of the rating from the outcomes alone */
    double delta; /* improvement from the outcomes alone */
    double sum;   /* weighted sum of outcome minus expectation */
};

static double
weight(double phi)
{
    return 1 / sqrt(1 + 3 * phi * phi / (PI * PI));
}

static struct evidence
weigh(double mu, const struct glicko_game *games, uint32_t count)
{
    struct evidence evidence = { 0 };
    double information = 0;

    for (uint32_t i = 0; i < count; i++) {
        double g = weight(games[i].opponent.deviation / SCALE);
        double mu_opponent = (games[i].opponent.rating - GLICKO_RATING_FIRST) / SCALE;
        double expected = 1 / (1 + exp(-g * (mu - mu_opponent)));

        information += g * g * expected * (1 - expected);
        evidence.sum += g * (games[i].score - expected);
    }
    evidence.v = 1 / information;
    evidence.delta = evidence.v * evidence.sum;
    return evidence;
}

/* The function of x = ln(volatility squared) whose root is sought. */
struct equation {
    double a;
    double phi_squared;
    double delta_squared;
    double v;
};

static double
value_at(const struct equation *equation, double x)
{
    double e = exp(x);
    double spread = equation->phi_squared + equation->v + e;

    return e * (equation->delta_squared - spread) / (2 * spread * spread) -
           (x - equation->a) / (GLICKO_TAU * GLICKO_TAU);
}

static double
lower_end(const struct equation *equation)
{
    double excess = equation->delta_squared - equation->phi_squared - equation->v;
    int k = 1;

    if (excess > 0) {
        return log(excess);
    }
    while (k < STEPS_MAX && value_at(equation, equation->a - k * GLICKO_TAU) < 0) {
        k++;
    }
    return equation->a - k * GLICKO_TAU;
}

/* Step 5: the Illinois algorithm. */
static double
new_volatility(double volatility, double phi, const struct evidence *evidence)
{
    const struct equation equation = {
        .a = log(volatility * volatility),
        .phi_squared = phi * phi,
        .delta_squared = evidence->delta * evidence->delta,
        .v = evidence->v,
    };
    double a = equation.a;
    double b = lower_end(&equation);
    double f_a = value_at(&equation, a);
    double f_b = value_at(&equation, b);

    for (int i = 0; i < STEPS_MAX && fabs(b - a) > TOLERANCE; i++) {
        double c = a + (a - b) * f_a / (f_b - f_a);
        double f_c = value_at(&equation, c);

        if (f_c * f_b <= 0) {
            a = b;
            f_a = f_b;
        } else {
            f_a = f_a / 2;
        }
        b = c;
        f_b = f_c;
    }
    return exp(a / 2);
}

struct glicko
glicko_after(struct glicko player, const struct glicko_game *games, uint32_t count)
{
    double mu = (player.rating - GLICKO_RATING_FIRST) / SCALE;
    double phi = player.deviation / SCALE;
    struct evidence evidence = weigh(mu, games, count);
    double volatility = new_volatility(player.volatility, phi, &evidence);
    double phi_star = sqrt(phi * phi + volatility * volatility);
    double phi_after = 1 / sqrt(1 / (phi_star * phi_star) + 1 / evidence.v);
    double deviation = SCALE * phi_after;

    return (struct glicko){
        .rating = GLICKO_RATING_FIRST + SCALE * (mu + phi_after * phi_after * evidence.sum),
        .deviation = deviation < GLICKO_DEVIATION_FIRST ? deviation : GLICKO_DEVIATION_FIRST,
        .volatility = volatility,
    };
}
