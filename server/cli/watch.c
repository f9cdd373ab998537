/*
 * skirmish watch - a match on a running server, turn by turn as it is played.
 */
#include <stdio.h>

#include "server/cli/cli.h"
#include "server/cli/live_match.h"
#include "server/cli/online.h"
#include "server/cli/options.h"
#include "server/client/look.h"

struct watcher {
    struct online online;
    struct live_match live;
    int64_t match;
    const char *code;
};

static void
on_welcome(void *user, bool is_again)
{
    struct watcher *watcher = user;
    union client_frame frame = { .watch = { .head = { .type = FRAME_WATCH },
                                            .match = watcher->match } };

    frame.watch.code = sk_text_of(watcher->code == NULL ? "" : watcher->code);
    (void)is_again;
    if (watcher->live.ruleset == NULL) {
        client_send(watcher->online.client, &frame);
    }
}

/* The end comes as a frame, or in the state of a match that is already over. */
static void
show(struct watcher *watcher, const struct sk_value *frame)
{
    const struct sk_value *outcome = look_object(frame, "outcome");
    bool is_over = look_says(frame, "type", "over");

    live_draw(&watcher->live, NULL, 0);
    live_add_events(&watcher->live, frame, 0);
    if (is_over || outcome != NULL) {
        live_add_outcome(&watcher->live, is_over ? frame : outcome);
        client_stop(watcher->online.client);
    }
    live_print(&watcher->live);
}

static void
on_frame(void *user, const struct sk_value *frame)
{
    struct watcher *watcher = user;
    char message[ONLINE_ERROR_MAX + 1];
    struct sk_fault fault;

    if (look_says(frame, "type", "error")) {
        online_error_text(frame, message, sizeof(message));
        online_fail(&watcher->online, "the server", message);
    } else if (look_int(frame, "match", 0) != watcher->match) {
        return;
    } else if (!live_take(&watcher->live, frame, &fault)) {
        online_fail(&watcher->online, "cannot show this match", fault.message);
    } else if (watcher->live.ruleset != NULL &&
               (look_object(frame, "view") != NULL || look_says(frame, "type", "state") ||
                look_says(frame, "type", "over"))) {
        show(watcher, frame);
    }
}

static int
watch(struct watcher *watcher, const char *url)
{
    static const struct client_events events = { on_welcome, on_frame, NULL };
    struct client_options options = { .url = url, .is_spectator = true, .code = watcher->code };
    bool is_fine;

    live_init(&watcher->live);
    is_fine = online_run(&watcher->online, &options, &events, watcher);
    live_fini(&watcher->live);
    return is_fine ? CLI_OK : CLI_FAILED;
}

int
cli_watch(int argc, char **argv)
{
    struct watcher watcher = { .online = { .command = "watch" } };
    const char *url = CLIENT_URL_DEFAULT;
    const struct cli_option options[] = {
        { "url", CLI_TEXT, &url, "URL", "the server (" CLIENT_URL_DEFAULT ")", 0, 0 },
        { "code", CLI_TEXT, &watcher.code, "CODE", "of a private match", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "watch",
        .arguments = "ID",
        .about =
            "Shows a match on a running server turn by turn, until it is over.  It needs no name\n"
            "and leaves nothing on the server.\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1 || !cli_number_read(words.at[0], 1, INT32_MAX, &watcher.match)) {
        return cli_usage_error("watch", "takes the number of a match", NULL);
    }
    return watch(&watcher, url);
}
