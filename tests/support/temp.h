/*
 * Where tests create their files: in TMPDIR, or in /tmp.
 */
#ifndef SK_TEST_TEMP_H
#define SK_TEST_TEMP_H

#include <stdio.h>
#include <stdlib.h>

#define TEMP_PATH_MAX 512

/* A template for mkstemp or mkdtemp, which replace its end. */
static inline void
temp_path(char *ret_path, size_t size, const char *name)
{
    const char *base = getenv("TMPDIR");

    (void)snprintf(ret_path, size, "%s/%s-XXXXXX", base == NULL || base[0] == '\0' ? "/tmp" : base,
                   name);
}

#endif /* SK_TEST_TEMP_H */
