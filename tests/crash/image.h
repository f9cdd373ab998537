/*
 * image - what a disk may hold after it lost its power.
 *
 * What was synced is there.  What came after it may be there or not, each
 * sector for itself, whatever the order it was written in; a sector on its
 * way may be torn, or hold anything within what was being written.  A file
 * may have any of the lengths between, and where nothing arrived it holds
 * zeros or anything.  Names that came or went since the folder was synced
 * may be as before or as after, each for itself.  The shared memory of a WAL
 * may be gone, or any bytes.
 *
 * What is assumed: bytes outside of a write are left alone (SQLite's
 * POWERSAFE_OVERWRITE, which its VFS for Unix assumes of every disk).
 *
 * Owner: the caller.
 */
#ifndef SK_CRASH_IMAGE_H
#define SK_CRASH_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/crash/chance.h"
#include "tests/crash/disk.h"

/* How a disk behaves; drawn anew for each image. */
struct image_way {
    uint32_t sector;         /* bytes */
    uint32_t keep_percent;   /* of the sectors that were not synced */
    uint32_t tear_percent;   /* of those kept */
    uint32_t rename_percent; /* of the names that were not synced: as they are now */
    size_t keep_before;      /* operations before this one are all kept; the rest by chance */
    bool has_garbage;        /* instead of zeros where nothing arrived */
    bool is_extended;        /* files have the length they had last */
};

struct image_way image_draw_way(struct chance *chance, size_t cut);

/* Fills the empty folder with what is left when the power goes after `cut` operations.
 * `shared` is the name of the WAL's shared memory. */
void image_write(const struct disk_log *log, size_t cut, const struct image_way *way,
                 struct chance *chance, const char *folder, const char *shared);

/* The value of the last mark before the cut, or 0. */
int64_t image_mark(const struct disk_log *log, size_t cut);

/* Empties a folder. */
void image_clear(const char *folder);

#endif /* SK_CRASH_IMAGE_H */
