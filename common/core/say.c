/*
 * Events as sentences, whose braces are filled in from the event's members by
 * the same tables that produce its JSON.  {seat} and {seats} are players.
 */
#include <string.h>

#include "common/core/event.h"
#include "common/core/picture.h"
#include "common/core/ruleset.h"

#define SAID_MAX 12u /* a longer list is only counted */

struct saying {
    const struct sk_ruleset *ruleset;
    const void *config;
    struct sk_line *line;
    bool is_seat; /* numbers are seats */
};

static const struct sk_member *
member_find(const struct sk_schema *schema, struct sk_text name)
{
    for (; schema != NULL; schema = schema->base) {
        for (uint16_t i = 0; i < schema->member_count; i++) {
            if (sk_text_same(sk_text_of(schema->members[i].name), name)) {
                return &schema->members[i];
            }
        }
    }
    return NULL;
}

/* "alice", or "greedy bot (ada)" if one bot plays several seats. */
static void
say_player(struct sk_line *line, uint8_t seat, struct sk_text id)
{
    bool is_twin = false;

    for (uint8_t other = 0; other < SK_SEATS_MAX; other++) {
        is_twin |= other != seat && sk_text_same(line->names[other], line->names[seat]);
    }
    sk_line_say_text(line, line->names[seat]);
    if (is_twin) {
        sk_line_say(line, " (");
        sk_line_say_text(line, id);
        sk_line_say(line, ")");
    }
}

/* "Archer a1": title and id; or the player's name. */
static void
say_unit(const struct saying *saying, struct sk_text id)
{
    const struct sk_picture *picture = saying->ruleset->picture;
    const struct sk_text *names = saying->line->names;
    struct sk_text title = { NULL, 0 };
    uint8_t seat = SK_SEATS_MAX;
    char first;

    if (names != NULL && picture != NULL && picture->unit_seat != NULL) {
        seat = picture->unit_seat(saying->config, id);
    }
    if (seat < SK_SEATS_MAX && names[seat].length > 0) {
        say_player(saying->line, seat, id);
        return;
    }
    if (picture != NULL && picture->unit_title != NULL) {
        title = picture->unit_title(saying->config, id);
    }
    if (title.length > 0) {
        first = title.at[0] >= 'a' && title.at[0] <= 'z' ? (char)(title.at[0] - 'a' + 'A')
                                                         : title.at[0];
        sk_line_say_text(saying->line, (struct sk_text){ &first, 1 });
        sk_line_say_text(saying->line, (struct sk_text){ title.at + 1, title.length - 1 });
        sk_line_say(saying->line, " ");
    }
    sk_line_say_text(saying->line, id);
}

void
sk_line_say_seat(struct sk_line *line, uint8_t seat)
{
    char memory[] = "seat 0";
    struct sk_text id = { memory, sizeof(memory) - 1 };

    SK_ASSERT(seat < SK_SEATS_MAX && SK_SEATS_MAX <= 10);
    memory[id.length - 1] = (char)('0' + seat);
    if (line->names != NULL && line->names[seat].length > 0) {
        say_player(line, seat, id);
    } else {
        sk_line_say_text(line, id);
    }
}

static void say_value(const struct saying *saying, const struct sk_member *member, const void *at);

/* "a, b and c"; cells, which contain commas, "1,2 1,3 1,4" */
static void
say_items(const struct saying *saying, const struct sk_member *item, const uint8_t *at,
          uint32_t count, uint32_t item_size)
{
    if (count > SAID_MAX) {
        sk_line_say_number(saying->line, count);
        sk_line_say(saying->line, item->kind == SK_KIND_CELL ? " cells" : " of them");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            sk_line_say(saying->line, item->kind == SK_KIND_CELL ? " "
                                      : i + 1 == count           ? " and "
                                                                 : ", ");
        }
        say_value(saying, item, at + (size_t)i * item_size + item->offset);
    }
    if (count == 0) {
        sk_line_say(saying->line, "nothing");
    }
}

static void
say_row(const struct saying *saying, const struct sk_member *member, const struct sk_row *row)
{
    uint32_t count = row->count < (uint32_t)member->max ? row->count : (uint32_t)member->max;

    say_items(saying, member->item, (const uint8_t *)(row + 1), count, member->item_size);
}

static void
say_value(const struct saying *saying, const struct sk_member *member, const void *at)
{
    struct sk_line *line = saying->line;
    const struct sk_list *list = at;

    switch (member->kind) {
    case SK_KIND_BOOL:
        sk_line_say(line, *(const bool *)at ? "yes" : "no");
        break;
    case SK_KIND_INT:
        if (saying->is_seat) {
            sk_line_say_seat(line, (uint8_t) * (const int32_t *)at);
        } else {
            sk_line_say_number(line, *(const int32_t *)at);
        }
        break;
    case SK_KIND_LONG:
        sk_line_say_number(line, *(const int64_t *)at);
        break;
    case SK_KIND_ENUM:
        sk_line_say(line, member->words[*(const uint8_t *)at]);
        break;
    case SK_KIND_ID:
        say_unit(saying, sk_id_text(at));
        break;
    case SK_KIND_ID_TEXT:
        say_unit(saying, *(const struct sk_text *)at);
        break;
    case SK_KIND_NAME:
    case SK_KIND_TEXT:
        sk_line_say_text(line, *(const struct sk_text *)at);
        break;
    case SK_KIND_CELL:
        sk_line_say_cell(line, *(const struct sk_cell *)at);
        break;
    case SK_KIND_LIST:
        say_items(saying, member->item, list->at, list->count, member->item_size);
        break;
    case SK_KIND_ROW:
        say_row(saying, member, at);
        break;
    default:
        sk_line_say(line, "...");
        break;
    }
}

