#include "server/host/card.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/frames.h"
#include "proto/json_parse.h"

#define NAME_BYTES  (4 * FRAME_PLAYER_NAME_MAX) /* as UTF-8 */
#define WORD_BYTES  63
#define VALUE_BYTES 1023

/* ---- tags -------------------------------------------------------------------------------- */

static const char *
entity_of(char letter)
{
    static const char letters[] = "&<>\"'";
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
    const char *at = strchr(letters, letter);

    return at == NULL ? NULL : entities[at - letters];
}

void
card_tag(struct card *card, const char *name, const char *value)
{
    size_t size = sizeof(card->text) - card->used;
    char *text = card->text + card->used;
    size_t used = (size_t)snprintf(text, size, "<meta property=\"og:%s\" content=\"", name);

    for (; *value != '\0' && used < size; value++) {
        const char *entity = entity_of(*value);

        used += (size_t)(entity == NULL ? snprintf(text + used, size - used, "%c", *value)
                                        : snprintf(text + used, size - used, "%s", entity));
    }
    used += used < size ? (size_t)snprintf(text + used, size - used, "\">\n") : 0;
    if (used < size) {
        card->used += used;
    } else {
        text[0] = '\0'; /* it does not fit */
    }
}

/* ---- the match --------------------------------------------------------------------------- */

