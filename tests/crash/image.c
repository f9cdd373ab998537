#include "tests/crash/image.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE        512
#define SHARED_BYTES_MAX 65536u

/* One file being put together. */
struct content {
    uint8_t *bytes;
    size_t size;
    size_t space;
    size_t size_max; /* the longest it may be */
};

static void
need(const void *what)
{
    if (what == NULL) {
        abort();
    }
}

static void
random_bytes(struct chance *chance, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)chance_draw(chance);
    }
}

/* ---- one file ---------------------------------------------------------------------------- */

static void
set_size(struct content *content, size_t size, const struct image_way *way, struct chance *chance)
{
    if (size > content->space) {
        content->space = 2 * size;
        content->bytes = realloc(content->bytes, content->space);
        need(content->bytes);
    }
    if (size > content->size) {
        uint8_t *hole = content->bytes + content->size;

        memset(hole, 0, size - content->size);
        if (way != NULL && way->has_garbage) {
            random_bytes(chance, hole, size - content->size);
        }
    }
    content->size = size;
}

static void
put(struct content *content, size_t at, const uint8_t *bytes, size_t size,
    const struct image_way *way, struct chance *chance)
{
    if (at + size > content->size) {
        set_size(content, at + size, way, chance);
    }
    memcpy(content->bytes + at, bytes, size);
}

static void
apply(struct content *content, const struct disk_op *op)
{
    if (op->kind == DISK_WRITE) {
        put(content, (size_t)op->at, op->bytes, op->size, NULL, NULL);
    } else if (op->kind == DISK_TRUNCATE) {
        set_size(content, (size_t)op->at, NULL, NULL);
    }
}

/* The part of a write within one sector, under way when the power failed. */
static void
put_torn(struct content *content, size_t at, const uint8_t *bytes, size_t size,
         const struct image_way *way, struct chance *chance)
{
    uint8_t rubbish[8192];
    size_t part = (size_t)chance_below(chance, size + 1);

    switch (chance_below(chance, 3)) {
    case 0: /* its beginning arrived */
        put(content, at, bytes, part, way, chance);
        break;
    case 1: /* its end */
        put(content, at + part, bytes + part, size - part, way, chance);
        break;
    default: /* something */
        random_bytes(chance, rubbish, size);
        put(content, at, rubbish, size, way, chance);
        break;
    }
}

static void
apply_by_chance(struct content *content, const struct disk_op *op, const struct image_way *way,
                struct chance *chance)
{
    size_t done = 0;

    while (done < op->size) {
        size_t at = (size_t)op->at + done;
        size_t size = way->sector - at % way->sector;

        if (size > op->size - done) {
            size = op->size - done;
        }
        if (chance_is(chance, way->keep_percent)) {
            if (chance_is(chance, way->tear_percent)) {
                put_torn(content, at, op->bytes + done, size, way, chance);
            } else {
                put(content, at, op->bytes + done, size, way, chance);
            }
        }
        done += size;
    }
}

static size_t
last_sync(const struct disk_log *log, size_t cut, uint32_t file)
{
    size_t found = 0;

    for (size_t i = 0; i < cut; i++) {
        if (log->ops[i].kind == DISK_SYNC && log->ops[i].file == file) {
            found = i;
        }
    }
    return found;
}

static void
apply_unsynced(struct content *content, const struct disk_op *op, size_t number,
               const struct image_way *way, struct chance *chance)
{
    size_t end = (size_t)op->at + op->size; /* of a truncation: its new length */

    if (end > content->size_max) {
        content->size_max = end;
    }
    if (number < way->keep_before) {
        apply(content, op);
    } else if (op->kind == DISK_WRITE) {
        apply_by_chance(content, op, way, chance);
    } else if (chance_is(chance, way->keep_percent)) {
        set_size(content, (size_t)op->at, way, chance);
    }
}

static struct content
put_together(const struct disk_log *log, size_t cut, uint32_t file, const struct image_way *way,
             struct chance *chance)
{
    struct content content = { 0 };
    size_t synced = last_sync(log, cut, file);

