/* manager: a game of players whose moves are lists, with all updates that they get. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fest/fest.h"

struct game {
    struct json_object *names;
    struct json_object *level;
    struct json_object *moves;
    struct json_object *trace;
    struct board board;
    size_t used[SK_SNARL_HEROES_MAX]; /* moves of each player that were taken from its list */
};

/* ---- updates ----------------------------------------------------------------------------- */

static int
layout_of(char tile)
{
    return tile == SNARL_FLOOR  ? SNARL_LAYOUT_FLOOR
           : tile == SNARL_DOOR ? SNARL_LAYOUT_DOOR
                                : SNARL_LAYOUT_WALL;
}

static struct json_object *
layout_json(const struct snarl_seen_hero *hero)
{
    struct json_object *layout = json_object_new_array();

    for (int row = 0; row < SNARL_SIGHT_SIDE; row++) {
        struct json_object *tiles = json_object_new_array();

        for (int column = 0; column < SNARL_SIGHT_SIDE; column++) {
            json_object_array_add(tiles, json_object_new_int(layout_of(
                                             hero->tiles[row * SNARL_SIGHT_SIDE + column])));
        }
        json_object_array_add(layout, tiles);
    }
    return layout;
}

/* In the order of the level. */
static struct json_object *
objects_json(const struct game *game, const struct snarl_view *view)
{
    struct json_object *objects = member_of(game->level, "objects");
    struct json_object *seen = json_object_new_array();

    for (size_t i = 0; i < json_object_array_length(objects); i++) {
        struct json_object *object = item_at(objects, i);
        struct sk_cell cell = point_read(member_of(object, "position"));
        bool is_key = json_object_get_string(member_of(object, "type"))[0] == 'k';

        if (is_key ? view->sees_key && sk_cell_same(view->key, cell)
                   : view->sees_exit && sk_cell_same(view->exit, cell)) {
            json_object_array_add(seen, json_object_get(object));
        }
    }
    return seen;
}

static struct json_object *
adversary_json(size_t place, struct sk_cell at)
{
    char name[32];

    snprintf(name, sizeof(name), "ghost%zu", place + 1);
    return actor_json("ghost", json_object_new_string(name), at);
}

static struct json_object *
actors_json(const struct game *game, const struct snarl_view *view, size_t player)
{
    const struct snarl_config *config = game->board.config;
    struct json_object *actors = json_object_new_array();

    for (size_t i = 0; i < config->hero_count; i++) {
        if (i != player && view->hero[i].is_shown) {
            json_object_array_add(actors,
                                  actor_json("player", json_object_get(item_at(game->names, i)),
                                             view->hero[i].hero.at));
        }
    }
    for (size_t i = 0; i < config->adversary_max; i++) {
        if (view->adversary[i].is_here) {
            json_object_array_add(actors, adversary_json(i, view->adversary[i].at));
        }
    }
    return actors;
}

static struct json_object *
update_json(struct game *game, size_t player)
{
    struct board *board = &game->board;
    struct snarl_view *view = calloc(1, board->turn.sizes.view);
    struct json_object *update = json_object_new_object();

    if (view == NULL) {
        fest_fail("there is not enough memory");
    }
    snarl_view_make(board->config, board->state, (uint8_t)player, view);
    json_object_object_add(update, "type", json_object_new_string("player-update"));
    json_object_object_add(update, "layout", layout_json(&view->hero[player]));
    json_object_object_add(update, "position", point_json(view->hero[player].hero.at));
    json_object_object_add(update, "objects", objects_json(game, view));
    json_object_object_add(update, "actors", actors_json(game, view, player));
    free(view);
    return update;
}

static void
update_all(struct game *game)
{
    const struct snarl_position *position = board_position(&game->board);

    for (size_t i = 0; i < game->board.config->hero_count; i++) {
        if (position->hero[i].status == SNARL_ACTIVE) {
            struct json_object *entry = json_object_new_array();

            json_object_array_add(entry, json_object_get(item_at(game->names, i)));
            json_object_array_add(entry, update_json(game, i));
            json_object_array_add(game->trace, entry);
        }
    }
}

/* ---- moves ------------------------------------------------------------------------------- */

