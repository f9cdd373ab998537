/*
 * load - plays tactics matches against a running server, as fast as it answers, and prints how fast
 * that was.
 *
 * Two clients play each match: both get a turn, both send their commands at once. After a match
 * they start the next.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "tests/bench/load/client.h"

#define EVENTS_MAX   512
#define TICK_MS      10
#define SET_UP_US    120000000
#define FINISH_US    120000000
#define FILES_BESIDE 64u /* of the process, beside its sockets */

static volatile sig_atomic_t is_asked_to_stop;
static volatile sig_atomic_t is_time_over; /* before the clock says so */

static void
ask_to_stop(int number)
{
    if (number == SIGUSR1) {
        is_time_over = 1;
    } else {
        is_asked_to_stop = 1;
    }
}

/* ---- options ----------------------------------------------------------------------------- */

static const char usage[] =
    "Usage: load --port PORT [option...]\n"
    "\n"
    "Plays tactics matches against the server on this port of 127.0.0.1.\n"
    "\n"
    "  --matches N      at once, two connections each (50)\n"
    "  --seconds S      that are measured (5)\n"
    "  --warmup S       before that, once all matches are under way (1)\n"
    "  --slice S        also print the rate of every S seconds\n"
    "  --turns N        end after N measured turns\n"
    "  --pid PID        the server's process: print its CPU time and memory, too; of further\n"
    "                   processes, in this order, the CPU time\n"
    "  --seed N         of the commands (1)\n"
    "  --journal FILE   write a line per event, see load/journal.h\n"
    "  --params JSON    of the matches, instead of the default match\n"
    "  --think MS       at most, before a seat sends its commands (0)\n"
    "  --peaceful       moves only: nobody dies and matches last until their turn limit\n"
    "  --idle           take the seats and send nothing\n"
    "  --finish         when the time is over, play the matches to their end; SIGUSR1 ends\n"
    "                   the time\n"
    "\n"
    "The last line of the output is one JSON object.  Exit status: 0, or 1 when\n"
    "clients received something unexpected, or nothing was played.\n";

enum option_number {
    OPTION_PORT,
    OPTION_MATCHES,
    OPTION_SECONDS,
    OPTION_WARMUP,
    OPTION_SLICE,
    OPTION_TURNS,
    OPTION_PID,
    OPTION_SEED,
    OPTION_JOURNAL,
    OPTION_PARAMS,
    OPTION_THINK,
    OPTION_PEACEFUL,
    OPTION_IDLE,
    OPTION_FINISH,
    OPTION_HELP
};

static const struct option option_table[] = {
    { "port", required_argument, NULL, OPTION_PORT },
    { "matches", required_argument, NULL, OPTION_MATCHES },
    { "seconds", required_argument, NULL, OPTION_SECONDS },
    { "warmup", required_argument, NULL, OPTION_WARMUP },
    { "slice", required_argument, NULL, OPTION_SLICE },
    { "turns", required_argument, NULL, OPTION_TURNS },
    { "pid", required_argument, NULL, OPTION_PID },
    { "seed", required_argument, NULL, OPTION_SEED },
    { "journal", required_argument, NULL, OPTION_JOURNAL },
    { "params", required_argument, NULL, OPTION_PARAMS },
    { "think", required_argument, NULL, OPTION_THINK },
    { "peaceful", no_argument, NULL, OPTION_PEACEFUL },
    { "idle", no_argument, NULL, OPTION_IDLE },
    { "finish", no_argument, NULL, OPTION_FINISH },
    { "help", no_argument, NULL, OPTION_HELP },
    { NULL, 0, NULL, 0 },
};

static double
number_of(const char *text, double max)
{
    char *end;
    double number = strtod(text, &end);

    if (end == text || *end != '\0' || number < 0 || number > max) {
        fprintf(stderr, "load: %s is not a number that fits here\n", text);
        exit(2);
    }
    return number;
}

static void
take_pid(struct load_options *options, int pid)
{
    if (options->pid == 0) {
        options->pid = pid;
    } else if (options->other_count < OTHERS_MAX) {
        options->other_pids[options->other_count++] = pid;
    } else {
        fputs("load: too many processes\n", stderr);
        exit(2);
    }
}

static void
take_option(struct load_options *options, int number, const char *value)
{
    switch (number) {
    case OPTION_PORT:
        options->port = (uint16_t)number_of(value, 65535);
        break;
    case OPTION_MATCHES:
        options->matches = (uint32_t)number_of(value, 100000);
        break;
    case OPTION_SECONDS:
        options->seconds = number_of(value, 1e6);
        break;
    case OPTION_WARMUP:
        options->warmup_seconds = number_of(value, 1e6);
        break;
    case OPTION_SLICE:
        options->slice_seconds = number_of(value, 1e6);
        break;
    case OPTION_TURNS:
        options->turns = (uint64_t)number_of(value, 1e15);
        break;
    case OPTION_PID:
        take_pid(options, (int)number_of(value, 1e9));
        break;
    case OPTION_SEED:
        options->seed = (uint64_t)number_of(value, 1e15);
        break;
    case OPTION_JOURNAL:
        options->journal = value;
        break;
    case OPTION_PARAMS:
        options->params = value;
        break;
    case OPTION_THINK:
        options->think_ms = (uint32_t)number_of(value, 60000);
        break;
    case OPTION_PEACEFUL:
        options->is_peaceful = true;
        break;
    case OPTION_IDLE:
        options->is_idle = true;
        break;
    case OPTION_FINISH:
        options->finishes = true;
        break;
    case OPTION_HELP:
        fputs(usage, stdout);
        exit(0);
    default:
        fputs(usage, stderr);
        exit(2);
    }
}

