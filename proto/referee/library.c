/* The functions of libskirmish that return JSON. */
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "proto/referee.h"
#include "proto/referee/game.h"
#include "proto/schema_doc.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "proto/turn_write.h"

const char *
sk_library_version(void)
{
    return SK_LIBRARY_VERSION;
}

/* ---- the referee ------------------------------------------------------------------------- */

struct sk_referee *
sk_referee_new(void)
{
    return sk_referee_alloc();
}

void
sk_referee_close(struct sk_referee *referee)
{
    sk_referee_free(referee);
}

static int
give(struct sk_text text, int status, const char **ret_answer, size_t *ret_length)
{
    *ret_answer = text.at;
    *ret_length = text.length;
    return status;
}

int
sk_resolve(struct sk_referee *referee, const char *request, size_t length, const char **ret_answer,
           size_t *ret_length)
{
    struct sk_text answer;
    bool is_valid = sk_referee_answer(referee, request, length, &answer);

    return give(answer, is_valid ? 0 : SK_FAILED, ret_answer, ret_length);
}

static int
write_with(struct sk_referee *referee, void (*write)(struct sk_json_out *out, const void *what),
           const void *what, int status, const char **ret_answer, size_t *ret_length)
{
    struct sk_text text;
    bool is_written = sk_referee_write(referee, write, what, &text);

    return give(text, is_written ? status : SK_FAILED, ret_answer, ret_length);
}

