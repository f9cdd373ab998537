#include "server/bots/bot_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* Copies the next word of the line, which must fit; false when it does not or is missing. */
static bool
take_word(char **rest, char *ret_word, size_t size)
{
    char *word = strtok_r(NULL, BLANKS, rest);

    if (word == NULL || strlen(word) >= size) {
        return false;
    }
    memcpy(ret_word, word, strlen(word) + 1);
    return true;
}

/* NULL, or what is wrong with the line.  One without a bot leaves the file as it is. */
static const char *
read_line(char *line, struct bot_file *file)
{
    struct named_bot bot = { 0 };
    char *rest = NULL;
    char *comment = strchr(line, '#');
    char *name;

    if (comment != NULL && (comment == line || strchr(BLANKS, comment[-1]) != NULL)) {
        *comment = '\0';
    }
    name = strtok_r(line, BLANKS, &rest);
    if (name == NULL) {
        return NULL;
    }
    if (strlen(name) >= sizeof(bot.name) || !sk_name_is_valid(sk_text_of(name))) {
        return "a name has 1 to 24 printable characters";
    }
    memcpy(bot.name, name, strlen(name) + 1);
    if (!take_word(&rest, bot.url, sizeof(bot.url))) {
        return "a name and an address are needed, and optionally a secret";
    }
    if (strspn(rest == NULL ? "" : rest, BLANKS) != strlen(rest == NULL ? "" : rest) &&
        !take_word(&rest, bot.secret, sizeof(bot.secret))) {
        return "the secret is too long";
    }
    if (strtok_r(NULL, BLANKS, &rest) != NULL) {
        return "there is something after name, address and secret";
    }
    if (bot_file_find(file, bot.name) != NULL) {
        return "the name is used twice";
    }
    if (file->count == BOT_FILE_BOTS_MAX) {
        return "there are too many bots";
    }
    file->bots[file->count++] = bot;
    return NULL;
}

bool
bot_file_read(const char *path, struct bot_file *ret_file, char error[SERVER_ERROR_MAX + 1])
{
    FILE *from = fopen(path, "re");
    struct bot_file file = { 0 };
    char line[SERVER_LINE_MAX + 2];
    const char *trouble = NULL;
    int number = 0;

    if (from == NULL) {
        (void)snprintf(error, SERVER_ERROR_MAX + 1, "cannot open %.255s: %s", path,
                       strerror(errno));
        return false;
    }
    while (trouble == NULL && fgets(line, sizeof(line), from) != NULL) {
        number++;
        trouble = strlen(line) > SERVER_LINE_MAX ? "the line is too long" : read_line(line, &file);
    }
    (void)fclose(from);
    if (trouble != NULL) {
        (void)snprintf(error, SERVER_ERROR_MAX + 1, "%.255s:%d: %s", path, number, trouble);
        return false;
    }
    *ret_file = file;
    return true;
}

const struct named_bot *
bot_file_find(const struct bot_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (strcmp(file->bots[i].name, name) == 0) {
            return &file->bots[i];
        }
    }
    return NULL;
}

const struct named_bot *
bot_file_find_url(const struct bot_file *file, const char *url)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (strcmp(file->bots[i].url, url) == 0) {
            return &file->bots[i];
        }
    }
    return NULL;
}
