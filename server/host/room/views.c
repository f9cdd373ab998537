#include "server/host/room/views.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/rules.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"
#include "server/hex.h"

void
view_fini(struct view_text *view)
{
    free(view->seen);
    free(view->text);
}

/* Has the text the own members of the last one? */
static bool
begin_alike(const struct sk_view_text *last, struct sk_text text, uint32_t own_length)
{
    return last->view != NULL && last->own_length == own_length &&
           memcmp(last->text.at, text.at, own_length) == 0;
}

void
room_view_next(struct room *room, uint8_t seat, struct view_text *view)
{
    struct work *work = &room->host->work;
    const struct match *match = &room->match;
    struct sk_json_out out = { 0 };
    uint32_t own_length = 0;
    struct sk_sizes sizes;
    struct sk_text text;
    void *seen;

    sk_rules_sizes(match->ruleset, match->config->config, &sizes);
    seen = heap_bytes(sizes.view);
    work->scratch.used = 0;
    while (work_writes(work, &out)) {
        (void)sk_view_write_after(&out, match->ruleset, match->config->config, match->state, seat,
                                  seen, &work->scratch, &view->it, &own_length);
    }
    text = work_text(&out);
    if (!begin_alike(&view->it, text, own_length)) {
        sk_hash_begin(&view->hashed, (const uint8_t *)text.at, own_length);
    }
    hash_text(sk_hash_go_on(&view->hashed, (const uint8_t *)text.at, text.length), view->hash);
    view_fini(view);
    view->text = heap_text(text);
    view->seen = seen;
    /* If the view could not be written, there is nothing to copy from. */
    view->it = (struct sk_view_text){ text.length > 0 ? view->seen : NULL,
                                      { view->text, text.length },
                                      own_length };
}

char *
room_view_text(struct room *room, uint8_t seat)
{
    struct view_text view = { 0 };

    room_view_next(room, seat, &view);
    free(view.seen);
    return view.text;
}

/* If they contain secrets, all of them are shown only at the end. */
struct sk_text
room_shown_params(const struct room *room)
{
    const struct shared_config *config = room->match.config;

    return room_phase(room) != ROOM_OVER && config->params_shown != NULL
               ? sk_text_of(config->params_shown)
               : (struct sk_text){ config->params, (uint32_t)config->params_length };
}

/* ---- hints ----------------------------------------------------------------------------------- */

#define HINTS_MAX 4096u

struct hint_list {
    struct sk_hint_sink sink;
    const struct sk_ruleset *ruleset;
    struct sk_json_out *out;
    uint32_t count;
};

static bool
take_hint(struct sk_hint_sink *sink, const void *command)
{
    struct hint_list *list = (struct hint_list *)(void *)sink;

    sk_variant_write(list->out, list->ruleset->command, command);
    return ++list->count < HINTS_MAX;
}

char *
room_hints_text(struct room *room, uint8_t seat)
{
    struct work *work = &room->host->work;
    const struct match *match = &room->match;
    struct sk_json_out out = { 0 };
    struct hint_list list = { { .take = take_hint }, match->ruleset, &out, 0 };
    struct sk_turn turn;

    work_turn(work, match->ruleset, match->config->config, &turn);
    memset(turn.view, 0, turn.sizes.view);
    sk_rules_view_make(match->ruleset, &turn.sizes, match->config->config, match->state, seat,
                       turn.view);
    while (work_writes(work, &out)) {
        list.count = 0;
        sk_json_begin_list(&out);
        sk_rules_hints(match->ruleset, match->config->config, turn.view, seat, &list.sink);
        sk_json_end_list(&out);
    }
    return work_text_copy(&out);
}
