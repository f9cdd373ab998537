/* snarl-fest: reads the question, calls the function that answers it, prints the answer. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_parse.h"
#include "tests/fest/fest.h"

struct kind {
    const char *name;
    struct json_object *(*answer)(struct json_object *question);
    const char *question;
};

static const struct kind kinds[] = {
    { "room", answer_room, "[room, point]" },
    { "level", answer_level, "[level, point]" },
    { "state", answer_state, "[state, name, point]" },
    { "manager", answer_manager, "[names, level, rounds, positions, moves of each player]" },
};

_Noreturn void
fest_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("snarl-fest: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void
usage(FILE *to)
{
    fputs("Usage: snarl-fest room|level|state|manager\n\n"
          "Reads one JSON value on standard input and prints the answer:\n",
          to);
    for (size_t i = 0; i < SK_COUNT_OF(kinds); i++) {
        fprintf(to, "  %-8s %s\n", kinds[i].name, kinds[i].question);
    }
}

static char *
read_all(FILE *from, size_t *ret_length)
{
    size_t room = 65536;
    size_t used = 0;
    char *text = malloc(room);

    while (text != NULL) {
        size_t got = fread(text + used, 1, room - used, from);

        used += got;
        if (got == 0) {
            break;
        }
        if (used == room) {
            room *= 2;
            text = realloc(text, room);
        }
    }
    if (text == NULL) {
        fest_fail("there is not enough memory");
    }
    *ret_length = used;
    return text;
}

/* The library checks that it is JSON; json-c alone accepts too much. */
static struct json_object *
read_question(void)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *question;
    struct sk_value *value = NULL;
    struct sk_fault fault;
    size_t length;
    char *text = read_all(stdin, &length);

    if (tokener == NULL) {
        fest_fail("there is not enough memory");
    }
    if (sk_json_parse(text, length, &value, &fault) != SK_OK) {
        fest_fail("%s at %s", fault.message, fault.at);
    }
    question = json_tokener_parse_ex(tokener, text, (int)length);
    sk_json_free(value);
    json_tokener_free(tokener);
    free(text);
    return question;
}

static int
answer(const struct kind *kind)
{
    struct json_object *question = read_question();
    struct json_object *found = kind->answer(question);

    puts(json_object_to_json_string_ext(found,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(found);
    json_object_put(question);
    return 0;
}

int
main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; count == 2 && i < SK_COUNT_OF(kinds); i++) {
        if (strcmp(arguments[1], kinds[i].name) == 0) {
            return answer(&kinds[i]);
        }
    }
    usage(stderr);
    return 2;
}