static void
read_options(int argc, char **argv, struct load_options *ret_options)
{
    int number;

    *ret_options =
        (struct load_options){ .matches = 50, .seconds = 5, .warmup_seconds = 1, .seed = 1 };
    while ((number = getopt_long(argc, argv, "", option_table, NULL)) != -1) {
        take_option(ret_options, number, optarg);
    }
    if (ret_options->port == 0 || ret_options->matches == 0 || optind != argc) {
        fputs(usage, stderr);
        exit(2);
    }
}

/* ---- running ----------------------------------------------------------------------------- */

static void
run_round(struct load *load)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(load->epoll, events, EVENTS_MAX, TICK_MS);

    for (int i = 0; i < count; i++) {
        client_work(events[i].data.ptr, events[i].events);
    }
    load_tick(load);
}

static bool
goes_on(int64_t until_us)
{
    return is_asked_to_stop == 0 && now_us() < until_us;
}

static bool
run_until_playing(struct load *load)
{
    int64_t until_us = now_us() + SET_UP_US;

    while (load->begun_count < load->client_count && goes_on(until_us)) {
        run_round(load);
    }
    return load->begun_count == load->client_count;
}

static bool
has_enough_turns(const struct load *load)
{
    return load->options.turns > 0 && load->figures.turns >= load->options.turns;
}

static void
run_for(struct load *load, double seconds, struct slices *slices)
{
    int64_t began_us = now_us();
    int64_t until_us = began_us + (int64_t)(seconds * 1e6);

    while (goes_on(until_us) && is_time_over == 0 && !has_enough_turns(load)) {
        run_round(load);
        slices_note(slices, (double)(now_us() - began_us) / 1e6, load->figures.turns);
    }
}

/* A busy machine may have no turn in a short time; figures of none say nothing. */
static void
run_until_a_turn(struct load *load)
{
    int64_t until_us = now_us() + SET_UP_US;

    while (load->figures.turns == 0 && !load->options.is_idle && is_time_over == 0 &&
           goes_on(until_us)) {
        run_round(load);
    }
}

static bool
plays_on(const struct load *load)
{
    for (uint32_t i = 0; i < load->options.matches; i++) {
        if (load->games[i].match != 0) {
            return true;
        }
    }
    return false;
}

/* True when every match came to its end. */
static bool
run_to_end(struct load *load)
{
    int64_t until_us = now_us() + FINISH_US;

    load->is_ending = true;
    while (plays_on(load) && goes_on(until_us)) {
        run_round(load);
    }
    return !plays_on(load);
}

/* ---- the result -------------------------------------------------------------------------- */

struct span {
    double seconds;
    struct process_use began;
    struct process_use ended;
    double others_cpu_s[OTHERS_MAX];
    double own_cpu_s;        /* of the load itself */
    uint64_t rss_before_kib; /* of the server, before anybody connected */
    struct slices slices;
};

static double
mean(uint64_t sum, uint64_t count)
{
    return count == 0 ? 0 : (double)sum / (double)count;
}

/* What each thread of the server took for a turn, the oldest first. */
static void
print_threads(const struct span *span, double turns)
{
    printf("\"threads_us_per_turn\":[");
    for (uint32_t i = 0; i < span->ended.thread_count; i++) {
        double cpu_s = span->ended.thread_cpu_s[i] - span->began.thread_cpu_s[i];

        printf("%s%.2f", i == 0 ? "" : ",", turns > 0 ? cpu_s * 1e6 / turns : 0);
    }
    printf("],");
}

static void
print_others(const struct load *load, const struct span *span, double turns)
{
    printf("\"others_us_per_turn\":[");
    for (uint32_t i = 0; i < load->options.other_count; i++) {
        printf("%s%.2f", i == 0 ? "" : ",", turns > 0 ? span->others_cpu_s[i] * 1e6 / turns : 0);
    }
    printf("],");
}

/* Turns per second, and CPU time per turn. */
static void
print_slices(const struct slices *slices, double cpu_s)
{
    uint64_t turns = 0;

    printf("\"slices\":[");
    for (uint32_t i = 0; i < slices->count; i++) {
        printf("%s%.1f", i == 0 ? "" : ",", (double)(slices->turns[i] - turns) / slices->seconds);
        turns = slices->turns[i];
    }
    turns = 0;
    printf("],\"slices_us_per_turn\":[");
    for (uint32_t i = 0; i < slices->count; i++) {
        double passed = (double)(slices->turns[i] - turns);

        printf("%s%.2f", i == 0 ? "" : ",",
               passed > 0 ? (slices->cpu_s[i] - cpu_s) * 1e6 / passed : 0);
        turns = slices->turns[i];
        cpu_s = slices->cpu_s[i];
    }
    printf("],");
}

