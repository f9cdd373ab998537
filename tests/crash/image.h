/*
 * image - what a disk may contain after a power loss.
 *
 * Everything that was synced is there.  Each later sector may be there or not,
 * in any order; a sector under way may be torn, or contain garbage where it
 * was being written.  A file may have any length in between; where nothing
 * arrived it contains zeros or garbage.  Each name that changed since the
 * folder was synced may be as before or as after.  The shared memory of a WAL
 * may be missing, or contain any bytes.
 *
 * It is assumed that bytes outside of a write are not changed (SQLite's
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

/* How the disk behaves; drawn for each image. */
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

/* Fills the empty folder with what is left after a power loss at operation `cut`.  `shared` is
 * the name of the WAL's shared memory. */
void image_write(const struct disk_log *log, size_t cut, const struct image_way *way,
                 struct chance *chance, const char *folder, const char *shared);

/* The value of the last mark before the cut, or 0. */
int64_t image_mark(const struct disk_log *log, size_t cut);

/* Empties a folder. */
void image_clear(const char *folder);

#endif /* SK_CRASH_IMAGE_H */
