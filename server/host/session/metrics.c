#include "server/host/session/metrics.h"

#include <stdlib.h>

#include "server/host/session/session_struct.h"
#include "server/host/world.h"
#include "server/memory.h"

/* ---- counting ---------------------------------------------------------------------------- */

void
count_error(struct host *host, struct sk_text code)
{
    for (int i = 0; i < ERROR_COUNT; i++) {
        if (sk_text_same(code, sk_text_of(sk_error_code((enum error_code)i)))) {
            host->counters.errors[i]++;
        }
    }
}

void
count_job(struct host *host, const struct store_job *job)
{
    struct host_counters *counters = &host->counters;
    int64_t took_us = host_now_us(host) - job->handed_over_us;

    if (job->place == STORE_IN_ORDER) {
        metrics_durations_add(&counters->job, took_us);
    }
    /* Claims and comparisons of the queue may wait for other nodes: no sign of a failure. */
    if (store_job_writes(job) && (job->place == STORE_IN_ORDER || job->kind == JOB_BEAT)) {
        if (host->is_store_failing && job->result != STORE_UNAVAILABLE) {
            host_log(host, HOST_LOG_INFO, "store: writes again");
        }
        host->is_store_failing = job->result == STORE_UNAVAILABLE;
    }
    if (job->kind == JOB_MATCH_APPEND && job->result == STORE_LOST) {
        counters->fenced++;
    } else if (job->result == STORE_UNAVAILABLE || job->result == STORE_CORRUPT) {
        counters->failed_jobs++;
    } else if (job->kind == JOB_MATCH_APPEND && job->result == STORE_OK && job->record_count > 0) {
        enum store_record_kind first = job->records[0].kind;

        if (first == RECORD_SUBMISSION || first == RECORD_WITHDRAWN) {
            metrics_durations_add(&counters->ack, took_us);
        } else if (first == RECORD_TURN) {
            metrics_durations_add(&counters->turn, took_us);
        }
    }
}

/* ---- commands by verdict and check -------------------------------------------------------- */

struct verdict_counts {
    struct verdict_counts *next;
    const struct sk_ruleset *ruleset;
    uint64_t counts[]; /* see count_place */
};

static uint32_t
verdicts_of(const struct sk_ruleset *ruleset)
{
    return (uint32_t)SK_VERDICT_OWN + ruleset->verdict_count;
}

/* Index 0 is no check; the checks and the stages follow. */
static uint32_t
checks_of(const struct sk_ruleset *ruleset)
{
    return 1u + ruleset->check_count + ruleset->stage_count;
}

static uint32_t
count_place(const struct sk_ruleset *ruleset, struct sk_judgement judgement)
{
    uint32_t check = judgement.check == SK_CHECK_NONE ? 0
                     : (judgement.check & SK_CHECK_IS_STAGE) != 0
                         ? 1u + ruleset->check_count + judgement.check - SK_CHECK_IS_STAGE
                         : 1u + judgement.check;

    return check * verdicts_of(ruleset) + judgement.verdict;
}

static struct verdict_counts *
counts_of(struct host *host, const struct sk_ruleset *ruleset)
{
    struct verdict_counts *counts = host->counters.verdicts;
    size_t count = (size_t)verdicts_of(ruleset) * checks_of(ruleset);

    while (counts != NULL && counts->ruleset != ruleset) {
        counts = counts->next;
    }
    if (counts == NULL) {
        counts = heap_memory(sizeof(*counts) + count * sizeof(counts->counts[0]));
        counts->ruleset = ruleset;
        counts->next = host->counters.verdicts;
        host->counters.verdicts = counts;
    }
    return counts;
}

void
count_commands(struct host *host, const struct sk_turn *turn, uint8_t seat)
{
    struct verdict_counts *counts = counts_of(host, turn->ruleset);

    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        counts->counts[count_place(turn->ruleset, turn->judgements[seat][i])]++;
    }
}