/* A sentence that is put together; what does not fit is cut off. */
struct sentence {
    char text[VALUE_BYTES + 1];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
say(struct sentence *sentence, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(sentence->text + sentence->used, sizeof(sentence->text) - sentence->used,
                    format, arguments);
    va_end(arguments);
    sentence->used += strlen(sentence->text + sentence->used);
}

/* The member's text, or "". */
static const char *
text_of(const struct sk_value *object, const char *name, char ret_text[WORD_BYTES + 1])
{
    const struct sk_value *value = sk_value_member(object, name);

    ret_text[0] = '\0';
    if (sk_value_is(value, SK_VALUE_TEXT)) {
        ret_text[sk_value_copy(value, ret_text, WORD_BYTES)] = '\0';
    }
    return ret_text;
}

/* The member's number, or -1. */
static int64_t
number_of(const struct sk_value *object, const char *name)
{
    const struct sk_value *value = sk_value_member(object, name);

    return sk_value_is(value, SK_VALUE_INT) ? sk_value_int(value) : -1;
}

static bool
is_true(const struct sk_value *object, const char *name)
{
    const struct sk_value *value = sk_value_member(object, name);

    return sk_value_is(value, SK_VALUE_BOOL) && sk_value_bool(value);
}

/* The player in this seat. */
static bool
name_of(const struct sk_value *players, int64_t seat, char ret_name[NAME_BYTES + 1])
{
    const struct sk_value *player;

    if (seat < 0 || seat >= players->count) {
        return false;
    }
    player = sk_value_first(players);
    for (int64_t i = 0; i < seat; i++) {
        player = sk_value_next(player);
    }
    if (!sk_value_is(player, SK_VALUE_TEXT)) {
        return false;
    }
    ret_name[sk_value_copy(player, ret_name, NAME_BYTES)] = '\0';
    return true;
}

/* "ann, bob"; returns how many. */
static int
say_names(struct sentence *sentence, const struct sk_value *players)
{
    char name[NAME_BYTES + 1];
    int count = 0;

    for (uint32_t seat = 0; seat < players->count; seat++) {
        if (name_of(players, seat, name)) {
            say(sentence, "%s%s", count++ == 0 ? "" : ", ", name);
        }
    }
    return count;
}

static void
say_title(struct sentence *sentence, const struct sk_value *match, bool is_waiting)
{
    const struct sk_value *players = sk_value_member(match, "players");
    char ruleset[WORD_BYTES + 1];

    text_of(match, "ruleset", ruleset);
    ruleset[0] = (char)toupper((unsigned char)ruleset[0]);
    if (is_waiting) {
        int count = say_names(sentence, players);

        say(sentence, "%s: %s",
            count == 0   ? "You are invited"
            : count == 1 ? " invites you"
                         : " invite you",
            ruleset);
    } else {
        say(sentence, "%s: ", ruleset);
        say_names(sentence, players);
    }
}

static void
say_duration(struct sentence *sentence, int64_t duration_ms)
{
    if (duration_ms % 60000 == 0) {
        say(sentence, "%lld min", (long long)(duration_ms / 60000));
    } else {
        say(sentence, "%.*f s", duration_ms % 1000 == 0 ? 0 : 3, (double)duration_ms / 1000);
    }
}

/* "1 min per turn + 5 min in the bank". */
static void
say_clock(struct sentence *sentence, const struct sk_value *settings)
{
    int64_t turn_ms = number_of(settings, "turn_ms");
    int64_t bank_ms = number_of(settings, "bank_ms");
    bool is_cycle = is_true(settings, "cycle");

    if (!is_cycle && (!is_true(settings, "clock") || (turn_ms <= 0 && bank_ms <= 0))) {
        say(sentence, "no clock");
        return;
    }
    if (is_cycle || turn_ms > 0) {
        say_duration(sentence, turn_ms);
        say(sentence, is_cycle ? " per turn, always" : " per turn");
    }
    if (!is_cycle && bank_ms > 0) {
        say(sentence, turn_ms > 0 ? " + " : "");
        say_duration(sentence, bank_ms);
        say(sentence, " in the bank");
    }
}

/* "Turn 3 of 12": people count turns from 1. */
static void
say_turn(struct sentence *sentence, int64_t turn, int64_t last)
{
    if (turn >= 0 && turn < last) {
        say(sentence, "Turn %lld of %lld. ", (long long)turn + 1, (long long)last + 1);
    } else {
        say(sentence, "Turn %lld. ", (long long)last + 1);
    }
}

/* "ann won (resignation)." or "Nobody won: draw agreed." */
static void
say_result(struct sentence *sentence, const struct sk_value *match)
{
    char name[NAME_BYTES + 1];
    char reason[WORD_BYTES + 1];
    bool has_winner = name_of(sk_value_member(match, "players"), number_of(match, "winner"), name);

    text_of(match, "reason", reason);
    for (char *at = reason; *at != '\0'; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    if (has_winner) {
        say(sentence, "%s won (%s). ", name, reason);
    } else {
        say(sentence, reason[0] == '\0' ? "Nobody won%s. " : "Nobody won: %s. ", reason);
    }
}

static void
say_description(struct sentence *sentence, const struct sk_value *match, const char *status,
                int64_t turn)
{
    int64_t last = number_of(match, "turn");
    bool is_rated = is_true(match, "rated");

    if (strcmp(status, "waiting") == 0) {
        say_clock(sentence, sk_value_member(match, "settings"));
        say(sentence, is_rated ? ", rated" : ", casual");
        return;
    }
    if (last >= 0) {
        say_turn(sentence, turn, last);
    }
    if (strcmp(status, "over") == 0) {
        say_result(sentence, match);
    } else {
        say(sentence, "Being played. ");
    }
    say(sentence, is_rated ? "Rated." : "Casual.");
}

bool
card_match(struct card *card, const char *json, size_t length, int64_t turn)
{
    struct sentence title = { .used = 0 };
    struct sentence description = { .used = 0 };
    struct sk_value *match = NULL;
    char status[WORD_BYTES + 1];
    struct sk_fault fault;
    bool is_right;

    if (sk_json_parse_long(json, length, &match, &fault) != SK_OK) {
        return false;
    }
    is_right = sk_value_is(match, SK_VALUE_OBJECT) &&
               sk_value_is(sk_value_member(match, "players"), SK_VALUE_LIST) &&
               sk_value_is(sk_value_member(match, "settings"), SK_VALUE_OBJECT);
    if (is_right) {
        text_of(match, "status", status);
        say_title(&title, match, strcmp(status, "waiting") == 0);
        say_description(&description, match, status, turn);
        card_tag(card, "title", title.text);
        card_tag(card, "description", description.text);
    }
    sk_json_free(match);
    return is_right;
}
