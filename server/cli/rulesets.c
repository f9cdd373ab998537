/*
 * skirmish rulesets, schema, params - what this program knows, for people
 * and for programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "proto/json_buffer.h"
#include "proto/schema_doc.h"
#include "proto/schema_write.h"
#include "server/cli/cli.h"

typedef void write_function(struct sk_json_out *out, const void *ruleset);

int
cli_rulesets(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        puts("usage: skirmish rulesets\n\n"
             "Lists the rulesets: name, behaviour version, seats and a description.");
        return CLI_OK;
    }
    if (argc > 1) {
        return cli_usage_error("rulesets", "takes no", argv[1]);
    }
    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        bool is_fixed = ruleset->seats_min == ruleset->seats_max;

        printf("%-10s version %u   ", ruleset->name, ruleset->version);
        printf(is_fixed ? "%u seats     " : "%u to %u seats", ruleset->seats_min,
               ruleset->seats_max);
        printf("   %s\n", ruleset->summary);
    }
    return CLI_OK;
}

static int
about_ruleset(int argc, char **argv, const char *help, write_function *write)
{
    struct sk_json_buffer buffer = { NULL, 0 };
    const struct sk_ruleset *ruleset;
    struct sk_text text;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return CLI_OK;
    }
    if (argc != 2) {
        return cli_usage_error(argv[0], "takes the name of one ruleset", NULL);
    }
    ruleset = sk_registry_find(sk_text_of(argv[1]), 0);
    if (ruleset == NULL) {
        return cli_usage_error(argv[0], "there is no ruleset (see skirmish rulesets)", argv[1]);
    }
    text = sk_json_buffer_write(&buffer, write, ruleset);
    printf("%.*s\n", (int)text.length, text.at);
    free(buffer.at);
    return CLI_OK;
}

int
cli_schema(int argc, char **argv)
{
    static const char help[] =
        "usage: skirmish schema RULESET\n"
        "\n"
        "Prints one JSON object: the JSON Schemas (draft 2020-12) of the ruleset's params,\n"
        "state, view, command and event, the names of its checks, stages, verdicts and reasons,\n"
        "the numbers of its rules and the default params.  The schemas are generated from the "
        "tables that read and write the JSON.\n";

    return about_ruleset(argc, argv, help, sk_ruleset_document);
}

static void
write_default_params(struct sk_json_out *out, const void *ruleset)
{
    const struct sk_ruleset *of = ruleset;

    sk_form_write(out, of->params, of->default_params);
}

int
cli_params(int argc, char **argv)
{
    static const char help[] = "usage: skirmish params RULESET\n"
                               "\n"
                               "Prints the default params of a match as JSON, to start from.\n";

    return about_ruleset(argc, argv, help, write_default_params);
}
