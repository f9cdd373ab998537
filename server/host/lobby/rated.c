#include "server/host/lobby/rated.h"

#include "common/core/registry.h"

/* ---- the operator's list ----------------------------------------------------------------- */

/* Appends those of one ruleset. */
static enum sk_status
add_list(struct host *host, const struct sk_ruleset *ruleset, const struct sk_value *list,
         struct rated_params *params, struct sk_fault *ret_fault)
{
    const struct sk_value *item = sk_value_first(list);

    for (uint32_t i = 0; i < list->count; i++, item = sk_value_next(item)) {
        enum sk_status status;

        if (params->count == HOST_RATED_PARAMS_MAX) {
            return sk_fault_set(ret_fault, "too_many", "there are too many params in the list");
        }
        host->work.arena.used = 0;
        status =
            config_from_json(&host->work, ruleset, item, &params->items[params->count], ret_fault);
        if (status != SK_OK) {
            sk_fault_inside_index(ret_fault, i);
            return status;
        }
        params->count++;
    }
    return SK_OK;
}

static enum sk_status
add_member(struct host *host, const struct sk_value *key, struct rated_params *params,
           struct sk_fault *ret_fault)
{
    const struct sk_value *list = sk_value_next(key);
    const struct sk_ruleset *ruleset;
    enum sk_status status;
    struct sk_text name;

    host->work.arena.used = 0;
    if (!sk_value_text(key, &host->work.arena, &name)) {
        return sk_fault_set(ret_fault, "unknown_ruleset", "a ruleset's name is too long");
    }
    ruleset = sk_registry_find(name, 0);
    if (ruleset == NULL) {
        status = sk_fault_set(ret_fault, "unknown_ruleset", "there is no ruleset of this name");
    } else if (!sk_value_is(list, SK_VALUE_LIST)) {
        status = sk_fault_set(ret_fault, "bad_params", "a list of params is needed");
    } else {
        name = sk_text_of(ruleset->name); /* the arena is reused */
        status = add_list(host, ruleset, list, params, ret_fault);
    }
    if (status != SK_OK) {
        sk_fault_inside(ret_fault, name);
    }
    return status;
}

static void
release(struct host *host, struct rated_params *params)
{
    while (params->count > 0) {
        config_release(&host->work, params->items[--params->count]);
    }
}

enum sk_status
host_rate_params(struct host *host, const char *text, size_t length, struct sk_fault *ret_fault)
{
    struct rated_params params = { 0 };
    struct sk_value *json = NULL;
    enum sk_status status = sk_json_parse(text, length, &json, ret_fault);

    if (status == SK_OK && json->kind != SK_VALUE_OBJECT) {
        status = sk_fault_set(ret_fault, "bad_params", "an object with rulesets is needed");
    } else if (status == SK_OK) {
        const struct sk_value *key = sk_value_first(json);

        for (uint32_t i = 0; i < json->count && status == SK_OK; i++) {
            status = add_member(host, key, &params, ret_fault);
            key = sk_value_next(sk_value_next(key));
        }
    }
    sk_json_free(json);
    if (status == SK_OK) {
        rated_free(host);
        host->rated = params;
    } else {
        release(host, &params);
    }
    return status;
}

void
rated_free(struct host *host)
{
    release(host, &host->rated);
}

/* ---- whether params are rated ------------------------------------------------------------ */

/* Equal params are one config, so comparing addresses is enough. */
bool
rated_is_allowed(struct host *host, const struct shared_config *config)
{
    struct shared_config *by_default;
    struct sk_fault fault;
    bool is_allowed;

    if (host->options.rated_params == HOST_RATED_ANY) {
        return true;
    }
    for (uint32_t i = 0; i < host->rated.count; i++) {
        if (host->rated.items[i] == config) {
            return true;
        }
    }
    if (config_from_json(&host->work, config->ruleset, NULL, &by_default, &fault) != SK_OK) {
        return false;
    }
    is_allowed = by_default == config;
    config_release(&host->work, by_default);
    return is_allowed;
}
