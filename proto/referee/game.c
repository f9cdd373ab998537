/* Matches behind a handle: what they are made of. */
#include "proto/referee/game.h"

#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "proto/referee.h"
#include "proto/turn_write.h"

#define FIRST_FORMS_SIZE 65536u

/* ---- forms ------------------------------------------------------------------------------- */

bool
sk_game_grow_forms(struct sk_game *game)
{
    size_t size = game->forms.size == 0 ? FIRST_FORMS_SIZE : 2 * game->forms.size;
    void *memory = malloc(size);

    if (memory == NULL) {
        return false;
    }
    free(game->forms.base);
    sk_arena_init(&game->forms, memory, size);
    return true;
}

const void *
sk_game_view_form(struct sk_game *game, uint32_t i, uint8_t seat)
{
    const void *form = NULL;

    do {
        game->forms.used = 0;
        if (sk_view_form_make(game->ruleset, game->config, sk_game_state(game, i), seat,
                              game->turn.view, &game->forms, &form) == SK_OK) {
            return form;
        }
    } while (sk_game_grow_forms(game));
    return NULL;
}

const void *
sk_game_state_form(struct sk_game *game, uint32_t i)
{
    void *form;

    do {
        game->forms.used = 0;
        form = sk_arena_take(&game->forms, game->ruleset->state->size);
        if (form != NULL && sk_rules_state_form(game->ruleset, game->config, sk_game_state(game, i),
                                                &game->forms, form) == SK_OK) {
            return form;
        }
    } while (sk_game_grow_forms(game));
    return NULL;
}

/* ---- layouts ----------------------------------------------------------------------------- */

/* Ids and names are numbered in the order of the first state, which hides nothing. */
static bool
number_words(struct sk_game *game)
{
    struct sk_layout layout;
    const void *form = sk_game_state_form(game, 0);
    bool is_done = sk_layout_of_schema(&layout, game->ruleset->state, &game->ids, &game->names) &&
                   form != NULL && sk_layout_measure(&layout, form);

    sk_layout_fini(&layout);
    return is_done;
}

static bool
measure_views(struct sk_game *game)
{
    for (uint8_t seat = 0; seat <= game->seats; seat++) {
        const void *form = sk_game_view_form(game, 0, seat < game->seats ? seat : SK_SPECTATOR);

        if (form == NULL || !sk_layout_measure(&game->view, form)) {
            return false;
        }
    }
    return true;
}

static bool
lay_out(struct sk_game *game)
{
    const struct sk_ruleset *ruleset = game->ruleset;

    return number_words(game) &&
           sk_layout_of_schema(&game->view, ruleset->view, &game->ids, &game->names) &&
           sk_layout_of_variants(&game->action, ruleset->command, &game->ids, &game->names) &&
           measure_views(game);
}

/* ---- a handle ---------------------------------------------------------------------------- */

static enum sk_status
no_memory(struct sk_fault *fault)
{
    return sk_fault_set(fault, "too_large", "there is not enough memory");
}

static enum sk_status
copy_config(struct sk_game *game, const char *params, size_t length, struct sk_fault *ret_fault)
{
    struct sk_referee *referee = sk_referee_alloc();
    const struct sk_arena *config;
    const void *form;
    enum sk_status status;

    if (referee == NULL) {
        return no_memory(ret_fault);
    }
    status = sk_referee_compile(referee, game->ruleset, params, length, &form, &config, ret_fault);
    if (status == SK_OK) {
        game->config = malloc(config->used);
        if (game->config == NULL) {
            status = no_memory(ret_fault);
        } else {
            memcpy(game->config, config->base, config->used);
        }
    }
    sk_referee_free(referee);
    return status;
}

static bool
take_memory(struct sk_game *game)
{
    const struct sk_ruleset *ruleset = game->ruleset;
    size_t rows = (size_t)game->count * game->seats * game->slots;

    game->turn_memory = malloc(sk_turn_memory_size(ruleset, game->config));
    if (game->turn_memory == NULL) {
        return false;
    }
    sk_turn_init(&game->turn, ruleset, game->config, game->turn_memory);
    game->state_size = (game->turn.sizes.state + 15) & ~(size_t)15;
    game->states = calloc(game->count, game->state_size);
    game->seeds = calloc(game->count, sizeof(*game->seeds));
    game->commands = calloc(rows, ruleset->command->size);
    game->command_slots = calloc(rows, sizeof(*game->command_slots));
    game->command_counts = calloc(game->count, game->seats);
    return game->states != NULL && game->seeds != NULL && game->commands != NULL &&
           game->command_slots != NULL && game->command_counts != NULL && sk_game_grow_forms(game);
}

static enum sk_status
fill(struct sk_game *game, const char *params, size_t length, uint32_t list_max,
     struct sk_fault *fault)
{
    static const uint8_t seed[SK_SEED_BYTES];
    enum sk_status status = copy_config(game, params, length, fault);

    if (status != SK_OK) {
        return status;
    }
    game->seats = sk_rules_seat_count(game->ruleset, game->config);
    if (!take_memory(game)) {
        return no_memory(fault);
    }
    for (uint32_t i = 0; i < game->count; i++) {
        sk_game_reset(game, i, seed);
    }
    if (!lay_out(game)) {
        return no_memory(fault);
    }
    if (!sk_layout_settle(&game->view, list_max) || !sk_layout_settle(&game->action, 0) ||
        !sk_layout_is_readable(&game->action)) {
        return sk_fault_set(fault, "too_large", "views or commands do not fit a row");
    }
    return sk_game_number_commands(game) ? SK_OK : no_memory(fault);
}

