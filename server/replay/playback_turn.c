/*
 * Reads the record of a turn without parsing all of it.
 *
 * Most turns are what the seats submitted.  That is resolved and written as the
 * daemon writes it.  If the record begins with the same bytes, it is proven, and
 * only the rest of it has to be parsed.
 */
#include <string.h>

#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/replay/playback.h"

/* Into the arena: the turn is shown after the submissions are gone.  They were checked when they
 * were submitted, on the same state. */
static bool
take_commands(struct playback *playback)
{
    const struct match *match = &playback->match;
    struct sk_arena *arena = &playback->work->arena;

    arena->used = 0;
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        const struct submission *sent = match->seats[seat].latest;
        uint32_t size = match->ruleset->command->size;
        void *commands;

        if (sent == NULL || sent->count == 0) {
            continue;
        }
        commands = sk_arena_take_items(arena, sent->count, size);
        if (commands == NULL) {
            return false;
        }
        memcpy(commands, sent->at, (size_t)sent->count * size);
        playback->turn.commands[seat] = (struct sk_commands){ commands, sent->count };
        memcpy(playback->turn.judgements[seat], playback->judged[seat],
               sent->count * sizeof(playback->judged[seat][0]));
        playback->turn.judged |= 1u << seat;
    }
    return true;
}

/* What the record begins with, up to RECORD_TURN_PLAYED. */
static struct sk_text
played_text(struct playback *playback)
{
    const struct sk_member *member = sk_record_turn.members;
    const struct sk_turn *turn = &playback->turn;
    struct sk_json_out out = { 0 };

    while (work_writes(playback->work, &out)) {
        sk_json_begin_object(&out);
        sk_json_key(&out, member[0].name);
        sk_json_begin_list(&out);
        for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
            sk_variants_write(&out, turn->ruleset->command, turn->commands[seat].at,
                              turn->commands[seat].count);
        }
        sk_json_end_list(&out);
        sk_json_key(&out, member[1].name);
        sk_json_begin_list(&out);
        for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
            sk_verdicts_write(&out, turn, seat);
        }
        sk_json_end_list(&out);
        sk_json_key(&out, member[2].name);
        sk_events_write(&out, turn);
        sk_json_key(&out, member[3].name);
        sk_json_string(&out, playback->fact.pending->hash);
    }
    return work_text(&out);
}

/* `rest` is what follows in the record, with a comma. */
static bool
read_rest(struct sk_arena *arena, struct sk_text rest, struct sk_value **ret_json,
          struct record_turn *ret_body)
{
    char *text = sk_arena_take(arena, rest.length);
    struct sk_fault fault;

    if (text == NULL || rest.at[0] != ',') {
        return false;
    }
    memcpy(text, rest.at, rest.length);
    text[0] = '{';
    return sk_json_parse(text, rest.length, ret_json, &fault) == SK_OK &&
           sk_form_read(&sk_record_turn_rest, *ret_json, arena, ret_body, &fault) == SK_OK;
}

bool
playback_turn_read(struct playback *playback, const struct store_record *record,
                   struct sk_value **ret_json, struct record_turn *ret_body)
{
    struct sk_turn *turn = &playback->turn;
    struct sk_text played;

    playback->fact = (struct fact){ 0 };
    playback_branch(playback, turn);
    if (!playback->match.ruleset->is_simultaneous || !take_commands(playback) ||
        !sk_turn_resolve(turn)) {
        return false;
    }
    match_read_resolved(&playback->match, record, turn, &playback->fact);
    played = played_text(playback);
    return record->body_length > played.length &&
           memcmp(record->body, played.at, played.length) == 0 &&
           read_rest(&playback->work->arena,
                     (struct sk_text){ record->body + played.length,
                                       (uint32_t)(record->body_length - played.length) },
                     ret_json, ret_body);
}
