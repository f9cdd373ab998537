/*
 * What a run is about.
 *
 * With everything equally likely, what has to come together for a fault
 * seldom does.  So a seed first draws a story, in which a few things happen
 * often and others hardly: each story alone sees less, all of them together
 * see more.
 */
#include "tests/sim/choose.h"

/* A little of everything. */
static struct taste
draw_anything(struct sim *sim)
{
    return (struct taste){
        .op_count = 120 + below(sim, 600),
        .is_begun = happens(sim, 300),
        .fail = happens(sim, 500) ? below(sim, 250) : 0,
        .full = happens(sim, 300) ? 3 : 0,
        .crash = happens(sim, 600) ? 1 + below(sim, 6) : 0,
        .drop = 1 + below(sim, 10),
        .vanish = happens(sim, 300) ? 30 : 0,
        .down = happens(sim, 200) ? 20 : 120,
        .hurry = 50 + below(sim, 400),
        .days = 25,
        .damage = happens(sim, 50) ? 3 : 0,
        .malformed = happens(sim, 300) ? 60 : 3,
        .small = 300,
        .matches = 10,
        .delayed = 500,
        .cycles = 60,
        .others = 150,
        .hidden = 200,
        .clocks = 800,
        .decided = happens(sim, 100) ? 300 : 0,
        .bots = happens(sim, 300) ? 250 : 0,
        .lobby = 200,
        .watches = 150,
        .turns = happens(sim, 500) ? 20 : 0,
        .returns = happens(sim, 300) ? 60 : 0,
        .withdraws = 10,
        .draws = 10,
        .ends = 3,
        .claims = 10,
        .leaves = 10,
        .rematches = 100,
        .resumes = 10,
        .full_lists = 3,
        .asides = 10,
    };
}

/* Two play, the others watch with a delay. */
static void
tell_of_spectators(struct sim *sim, struct taste *taste)
{
    taste->delayed = 950;
    taste->watches = 500;
    taste->draws = 60;
    taste->turns = 40 + below(sim, 60);
    taste->ends = 5;
}

/* Matches are to end while the store fails. */
static void
tell_of_endings(struct sim *sim, struct taste *taste)
{
    taste->fail = below(sim, 150);
    taste->fail_ends = 300 + below(sim, 500);
    taste->by_turns = 600;
    taste->clocks = 600;
    taste->days = 120;
    taste->draws = 80;
    taste->ends = 100;
    taste->claims = 60;
    taste->full_lists = 40;
    taste->turns = 60;
    taste->quarrels = 15;
    taste->full_leaves = 4;
}

/* The process dies again and again, clocks are short. */
static void
tell_of_restarts(struct sim *sim, struct taste *taste)
{
    taste->crash = 8 + below(sim, 16);
    taste->fail = happens(sim, 700) ? below(sim, 300) : 0;
    taste->fail_ends = happens(sim, 700) ? 600 : 0;
    taste->fail_start = happens(sim, 700) ? 600 : 0;
    taste->returns = 100;
    taste->cycles = 400;
    taste->clocks = 950;
    taste->withdraws = 40;
    taste->draws = 30;
    taste->turns = 60;
    taste->bad_starts = 6;
}

/* Connections break, and clients resume while the match continues. */
static void
tell_of_coming_back(struct sim *sim, struct taste *taste)
{
    taste->drop = 15 + below(sim, 30);
    taste->down = 20 + below(sim, 60);
    taste->small = 500;
    taste->resumes = 80;
    taste->turns = 80 + below(sim, 80);
    taste->returns = 60;
    taste->leaves = 30;
    taste->breaks = happens(sim, 300) ? 8 : 0;
}

/* Seats are taken and left; matches are joined by code, played again, queued for. */
static void
tell_of_seats(struct sim *sim, struct taste *taste)
{
    taste->is_begun = false;
    taste->op_count += 150;
    taste->matches = 1 + below(sim, happens(sim, 500) ? 2 : 8);
    taste->clocks = 500;
    taste->vanish = 40;
    taste->hidden = 500;
    taste->threes = 300;
    taste->looks_back = 20;
    taste->short_stays = 30;
    taste->watches = 300;
    taste->lobby = 600;
    taste->leaves = 120;
    taste->ends = 100;
    taste->rematches = 500;
    taste->drop = 10 + below(sim, 20);
    taste->crash = happens(sim, 600) ? 12 : 0;
    taste->fail = happens(sim, 500) ? below(sim, 300) : 0;
    taste->fail_start = happens(sim, 500) ? 600 : 0;
    taste->returns = 60;
}

/* Rematches, by everybody at once and across restarts. */
static void
tell_of_rematches(struct sim *sim, struct taste *taste)
{
    taste->matches = 1;
    taste->ends = 300;
    taste->rematches = 700;
    taste->crash = 10 + below(sim, 20);
    taste->fail_start = 500;
    taste->bad_rematches = 6;
    taste->hurry = 50;
    taste->returns = 150;
}

/* Clients send nonsense or too much, while the store is slow. */
static void
tell_of_the_clumsy(struct sim *sim, struct taste *taste)
{
    taste->is_begun = happens(sim, 500);
    taste->malformed = 150 + below(sim, 200);
    taste->drop = 30;
    taste->small = 800;
    taste->down = 10 + below(sim, 60);
    taste->returns = 150;
}

struct taste
draw_taste(struct sim *sim)
{
    static void (*const stories[])(struct sim * sim, struct taste * taste) = {
        tell_of_spectators, tell_of_endings,    tell_of_endings,     tell_of_restarts,
        tell_of_restarts,   tell_of_rematches,  tell_of_coming_back, tell_of_seats,
        tell_of_seats,      tell_of_the_clumsy,
    };
    struct taste taste = draw_anything(sim);

    taste.moves = sim->has_nodes ? 10 + below(sim, 40) : 0;

    if (happens(sim, 750)) {
        taste.op_count = 200 + below(sim, 400);
        taste.is_begun = true;
        taste.matches = 1 + below(sim, 3);
        taste.malformed = 2;
        stories[below(sim, SK_COUNT_OF(stories))](sim, &taste);
    }
    return taste;
}
