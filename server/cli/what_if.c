/*
 * skirmish what-if - one turn of a stored match resolved with other commands,
 * beside what happened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/command_lists.h"
#include "proto/json_parse.h"
#include "server/cli/cli.h"
#include "server/cli/options.h"
#include "server/cli/render.h"
#include "server/memory.h"

#define COMMANDS_BYTES_MAX ((size_t)256 * 1024)
#define COMMANDS_SIZE      ((size_t)4 * 1024 * 1024)

/* Both rendered by the same function, so they can be compared as texts. */
struct two_ways {
    char *happened; /* NULL: the turn is not resolved yet */
    char *instead;
};

/* ---- the commands ------------------------------------------------------------------------ */

static char *
read_input(size_t *ret_length)
{
    char *text = heap_bytes(COMMANDS_BYTES_MAX + 1);

    *ret_length = fread(text, 1, COMMANDS_BYTES_MAX + 1, stdin);
    return text;
}

/* `happened` is the turn's record, or NULL: it is not resolved yet. */
static enum sk_status
read_commands(const struct render *render, const struct store_record *happened,
              struct sk_arena *arena, struct sk_turn *turn, struct sk_fault *ret_fault)
{
    struct sk_value *json = NULL;
    struct sk_value *body = NULL;
    size_t length;
    char *text = read_input(&length);
    enum sk_status status;

    if (length > COMMANDS_BYTES_MAX) {
        status = sk_fault_set(ret_fault, "too_large", "the commands are longer than 256 KiB");
    } else {
        status = sk_json_parse(text, length, &json, ret_fault);
    }
    if (status == SK_OK && happened != NULL) {
        status = sk_json_parse(happened->body, happened->body_length, &body, ret_fault);
    }
    if (status == SK_OK) {
        status = sk_command_lists_read(render->moments.playback->match.ruleset->command, json,
                                       body == NULL ? NULL : sk_value_member(body, "commands"),
                                       render->moments.playback->match.seat_count, arena,
                                       turn->commands, ret_fault);
    }
    sk_json_free(body);
    sk_json_free(json);
    free(text);
    return status;
}

/* ---- both ways --------------------------------------------------------------------------- */

static enum sk_status
branch(struct render *render, const struct store_record *happened, struct two_ways *ways,
       struct sk_fault *ret_fault)
{
    struct sk_arena arena;
    struct sk_turn turn;
    enum sk_status status;

    heap_arena(&arena, COMMANDS_SIZE);
    playback_branch(render->moments.playback, &turn);
    status = read_commands(render, happened, &arena, &turn, ret_fault);
    if (status == SK_OK) {
        (void)sk_turn_resolve(&turn);
        render_moment(render, turn.after, &turn);
        ways->instead = heap_text(sk_text_of(render->screen.text));
    }
    free(arena.base);
    return status;
}

/* The first turn from this record on; NULL: there is none. */
static const struct store_record *
find_turn(const struct store_job *job, uint32_t from)
{
    while (from < job->record_count && job->records[from].kind != RECORD_TURN) {
        from++;
    }
    return from < job->record_count ? &job->records[from] : NULL;
}

/* Plays up to the turn, then the other commands, then what happened. */
static enum sk_status
play(struct render *render, uint32_t number, struct two_ways *ways, struct sk_fault *ret_fault)
{
    const struct store_job *job = render->job;
    enum sk_status status = SK_OK;
    bool is_there = false;

    for (uint32_t i = 0; status == SK_OK && ways->happened == NULL && i < job->record_count; i++) {
        const struct sk_state *state;

        status = playback_record(render->moments.playback, &job->records[i], ret_fault);
        state = render->moments.playback->match.state;
        if (status == SK_OK && is_there && playback_turn(render->moments.playback) != NULL) {
            render_moment(render, state, playback_turn(render->moments.playback));
            ways->happened = heap_text(sk_text_of(render->screen.text));
        } else if (status == SK_OK && !is_there && state != NULL && state->turn == number &&
                   !state->outcome.is_over) {
            is_there = true;
            status = branch(render, find_turn(job, i + 1), ways, ret_fault);
        }
    }
    if (status == SK_OK && !is_there) {
        (void)sk_fault_set(ret_fault, "no_turn", "the match had no turn ");
        sk_fault_say_number(ret_fault, number);
        status = SK_ERR_REFUSED;
    }
    return status;
}

