#include "server/match/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/hex.h"
#include "server/kill_point.h"
#include "server/match/clock.h"
#include "server/memory.h"

/* ---- texts ------------------------------------------------------------------------------- */

struct turn_part {
    const struct sk_turn *turn;
    uint8_t seat;
};

static void
write_commands(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;
    struct sk_commands commands = part->turn->commands[part->seat];

    sk_variants_write(out, part->turn->ruleset->command, commands.at, commands.count);
}

static void
write_verdicts(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_verdicts_write(out, part->turn, part->seat);
}

static void
write_events(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_events_write_for(out, part->turn, part->seat);
}

static void
write_all_events(struct sk_json_out *out, const void *what)
{
    const struct turn_part *part = what;

    sk_events_write(out, part->turn);
}

/* The texts of a turn, one behind the other in one block. */
struct texts {
    const struct match *match;
    const struct sk_turn *turn;
    struct pending_turn *pending;
};

/* A text is in the buffer until the block is allocated; one that did not fit is written again. */
static void
add_text(struct sk_json_out *out, const struct texts *texts, uint8_t seat,
         void (*write)(struct sk_json_out *out, const void *what), struct sk_text *ret_text)
{
    struct turn_part part = { texts->turn, seat };
    size_t from = out->used;

    out->follows_value = false;
    write(out, &part);
    if (sk_json_out_is_whole(out)) {
        *ret_text = (struct sk_text){ out->at + from, (uint32_t)(out->used - from) };
    }
}

static void
write_texts(struct sk_json_out *out, const void *what)
{
    const struct texts *texts = what;
    struct pending_turn *pending = texts->pending;
    bool has_secrets = texts->match->ruleset->event_is_shown != NULL;

    add_text(out, texts, SK_SPECTATOR, write_all_events, &pending->all_events);
    pending->events[SK_SEATS_MAX] = pending->all_events;
    if (has_secrets) {
        add_text(out, texts, SK_SPECTATOR, write_events, &pending->events[SK_SEATS_MAX]);
    }
    for (uint8_t seat = 0; seat < texts->match->seat_count; seat++) {
        pending->events[seat] = pending->all_events;
        if (has_secrets) {
            add_text(out, texts, seat, write_events, &pending->events[seat]);
        }
        add_text(out, texts, seat, write_verdicts, &pending->verdicts[seat]);
        add_text(out, texts, seat, write_commands, &pending->commands[seat]);
    }
}

static void
move_text(struct sk_text *text, const char *from, const char *to)
{
    text->at = to + (text->at - from);
}

void
pending_keep_texts(struct work *work, const struct match *match, const struct sk_turn *turn,
                   struct pending_turn *pending)
{
    struct texts texts = { match, turn, pending };
    struct sk_text all = work_write(work, write_texts, &texts);

    pending->texts = heap_text(all);
    move_text(&pending->all_events, all.at, pending->texts);
    move_text(&pending->events[SK_SEATS_MAX], all.at, pending->texts);
    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        move_text(&pending->events[seat], all.at, pending->texts);
        move_text(&pending->verdicts[seat], all.at, pending->texts);
        move_text(&pending->commands[seat], all.at, pending->texts);
    }
}

/* Whether the turn played one command of an alternating list, rather than all that was
 * submitted. */
static bool
is_of_list(const struct sk_turn *turn)
{
    return turn->acting_next != SK_NO_LIST && turn->acting_next > 0;
}

/* The turn reduced to the commands it used: a single one for an alternating list. */
static struct sk_turn
part_used(const struct sk_turn *turn)
{
    struct sk_turn part = *turn;
    uint8_t seat = turn->acting_seat;

    if (!is_of_list(turn)) {
        return part;
    }
    memset(part.commands, 0, sizeof(part.commands));
    part.commands[seat] = (struct sk_commands){
        sk_command_at(turn->ruleset, turn->commands[seat], turn->acting_index), 1
    };
    part.judgements[seat] = turn->judgements[seat] + turn->acting_index;
    return part;
}

/* ---- clocks ------------------------------------------------------------------------------ */

/* Only a seat that owes can miss a deadline.  A command, or a deadline while connected, resets the
 * count. */
static uint32_t
missed_after(const struct playing *playing, uint8_t seat)
{
    const struct match *match = playing->match;
    const struct seat *it = &match->seats[seat];
    bool is_sent = it->latest != NULL || seat == playing->in.seat;

    if (playing->in.given[seat] != 0) {
        return 0; /* the seat leaves, perhaps because of missed deadlines */
    }
    if (!is_sent && match_is_out_of_time(match, seat, playing->in.now_ms)) {
        return (playing->in.here >> seat & 1) == 0 ? it->missed + 1 : 0;
    }
    return is_sent && match_owes(match, seat) ? 0 : it->missed;
}

