/*
 * page - the files of the page, read once at the start and served from memory.
 *
 * The build puts them into one folder: index.html, and everything else under
 * assets/HASH/, where HASH covers all of them.  So a browser may cache assets
 * for ever and only asks for index.html again.  Beside each file is NAME.gz,
 * the same compressed.
 *
 * Owner:   net; what page_find returns lives as long as the page.
 * Threads: only the loop.
 */
#ifndef SK_PAGE_H
#define SK_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/server_limits.h"

struct page_file {
    char path[NET_PAGE_PATH_MAX + 1]; /* as in the request: "/" is index.html */
    const char *content_type;
    bool is_for_ever; /* its path changes whenever its content does */
    bool is_worker;   /* the service worker: it serves the whole page, not only its own folder */
    char *plain;
    size_t plain_length;
    char *gzip; /* NULL: compression does not make it smaller */
    size_t gzip_length;
};

struct page {
    struct page_file *files;
    size_t count;
    size_t bytes;
};

/*
 * Reads the folder.  On failure returns false with a message and leaves the
 * page empty.  If `folder` is "", it is searched where the build and the
 * installation put it, relative to the program; not finding it there is not an
 * error.
 */
bool page_open(struct page *page, const char *folder, char error[SERVER_ERROR_MAX + 1]);
void page_close(struct page *page);

/* Returns NULL if there is no such file. */
struct page_file *page_find(const struct page *page, const char *path);

#endif /* SK_PAGE_H */
