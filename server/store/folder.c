#include "server/store/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

bool
folder_of(const char *path, char *ret_folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    int length;

    if (slash == NULL) {
        length = snprintf(ret_folder, size, ".");
    } else if (slash == path) {
        length = snprintf(ret_folder, size, "/");
    } else {
        length = snprintf(ret_folder, size, "%.*s", (int)(slash - path), path);
    }
    return length >= 0 && (size_t)length < size;
}

bool
folder_sync(const char *path)
{
    char folder[PATH_SIZE];
    bool is_synced;
    int file;

    if (!folder_of(path, folder, sizeof(folder))) {
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
