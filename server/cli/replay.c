/*
 * skirmish replay - a stored match, turn by turn: in a terminal with keys to
 * go through it, elsewhere as plain text or JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/core/ruleset.h"
#include "server/cli/cli.h"
#include "server/cli/keys.h"
#include "server/cli/options.h"
#include "server/cli/render.h"
#include "server/memory.h"

#define PLAY_MS 1000

#define MOMENT_START (-1)

struct moment_text {
    int64_t turn; /* that led to the state shown, or MOMENT_START */
    char *text;
};

struct moment_texts {
    struct moment_text *at;
    uint32_t count;
    uint8_t seat_count;
    bool is_whole;         /* every record could be played */
    struct sk_fault fault; /* else the first that could not */
};

struct replaying {
    struct store_job *job;
    struct moment_texts texts;
    uint8_t audience;
    uint32_t at;
    bool is_playing;
};

/* ---- moments ----------------------------------------------------------------------------- */

static void
add_moment(struct render *render, struct moment_texts *texts)
{
    const struct sk_state *state = render->moments.playback->match.state;
    const struct sk_turn *turn = playback_turn(render->moments.playback);
    struct moment_text *at = heap_grow(texts->at, (texts->count + 1) * sizeof(*at));

    render_moment(render, state, turn);
    texts->at = at;
    at[texts->count].turn = turn == NULL ? MOMENT_START : (int64_t)turn->before->turn;
    at[texts->count].text = heap_text(sk_text_of(render->screen.text));
    texts->count++;
}

static enum sk_status
render_all(struct render *render, struct moment_texts *texts, struct sk_fault *ret_fault)
{
    const struct store_job *job = render->job;
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; status == SK_OK && i < job->record_count; i++) {
        bool had_begun = render->moments.playback->match.state != NULL;

        status = playback_record(render->moments.playback, &job->records[i], ret_fault);
        if (status == SK_OK && moments_is_one(&render->moments, had_begun)) {
            add_moment(render, texts);
        }
    }
    return status;
}

/* False when there is nothing to show: the ruleset is unknown, or the match never started. */
static bool
texts_make(const struct store_job *job, uint8_t audience, enum render_form form,
           struct moment_texts *ret_texts, struct sk_fault *ret_fault)
{
    struct render render;
    struct moment_texts texts = { .at = NULL };
    bool is_rendered = false;

    if (render_open(&render, job, audience, form, ret_fault)) {
        texts.is_whole = render_all(&render, &texts, &texts.fault) == SK_OK;
        texts.seat_count = render.moments.playback->match.seat_count;
        is_rendered = texts.count > 0;
        if (!is_rendered && texts.is_whole) {
            (void)sk_fault_set(ret_fault, "not_started", "the match has not started");
        } else if (!is_rendered) {
            *ret_fault = texts.fault;
        }
    }
    render_close(&render);
    if (is_rendered) {
        *ret_texts = texts;
    }
    return is_rendered;
}

static void
texts_free(struct moment_texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        free(texts->at[i].text);
    }
    free(texts->at);
    *texts = (struct moment_texts){ .at = NULL };
}

/* ---- in a terminal ----------------------------------------------------------------------- */

static void
show(const struct replaying *replaying)
{
    printf(KEYS_CLEAR "%s\n", replaying->texts.at[replaying->at].text);
    printf("moment %u of %u, ", replaying->at + 1, replaying->texts.count);
    if (replaying->audience == MOMENTS_EVERYTHING) {
        printf("everything");
    } else if (replaying->audience == SK_SPECTATOR) {
        printf("as a spectator");
    } else {
        printf("as seat %u", replaying->audience);
    }
    printf("%s   n next  b back  g jump  p play  v view  q quit\n",
           replaying->is_playing ? ", playing" : "");
    fflush(stdout);
}

/* Everything, then each seat, then a spectator, and round again. */
static uint8_t
next_audience(const struct replaying *replaying)
{
    uint8_t audience = replaying->audience;

    if (audience == MOMENTS_EVERYTHING) {
        return 0;
    }
    if (audience == SK_SPECTATOR) {
        return MOMENTS_EVERYTHING;
    }
    return audience + 1 < replaying->texts.seat_count ? (uint8_t)(audience + 1) : SK_SPECTATOR;
}

static void
change_view(struct replaying *replaying)
{
    struct moment_texts texts;
    struct sk_fault fault;
    uint8_t audience = next_audience(replaying);

    if (texts_make(replaying->job, audience, RENDER_COLOURED, &texts, &fault)) {
        texts_free(&replaying->texts);
        replaying->texts = texts;
        replaying->audience = audience;
    }
}

static uint32_t
moment_of_turn(const struct moment_texts *texts, int64_t turn)
{
    uint32_t at = 0;

    while (at + 1 < texts->count && texts->at[at].turn < turn) {
        at++;
    }
    return at;
}

static void
jump(struct replaying *replaying)
{
    int64_t turn;

    printf("to turn: ");
    fflush(stdout);
    if (keys_read_number(&turn)) {
        replaying->at = moment_of_turn(&replaying->texts, turn);
    }
}

