#include "proto/json_track.h"

static void
open_bracket(struct sk_json_track *track, bool is_object)
{
    uint64_t bit = (uint64_t)1 << (track->depth % 64);

    if (track->depth == SK_JSON_DEPTH_MAX) {
        track->is_broken = true;
        return;
    }
    track->objects = is_object ? track->objects | bit : track->objects & ~bit;
    track->depth++;
}

static void
close_bracket(struct sk_json_track *track, bool is_object)
{
    if (track->depth == 0 || (track->objects >> (track->depth - 1) & 1) != (is_object ? 1 : 0)) {
        track->is_broken = true;
        return;
    }
    track->depth--;
}

/* A string cannot contain a raw control character, such as a newline. */
static void
feed_string(struct sk_json_track *track, char byte)
{
    if ((unsigned char)byte < ' ') {
        track->is_broken = true;
    } else if (track->after_backslash) {
        track->after_backslash = false;
    } else if (byte == '\\') {
        track->after_backslash = true;
    } else if (byte == '"') {
        track->in_string = false;
    }
}

static void
feed_byte(struct sk_json_track *track, char byte)
{
    switch (byte) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        return;
    case '"':
        track->in_string = true;
        break;
    case '[':
    case '{':
        open_bracket(track, byte == '{');
        break;
    case ']':
    case '}':
        close_bracket(track, byte == '}');
        break;
    default:
        break;
    }
    track->has_begun = true;
}

enum sk_json_progress
sk_json_track_feed(struct sk_json_track *track, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !track->is_broken; i++) {
        if (track->in_string) {
            feed_string(track, bytes[i]);
        } else {
            feed_byte(track, bytes[i]);
        }
    }
    if (track->is_broken) {
        return SK_JSON_WHOLE;
    }
    if (!track->has_begun) {
        return SK_JSON_NOTHING;
    }
    return track->in_string || track->depth > 0 ? SK_JSON_PART : SK_JSON_WHOLE;
}
