#include "tests/crash/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The linker makes the first of what our code calls open, rename and so on,
 * and the second is then the C library's.
 */
int __wrap_open(const char *path, int flags, ...);
int __wrap_rename(const char *from, const char *to);
int __wrap_remove(const char *path);
int __wrap_unlink(const char *path);
int __real_open(const char *path, int flags, ...);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);

#define FILES_MAX       1024 /* descriptors that are tracked */
#define NOT_OURS        (-1) /* a descriptor of something else */
#define IS_FOLDER       (-2) /* of the folder itself */
#define IS_SHARED       (-3) /* of a -shm */
#define FOLDER_NAME_MAX 255

struct descriptor {
    int file; /* number of the file, or one of the above */
    uint32_t name;
};

static struct {
    pthread_mutex_t lock;
    bool is_watching;
    char folder[FOLDER_NAME_MAX + 1];
    struct disk_log log;
    uint32_t *bound; /* by name: its file now, or DISK_NO_FILE */
    int64_t *sizes;  /* by file: its length now */
    struct descriptor descriptors[FILES_MAX];
    const char *lies;
    struct disk_fault fault;
    bool has_fault;
    uint32_t failed;
    uint32_t matched;
    uint64_t quota;
} disk = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
lock(void)
{
    (void)pthread_mutex_lock(&disk.lock);
}

static void
unlock(void)
{
    (void)pthread_mutex_unlock(&disk.lock);
}

static void *
grow(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* ---- the log ----------------------------------------------------------------------------- */

static struct disk_op *
note(enum disk_op_kind kind, uint32_t file, int64_t at)
{
    struct disk_log *log = &disk.log;

    if (log->count == log->space) {
        log->space = log->space == 0 ? 1024 : 2 * log->space;
        log->ops = grow(log->ops, log->space * sizeof(*log->ops));
    }
    log->ops[log->count] = (struct disk_op){ .kind = kind, .file = file, .at = at };
    return &log->ops[log->count++];
}

static void
note_bytes(uint32_t file, int64_t at, const void *bytes, size_t size)
{
    struct disk_op *op = note(DISK_WRITE, file, at);

    op->bytes = grow(NULL, size);
    op->size = size;
    memcpy(op->bytes, bytes, size);
    if (at + (int64_t)size > disk.sizes[file]) {
        disk.sizes[file] = at + (int64_t)size;
    }
}

static uint32_t
name_number(const char *name)
{
    struct disk_log *log = &disk.log;

    for (uint32_t i = 0; i < log->name_count; i++) {
        if (strcmp(log->names[i], name) == 0) {
            return i;
        }
    }
    log->names = grow(log->names, (log->name_count + 1) * sizeof(*log->names));
    disk.bound = grow(disk.bound, (log->name_count + 1) * sizeof(*disk.bound));
    (void)snprintf(log->names[log->name_count], sizeof(*log->names), "%s", name);
    disk.bound[log->name_count] = DISK_NO_FILE;
    return log->name_count++;
}

static void
bind_name(uint32_t name, uint32_t file)
{
    disk.bound[name] = file;
    note(DISK_NAME, file, 0)->name = name;
}

static uint32_t
new_file(void)
{
    disk.sizes = grow(disk.sizes, (disk.log.file_count + 1) * sizeof(*disk.sizes));
    disk.sizes[disk.log.file_count] = 0;
    return disk.log.file_count++;
}

/* The part of the path after the folder: "" for the folder itself, NULL if it is elsewhere. */
static const char *
name_in_folder(const char *path)
{
    size_t length = strlen(disk.folder);

    if (!disk.is_watching || strncmp(path, disk.folder, length) != 0) {
        return NULL;
    }
    if (path[length] == '\0') {
        return "";
    }
    return path[length] == '/' && strlen(path + length + 1) <= DISK_NAME_MAX ? path + length + 1
                                                                             : NULL;
}

/* ---- faults ------------------------------------------------------------------------------ */

/* Returns true, with errno set, if it must fail. */
static bool
fails(enum disk_call call, const char *name)
{
    struct disk_fault *fault = &disk.fault;

    if (!disk.has_fault || fault->call != call || !ends_with(name, fault->name_end)) {
        return false;
    }
    disk.matched++;
    if (fault->after > 0) {
        fault->after--;
        return false;
    }
    if (fault->times == 0) {
        return false;
    }
    fault->times--;
    disk.failed++;
    errno = fault->error;
    return true;
}

static uint64_t
used(void)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < disk.log.name_count; i++) {
        sum += disk.bound[i] == DISK_NO_FILE ? 0 : (uint64_t)disk.sizes[disk.bound[i]];
    }
    return sum;
}

