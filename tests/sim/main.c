/*
 * simulate - runs simulations: a range of seeds, or one from a file.
 *
 * Each batch of seeds runs in its own process, so that a crash ends only its
 * batch, and leaks are found per batch.  A failing run is reduced to as few
 * ops as possible and written to a file that can be run again.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/sim.h"
#include "tests/support/temp.h"

#define BUNCH    50
#define SHRINK_S 120
#define OPS_MAX  4096

static const char usage[] =
    "Usage: simulate [--from SEED] [--seeds N] [--seconds S] [--failures N] [--keep FOLDER]\n"
    "                [--digest FILE] [--nodes] [--trace] [FILE...]\n"
    "\n"
    "Runs N seeds (1000) from SEED (1) on, for S seconds at most, until N (5) failed, and then "
    "says\n"
    "where to go on; with files, runs what they say instead.  --trace prints everything that\n"
    "happens.  --keep: what failed is left in this folder, as short as it could be made.\n"
    "--nodes: the host is one of several nodes, which take matches from each other.\n"
    "--digest adds a line for each seed to the file: a hash of all that was told and stored.\n";

struct arguments {
    uint64_t from;
    uint64_t seeds;
    uint64_t seconds;  /* 0: no limit */
    uint64_t failures; /* stops after this many failures */
    const char *keep;
    const char *digest;
    bool is_traced;
};

static struct sim sim; /* too large for a stack */
static bool has_nodes;

/* ---- one run ----------------------------------------------------------------------------- */

static void
write_digest(const char *path)
{
    FILE *file = fopen(path, "a");

    if (file == NULL) {
        printf("cannot write %s: %s\n", path, strerror(errno));
        exit(1);
    }
    fprintf(file, "%" PRIu64 " %016" PRIx64 "\n", sim.seed, sim.digest);
    fclose(file);
}

static void
run_seed(uint64_t seed, bool is_traced)
{
    sim_init(&sim, seed);
    sim.is_traced = is_traced;
    sim.has_nodes = has_nodes;
    choose_run(&sim);
    sim_finish(&sim);
    sim_fini(&sim);
}

static void
run_ops(const struct ops *ops, const bool *is_left_out, bool is_traced)
{
    sim_init(&sim, 0);
    sim.is_traced = is_traced;
    for (uint32_t i = 0; i < ops->count; i++) {
        struct op op = ops->at[i];

        if (is_left_out == NULL || !is_left_out[i]) {
            op.text = op.text == NULL ? NULL : strdup(op.text);
            sim_do(&sim, op);
        }
    }
    sim_finish(&sim);
    sim_fini(&sim);
}

/* ---- when a process dies ----------------------------------------------------------------- */

/* Those of the sanitizers, if present. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

#define EXIT_LEAK 63

static void
died(void)
{
    static bool is_dying;

    if (!is_dying) {
        is_dying = true;
        printf("DIED, seed %" PRIu64 ", after %u ops\n", sim.seed, sim.ops.count);
        fflush(stdout);
        sim_leave_ops(&sim);
    }
}

static void
on_signal(int number)
{
    died();
    signal(number, SIG_DFL);
    raise(number);
}

static void
watch_for_death(void)
{
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(died);
    } else {
        signal(SIGSEGV, on_signal);
    }
    signal(SIGABRT, on_signal); /* SK_ASSERT */
    signal(SIGTRAP, on_signal);
}

/* Ends the process. */
static void __attribute__((noreturn)) end_well(void)
{
    int has_leaked =
        __lsan_do_recoverable_leak_check == NULL ? 0 : __lsan_do_recoverable_leak_check();

    if (has_leaked) {
        printf("LEAK, the last seed was %" PRIu64 "\n", sim.seed);
    }
    fflush(stdout);
    _exit(has_leaked ? EXIT_LEAK : 0);
}

