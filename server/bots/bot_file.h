/*
 * bot_file - web services that the operator has given names.
 *
 * A file of lines `name address [secret]`; `#` begins a comment.  `create`
 * uses the names; with a secret the requests are signed.  It is a file of its own
 * because options are printed and secrets must not be.
 *
 * Owner:   the caller; holds no pointers.
 * Threads: none of its own.
 */
#ifndef SK_BOT_FILE_H
#define SK_BOT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/frames.h"
#include "server/net/call/call.h"
#include "server/server_limits.h"

#define BOT_FILE_BOTS_MAX 64

struct named_bot {
    char name[FRAME_PLAYER_NAME_MAX + 1];
    char url[CALL_URL_MAX + 1];
    char secret[CALL_SECRET_MAX + 1]; /* "" = none */
};

struct bot_file {
    uint32_t count;
    struct named_bot bots[BOT_FILE_BOTS_MAX];
};

/* False with a message that names the line; the result is untouched then. */
bool bot_file_read(const char *path, struct bot_file *ret_file, char error[SERVER_ERROR_MAX + 1]);

/* By name, or by address; NULL: there is none. */
const struct named_bot *bot_file_find(const struct bot_file *file, const char *name);
const struct named_bot *bot_file_find_url(const struct bot_file *file, const char *url);

#endif /* SK_BOT_FILE_H */