/* How much of a write fits. */
static size_t
space_for(uint32_t file, int64_t at, size_t size)
{
    int64_t beyond = at + (int64_t)size - disk.sizes[file];
    uint64_t now = disk.quota == 0 ? 0 : used();
    uint64_t left = now < disk.quota ? disk.quota - now : 0;

    if (disk.quota == 0 || beyond <= 0 || (uint64_t)beyond <= left) {
        return size;
    }
    return size - (size_t)((uint64_t)beyond - left);
}

/* ---- the calls --------------------------------------------------------------------------- */

static struct descriptor
look_up(int file)
{
    struct descriptor none = { .file = NOT_OURS };

    return disk.is_watching && file >= 0 && file < FILES_MAX ? disk.descriptors[file] : none;
}

static const char *
name_of(struct descriptor descriptor)
{
    return descriptor.file == IS_FOLDER ? "/" : disk.log.names[descriptor.name];
}

static void
opened(int file, const char *name, int flags)
{
    struct descriptor *place = &disk.descriptors[file];

    *place = (struct descriptor){ .file = NOT_OURS };
    if (name == NULL) {
        return;
    }
    if (name[0] == '\0') {
        place->file = IS_FOLDER;
        return;
    }
    place->name = name_number(name);
    if (ends_with(name, "-shm")) {
        place->file = IS_SHARED;
        return;
    }
    if (disk.bound[place->name] == DISK_NO_FILE) {
        bind_name(place->name, new_file());
    }
    place->file = (int)disk.bound[place->name];
    if ((flags & O_TRUNC) != 0) {
        disk.sizes[place->file] = 0;
        (void)note(DISK_TRUNCATE, (uint32_t)place->file, 0);
    }
}

static int
disk_open(const char *path, int flags, int mode)
{
    const char *name;
    int file = -1;

    lock();
    name = name_in_folder(path);
    if (name == NULL || !fails(DISK_CALL_OPEN, name)) {
        file = __real_open(path, flags, mode);
        if (file >= FILES_MAX) {
            abort();
        }
        if (file >= 0) {
            opened(file, name, flags);
        }
    }
    unlock();
    return file;
}

static ssize_t
disk_pwrite(int file, const void *bytes, size_t size, off_t at)
{
    struct descriptor descriptor;
    ssize_t written = -1;

    lock();
    descriptor = look_up(file);
    if (descriptor.file < 0) {
        bool is_failing =
            descriptor.file == IS_SHARED && fails(DISK_CALL_WRITE, name_of(descriptor));

        written = is_failing ? -1 : pwrite(file, bytes, size, at);
    } else if (!fails(DISK_CALL_WRITE, name_of(descriptor))) {
        size_t fits = space_for((uint32_t)descriptor.file, at, size);

        if (fits == 0 && size > 0) {
            disk.failed++;
            errno = ENOSPC;
        } else {
            written = pwrite(file, bytes, fits, at);
        }
        if (written > 0) {
            note_bytes((uint32_t)descriptor.file, at, bytes, (size_t)written);
        }
    }
    unlock();
    return written;
}

static ssize_t
disk_write(int file, const void *bytes, size_t size)
{
    off_t at = lseek(file, 0, SEEK_CUR);
    ssize_t written;

    if (at < 0) {
        return write(file, bytes, size);
    }
    written = disk_pwrite(file, bytes, size, at);
    if (written > 0) {
        (void)lseek(file, at + written, SEEK_SET);
    }
    return written;
}

