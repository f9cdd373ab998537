#include "server/cli/guest.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

uint32_t
cli_guest_number(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_nsec ^ ((uint32_t)now.tv_sec << 10) ^ ((uint32_t)getpid() << 16);
}

void
cli_guest_name(const char *word, char *ret_name, size_t size)
{
    (void)snprintf(ret_name, size, "%s-%08x", word, (unsigned)cli_guest_number());
}
