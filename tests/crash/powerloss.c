/*
 * Power loss: everything acknowledged is there afterwards.
 *
 *   powerloss --seed N --seeds COUNT     COUNT seeds from N on
 *             --openings N               at every Nth moment of a first start,
 *                                        and of one that migrates; the seed
 *                                        says which is the first
 *             --control                  the disk ignores syncs: losses
 *                                        must be found
 *
 * A seed is a database with several lives.  In each life the real store works
 * on a disk that records everything (disk.h).  Then the power fails at several
 * moments of that life; each time something else is left (image.h), and it must
 * contain everything that was acknowledged until then (check.h).  The next life
 * begins with the last image.
 */
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/crash/check.h"
#include "tests/crash/disk.h"
#include "tests/crash/image.h"
#include "tests/crash/work.h"
#include "tests/support/temp.h"

#define LIVES       3
#define CUTS        4 /* power losses per life */
#define FOLDER_SIZE 256
#define OLD_PERCENT 25 /* of the seeds begin with a database of an older program */

struct run {
    char folder[FOLDER_SIZE];      /* the disk */
    char left_folder[FOLDER_SIZE]; /* an image that is checked */
    const char *lies;              /* or NULL */
    bool had_older;
    uint64_t images;
    uint64_t unsynced; /* steps that were stored but not acknowledged */
};

/* ---- moments ----------------------------------------------------------------------------- */

/* The number of a random operation of this kind, plus one: the power fails right after it. */
static size_t
after_some(const struct disk_log *log, enum disk_op_kind kind, struct chance *chance)
{
    size_t start = (size_t)chance_below(chance, log->count);

    for (size_t i = 0; i < log->count; i++) {
        size_t at = (start + i) % log->count;

        if (log->ops[at].kind == kind) {
            return at + 1;
        }
    }
    return log->count;
}

/* Operations from before the life do not belong to it. */
static size_t
first_moment(const struct disk_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        if (log->ops[i].kind == DISK_SYNC_FOLDER) {
            return i + 1;
        }
    }
    return 0;
}

static size_t
draw_cut(const struct disk_log *log, struct chance *chance)
{
    size_t first = first_moment(log);
    size_t length = log->count - first;
    size_t cut;

    switch (chance_below(chance, 7)) {
    case 0: /* while it opens and recovers */
        cut = first + (size_t)chance_below(chance, length / 8 + 1);
        break;
    case 1:
        cut = log->count;
        break;
    case 2: /* just acknowledged */
        cut = after_some(log, DISK_MARK, chance);
        break;
    case 3: /* just before a sync has ended */
        cut = after_some(log, DISK_SYNC, chance) - 1;
        break;
    case 4: /* just after it, perhaps before that of the folder */
        cut = after_some(log, DISK_SYNC, chance);
        break;
    default:
        cut = first + (size_t)chance_below(chance, length + 1);
        break;
    }
    return cut < first ? first : cut;
}

/* ---- lives ------------------------------------------------------------------------------- */

static bool
lose_power(struct run *run, const struct work *work, size_t cut, struct image_way way,
           struct chance chance, uint32_t *ret_steps)
{
    const struct disk_log *log = disk_log();
    uint32_t acknowledged = (uint32_t)image_mark(log, cut);

    image_clear(run->left_folder);
    image_write(log, cut, &way, &chance, run->left_folder, WORK_DATABASE "-shm");
    run->images++;
    if (!check_folder(work, run->left_folder, acknowledged, run->had_older, ret_steps)) {
        return work_complain("  after operation %zu of %zu; sectors of %u, %u%% kept, %u%% torn, "
                             "all before %zu, names %u%%%s%s",
                             cut, log->count, way.sector, way.keep_percent, way.tear_percent,
                             way.keep_before, way.rename_percent,
                             way.has_garbage ? ", garbage" : "",
                             way.is_extended ? ", extended" : "");
    }
    run->unsynced += *ret_steps - acknowledged;
    return true;
}

/* The next life begins with what the last power loss left, not with what the check changed. */
static void
go_on_with(struct run *run, struct work *work, size_t cut, struct image_way way,
           struct chance chance, uint32_t steps)
{
    image_clear(run->folder);
    image_write(disk_log(), cut, &way, &chance, run->folder, WORK_DATABASE "-shm");
    work_cut(work, steps);
}

static bool
record(struct run *run, struct work *work, struct chance *chance)
{
    bool is_fine;

    disk_begin(run->folder);
    disk_lie(run->lies);
    is_fine = work_live(work, chance, run->folder);
    disk_end();
    return is_fine;
}

static bool
live(struct run *run, struct work *work, struct chance *chance)
{
    struct image_way way = { 0 };
    struct chance image_chance = { 0 };
    uint32_t steps = 0;
    size_t cut = 0;
    bool is_fine = record(run, work, chance);

    for (int i = 0; i < CUTS && is_fine; i++) {
        cut = draw_cut(disk_log(), chance);
        way = image_draw_way(chance, cut);
        image_chance.state = chance_draw(chance);
        is_fine = lose_power(run, work, cut, way, image_chance, &steps);
    }
    if (is_fine) {
        go_on_with(run, work, cut, way, image_chance, steps);
    }
    return is_fine;
}

static bool
run_seed(struct run *run, uint64_t seed)
{
    struct chance chance = chance_of(seed, 0);
    struct work work;
    bool is_fine = true;

    image_clear(run->folder);
    work_init(&work);
    run->had_older = chance_is(&chance, OLD_PERCENT);
    if (run->had_older) {
        work_make_old(&work, run->folder);
    }
    for (int i = 0; i < LIVES && is_fine; i++) {
        is_fine = live(run, &work, &chance) || work_complain("  in life %d", i);
    }
    if (!is_fine) {
        (void)work_complain("  of seed %" PRIu64 ": powerloss --seed %" PRIu64 " --seeds 1", seed,
                            seed);
    }
    work_fini(&work);
    disk_log_free();
    return is_fine;
}