static const char *
result_of(const struct board *board, bool is_accepted)
{
    if (!is_accepted) {
        return "Invalid";
    }
    return board_has_event(board, SNARL_EVENT_EXPELLED)   ? "Eject"
           : board_has_event(board, SNARL_EVENT_EXITED)   ? "Exit"
           : board_has_event(board, SNARL_EVENT_TOOK_KEY) ? "Key"
                                                          : "OK";
}

/* Plays the player's next move of the list: true if it was legal. */
static bool
try_move(struct game *game, size_t player, struct json_object *move)
{
    struct json_object *to = member_of(move, "to");
    struct json_object *entry = json_object_new_array();
    struct snarl_command command = { { SNARL_MOVE }, .has_to = to != NULL };
    bool is_accepted;

    if (to != NULL) {
        command.to = point_read(to);
    }
    is_accepted = board_play(&game->board, &command);
    json_object_array_add(entry, json_object_get(item_at(game->names, player)));
    json_object_array_add(entry, json_object_get(move));
    json_object_array_add(entry, json_object_new_string(result_of(&game->board, is_accepted)));
    json_object_array_add(game->trace, entry);
    return is_accepted;
}

/* Tries the player's moves one after the other until one is legal; false = none is left. */
static bool
play_turn(struct game *game, size_t player)
{
    struct json_object *moves = item_at(game->moves, player);

    while (game->used[player] < json_object_array_length(moves)) {
        if (try_move(game, player, item_at(moves, game->used[player]++))) {
            return true;
        }
    }
    return false;
}

static void
play_rounds(struct game *game, int64_t rounds)
{
    const struct snarl_position *position = board_position(&game->board);

    update_all(game);
    while (!game->board.state->outcome.is_over && position->round <= rounds) {
        if (!play_turn(game, position->active)) {
            return;
        }
        update_all(game);
    }
}

/* ---- the whole --------------------------------------------------------------------------- */

static struct json_object *
state_json(struct game *game)
{
    const struct snarl_config *config = game->board.config;
    const struct snarl_position *position = board_position(&game->board);
    struct json_object *state = json_object_new_object();
    struct json_object *players = json_object_new_array();
    struct json_object *adversaries = json_object_new_array();

    for (size_t i = 0; i < config->hero_count; i++) {
        if (position->hero[i].status == SNARL_ACTIVE) {
            json_object_array_add(players,
                                  actor_json("player", json_object_get(item_at(game->names, i)),
                                             position->hero[i].at));
        }
    }
    for (size_t i = 0; i < config->adversary_max; i++) {
        json_object_array_add(adversaries, adversary_json(i, position->adversary[i].at));
    }
    json_object_object_add(state, "type", json_object_new_string("state"));
    json_object_object_add(state, "level", level_json(game->level, position->has_key));
    json_object_object_add(state, "players", players);
    json_object_object_add(state, "adversaries", adversaries);
    json_object_object_add(state, "exit-locked", json_object_new_boolean(!position->exit_unlocked));
    return state;
}

static void
place_units(struct game *game, struct json_object *positions)
{
    struct snarl_position *position = board_position(&game->board);
    size_t heroes = game->board.config->hero_count;

    for (size_t i = 0; i < heroes; i++) {
        position->hero[i].at = point_read(item_at(positions, i));
    }
    for (size_t i = heroes; i < json_object_array_length(positions); i++) {
        position->adversary[i - heroes].at = point_read(item_at(positions, i));
    }
}

struct json_object *
answer_manager(struct json_object *question)
{
    struct json_object *answer = json_object_new_array();
    struct json_object *positions = item_at(question, 3);
    struct game game = {
        .names = item_at(question, 0),
        .level = item_at(question, 1),
        .moves = item_at(question, 4),
        .trace = json_object_new_array(),
    };
    size_t players = json_object_array_length(game.names);
    size_t actors = json_object_array_length(positions);

    if (actors < players) {
        fest_fail("there are fewer positions than players");
    }
    board_open(&game.board, game.level, players, actors - players);
    place_units(&game, positions);
    sk_turn_settle(&sk_ruleset_snarl, game.board.config, game.board.state);
    play_rounds(&game, json_object_get_int64(item_at(question, 2)));
    json_object_array_add(answer, state_json(&game));
    json_object_array_add(answer, game.trace);
    board_close(&game.board);
    return answer;
}