static void
print_result(struct load *load, const struct span *span)
{
    struct figures *figures = &load->figures;
    double turns = (double)figures->turns;
    double cpu_s = span->ended.cpu_s - span->began.cpu_s;

    printf("{\"matches\":%u,\"seconds\":%.3f,\"turns\":%" PRIu64 ",\"turns_per_s\":%.1f,",
           load->options.matches, span->seconds, figures->turns, turns / span->seconds);
    printf("\"submissions\":%" PRIu64 ",\"commands_per_s\":%.1f,\"with_refusals\":%" PRIu64 ",",
           figures->submissions, (double)figures->commands / span->seconds, figures->refused);
    printf("\"p50_us\":%.0f,\"p99_us\":%.0f,\"p999_us\":%.0f,", figures_delay_us(figures, 0.5),
           figures_delay_us(figures, 0.99), figures_delay_us(figures, 0.999));
    printf("\"matches_over\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"losses\":%" PRIu64 ",",
           figures->matches, figures->errors, figures->losses);
    printf("\"moves\":%" PRIu64 ",", figures->moves);
    printf(
        "\"submit_bytes\":%.1f,\"accepted_bytes\":%.1f,\"ready_bytes\":%.1f,\"turn_bytes\":%.1f,",
        mean(figures->bytes_out, figures->submissions),
        mean(figures->accepted.bytes, figures->accepted.count),
        mean(figures->ready.bytes, figures->ready.count),
        mean(figures->turn.bytes, figures->turn.count));
    printf("\"ready_per_turn\":%.2f,", mean(figures->ready.count, figures->turns));
    printf("\"cpu_s\":%.2f,\"cpu_us_per_turn\":%.2f,", cpu_s, turns > 0 ? cpu_s * 1e6 / turns : 0);
    print_threads(span, turns);
    print_others(load, span, turns);
    print_slices(&span->slices, span->began.cpu_s);
    printf("\"written_per_turn\":%.0f,\"load_cpu_share\":%.3f,",
           turns > 0 ? (double)(span->ended.written_bytes - span->began.written_bytes) / turns : 0,
           span->own_cpu_s / span->seconds);
    printf("\"rss_before_kib\":%" PRIu64 ",\"rss_kib\":%" PRIu64 "}\n", span->rss_before_kib,
           span->ended.rss_kib);
}

static void
add_others(const struct load *load, struct span *span, double sign)
{
    for (uint32_t i = 0; i < load->options.other_count; i++) {
        struct process_use use = { 0 };

        (void)process_use_read(load->options.other_pids[i], &use);
        span->others_cpu_s[i] += sign * use.cpu_s;
    }
}

static void
measure(struct load *load, struct span *span)
{
    struct slices none = { 0 };
    int64_t began_us;

    run_for(load, load->options.warmup_seconds, &none);
    (void)process_use_read(load->options.pid, &span->began);
    add_others(load, span, -1);
    span->own_cpu_s = -own_cpu_s();
    began_us = now_us();
    load->figures.bytes_out = 0;
    load->is_measuring = true;
    run_for(load, load->options.seconds, &span->slices);
    run_until_a_turn(load);
    load->is_measuring = false;
    span->seconds = (double)(now_us() - began_us) / 1e6;
    slices_note(&span->slices, span->seconds, load->figures.turns);
    span->own_cpu_s += own_cpu_s();
    add_others(load, span, 1);
    (void)process_use_read(load->options.pid, &span->ended);
}

static int
run(struct load *load)
{
    struct process_use before = { 0 };
    struct span span = { .slices = { .seconds = load->options.slice_seconds,
                                     .pid = load->options.pid } };
    bool is_whole = true;

    (void)process_use_read(load->options.pid, &before);
    span.rss_before_kib = before.rss_kib;
    if (!run_until_playing(load)) {
        fprintf(stderr, "load: only %u of %u clients play\n", load->begun_count,
                load->client_count);
        return 1;
    }
    measure(load, &span);
    if (load->options.finishes && !run_to_end(load)) {
        fputs("load: not every match ended\n", stderr);
        is_whole = false;
    }
    print_result(load, &span);
    if (load->figures.errors > 0 || (load->figures.turns == 0 && !load->options.is_idle)) {
        is_whole = false;
    }
    return is_whole ? 0 : 1;
}

int
main(int argc, char **argv)
{
    struct load_options options;
    struct load load;
    int status;

    read_options(argc, argv, &options);
    (void)signal(SIGINT, ask_to_stop);
    (void)signal(SIGTERM, ask_to_stop);
    (void)signal(SIGUSR1, ask_to_stop);
    if (!wire_allow(LOAD_SEATS * options.matches + FILES_BESIDE)) {
        fputs("load: the limit of open files is too low for so many matches\n", stderr);
        return 1;
    }
    if (!load_init(&load, &options)) {
        return 1;
    }
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    status = run(&load);
    load_fini(&load);
    return status;
}
