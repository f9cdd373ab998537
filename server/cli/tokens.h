/*
 * tokens - the players of earlier runs, saved in a file so that the next run is
 * the same player.
 *
 * Each line is a player: server, word, name, token and match, separated by tabs;
 * the last used one is last.  `word` is what the player was created for (play,
 * arena, a bot's level).  Only the user can read the file.  It is replaced as a
 * whole, under a lock.
 *
 * Owner:   the caller; tokens_close frees.
 * Threads: one.
 */
#ifndef SK_CLI_TOKENS_H
#define SK_CLI_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/frames.h"
#include "server/client/socket.h"

#define TOKENS_PATH_MAX 4095

struct tokens {
    char path[TOKENS_PATH_MAX + 1];
    char server[CLIENT_URL_MAX + 1];
    const char *word;
    int lock; /* a file beside it; -1 = none */
};

struct tokens_player {
    char name[FRAME_PLAYER_NAME_MAX + 1];
    char token[FRAME_TOKEN_MAX + 1];
    int64_t match; /* that is not over yet, as far as is known; 0 = none */
};

/* `file` NULL = the one of this user.  False: errno says why it cannot be used. */
bool tokens_open(struct tokens *tokens, const char *file, const char *server, const char *word);
void tokens_close(struct tokens *tokens);

/*
 * The player of that name on the server.  NULL: the one that was used last with
 * the same word and that no other process is now.  False when there is none;
 * errno is 0 then, or says why the file cannot be read.
 */
bool tokens_find(struct tokens *tokens, const char *name, struct tokens_player *ret_player);

/* Saves a player in place of the one of the same name.  False: errno says why. */
bool tokens_save(struct tokens *tokens, const struct tokens_player *player);

#endif /* SK_CLI_TOKENS_H */
