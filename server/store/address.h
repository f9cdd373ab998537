/*
 * address - what --database names: a file, or a PostgreSQL database.
 *
 * Owner:   the caller; nothing is kept.
 * Threads: any.
 */
#ifndef SK_STORE_ADDRESS_H
#define SK_STORE_ADDRESS_H

#include <stdbool.h>

/* Whether it is the address of a PostgreSQL database, postgres://..., which nodes can share. */
bool address_is_shared(const char *path);

/* Whether libpq finds the password of a shared address where it is.  If the password contains an
 * unescaped @, / or ?, libpq takes a part of it for the host, port or database, and shows it. */
bool address_is_escaped(const char *path);

/* The address without a password, for messages. */
#define ADDRESS_SHOWN_MAX 512
void address_show(const char *path, char ret_shown[ADDRESS_SHOWN_MAX]);

#endif /* SK_STORE_ADDRESS_H */