static bool
is_given(const struct sk_member *member, const void *form)
{
    const uint8_t *bytes = form;

    return (member->flags & SK_TRACKED) == 0 || *(const bool *)(bytes + member->present);
}

static void
say_member(const struct saying *saying, const struct sk_member *member, const void *form)
{
    const uint8_t *bytes = form;

    if (!is_given(member, form)) {
        sk_line_say(saying->line, "nothing");
        return;
    }
    say_value(saying, member, bytes + member->offset);
}

static bool
has_sentences(const struct sk_ruleset *ruleset)
{
    return ruleset->picture != NULL && ruleset->picture->sentences != NULL;
}

/* The next {name} of the sentence: the text before it, its name, the text after it. */
struct brace {
    struct sk_text before;
    struct sk_text name;
    const char *rest;
};

static bool
brace_find(const char *sentence, struct brace *ret_brace)
{
    const char *end = sentence + strlen(sentence);
    const char *open = memchr(sentence, '{', (size_t)(end - sentence));
    const char *close = open == NULL ? NULL : memchr(open, '}', (size_t)(end - open));

    if (close == NULL) {
        return false;
    }
    *ret_brace = (struct brace){
        .before = { sentence, (uint32_t)(open - sentence) },
        .name = { open + 1, (uint32_t)(close - open - 1) },
        .rest = close + 1,
    };
    return true;
}

/* A name with its underscores as spaces. */
static void
say_words(struct sk_line *line, const char *name)
{
    for (; *name != '\0'; name++) {
        sk_line_say_text(line, *name == '_' ? SK_TEXT(" ") : (struct sk_text){ name, 1 });
    }
}

void
sk_member_say(const struct sk_ruleset *ruleset, const void *config, const struct sk_member *member,
              const void *form, struct sk_line *line)
{
    struct saying saying = { .ruleset = ruleset, .config = config, .line = line };

    say_words(line, member->name);
    sk_line_say(line, " ");
    say_member(&saying, member, form);
}

/* The event from its schema: "alice moved from 1,2 to 1,3". */
static void
say_plain(const struct sk_ruleset *ruleset, const void *config, const struct sk_event *event,
          struct sk_line *line)
{
    const struct sk_variant *variant = &ruleset->event->of[event->kind];
    const struct sk_member *seat = member_find(variant->schema, SK_TEXT("seat"));
    struct saying saying = { .ruleset = ruleset, .config = config, .line = line, .is_seat = true };

    if (seat != NULL) {
        say_member(&saying, seat, event);
        sk_line_say(line, " ");
    }
    say_words(line, variant->kind);
    for (uint16_t i = 0; i < variant->schema->member_count; i++) {
        const struct sk_member *member = &variant->schema->members[i];

        if (member != seat && is_given(member, event)) {
            sk_line_say(line, " ");
            sk_member_say(ruleset, config, member, event, line);
        }
    }
}

void
sk_event_say(const struct sk_ruleset *ruleset, const void *config, const struct sk_event *event,
             struct sk_line *line)
{
    const struct sk_schema *schema = ruleset->event->of[event->kind].schema;
    const char *sentence = has_sentences(ruleset) ? ruleset->picture->sentences[event->kind] : "";
    struct saying saying = { .ruleset = ruleset, .config = config, .line = line };
    struct brace brace;

    if (!has_sentences(ruleset)) {
        say_plain(ruleset, config, event, line);
        return;
    }

    while (brace_find(sentence, &brace)) {
        const struct sk_member *member = member_find(schema, brace.name);

        sk_line_say_text(line, brace.before);
        if (member != NULL) {
            saying.is_seat = sk_text_same(brace.name, SK_TEXT("seat")) ||
                             sk_text_same(brace.name, SK_TEXT("seats"));
            say_member(&saying, member, event);
        }
        sentence = brace.rest;
    }
    sk_line_say(line, sentence);
}

void
sk_command_say(const struct sk_ruleset *ruleset, const void *config,
               const struct sk_command *command, struct sk_line *line)
{
    const struct sk_variant *variant = &ruleset->command->of[command->kind];
    struct saying saying = { .ruleset = ruleset, .config = config, .line = line };

    sk_line_say(line, variant->kind);
    for (uint16_t i = 0; i < variant->schema->member_count; i++) {
        const struct sk_member *member = &variant->schema->members[i];
        bool needs_name = member->kind == SK_KIND_BOOL || member->kind == SK_KIND_INT;

        if (is_given(member, command)) {
            sk_line_say(line, needs_name ? ", " : " ");
            sk_line_say(line, needs_name ? member->name : "");
            sk_line_say(line, needs_name ? " " : "");
            say_member(&saying, member, command);
        }
    }
}

bool
sk_picture_is_sound(const struct sk_ruleset *ruleset, uint16_t *ret_kind)
{
    for (uint16_t i = 0; has_sentences(ruleset) && i < ruleset->event->count; i++) {
        const char *sentence = ruleset->picture->sentences[i];
        struct brace brace;

        while (sentence != NULL && brace_find(sentence, &brace)) {
            sentence =
                member_find(ruleset->event->of[i].schema, brace.name) == NULL ? NULL : brace.rest;
        }
        if (sentence == NULL) {
            *ret_kind = i;
            return false;
        }
    }
    return true;
}