static ssize_t
disk_pread(int file, void *bytes, size_t size, off_t at)
{
    struct descriptor descriptor;
    bool is_failing;

    lock();
    descriptor = look_up(file);
    is_failing = descriptor.file >= 0 && fails(DISK_CALL_READ, name_of(descriptor));
    unlock();
    return is_failing ? -1 : pread(file, bytes, size, at);
}

static int
disk_ftruncate(int file, off_t size)
{
    struct descriptor descriptor;
    int result = -1;

    lock();
    descriptor = look_up(file);
    if (descriptor.file < 0) {
        result = ftruncate(file, size);
    } else if (!fails(DISK_CALL_TRUNCATE, name_of(descriptor))) {
        result = ftruncate(file, size);
        if (result == 0) {
            disk.sizes[descriptor.file] = size;
            (void)note(DISK_TRUNCATE, (uint32_t)descriptor.file, size);
        }
    }
    unlock();
    return result;
}

static int
disk_unlink(const char *path)
{
    const char *name;
    int result = -1;

    lock();
    name = name_in_folder(path);
    if (name == NULL || !fails(DISK_CALL_REMOVE, name)) {
        result = __real_unlink(path);
    }
    if (result == 0 && name != NULL && name[0] != '\0' && !ends_with(name, "-shm")) {
        bind_name(name_number(name), DISK_NO_FILE);
    }
    unlock();
    return result;
}

static int
disk_rename(const char *from, const char *to)
{
    const char *from_name;
    const char *to_name;
    int result;

    lock();
    from_name = name_in_folder(from);
    to_name = name_in_folder(to);
    result = __real_rename(from, to);
    if (result == 0 && from_name != NULL && to_name != NULL) {
        uint32_t number = name_number(from_name);
        uint32_t file = disk.bound[number];

        bind_name(name_number(to_name), file);
        bind_name(number, DISK_NO_FILE);
    }
    unlock();
    return result;
}

static int
disk_sync(int file)
{
    struct descriptor descriptor;
    int result = 0;

    lock();
    descriptor = look_up(file);
    if (descriptor.file == NOT_OURS || descriptor.file == IS_SHARED) {
        result = 0; /* slow and not needed */
    } else if (fails(DISK_CALL_SYNC, name_of(descriptor))) {
        result = -1;
    } else if (disk.lies == NULL || !ends_with(name_of(descriptor), disk.lies)) {
        bool is_folder = descriptor.file == IS_FOLDER;

        (void)note(is_folder ? DISK_SYNC_FOLDER : DISK_SYNC,
                   is_folder ? DISK_NO_FILE : (uint32_t)descriptor.file, 0);
    }
    unlock();
    return result;
}

/* ---- where they are called from ---------------------------------------------------------- */

/* In place of the C library's, also for libraries. */
int
fdatasync(int file)
{
    return disk_sync(file);
}

int
fsync(int file)
{
    return disk_sync(file);
}

int
__wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    int mode = 0;

    if ((flags & O_CREAT) != 0) {
        va_start(arguments, flags);
        mode = va_arg(arguments, int);
        va_end(arguments);
    }
    return disk_open(path, flags, mode);
}

int
__wrap_rename(const char *from, const char *to)
{
    return disk_rename(from, to);
}

int
__wrap_remove(const char *path)
{
    return disk_unlink(path);
}

int
__wrap_unlink(const char *path)
{
    return disk_unlink(path);
}

