/*
 * The admin socket as the sub-commands use it.
 */
#ifndef SK_CLI_ADMIN_H
#define SK_CLI_ADMIN_H

#include <stdbool.h>

#include "proto/admin_lines.h"
#include "server/cli/table.h"

/* `given`, or the one beside the database.  Static. */
const char *cli_admin_socket(const char *given, const char *database);

/* Does a daemon listen at the socket? */
bool cli_admin_is_answered(const char *path);

/* Sends the request and prints the answer; errors name `command`.  Returns an exit status. */
int cli_admin_ask(const char *command, const char *path, const struct admin_request_line *request,
                  enum table_form form);

#endif /* SK_CLI_ADMIN_H */