/* False = quit. */
static bool
act(struct replaying *replaying, int key)
{
    uint32_t last = replaying->texts.count - 1;

    switch (key) {
    case KEY_NONE: /* time has passed */
        replaying->at += replaying->is_playing && replaying->at < last ? 1 : 0;
        replaying->is_playing = replaying->is_playing && replaying->at < last;
        return true;
    case 'n':
    case ' ':
    case '\n':
    case KEY_RIGHT:
    case KEY_DOWN:
        replaying->at += replaying->at < last ? 1 : 0;
        return true;
    case 'b':
    case KEY_LEFT:
    case KEY_UP:
        replaying->at -= replaying->at > 0 ? 1 : 0;
        return true;
    case KEY_HOME:
        replaying->at = 0;
        return true;
    case KEY_END:
        replaying->at = last;
        return true;
    case 'p':
        replaying->is_playing = !replaying->is_playing;
        return true;
    case 'v':
    case 's':
        change_view(replaying);
        return true;
    case 'g':
        jump(replaying);
        return true;
    default:
        return key != 'q' && key != KEY_CLOSED;
    }
}

static int
browse(struct replaying *replaying)
{
    bool goes_on = true;

    if (!keys_open()) {
        fprintf(stderr, "skirmish replay: the terminal cannot be used\n");
        return CLI_FAILED;
    }
    while (goes_on) {
        show(replaying);
        goes_on = act(replaying, keys_next(replaying->is_playing ? PLAY_MS : -1));
    }
    keys_close();
    return CLI_OK;
}

/* ---- elsewhere --------------------------------------------------------------------------- */

static void
print_moments(const struct moment_texts *texts, int64_t turn, bool is_json)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        if (turn < 0 || texts->at[i].turn == turn) {
            printf("%s%s", texts->at[i].text, is_json || turn >= 0 ? "" : "\n");
        }
    }
}

static bool
has_turn(const struct moment_texts *texts, int64_t turn)
{
    return turn < 0 || texts->at[moment_of_turn(texts, turn)].turn == turn;
}

static int
show_moments(struct replaying *replaying, int64_t turn, bool is_json)
{
    const struct moment_texts *texts = &replaying->texts;
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !is_json;
    int status = CLI_OK;

    if (!has_turn(texts, turn)) {
        if (texts->count < 2) {
            fprintf(stderr, "skirmish replay: no turn of the match is resolved yet\n");
        } else {
            fprintf(stderr, "skirmish replay: the match has turns %lld to %lld\n",
                    (long long)texts->at[1].turn, (long long)texts->at[texts->count - 1].turn);
        }
        return CLI_FAILED;
    }
    replaying->at = turn < 0 ? 0 : moment_of_turn(texts, turn);
    if (is_terminal) {
        status = browse(replaying);
    } else {
        print_moments(texts, turn, is_json);
    }
    if (!replaying->texts.is_whole) {
        fprintf(stderr, "skirmish replay: the match does not hold from here on: %s at %s\n",
                replaying->texts.fault.message, replaying->texts.fault.at);
        status = CLI_FAILED;
    }
    return status;
}

static int
replay(const char *database, int64_t match, uint8_t audience, int64_t turn, bool is_json)
{
    struct replaying replaying = { .audience = audience,
                                   .job = render_load("replay", database, match) };
    struct sk_fault fault;
    int status = CLI_FAILED;

    if (replaying.job == NULL) {
        return CLI_FAILED;
    }
    if (!texts_make(replaying.job, audience, render_form_of(is_json), &replaying.texts, &fault)) {
        (void)cli_fail("replay", &fault);
    } else if (audience < SK_SEATS_MAX && audience >= replaying.texts.seat_count) {
        fprintf(stderr, "skirmish replay: the match has seats 0 to %d\n",
                replaying.texts.seat_count - 1);
    } else {
        status = show_moments(&replaying, turn, is_json);
    }
    texts_free(&replaying.texts);
    store_job_free(replaying.job);
    return status;
}

int
cli_replay(int argc, char **argv)
{
    const char *database = NULL;
    int64_t seat = -1;
    int64_t turn = -1;
    int64_t match;
    bool is_json = false;
    bool is_spectator = false;
    const struct cli_option options[] = {
        CLI_DATABASE_OPTION(&database),
        { "turn", CLI_NUMBER, &turn, "N",
          "only this turn, the first is 0; in a terminal, begin there", 0, INT32_MAX },
        { "seat", CLI_NUMBER, &seat, "S", "as this seat saw it (else everything)", 0,
          SK_SEATS_MAX - 1 },
        { "spectator", CLI_FLAG, &is_spectator, NULL, "as a spectator saw it", 0, 0 },
        { "json", CLI_FLAG, &is_json, NULL, "one JSON object per turn", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "replay",
        .arguments = "ID",
        .about =
            "Shows a stored match turn by turn: the board, each seat's commands with their\n"
            "verdicts, and the events.  All of it is resolved again from the stored commands.\n"
            "Keys in a terminal: n or space next turn, b back, g go to a turn, p play, v change\n"
            "the view, q quit.  Without a terminal it prints plain text.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1 || !cli_number_read(words.at[0], 1, INT64_MAX, &match)) {
        return cli_usage_error("replay", "takes the number of one match", NULL);
    }
    if (is_spectator && seat >= 0) {
        return cli_usage_error("replay", "--seat and --spectator exclude each other", NULL);
    }
    return replay(cli_database(database), match,
                  seat >= 0      ? (uint8_t)seat
                  : is_spectator ? SK_SPECTATOR
                                 : MOMENTS_EVERYTHING,
                  turn, is_json);
}
