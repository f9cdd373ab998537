#include "server/store/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_ROOM 4096

bool
folder_sync(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_ROOM];
    bool is_synced;
    int length;
    int file;

    if (slash == NULL) {
        length = snprintf(folder, sizeof(folder), ".");
    } else if (slash == path) {
        length = snprintf(folder, sizeof(folder), "/");
    } else {
        length = snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
    }
    if (length < 0 || (size_t)length >= sizeof(folder)) {
        return false;
    }
    file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    is_synced = fsync(file) == 0;
    (void)close(file);
    return is_synced;
}
