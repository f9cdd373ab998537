/*
 * Compares the rows of a match with its records.
 *
 * The rows are what lists, views and ratings are made of; only the records
 * are in the chain.  Every column that follows from records is compared here.
 */
#include <string.h>

#include "server/replay/playback.h"

/* What is being compared, so that the steps need few parameters. */
struct comparing {
    const struct playback *playback;
    const struct store_job *job;
    playback_found *found;
    void *context;
};

static void
say(const struct comparing *in, const char *column, const char *what)
{
    struct sk_fault fault;

    (void)sk_fault_set(&fault, "differs", what);
    sk_fault_inside(&fault, sk_text_of(column));
    sk_fault_inside(&fault, SK_TEXT("match"));
    in->found(in->context, &fault);
}

static void
say_of_seat(const struct comparing *in, uint8_t seat, const char *column, const char *what)
{
    struct sk_fault fault;

    (void)sk_fault_set(&fault, "differs", what);
    sk_fault_inside(&fault, sk_text_of(column));
    sk_fault_inside_index(&fault, seat);
    sk_fault_inside(&fault, SK_TEXT("seat"));
    in->found(in->context, &fault);
}

/* ---- the match's row --------------------------------------------------------------------- */

/* A quarantined match has its own reason, and was waiting or running before. */
static void
compare_status(const struct comparing *in)
{
    const struct playback *playback = in->playback;
    enum store_match_status status = in->job->match.status;
    enum store_match_status expected = playback->is_over               ? MATCH_OVER
                                       : playback->match.state != NULL ? MATCH_RUNNING
                                                                       : MATCH_WAITING;

    if (status != expected && (status != MATCH_QUARANTINED || playback->is_over)) {
        say(in, "status", "by the records it has another status");
    }
}

static void
compare_end(const struct comparing *in)
{
    const struct recorded *recorded = &in->playback->recorded;
    const struct store_match *match = &in->job->match;
    const char *reason = in->playback->is_over ? recorded->reason : NULL;
    bool is_set_aside = !in->playback->is_over && match->status == MATCH_QUARANTINED;
    bool is_same = reason == NULL ? match->reason == NULL
                                  : match->reason != NULL && strcmp(match->reason, reason) == 0;

    if (match->winner != recorded->winner) {
        say(in, "winner", "by the records it has another winner, or none");
    }
    if (!is_same && !(is_set_aside && match->reason != NULL)) {
        say(in, "reason", "by the records it has ended for another reason, or not at all");
    }
}

static void
compare_times(const struct comparing *in)
{
    const struct recorded *recorded = &in->playback->recorded;
    const struct store_match *match = &in->job->match;

    if (match->created_at_ms != recorded->created_at_ms) {
        say(in, "created_at", "the first record is of another time");
    }
    if (match->started_at_ms != recorded->started_at_ms) {
        say(in, "started_at", "by the records it has started at another time, or not at all");
    }
    if (match->ended_at_ms != recorded->ended_at_ms) {
        say(in, "ended_at", "by the records it has ended at another time, or not at all");
    }
}

/* An imported match has no code and plays nothing again; its records may have other epochs. */
static void
compare_place(const struct comparing *in)
{
    const struct recorded *recorded = &in->playback->recorded;
    const struct store_match *match = &in->job->match;
    bool is_import = match->origin != 0;

    if (match->is_open != in->playback->match.is_open) {
        say(in, "is_open", "by its settings it is the opposite");
    }
    if (match->is_rated != in->playback->match.is_rated) {
        say(in, "is_rated", "by its settings and its players it is the opposite");
    }
    if ((match->code != NULL) != (!in->playback->match.is_open && !is_import)) {
        say(in, "code",
            in->playback->match.is_open || is_import ? "only a private match has a code"
                                                     : "a private match has a code");
    }
    if (match->rematch_of != (is_import ? 0 : recorded->rematch_of)) {
        say(in, "rematch_of", "by the first record it is a rematch of another match, or of none");
    }
    if (in->job->kind == JOB_MATCH_IMPORT) {
        return; /* it has no row yet */
    }
    if (match->is_shared && match->status != MATCH_OVER
            ? match->epoch < recorded->epoch
            : match->epoch != (is_import ? 1 : recorded->epoch)) {
        say(in, "epoch", "the last record is of another epoch");
    }
    if (match->has_owner && !match->is_shared) {
        say(in, "owner", "a match in a file of its own has no owner");
    }
}

/* ---- seats ------------------------------------------------------------------------------- */

static void
compare_seats(const struct comparing *in)
{
    const struct store_match *match = &in->job->match;

    if (match->seat_count != in->playback->match.seat_count) {
        say(in, "seat_count", "by its params it has another number of seats");
        return;
    }
    for (uint8_t seat = 0; seat < in->playback->match.seat_count; seat++) {
        const struct store_seat *it = &in->job->seats[seat];

        if (match->origin == 0 && it->player != in->playback->match.seats[seat].player) {
            say_of_seat(in, seat, "player", "by the records another player sits there, or nobody");
        }
        if (match->origin != 0 && it->origin_player != in->playback->match.seats[seat].player) {
            say_of_seat(in, seat, "origin_player", "by the records another player sat there");
        }
        if (it->is_bot != in->playback->match.seats[seat].is_bot) {
            say_of_seat(in, seat, "is_bot",
                        in->playback->match.seats[seat].is_bot
                            ? "by the records a bot sits there"
                            : "by the records no bot sits there");
        }
    }
}

void
playback_compare(const struct playback *playback, const struct store_job *job,
                 playback_found *found, void *context)
{
    const struct comparing in = { playback, job, found, context };

    compare_status(&in);
    compare_place(&in);
    compare_times(&in);
    compare_end(&in);
    compare_seats(&in);
}

/* ---- the first --------------------------------------------------------------------------- */

struct first {
    bool is_there;
    struct sk_fault *fault;
};

static void
keep_first(void *context, const struct sk_fault *fault)
{
    struct first *first = context;

    if (!first->is_there) {
        *first->fault = *fault;
        first->is_there = true;
    }
}

enum sk_status
playback_end(const struct playback *playback, const struct store_job *job,
             struct sk_fault *ret_fault)
{
    struct first first = { false, ret_fault };

    playback_compare(playback, job, keep_first, &first);
    return first.is_there ? SK_ERR_DIFFERS : SK_OK;
}

enum sk_status
playback_match(struct playback *playback, const struct store_job *job, uint64_t *ret_turns,
               struct sk_fault *ret_fault)
{
    enum sk_status status = playback_play(playback, job, ret_turns, ret_fault);

    return status == SK_OK ? playback_end(playback, job, ret_fault) : status;
}
