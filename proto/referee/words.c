#include <stdlib.h>
#include <string.h>

#include "proto/referee/layout.h"

#define FIRST_SIZE 16u

static uint32_t
place_of(const struct sk_words *words, struct sk_text text)
{
    uint32_t hash = 2166136261u;

    for (uint32_t i = 0; i < text.length; i++) {
        hash = (hash ^ (uint8_t)text.at[i]) * 16777619u;
    }
    return (hash ^ hash >> 15) & words->mask;
}

static inline bool
is_word(const struct sk_id *word, struct sk_text text)
{
    return word->at[0] == text.at[0] && word->at[text.length] == '\0' &&
           memcmp(word->at, text.at, text.length) == 0;
}

/* Where the word is, or where it would be. */
static uint32_t *
look_up(const struct sk_words *words, struct sk_text text)
{
    uint32_t place = place_of(words, text);

    while (words->places[place] != 0) {
        const struct sk_id *word = &words->at[words->places[place] - 1];

        if (is_word(word, text)) {
            break;
        }
        place = (place + 1) & words->mask;
    }
    return &words->places[place];
}

/* The table is never more than half full. */
static bool
grow(struct sk_words *words)
{
    uint32_t size = words->size == 0 ? FIRST_SIZE : 2 * words->size;
    struct sk_id *at = realloc(words->at, size * sizeof(*at));
    uint32_t *places = calloc(2 * (size_t)size, sizeof(*places));

    words->at = at == NULL ? words->at : at;
    if (at == NULL || places == NULL) {
        free(places);
        return false;
    }
    free(words->places);
    words->places = places;
    words->size = size;
    words->mask = 2 * size - 1;
    for (uint32_t i = 0; i < words->count; i++) {
        *look_up(words, sk_id_text(&words->at[i])) = i + 1;
    }
    return true;
}

bool
sk_words_add(struct sk_words *words, struct sk_text text)
{
    if (text.length == 0 || text.length > SK_ID_MAX ||
        sk_words_find(words, text) != SK_WORD_UNKNOWN) {
        return true;
    }
    if (words->count == words->size && !grow(words)) {
        return false;
    }
    words->at[words->count++] = sk_id_from(text);
    *look_up(words, text) = words->count;
    return true;
}

static int32_t
look_anew(struct sk_words *words, struct sk_text text)
{
    int32_t found = (int32_t)*look_up(words, text) - 1;

    words->last = found >= 0 ? (uint32_t)found : 0;
    return found;
}

int32_t
sk_words_find(struct sk_words *words, struct sk_text text)
{
    if (words->count == 0 || text.length == 0 || text.length > SK_ID_MAX) {
        return SK_WORD_UNKNOWN;
    }
    /* Most forms list things in the order of their numbers, or name one several times. */
    for (uint32_t i = 0; i < 2; i++) {
        if (is_word(&words->at[words->last], text)) {
            return (int32_t)words->last;
        }
        words->last = words->last + 1 < words->count ? words->last + 1 : 0;
    }
    return look_anew(words, text);
}

void
sk_words_fini(struct sk_words *words)
{
    free(words->at);
    free(words->places);
}