static void
print_ways(const struct two_ways *ways, bool is_json)
{
    bool is_same = ways->happened != NULL && strcmp(ways->happened, ways->instead) == 0;

    if (is_json) {
        printf("{\"instead\":%.*s,\"happened\":", (int)strcspn(ways->instead, "\n"), ways->instead);
        if (ways->happened == NULL) {
            printf("null");
        } else {
            printf("%.*s", (int)strcspn(ways->happened, "\n"), ways->happened);
        }
        printf(",\"differs\":%s}\n", is_same ? "false" : "true");
        return;
    }
    printf("WITH THESE COMMANDS\n%s\n", ways->instead);
    if (ways->happened == NULL) {
        printf("The turn is not resolved yet.\n");
    } else if (is_same) {
        printf("This is what happened.\n");
    } else {
        printf("WHAT HAPPENED\n%s", ways->happened);
    }
}

static int
what_if(const char *database, int64_t match, uint32_t turn, bool is_json)
{
    struct store_job *job = render_load("what-if", database, match);
    struct two_ways ways = { NULL, NULL };
    struct render render;
    struct sk_fault fault;
    int status = CLI_OK;

    if (job == NULL) {
        return CLI_FAILED;
    }
    if (!render_open(&render, job, MOMENTS_EVERYTHING, render_form_of(is_json), &fault) ||
        play(&render, turn, &ways, &fault) != SK_OK) {
        status = cli_fail("what-if", &fault);
    } else {
        print_ways(&ways, is_json);
    }
    render_close(&render);
    free(ways.happened);
    free(ways.instead);
    store_job_free(job);
    return status;
}

int
cli_what_if(int argc, char **argv)
{
    const char *database = NULL;
    int64_t turn = -1;
    int64_t match;
    bool is_json = false;
    const struct cli_option options[] = {
        CLI_DATABASE_OPTION(&database),
        { "turn", CLI_NUMBER, &turn, "N", "the turn to resolve again; the first is 0", 0,
          INT32_MAX },
        { "json", CLI_FLAG, &is_json, NULL, "one JSON object: instead, happened, differs", 0, 0 },
    };
    const struct cli_usage usage = {
        .command = "what-if",
        .arguments = "ID",
        .about =
            "Resolves one turn of a stored match with other commands, and shows the result beside\n"
            "what happened.  The commands are read from standard input as JSON, one list per "
            "seat;\n"
            "null instead of a list keeps what the seat sent.  Nothing is stored.\n"
            "\n"
            "  echo '[[{\"kind\":\"move\",\"unit\":\"a1\",\"target\":[1,2]}],null]' |\n"
            "      skirmish what-if 12 --turn 3\n",
        CLI_OPTIONS(options),
    };
    struct cli_words words;
    int status;

    if (!cli_options_read(&usage, argc, argv, &words, &status)) {
        return status;
    }
    if (words.count != 1 || !cli_number_read(words.at[0], 1, INT64_MAX, &match)) {
        return cli_usage_error("what-if", "takes the number of one match", NULL);
    }
    if (turn < 0) {
        return cli_usage_error("what-if", "needs --turn", NULL);
    }
    if (isatty(STDIN_FILENO)) {
        fprintf(stderr, "reading commands from the terminal, one list per seat; Ctrl-D ends\n");
    }
    return what_if(cli_database(database), match, (uint32_t)turn, is_json);
}
