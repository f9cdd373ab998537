/*
 * keys - single keys from a terminal, on a screen of its own.
 *
 * Between open and close the terminal shows another screen and passes keys on at
 * once.  The end of the program restores it, also by a signal.
 *
 * Threads: the main one's.
 */
#ifndef SK_CLI_KEYS_H
#define SK_CLI_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Letters are themselves. */
enum key {
    KEY_NONE = 0,    /* none came in time */
    KEY_CLOSED = -1, /* there will be no more */
    KEY_UP = 256,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
};

/* Written before a new screen. */
#define KEYS_CLEAR "\033[H\033[2J"

/* False when standard input or output is no terminal. */
bool keys_open(void);
void keys_close(void);

/* Waits this long; -1 = without a limit. */
int keys_next(int wait_ms);

/* A number typed and ended with Enter; false when it is none. */
bool keys_read_number(int64_t *ret_number);

#endif /* SK_CLI_KEYS_H */