/* The seat's clock at the start of the turn, and the time used in it. */
static struct clock_step
clock_before(const struct playing *playing, uint8_t seat)
{
    const struct seat *it = &playing->match->seats[seat];
    struct clock_step step;

    if (playing->last != NULL) { /* later commands of a list take no time */
        step = playing->last->clocks[seat];
        step.used_ms = 0;
        return step;
    }
    return (struct clock_step){
        .used_ms = seat_used_ms(it, playing->in.now_ms),
        .bank_ms = it->bank_ms,
        .going_ms = it->going_ms,
        .missed = missed_after(playing, seat),
    };
}

static void
settle_clocks(const struct playing *playing, struct pending_turn *pending)
{
    const struct match *match = playing->match;

    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        struct clock_step step = clock_before(playing, seat);
        int64_t spent_ms = step.going_ms + step.used_ms;
        int64_t over_ms = spent_ms - match->clock.turn_ms;

        step.going_ms = pending->clock_goes_on ? spent_ms : 0;
        if (match->clock.has_turn && !pending->clock_goes_on && over_ms > 0) {
            step.bank_ms = over_ms >= step.bank_ms ? 0 : step.bank_ms - over_ms;
        }
        pending->clocks[seat] = step;
    }
}

/* ---- playing ----------------------------------------------------------------------------- */

void
match_play_begin(struct work *work, const struct match *match, const struct play_in *in,
                 struct playing *ret_playing)
{
    *ret_playing = (struct playing){ .in = *in, .work = work, .match = match };
    work_turn(work, match->ruleset, match->config->config, &ret_playing->turn);
    ret_playing->turn.before = match->state;
    ret_playing->turn.seed = &match->seed;
    work->scratch.used = 0;
}

/* Also if a seat leaves and the others play on: for them it is still the same turn. */
static bool
clock_goes_on(const struct sk_turn *turn)
{
    const struct sk_ruleset *ruleset = turn->ruleset;

    if (turn->after->outcome.is_over || ruleset->is_simultaneous) {
        return false;
    }
    if (!is_of_list(turn)) {
        return true;
    }
    return ruleset->clock_goes_on != NULL &&
           ruleset->clock_goes_on(turn->config, turn->before, turn->after);
}

static void
add_turn(struct playing *playing)
{
    struct sk_turn *turn = &playing->turn;
    struct sk_turn part = part_used(turn);
    struct pending_turn *pending = pending_alloc(playing->match, turn);

    pending_keep_texts(playing->work, playing->match, &part, pending);
    pending->clock_goes_on = clock_goes_on(turn);
    settle_clocks(playing, pending);
    if (playing->last == NULL) {
        playing->first = pending;
    } else {
        playing->last->next = pending;
    }
    playing->last = pending;
    turn->before = pending->state;
    SK_KILL_POINT(KILL_RESOLVING);
}

void
match_play(struct playing *playing)
{
    struct work *work = playing->work;
    struct sk_turn *turn = &playing->turn;
    int64_t began_us = work->now_us(work->context);

    for (bool is_played = sk_turn_resolve(turn); is_played;
         is_played = sk_turn_resolve_next(turn)) {
        metrics_durations_add(&work->resolve, work->now_us(work->context) - began_us);
        add_turn(playing);
        if (turn->acting_next == SK_NO_LIST) {
            return; /* there is no next one */
        }
        began_us = work->now_us(work->context);
    }
}

/* ---- closing a turn ---------------------------------------------------------------------- */

/* Copies the submission (may be NULL) and leaves space for `more` commands. */
static struct sk_commands
copy_commands(struct playing *playing, const struct submission *submission, uint32_t more)
{
    uint32_t size = playing->match->ruleset->command->size;
    uint32_t count = submission == NULL ? 0 : submission->count;
    uint8_t *commands = sk_arena_take_items(&playing->work->scratch, count + more, size);

    SK_ASSERT(commands != NULL);
    if (count > 0) {
        memcpy(commands, submission->at, (size_t)count * size);
    }
    return (struct sk_commands){ commands, count };
}

static void
add_command(const struct playing *playing, struct sk_commands *commands, uint32_t kind)
{
    uint8_t *end = (uint8_t *)(uintptr_t)commands->at;

    if (commands->count < SK_COMMANDS_MAX) {
        end += (size_t)commands->count++ * playing->match->ruleset->command->size;
        ((struct sk_command *)(void *)end)->kind = (uint8_t)kind;
    }
}

/* The submission to use.  A full list is dropped if the host adds a command to leave or to
 * agree. */
static const struct submission *
sent_by(const struct playing *playing, uint8_t seat)
{
    const struct submission *latest = playing->match->seats[seat].latest;
    bool gives_way =
        latest != NULL && latest->count == SK_COMMANDS_MAX && playing->in.given[seat] != 0;

    return gives_way ? NULL : latest;
}

