/*
 * Any bytes as a configuration file: gives an error with a line of the file, or options within
 * their bounds that can be printed and read again.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/config.h"
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct config config;
    struct config_error error = { "" };
    char path[64];
    int file = memfd_create("config", 0);

    must(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    config_init(&config);
    if (!config_read_file(&config, path, &error)) {
        must(error.text[0] != '\0' && strlen(error.text) <= SERVER_ERROR_MAX);
    } else if (config_check(&config, &error)) {
        must(config.host.frames_burst > 0 && config.host.outbox_bytes_max > 0);
        must(memchr(config.database, '\0', sizeof(config.database)) != NULL);
    }
    close(file);
    return 0;
}
