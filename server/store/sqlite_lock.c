/*
 * The lock file beside the database: one store per file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/memory.h"
#include "server/store/sqlite.h"

#define PATH_SIZE  4096
#define LOCK_TRIES 100

/* Removes the file while it is locked: see sqlite_lock. */
void
sqlite_unlock(struct sqlite *sqlite)
{
    if (sqlite->lock_name != NULL) {
        (void)unlink(sqlite->lock_name);
        free(sqlite->lock_name);
    }
    if (sqlite->lock_file >= 0) {
        (void)close(sqlite->lock_file);
    }
}

static enum sk_status
refuse_folder(const char *path, struct sk_fault *ret_fault)
{
    const char *why = strerror(errno);

    (void)sk_fault_set_about(ret_fault, "cannot_open", path,
                             "cannot create a file in its folder: ");
    sk_fault_say(ret_fault, why);
    sk_fault_say(ret_fault, "; create the folder for this user, or name another with --database");
    return SK_ERR_REFUSED;
}

static enum sk_status
refuse_used(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    (void)sk_fault_set_about(ret_fault, "in_use", path, "another process has it open");
    if (fcntl(sqlite->lock_file, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK) {
        sk_fault_say(ret_fault, " (");
        sk_fault_say_number(ret_fault, whole.l_pid);
        sk_fault_say(ret_fault, ")");
    }
    sk_fault_say(ret_fault, "; stop it, or name another file with --database");
    return SK_ERR_REFUSED;
}

static bool
is_file_of_name(int file, const char *name)
{
    struct stat opened;
    struct stat named;

    return fstat(file, &opened) == 0 && stat(name, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/*
 * The holder removes the file when it ends, so a lock on a file that has lost
 * its name is worthless: try again.
 */
enum sk_status
sqlite_lock(struct sqlite *sqlite, const char *path, struct sk_fault *ret_fault)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char name[PATH_SIZE];
    int length = snprintf(name, sizeof(name), "%s.lock", path);

    if (length < 0 || (size_t)length >= sizeof(name)) {
        return sk_fault_set_about(ret_fault, "cannot_open", path, "the name is too long");
    }
    for (int i = 0; i < LOCK_TRIES; i++) {
        sqlite->lock_file = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        if (sqlite->lock_file < 0) {
            return refuse_folder(path, ret_fault);
        }
        if (fcntl(sqlite->lock_file, F_SETLK, &whole) != 0) {
            return refuse_used(sqlite, path, ret_fault);
        }
        if (is_file_of_name(sqlite->lock_file, name)) {
            sqlite->lock_name = heap_copy(name, (size_t)length);
            return SK_OK;
        }
        (void)close(sqlite->lock_file);
        sqlite->lock_file = -1;
    }
    return sk_fault_set_about(ret_fault, "in_use", path, "cannot take its lock; try again");
}
