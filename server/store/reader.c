#include "server/store/reader.h"

#include <ctype.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/folder.h"

#define PATH_SIZE 4096

/* The size of the file with this suffix; -1 if there is none. */
static int64_t
size_beside(const char *path, const char *ending)
{
    char name[PATH_SIZE];
    struct stat about;
    int length = snprintf(name, sizeof(name), "%s%s", path, ending);

    if (length < 0 || (size_t)length >= sizeof(name) || stat(name, &about) != 0) {
        return -1;
    }
    return about.st_size;
}

/* True if no log can be created and nobody has one: then the file is complete by itself. */
static bool
is_at_rest(const char *path)
{
    char folder[PATH_SIZE];

    return size_beside(path, "-wal") < 0 && size_beside(path, "-journal") < 0 &&
           folder_of(path, folder, sizeof(folder)) &&
           (access(path, W_OK) != 0 || access(folder, W_OK) != 0);
}

static bool
uri_of(const char *path, char *ret_uri, size_t size)
{
    size_t used = (size_t)snprintf(ret_uri, size, "file:");

    for (; *path != '\0' && used + sizeof("%00?immutable=1") < size; path++) {
        unsigned char c = (unsigned char)*path;
        bool is_plain = isalnum(c) || strchr("/._-~", c) != NULL;

        used += (size_t)sprintf(ret_uri + used, is_plain ? "%c" : "%%%02x", c);
    }
    (void)snprintf(ret_uri + used, size - used, "?immutable=1");
    return *path == '\0';
}

void
reader_count_no_memory(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum sk_status
reader_open(const char *path, int flags, struct sqlite3 **ret_db, struct sk_fault *ret_fault)
{
    char uri[3 * PATH_SIZE];
    bool is_still = is_at_rest(path) && uri_of(path, uri, sizeof(uri));
    const char *why = access(path, R_OK) == 0 ? NULL : strerror(errno);

    reader_count_no_memory();
    if (sqlite3_open_v2(is_still ? uri : path, ret_db,
                        flags | SQLITE_OPEN_READONLY | (is_still ? SQLITE_OPEN_URI : 0),
                        NULL) == SQLITE_OK) {
        return SK_OK;
    }
    (void)sk_fault_set_about(ret_fault, "cannot_open", path,
                             why == NULL ? sqlite3_errmsg(*ret_db) : why);
    sk_fault_say(ret_fault, why == NULL ? "" : "; --database names another file");
    return SK_ERR_REFUSED;
}

/* The last writable connection removes the log when it is closed. */
static void
remove_log(const char *path)
{
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK) {
        (void)sqlite3_exec(db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
    }
    (void)sqlite3_close(db);
}

void
reader_close(struct sqlite3 *db)
{
    const char *name = db == NULL ? NULL : sqlite3_db_filename(db, "main");
    char path[PATH_SIZE] = "";

    if (name != NULL && strlen(name) < sizeof(path)) {
        strcpy(path, name);
    }
    (void)sqlite3_close(db);
    if (path[0] != '\0' && size_beside(path, "-wal") == 0) {
        remove_log(path);
    }
}
