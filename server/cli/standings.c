#include "server/cli/standings.h"

#include <math.h>

#define Z_95       1.96
#define ROUNDS_MAX 10000
#define CLOSE      1e-9
#define ELO        (400 / 2.302585092994046) /* of one natural unit of strength */

uint32_t
standings_games(const struct standings *standings, uint32_t a, uint32_t b)
{
    return standings->wins[a][b] + standings->wins[b][a] + standings->draws[a][b];
}

struct standing
standings_of(const struct standings *standings, uint32_t player)
{
    struct standing sum = { 0, 0, 0 };

    for (uint32_t other = 0; other < standings->count; other++) {
        sum.wins += standings->wins[player][other];
        sum.draws += standings->draws[player][other];
        sum.games += other == player ? 0 : standings_games(standings, player, other);
    }
    return sum;
}

void
standings_interval(uint32_t wins, uint32_t games, double *ret_low, double *ret_high)
{
    double n = games;
    double share = wins / n;
    double middle = share + Z_95 * Z_95 / (2 * n);
    double width = Z_95 * sqrt(share * (1 - share) / n + Z_95 * Z_95 / (4 * n * n));

    *ret_low = 100 * fmax(middle - width, 0) / (1 + Z_95 * Z_95 / n);
    *ret_high = 100 * (middle + width) / (1 + Z_95 * Z_95 / n);
}

/* ---- strengths --------------------------------------------------------------------------- */

/* One round of the iteration; returns the largest change.  The average player has strength 1. */
static double
improve(const struct standings *standings, double strength[STANDINGS_MAX])
{
    double change = 0;

    for (uint32_t a = 0; a < standings->count; a++) {
        struct standing sum = standings_of(standings, a);
        double below = 1 / (strength[a] + 1);
        double better;

        for (uint32_t b = 0; b < standings->count; b++) {
            below += b == a ? 0 : standings_games(standings, a, b) / (strength[a] + strength[b]);
        }
        better = (sum.wins + sum.draws / 2.0 + 0.5) / below;
        change = fmax(change, fabs(log(better / strength[a])));
        strength[a] = better;
    }
    return change;
}

/* ---- intervals --------------------------------------------------------------------------- */

/* What the matches tell about the differences of strengths: Fisher's information. */
static void
inform(const struct standings *standings, const double strength[STANDINGS_MAX],
       double information[STANDINGS_MAX][STANDINGS_MAX])
{
    for (uint32_t a = 0; a < standings->count; a++) {
        information[a][a] = strength[a] / ((strength[a] + 1) * (strength[a] + 1));
        for (uint32_t b = 0; b < standings->count; b++) {
            double sum = strength[a] + strength[b];
            double weight =
                b == a ? 0
                       : standings_games(standings, a, b) * strength[a] * strength[b] / (sum * sum);

            information[a][a] += weight;
            if (b != a) {
                information[a][b] = -weight;
            }
        }
    }
}

/* By Gauss and Jordan, without exchanging rows: the matrix is symmetric and positive. */
static void
invert(double matrix[STANDINGS_MAX][STANDINGS_MAX], uint32_t count,
       double ret_inverse[STANDINGS_MAX][STANDINGS_MAX])
{
    for (uint32_t row = 0; row < count; row++) {
        for (uint32_t column = 0; column < count; column++) {
            ret_inverse[row][column] = row == column;
        }
    }
    for (uint32_t pivot = 0; pivot < count; pivot++) {
        double by = matrix[pivot][pivot];

        for (uint32_t column = 0; column < count; column++) {
            matrix[pivot][column] /= by;
            ret_inverse[pivot][column] /= by;
        }
        for (uint32_t row = 0; row < count; row++) {
            double factor = row == pivot ? 0 : matrix[row][pivot];

            for (uint32_t column = 0; column < count; column++) {
                matrix[row][column] -= factor * matrix[pivot][column];
                ret_inverse[row][column] -= factor * ret_inverse[pivot][column];
            }
        }
    }
}

/* The variance of a player's distance from the average of all. */
static double
variance(double covariance[STANDINGS_MAX][STANDINGS_MAX], uint32_t count, uint32_t player)
{
    double sum = covariance[player][player];

    for (uint32_t a = 0; a < count; a++) {
        sum -= 2 * covariance[player][a] / count;
        for (uint32_t b = 0; b < count; b++) {
            sum += covariance[a][b] / count / count;
        }
    }
    return sum;
}

void
standings_rate(const struct standings *standings, struct rating ret_ratings[STANDINGS_MAX])
{
    double strength[STANDINGS_MAX];
    double information[STANDINGS_MAX][STANDINGS_MAX];
    double inverse[STANDINGS_MAX][STANDINGS_MAX];
    double average = 0;

    for (uint32_t i = 0; i < standings->count; i++) {
        strength[i] = 1;
    }
    for (uint32_t round = 0; round < ROUNDS_MAX && improve(standings, strength) > CLOSE; round++) {
    }
    inform(standings, strength, information);
    invert(information, standings->count, inverse);
    for (uint32_t i = 0; i < standings->count; i++) {
        ret_ratings[i].elo = ELO * log(strength[i]);
        ret_ratings[i].margin = Z_95 * ELO * sqrt(variance(inverse, standings->count, i));
        average += ret_ratings[i].elo / standings->count;
    }
    for (uint32_t i = 0; i < standings->count; i++) {
        ret_ratings[i].elo -= average;
    }
}
