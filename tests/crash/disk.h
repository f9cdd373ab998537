/*
 * disk - the disk under SQLite, watched.
 *
 * Stands where SQLite's VFS calls the system: its table of system calls, and
 * fdatasync, which is not in it.  What the store itself does with files comes
 * here too (the linker's --wrap).  For the files of one folder
 *
 *   - everything that reaches the disk is noted in order: bytes, lengths,
 *     names that come and go, and syncs.  image.h makes of that what a loss
 *     of power may leave.
 *   - calls can be made to fail, and the folder to be full.
 *
 * The files themselves are as the program believes them to be.  Nothing is
 * really synced: a disk that loses its power is the log's matter.
 *
 * The shared memory of the WAL (-shm) is not noted: it means nothing after a
 * loss of power.
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
    uint32_t file; /* a number for each file that ever was; names come and go */
    uint32_t name; /* index of the log's names */
    int64_t at;
    uint8_t *bytes;
    size_t size;
};

struct disk_log {
    struct disk_op *ops;
    size_t count;
    size_t room;
    char (*names)[DISK_NAME_MAX + 1];
    uint32_t name_count;
    uint32_t file_count;
};

/* Once, before the first database is opened. */
void disk_install(void);

/* Watches this folder; what is in it now is on the disk.  Forgets the log before. */
void disk_begin(const char *folder);

/* Watches no more, and fails no more. */
void disk_end(void);

/* A note of the test's among the operations. */
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
    uint32_t after;       /* so many calls are fine */
    uint32_t times;       /* then so many fail */
    int error;            /* with this */
    const char *name_end; /* only files whose name ends so; "" = all */
};

/* One at a time; NULL = none.  Copied. */
void disk_fail(const struct disk_fault *fault);

/* Calls since disk_fail: those that failed, and all that the fault was about. */
uint32_t disk_failed(void);
uint32_t disk_matched(void);

/* Bytes that all files of the folder may have together; 0 = any number.  A write that goes
 * beyond is cut where the disk is full, then ENOSPC. */
void disk_quota(uint64_t bytes);

/* Bytes that they have. */
uint64_t disk_used(void);

#endif /* SK_CRASH_DISK_H */