void
sk_game_tell(const struct sk_fault *fault, struct sk_error *ret_error)
{
    if (ret_error != NULL) {
        memset(ret_error, 0, sizeof(*ret_error));
        strncpy(ret_error->code, fault->code, sizeof(ret_error->code) - 1);
        memcpy(ret_error->message, fault->message, sizeof(fault->message));
        memcpy(ret_error->at, fault->at, sizeof(fault->at));
    }
}

_Static_assert(sizeof(((struct sk_error *)0)->message) == SK_FAULT_MESSAGE_MAX + 1 &&
                   sizeof(((struct sk_error *)0)->at) == SK_FAULT_AT_MAX + 1,
               "an error holds a fault");
_Static_assert(SK_GAME_SLOTS_MAX == SK_COMMANDS_MAX && SK_GAME_SPECTATOR == SK_SPECTATOR &&
                   SK_GAME_SEED_BYTES == SK_SEED_BYTES,
               "the public header has the limits of the rules");

const struct sk_ruleset *
sk_game_find_ruleset(const char *name, uint32_t version, struct sk_fault *fault)
{
    const struct sk_ruleset *ruleset =
        name == NULL ? NULL : sk_registry_find(sk_text_of(name), version);

    if (ruleset == NULL) {
        sk_fault_set(fault, "unknown_ruleset", "there is no ruleset of that name and version");
    }
    return ruleset;
}

struct sk_game *
sk_game_new(const char *ruleset, uint32_t version, const char *params, size_t length,
            uint32_t count, uint32_t slots, uint32_t list_max, struct sk_error *ret_error)
{
    struct sk_fault fault;
    const struct sk_ruleset *found = sk_game_find_ruleset(ruleset, version, &fault);
    struct sk_game *game = NULL;
    enum sk_status status = SK_ERR_REFUSED;

    if (found == NULL) {
        goto out;
    }
    if (count == 0 || count > SK_GAME_COUNT_MAX || slots == 0 || slots > SK_GAME_SLOTS_MAX) {
        sk_fault_set(&fault, "malformed", "count or slots are out of bounds");
        goto out;
    }
    game = calloc(1, sizeof(*game));
    if (game == NULL) {
        no_memory(&fault);
        goto out;
    }
    game->ruleset = found;
    game->count = count;
    game->slots = slots;
    status = fill(game, params, length, list_max, &fault);
out:
    if (status != SK_OK) {
        sk_game_tell(&fault, ret_error);
        sk_game_free(game);
        return NULL;
    }
    return game;
}

void
sk_game_free(struct sk_game *game)
{
    if (game == NULL) {
        return;
    }
    free(game->config);
    free(game->turn_memory);
    free(game->states);
    free(game->seeds);
    free(game->commands);
    free(game->command_slots);
    free(game->command_counts);
    free(game->forms.base);
    sk_words_fini(&game->ids);
    sk_words_fini(&game->names);
    sk_layout_fini(&game->action);
    sk_layout_fini(&game->view);
    free(game->kinds);
    free(game->row);
    free(game->text.at);
    free(game);
}

/* ---- descriptions ------------------------------------------------------------------------ */

uint32_t
sk_game_seats(const struct sk_game *game)
{
    return game->seats;
}

uint32_t
sk_game_count(const struct sk_game *game)
{
    return game->count;
}

static size_t
give_dims(const uint32_t *dims, size_t count, int32_t *ret_dims, size_t max)
{
    for (size_t i = 0; i < count && i < max; i++) {
        ret_dims[i] = (int32_t)dims[i];
    }
    return count;
}

size_t
sk_game_action_shape(const struct sk_game *game, int32_t *ret_dims, size_t max)
{
    const uint32_t dims[] = { game->seats, game->slots, sk_layout_width(&game->action) };

    return give_dims(dims, SK_COUNT_OF(dims), ret_dims, max);
}

size_t
sk_game_observe_shape(const struct sk_game *game, int32_t *ret_dims, size_t max)
{
    const uint32_t dims[] = { sk_layout_width(&game->view) };

    return give_dims(dims, SK_COUNT_OF(dims), ret_dims, max);
}

uint32_t
sk_game_owing(const struct sk_game *game, uint32_t i)
{
    return i < game->count ? sk_turn_owing(game->ruleset, game->config, sk_game_state(game, i)) : 0;
}

uint32_t
sk_game_turn(const struct sk_game *game, uint32_t i)
{
    return i < game->count ? sk_game_state(game, i)->turn : 0;
}

int
sk_game_outcome(const struct sk_game *game, uint32_t i)
{
    const struct sk_outcome *outcome;

    if (i >= game->count) {
        return SK_FAILED;
    }
    outcome = &sk_game_state(game, i)->outcome;
    return !outcome->is_over              ? SK_GAME_RUNNING
           : outcome->winner == SK_NOBODY ? SK_GAME_DRAWN
                                          : SK_GAME_WON + outcome->winner;
}

int
sk_game_observe(struct sk_game *game, uint32_t i, uint8_t seat, int32_t *ret_row)
{
    const void *form;

    if (!sk_game_has_seat(game, i, seat)) {
        return SK_FAILED;
    }
    form = sk_game_view_form(game, i, seat);
    if (form == NULL) {
        return SK_FAILED;
    }
    sk_layout_put(&game->view, form, ret_row);
    return 0;
}
