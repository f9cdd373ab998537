/*
 * Frames of clients.  Most are sensible; some are repeated or nonsense.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/choose.h"

#define TEXT_MAX 16384

/* ---- frames ------------------------------------------------------------------------------ */

/* `{"type":"X","id":"N"` and the rest. */
static void __attribute__((format(printf, 4, 5)))
say(struct sim *sim, int number, const char *type, const char *format, ...)
{
    struct device *device = &sim->devices[number];
    char *text = malloc(TEXT_MAX);
    int used = snprintf(text, TEXT_MAX, "{\"type\":\"%s\",\"id\":\"%u\"", type, ++device->ids);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, (size_t)(TEXT_MAX - used), format, arguments);
    va_end(arguments);
    sim_do(sim, (struct op){ .kind = OP_SEND, .a = number, .text = text });
}

void
say_of_match(struct sim *sim, int number, const char *type, int64_t match)
{
    say(sim, number, type, ",\"match\":%lld}", (long long)match);
}

void
say_hello(struct sim *sim, int number)
{
    struct device *device = &sim->devices[number];

    if (happens(sim, 20)) {
        say(sim, number, "hello", ",\"protocol\":7,\"name\":\"who\"}");
    } else if (sim->devices[device->partner].has_token) {
        say(sim, number, "hello", ",\"protocol\":1,\"token\":\"$token%d\"}", device->partner);
    } else {
        say(sim, number, "hello", ",\"protocol\":1,\"name\":\"d%dn%u\",\"bot\":%s}", number,
            happens(sim, 50) ? 0 : ++device->names, happens(sim, 100) ? "true" : "false");
    }
}

