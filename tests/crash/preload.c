/*
 * A disk that fails, for an unchanged daemon: an LD_PRELOAD library.
 *
 * SK_DISK names a folder.  While it holds a file of one of these names, the
 * calls fail for files whose name contains ".db":
 *
 *   sync        fdatasync and fsync, with EIO
 *   full        writing, with ENOSPC
 *   broken      writing, with EIO
 *   read-only   writing, with EROFS
 *
 * Threads: any.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 512

static bool
is_wished(const char *name)
{
    const char *folder = getenv("SK_DISK");
    char path[PATH_SIZE];

    if (folder == NULL) {
        return false;
    }
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static bool
is_database(int file)
{
    char link[64];
    char name[PATH_SIZE];
    ssize_t length;

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    length = readlink(link, name, sizeof(name) - 1);
    if (length < 0) {
        return false;
    }
    name[length] = '\0';
    return strstr(name, ".db") != NULL;
}

/* Returns true, with errno set, if writing must fail. */
static bool
is_failing_write(int file)
{
    static const struct {
        const char *name;
        int error;
    } faults[] = { { "full", ENOSPC }, { "broken", EIO }, { "read-only", EROFS } };

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (is_wished(faults[i].name) && is_database(file)) {
            errno = faults[i].error;
            return true;
        }
    }
    return false;
}

static bool
is_failing_sync(int file)
{
    if (is_wished("sync") && is_database(file)) {
        errno = EIO;
        return true;
    }
    return false;
}

/* The C library's own.  A pointer to a function is no pointer to an object in ISO C. */
#define REAL(type, name) \
    union {              \
        void *object;    \
        type;            \
    } real = { .object = dlsym(RTLD_NEXT, name) }

ssize_t
write(int file, const void *bytes, size_t size)
{
    REAL(ssize_t(*call)(int, const void *, size_t), "write");

    return is_failing_write(file) ? -1 : real.call(file, bytes, size);
}

ssize_t
pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    REAL(ssize_t(*call)(int, const void *, size_t, off64_t), "pwrite64");

    return is_failing_write(file) ? -1 : real.call(file, bytes, size, at);
}

int
fdatasync(int file)
{
    REAL(int (*call)(int), "fdatasync");

    return is_failing_sync(file) ? -1 : real.call(file);
}

int
fsync(int file)
{
    REAL(int (*call)(int), "fsync");

    return is_failing_sync(file) ? -1 : real.call(file);
}
