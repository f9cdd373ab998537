#include "server/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/status.h"
#include "common/core/registry.h"
#include "proto/json_parse.h"
#include "server/cli/cli.h"
#include "server/memory.h"
#include "server/state_path.h"

#define NAME_WIDTH 22

/* ---- help -------------------------------------------------------------------------------- */

static void
print_help(const struct cli_usage *usage)
{
    printf("usage: skirmish %s%s%s%s\n\n%s", usage->command,
           usage->option_count > 0 ? " [OPTIONS]" : "", usage->arguments == NULL ? "" : " ",
           usage->arguments == NULL ? "" : usage->arguments, usage->about);
    if (usage->option_count > 0) {
        printf("\noptions:\n");
    }
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct cli_option *option = &usage->options[i];
        char name[64];

        (void)snprintf(name, sizeof(name), "--%s%s%s", option->name,
                       option->takes == NULL ? "" : " ",
                       option->takes == NULL ? "" : option->takes);
        printf("  %-*s %s\n", NAME_WIDTH, name, option->doc);
    }
}

/* ---- values ------------------------------------------------------------------------------ */

bool
cli_number_read(const char *text, int64_t min, int64_t max, int64_t *ret_number)
{
    char *end = NULL;
    long long number;

    errno = 0;
    number = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < min || number > max) {
        return false;
    }
    *ret_number = number;
    return true;
}

static bool
is_json_object(const char *text)
{
    struct sk_value *json = NULL;
    struct sk_fault fault;
    bool is_object = sk_json_parse(text, strlen(text), &json, &fault) == SK_OK &&
                     sk_value_is(json, SK_VALUE_OBJECT);

    sk_json_free(json);
    return is_object;
}

int
cli_check_match(const char *command, const char *ruleset, const char *params)
{
    if (ruleset != NULL && sk_registry_find(sk_text_of(ruleset), 0) == NULL) {
        return cli_usage_error(command, "there is no ruleset", ruleset);
    }
    if (params != NULL && !is_json_object(params)) {
        return cli_usage_error(command, "--params takes a JSON object, not", params);
    }
    return CLI_OK;
}

int
cli_check_level(const char *command, const char *ruleset, enum bot_level level)
{
    const struct sk_ruleset *of = ruleset == NULL ? NULL : sk_registry_find(sk_text_of(ruleset), 0);
    char what[96];

    if (of == NULL || bot_level_plays(of, level)) {
        return CLI_OK;
    }
    (void)snprintf(what, sizeof(what), "%.40s has no bot of the level", of->name);
    return cli_usage_error(command, what, bot_level_names[level]);
}

static bool
set_value(const struct cli_usage *usage, const struct cli_option *option, const char *value)
{
    char what[96];

    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->value = true;
        return true;
    case CLI_TEXT:
        *(const char **)option->value = value;
        return true;
    default:
        break;
    }
    if (cli_number_read(value, option->min, option->max, option->value)) {
        return true;
    }
    (void)snprintf(what, sizeof(what), "--%s takes a whole number from %lld to %lld, not",
                   option->name, (long long)option->min, (long long)option->max);
    (void)cli_usage_error(usage->command, what, value);
    return false;
}

/* ---- words ------------------------------------------------------------------------------- */

static const struct cli_option *
find(const struct cli_usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct cli_option *option = &usage->options[i];

        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            return option;
        }
    }
    return NULL;
}

/* One option at argv[*at]; moves on to the word after it. */
static bool
read_option(const struct cli_usage *usage, int argc, char **argv, int *at)
{
    const char *word = argv[(*at)++] + 2;
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const struct cli_option *option = find(usage, word, length);

    if (option == NULL) {
        (void)cli_usage_error(usage->command, "unknown option", argv[*at - 1]);
        return false;
    }
    if (option->kind == CLI_FLAG) {
        if (equals != NULL) {
            (void)cli_usage_error(usage->command, "this option takes no value", argv[*at - 1]);
            return false;
        }
        return set_value(usage, option, NULL);
    }
    if (equals != NULL) {
        return set_value(usage, option, equals + 1);
    }
    if (*at >= argc) {
        (void)cli_usage_error(usage->command, "this option needs a value", argv[*at - 1]);
        return false;
    }
    return set_value(usage, option, argv[(*at)++]);
}

bool
cli_options_read(const struct cli_usage *usage, int argc, char **argv, struct cli_words *ret_words,
                 int *ret_exit)
{
    int count = 0;
    int at = 1;
    bool is_ended = false;

    while (at < argc) {
        if (!is_ended && (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)) {
            print_help(usage);
            *ret_exit = CLI_OK;
            return false;
        }
        if (!is_ended && strcmp(argv[at], "--") == 0) {
            is_ended = true;
            at++;
        } else if (!is_ended && strncmp(argv[at], "--", 2) == 0) {
            if (!read_option(usage, argc, argv, &at)) {
                *ret_exit = CLI_USAGE;
                return false;
            }
        } else {
            argv[1 + count++] = argv[at++];
        }
    }
    if (count > 0 && usage->arguments == NULL) {
        *ret_exit = cli_usage_error(usage->command, "takes no argument", argv[1]);
        return false;
    }
    *ret_words = (struct cli_words){ argv + 1, count };
    return true;
}

/* ---- the database ------------------------------------------------------------------------ */

#define PATH_SIZE 4096

bool
cli_ids_read(const char *command, const struct cli_words *words, int64_t **ret_ids)
{
    int64_t *ids = heap_memory((size_t)words->count * sizeof(*ids));

    for (int i = 0; i < words->count; i++) {
        if (!cli_number_read(words->at[i], 1, INT64_MAX, &ids[i])) {
            (void)cli_usage_error(command, "not the number of a match", words->at[i]);
            free(ids);
            return false;
        }
    }
    *ret_ids = ids;
    return true;
}

const char *
cli_database(const char *given)
{
    static const char of_service[] = STATE_FOLDER_SERVICE "/" STATE_DATABASE;
    static char path[PATH_SIZE];

    if (given != NULL && given[0] != '\0') {
        return given;
    }
    if (!state_database(path, sizeof(path))) {
        path[0] = '\0'; /* too long: no file has that name */
    }
    /* A user without a database of their own gets that of the service. */
    if (getenv("SKIRMISH_DATABASE") == NULL && access(path, F_OK) != 0 &&
        access(of_service, R_OK) == 0) {
        return of_service;
    }
    return path;
}
