#include "server/cli/tokens.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/cli/options.h"
#include "server/memory.h"
#include "server/state_path.h"

#define LINE_SIZE (CLIENT_URL_MAX + FRAME_PLAYER_NAME_MAX + FRAME_TOKEN_MAX + 128)

/* Bytes of the lock file: the first is held while the list is changed, another one by each player
 * that is in use. */
#define LOCK_LIST   0
#define LOCK_PLAYER 1

struct entry {
    char server[CLIENT_URL_MAX + 1];
    char word[64];
    struct tokens_player player;
};

/* ---- locks ------------------------------------------------------------------------------- */

static bool
lock_byte(const struct tokens *tokens, int64_t byte, short kind, bool waits)
{
    struct flock lock = { .l_type = kind, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

    return fcntl(tokens->lock, waits ? F_SETLKW : F_SETLK, &lock) == 0;
}

static bool
lock_player(const struct tokens *tokens, const char *name)
{
    uint32_t hash = 2166136261u;

    for (const char *letter = tokens->server; *letter != '\0'; letter++) {
        hash = (hash ^ (uint8_t)*letter) * 16777619u;
    }
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)tolower((unsigned char)*name)) * 16777619u;
    }
    return lock_byte(tokens, LOCK_PLAYER + (int64_t)hash, F_WRLCK, false);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Cuts the next part off; NULL when there is none. */
static const char *
next_part(char **rest)
{
    char *part = *rest;
    size_t length = part == NULL ? 0 : strcspn(part, "\t\n");

    if (part == NULL) {
        return NULL;
    }
    *rest = part[length] == '\0' || part[length] == '\n' ? NULL : part + length + 1;
    part[length] = '\0';
    return part;
}

static bool
take_part(char **rest, char *ret_text, size_t size)
{
    const char *part = next_part(rest);

    if (part == NULL || strlen(part) >= size) {
        return false;
    }
    memcpy(ret_text, part, strlen(part) + 1);
    return true;
}

static bool
read_line(char *line, struct entry *ret_entry)
{
    char match[24];

    return take_part(&line, ret_entry->server, sizeof(ret_entry->server)) &&
           take_part(&line, ret_entry->word, sizeof(ret_entry->word)) &&
           take_part(&line, ret_entry->player.name, sizeof(ret_entry->player.name)) &&
           take_part(&line, ret_entry->player.token, sizeof(ret_entry->player.token)) &&
           take_part(&line, match, sizeof(match)) &&
           cli_number_read(match, 0, INT32_MAX, &ret_entry->player.match);
}

/* All entries in order; invalid lines are skipped. */
static bool
read_all(const struct tokens *tokens, struct entry **ret_entries, size_t *ret_count)
{
    FILE *file = fopen(tokens->path, "r");
    struct entry *entries = NULL;
    size_t count = 0;
    char line[LINE_SIZE];
    bool is_read;
    int why;

    if (file == NULL && errno != ENOENT) {
        return false;
    }
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        entries = heap_grow(entries, (count + 1) * sizeof(*entries));
        memset(&entries[count], 0, sizeof(entries[count]));
        count += read_line(line, &entries[count]);
    }
    why = errno;
    is_read = file == NULL || !ferror(file);
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!is_read) {
        free(entries);
        errno = why;
        return false;
    }
    *ret_entries = entries;
    *ret_count = count;
    return true;
}

static bool
is_same(const struct tokens *tokens, const struct entry *entry, const char *name)
{
    return strcmp(entry->server, tokens->server) == 0 && strcasecmp(entry->player.name, name) == 0;
}

static void
write_line(FILE *file, const char *server, const char *word, const struct tokens_player *player)
{
    fprintf(file, "%s\t%s\t%s\t%s\t%lld\n", server, word, player->name, player->token,
            (long long)player->match);
}

/* Replaces the file when the new one is completely on disk. */
static bool
write_all(const struct tokens *tokens, const struct entry *entries, size_t count,
          const struct tokens_player *player)
{
    char path[sizeof(tokens->path) + 8];
    FILE *file;
    int fd;
    bool is_written;

    (void)snprintf(path, sizeof(path), "%s.new", tokens->path);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_same(tokens, &entries[i], player->name)) {
            write_line(file, entries[i].server, entries[i].word, &entries[i].player);
        }
    }
    write_line(file, tokens->server, tokens->word, player);
    is_written = fflush(file) == 0 && fsync(fd) == 0;
    is_written = fclose(file) == 0 && is_written;
    return is_written && rename(path, tokens->path) == 0;
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Normalises the address: ws for http, no slash at the end. */
static void
take_server(struct tokens *tokens, const char *server)
{
    size_t length;

    (void)snprintf(tokens->server, sizeof(tokens->server), "%s%s",
                   strncmp(server, "http", 4) == 0 ? "ws" : "",
                   strncmp(server, "http", 4) == 0 ? server + 4 : server);
    length = strlen(tokens->server);
    while (length > 0 && tokens->server[length - 1] == '/') {
        tokens->server[--length] = '\0';
    }
}

bool
tokens_open(struct tokens *tokens, const char *file, const char *server, const char *word)
{
    char path[sizeof(tokens->path) + 8];

    *tokens = (struct tokens){ .word = word, .lock = -1 };
    take_server(tokens, server);
    if (file == NULL) {
        if (!state_path("tokens", tokens->path, sizeof(tokens->path))) {
            errno = ENAMETOOLONG;
            return false;
        }
        state_make_folders(tokens->path);
    } else {
        (void)snprintf(tokens->path, sizeof(tokens->path), "%s", file);
    }
    (void)snprintf(path, sizeof(path), "%s.lock", tokens->path);
    tokens->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return tokens->lock >= 0;
}

void
tokens_close(struct tokens *tokens)
{
    if (tokens->lock >= 0) {
        (void)close(tokens->lock);
        tokens->lock = -1;
    }
}

bool
tokens_find(struct tokens *tokens, const char *name, struct tokens_player *ret_player)
{
    struct entry *entries = NULL;
    size_t count = 0;
    bool is_found = false;

    if (!read_all(tokens, &entries, &count)) {
        return false;
    }
    for (size_t i = count; i > 0 && !is_found; i--) {
        const struct entry *entry = &entries[i - 1];

        is_found = name != NULL ? is_same(tokens, entry, name)
                                : strcmp(entry->word, tokens->word) == 0 &&
                                      is_same(tokens, entry, entry->player.name) &&
                                      lock_player(tokens, entry->player.name);
        if (is_found) {
            *ret_player = entry->player;
        }
    }
    free(entries);
    errno = 0;
    return is_found;
}

bool
tokens_save(struct tokens *tokens, const struct tokens_player *player)
{
    struct entry *entries = NULL;
    size_t count = 0;
    bool is_saved;
    int why;

    if (!lock_byte(tokens, LOCK_LIST, F_WRLCK, true)) {
        return false;
    }
    (void)lock_player(tokens, player->name); /* in use from now on, if not already */
    is_saved = read_all(tokens, &entries, &count) && write_all(tokens, entries, count, player);
    why = errno;
    (void)lock_byte(tokens, LOCK_LIST, F_UNLCK, false);
    free(entries);
    errno = why;
    return is_saved;
}