/* ---- openings ---------------------------------------------------------------------------- */

/* Until the first step is acknowledged. */
static size_t
opening_length(const struct disk_log *log)
{
    size_t length = 0;

    while (length < log->count && log->ops[length].kind != DISK_MARK) {
        length++;
    }
    return length;
}

static bool
lose_in_every_way(struct run *run, const struct work *work, size_t cut, struct chance *chance)
{
    static const uint32_t percents[] = { 0, 50, 100 };
    bool is_fine = true;

    for (int i = 0; i < 9 && is_fine; i++) {
        struct image_way way = {
            .sector = 512,
            .keep_percent = percents[i % 3],
            .rename_percent = percents[i / 3],
        };
        uint32_t steps;

        is_fine = lose_power(run, work, cut, way, *chance, &steps);
        (void)chance_draw(chance);
    }
    return is_fine;
}

static bool
run_opening(struct run *run, uint64_t seed, uint64_t every, bool has_older)
{
    struct chance chance = chance_of(seed, has_older);
    struct work work;
    size_t length;
    bool is_fine;

    image_clear(run->folder);
    work_init(&work);
    run->had_older = has_older;
    if (has_older) {
        work_make_old(&work, run->folder);
    }
    is_fine = record(run, &work, &chance);
    length = opening_length(disk_log());
    for (size_t cut = first_moment(disk_log()) + seed % every; cut <= length && is_fine;
         cut += every) {
        is_fine = lose_in_every_way(run, &work, cut, &chance);
    }
    work_fini(&work);
    disk_log_free();
    return is_fine;
}

static int
run_openings(struct run *run, uint64_t seed, uint64_t every)
{
    int passed = run_opening(run, seed, every, false) + run_opening(run, seed, every, true);

    (void)printf("power loss at one of %" PRIu64 " moments of two openings: %" PRIu64 " images\n",
                 every, run->images);
    (void)printf("%d passed, %d failed\n", passed, 2 - passed);
    return passed == 2 ? 0 : 1;
}

/* ---- runs -------------------------------------------------------------------------------- */

static int
remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void
make_folders(struct run *run)
{
    temp_path(run->folder, sizeof(run->folder), "skirmish-disk");
    temp_path(run->left_folder, sizeof(run->left_folder), "skirmish-left");
    if (mkdtemp(run->folder) == NULL || mkdtemp(run->left_folder) == NULL) {
        perror("powerloss: no folder");
        exit(2);
    }
}

static void
remove_folders(const struct run *run)
{
    (void)nftw(run->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    (void)nftw(run->left_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int
run_seeds(struct run *run, uint64_t seed, uint64_t count)
{
    uint64_t failed = 0;

    for (uint64_t i = 0; i < count; i++) {
        failed += !run_seed(run, seed + i);
        if ((i + 1) % 100 == 0) {
            (void)printf("%" PRIu64 " of %" PRIu64 " seeds, %" PRIu64 " failed\n", i + 1, count,
                         failed);
            (void)fflush(stdout);
        }
    }
    (void)printf("power loss: seeds %" PRIu64 " to %" PRIu64 ", %" PRIu64 " images, %" PRIu64
                 " steps found stored that nobody had been told of\n",
                 seed, seed + count - 1, run->images, run->unsynced);
    (void)printf("%d passed, %" PRIu64 " failed\n", failed == 0, failed);
    return failed == 0 ? 0 : 1;
}

/* A disk that ignores syncs: the test must find the loss, or it finds nothing at all. */
static int
run_controls(struct run *run, uint64_t seed, uint64_t count)
{
    static const struct {
        const char *label;
        const char *lies;
    } controls[] = {
        { "no sync is one", "" },
        { "those of the log are none", "-wal" },
        { "those of the database are none", ".db" },
        { "those of the folder are none", "/" },
    };
    int failed = 0;
    int total = (int)(sizeof(controls) / sizeof(controls[0]));

    for (int i = 0; i < total; i++) {
        uint64_t found = 0;

        run->lies = controls[i].lies;
        work_be_quiet(true);
        for (uint64_t j = 0; j < count; j++) {
            found += !run_seed(run, seed + j);
        }
        work_be_quiet(false);
        (void)printf("control, %s: losses in %" PRIu64 " of %" PRIu64 " seeds%s\n",
                     controls[i].label, found, count, found == 0 ? ": NOT FOUND" : "");
        failed += found == 0;
    }
    (void)printf("%d passed, %d failed\n", total - failed, failed);
    return failed == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
    static struct run run;
    uint64_t seed = 1;
    uint64_t count = 50;
    bool is_control = false;
    uint64_t every = 0;
    int status;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) {
            count = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--control") == 0) {
            is_control = true;
        } else if (strcmp(argv[i], "--openings") == 0 && i + 1 < argc) {
            every = strtoull(argv[++i], NULL, 10);
        } else {
            (void)fprintf(
                stderr, "usage: powerloss [--seed N] [--seeds COUNT] [--openings N | --control]\n");
            return 2;
        }
    }
    make_folders(&run);
    disk_install();
    status = every > 0    ? run_openings(&run, seed, every)
             : is_control ? run_controls(&run, seed, count)
                          : run_seeds(&run, seed, count);
    remove_folders(&run);
    return status;
}
