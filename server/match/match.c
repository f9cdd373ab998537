#include "server/match/match.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "server/hex.h"
#include "server/memory.h"

void
match_init(struct match *match, int64_t id)
{
    *match = (struct match){ .id = id, .offer = -1, .offer_next = -1 };
}

void
match_fini(struct work *work, struct match *match)
{
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        submission_free(match->seats[seat].latest);
        submission_free(match->seats[seat].stored);
    }
    pending_free(match->pending);
    config_release(work, match->config);
    free(match->state);
}

uint32_t
match_owing(const struct match *match)
{
    return sk_turn_owing(match->ruleset, match->config->config, match->state);
}

bool
match_owes(const struct match *match, uint8_t seat)
{
    return (match_owing(match) >> seat & 1) != 0;
}

bool
match_is_unrated(const struct match *match)
{
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        if (match->seats[seat].is_bot || match->seats[seat].is_unrated) {
            return true;
        }
    }
    return false;
}

void
seat_set(struct seat *seat, int64_t player, const char *name, bool is_bot)
{
    seat->player = player;
    seat->is_bot = is_bot;
    seat->is_unrated = false;
    memset(seat->name, 0, sizeof(seat->name));
    if (name != NULL) {
        strncpy(seat->name, name, sizeof(seat->name) - 1);
    }
}

static size_t
aligned(size_t size)
{
    return (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
}

struct submission *
submission_alloc(const struct sk_ruleset *ruleset, const struct submission_parts *parts)
{
    uint32_t count = parts->commands->count;
    size_t commands = (size_t)count * ruleset->command->size;
    size_t judgements = parts->judgements == NULL ? 0 : count * sizeof(*parts->judgements);
    size_t head = aligned(sizeof(struct submission));
    size_t texts = head + aligned(commands) + aligned(judgements);
    struct submission *submission =
        heap_bytes(texts + sk_json_text_space(parts->said) + parts->verdicts.length + 1);
    uint8_t *at = (uint8_t *)submission;
    char *text = (char *)at + texts;

    *submission = (struct submission){ .references = 1, .count = count, .at = at + head };
    if (commands > 0) {
        memcpy(at + head, parts->commands->at, commands);
    }
    if (parts->judgements != NULL) {
        submission->judgements = (struct sk_judgement *)(void *)(at + head + aligned(commands));
        memcpy(at + head + aligned(commands), parts->judgements, judgements);
    }
    memcpy(submission->command_id, parts->command_id.at,
           parts->command_id.length < MATCH_COMMAND_ID_MAX ? parts->command_id.length
                                                           : MATCH_COMMAND_ID_MAX);
    submission->commands = sk_json_text_copy(parts->said, text);
    text += submission->commands.length + 1;
    memcpy(text, parts->verdicts.at, parts->verdicts.length);
    text[parts->verdicts.length] = '\0';
    submission->verdicts = (struct sk_text){ text, parts->verdicts.length };
    return submission;
}

void
submission_free(struct submission *submission)
{
    if (submission != NULL && --submission->references == 0) {
        free(submission);
    }
}

struct pending_turn *
pending_alloc(const struct match *match, struct sk_turn *turn)
{
    struct pending_turn *pending = heap_bytes(aligned(sizeof(*pending)) + match->state_size);

    *pending = (struct pending_turn){ .turn = turn->before->turn };
    pending->state = (struct sk_state *)(void *)((uint8_t *)pending + aligned(sizeof(*pending)));
    memcpy(pending->state, turn->after, match->state_size);
    hash_text(sk_turn_hash(turn), pending->hash);
    return pending;
}

void
pending_free(struct pending_turn *pending)
{
    while (pending != NULL) {
        struct pending_turn *next = pending->next;

        free(pending->failures);
        free(pending->texts);
        free(pending);
        pending = next;
    }
}
