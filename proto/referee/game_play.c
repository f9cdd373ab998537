/* Matches behind a handle: playing turns. */
#include <string.h>

#include "common/core/snapshot.h"
#include "proto/referee/game.h"

int
sk_game_reset(struct sk_game *game, uint32_t i, const uint8_t seed[SK_GAME_SEED_BYTES])
{
    struct sk_turn *turn = &game->turn;

    if (i >= game->count) {
        return SK_FAILED;
    }
    memcpy(game->seeds[i].bytes, seed, SK_SEED_BYTES);
    turn->seed = &game->seeds[i];
    sk_turn_setup(turn);
    memcpy(sk_game_state(game, i), turn->after, turn->sizes.state);
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

static size_t
first_row(const struct sk_game *game, uint32_t i, uint8_t seat)
{
    return ((size_t)i * game->seats + seat) * game->slots;
}

/* Reads the seat's slots into the match's commands; false if a row is invalid. */
static bool
read_slots(struct sk_game *game, uint32_t i, uint8_t seat, const int32_t *rows)
{
    const struct sk_variants *variants = game->ruleset->command;
    size_t first = first_row(game, i, seat);
    uint8_t *command = game->commands + first * variants->size;
    uint8_t count = 0;

    for (uint32_t slot = 0; slot < game->slots; slot++, rows += sk_layout_width(&game->action)) {
        if (rows[0] == 0) {
            continue;
        }
        memset(command, 0, variants->size);
        if (!sk_layout_take_variant(&game->action, variants, rows, command)) {
            return false;
        }
        game->command_slots[first + count++] = (uint16_t)slot;
        command += variants->size;
    }
    game->command_counts[(size_t)i * game->seats + seat] = count;
    return true;
}

static size_t
slots_width(const struct sk_game *game)
{
    return (size_t)game->slots * sk_layout_width(&game->action);
}

static bool
read_match(struct sk_game *game, uint32_t i, const int32_t *rows)
{
    for (uint8_t seat = 0; seat < game->seats; seat++) {
        if (!read_slots(game, i, seat, rows + seat * slots_width(game))) {
            return false;
        }
    }
    return true;
}

/* The turn looks at the match and at what was read for the seat. */
static void
look_at(struct sk_game *game, uint32_t i)
{
    game->turn.before = sk_game_state(game, i);
    game->turn.seed = &game->seeds[i];
    memset(game->turn.commands, 0, sizeof(game->turn.commands));
}

static void
hand_in(struct sk_game *game, uint32_t i, uint8_t seat)
{
    game->turn.commands[seat] = (struct sk_commands){
        game->commands + first_row(game, i, seat) * game->ruleset->command->size,
        game->command_counts[(size_t)i * game->seats + seat],
    };
}

static void
give_verdicts(const struct sk_game *game, uint32_t i, uint8_t seat, uint8_t *ret_verdicts)
{
    const uint16_t *slots = game->command_slots + first_row(game, i, seat);

    memset(ret_verdicts, SK_GAME_NO_VERDICT, game->slots);
    for (uint32_t place = 0; place < game->turn.commands[seat].count; place++) {
        ret_verdicts[slots[place]] = game->turn.judgements[seat][place].verdict;
    }
}

int
sk_game_judge(struct sk_game *game, uint32_t i, uint8_t seat, const int32_t *rows,
              uint8_t *ret_verdicts)
{
    if (i >= game->count || seat >= game->seats || !read_slots(game, i, seat, rows)) {
        return SK_FAILED;
    }
    look_at(game, i);
    hand_in(game, i, seat);
    sk_turn_check(&game->turn, seat);
    give_verdicts(game, i, seat, ret_verdicts);
    return 0;
}

/* ---- turns ------------------------------------------------------------------------------- */

/* Plays what was read for the match. */
static int
play(struct sk_game *game, uint32_t i)
{
    struct sk_turn *turn = &game->turn;
    int turns = 0;

    look_at(game, i);
    for (uint8_t seat = 0; seat < game->seats; seat++) {
        hand_in(game, i, seat);
    }
    for (bool is_played = sk_turn_resolve(turn); is_played;
         is_played = sk_turn_resolve_next(turn)) {
        memcpy(sk_game_state(game, i), turn->after, turn->sizes.state);
        turns++;
    }
    return turns;
}

int
sk_game_step(struct sk_game *game, uint32_t i, const int32_t *actions, uint8_t *ret_verdicts)
{
    int turns;

    if (i >= game->count || !read_match(game, i, actions)) {
        return SK_FAILED;
    }
    turns = play(game, i);
    for (uint8_t seat = 0; seat < game->seats && ret_verdicts != NULL; seat++) {
        give_verdicts(game, i, seat, ret_verdicts + seat * game->slots);
    }
    return turns;
}

static void
begin_next(struct sk_game *game, uint32_t i)
{
    struct sk_seed seed = game->seeds[i];
    uint32_t at = 0;

    while (at < SK_SEED_BYTES && ++seed.bytes[at] == 0) {
        at++;
    }
    sk_game_reset(game, i, seed.bytes);
}

/* Plays what was read for all matches, and writes what the caller wants. */
static int
play_all(struct sk_game *game, int32_t *ret_observations, uint8_t *ret_masks, uint8_t *ret_outcomes,
         int again)
{
    size_t view_width = sk_layout_width(&game->view);
    int over = 0;

    for (uint32_t i = 0; i < game->count; i++) {
        int outcome;

        play(game, i);
        outcome = sk_game_outcome(game, i);
        over += outcome != SK_GAME_RUNNING;
        if (ret_outcomes != NULL) {
            ret_outcomes[i] = (uint8_t)outcome;
        }
        if (outcome != SK_GAME_RUNNING && again) {
            begin_next(game, i);
        }
        for (uint8_t seat = 0; seat < game->seats && ret_observations != NULL; seat++) {
            if (sk_game_observe(game, i, seat, ret_observations) != 0) {
                return SK_FAILED;
            }
            ret_observations += view_width;
        }
        for (uint8_t seat = 0; seat < game->seats && ret_masks != NULL; seat++) {
            (void)sk_game_mask(game, i, seat, ret_masks);
            ret_masks += game->action_count;
        }
    }
    return over;
}

int
sk_game_step_all(struct sk_game *game, const int32_t *actions, int32_t *ret_observations,
                 uint8_t *ret_outcomes, int again)
{
    for (uint32_t i = 0; i < game->count; i++) {
        if (!read_match(game, i, actions + i * game->seats * slots_width(game))) {
            return SK_FAILED;
        }
    }
    return play_all(game, ret_observations, NULL, ret_outcomes, again);
}

/* Reads a seat's numbers into the match's commands; false if one is no command of the table. */
static bool
read_numbers(struct sk_game *game, uint32_t i, uint8_t seat, const int32_t *numbers)
{
    const struct sk_variants *variants = game->ruleset->command;
    size_t first = first_row(game, i, seat);
    uint8_t *command = game->commands + first * variants->size;
    uint8_t count = 0;

    for (uint32_t slot = 0; slot < game->slots; slot++) {
        if (numbers[slot] == 0) {
            continue;
        }
        memset(game->row, 0, sk_layout_width(&game->action) * sizeof(*game->row));
        memset(command, 0, variants->size);
        sk_game_write_number(game, (uint32_t)numbers[slot], game->row);
        if (!sk_layout_take_variant(&game->action, variants, game->row, command)) {
            return false;
        }
        game->command_slots[first + count++] = (uint16_t)slot;
        command += variants->size;
    }
    game->command_counts[(size_t)i * game->seats + seat] = count;
    return true;
}

int
sk_game_play_all(struct sk_game *game, const int32_t *numbers, int32_t *ret_observations,
                 uint8_t *ret_masks, uint8_t *ret_outcomes, int again)
{
    size_t total = (size_t)game->count * game->seats * game->slots;

    for (size_t i = 0; i < total; i++) {
        if (numbers[i] < 0 || (uint32_t)numbers[i] >= game->action_count) {
            return SK_FAILED;
        }
    }
    for (uint32_t i = 0; i < game->count; i++) {
        for (uint8_t seat = 0; seat < game->seats; seat++) {
            if (!read_numbers(game, i, seat, numbers)) {
                return SK_FAILED;
            }
            numbers += game->slots;
        }
    }
    return play_all(game, ret_observations, ret_masks, ret_outcomes, again);
}

/* ---- snapshots --------------------------------------------------------------------------- */

uint64_t
sk_game_hash(struct sk_game *game, uint32_t i)
{
    if (i >= game->count) {
        return 0;
    }
    return sk_snapshot_hash(game->ruleset, game->config, sk_game_state(game, i),
                            game->turn.snapshot, game->turn.sizes.snapshot);
}

size_t
sk_game_save(struct sk_game *game, uint32_t i, uint8_t *ret_bytes, size_t size)
{
    size_t length;

    if (i >= game->count) {
        return 0;
    }
    length = sk_snapshot_write(game->ruleset, game->config, sk_game_state(game, i),
                               game->turn.snapshot, game->turn.sizes.snapshot);
    if (SK_SEED_BYTES + length <= size) {
        memcpy(ret_bytes, game->seeds[i].bytes, SK_SEED_BYTES);
        memcpy(ret_bytes + SK_SEED_BYTES, game->turn.snapshot, length);
    }
    return SK_SEED_BYTES + length;
}

int
sk_game_load(struct sk_game *game, uint32_t i, const uint8_t *bytes, size_t size)
{
    struct sk_turn *turn = &game->turn;

    if (i >= game->count || size < SK_SEED_BYTES) {
        return SK_FAILED;
    }
    memset(turn->after, 0, turn->sizes.state);
    if (sk_snapshot_read(game->ruleset, game->config, bytes + SK_SEED_BYTES, size - SK_SEED_BYTES,
                         turn->after) != SK_OK) {
        return SK_FAILED;
    }
    memcpy(game->seeds[i].bytes, bytes, SK_SEED_BYTES);
    memcpy(sk_game_state(game, i), turn->after, turn->sizes.state);
    return 0;
}