static void
say_nonsense(struct sim *sim, int number)
{
    static const char *const texts[] = {
        "{",
        "[]",
        "",
        "null",
        "{\"type\":\"nothing\"}",
        "{\"type\":\"submit\"}",
        "{\"type\":\"ping\",\"type\":\"ping\"}",
        "{\"type\":\"ping\",\"more\":1}",
        "{\"type\":\"resume\",\"match\":1e400,\"seq\":1}",
        "{\"type\":\"join\",\"match\":-1}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "{\"type\":\"hello\",\"protocol\":1,\"name\":\"a\",\"token\":\"b\"}",
    };

    for (int left = happens(sim, 200) ? 5 : 1; left > 0; left--) { /* enough to be closed */
        sim_do(sim,
               (struct op){ .kind = OP_SEND, .a = number, .text = strdup(ONE_OF(sim, texts)) });
    }
}

/* ---- the lobby --------------------------------------------------------------------------- */

#define PIKE_OF_TWO ",{\"id\":\"b1\",\"model\":\"pike\",\"seat\":1,\"at\":[1,0]}"
#define PIKES(placement, limit, other)                                                          \
    "{\"rows\":4,\"cols\":3,\"placement\":" placement ",\"start_rows\":1,\"turn_limit\":" limit \
    ",\"patterns\":{\"step\":{\"rows\":[\" x \",\"x x\",\" x \"]},\"sweep\":{\"rows\":"         \
    "[\" o \",\"   \",\"   \"],\"map\":{\"o\":\"row\"}},\"row\":{\"rows\":[\"   \",\"xxx\","    \
    "\"   \"]}},\"models\":{\"pike\":{\"health\":20,\"power\":10,\"move\":[\"step\"],"          \
    "\"attack\":[\"sweep\"]}},\"units\":[{\"id\":\"a1\",\"model\":\"pike\",\"seat\":0,"         \
    "\"at\":[1,3]}" other "]}"

static const char *
draw_game(struct sim *sim, const struct taste *taste, char *text, size_t size)
{
    static const char *const tactics[] = {
        "\"tactics\",\"params\":" PIKES("false", "20", PIKE_OF_TWO),
        "\"tactics\",\"params\":" PIKES("true", "20", PIKE_OF_TWO),
        "\"tactics\",\"params\":" PIKES("false", "3", PIKE_OF_TWO),
    };

    if (happens(sim, taste->decided)) { /* against nobody */
        return "\"tactics\",\"params\":" PIKES("false", "20", "");
    }
    if (happens(sim, taste->threes)) {
        return "\"snarl\",\"params\":{\"heroes\":[\"ada\",\"bob\",\"cyd\"]}";
    }
    if (happens(sim, taste->others + taste->by_turns)) { /* any ruleset */
        bool takes_turns = below(sim, taste->others + taste->by_turns) >= taste->others;
        const struct sk_ruleset *ruleset;

        do {
            ruleset = sk_registry_at(below(sim, (uint32_t)sk_registry_count()));
        } while (takes_turns && ruleset->is_simultaneous);
        snprintf(text, size, "\"%s\"", ruleset->name);
        return text;
    }
    return ONE_OF(sim, tactics);
}

void
say_create(struct chooser *chooser, int number)
{
    static const char *const clocks[] = {
        "{\"turn_ms\":1000}",
        "{\"turn_ms\":700,\"bank_ms\":2500}",
        "{\"bank_ms\":4000}",
        "{\"turn_ms\":86400000}",
    };
    static const char *const cycles[] = { "200", "1000", "2500" };
    static const char *const bots[] = { "{\"level\":\"greedy\"}",
                                        "{\"http\":\"http://bots.example/\"}" };
    static const char *const delays[] = { "1", "1", "2", "4" };
    struct sim *sim = chooser->sim;
    const struct taste *taste = &chooser->taste;
    char game[64];
    char clock[64] = "";
    const char *drawn = draw_game(sim, taste, game, sizeof(game));
    char seats[128] = "";

    /* In snarl bots would play on among themselves. */
    if (happens(sim, taste->bots) && strncmp(drawn, "\"snarl\"", 7) != 0) {
        snprintf(seats, sizeof(seats), ",\"seats\":[null,{\"bot\":%s}]", ONE_OF(sim, bots));
    } else {
        snprintf(seats, sizeof(seats), ",\"seat\":%u", below(sim, 2));
    }
    if (happens(sim, taste->cycles)) {
        snprintf(clock, sizeof(clock), ",\"cycle_ms\":%s", ONE_OF(sim, cycles));
    } else if (!happens(sim, 150)) {
        snprintf(clock, sizeof(clock), ",\"clock\":%s",
                 happens(sim, taste->clocks) ? ONE_OF(sim, clocks) : "null");
    }
    say(sim, number, "create", ",\"ruleset\":%s%s%s,\"spectator_delay\":%s,\"visibility\":\"%s\"}",
        drawn, clock, seats, happens(sim, taste->delayed) ? ONE_OF(sim, delays) : "0",
        happens(sim, taste->hidden) ? "private" : "open");
}

static void
say_queue(struct sim *sim, int number)
{
    say(sim, number, "queue", ",\"ruleset\":\"tactics\",\"params\":%s,\"cancel\":%s}",
        PIKES("false", "20", PIKE_OF_TWO), happens(sim, 150) ? "true" : "false");
}

void
say_join(struct sim *sim, int number, int64_t match)
{
    const struct stored_match *stored = fake_store_match(&sim->store, match);

    if (stored != NULL && stored->row.code != NULL && happens(sim, 800)) {
        say(sim, number, "join", ",\"code\":\"$code%lld\"}", (long long)match);
    } else {
        say_of_match(sim, number, "join", match);
    }
}

static bool
talk_in_lobby(struct chooser *chooser, int number)
{
    struct sim *sim = chooser->sim;

    switch (below(sim, 24)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (sim->store.match_count < chooser->taste.matches) {
            say_create(chooser, number);
            return true;
        }
        return false;
    case 4:
    case 5:
    case 6:
        say_queue(sim, number);
        return true;
    case 7:
        say(sim, number, "list", "}");
        return true;
    case 8:
        say(sim, number, "ping", "}");
        return true;
    case 9:
        if (happens(sim, 300)) {
            say(sim, number, "renew_token", "}");
        }
        return true;
    case 10:
    case 11:
    case 12:
        say_of_match(sim, number, "watch", any_match(sim));
        return true;
    case 13:
        say_hello(sim, number);
        return true;
    default:
        say_join(sim, number, any_match(sim));
        return true;
    }
}

/* ---- playing ----------------------------------------------------------------------------- */

/* Up to three of the commands that the last hints named. */
static void
draw_commands(struct sim *sim, const struct known_match *known, char *text, size_t size)
{
    struct sk_text list = sk_text_of(known->hints == NULL ? "[]" : known->hints);
    uint32_t left = scan_count(list);
    uint32_t wanted = below(sim, 4);
    struct sk_text item;
    int used = snprintf(text, size, "[");

    while (wanted > 0 && scan_item(&list, &item)) {
        if (below(sim, left--) < wanted && (size_t)used + item.length + 3 < size) {
            used += snprintf(text + used, size - (size_t)used, "%s%.*s", used > 1 ? "," : "",
                             (int)item.length, item.at);
            wanted--;
        }
    }
    snprintf(text + used, size - (size_t)used, "]");
}

/* The same command as often as fits into a list. */
static void
draw_full_list(const struct known_match *known, char *text, size_t size)
{
    struct sk_text list = sk_text_of(known->hints == NULL ? "[]" : known->hints);
    struct sk_text item;
    int used = snprintf(text, size, "[");

    if (scan_item(&list, &item) && item.length < size / (SK_COMMANDS_MAX + 1)) {
        for (int i = 0; i < SK_COMMANDS_MAX; i++) {
            used += snprintf(text + used, size - (size_t)used, "%s%.*s", i > 0 ? "," : "",
                             (int)item.length, item.at);
        }
    }
    snprintf(text + used, size - (size_t)used, "]");
}

static void
say_commands(struct sim *sim, int number, int64_t match, const char *commands, const char *ready)
{
    struct device *device = &sim->devices[number];
    const struct known_match *known = &device->matches[match];
    uint32_t command = happens(sim, 50) ? device->commands : ++device->commands;
    char rest[TEXT_MAX];

    snprintf(rest, sizeof(rest),
             ",\"match\":%lld,\"turn\":%d,\"commands\":%s,\"command_id\":\"d%d-%u\"%s}",
             (long long)match, known->turn + (happens(sim, 30) ? 1 : 0), commands, number, command,
             ready);
    free(device->last_submit);
    device->last_submit = strdup(rest);
    say(sim, number, "submit", "%s", rest);
}

void
say_submit(struct sim *sim, int number, int64_t match, const char *ready)
{
    char commands[1024];

    draw_commands(sim, &sim->devices[number].matches[match], commands, sizeof(commands));
    say_commands(sim, number, match, commands, ready);
}

void
say_full_list(struct sim *sim, int number, int64_t match)
{
    char commands[TEXT_MAX - 256];

    draw_full_list(&sim->devices[number].matches[match], commands, sizeof(commands));
    say_commands(sim, number, match, commands, ",\"ready\":false");
}

static void
say_withdraw(struct sim *sim, int number, int64_t match)
{
    struct device *device = &sim->devices[number];

    say(sim, number, "withdraw", ",\"match\":%lld,\"turn\":%d,\"command_id\":\"d%d-%u\"}",
        (long long)match, device->matches[match].turn, number, ++device->commands);
}

void
say_resume_from(struct sim *sim, int number, int64_t match, int32_t seq)
{
    say(sim, number, "resume", ",\"match\":%lld,\"seq\":%d}", (long long)match, seq);
}

void
say_resume(struct sim *sim, int number, int64_t match)
{
    const struct known_match *known = &sim->devices[number].matches[match];
    int32_t seq = known->last_seq;

    if (happens(sim, 150)) {
        seq = (int32_t)below(sim, (uint32_t)seq + 3);
    }
    say_resume_from(sim, number, match, seq);
}

bool
needs_hints(const struct known_match *known)
{
    return known->hints_turn != known->turn || (known->hints == NULL && known->turn == 0);
}

void
say_hints(struct sim *sim, int number, int64_t match)
{
    struct known_match *known = &sim->devices[number].matches[match];

    say_of_match(sim, number, "hints", match);
    known->hints_turn = known->turn; /* asked for */
}

static void
say_any_submit(struct sim *sim, int number, int64_t match)
{
    static const char *const readies[] = { "", "", "", ",\"ready\":true", ",\"ready\":false" };

    say_submit(sim, number, match, ONE_OF(sim, readies));
}

static void
say_of_draw(struct sim *sim, int number, int64_t match)
{
    if (happens(sim, 500)) {
        say_of_match(sim, number, "offer_draw", match);
    } else {
        say(sim, number, "answer_draw", ",\"match\":%lld,\"accept\":%s}", (long long)match,
            happens(sim, 500) ? "true" : "false");
    }
}

static void
say_claim(struct sim *sim, int number, int64_t match)
{
    say_of_match(sim, number, "claim", match);
}

static void
say_leave(struct sim *sim, int number, int64_t match)
{
    say_of_match(sim, number, "leave", match);
}

/* Sometimes again, by the same id or by another one. */
void
say_resign(struct sim *sim, int number, int64_t match)
{
    struct device *device = &sim->devices[number];
    int times = happens(sim, 200) ? 2 : 1;

    device->commands++;
    for (int i = 0; i < times; i++) {
        device->commands += i > 0 && happens(sim, 500) ? 1 : 0;
        say(sim, number, "resign", ",\"match\":%lld,\"command_id\":\"d%d-%u\"}", (long long)match,
            number, device->commands);
    }
}

static void
say_aside(struct sim *sim, int number, int64_t match)
{
    switch (below(sim, 3)) {
    case 0:
        say(sim, number, "chat", ",\"match\":%lld,\"text\":\"hm\"}", (long long)match);
        break;
    case 1:
        say(sim, number, "what_if", ",\"match\":%lld,\"commands\":[[],[]]}", (long long)match);
        break;
    default:
        say(sim, number, "mute", ",\"match\":%lld,\"muted\":true}", (long long)match);
        break;
    }
}

static void
play(struct chooser *chooser, int number, int64_t match)
{
    static void (*const sayings[])(struct sim * sim, int number, int64_t match) = {
        say_any_submit, say_withdraw, say_of_draw, say_resign,    say_claim,
        say_leave,      say_resume,   say_aside,   say_full_list,
    };
    struct sim *sim = chooser->sim;
    const struct taste *taste = &chooser->taste;
    const uint32_t weights[SK_COUNT_OF(sayings)] = {
        300,           taste->withdraws, taste->draws,  taste->ends,       taste->claims,
        taste->leaves, taste->resumes,   taste->asides, taste->full_lists,
    };

    if (needs_hints(&sim->devices[number].matches[match])) {
        say_hints(sim, number, match);
    } else {
        sayings[draw_weight(sim, weights, SK_COUNT_OF(weights))](sim, number, match);
    }
}

/* A match that the device knows of, or 0. */
static int64_t
draw_known(struct sim *sim, const struct device *device)
{
    int64_t first = 1 + below(sim, STORE_MATCHES_MAX);

    for (int64_t i = 0; i < STORE_MATCHES_MAX; i++) {
        int64_t match = 1 + (first + i) % STORE_MATCHES_MAX;

        if (device->matches[match].is_known) {
            return match;
        }
    }
    return 0;
}

static bool
talk_of_match(struct chooser *chooser, int number, int64_t match)
{
    struct sim *sim = chooser->sim;
    const struct known_match *known = &sim->devices[number].matches[match];

    if (known->is_over && happens(sim, chooser->taste.rematches)) {
        say_of_match(sim, number, "rematch", match);
    } else if (!known->follows && happens(sim, 900)) {
        say_resume(sim, number, match);
    } else if (known->is_over && happens(sim, 50)) {
        say_leave(sim, number, match);
    } else if (known->is_over && happens(sim, 500)) {
        return false;
    } else if (known->seat >= 0 && !known->is_running && !known->is_over) {
        if (!happens(sim, 3 * chooser->taste.leaves)) {
            return false;
        }
        say_leave(sim, number, match);
    } else if (known->seat >= 0 || happens(sim, 50)) {
        play(chooser, number, match);
    } else if (happens(sim, chooser->taste.watches)) {
        say_of_match(sim, number, "watch", match); /* for the state */
    } else if (happens(sim, 100)) {
        say(sim, number, "chat", ",\"match\":%lld,\"text\":\"oh\"}", (long long)match);
    } else if (happens(sim, 100)) {
        say_of_match(sim, number, happens(sim, 500) ? "leave" : "join", match);
    } else {
        return false;
    }
    return true;
}

bool
talk(struct chooser *chooser)
{
    struct sim *sim = chooser->sim;
    int number = (int)below(sim, (uint32_t)sim->device_count);
    struct device *device = &sim->devices[number];
    int64_t match;

    if (device->connection < 0 || device->asked_count > SIM_ASKED / 2) {
        return false;
    }
    if (happens(sim, chooser->taste.malformed)) {
        say_nonsense(sim, number);
        return true;
    }
    if (!device->is_greeted) {
        if (device->asked_count > 0 && !happens(sim, 30)) {
            return false;
        }
        say_hello(sim, number);
        return true;
    }
    if (device->last_submit != NULL && happens(sim, 60)) {
        say(sim, number, "submit", "%s", device->last_submit);
        return true;
    }
    match = draw_known(sim, device);
    return match != 0 && !happens(sim, chooser->taste.lobby) ? talk_of_match(chooser, number, match)
                                                             : talk_in_lobby(chooser, number);
}
