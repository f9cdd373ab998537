#include "tests/support/protocol.h"

#include <stdio.h>
#include <string.h>

#include "proto/bot_failures.h"
#include "proto/bot_question.h"
#include "proto/errors.h"
#include "proto/frames.h"
#include "tests/support/table.h"

#define BEGIN_MARK "<!-- generated: "
#define END_MARK   "<!-- end -->"
#define NAME_MAX   48

/* ---- types in words ---------------------------------------------------------------------- */

static void
say_text_bounds(struct words *words, const struct sk_member *member)
{
    if (member->min == member->max) {
        words_say(words, "text of %d bytes", member->max);
    } else {
        words_say(words, "text of %d to %d bytes", member->min, member->max);
    }
}

static void
say_enum(struct words *words, const struct sk_member *member)
{
    for (uint16_t i = 0; i < member->word_count; i++) {
        words_say(words, "%s`%s`", i == 0 ? "" : ", ", member->words[i]);
    }
}

static void
say_int(struct words *words, const struct sk_member *member)
{
    if (member->max == INT32_MAX) {
        words_say(words, "integer from %d", member->min);
    } else {
        words_say(words, "integer, %d to %d", member->min, member->max);
    }
}

static void
say_type(struct words *words, const struct sk_member *member)
{
    switch (member->kind) {
    case SK_KIND_BOOL:
        words_say(words, "true or false");
        break;
    case SK_KIND_INT:
        say_int(words, member);
        break;
    case SK_KIND_LONG:
        words_say(words, "integer from %d", member->min);
        break;
    case SK_KIND_ENUM:
        say_enum(words, member);
        break;
    case SK_KIND_ID_TEXT:
        words_say(words, "1 to %d of `A-Z a-z 0-9 _ -`", SK_ID_MAX);
        break;
    case SK_KIND_TEXT:
        say_text_bounds(words, member);
        break;
    case SK_KIND_JSON:
        words_say(words, "JSON");
        break;
    case SK_KIND_OBJECT:
        words_say(words, "[%s](#object-%s)", member->object->title, member->object->title);
        break;
    case SK_KIND_LIST:
        words_say(words, "list of: ");
        say_type(words, member->item);
        break;
    default:
        table_fail("%s: a kind that no frame has yet", member->name);
    }
    if ((member->flags & SK_NULLABLE) != 0) {
        words_say(words, ", or null");
    }
}

/* The meaning of a missing member. */
static void
say_missing(struct words *words, const struct sk_member *member)
{
    if ((member->flags & SK_OPTIONAL) == 0) {
        words_say(words, "required");
    } else if ((member->flags & SK_TRACKED) != 0) {
        words_say(words, "optional");
    } else if (member->kind == SK_KIND_BOOL) {
        words_say(words, "%s", member->fallback != 0 ? "true" : "false");
    } else if (member->kind == SK_KIND_INT) {
        words_say(words, "%d", member->fallback);
    } else if (member->kind == SK_KIND_ENUM) {
        words_say(words, "`%s`", member->words[member->fallback]);
    } else {
        words_say(words, "optional");
    }
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Without the members of its base, which all frames have. */
static void
say_members(struct words *words, const struct sk_schema *schema)
{
    if (schema->member_count == 0) {
        words_say(words, "It has no members of its own.\n");
        return;
    }
    words_say(words, "| member | when missing | type | meaning |\n|---|---|---|---|\n");
    for (uint16_t i = 0; i < schema->member_count; i++) {
        const struct sk_member *member = &schema->members[i];

        words_say(words, "| `%s` | ", member->name);
        say_missing(words, member);
        words_say(words, " | ");
        say_type(words, member);
        words_say(words, " | %s |\n", member->doc);
    }
}

static void
say_frame(struct words *words, const struct sk_variants *frames, const char *name)
{
    for (uint16_t i = 0; i < frames->count; i++) {
        if (strcmp(frames->of[i].kind, name) == 0) {
            words_say(words, "%s\n\n", frames->of[i].doc);
            say_members(words, frames->of[i].schema);
            return;
        }
    }
    table_fail("there is no frame %s", name);
}

static void
say_frames(struct words *words, const struct sk_variants *frames)
{
    words_say(words, "| frame | meaning |\n|---|---|\n");
    for (uint16_t i = 0; i < frames->count; i++) {
        words_say(words, "| `%s` | %s |\n", frames->of[i].kind, frames->of[i].doc);
    }
}

/* Objects are identified by the titles of their schemas. */
static const struct sk_schema *
find_object(const struct sk_schema *schema, const char *title)
{
    const struct sk_schema *found = NULL;

    for (uint16_t i = 0; i < schema->member_count && found == NULL; i++) {
        const struct sk_member *member = &schema->members[i];

        member = member->kind == SK_KIND_LIST ? member->item : member;
        if (member->kind == SK_KIND_OBJECT) {
            found = strcmp(member->object->title, title) == 0 ? member->object
                                                              : find_object(member->object, title);
        }
    }
    return found;
}

static const struct sk_schema *
find_object_of(const struct sk_variants *frames, const char *title)
{
    const struct sk_schema *found = NULL;

    for (uint16_t i = 0; i < frames->count && found == NULL; i++) {
        found = find_object(frames->of[i].schema, title);
    }
    return found;
}

static void
say_object(struct words *words, const char *title)
{
    const struct sk_schema *object = find_object_of(&sk_server_frames, title);

    object = object == NULL ? find_object_of(&sk_client_frames, title) : object;
    object = object == NULL ? find_object(&sk_bot_question, title) : object;
    if (object == NULL) {
        table_fail("no frame has an object %s", title);
    }
    say_members(words, object);
}

static void
say_errors(struct words *words)
{
    words_say(words, "| code | `retry_ms` | meaning |\n|---|---|---|\n");
    for (unsigned i = 0; i < ERROR_COUNT; i++) {
        words_say(words, "| `%s` | %s | %s |\n", sk_error_code((enum error_code)i),
                  sk_error_retry_ms((enum error_code)i) == 0 ? "" : "yes",
                  sk_error_meaning((enum error_code)i));
    }
}

static void
say_bot_failures(struct words *words)
{
    words_say(words, "| word | meaning |\n|---|---|\n");
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_FAILURE_COUNT; i++) {
        words_say(words, "| `%s` | %s |\n", sk_bot_failure_word((enum bot_failure)i),
                  sk_bot_failure_meaning((enum bot_failure)i));
    }
}

