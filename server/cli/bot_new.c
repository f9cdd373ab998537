/*
 * skirmish bot new - writes a bot that plays, to begin with.
 */
#include "server/cli/bot_new.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/cli/cli.h"
#include "server/cli/options.h"

#define NAME_BYTES_MAX 64

struct template
{
    const unsigned char *text;
    const char *ending;
    const char *next; /* what to do with it, with its path for each %s */
};

static const struct template python = {
    bot_template_python,
    ".py",
    "It needs the Python package of proto/python (pip install ./proto/python, or PYTHONPATH).\n"
    "Against one of the server's bots:          python3 %s --against random --games 5\n"
    "As a web service:                          python3 %s --http 8001\n"
    "  and in a tournament:                     skirmish arena --ruleset tactics "
    "http://127.0.0.1:8001/ random greedy\n"
    "Does it do everything right?               skirmish bot check python3 %s\n",
};

static const struct template js = {
    bot_template_js,
    ".mjs",
    "It is a web service:                       node %s 8001\n"
    "In a tournament:                           skirmish arena --ruleset tactics "
    "http://127.0.0.1:8001/ random greedy\n"
    "Does it do everything right?               skirmish bot check http://127.0.0.1:8001/\n",
};

/* The file's name without its folder. */
static const char *
name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static bool
is_name(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-') {
            return false;
        }
    }
    return length > 0 && length <= NAME_BYTES_MAX && name[0] != '-';
}

/* The text, with the bot's own name. */
static void
print_template(const char *text, const char *name, FILE *to)
{
    const char *found;

    while ((found = strstr(text, BOT_TEMPLATE_NAME)) != NULL) {
        (void)fprintf(to, "%.*s%s", (int)(found - text), text, name);
        text = found + strlen(BOT_TEMPLATE_NAME);
    }
    (void)fputs(text, to);
}

/* A file that exists is not touched. */
static bool
write_file(const char *path, const char *text, const char *name)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool is_written;

    if (file == NULL) {
        return false;
    }
    print_template(text, name, file);
    is_written = ferror(file) == 0;
    return fclose(file) == 0 && is_written;
}

static void
print_next(const struct template *template, const char *path)
{
    const char *text = template->next;
    const char *found;

    printf("%s plays tactics.\n", path);
    while ((found = strstr(text, "%s")) != NULL) {
        printf("%.*s%s", (int)(found - text), text, path);
        text = found + 2;
    }
    printf("%s", text);
}

int
cli_bot_new(int argc, char **argv)
{
    bool is_python = false;
    bool is_js = false;
    const struct cli_option options[] = {
        { "python", CLI_FLAG, &is_python, NULL,
          "in Python, as a client or a web service (the default)", 0, 0 },
        { "js", CLI_FLAG, &is_js, NULL, "in JavaScript for Node, as a web service", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "bot new",
        .arguments = "NAME",
        .about =
            "Writes a bot that plays tactics to NAME.py or NAME.mjs, and says how to start it.\n"
            "NAME may begin with a folder.  A file that exists is not changed.\n",
        CLI_OPTIONS(options),
    };
    const struct template *template;
    char path[PATH_MAX];
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1) {
        return cli_usage_error("bot new", "takes a name", NULL);
    }
    if (!is_name(name_of(words.at[0]))) {
        return cli_usage_error("bot new", "a name has 1 to 64 of A-Z a-z 0-9 _ -, not",
                               name_of(words.at[0]));
    }
    if (is_python && is_js) {
        return cli_usage_error("bot new", "--python and --js exclude each other", NULL);
    }
    template = is_js ? &js : &python;
    if ((size_t)snprintf(path, sizeof(path), "%s%s", words.at[0], template->ending) >=
        sizeof(path)) {
        return cli_usage_error("bot new", "the name is too long", NULL);
    }
    if (!write_file(path, (const char *)template->text, name_of(words.at[0]))) {
        fprintf(stderr, "skirmish bot new: %s: %s\n", path, strerror(errno));
        return CLI_FAILED;
    }
    print_next(template, path);
    return CLI_OK;
}