void
counters_fini(struct host_counters *counters)
{
    while (counters->verdicts != NULL) {
        struct verdict_counts *counts = counters->verdicts;

        counters->verdicts = counts->next;
        free(counts);
    }
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Counts by a word; those that may have many words are shown from 1 on. */
static void
tell_counts(struct metrics_out *out, const char *name, const char *help, const char *label,
            const uint64_t *counts, int from, int end, const char *(*word)(int number),
            bool shows_zeros)
{
    metrics_counters(out, name, help);
    for (int i = from; i < end; i++) {
        if (counts[i] > 0 || shows_zeros) {
            metrics_sample(out, name, &(struct metrics_label){ label, word(i) }, 1, counts[i]);
        }
    }
}

static const char *
frame_word(int type)
{
    return sk_client_frames.of[type].kind;
}

static const char *
failure_word(int failure)
{
    return sk_bot_failure_word((enum bot_failure)failure);
}

static const char *
error_word(int code)
{
    return sk_error_code((enum error_code)code);
}

static const char *
limit_word(int limit)
{
#define LIMIT_WORD(number, word) [number] = word,
    static const char *const words[LIMIT_COUNT] = { HOST_LIMITS(LIMIT_WORD) };
#undef LIMIT_WORD

    return words[limit];
}

static void
tell_verdicts_of(const struct verdict_counts *counts, const char *name, struct metrics_out *out)
{
    const struct sk_ruleset *ruleset = counts->ruleset;

    for (uint32_t check = 0; check < checks_of(ruleset); check++) {
        uint8_t place = check == 0 ? SK_CHECK_NONE
                        : check <= ruleset->check_count
                            ? (uint8_t)(check - 1)
                            : (uint8_t)(SK_CHECK_IS_STAGE + check - 1 - ruleset->check_count);

        for (uint32_t verdict = 0; verdict < verdicts_of(ruleset); verdict++) {
            struct sk_judgement judgement = { (sk_verdict)verdict, place };
            const char *check_name = sk_check_name(ruleset, judgement);
            struct metrics_label labels[] = {
                { "ruleset", ruleset->name },
                { "verdict", sk_verdict_name(ruleset, judgement.verdict) },
                { "check", check_name == NULL ? "" : check_name },
            };
            uint64_t count = counts->counts[count_place(ruleset, judgement)];

            if (count > 0) {
                metrics_sample(out, name, labels, SK_COUNT_OF(labels), count);
            }
        }
    }
}

static void
tell_verdicts(const struct host *host, struct metrics_out *out)
{
    static const char name[] = "skirmish_commands_total";

    metrics_counters(out, name, "Commands sent, by their verdict and the check that gave it.");
    for (const struct verdict_counts *counts = host->counters.verdicts; counts != NULL;
         counts = counts->next) {
        tell_verdicts_of(counts, name, out);
    }
}

static void
tell_outboxes(const struct host *host, struct metrics_out *out)
{
    uint64_t bytes = 0;
    uint64_t largest = 0;

    for (uint32_t i = 0; i < host->slot_count; i++) {
        uint64_t waiting = host->slots[i] == NULL ? 0 : host->slots[i]->outbox.bytes;

        bytes += waiting;
        largest = waiting > largest ? waiting : largest;
    }
    metrics_gauge(out, "skirmish_outbox_bytes", "Waiting to be written to clients.", bytes);
    metrics_gauge(out, "skirmish_outbox_largest_bytes", "The part of it for the slowest client.",
                  largest);
}

static void
tell_reads(const struct host *host, struct metrics_out *out)
{
    metrics_gauge(out, "skirmish_reads",
                  "HTTP requests and reviews in progress, or with unread answers.",
                  (uint64_t)host->reads);
    metrics_gauge(out, "skirmish_http_answer_bytes", "HTTP answers not read yet.",
                  host->http_bytes);
}

static uint64_t
count_waiting(const struct host *host)
{
    uint64_t count = 0;

    for (const struct waiting_player *it = host->waiting; it != NULL; it = it->next) {
        count++;
    }
    return count;
}

static void
tell_matches(const struct host *host, struct metrics_out *out)
{
    metrics_gauge(out, "skirmish_matches_live", "Matches in memory.", host->room_count);
    metrics_gauge(out, "skirmish_matches_of_bots", "Matches that only bots play.",
                  (uint64_t)host->bot_matches);
    metrics_gauge(out, "skirmish_matches_loading",
                  "Unfinished matches that the start has still to load.",
                  host->load_count - host->load_next + host->loads + host->wanted.count);
    metrics_gauge(out, "skirmish_matches_quarantined", "Quarantined matches.",
                  host->quarantined_count);
    metrics_gauge(out, "skirmish_queue_players", "Players in the queue.", count_waiting(host));
}

/* Only where several nodes share the database. */
static void
tell_node(const struct host *host, struct metrics_out *out)
{
    int64_t left_ms = host->node.leased_until_ms - host_now_ms(host);
    const struct host_counters *counters = &host->counters;

    if (!host->world.store->is_shared) {
        return;
    }
    metrics_gauge(out, "skirmish_node_lease_seconds",
                  "For how long this node may serve its matches without another beat, rounded up.",
                  left_ms < 0 ? 0 : ((uint64_t)left_ms + 999) / 1000);
    metrics_gauge(out, "skirmish_node_matches", "Unfinished matches that this node runs.",
                  host->node.match_count);
    metrics_counter(out, "skirmish_node_claims_total", "Matches taken over from other nodes.",
                    counters->claims);
    metrics_counter(out, "skirmish_node_lost_total",
                    "Matches dropped from memory, because another node may run them.",
                    counters->lost);
    metrics_counter(out, "skirmish_node_fenced_total",
                    "Appends that were not stored, because another node may run the match.",
                    counters->fenced);
    metrics_histogram(out, "skirmish_node_takeover_seconds",
                      "Time from the last beat of a match's node until it continues here.",
                      &counters->takeover);
}

void
host_metrics(const struct host *host, struct metrics_out *out)
{
    const struct host_counters *counters = &host->counters;

    metrics_gauge(out, "skirmish_is_draining", "1: no new matches are accepted.",
                  host->is_draining || host->is_closed_to_new ? 1 : 0);
    metrics_gauge(out, "skirmish_sessions", "Open connections.", host->session_count);
    metrics_gauge(out, "skirmish_players", "Players with a connection.", host->player_count);
    tell_matches(host, out);
    tell_node(host, out);
    tell_outboxes(host, out);
    tell_counts(out, "skirmish_frames_received_total", "Frames from clients that were handled.",
                "type", counters->frames, 0, FRAME_COUNT, frame_word, true);
    metrics_counter(out, "skirmish_malformed_total", "Messages that were not valid frames.",
                    counters->malformed);
    tell_counts(out, "skirmish_errors_total", "Errors sent to clients.", "code", counters->errors,
                0, ERROR_COUNT, error_word, false);
    tell_counts(out, "skirmish_limited_total",
                "Refusals and closed connections because of a limit, by its option.", "option",
                counters->limited, 0, LIMIT_COUNT, limit_word, true);
    tell_reads(host, out);
    metrics_counter(out, "skirmish_bot_answers_total", "Answers of bots that counted.",
                    counters->bot_answers[BOT_ANSWERED]);
    tell_counts(out, "skirmish_bot_failures_total",
                "Answers of bots that did not count, or did not come.", "error",
                counters->bot_answers, BOT_ANSWERED + 1, BOT_FAILURE_COUNT, failure_word, false);
    tell_verdicts(host, out);
    metrics_counter(out, "skirmish_submissions_total", "Submissions stored.",
                    counters->submissions);
    metrics_counter(out, "skirmish_turns_total", "Turns stored.", counters->turns);
    metrics_counter(out, "skirmish_failed_jobs_total", "Jobs that the store could not execute.",
                    counters->failed_jobs);
    metrics_histogram(out, "skirmish_ack_seconds",
                      "Time from a submission until it is stored and accepted.", &counters->ack);
    metrics_histogram(out, "skirmish_resolve_seconds", "How long turns took to resolve.",
                      &host->work.resolve);
    metrics_histogram(out, "skirmish_turn_seconds",
                      "Time from resolving a turn until it is stored and shown.", &counters->turn);
    metrics_histogram(out, "skirmish_job_seconds",
                      "Time from handing a job to the store until it comes back.", &counters->job);
}
