#include "server/cli/render.h"

#include "proto/frames.h"
#include "server/cli/cli.h"
#include "server/store/archive.h"

/* ---- the board --------------------------------------------------------------------------- */

static void
add_board(struct render *render, const struct sk_state *state)
{
    const struct sk_ruleset *ruleset = render->moments.playback->match.ruleset;
    const void *config = render->moments.playback->match.config->config;
    const void *form = moments_form(&render->moments, state);
    bool is_all = render->moments.audience == MOMENTS_EVERYTHING;

    if (form != NULL && sk_board_draw(ruleset, config, form, is_all, &render->screen.canvas)) {
        screen_add_board(&render->screen, sk_board_legend(ruleset));
    } else {
        screen_add(&render->screen, "(this board cannot be drawn here)\n");
    }
}

/* ---- what was sent, what happened -------------------------------------------------------- */

static void
add_verdict(struct render *render, const struct sk_turn *turn, struct sk_judgement judgement)
{
    const char *check = sk_check_name(turn->ruleset, judgement);

    if (judgement.verdict == SK_VERDICT_OK) {
        screen_add(&render->screen, "ok");
        return;
    }
    screen_begin(&render->screen, SK_PAINT_DANGER);
    screen_add_words(&render->screen, sk_verdict_name(turn->ruleset, judgement.verdict));
    if (check != NULL) {
        screen_add(&render->screen, " (");
        screen_add_words(&render->screen, check);
        screen_add(&render->screen, ")");
    }
    screen_end(&render->screen);
}

static void
add_commands(struct render *render, const struct sk_turn *turn)
{
    for (uint8_t seat = 0; seat < turn->seat_count; seat++) {
        if (!moments_sees_commands(&render->moments, seat)) {
            continue;
        }
        for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
            struct sk_line line = screen_line(&render->screen);

            sk_command_say(turn->ruleset, turn->config,
                           sk_command_at(turn->ruleset, turn->commands[seat], i), &line);
            screen_add(&render->screen, "  ");
            screen_add_name(&render->screen, seat, FRAME_PLAYER_NAME_MAX);
            screen_add(&render->screen, ": ");
            screen_add_line(&render->screen, &line);
            screen_add(&render->screen, ": ");
            add_verdict(render, turn, turn->judgements[seat][i]);
            screen_add(&render->screen, "\n");
        }
    }
}

static bool
sees_event(const struct render *render, const struct sk_turn *turn, const struct sk_event *event)
{
    const struct sk_ruleset *ruleset = turn->ruleset;

    return render->moments.audience == MOMENTS_EVERYTHING || ruleset->event_is_shown == NULL ||
           ruleset->event_is_shown(turn->config, turn->before, turn->after, event,
                                   render->moments.audience);
}

static void
add_events(struct render *render, const struct sk_turn *turn)
{
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        struct sk_line line = screen_line(&render->screen);

        if (!sees_event(render, turn, event)) {
            continue;
        }
        sk_event_say(turn->ruleset, turn->config, event, &line);
        if (line.used > 0) {
            screen_add(&render->screen, "  ");
            screen_add_line(&render->screen, &line);
            screen_add(&render->screen, "\n");
        }
    }
}

static void
add_outcome(struct render *render, const struct sk_state *state)
{
    if (state->outcome.is_over) {
        screen_add_outcome(
            &render->screen, state->outcome.winner,
            sk_reason_name(render->moments.playback->match.ruleset, state->outcome.reason));
    }
}

static void
add_head(struct render *render, const struct sk_state *state, const struct sk_turn *turn)
{
    const struct store_match *match = &render->job->match;

    screen_add(&render->screen, "match %lld, %s: ", (long long)match->id, match->ruleset);
    for (uint8_t seat = 0; seat < render->moments.playback->match.seat_count; seat++) {
        screen_add(&render->screen, seat == 0 ? "" : ", ");
        screen_add_name(&render->screen, seat, FRAME_PLAYER_NAME_MAX);
    }
    if (turn == NULL) {
        screen_add(&render->screen, "   before turn %u\n\n", state->turn);
    } else {
        screen_add(&render->screen, "   after turn %u\n\n", turn->before->turn);
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
render_text(struct render *render, const struct sk_state *state, const struct sk_turn *turn)
{
    screen_clear(&render->screen);
    add_head(render, state, turn);
    add_board(render, state);
    if (turn != NULL && command_count(turn) > 0) {
        screen_add(&render->screen, "\n");
        add_commands(render, turn);
    }
    if (turn != NULL &&
        (turn->events.first != NULL || moments_failures(&render->moments, turn) != NULL)) {
        screen_add(&render->screen, "\n");
        screen_add_failures(&render->screen, moments_failures(&render->moments, turn));
        add_events(render, turn);
    }
    add_outcome(render, state);
}

static void
render_json(struct render *render, const struct sk_state *state, const struct sk_turn *turn)
{
    screen_clear(&render->screen);
    screen_add_text(&render->screen, moments_json(&render->moments, state, turn));
    screen_add(&render->screen, "\n");
}

/* ---- the whole --------------------------------------------------------------------------- */

void
render_moment(struct render *render, const struct sk_state *state, const struct sk_turn *turn)
{
    if (render->form == RENDER_JSON) {
        render_json(render, state, turn);
    } else {
        render_text(render, state, turn);
    }
}

struct store_job *
render_load(const char *command, const char *database, int64_t match)
{
    struct archive *archive = NULL;
    struct store_job *job = NULL;
    struct sk_fault fault;

    if (archive_open(database, &archive, &fault) != SK_OK ||
        archive_load(archive, match, &job, &fault) != SK_OK) {
        (void)cli_fail(command, &fault);
    }
    archive_close(archive);
    return job;
}

enum render_form
render_form_of(bool is_json)
{
    return is_json ? RENDER_JSON : screen_wants_colour() ? RENDER_COLOURED : RENDER_TEXT;
}

bool
render_open(struct render *render, const struct store_job *job, uint8_t audience,
            enum render_form form, struct sk_fault *ret_fault)
{
    *render = (struct render){ .job = job, .form = form };
    screen_init(&render->screen, form == RENDER_COLOURED);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        const char *name = job->seats[seat].name;

        render->screen.names[seat] = sk_text_of(name == NULL ? "" : name);
    }
    return moments_open(&render->moments, &job->match, audience, ret_fault);
}

void
render_close(struct render *render)
{
    screen_fini(&render->screen);
    moments_close(&render->moments);
}