void
disk_install(void)
{
    static const struct {
        const char *name;
        sqlite3_syscall_ptr call;
    } calls[] = {
        { "open", (sqlite3_syscall_ptr)disk_open },
        { "write", (sqlite3_syscall_ptr)disk_write },
        { "pwrite", (sqlite3_syscall_ptr)disk_pwrite },
        { "pwrite64", (sqlite3_syscall_ptr)disk_pwrite },
        { "pread", (sqlite3_syscall_ptr)disk_pread },
        { "pread64", (sqlite3_syscall_ptr)disk_pread },
        { "ftruncate", (sqlite3_syscall_ptr)disk_ftruncate },
        { "unlink", (sqlite3_syscall_ptr)disk_unlink },
    };
    sqlite3_vfs *vfs;

    (void)sqlite3_initialize();
    vfs = sqlite3_vfs_find(NULL);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (vfs->xSetSystemCall(vfs, calls[i].name, calls[i].call) != SQLITE_OK) {
            abort();
        }
    }
    for (size_t i = 0; i < FILES_MAX; i++) {
        disk.descriptors[i].file = NOT_OURS;
    }
}

/* ---- watching ---------------------------------------------------------------------------- */

void
disk_log_free(void)
{
    for (size_t i = 0; i < disk.log.count; i++) {
        free(disk.log.ops[i].bytes);
    }
    free(disk.log.ops);
    free(disk.log.names);
    free(disk.bound);
    free(disk.sizes);
    disk.log = (struct disk_log){ 0 };
    disk.bound = NULL;
    disk.sizes = NULL;
}

/* A file that exists at the beginning: written and synced. */
static void
take_file(const char *name)
{
    char path[FOLDER_NAME_MAX + DISK_NAME_MAX + 2];
    uint8_t bytes[65536];
    uint32_t number = new_file();
    int64_t at = 0;
    ssize_t size;
    int file;

    (void)snprintf(path, sizeof(path), "%s/%s", disk.folder, name);
    file = __real_open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && (size = read(file, bytes, sizeof(bytes))) > 0) {
        note_bytes(number, at, bytes, (size_t)size);
        at += size;
    }
    if (file < 0 || size < 0) {
        abort();
    }
    (void)close(file);
    (void)note(DISK_SYNC, number, 0);
    bind_name(name_number(name), number);
}

void
disk_begin(const char *folder)
{
    const struct dirent *entry;
    DIR *list;

    disk_log_free();
    (void)snprintf(disk.folder, sizeof(disk.folder), "%s", folder);
    list = opendir(folder);
    if (list == NULL) {
        abort();
    }
    while ((entry = readdir(list)) != NULL) {
        if (entry->d_name[0] != '.' && !ends_with(entry->d_name, "-shm")) {
            take_file(entry->d_name);
        }
    }
    (void)closedir(list);
    (void)note(DISK_SYNC_FOLDER, DISK_NO_FILE, 0);
    disk.is_watching = true;
}

void
disk_end(void)
{
    lock();
    disk.is_watching = false;
    disk.has_fault = false;
    disk.quota = 0;
    disk.lies = NULL;
    for (size_t i = 0; i < FILES_MAX; i++) {
        disk.descriptors[i].file = NOT_OURS;
    }
    unlock();
}

void
disk_mark(int64_t value)
{
    lock();
    (void)note(DISK_MARK, DISK_NO_FILE, value);
    unlock();
}

const struct disk_log *
disk_log(void)
{
    return &disk.log;
}

void
disk_lie(const char *name_end)
{
    lock();
    disk.lies = name_end;
    unlock();
}

void
disk_fail(const struct disk_fault *fault)
{
    lock();
    disk.has_fault = fault != NULL;
    if (fault != NULL) {
        disk.fault = *fault;
    }
    disk.failed = 0;
    disk.matched = 0;
    unlock();
}

uint32_t
disk_failed(void)
{
    uint32_t failed;

    lock();
    failed = disk.failed;
    unlock();
    return failed;
}

uint32_t
disk_matched(void)
{
    uint32_t matched;

    lock();
    matched = disk.matched;
    unlock();
    return matched;
}

void
disk_quota(uint64_t bytes)
{
    lock();
    disk.quota = bytes;
    unlock();
}

uint64_t
disk_used(void)
{
    uint64_t bytes;

    lock();
    bytes = used();
    unlock();
    return bytes;
}
