/*
 * services - bots that are web services.
 *
 * A question becomes a call (server/net/call/call.h) with the body that
 * forms.h makes of it, and the call's answer becomes the question's.
 *
 * Owner:   services_open's caller.
 * Threads: services_refuse and services_put the loop's; answers go to `done`
 *          from the thread of the calls.
 */
#ifndef SK_SERVICES_H
#define SK_SERVICES_H

#include "server/bots/thinkers.h"
#include "server/server_limits.h"

struct services;

/* What a configuration says; without hosts and file no service is called. */
struct services_options {
    char hosts[SERVER_LIST_MAX + 1];    /* as call_hosts_parse reads it */
    char networks[SERVER_LIST_MAX + 1]; /* as net_networks_parse reads it */
    int32_t plain_http;                 /* 1: http too */
    char file[SERVER_PATH_MAX + 1];     /* see bot_file.h */
    char ca_file[SERVER_PATH_MAX + 1];
};

/* NULL with a message when the options are wrong, or there is no thread. */
struct services *services_open(const struct services_options *options, ask_done *done,
                               void *context, char error[SERVER_ERROR_MAX + 1]);

/* Calls under way are dropped.  NULL is allowed. */
void services_close(struct services *services);

/* NULL when it may be called, else a sentence that says why not. */
const char *services_refuse(const struct services *services, const struct bot_who *who);

/* False when too many are under way: the caller keeps it. */
bool services_put(struct services *services, struct bot_ask *ask);

#endif /* SK_SERVICES_H */