    set_size(&content, 1, NULL, NULL); /* so that there is memory */
    content.size = 0;
    for (size_t i = 0; i < cut; i++) {
        const struct disk_op *op = &log->ops[i];

        if (op->file != file || (op->kind != DISK_WRITE && op->kind != DISK_TRUNCATE)) {
            continue;
        }
        if (i < synced) {
            apply(&content, op);
            content.size_max = content.size;
        } else {
            apply_unsynced(&content, op, i, way, chance);
        }
    }
    if (way->is_extended && content.size < content.size_max) {
        set_size(&content, content.size_max, way, chance);
    }
    return content;
}

static void
write_file(const char *folder, const char *name, const uint8_t *bytes, size_t size)
{
    char path[PATH_SIZE];
    size_t done = 0;
    int file;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    while (file >= 0 && done < size) {
        ssize_t written = write(file, bytes + done, size - done);

        if (written <= 0) {
            abort();
        }
        done += (size_t)written;
    }
    if (file < 0 || close(file) != 0) {
        abort();
    }
}

/* ---- names ------------------------------------------------------------------------------- */

static size_t
last_folder_sync(const struct disk_log *log, size_t cut)
{
    size_t found = 0;

    for (size_t i = 0; i < cut; i++) {
        if (log->ops[i].kind == DISK_SYNC_FOLDER) {
            found = i;
        }
    }
    return found;
}

/* Changes of a name since the folder was synced happen in order, up to some moment. */
static uint32_t
file_of_name(const struct disk_log *log, size_t cut, uint32_t name, const struct image_way *way,
             struct chance *chance)
{
    size_t synced = last_folder_sync(log, cut);
    uint32_t file = DISK_NO_FILE;

    for (size_t i = 0; i < cut; i++) {
        const struct disk_op *op = &log->ops[i];

        if (op->kind != DISK_NAME || op->name != name) {
            continue;
        }
        if (i >= synced && i >= way->keep_before && !chance_is(chance, way->rename_percent)) {
            break;
        }
        file = op->file;
    }
    return file;
}

/* ---- the image --------------------------------------------------------------------------- */

struct image_way
image_draw_way(struct chance *chance, size_t cut)
{
    static const uint32_t sectors[] = { 512, 4096 };
    static const uint32_t percents[] = { 0, 10, 50, 90, 100 };
    struct image_way way = {
        .sector = sectors[chance_below(chance, 2)],
        .keep_percent = percents[chance_below(chance, 5)],
        .tear_percent = chance_is(chance, 50) ? 10 : 0,
        .rename_percent = percents[chance_below(chance, 5)],
        .has_garbage = chance_is(chance, 25),
        .is_extended = chance_is(chance, 30),
    };

    if (chance_is(chance, 30)) { /* a disk that keeps the order, up to some moment */
        way.keep_before = (size_t)chance_below(chance, cut + 1);
    }
    return way;
}

static void
write_shared(struct chance *chance, const char *folder, const char *name)
{
    size_t size = (size_t)chance_below(chance, SHARED_BYTES_MAX);
    uint8_t *bytes = malloc(size + 1);

    need(bytes);
    random_bytes(chance, bytes, size);
    if (chance_is(chance, 50)) {
        write_file(folder, name, bytes, size);
    }
    free(bytes);
}

void
image_write(const struct disk_log *log, size_t cut, const struct image_way *way,
            struct chance *chance, const char *folder, const char *shared)
{
    for (uint32_t name = 0; name < log->name_count; name++) {
        uint32_t file = file_of_name(log, cut, name, way, chance);

        if (file != DISK_NO_FILE) {
            struct content content = put_together(log, cut, file, way, chance);

            write_file(folder, log->names[name], content.bytes, content.size);
            free(content.bytes);
        }
    }
    write_shared(chance, folder, shared);
}

int64_t
image_mark(const struct disk_log *log, size_t cut)
{
    int64_t value = 0;

    for (size_t i = 0; i < cut; i++) {
        if (log->ops[i].kind == DISK_MARK) {
            value = log->ops[i].at;
        }
    }
    return value;
}

void
image_clear(const char *folder)
{
    const struct dirent *entry;
    DIR *list = opendir(folder);
    char path[PATH_SIZE];

    need(list);
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
            if (unlink(path) != 0) {
                abort();
            }
        }
    }
    (void)closedir(list);
}
