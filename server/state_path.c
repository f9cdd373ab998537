#include "server/state_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_SIZE 4096

/* Tried in this order. */
static const struct place {
    const char *variable;
    const char *below;
} places[] = {
    { "STATE_DIRECTORY", "" },
    { "XDG_STATE_HOME", "/skirmish" },
    { "HOME", "/.local/state/skirmish" },
};

static bool
put(char *ret_path, size_t size, const char *folder, int folder_length, const char *below,
    const char *name)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof(path), "%.*s%s%s%s", folder_length, folder, below,
                          name[0] == '\0' ? "" : "/", name);

    if (length < 0 || (size_t)length >= sizeof(path) || (size_t)length >= size) {
        return false;
    }
    memcpy(ret_path, path, (size_t)length + 1);
    return true;
}

bool
state_path(const char *name, char *ret_path, size_t size)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *folder = getenv(places[i].variable);

        if (folder != NULL && folder[0] == '/') {
            /* systemd separates several folders by colons */
            int length = (int)(i == 0 ? strcspn(folder, ":") : strlen(folder));

            return put(ret_path, size, folder, length, places[i].below, name);
        }
    }
    return put(ret_path, size, STATE_FOLDER_SERVICE, (int)strlen(STATE_FOLDER_SERVICE), "", name);
}

bool
state_database(char *ret_path, size_t size)
{
    const char *named = getenv("SKIRMISH_DATABASE");

    if (named != NULL && named[0] != '\0') {
        return put(ret_path, size, named, (int)strlen(named), "", "");
    }
    return state_path(STATE_DATABASE, ret_path, size);
}

bool
state_admin_socket(const char *database, char *ret_path, size_t size)
{
    char file[PATH_SIZE];
    int length;

    if (strstr(database, "://") != NULL) {
        return state_path(STATE_DATABASE ".admin", ret_path, size);
    }
    length = snprintf(file, sizeof(file), "%s.admin", database);
    if (length < 0 || (size_t)length >= sizeof(file) || (size_t)length >= size) {
        return false;
    }
    memcpy(ret_path, file, (size_t)length + 1);
    return true;
}

void
state_make_folders(const char *path)
{
    char folder[PATH_SIZE];
    size_t length;

    if (!state_path("", folder, sizeof(folder))) {
        return;
    }
    length = strlen(folder);
    if (strncmp(path, folder, length) != 0 || path[length] != '/') {
        return;
    }
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(folder, 0700);
        *slash = '/';
    }
    (void)mkdir(folder, 0700); /* if it fails, opening the file in it says why */
}