struct limit_row {
    const char *what;
    long value;
};

static const struct limit_row limit_rows[] = {
    { "bytes of a message", FRAME_BYTES_MAX },
    { "bytes of a `create` or `queue`", FRAME_CREATE_BYTES_MAX },
    { "objects and lists inside each other", SK_JSON_DEPTH_MAX },
    { "keys of one object", SK_JSON_KEYS_MAX },
    { "bytes of an `id`", FRAME_ID_MAX },
    { "bytes of a `command_id`", FRAME_COMMAND_ID_MAX },
    { "characters of a player's name", FRAME_PLAYER_NAME_MAX },
    { "bytes of a `chat`", FRAME_CHAT_MAX },
    { "commands of one `submit`", SK_COMMANDS_MAX },
    { "seats of a match", SK_SEATS_MAX },
    { "milliseconds of the shortest turn", FRAME_TURN_MS_MIN },
    { "milliseconds of the shortest cycle", FRAME_CYCLE_MS_MIN },
    { "milliseconds of the longest cycle", FRAME_CYCLE_MS_MAX },
    { "bytes of a bot's address", FRAME_BOT_URL_MAX },
    { "turns of the longest spectator delay", FRAME_SPECTATOR_DELAY_MAX },
};

static void
say_limits(struct words *words)
{
    words_say(words, "| limit | value |\n|---|---|\n");
    for (size_t i = 0; i < SK_COUNT_OF(limit_rows); i++) {
        words_say(words, "| %s | %ld |\n", limit_rows[i].what, limit_rows[i].value);
    }
}

static void
say_part(struct words *words, const char *name)
{
    if (strcmp(name, "client frames") == 0) {
        say_frames(words, &sk_client_frames);
    } else if (strcmp(name, "server frames") == 0) {
        say_frames(words, &sk_server_frames);
    } else if (strcmp(name, "errors") == 0) {
        say_errors(words);
    } else if (strcmp(name, "bot failures") == 0) {
        say_bot_failures(words);
    } else if (strcmp(name, "bot question") == 0) {
        say_members(words, &sk_bot_question);
    } else if (strcmp(name, "limits") == 0) {
        say_limits(words);
    } else if (strncmp(name, "client ", 7) == 0) {
        say_frame(words, &sk_client_frames, name + 7);
    } else if (strncmp(name, "server ", 7) == 0) {
        say_frame(words, &sk_server_frames, name + 7);
    } else if (strncmp(name, "object ", 7) == 0) {
        say_object(words, name + 7);
    } else {
        table_fail("nothing generates \"%s\"", name);
    }
}

/* ---- the page ---------------------------------------------------------------------------- */

void
protocol_fill(const char *text, struct words *words)
{
    const char *begin;

    while ((begin = strstr(text, BEGIN_MARK)) != NULL) {
        const char *line_end = strchr(begin, '\n');
        const char *end = strstr(begin, END_MARK);
        char name[NAME_MAX];

        if (line_end == NULL || end == NULL ||
            sscanf(begin, BEGIN_MARK "%47[a-z_ ]-->\n", name) != 1) {
            table_fail("a marker that does not begin or end a part: %.60s", begin);
        }
        name[strlen(name) - 1] = '\0'; /* the space before the arrow */
        words_say(words, "%.*s\n\n", (int)(line_end - text), text);
        say_part(words, name);
        words_say(words, "\n");
        text = end;
    }
    words_say(words, "%s", text);
}

static bool
read_marker(const char *at, struct protocol_example *example)
{
    char side[8];

    if (sscanf(at, "<!-- %7[a-z]: %31[a-z_] -->", side, example->frame) == 2) {
        example->player[0] = '\0';
    } else if (sscanf(at, "<!-- %7[a-z] %15[a-z]: %31[a-z_] -->", side, example->player,
                      example->frame) != 3) {
        return false;
    }
    example->is_client = strcmp(side, "client") == 0;
    return example->is_client || strcmp(side, "server") == 0;
}

bool
protocol_next_example(const char **text, struct protocol_example *ret_example)
{
    static const char fence[] = "```json\n";
    const char *at = *text;

    while ((at = strstr(at, "<!-- ")) != NULL) {
        const char *end = strchr(at, '\n');

        if (!read_marker(at, ret_example)) {
            at++;
            continue;
        }
        if (end == NULL || strncmp(end + 1, fence, strlen(fence)) != 0) {
            table_fail("no example follows: %.60s", at);
        }
        ret_example->json = end + 1 + strlen(fence);
        end = strstr(ret_example->json, "\n```\n");
        if (end == NULL) {
            table_fail("an example without an end: %.60s", at);
        }
        ret_example->length = (size_t)(end - ret_example->json);
        *text = end;
        return true;
    }
    return false;
}
