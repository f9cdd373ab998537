/*
 * From commands to resolved turns, on scratch memory: nothing of the room
 * changes here.
 *
 * A simultaneous ruleset makes one turn of everybody's commands.  Of an
 * alternating one every command that is ok is a turn of its own, so a list
 * makes several, which are stored together.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/host/room.h"
#include "server/kill_point.h"

void
pending_free(struct pending_turn *pending)
{
    while (pending != NULL) {
        struct pending_turn *next = pending->next;

        free(pending->state);
        free(pending->all_events);
        free(pending->failures);
        for (size_t i = 0; i < SK_COUNT_OF(pending->events); i++) {
            free(pending->events[i]);
        }
        for (size_t i = 0; i < SK_COUNT_OF(pending->verdicts); i++) {
            free(pending->verdicts[i]);
            free(pending->commands[i]);
        }
        free(pending);
        pending = next;
    }
}

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
    sk_events_write(out, what);
}

char *
room_verdicts_text(struct host *host, const struct sk_turn *turn, uint8_t seat)
{
    struct turn_part part = { turn, seat };

    return host_json(host, write_verdicts, &part);
}

void
room_keep_texts(struct room *room, const struct sk_turn *turn, struct pending_turn *pending)
{
    struct host *host = room->host;
    struct turn_part part = { turn, SK_SPECTATOR };

    pending->all_events = host_json(host, write_all_events, turn);
    if (room->ruleset->event_is_shown != NULL) {
        pending->events[SK_SEATS_MAX] = host_json(host, write_events, &part);
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        part.seat = seat;
        if (room->ruleset->event_is_shown != NULL) {
            pending->events[seat] = host_json(host, write_events, &part);
        }
        pending->verdicts[seat] = host_json(host, write_verdicts, &part);
        pending->commands[seat] = host_json(host, write_commands, &part);
    }
}

/* Was it a command of an alternating list?  Else it was everything that was handed in. */
static bool
is_of_list(const struct sk_turn *turn)
{
    return turn->acting_next != SK_COMMANDS_MAX && turn->acting_next > 0;
}

/* The turn with the commands that it has used: of an alternating list only one. */
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

static bool
owes(const struct room *room, uint8_t seat)
{
    return (sk_turn_owing(room->ruleset, room->config->config, room->state) >> seat & 1) != 0;
}

/* Only who owes can miss a deadline, and only a deadline or a command ends the row of them. */
static uint32_t
missed_after(const struct room *room, uint8_t seat, const struct playing *playing)
{
    const struct seat *it = &room->seats[seat];
    bool is_sent = it->latest != NULL || seat == playing->seat;

    if (room->given[seat] != 0) {
        return 0; /* it leaves, perhaps because of them */
    }
    if (!is_sent && room_is_out_of_time(room, seat, playing->now_ms)) {
        return it->here == 0 ? it->missed + 1 : 0;
    }
    return is_sent && owes(room, seat) ? 0 : it->missed;
}

/* What the seat's clock was when the turn began, and what it used in it. */
static struct clock_step
clock_before(const struct room *room, uint8_t seat, const struct playing *playing)
{
    const struct seat *it = &room->seats[seat];
    struct clock_step step;

    if (playing->last != NULL) { /* a list takes no time */
        step = playing->last->clocks[seat];
        step.used_ms = 0;
        return step;
    }
    return (struct clock_step){
        .used_ms = seat_used_ms(it, playing->now_ms),
        .bank_ms = it->bank_ms,
        .going_ms = it->going_ms,
        .missed = missed_after(room, seat, playing),
    };
}

static void
settle_clocks(const struct room *room, const struct playing *playing, struct pending_turn *pending)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct clock_step step = clock_before(room, seat, playing);
        int64_t spent_ms = step.going_ms + step.used_ms;
        int64_t over_ms = spent_ms - room->clock.turn_ms;

        step.going_ms = pending->clock_goes_on ? spent_ms : 0;
        if (room->clock.has_turn && !pending->clock_goes_on && over_ms > 0) {
            step.bank_ms = over_ms >= step.bank_ms ? 0 : step.bank_ms - over_ms;
        }
        pending->clocks[seat] = step;
    }
}

/* ---- playing ----------------------------------------------------------------------------- */

void
room_play_begin(struct room *room, uint8_t seat, struct playing *ret_playing)
{
    struct host *host = room->host;
    struct sk_turn *turn = &ret_playing->turn;

    *ret_playing = (struct playing){
        .now_ms = host->world.now_ms(host->world.context),
        .seat = seat,
    };
    host_turn(host, room->ruleset, room->config->config, turn);
    turn->before = room->state;
    turn->seed = &room->seed;
    host->scratch.used = 0;
}

