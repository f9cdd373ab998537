/*
 * A client's memory, and what a client can check: one answer to each frame,
 * and every sequence number once.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "tests/sim/sim.h"

#define MISSED_MAX 256 /* if more frames are missing, a resume may be answered with a state */

/* ---- asking ------------------------------------------------------------------------------ */

/* The possible answers to a frame, besides an error. */
static const struct {
    const char *type;
    const char *answer;
    const char *or_answer;
} answers[] = {
    { "hello", "welcome", NULL },    { "renew_token", "token", NULL },
    { "create", "joined", NULL },    { "join", "joined", NULL },
    { "leave", "done", NULL },       { "watch", "joined", NULL },
    { "queue", "queued", "done" },   { "list", "matches", NULL },
    { "submit", "accepted", NULL },  { "withdraw", "withdrawn", NULL },
    { "hints", "hints", NULL },      { "what_if", "what_if", NULL },
    { "resign", "done", NULL },      { "offer_draw", "done", NULL },
    { "answer_draw", "done", NULL }, { "rematch", "joined", NULL },
    { "claim", "done", NULL },       { "chat", "done", NULL },
    { "mute", "done", NULL },        { "resume", "done", "state" },
    { "ping", "pong", NULL },
};

bool
device_names_match(const char *type)
{
    static const char *const others[] = {
        "hello", "renew_token", "create", "queue", "list", "ping"
    };

    for (size_t i = 0; i < SK_COUNT_OF(others); i++) {
        if (strcmp(type, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

static bool
may_answer(const char *type, struct sk_text answer)
{
    if (scan_is(answer, "moved")) {
        return device_names_match(type);
    }
    for (size_t i = 0; i < SK_COUNT_OF(answers); i++) {
        if (strcmp(answers[i].type, type) == 0) {
            return scan_is(answer, "error") || scan_is(answer, answers[i].answer) ||
                   (answers[i].or_answer != NULL && scan_is(answer, answers[i].or_answer));
        }
    }
    return scan_is(answer, "error"); /* of a type that does not exist */
}

const struct asked *
device_asked(const struct device *device, const char *id)
{
    for (uint32_t i = 0; i < device->asked_count; i++) {
        if (strcmp(device->asked[i].id, id) == 0) {
            return &device->asked[i];
        }
    }
    return NULL;
}

/* It follows the match, or an earlier request may still make it follow. */
static bool
may_follow(const struct device *device, int64_t match)
{
    return device->asked_count > 1 ||
           (match >= 1 && match <= STORE_MATCHES_MAX &&
            (device->matches[match].follows || device->matches[match].is_unsure));
}

static uint64_t
commands_hash(struct sk_text frame)
{
    struct sk_text commands = scan_member(frame, "commands");

    return sk_hash((const uint8_t *)commands.at, commands.length);
}

bool
device_sent_these(const struct asked *asked, struct sk_text body)
{
    return asked->commands == commands_hash(body);
}

void
device_sent(struct sim *sim, struct device *device, struct sk_text frame)
{
    struct sk_text id = scan_member(frame, "id");
    struct asked *asked;

    if (id.length < 3 || id.at[0] != '"' || device->asked_count == SIM_ASKED) {
        return;
    }
    asked = &device->asked[device->asked_count++];
    *asked = (struct asked){ .match = scan_number(scan_member(frame, "match"), 0),
                             .seq = (int32_t)scan_number(scan_member(frame, "seq"), -1) };
    asked->may_follow = may_follow(device, asked->match);
    asked->failed = sim->store.failed;
    asked->commands = commands_hash(frame);
    scan_copy(id, asked->id, sizeof(asked->id));
    scan_copy(scan_member(frame, "type"), asked->type, sizeof(asked->type));
}

/* The frame that this answers; removes it from the list. */
static bool
take_asked(struct sim *sim, struct device *device, struct sk_text frame, struct asked *ret_asked)
{
    struct sk_text type = scan_member(frame, "type");
    struct sk_text id = scan_member(frame, "id");
    const struct asked *found;
    char text[16];

    if (id.length == 0) {
        return false;
    }
    scan_copy(id, text, sizeof(text));
    found = device_asked(device, text);
    if (found == NULL) {
        sim_broken(sim, PROMISE_ANSWERS, "nothing or no longer waits for this: %.*s",
                   (int)frame.length, frame.at);
    }
    if (!may_answer(found->type, type)) {
        sim_broken(sim, PROMISE_ANSWERS, "%s is answered by %.*s", found->type, (int)frame.length,
                   frame.at);
    }
    *ret_asked = *found;
    device->asked[found - device->asked] = device->asked[--device->asked_count];
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* A resume under way repeats the frames from its number on, once. */
static struct asked *
find_resumed(struct device *device, int64_t match, int32_t seq)
{
    for (uint32_t i = 0; i < device->asked_count; i++) {
        struct asked *asked = &device->asked[i];

        if (strcmp(asked->type, "resume") == 0 && asked->match == match && asked->seq + 1 == seq &&
            !asked->is_told) {
            return asked;
        }
    }
    return NULL;
}

bool
device_is_resuming(const struct device *device, int64_t match)
{
    for (uint32_t i = 0; i < device->asked_count; i++) {
        if (strcmp(device->asked[i].type, "resume") == 0 && device->asked[i].match == match) {
            return true;
        }
    }
    return false;
}

/* Frames that came before the resume was sent are repeated by it. */
static void
forget_told(struct device *device, int64_t match)
{
    for (uint32_t i = 0; i < device->asked_count; i++) {
        if (device->asked[i].match == match) {
            device->asked[i].is_told = false;
        }
    }
}

/* Only a resume is under way, and nothing else made it follow. */
static bool
begins_wrong(const struct device *device, const struct known_match *known, int64_t match)
{
    return known->next_seq == 0 && !known->follows && !known->is_unsure &&
           device->asked_count == 1 && device_is_resuming(device, match) &&
           device->asked[0].seq > 0;
}

static void
take_numbered(struct sim *sim, struct device *device, int64_t match, struct sk_text frame)
{
    struct known_match *known = &device->matches[match];
    int32_t seq = (int32_t)scan_number(scan_member(frame, "seq"), 0);
    struct asked *resumed = find_resumed(device, match, seq);

    if (known->next_seq != 0 && seq != known->next_seq && resumed == NULL) {
        sim_broken(sim, PROMISE_SEQ, "device %td, match %lld: %d comes where %d is next: %.*s",
                   device - sim->devices, (long long)match, seq, known->next_seq, (int)frame.length,
                   frame.at);
    }
    if (begins_wrong(device, known, match) && resumed == NULL) {
        sim_broken(sim, PROMISE_SEQ, "device %td, match %lld: resumed at %d and told %d",
                   device - sim->devices, (long long)match, device->asked[0].seq, seq);
    }
    if (resumed != NULL) {
        resumed->is_told = true;
    }
    known->next_seq = seq + 1;
    known->last_seq = seq;
}

static void
take_state(struct sim *sim, struct device *device, int64_t match, struct sk_text frame)
{
    struct known_match *known = &device->matches[match];
    int32_t seq = (int32_t)scan_number(scan_member(frame, "seq"), 0);

    /* The frames of a resume may end where another request brings the state. */
    if (known->next_seq != 0 && !device_is_resuming(device, match) ? seq != known->next_seq - 1
                                                                   : seq < known->last_seq) {
        sim_broken(sim, PROMISE_SEQ, "device %td, match %lld: a state of %d after %d",
                   device - sim->devices, (long long)match, seq, known->last_seq);
    }
    known->next_seq = seq + 1;
    known->last_seq = seq;
    known->follows = true;
    known->seat = (int)scan_number(scan_member(frame, "seat"), -1);
    known->has_seat = true;
    known->is_running = scan_is(scan_member(frame, "status"), "running");
    known->is_over = scan_is(scan_member(frame, "status"), "over");
}

/* ---- what is remembered ------------------------------------------------------------------ */

static void
note_turn(struct known_match *known, struct sk_text frame)
{
    struct sk_text open = scan_member(frame, "turn_open");

    if (open.length > 0) {
        known->is_running = true;
        known->turn = (int32_t)scan_number(scan_member(open, "turn"), 0);
    }
}

/* The frames of a resume may come now, whatever came before. */
static void
await_resumed(struct device *device, int64_t match)
{
    for (uint32_t i = 0; i < device->asked_count; i++) {
        device->asked[i].is_told = device->asked[i].is_told && device->asked[i].match != match;
    }
}

/* The own seat is free again: this connection gets no more frames, except from a resume. */
static void
note_seated(struct device *device, int64_t match, struct known_match *known, struct sk_text frame)
{
    if (scan_is_null(scan_member(frame, "name")) &&
        (scan_number(scan_member(frame, "seat"), -1) == known->seat || !known->has_seat)) {
        known->seat = -1;
        await_resumed(device, match);
        if (!device_is_resuming(device, match)) {
            known->follows = !known->has_seat; /* it may have been another player's */
            known->next_seq = 0;
        }
        known->has_seat = false;
        known->is_unsure = true;
    }
}

static void
keep_hints(struct known_match *known, struct sk_text frame)
{
    struct sk_text commands = scan_member(frame, "commands");

    free(known->hints);
    known->hints = strndup(commands.at, commands.length);
    known->hints_turn = (int32_t)scan_number(scan_member(frame, "turn"), 0);
}

static void
take_of_match(struct sim *sim, struct device *device, struct sk_text frame, struct sk_text type,
              bool is_answer)
{
    int64_t match = scan_number(scan_member(frame, "match"), 0);
    struct known_match *known = &device->matches[match];

    known->is_known = true;
    if (scan_is(type, "joined")) {
        device->is_queued = device->is_queued && is_answer; /* for the queue it is not an answer */
        known->follows = true;
        known->seat = (int)scan_number(scan_member(frame, "seat"), -1);
        known->has_seat = true;
        if (device_is_resuming(device, match)) {
            known->next_seq = 0; /* a state comes */
        }
    } else if (scan_is(type, "state")) {
        take_state(sim, device, match, frame);
        note_turn(known, frame);
    } else if (scan_is(type, "seated")) {
        take_numbered(sim, device, match, frame);
        note_turn(known, frame);
        note_seated(device, match, known, frame);
    } else if (scan_is(type, "turn") || scan_is(type, "clock") || scan_is(type, "draw")) {
        take_numbered(sim, device, match, frame);
        note_turn(known, frame);
    } else if (scan_is(type, "over")) {
        take_numbered(sim, device, match, frame);
        known->is_over = true;
        known->is_running = false;
    } else if (scan_is(type, "hints")) {
        keep_hints(known, frame);
    } else if (scan_is(type, "rematch")) {
        device->matches[scan_number(scan_member(frame, "next"), 0)].is_known = true;
    }
}

static void
take_error(struct sim *sim, struct device *device, struct sk_text frame)
{
    struct sk_text code = scan_member(frame, "code");

    if (scan_is(code, "bad_token")) {
        device->has_token = false;
        sim->devices[device->partner].has_token = false;
    }
}

static void
keep_token(struct sim *sim, struct device *device, struct sk_text frame)
{
    struct sk_text token = scan_member(frame, "token");

    if (token.length > 0) {
        scan_copy(token, device->token, sizeof(device->token));
        scan_copy(token, sim->devices[device->partner].token, sizeof(device->token));
        device->has_token = true;
        sim->devices[device->partner].has_token = true;
    }
}

/* A device that became another player starts from nothing. */
static void
take_welcome(struct sim *sim, struct device *device, struct sk_text frame)
{
    int64_t player = scan_number(scan_member(frame, "player"), 0);

    for (int64_t id = 1; player != device->player && id <= STORE_MATCHES_MAX; id++) {
        device->matches[id].last_seq = 0;
        device->matches[id].seat = -1;
        device->matches[id].has_seat = false;
    }
    device->player = player;
    device->is_greeted = true;
    keep_token(sim, device, frame);
}

/* ---- answers ----------------------------------------------------------------------------- */

/* Frames of an earlier connection may arrive after this; for the queue the last one counts. */
static bool
has_old_connection(const struct sim *sim, const struct device *device)
{
    int number = (int)(device - sim->devices);

    for (int slot = 0; slot < SIM_SLOTS; slot++) {
        int at = connection_of(number, slot);

        if (at != device->connection && sim->connections[at].session != NULL) {
            return true;
        }
    }
    return false;
}

static void
take_resumed(struct sim *sim, struct device *device, const struct asked *asked,
             struct sk_text frame, struct sk_text type)
{
    struct known_match *known = &device->matches[asked->match];
    int32_t seq = (int32_t)scan_number(scan_member(frame, "seq"), 0);

    if (scan_is(type, "error")) {
        known->is_unsure = true;
        await_resumed(device, asked->match); /* another one begins where it says */
        known->next_seq = 0; /* what it has counts, but the next frame may have any number */
        known->follows = known->follows && !scan_is(scan_member(frame, "code"), "not_in_match");
    } else if (scan_is(type, "done")) {
        known->follows = true;
        known->has_seat = false;
        known->last_seq = known->last_seq < asked->seq ? asked->seq : known->last_seq;
        known->next_seq = known->last_seq + 1;
    } else if (scan_is(type, "state") && !asked->may_follow && asked->seq > 0 &&
               asked->seq <= seq && seq - asked->seq <= MISSED_MAX) {
        sim_broken(sim, PROMISE_SEQ, "device %td, match %lld: resumed at %d and got a state of %d",
                   device - sim->devices, (long long)asked->match, asked->seq, seq);
    }
}

/* Refused before it reached the store. */
static bool
is_refused(struct sk_text frame)
{
    struct sk_text code = scan_member(frame, "code");

    return code.length > 0 && !scan_is(code, "busy") && !scan_is(code, "store_unavailable");
}

/* This connection follows the match no longer, unless a request under way changes it. */
static void
take_moved(struct device *device, int64_t match)
{
    struct known_match *known = &device->matches[match];

    known->follows = false;
    known->has_seat = false;
    known->next_seq = 0;
    known->is_unsure = true;
    await_resumed(device, match);
}

static void
take_answer(struct sim *sim, struct device *device, const struct asked *asked, struct sk_text frame,
            struct sk_text type)
{
    if (strcmp(asked->type, "queue") == 0 && !scan_is(type, "error")) {
        device->is_queued = scan_is(type, "queued") && !has_old_connection(sim, device);
    }
    if (asked->match < 0 || asked->match > STORE_MATCHES_MAX || scan_is(type, "moved")) {
        return;
    }
    if (strcmp(asked->type, "resume") == 0) {
        take_resumed(sim, device, asked, frame, type);
    } else if (strcmp(asked->type, "leave") == 0 && scan_is(type, "done")) {
        device->matches[asked->match].follows = false;
        device->matches[asked->match].has_seat = false;
        device->matches[asked->match].next_seq = 0;
        forget_told(device, asked->match);
    } else if (strcmp(asked->type, "submit") == 0 && !is_refused(frame)) {
        device->matches[asked->match].is_unsure = true;
        if (!device_is_resuming(device, asked->match)) {  /* else that decides */
            device->matches[asked->match].follows = true; /* if it did not before */
        }
    }
}

void
device_receive(struct sim *sim, struct device *device, struct sk_text frame)
{
    struct sk_text type = scan_member(frame, "type");
    int64_t match = scan_number(scan_member(frame, "match"), 0);
    struct asked asked;
    bool is_answer = take_asked(sim, device, frame, &asked);

    if (scan_is(type, "welcome")) {
        take_welcome(sim, device, frame);
    } else if (scan_is(type, "token")) {
        keep_token(sim, device, frame);
    } else if (scan_is(type, "error")) {
        take_error(sim, device, frame);
    } else if (scan_is(type, "moved")) {
        take_moved(device, match);
    } else if (match >= 1 && match <= STORE_MATCHES_MAX) {
        take_of_match(sim, device, frame, type, is_answer);
    }
    if (is_answer) {
        take_answer(sim, device, &asked, frame, type);
    }
}

void
device_disconnected(struct device *device)
{
    device->connection = -1;
    device->is_greeted = false;
    device->is_queued = false;
    device->asked_count = 0;
    for (int i = 0; i <= STORE_MATCHES_MAX; i++) {
        device->matches[i].follows = false;
        device->matches[i].next_seq = 0;
        device->matches[i].has_seat = false; /* another device may change it */
        device->matches[i].is_unsure = false;
    }
}

void
device_fini(struct device *device)
{
    for (int i = 0; i <= STORE_MATCHES_MAX; i++) {
        free(device->matches[i].hints);
    }
    free(device->last_submit);
}

int
connection_of(int device, int slot)
{
    return device * SIM_SLOTS + slot;
}
