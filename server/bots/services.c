#include "server/bots/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/bots/bot_file.h"
#include "server/bots/forms.h"
#include "server/memory.h"
#include "server/net/call/call.h"

struct services {
    struct call_targets targets;
    struct bot_file file;
    struct forms *forms; /* the calls' thread's */
    struct calls *calls; /* NULL: nothing is called */
    char ca_file[SERVER_PATH_MAX + 1];
    ask_done *done;
    void *context;
};

/* ---- whom to call ------------------------------------------------------------------------ */

/* The operator's own entry, or NULL: only its address is known. */
static const struct named_bot *
named(const struct services *services, const struct bot_who *who)
{
    return who->kind == BOT_OF_NAME ? bot_file_find(&services->file, who->word)
                                    : bot_file_find_url(&services->file, who->word);
}

const char *
services_refuse(const struct services *services, const struct bot_who *who)
{
    const struct named_bot *bot = named(services, who);

    if (services->calls == NULL) {
        return "this server calls no web services";
    }
    if (who->kind == BOT_OF_NAME) {
        return bot == NULL ? "this server knows no bot of that name" : NULL;
    }
    return call_targets_refuse(&services->targets, who->word, bot != NULL);
}

/* ---- on the calls' thread ---------------------------------------------------------------- */

static void
prepare(void *context, struct call *call)
{
    struct services *services = context;
    struct bot_ask *ask = call->context;

    call->body = forms_question(services->forms, ask);
    if (call->body == NULL) {
        call->failure = BOT_BAD_FORM;
        return;
    }
    call->body_length = strlen(call->body);
    call_add_header(call, "X-Skirmish-Ruleset: %s", ask->ruleset);
    call_add_header(call, "X-Skirmish-Match: %lld", (long long)ask->match);
    call_add_header(call, "X-Skirmish-Turn: %u", ask->turn);
    call_add_header(call, "X-Skirmish-Seat: %u", ask->seat);
    call_add_header(call, "X-Skirmish-Deadline-Ms: %d", ask->limit_ms);
    if (ask->last_failure != BOT_ANSWERED) {
        call_add_header(call, "X-Skirmish-Last-Error: %s", sk_bot_failure_word(ask->last_failure));
    }
}

static void
called(void *context, struct call *call)
{
    struct services *services = context;
    struct bot_ask *ask = call->context;

    ask->failure = call->failure;
    ask->status = call->status;
    ask->latency_ms = call->latency_ms;
    ask->request = call->body;
    ask->reply = call->answer;
    ask->reply_length = call->answer_length;
    if (ask->failure == BOT_STATUS) {
        (void)snprintf(ask->detail, sizeof(ask->detail), "it was %d", ask->status);
    }
    call->body = NULL; /* both are taken over */
    call->answer = NULL;
    if (ask->failure == BOT_ANSWERED) {
        ask->failure = forms_answer(services->forms, ask, ask->reply == NULL ? "" : ask->reply,
                                    ask->reply_length);
    }
    call_free(call);
    services->done(services->context, ask);
}

static void
forget(void *context, struct call *call)
{
    (void)context;
    bot_ask_free(call->context);
}

/* ---- from the loop ----------------------------------------------------------------------- */

bool
services_put(struct services *services, struct bot_ask *ask)
{
    const struct named_bot *bot = named(services, &ask->who);
    struct call *call;

    if (services_refuse(services, &ask->who) != NULL) {
        ask->failure = BOT_FORBIDDEN; /* of a match from before the configuration changed */
        services->done(services->context, ask);
        return true;
    }
    call = call_alloc();
    (void)snprintf(call->url, sizeof(call->url), "%s", bot == NULL ? ask->who.word : bot->url);
    (void)snprintf(call->secret, sizeof(call->secret), "%s", bot == NULL ? "" : bot->secret);
    call->is_operators = bot != NULL;
    call->limit_ms = ask->limit_ms;
    call->context = ask;
    if (!calls_put(services->calls, call)) {
        call_free(call);
        return false;
    }
    return true;
}

/* ---- opening ----------------------------------------------------------------------------- */

static bool
read_options(struct services *services, const struct services_options *options,
             char error[SERVER_ERROR_MAX + 1])
{
    if (!call_hosts_parse(options->hosts, &services->targets.hosts) ||
        !net_networks_parse(options->networks, &services->targets.networks)) {
        (void)snprintf(error, SERVER_ERROR_MAX + 1,
                       "bot-hosts or bot-networks is not a valid list");
        return false;
    }
    services->targets.allows_plain = options->plain_http != 0;
    (void)snprintf(services->ca_file, sizeof(services->ca_file), "%s", options->ca_file);
    if (options->file[0] != '\0' && !bot_file_read(options->file, &services->file, error)) {
        return false;
    }
    for (uint32_t i = 0; i < services->file.count; i++) {
        const char *why = call_targets_refuse(&services->targets, services->file.bots[i].url, true);

        if (why != NULL) {
            (void)snprintf(error, SERVER_ERROR_MAX + 1, "bot-file: %s: %s",
                           services->file.bots[i].name, why);
            return false;
        }
    }
    return true;
}

static bool
is_wanted(const struct services *services)
{
    return services->targets.hosts.is_any || services->targets.hosts.count > 0 ||
           services->file.count > 0;
}

static bool
open_calls(struct services *services, char error[SERVER_ERROR_MAX + 1])
{
    struct calls_options options = {
        .targets = services->targets,
        .ca_file = services->ca_file,
        .prepare = prepare,
        .done = called,
        .forget = forget,
        .context = services,
    };

    services->forms = forms_alloc();
    services->calls = calls_open(&options);
    if (services->calls == NULL) {
        (void)snprintf(error, SERVER_ERROR_MAX + 1, "no thread for calls to web services");
    }
    return services->calls != NULL;
}

struct services *
services_open(const struct services_options *options, ask_done *done, void *context,
              char error[SERVER_ERROR_MAX + 1])
{
    struct services *services = heap_memory(sizeof(*services));

    services->done = done;
    services->context = context;
    if (!read_options(services, options, error) ||
        (is_wanted(services) && !open_calls(services, error))) {
        services_close(services);
        return NULL;
    }
    return services;
}

void
services_close(struct services *services)
{
    if (services != NULL) {
        calls_close(services->calls);
        forms_free(services->forms);
        free(services);
    }
}
