/*
 * config - the daemon's options: one table, from which the file, the flags,
 * --help, --print-defaults and their checks come.
 *
 * A file has lines `name = value`; `#` begins a comment at the start of a
 * line or behind a blank.  Every option is also a flag: --name value or
 * --name=value.  Flags go before the file, the file before the defaults.
 *
 * Owner:   the caller; holds no pointers but to argv.
 * Threads: none of its own.
 */
#ifndef SK_CONFIG_H
#define SK_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "server/ask/services.h"
#include "server/host/host.h"
#include "server/limits.h"
#include "server/net/net.h"

struct config {
    struct net_options net;
    struct host_options host;
    struct services_options bots;
    char database[SERVER_PATH_MAX + 1];
    char admin_socket[SERVER_PATH_MAX + 1]; /* "" = beside the database */
    char admin_users[SERVER_LIST_MAX + 1];
    int32_t log_level; /* enum host_log_level */
    int32_t log_form;  /* enum log_form */
};

/* What the command line asks for. */
enum config_wish {
    CONFIG_RUN,
    CONFIG_HELP,
    CONFIG_VERSION,
    CONFIG_PRINT_DEFAULTS,
    CONFIG_CHECK,
};

struct config_error {
    char text[SERVER_ERROR_MAX + 1];
};

void config_init(struct config *config);

/*
 * Defaults, the file that --config names, flags; then whether they fit each
 * other.  On failure both results are untouched and the error says what is
 * wrong, and in which line of which file.
 */
bool config_read(int argc, char *const *argv, struct config *ret_config, enum config_wish *ret_wish,
                 struct config_error *error);

/* The parts of config_read, for tests. */
bool config_read_file(struct config *config, const char *path, struct config_error *error);
bool config_set(struct config *config, const char *name, const char *value,
                struct config_error *error);
bool config_check(const struct config *config, struct config_error *error);

/* The options that differ and cannot be taken over while running: their names, "" if none. */
void config_needs_restart(const struct config *running, const struct config *wanted,
                          char names[SERVER_ERROR_MAX + 1]);

void config_print_help(FILE *to);
void config_print_defaults(FILE *to);

#endif /* SK_CONFIG_H */
