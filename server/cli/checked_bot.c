#include "server/cli/checked_bot.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/json_parse.h"
#include "server/client/look.h"
#include "server/memory.h"
#include "server/net/call/get.h"

#define NAME_BYTES        64
#define LINE_BYTES        1024
#define RULESETS_LIMIT_MS 10000

/* ---- what it plays ----------------------------------------------------------------------- */

static void
add_ruleset(struct checked_bot *bot, const char *name, size_t length)
{
    if (length > 0 && bot->ruleset_count < CHECKED_RULESETS_MAX) {
        bot->rulesets[bot->ruleset_count++] = heap_copy(name, length);
    }
}

/* Names between separators. */
static void
add_rulesets(struct checked_bot *bot, const char *text, const char *separators)
{
    while (*text != '\0') {
        size_t length = strcspn(text, separators);

        add_ruleset(bot, text, length);
        text += length + (text[length] != '\0');
    }
}

/* {"rulesets":["tactics"]} */
static void
ask_service(struct checked_bot *bot)
{
    char line[LINE_BYTES];
    struct sk_value *json;
    struct sk_fault fault;
    const struct sk_value *list;
    const struct sk_value *item;

    if (call_get(bot->url, line, sizeof(line)) != 200 ||
        sk_json_parse(line, strlen(line), &json, &fault) != SK_OK) {
        return;
    }
    list = sk_value_is(json, SK_VALUE_OBJECT) ? sk_value_member(json, "rulesets") : NULL;
    item = list == NULL ? NULL : list + 1;
    for (uint32_t i = 0; sk_value_is(list, SK_VALUE_LIST) && i < list->count;
         i++, item = sk_value_next(item)) {
        char name[NAME_BYTES];
        uint32_t length =
            sk_value_is(item, SK_VALUE_TEXT) ? sk_value_copy(item, name, sizeof(name)) : 0;

        add_ruleset(bot, name, length < sizeof(name) ? length : 0);
    }
    sk_json_free(json);
}

/* COMMAND --rulesets prints a name per line. */
static void
ask_command(struct checked_bot *bot)
{
    char text[LINE_BYTES] = "";
    size_t length = 0;
    ssize_t got = -1;
    int status = 1;
    int pipes[2];
    pid_t process;

    if (pipe(pipes) != 0) {
        return;
    }
    process = fork();
    if (process == 0) {
        bot->command[bot->command_words] = "--rulesets";
        (void)dup2(pipes[1], STDOUT_FILENO);
        (void)close(pipes[0]);
        (void)close(pipes[1]);
        execvp(bot->command[0], bot->command);
        _exit(127);
    }
    (void)close(pipes[1]);
    while (length + 1 < sizeof(text) &&
           poll(&(struct pollfd){ .fd = pipes[0], .events = POLLIN }, 1, RULESETS_LIMIT_MS) == 1 &&
           (got = read(pipes[0], text + length, sizeof(text) - 1 - length)) > 0) {
        length += (size_t)got;
    }
    (void)close(pipes[0]);
    if (process > 0 && got != 0) {
        (void)kill(process, SIGKILL); /* it plays or waits, instead of printing and ending */
    }
    if (process > 0 && waitpid(process, &status, 0) == process && status == 0) {
        add_rulesets(bot, text, "\n");
    }
}

void
checked_bot_init(struct checked_bot *bot, char **words, int count, const char *rulesets)
{
    *bot = (struct checked_bot){ .command_words = count };
    bot->url = strstr(words[0], "://") != NULL ? words[0] : NULL;
    memcpy(bot->command, words, (size_t)count * sizeof(words[0]));
    if (rulesets != NULL) {
        add_rulesets(bot, rulesets, ",");
    } else if (bot->url != NULL) {
        ask_service(bot);
    } else {
        ask_command(bot);
    }
}

void
checked_bot_fini(struct checked_bot *bot)
{
    checked_bot_kill(bot);
    for (uint32_t i = 0; i < bot->ruleset_count; i++) {
        free(bot->rulesets[i]);
    }
}

/* ---- its process ------------------------------------------------------------------------- */

static _Noreturn void
become_bot(struct checked_bot *bot, const char *url, int64_t match)
{
    char number[32];
    int nothing = open("/dev/null", O_RDWR);
    char **word = bot->command + bot->command_words;

    (void)snprintf(number, sizeof(number), "%lld", (long long)match);
    *word++ = "--url";
    *word++ = (char *)(uintptr_t)url;
    *word++ = "--join";
    *word++ = number;
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(nothing, STDOUT_FILENO);
    }
    (void)setpgid(0, 0); /* its children are killed, too */
    execvp(bot->command[0], bot->command);
    fprintf(stderr, "skirmish bot check: cannot start %s\n", bot->command[0]);
    _exit(127);
}

bool
checked_bot_start(struct checked_bot *bot, const char *url, int64_t match)
{
    (void)fflush(stdout);
    bot->process = fork();
    if (bot->process == 0) {
        become_bot(bot, url, match);
    }
    if (bot->process < 0) {
        bot->process = 0;
        return false;
    }
    (void)setpgid(bot->process, bot->process);
    return true;
}

bool
checked_bot_has_ended(struct checked_bot *bot, int *ret_status)
{
    *ret_status = 0;
    if (bot->process != 0 && waitpid(bot->process, ret_status, WNOHANG) == bot->process) {
        bot->process = 0;
    }
    return bot->process == 0;
}

void
checked_bot_kill(struct checked_bot *bot)
{
    if (bot->process > 0) {
        (void)kill(-bot->process, SIGKILL);
        (void)waitpid(bot->process, NULL, 0);
        bot->process = 0;
    }
}
