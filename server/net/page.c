#include "server/net/page.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/memory.h"

#define FIRST_FILE "index.html"

static const struct {
    const char *ending;
    const char *content_type;
} types[] = {
    { "/", "text/html; charset=utf-8" },
    { ".js", "text/javascript; charset=utf-8" },
    { ".css", "text/css; charset=utf-8" },
    { ".svg", "image/svg+xml" },
    { ".webmanifest", "application/manifest+json" },
    { ".png", "image/png" },
    { ".wasm", "application/wasm" },
};

static bool
ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text);
    size_t end = strlen(ending);

    return length >= end && strcmp(text + length - end, ending) == 0;
}

static const char *
type_of(const char *path)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (ends_with(path, types[i].ending)) {
            return types[i].content_type;
        }
    }
    return "application/octet-stream";
}

static bool
fail(char error[SERVER_ERROR_MAX + 1], const char *path, const char *why)
{
    snprintf(error, SERVER_ERROR_MAX + 1, "the page: %.300s: %s", path, why);
    return false;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool
read_whole(const char *path, size_t length, char **ret_bytes)
{
    FILE *file = fopen(path, "re");
    char *bytes = heap_bytes(length + 1);
    bool is_whole = file != NULL && fread(bytes, 1, length, file) == length;

    if (file != NULL) {
        fclose(file);
    }
    if (!is_whole) {
        free(bytes);
        return false;
    }
    bytes[length] = '\0'; /* so that it can be searched */
    *ret_bytes = bytes;
    return true;
}

struct page_file *
page_find(const struct page *page, const char *path)
{
    for (size_t i = 0; i < page->count; i++) {
        if (strcmp(page->files[i].path, path) == 0) {
            return &page->files[i];
        }
    }
    return NULL;
}

/* Finds the file at this path, or adds it. */
static struct page_file *
take_file(struct page *page, const char *path)
{
    struct page_file *file = page_find(page, path);

    if (file != NULL) {
        return file;
    }
    page->files = heap_grow(page->files, (page->count + 1) * sizeof(*file));
    file = &page->files[page->count++];
    memset(file, 0, sizeof(*file));
    (void)snprintf(file->path, sizeof(file->path), "%s", path);
    file->content_type = type_of(path);
    file->is_worker = ends_with(path, "/worker.js");
    file->is_for_ever = strncmp(path, NET_PAGE_ASSETS, strlen(NET_PAGE_ASSETS)) == 0;
    return file;
}

static bool
add_file(struct page *page, const char *name, const char *path, size_t length,
         char error[SERVER_ERROR_MAX + 1])
{
    bool is_gzip = ends_with(name, ".gz");
    size_t name_length = strlen(name) - (is_gzip ? strlen(".gz") : 0);
    char request[NET_PAGE_PATH_MAX + 1];
    struct page_file *file;
    char *bytes;

    if (name_length > NET_PAGE_PATH_MAX || page->count == NET_PAGE_FILES_MAX ||
        page->bytes + length > NET_PAGE_BYTES_MAX) {
        return fail(error, path, "too large for a page");
    }
    snprintf(request, sizeof(request), "%.*s", (int)name_length, name);
    if (strcmp(request, "/" FIRST_FILE) == 0) {
        request[1] = '\0';
    }
    file = take_file(page, request);
    if (!read_whole(path, length, &bytes)) {
        return fail(error, path, "cannot be read");
    }
    page->bytes += length;
    if (is_gzip) {
        file->gzip = bytes;
        file->gzip_length = length;
    } else {
        file->plain = bytes;
        file->plain_length = length;
    }
    return true;
}

static bool
read_entry(struct page *page, const FTSENT *entry, size_t folder_length,
           char error[SERVER_ERROR_MAX + 1])
{
    switch (entry->fts_info) {
    case FTS_F:
        return add_file(page, entry->fts_path + folder_length, entry->fts_path,
                        (size_t)entry->fts_statp->st_size, error);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return fail(error, entry->fts_path, strerror(entry->fts_errno));
    default:
        return true;
    }
}

static bool
read_folder(struct page *page, const char *folder, char error[SERVER_ERROR_MAX + 1])
{
    char root[PATH_MAX];
    char *roots[] = { root, NULL };
    FTSENT *entry;
    bool is_fine = true;
    FTS *walk;

    if (realpath(folder, root) == NULL) { /* without a trailing slash */
        return fail(error, folder, strerror(errno));
    }
    walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (walk == NULL) {
        return fail(error, folder, strerror(errno));
    }
    while (is_fine && (entry = fts_read(walk)) != NULL) {
        is_fine = read_entry(page, entry, strlen(root), error);
    }
    fts_close(walk);
    return is_fine;
}

/* ---- the folder -------------------------------------------------------------------------- */

/* Searches where the build and the installation put it, relative to the program. */
static bool
find_folder(char folder[PATH_MAX])
{
    static const char *const places[] = { "/../web", "/../share/skirmish/web" };
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    char *slash;

    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    slash = strrchr(program, '/');
    for (size_t i = 0; slash != NULL && i < sizeof(places) / sizeof(places[0]); i++) {
        int used = snprintf(folder, PATH_MAX, "%.*s%s", (int)(slash - program), program, places[i]);

        if (used > 0 && used < PATH_MAX && access(folder, R_OK | X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* A file that exists only compressed cannot be served to every client. */
static bool
is_complete(const struct page *page, const char *folder, char error[SERVER_ERROR_MAX + 1])
{
    for (size_t i = 0; i < page->count; i++) {
        if (page->files[i].plain == NULL) {
            return fail(error, page->files[i].path, "only compressed");
        }
    }
    if (page_find(page, "/") == NULL) {
        return fail(error, folder, "there is no " FIRST_FILE);
    }
    return true;
}

bool
page_open(struct page *page, const char *folder, char error[SERVER_ERROR_MAX + 1])
{
    char found[PATH_MAX];

    memset(page, 0, sizeof(*page));
    if (folder[0] == '\0') {
        if (!find_folder(found)) {
            return true;
        }
        folder = found;
    }
    if (!read_folder(page, folder, error) || !is_complete(page, folder, error)) {
        page_close(page);
        return false;
    }
    return true;
}

void
page_close(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->files[i].plain);
        free(page->files[i].gzip);
    }
    free(page->files);
    memset(page, 0, sizeof(*page));
}
