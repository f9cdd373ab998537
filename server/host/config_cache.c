/*
 * Configs, compiled once for all matches with the same params, and the
 * memory in which turns are resolved.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/params.h"
#include "server/host/room.h"

static struct shared_config *
find(struct host *host, const struct sk_ruleset *ruleset, const char *params, size_t length)
{
    for (struct shared_config *config = host->configs; config != NULL; config = config->next) {
        if (config->ruleset == ruleset && config->params_length == length &&
            memcmp(config->params, params, length) == 0) {
            return config;
        }
    }
    return NULL;
}

/* Takes the text over. */
static enum sk_status
build(struct host *host, const struct sk_ruleset *ruleset, const void *params, char *text,
      struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    struct shared_config *config;
    enum sk_status status;

    host->config.used = 0;
    host->scratch.used = 0;
    status = ruleset->config_build(params, &host->config, &host->scratch, ret_fault);
    if (status != SK_OK) {
        free(text);
        return status;
    }
    config = host_memory(sizeof(*config));
    config->ruleset = ruleset;
    config->params = text;
    config->params_length = strlen(text);
    config->params_shown =
        ruleset->params_shown == NULL ? NULL : host_json_form(host, ruleset->params_shown, params);
    config->config = host_memory(host->config.used);
    config->config_size = host->config.used;
    memcpy(config->config, host->config.base, host->config.used);
    config->next = host->configs;
    host->configs = config;
    *ret_config = config;
    return SK_OK;
}

/* Written out complete, equal params are equal texts, however they were sent. */
static enum sk_status
share(struct host *host, const struct sk_ruleset *ruleset, const void *params,
      struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    char *text = host_json_form(host, ruleset->params, params);
    struct shared_config *config = find(host, ruleset, text, strlen(text));

    if (config == NULL) {
        enum sk_status status = build(host, ruleset, params, text, &config, ret_fault);

        if (status != SK_OK) {
            return status;
        }
    } else {
        free(text);
    }
    config->references++;
    *ret_config = config;
    return SK_OK;
}

enum sk_status
config_from_json(struct host *host, const struct sk_ruleset *ruleset, const struct sk_value *json,
                 struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    const void *params = NULL;
    enum sk_status status = sk_params_read(ruleset, json, &host->arena, &params, ret_fault);

    return status == SK_OK ? share(host, ruleset, params, ret_config, ret_fault) : status;
}

enum sk_status
config_from_text(struct host *host, const struct sk_ruleset *ruleset, struct sk_text text,
                 struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    struct shared_config *config = find(host, ruleset, text.at, text.length);
    struct sk_value *json;
    enum sk_status status;

    if (config != NULL) {
        config->references++;
        *ret_config = config;
        return SK_OK;
    }
    status = sk_json_parse(&host->reader, text.at, text.length, &json, ret_fault);
    if (status == SK_OK) {
        status = config_from_json(host, ruleset, json, ret_config, ret_fault);
        sk_json_free(json);
    }
    return status;
}

void
config_release(struct host *host, struct shared_config *config)
{
    struct shared_config **at = &host->configs;

    if (config == NULL || --config->references > 0) {
        return;
    }
    while (*at != config) {
        at = &(*at)->next;
    }
    *at = config->next;
    free(config->params);
    free(config->params_shown);
    free(config->config);
    free(config);
}

void
host_turn(struct host *host, const struct sk_ruleset *ruleset, const void *config,
          struct sk_turn *ret_turn)
{
    size_t size = sk_turn_memory_size(ruleset, config);

    if (size > host->turn_memory_size) {
        free(host->turn_memory);
        host->turn_memory = host_memory(size);
        host->turn_memory_size = size;
    }
    sk_turn_init(ret_turn, ruleset, config, host->turn_memory);
}