/* In the child of a fork. */
static void
begin_quietly(void)
{
    int nowhere = open("/dev/null", O_WRONLY);

    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

static int
wait_for(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* ---- the shortest list that still fails -------------------------------------------------- */

static int
try_without(const struct ops *ops, const bool *is_left_out)
{
    pid_t child = fork();

    if (child == 0) {
        begin_quietly();
        run_ops(ops, is_left_out, false);
        end_well();
    }
    return wait_for(child);
}

/* Leaves out smaller and smaller pieces as long as it fails in the same way. */
static void
shrink(const struct ops *ops, int status, bool *is_left_out)
{
    time_t end = time(NULL) + SHRINK_S;

    for (uint32_t size = ops->count / 2; size > 0; size /= 2) {
        for (uint32_t at = 0; at < ops->count && time(NULL) < end; at += size) {
            bool before[OPS_MAX];

            memcpy(before, is_left_out, sizeof(before));
            for (uint32_t i = at; i < at + size && i < ops->count; i++) {
                is_left_out[i] = true;
            }
            if (memcmp(before, is_left_out, sizeof(before)) != 0 &&
                try_without(ops, is_left_out) != status) {
                memcpy(is_left_out, before, sizeof(before));
            }
        }
    }
}

static void
write_kept(const struct arguments *arguments, uint64_t seed, const struct ops *ops,
           const bool *is_left_out)
{
    char path[1024];
    uint32_t count = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/seed-%" PRIu64 ".sim", arguments->keep, seed);
    file = fopen(path, "w");
    if (file == NULL) {
        printf("cannot write %s: %s\n", path, strerror(errno));
        return;
    }
    for (uint32_t i = 0; i < ops->count; i++) {
        if (!is_left_out[i]) {
            op_print(file, &ops->at[i]);
            count++;
        }
    }
    fclose(file);
    printf("  %u of its %u ops still fail: %s\n", count, ops->count, path);
}

/* The ops of a seed that fails, and how it ends. */
static int
ops_of_seed(uint64_t seed, struct ops *ret_ops)
{
    char path[TEMP_PATH_MAX];
    uint32_t line;
    FILE *stream;
    pid_t child;
    int status;
    int file;

    temp_path(path, sizeof(path), "skirmish-sim");
    file = mkstemp(path);
    child = fork();
    if (child == 0) {
        begin_quietly();
        sim_ops_path = path;
        run_seed(seed, false);
        end_well();
    }
    status = wait_for(child);
    stream = fdopen(file, "r");
    if (stream != NULL) {
        (void)ops_read(stream, ret_ops, &line);
        fclose(stream);
    }
    unlink(path);
    return status;
}

static void
keep(const struct arguments *arguments, uint64_t seed)
{
    static bool is_left_out[OPS_MAX];
    struct ops ops = { 0 };
    int status = ops_of_seed(seed, &ops);

    memset(is_left_out, 0, sizeof(is_left_out));
    if (status != 0 && ops.count <= OPS_MAX) {
        if (try_without(&ops, is_left_out) == status) {
            shrink(&ops, status, is_left_out);
        } else {
            puts("  from its ops alone it does not fail");
        }
        write_kept(arguments, seed, &ops, is_left_out);
    }
    ops_fini(&ops);
}

/* ---- seeds ------------------------------------------------------------------------------- */

/* Runs seeds until `to` in a child; returns how it ended, and how far it came. */
static int
run_bunch(uint64_t from, uint64_t to, const struct arguments *arguments, uint64_t *progress)
{
    pid_t child = fork();

    if (child == 0) {
        for (uint64_t seed = from; seed < to; seed++) {
            *progress = seed;
            run_seed(seed, arguments->is_traced);
            if (arguments->digest != NULL) {
                write_digest(arguments->digest);
            }
        }
        end_well();
    }
    return wait_for(child);
}

/* A leak is known for the batch only. */
static uint64_t
find_leak(uint64_t from, uint64_t to, uint64_t *progress)
{
    for (uint64_t seed = from; seed < to; seed++) {
        if (run_bunch(seed, seed + 1, &(struct arguments){ 0 }, progress) != 0) {
            return seed;
        }
    }
    return from;
}

static int
run_seeds(const struct arguments *arguments)
{
    time_t end = time(NULL) + (time_t)arguments->seconds;
    uint64_t last = arguments->from + arguments->seeds;
    uint64_t *progress =
        mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint64_t seed = arguments->from;
    uint64_t failed = 0;

    while (seed < last && failed < arguments->failures &&
           (arguments->seconds == 0 || time(NULL) < end)) {
        uint64_t to = last - seed < BUNCH ? last : seed + BUNCH;
        int status = run_bunch(seed, to, arguments, progress);

        if (status != 0) {
            bool has_leaked = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_LEAK;
            uint64_t culprit = has_leaked ? find_leak(seed, to, progress) : *progress;

            printf("seed %" PRIu64 " failed\n", culprit);
            if (arguments->keep != NULL) {
                keep(arguments, culprit);
            }
            failed++;
            seed = has_leaked ? to : culprit + 1;
        } else {
            seed = to;
        }
        if (seed / 10000 != (seed - BUNCH) / 10000) {
            printf("... seed %" PRIu64 "\n", seed);
        }
        fflush(stdout);
    }
    printf("seeds %" PRIu64 " to %" PRIu64 "; go on with --from %" PRIu64 "\n", arguments->from,
           seed - 1, seed);
    printf("%d passed, %" PRIu64 " failed\n", failed == 0, failed);
    return failed == 0 ? 0 : 1;
}

/* ---- files ------------------------------------------------------------------------------- */

static int
run_file(const char *path, bool is_traced)
{
    FILE *file = fopen(path, "r");
    struct ops ops = { 0 };
    uint32_t line = 0;
    pid_t child;
    int status;

    if (file == NULL || !ops_read(file, &ops, &line)) {
        printf("%s:%u: %s\n", path, line, file == NULL ? strerror(errno) : "this is no op");
        return 1;
    }
    fclose(file);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        run_ops(&ops, NULL, is_traced);
        ops_fini(&ops);
        end_well();
    }
    status = wait_for(child);
    ops_fini(&ops);
    printf("%s %s\n", status == 0 ? "passed" : "FAILED", path);
    return status == 0 ? 0 : 1;
}

static int
run_files(char **paths, int count, bool is_traced)
{
    int failed = 0;

    for (int i = 0; i < count; i++) {
        failed += run_file(paths[i], is_traced);
    }
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed == 0 ? 0 : 1;
}

/* ---- options ----------------------------------------------------------------------------- */

static bool
take_option(char **argv, int *at, const char *name, const char **ret_value)
{
    if (strcmp(argv[*at], name) != 0 || argv[*at + 1] == NULL) {
        return false;
    }
    *ret_value = argv[++*at];
    return true;
}

int
main(int argc, char **argv)
{
    struct arguments arguments = { .from = 1, .seeds = 1000, .failures = 5 };
    const char *value = NULL;
    int at = 1;

    for (; at < argc && argv[at][0] == '-'; at++) {
        if (take_option(argv, &at, "--from", &value)) {
            arguments.from = strtoull(value, NULL, 10);
        } else if (take_option(argv, &at, "--seeds", &value)) {
            arguments.seeds = strtoull(value, NULL, 10);
        } else if (take_option(argv, &at, "--seconds", &value)) {
            arguments.seconds = strtoull(value, NULL, 10);
        } else if (take_option(argv, &at, "--failures", &value)) {
            arguments.failures = strtoull(value, NULL, 10);
        } else if (take_option(argv, &at, "--keep", &value)) {
            arguments.keep = value;
        } else if (take_option(argv, &at, "--digest", &value)) {
            arguments.digest = value;
        } else if (strcmp(argv[at], "--nodes") == 0) {
            has_nodes = true;
        } else if (strcmp(argv[at], "--trace") == 0) {
            arguments.is_traced = true;
        } else {
            fputs(usage, strcmp(argv[at], "--help") == 0 ? stdout : stderr);
            return strcmp(argv[at], "--help") == 0 ? 0 : 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    watch_for_death();
    return at < argc ? run_files(argv + at, argc - at, arguments.is_traced) : run_seeds(&arguments);
}
