#include "server/rated_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"

#define NOTHING "{}"

static bool
fail(char error[SERVER_ERROR_MAX + 1], const char *path, const char *at, const char *why)
{
    (void)snprintf(error, SERVER_ERROR_MAX + 1, "rated-params-file: %.200s: %.80s%s%.200s", path,
                   at, at[0] == '\0' ? "" : ": ", why);
    return false;
}

static bool
apply(const char *path, struct host *host, const char *text, size_t length,
      char error[SERVER_ERROR_MAX + 1])
{
    struct sk_fault fault;

    return host_rate_params(host, text, length, &fault) == SK_OK ||
           fail(error, path, fault.at, fault.message);
}

bool
rated_file_apply(const char *path, struct host *host, char error[SERVER_ERROR_MAX + 1])
{
    FILE *file;
    char *text;
    size_t length;
    bool is_fine;

    if (path[0] == '\0') {
        return apply(path, host, NOTHING, strlen(NOTHING), error);
    }
    file = fopen(path, "re");
    if (file == NULL) {
        return fail(error, path, "", strerror(errno));
    }
    text = heap_bytes(SERVER_RATED_BYTES_MAX + 1);
    length = fread(text, 1, SERVER_RATED_BYTES_MAX + 1, file);
    if (ferror(file) != 0) {
        is_fine = fail(error, path, "", "cannot be read");
    } else if (length > SERVER_RATED_BYTES_MAX) {
        is_fine = fail(error, path, "", "is too large");
    } else {
        is_fine = apply(path, host, text, length, error);
    }
    (void)fclose(file);
    free(text);
    return is_fine;
}
