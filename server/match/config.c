/*
 * Configs, compiled once for all matches with the same params.
 */
#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/params.h"
#include "server/match/work.h"
#include "server/memory.h"

static struct shared_config *
find(struct work *work, const struct sk_ruleset *ruleset, const char *params, size_t length)
{
    for (struct shared_config *config = work->configs; config != NULL; config = config->next) {
        if (config->ruleset == ruleset && config->params_length == length &&
            memcmp(config->params, params, length) == 0) {
            return config;
        }
    }
    return NULL;
}

/* Takes ownership of `text`. */
static enum sk_status
build(struct work *work, const struct sk_ruleset *ruleset, const void *params, char *text,
      struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    struct shared_config *config;
    enum sk_status status;

    work->config.used = 0;
    work->scratch.used = 0;
    status = sk_rules_config_build(ruleset, params, &work->config, &work->scratch, ret_fault);
    if (status != SK_OK) {
        free(text);
        return status;
    }
    config = heap_memory(sizeof(*config));
    config->ruleset = ruleset;
    config->params = text;
    config->params_length = strlen(text);
    config->params_shown =
        ruleset->params_shown == NULL ? NULL : work_json_form(work, ruleset->params_shown, params);
    config->config = heap_memory(work->config.used);
    config->config_size = work->config.used;
    memcpy(config->config, work->config.base, work->config.used);
    config->next = work->configs;
    work->configs = config;
    *ret_config = config;
    return SK_OK;
}

/* Params are written out in full, so equal params give equal text however they were sent. */
static enum sk_status
share(struct work *work, const struct sk_ruleset *ruleset, const void *params,
      struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    char *text = work_json_form(work, ruleset->params, params);
    struct shared_config *config = find(work, ruleset, text, strlen(text));

    if (config == NULL) {
        enum sk_status status = build(work, ruleset, params, text, &config, ret_fault);

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
config_from_json(struct work *work, const struct sk_ruleset *ruleset, const struct sk_value *json,
                 struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    const void *params = NULL;
    enum sk_status status = sk_params_read(ruleset, json, &work->arena, &params, ret_fault);

    return status == SK_OK ? share(work, ruleset, params, ret_config, ret_fault) : status;
}

enum sk_status
config_from_text(struct work *work, const struct sk_ruleset *ruleset, struct sk_text text,
                 struct shared_config **ret_config, struct sk_fault *ret_fault)
{
    struct shared_config *config = find(work, ruleset, text.at, text.length);
    struct sk_value *json;
    enum sk_status status;

    if (config != NULL) {
        config->references++;
        *ret_config = config;
        return SK_OK;
    }
    status = sk_json_parse(text.at, text.length, &json, ret_fault);
    if (status == SK_OK) {
        status = config_from_json(work, ruleset, json, ret_config, ret_fault);
        sk_json_free(json);
    }
    return status;
}

void
config_release(struct work *work, struct shared_config *config)
{
    struct shared_config **at = &work->configs;

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
