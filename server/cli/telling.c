#include "server/cli/telling.h"

#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"
#include "proto/turn_write.h"

#define FORMS_SIZE ((size_t)4 * 1024 * 1024)

static const char *
name_of(const struct store_job *job, uint8_t seat)
{
    return job->seats[seat].name == NULL ? "(nobody)" : job->seats[seat].name;
}

static void
add_name(struct telling *telling, uint8_t seat)
{
    screen_begin(&telling->screen, (enum sk_paint)(SK_PAINT_SEAT_0 + seat));
    screen_add_text(&telling->screen, sk_text_of(name_of(telling->job, seat)));
    screen_end(&telling->screen);
}

/* ---- the board --------------------------------------------------------------------------- */

/* Everything is the state's form, what a seat may know is its view's; NULL when it does not fit. */
static const void *
make_form(struct telling *telling, const struct sk_state *state)
{
    const struct sk_ruleset *ruleset = playback_ruleset(telling->playback);
    const void *config = playback_config(telling->playback);
    bool is_all = telling->audience == PAGES_EVERYTHING;
    struct sk_sizes sizes;
    void *form;
    enum sk_status status;

    telling->forms.used = 0;
    form = sk_arena_take(&telling->forms, is_all ? ruleset->state->size : ruleset->view->size);
    if (is_all) {
        status = ruleset->state_form(config, state, &telling->forms, form);
    } else {
        ruleset->sizes(config, &sizes);
        memset(telling->view, 0, sizes.view);
        ruleset->view_make(config, state, telling->audience, telling->view);
        status = ruleset->view_form(config, telling->view, &telling->forms, form);
    }
    return status == SK_OK ? form : NULL;
}

static void
add_board(struct telling *telling, const struct sk_state *state)
{
    const struct sk_picture *picture = playback_ruleset(telling->playback)->picture;
    const void *config = playback_config(telling->playback);
    const void *form = make_form(telling, state);
    bool is_all = telling->audience == PAGES_EVERYTHING;
    bool is_drawn = false;

    if (form != NULL && picture != NULL && is_all && picture->draw_state != NULL) {
        is_drawn = picture->draw_state(config, form, &telling->screen.canvas);
    } else if (form != NULL && picture != NULL) {
        is_drawn = picture->draw(config, form, &telling->screen.canvas);
    }
    if (is_drawn) {
        screen_add_board(&telling->screen);
    } else {
        screen_add(&telling->screen, "(this board cannot be drawn here)\n");
    }
}

/* ---- what was sent, what happened -------------------------------------------------------- */

/* "out of pattern" instead of out_of_pattern. */
static void
add_words(struct telling *telling, const char *word)
{
    for (; *word != '\0'; word++) {
        screen_add(&telling->screen, "%c", *word == '_' ? ' ' : *word);
    }
}

static void
add_verdict(struct telling *telling, const struct sk_turn *turn, struct sk_judgement judgement)
{
    const char *check = sk_check_name(turn->ruleset, judgement);

    if (judgement.verdict == SK_VERDICT_OK) {
        screen_add(&telling->screen, "ok");
        return;
    }
    screen_begin(&telling->screen, SK_PAINT_DANGER);
    add_words(telling, sk_verdict_name(turn->ruleset, judgement.verdict));
    if (check != NULL) {
        screen_add(&telling->screen, " (");
        add_words(telling, check);
        screen_add(&telling->screen, ")");
    }
    screen_end(&telling->screen);
}

/* What the other seats sent is theirs to know until the match is over. */
static bool
sees_commands(const struct telling *telling, uint8_t seat)
{
    return telling->audience == PAGES_EVERYTHING || telling->audience == seat;
}

static void
add_commands(struct telling *telling, const struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (!sees_commands(telling, seat)) {
            continue;
        }
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            struct sk_line line = screen_line(&telling->screen);

            sk_command_say(turn->ruleset, turn->config,
                           sk_command_at(turn->ruleset, turn->commands[seat], i), &line);
            screen_add(&telling->screen, "  ");
            add_name(telling, seat);
            screen_add(&telling->screen, ": ");
            screen_add_line(&telling->screen, &line);
            screen_add(&telling->screen, ": ");
            add_verdict(telling, turn, turn->judgements[seat][i]);
            screen_add(&telling->screen, "\n");
        }
    }
}

static bool
sees_event(const struct telling *telling, const struct sk_turn *turn, const struct sk_event *event)
{
    const struct sk_ruleset *ruleset = turn->ruleset;

    return telling->audience == PAGES_EVERYTHING || ruleset->event_is_shown == NULL ||
           ruleset->event_is_shown(turn->config, turn->before, turn->after, event,
                                   telling->audience);
}

static void
add_events(struct telling *telling, const struct sk_turn *turn)
{
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        struct sk_line line = screen_line(&telling->screen);

        if (turn->ruleset->picture == NULL || !sees_event(telling, turn, event)) {
            continue;
        }
        sk_event_say(turn->ruleset, turn->config, event, &line);
        if (line.used > 0) {
            screen_add(&telling->screen, "  ");
            screen_add_line(&telling->screen, &line);
            screen_add(&telling->screen, "\n");
        }
    }
}

static void
add_outcome(struct telling *telling, const struct sk_state *state)
{
    if (!state->outcome.is_over) {
        return;
    }
    screen_add(&telling->screen, "\n  ");
    if (state->outcome.winner == SK_NOBODY) {
        screen_add(&telling->screen, "Nobody wins: ");
    } else {
        add_name(telling, (uint8_t)state->outcome.winner);
        screen_add(&telling->screen, " wins: ");
    }
    add_words(telling, sk_reason_name(playback_ruleset(telling->playback), state->outcome.reason));
    screen_add(&telling->screen, "\n");
}

