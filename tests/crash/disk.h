/*
 * disk - records and fails the disk operations under SQLite.
 *
 * Replaces the system calls of SQLite's VFS: those in its table, and
 * fdatasync, which is not in it.  File operations of the store itself come
 * here too (the linker's --wrap).  For the files of one folder
 *
 *   - everything that reaches the disk is recorded in order: bytes, lengths,
 *     new and removed names, and syncs.  image.h makes images of what a power
 *     loss may leave from it.
 *   - calls can be made to fail, and the folder to be full.
 *
 * The files themselves are as the program expects.  Nothing is really synced:
 * power loss is simulated from the log.
 *
 * The shared memory of the WAL (-shm) is not recorded: it has no meaning after
 * a power loss.
 *
 * Owner:   this file; there is one disk in a process.
 * Threads: any.
 */
#ifndef SK_CRASH_DISK_H
#define SK_CRASH_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_NAME_MAX 63 /* of a file in the folder */

enum disk_op_kind {
    DISK_WRITE,       /* file, at, bytes */
    DISK_TRUNCATE,    /* file, at: its new length */
    DISK_SYNC,        /* file */
    DISK_NAME,        /* name is now file, or nothing (DISK_NO_FILE) */
    DISK_SYNC_FOLDER, /* all names */
    DISK_MARK         /* at: whatever the test says */
};

#define DISK_NO_FILE UINT32_MAX

struct disk_op {
    enum disk_op_kind kind;
    uint32_t file; /* one number per file that ever existed; names come and go */
    uint32_t name; /* index of the log's names */
    int64_t at;
    uint8_t *bytes;
    size_t size;
};

struct disk_log {
    struct disk_op *ops;
    size_t count;
    size_t space;
    char (*names)[DISK_NAME_MAX + 1];
    uint32_t name_count;
    uint32_t file_count;
};

/* Once, before the first database is opened. */
void disk_install(void);

/* Watches this folder; its current contents are on disk.  Clears the log. */
void disk_begin(const char *folder);

/* Stops watching and failing. */
void disk_end(void);

/* A mark of the test among the operations. */
void disk_mark(int64_t value);

/* Valid while nothing is written. */
const struct disk_log *disk_log(void);

void disk_log_free(void);

/* ---- a disk that lies, for controls ------------------------------------------------------ */

/* Syncs of files whose name ends so are not noted: their bytes may be lost for ever.  "" is
 * every file, NULL none. */
void disk_lie(const char *name_end);

/* ---- a disk that fails ------------------------------------------------------------------- */

enum disk_call {
    DISK_CALL_OPEN,
    DISK_CALL_READ,
    DISK_CALL_WRITE,
    DISK_CALL_TRUNCATE,
    DISK_CALL_SYNC,
    DISK_CALL_REMOVE
};

struct disk_fault {
    enum disk_call call;
    uint32_t after;       /* calls that succeed first */
    uint32_t times;       /* then this many fail */
    int error;            /* with this errno */
    const char *name_end; /* only files whose name ends so; "" = all */
};

/* One at a time; NULL = none.  Copied. */
void disk_fail(const struct disk_fault *fault);

/* Calls since disk_fail: those that failed, and all of that kind. */
uint32_t disk_failed(void);
uint32_t disk_matched(void);

/* Bytes that all files of the folder may have together; 0 = any number.  A write that goes
 * beyond is cut where the disk is full, then ENOSPC. */
void disk_quota(uint64_t bytes);

/* Bytes that they have. */
uint64_t disk_used(void);

#endif /* SK_CRASH_DISK_H */
