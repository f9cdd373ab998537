/*
 * config - the daemon's options: one table that defines the file, the flags,
 * --help, --print-defaults and all checks.
 *
 * A file has lines `name = value`; `#` starts a comment at the beginning of a
 * line or after a blank.  Every option is also a flag: --name value or
 * --name=value.  Flags override the file, the file overrides the defaults.
 *
 * Owner:   the caller; holds no pointers but to argv.
 * Threads: any.
 */
#ifndef SK_CONFIG_H
#define SK_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "proto/frames.h"
#include "server/bots/services.h"
#include "server/host/host.h"
#include "server/net/net.h"
#include "server/server_limits.h"

#define CONFIG_NODE_MAX 32

struct config {
    struct net_options net;
    struct host_options host;
    struct services_options bots;
    char database[SERVER_PATH_MAX + 1];
    char node[CONFIG_NODE_MAX + 1];
    char node_path[FRAME_PATH_MAX + 1];          /* "" = by its name */
    char rated_params_file[SERVER_PATH_MAX + 1]; /* "" = none; for host_rate_params */
    char admin_socket[SERVER_PATH_MAX + 1];      /* "" = beside the database */
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
 * Reads defaults, the file that --config names, and flags; then checks that
 * they fit together.  On failure both results are untouched and the error says
 * what is wrong, with file and line.
 */
bool config_read(int argc, char *const *argv, struct config *ret_config, enum config_wish *ret_wish,
                 struct config_error *error);

/* The parts of config_read, for tests. */
bool config_read_file(struct config *config, const char *path, struct config_error *error);
bool config_set(struct config *config, const char *name, const char *value,
                struct config_error *error);
bool config_check(const struct config *config, struct config_error *error);

/* The names of options that differ but cannot change while running; "" if none. */
void config_needs_restart(const struct config *running, const struct config *wanted,
                          char names[SERVER_ERROR_MAX + 1]);

void config_print_help(FILE *to);
void config_print_defaults(FILE *to);

#endif /* SK_CONFIG_H */