static void
add_head(struct telling *telling, const struct sk_state *state)
{
    const struct store_match *match = &telling->job->match;

    screen_add(&telling->screen, "match %lld, %s: ", (long long)match->id, match->ruleset);
    for (uint8_t seat = 0; seat < telling->seat_count; seat++) {
        screen_add(&telling->screen, seat == 0 ? "" : ", ");
        add_name(telling, seat);
    }
    screen_add(&telling->screen, "   turn %u\n\n", state->turn);
}

static uint32_t
command_count(const struct sk_turn *turn)
{
    uint32_t count = 0;

    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        count += turn->commands[seat].count;
    }
    return count;
}

static void
tell_text(struct telling *telling, const struct sk_state *state, const struct sk_turn *turn)
{
    screen_clear(&telling->screen);
    add_head(telling, state);
    add_board(telling, state);
    if (turn != NULL && command_count(turn) > 0) {
        screen_add(&telling->screen, "\n");
        add_commands(telling, turn);
    }
    if (turn != NULL && turn->events.first != NULL) {
        screen_add(&telling->screen, "\n");
        add_events(telling, turn);
    }
    add_outcome(telling, state);
}

/* ---- JSON -------------------------------------------------------------------------------- */

struct json_page {
    struct telling *telling;
    const struct sk_state *state;
    const struct sk_turn *turn;
    const void *form;
    uint64_t hash;
};

static void
write_lists(struct sk_json_out *out, const struct json_page *page)
{
    const struct sk_turn *turn = page->turn;

    sk_json_key(out, "commands");
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        bool is_seen = sees_commands(page->telling, seat);

        sk_variants_write(out, turn->ruleset->command, turn->commands[seat].at,
                          is_seen ? turn->commands[seat].count : 0);
    }
    sk_json_end_list(out);
    sk_json_key(out, "verdicts");
    sk_json_begin_list(out);
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (sees_commands(page->telling, seat)) {
            sk_verdicts_write(out, turn, seat);
        } else {
            sk_json_begin_list(out);
            sk_json_end_list(out);
        }
    }
    sk_json_end_list(out);
    sk_json_key(out, "events");
    if (page->telling->audience == PAGES_EVERYTHING) {
        sk_events_write(out, turn);
    } else {
        sk_events_write_for(out, turn, page->telling->audience);
    }
}

static void
write_page(struct sk_json_out *out, const void *what)
{
    const struct json_page *page = what;
    struct telling *telling = page->telling;
    const struct sk_ruleset *ruleset = playback_ruleset(telling->playback);
    bool is_all = telling->audience == PAGES_EVERYTHING;

    sk_json_begin_object(out);
    sk_json_key(out, "turn");
    sk_json_int(out, page->state->turn);
    if (page->turn != NULL) {
        write_lists(out, page);
    }
    if (page->form != NULL) {
        sk_json_key(out, is_all ? "state" : "view");
        sk_form_write(out, is_all ? ruleset->state : ruleset->view, page->form);
    }
    sk_json_key(out, "outcome");
    sk_outcome_write(out, ruleset, page->state->outcome);
    if (is_all) {
        sk_json_key(out, "hash");
        sk_json_hex16(out, page->hash);
    }
    sk_json_end_object(out);
}

static void
tell_json(struct telling *telling, const struct sk_state *state, const struct sk_turn *turn)
{
    struct json_page page = { .telling = telling, .state = state, .turn = turn };
    struct sk_form_head *head = (struct sk_form_head *)(uintptr_t)make_form(telling, state);

    if (head != NULL) {
        sk_form_head_set(head, playback_ruleset(telling->playback), state->outcome);
        head->turn = (int32_t)state->turn;
        head->has_seat = telling->audience < SK_SEATS_MAX;
        head->seat = head->has_seat ? telling->audience : 0;
    }
    page.form = head;
    page.hash = playback_hash_of(telling->playback, state);
    screen_clear(&telling->screen);
    screen_add_text(&telling->screen, sk_json_buffer_write(&telling->buffer, write_page, &page));
    screen_add(&telling->screen, "\n");
}

/* ---- the whole --------------------------------------------------------------------------- */

void
telling_tell(struct telling *telling, const struct sk_state *state, const struct sk_turn *turn)
{
    if (telling->form == PAGES_JSON) {
        tell_json(telling, state, turn);
    } else {
        tell_text(telling, state, turn);
    }
}

bool
telling_open(struct telling *telling, const struct store_job *job, uint8_t audience,
             enum pages_form form, struct sk_fault *ret_fault)
{
    struct sk_sizes sizes;
    void *forms = malloc(FORMS_SIZE);

    *telling = (struct telling){ .job = job, .audience = audience, .form = form };
    telling->playback = playback_alloc();
    SK_ASSERT(forms != NULL && telling->playback != NULL);
    sk_arena_init(&telling->forms, forms, FORMS_SIZE);
    screen_init(&telling->screen, form == PAGES_COLOURED);
    if (playback_begin(telling->playback, &job->match, ret_fault) != SK_OK) {
        return false;
    }
    playback_ruleset(telling->playback)->sizes(playback_config(telling->playback), &sizes);
    telling->view = malloc(sizes.view);
    SK_ASSERT(telling->view != NULL);
    telling->seat_count =
        playback_ruleset(telling->playback)->seat_count(playback_config(telling->playback));
    return true;
}

void
telling_close(struct telling *telling)
{
    screen_fini(&telling->screen);
    playback_free(telling->playback);
    free(telling->buffer.at);
    free(telling->forms.base);
    free(telling->view);
}