/* The host's own command for the seat, if there is one: one more than its kind, as in `given`. */
static uint32_t
said_for(const struct playing *playing, uint8_t seat)
{
    const struct match *match = playing->match;

    if (playing->in.given[seat] == 0 && match_is_out_of_time(match, seat, playing->in.now_ms) &&
        !(match->clock.is_cycle && match->seats[seat].latest != NULL)) {
        return SK_COMMAND_TIMEOUT + 1;
    }
    return playing->in.given[seat];
}

/* As it was sent, and as it was judged then: the state is the same. */
static void
take_judged(struct playing *playing, uint8_t seat, const struct submission *sent)
{
    playing->turn.commands[seat] = (struct sk_commands){ sent->at, sent->count };
    memcpy(playing->turn.judgements[seat], sent->judgements,
           sent->count * sizeof(*sent->judgements));
    playing->turn.judged |= 1u << seat;
}

/*
 * The host's command for a seat follows what the seat sent.  A timeout after
 * commands has no effect, so a full list does without it.
 */
static void
gather_all(struct playing *playing)
{
    const struct match *match = playing->match;

    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        const struct submission *sent = sent_by(playing, seat);
        uint32_t said = said_for(playing, seat);
        struct sk_commands commands;

        if (said == 0 && sent != NULL && sent->judgements != NULL) {
            take_judged(playing, seat, sent);
            continue;
        }
        commands = copy_commands(playing, sent, 1);
        if (said != 0) {
            add_command(playing, &commands, said - 1);
        }
        playing->turn.commands[seat] = commands;
    }
}

static void
set_given(struct playing *playing, uint8_t seat)
{
    struct sk_commands commands = copy_commands(playing, NULL, 1);

    if (playing->in.given[seat] != 0) {
        add_command(playing, &commands, playing->in.given[seat] - 1);
    }
    playing->turn.commands[seat] = commands;
}

/* Plays the seats that leave, or those that agree to a draw, one turn each. */
static void
play_one_by_one(struct playing *playing, bool is_agreeing, uint32_t *ret_given)
{
    for (uint8_t seat = 0; seat < playing->match->seat_count; seat++) {
        const struct pending_turn *before = playing->last;

        if (is_agreeing != (playing->in.given[seat] == SK_COMMAND_AGREE_DRAW + 1u)) {
            continue;
        }
        memset(playing->turn.commands, 0, sizeof(playing->turn.commands));
        set_given(playing, seat);
        if (!is_agreeing || before == NULL) { /* a turn cancels the offer made before it */
            match_play(playing);
        }
        if (playing->last == before) {
            ret_given[seat] = 0;
        }
    }
}

/*
 * If the match ends, everyone who leaves or agrees shares one turn.  If the
 * others play on, each gets their own turn; the rules may ignore some.
 */
static void
play_given(struct playing *playing, uint32_t *ret_given)
{
    struct sk_turn *turn = &playing->turn;

    for (uint8_t seat = 0; seat < playing->match->seat_count; seat++) {
        set_given(playing, seat);
    }
    if (sk_turn_resolve(turn) && turn->acting_next == SK_NO_LIST) {
        add_turn(playing);
        return;
    }
    play_one_by_one(playing, false, ret_given);
    play_one_by_one(playing, true, ret_given);
}

/* The deadline of an alternating turn: plays what the seat submitted, then a timeout if it still
 * owes. */
static void
play_deadline(struct playing *playing)
{
    const struct match *match = playing->match;

    for (uint8_t seat = 0; seat < match->seat_count; seat++) {
        if (!match_owes(match, seat)) {
            continue;
        }
        playing->turn.commands[seat] = copy_commands(playing, match->seats[seat].latest, 0);
        match_play(playing);
        if (playing->last == NULL || playing->last->clock_goes_on) {
            struct sk_commands commands = copy_commands(playing, NULL, 1);

            add_command(playing, &commands, SK_COMMAND_TIMEOUT);
            playing->turn.commands[seat] = commands;
            match_play(playing);
        }
    }
}

static bool
is_given(const struct playing *playing)
{
    for (uint8_t seat = 0; seat < playing->match->seat_count; seat++) {
        if (playing->in.given[seat] != 0) {
            return true;
        }
    }
    return false;
}

struct pending_turn *
match_close(struct work *work, const struct match *match, const struct play_in *in)
{
    uint32_t given[SK_SEATS_MAX];
    struct playing playing;

    memcpy(given, in->given, sizeof(given));
    match_play_begin(work, match, in, &playing);
    if (match->ruleset->is_simultaneous) {
        gather_all(&playing);
        match_play(&playing);
    } else if (is_given(&playing)) {
        play_given(&playing, given);
    } else {
        play_deadline(&playing);
    }
    if (playing.first != NULL) {
        memcpy(playing.first->given, given, sizeof(given));
    }
    return playing.first;
}