static void
write_rulesets(struct sk_json_out *out, const void *what)
{
    (void)what;
    sk_json_begin_list(out);
    for (size_t i = 0; i < sk_registry_count(); i++) {
        const struct sk_ruleset *ruleset = sk_registry_at(i);

        sk_json_begin_object(out);
        sk_json_key_string(out, "name", ruleset->name);
        sk_json_key_int(out, "version", ruleset->version);
        sk_json_key_int(out, "seats_min", ruleset->seats_min);
        sk_json_key_int(out, "seats_max", ruleset->seats_max);
        sk_json_key_bool(out, "simultaneous", ruleset->is_simultaneous);
        sk_json_key_string(out, "summary", ruleset->summary);
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
}

int
sk_rulesets(struct sk_referee *referee, const char **ret_answer, size_t *ret_length)
{
    return write_with(referee, write_rulesets, NULL, 0, ret_answer, ret_length);
}

int
sk_schema(struct sk_referee *referee, const char *ruleset, uint32_t version,
          const char **ret_answer, size_t *ret_length)
{
    struct sk_fault fault;
    const struct sk_ruleset *found = sk_game_find_ruleset(ruleset, version, &fault);

    if (found == NULL) {
        return write_with(referee, sk_fault_write, &fault, SK_FAILED, ret_answer, ret_length);
    }
    return write_with(referee, sk_ruleset_document, found, 0, ret_answer, ret_length);
}

struct form {
    const struct sk_schema *schema;
    const void *at;
};

static void
write_form(struct sk_json_out *out, const void *what)
{
    const struct form *form = what;

    sk_form_write(out, form->schema, form->at);
}

int
sk_params(struct sk_referee *referee, const char *ruleset, uint32_t version, const char *params,
          size_t length, const char **ret_answer, size_t *ret_length)
{
    struct sk_fault fault;
    const struct sk_ruleset *found = sk_game_find_ruleset(ruleset, version, &fault);
    const struct sk_arena *config;
    struct form form;

    if (found == NULL ||
        sk_referee_compile(referee, found, params, length, &form.at, &config, &fault) != SK_OK) {
        return write_with(referee, sk_fault_write, &fault, SK_FAILED, ret_answer, ret_length);
    }
    form.schema = found->params;
    return write_with(referee, write_form, &form, 0, ret_answer, ret_length);
}

/* ---- matches behind a handle ------------------------------------------------------------- */

static int
write_into(struct sk_game *game, void (*write)(struct sk_json_out *out, const void *what),
           const void *what, const char **ret_answer, size_t *ret_length)
{
    struct sk_text text;

    if (!sk_json_buffer_fill(&game->text, write, what, &text)) {
        return SK_FAILED;
    }
    return give(text, 0, ret_answer, ret_length);
}

int
sk_game_view(struct sk_game *game, uint32_t i, uint8_t seat, const char **ret_answer,
             size_t *ret_length)
{
    struct form form = { game->ruleset->view, NULL };

    if (!sk_game_has_seat(game, i, seat)) {
        return SK_FAILED;
    }
    form.at = sk_game_view_form(game, i, seat);
    if (form.at == NULL) {
        return SK_FAILED;
    }
    return write_into(game, write_form, &form, ret_answer, ret_length);
}

struct hints {
    struct sk_hint_sink sink;
    struct sk_game *game;
    struct sk_json_out *out;
    uint32_t i;
    uint8_t seat;
};

static bool
take_hint(struct sk_hint_sink *sink, const void *command)
{
    struct hints *hints = (struct hints *)sink;

    sk_variant_write(hints->out, hints->game->ruleset->command, command);
    return true;
}

static void
write_hints(struct sk_json_out *out, const void *what)
{
    struct hints hints = *(const struct hints *)what;

    hints.out = out;
    sk_json_begin_list(out);
    sk_game_hunt(hints.game, hints.i, hints.seat, &hints.sink);
    sk_json_end_list(out);
}

int
sk_game_hints_json(struct sk_game *game, uint32_t i, uint8_t seat, const char **ret_answer,
                   size_t *ret_length)
{
    struct hints hints = { .sink = { .take = take_hint }, .game = game, .i = i, .seat = seat };

    if (!sk_game_has_seat(game, i, seat)) {
        return SK_FAILED;
    }
    return write_into(game, write_hints, &hints, ret_answer, ret_length);
}

/* An arena that is too small grows, up to what a request of the largest size can need. */
static enum sk_status
read_commands(struct sk_game *game, const struct sk_value *json, struct sk_list *ret_commands,
              struct sk_fault *fault)
{
    enum sk_status status;

    do {
        game->forms.used = 0;
        status = sk_commands_read(game->ruleset->command, json, game->slots, &game->forms,
                                  ret_commands, fault);
    } while (status != SK_OK && strcmp(fault->code, "too_large") == 0 &&
             game->forms.size < 8u * (size_t)SK_JSON_REQUEST_MAX && sk_game_grow_forms(game));
    return status;
}

/* A row that cannot be read back names an id without a number. */
static enum sk_status
put_commands(struct sk_game *game, const struct sk_list *commands, int32_t *rows,
             struct sk_fault *fault)
{
    const struct sk_variants *variants = game->ruleset->command;
    size_t width = sk_layout_width(&game->action);
    void *again = sk_arena_take(&game->forms, variants->size);

    for (uint32_t i = 0; i < commands->count; i++) {
        sk_layout_put_variant(&game->action, variants, sk_list_item(commands, i, variants->size),
                              rows + i * width);
        if (again == NULL ||
            !sk_layout_take_variant(&game->action, variants, rows + i * width, again)) {
            sk_fault_set(fault, "malformed", "the command does not fit a row");
            sk_fault_inside_index(fault, i);
            return SK_ERR_REFUSED;
        }
    }
    return SK_OK;
}

int
sk_game_command_rows(struct sk_game *game, const char *commands, size_t length, int32_t *ret_rows,
                     struct sk_error *ret_error)
{
    size_t size = (size_t)game->slots * sk_layout_width(&game->action) * sizeof(*ret_rows);
    int32_t *rows = calloc(1, size);
    struct sk_fault fault;
    struct sk_value *json = NULL;
    struct sk_list list;
    enum sk_status status;

    if (rows == NULL) {
        status = sk_fault_set(&fault, "too_large", "there is not enough memory");
    } else {
        status = sk_json_parse(commands, length, &json, &fault);
    }
    if (status == SK_OK) {
        status = read_commands(game, json, &list, &fault);
        sk_json_free(json);
    }
    if (status == SK_OK) {
        status = put_commands(game, &list, rows, &fault);
    }
    if (status == SK_OK) {
        memcpy(ret_rows, rows, size);
    } else {
        sk_game_tell(&fault, ret_error);
    }
    free(rows);
    return status == SK_OK ? 0 : SK_FAILED;
}

static void
write_words(struct sk_json_out *out, const char *key, const struct sk_words *words)
{
    sk_json_key(out, key);
    sk_json_begin_list(out);
    for (uint32_t i = 0; i < words->count; i++) {
        sk_json_text(out, sk_id_text(&words->at[i]));
    }
    sk_json_end_list(out);
}

static void
write_action(struct sk_json_out *out, const struct sk_game *game)
{
    const struct sk_variants *command = game->ruleset->command;

    sk_json_key(out, "action");
    sk_json_begin_object(out);
    sk_json_key_int(out, "width", sk_layout_width(&game->action));
    sk_json_key(out, "kinds");
    sk_json_begin_list(out);
    for (uint16_t i = 0; i < command->count; i++) {
        sk_json_begin_object(out);
        sk_json_key_string(out, "kind", command->of[i].kind);
        sk_json_key(out, "fields");
        sk_layout_describe(&game->action, game->action.nodes[0].child + i, out);
        sk_json_end_object(out);
    }
    sk_json_end_list(out);
    sk_json_end_object(out);
}

static void
write_description(struct sk_json_out *out, const void *what)
{
    const struct sk_game *game = what;
    const struct sk_ruleset *ruleset = game->ruleset;

    sk_json_begin_object(out);
    sk_json_key_string(out, "ruleset", ruleset->name);
    sk_json_key_int(out, "version", ruleset->version);
    sk_json_key_int(out, "seats", game->seats);
    sk_json_key_int(out, "slots", game->slots);
    write_words(out, "ids", &game->ids);
    write_words(out, "names", &game->names);
    sk_json_key(out, "verdicts");
    sk_json_begin_list(out);
    for (uint32_t i = 0; i < (uint32_t)SK_VERDICT_OWN + ruleset->verdict_count; i++) {
        sk_json_string(out, sk_verdict_name(ruleset, (sk_verdict)i));
    }
    sk_json_end_list(out);
    sk_json_key_int(out, "actions", game->action_count);
    write_action(out, game);
    sk_json_key(out, "observation");
    sk_layout_describe(&game->view, 0, out);
    sk_json_end_object(out);
}

int
sk_game_describe(struct sk_game *game, const char **ret_answer, size_t *ret_length)
{
    return write_into(game, write_description, game, ret_answer, ret_length);
}
