/*
 * page - the files of the page, read once at the start and served from memory.
 *
 * The build puts them into one folder: index.html, and everything else under
 * assets/HASH/, where HASH is that of all of them.  So what a browser has
 * once it may keep for ever, and only index.html is asked for again.  Beside
 * each file lies NAME.gz, the same compressed.
 *
 * Owner:   net; what page_find returns lives as long as the page.
 * Threads: the loop's only.
 */
#ifndef SK_PAGE_H
#define SK_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/limits.h"

struct page_file {
    char path[NET_PAGE_PATH_MAX + 1]; /* as in the request: "/" is index.html */
    const char *content_type;
    bool is_for_ever; /* its path changes whenever its content does */
    char *plain;
    size_t plain_length;
    char *gzip; /* NULL: there is no smaller one */
    size_t gzip_length;
};

struct page {
    struct page_file *files;
    size_t count;
    size_t bytes;
};

/*
 * Reads the folder.  False with a message when it cannot; the page is then
 * empty.  A folder of no name is looked for where the build and the
 * installation put it, seen from the running program; not finding it there is
 * no failure.
 */
bool page_open(struct page *page, const char *folder, char error[SERVER_ERROR_MAX + 1]);
void page_close(struct page *page);

/* NULL when there is no such file. */
const struct page_file *page_find(const struct page *page, const char *path);

#endif /* SK_PAGE_H */
