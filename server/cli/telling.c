#include "server/cli/telling.h"

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

static void
add_board(struct telling *telling, const struct sk_state *state)
{
    const struct sk_picture *picture = playback_ruleset(telling->moments.playback)->picture;
    const void *config = playback_config(telling->moments.playback);
    const void *form = moments_form(&telling->moments, state);
    bool is_all = telling->moments.audience == MOMENTS_EVERYTHING;
    bool is_drawn = false;

    if (form != NULL && picture != NULL && is_all && picture->draw_state != NULL) {
        is_drawn = picture->draw_state(config, form, &telling->screen.canvas);
    } else if (form != NULL && picture != NULL) {
        is_drawn = picture->draw(config, form, &telling->screen.canvas);
    }
    if (is_drawn) {
        screen_add_board(&telling->screen, picture->legend);
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

static void
add_commands(struct telling *telling, const struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (!moments_sees_commands(&telling->moments, seat)) {
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

    return telling->moments.audience == MOMENTS_EVERYTHING || ruleset->event_is_shown == NULL ||
           ruleset->event_is_shown(turn->config, turn->before, turn->after, event,
                                   telling->moments.audience);
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
    add_words(telling,
              sk_reason_name(playback_ruleset(telling->moments.playback), state->outcome.reason));
    screen_add(&telling->screen, "\n");
}

static void
add_head(struct telling *telling, const struct sk_state *state, const struct sk_turn *turn)
{
    const struct store_match *match = &telling->job->match;

    screen_add(&telling->screen, "match %lld, %s: ", (long long)match->id, match->ruleset);
    for (uint8_t seat = 0; seat < telling->moments.seat_count; seat++) {
        screen_add(&telling->screen, seat == 0 ? "" : ", ");
        add_name(telling, seat);
    }
    if (turn == NULL) {
        screen_add(&telling->screen, "   before turn %u\n\n", state->turn);
    } else {
        screen_add(&telling->screen, "   after turn %u\n\n", turn->before->turn);
    }
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
    add_head(telling, state, turn);
    add_board(telling, state);
    if (turn != NULL && command_count(turn) > 0) {
        screen_add(&telling->screen, "\n");
        add_commands(telling, turn);
    }
    if (turn != NULL &&
        (turn->events.first != NULL || moments_failures(&telling->moments, turn) != NULL)) {
        screen_add(&telling->screen, "\n");
        screen_add_failures(&telling->screen, moments_failures(&telling->moments, turn));
        add_events(telling, turn);
    }
    add_outcome(telling, state);
}

static void
tell_json(struct telling *telling, const struct sk_state *state, const struct sk_turn *turn)
{
    screen_clear(&telling->screen);
    screen_add_text(&telling->screen, moments_json(&telling->moments, state, turn));
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
    *telling = (struct telling){ .job = job, .form = form };
    screen_init(&telling->screen, form == PAGES_COLOURED);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        const char *name = job->seats[seat].name;

        telling->screen.names[seat] = sk_text_of(name == NULL ? "" : name);
    }
    return moments_open(&telling->moments, &job->match, audience, ret_fault);
}

void
telling_close(struct telling *telling)
{
    screen_fini(&telling->screen);
    moments_close(&telling->moments);
}
