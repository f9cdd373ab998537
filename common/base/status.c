#include "common/base/status.h"

#include <stdio.h>
#include <stdlib.h>

void
sk_assert_failed(const char *what)
{
    fputs(what, stderr);
    abort();
}