/* Also when a seat leaves and the others play on: their turn is the same as before. */
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
add_turn(struct room *room, struct playing *playing)
{
    struct pending_turn *pending = host_memory(sizeof(*pending));
    struct sk_turn *turn = &playing->turn;
    struct sk_turn part = part_used(turn);

    pending->turn = turn->before->turn;
    pending->state = host_memory(room->state_size);
    memcpy(pending->state, turn->after, room->state_size);
    hash_text(sk_turn_hash(turn), pending->hash);
    room_keep_texts(room, &part, pending);
    pending->clock_goes_on = clock_goes_on(turn);
    settle_clocks(room, playing, pending);
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
room_play(struct room *room, struct playing *playing)
{
    struct host *host = room->host;
    struct sk_turn *turn = &playing->turn;
    int64_t began_us = host_now_us(host);

    for (bool is_played = sk_turn_resolve(turn); is_played;
         is_played = sk_turn_resolve_next(turn)) {
        metrics_durations_add(&host->counters.resolve, host_now_us(host) - began_us);
        add_turn(room, playing);
        began_us = host_now_us(host);
    }
}

/* ---- what is in when a turn closes ------------------------------------------------------- */

/* A list with room for `more` commands after those of the submission, which may be NULL. */
static struct sk_commands
copy_commands(struct room *room, const struct submission *submission, uint32_t more)
{
    uint32_t size = room->ruleset->command->size;
    uint32_t count = submission == NULL ? 0 : submission->count;
    uint8_t *commands = sk_arena_take_items(&room->host->scratch, count + more, size);

    SK_ASSERT(commands != NULL);
    if (count > 0) {
        memcpy(commands, submission->at, (size_t)count * size);
    }
    return (struct sk_commands){ commands, count };
}

static void
add_command(const struct room *room, struct sk_commands *commands, uint32_t kind)
{
    uint8_t *end = (uint8_t *)(uintptr_t)commands->at;

    if (commands->count < SK_COMMANDS_MAX) {
        end += (size_t)commands->count++ * room->ruleset->command->size;
        ((struct sk_command *)(void *)end)->kind = (uint8_t)kind;
    }
}

/* What of it goes beside a word of the host's: a full list gives way to who leaves or agrees. */
static const struct submission *
sent_by(const struct room *room, uint8_t seat)
{
    const struct submission *latest = room->seats[seat].latest;
    bool gives_way = latest != NULL && latest->count == SK_COMMANDS_MAX && room->given[seat] != 0;

    return gives_way ? NULL : latest;
}

/*
 * What the host has to say for the seat comes after what it has sent.  A
 * timeout beside commands does nothing, so a full list goes without.
 */
static void
gather_all(struct room *room, struct playing *playing)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        struct sk_commands commands = copy_commands(room, sent_by(room, seat), 1);

        if (room->given[seat] != 0) {
            add_command(room, &commands, room->given[seat] - 1);
        } else if (room_is_out_of_time(room, seat, playing->now_ms) &&
                   !(room->clock.is_cycle && room->seats[seat].latest != NULL)) {
            add_command(room, &commands, SK_COMMAND_TIMEOUT);
        }
        playing->turn.commands[seat] = commands;
    }
}

static void
set_given(struct room *room, struct playing *playing, uint8_t seat)
{
    struct sk_commands commands = copy_commands(room, NULL, 1);

    if (room->given[seat] != 0) {
        add_command(room, &commands, room->given[seat] - 1);
    }
    playing->turn.commands[seat] = commands;
}

/*
 * What ends an alternating match is one turn of all who leave or agree.
 * Where the match goes on without them, each has a turn of its own; of
 * some the rules may make nothing.
 */
static void
play_given(struct room *room, struct playing *playing, uint32_t *ret_given)
{
    struct sk_turn *turn = &playing->turn;

    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        set_given(room, playing, seat);
    }
    if (sk_turn_resolve(turn) && turn->acting_next == SK_COMMANDS_MAX) {
        add_turn(room, playing);
        return;
    }
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        const struct pending_turn *before = playing->last;

        memset(turn->commands, 0, sizeof(turn->commands));
        set_given(room, playing, seat);
        room_play(room, playing);
        if (playing->last == before) {
            ret_given[seat] = 0;
        }
    }
}

/* The deadline of an alternating turn: what the seat has in, then the timeout if it still owes. */
static void
play_deadline(struct room *room, struct playing *playing)
{
    for (uint8_t seat = 0; seat < room->seat_count; seat++) {
        if (!owes(room, seat)) {
            continue;
        }
        playing->turn.commands[seat] = copy_commands(room, room->seats[seat].latest, 0);
        room_play(room, playing);
        if (playing->last == NULL || playing->last->clock_goes_on) {
            struct sk_commands commands = copy_commands(room, NULL, 1);

            add_command(room, &commands, SK_COMMAND_TIMEOUT);
            playing->turn.commands[seat] = commands;
            room_play(room, playing);
        }
    }
}

struct pending_turn *
room_play_in(struct room *room)
{
    uint32_t given[SK_SEATS_MAX];
    struct playing playing;

    memcpy(given, room->given, sizeof(given));
    room_play_begin(room, SK_SPECTATOR, &playing);
    if (room->ruleset->is_simultaneous) {
        gather_all(room, &playing);
        room_play(room, &playing);
    } else if (room_is_ending(room)) {
        play_given(room, &playing, given);
    } else {
        play_deadline(room, &playing);
    }
    if (playing.first != NULL) {
        memcpy(playing.first->given, given, sizeof(given));
    }
    return playing.first;
}
