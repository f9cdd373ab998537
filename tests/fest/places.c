/* room, level and state: what is on a tile, and what happens to a player who arrives there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/validate.h"
#include "tests/fest/fest.h"

static void
say(struct json_object *list, const char *words)
{
    json_object_array_add(list, json_object_new_string(words));
}

static void
repeat(struct json_object *list, struct json_object *value)
{
    json_object_array_add(list, json_object_get(value));
}

/* ---- room -------------------------------------------------------------------------------- */

/* A room is treated as a level with a single room. */
static struct json_object *
level_of(struct json_object *room)
{
    struct json_object *level = json_object_new_object();
    struct json_object *rooms = json_object_new_array();

    json_object_array_add(rooms, json_object_get(room));
    json_object_object_add(level, "rooms", rooms);
    json_object_object_add(level, "hallways", json_object_new_array());
    json_object_object_add(level, "objects", json_object_new_array());
    return level;
}

static struct json_object *
ways_from(const struct board *board, struct sk_cell cell)
{
    struct json_object *ways = json_object_new_array();

    for (uint32_t i = 0; i < SNARL_DIRECTIONS; i++) {
        struct sk_cell next =
            sk_cell(cell.x + snarl_directions[i].x, cell.y + snarl_directions[i].y);

        if (snarl_is_traversable(snarl_tile(board->config, board->level, next))) {
            json_object_array_add(ways, point_json(next));
        }
    }
    return ways;
}

struct json_object *
answer_room(struct json_object *question)
{
    struct json_object *room = item_at(question, 0);
    struct json_object *point = item_at(question, 1);
    struct json_object *level = level_of(room);
    struct json_object *answer = json_object_new_array();
    struct sk_cell cell = point_read(point);
    struct board board;

    board_open(&board, level, 0, 0);
    if (snarl_room_at(board.config, board.level, cell) == SNARL_NO_ROOM) {
        say(answer, "Failure: Point ");
        repeat(answer, point);
        say(answer, " is not in room at ");
        repeat(answer, member_of(room, "origin"));
    } else {
        say(answer, "Success: Traversable points from ");
        repeat(answer, point);
        say(answer, " in room at ");
        repeat(answer, member_of(room, "origin"));
        say(answer, " are ");
        json_object_array_add(answer, ways_from(&board, cell));
    }
    board_close(&board);
    json_object_put(level);
    return answer;
}

/* ---- level ------------------------------------------------------------------------------- */

static struct json_object *
object_at(const struct snarl_level *level, struct sk_cell cell)
{
    if (level->has_key && sk_cell_same(level->key, cell)) {
        return json_object_new_string("key");
    }
    if (level->has_exit && sk_cell_same(level->exit, cell)) {
        return json_object_new_string("exit");
    }
    return NULL;
}

static struct json_object *
origins_of(const struct board *board, uint64_t rooms)
{
    const struct snarl_room *room = snarl_part(board->config, board->level->rooms_at);
    struct json_object *origins = json_object_new_array();

    for (uint32_t i = 0; i < board->level->room_count; i++) {
        if ((rooms >> i & 1) != 0) {
            json_object_array_add(origins, point_json(room[i].origin));
        }
    }
    return origins;
}

struct json_object *
answer_level(struct json_object *question)
{
    struct json_object *answer = json_object_new_object();
    struct sk_cell cell = point_read(item_at(question, 1));
    struct board board;
    bool is_traversable;
    const char *type;

    board_open(&board, item_at(question, 0), 0, 0);
    is_traversable = snarl_is_traversable(snarl_tile(board.config, board.level, cell));
    type = snarl_room_at(board.config, board.level, cell) != SNARL_NO_ROOM ? "room"
           : is_traversable                                                ? "hallway"
                                                                           : "void";
    json_object_object_add(answer, "traversable", json_object_new_boolean(is_traversable));
    json_object_object_add(answer, "object", object_at(board.level, cell));
    json_object_object_add(answer, "type", json_object_new_string(type));
    json_object_object_add(answer, "reachable",
                           origins_of(&board, snarl_rooms_beyond(board.config, board.level, cell)));
    board_close(&board);
    return answer;
}

/* ---- state ------------------------------------------------------------------------------- */

/* The player's index in the list, or the list's length. */
static size_t
find_player(struct json_object *players, struct json_object *name)
{
    size_t i = 0;

    while (i < json_object_array_length(players) &&
           !json_object_equal(member_of(item_at(players, i), "name"), name)) {
        i++;
    }
    return i;
}

static void
board_open_state(struct board *board, struct json_object *state)
{
    struct json_object *players = member_of(state, "players");
    struct json_object *adversaries = member_of(state, "adversaries");
    size_t player_count = json_object_array_length(players);
    size_t adversary_count = json_object_array_length(adversaries);
    struct snarl_position *position;

    board_open(board, member_of(state, "level"), player_count, adversary_count);
    position = board_position(board);
    position->exit_unlocked = !json_object_get_boolean(member_of(state, "exit-locked"));
    for (size_t i = 0; i < player_count; i++) {
        position->hero[i].at = point_read(member_of(item_at(players, i), "position"));
    }
    for (size_t i = 0; i < adversary_count; i++) {
        position->adversary[i].at = point_read(member_of(item_at(adversaries, i), "position"));
    }
}

/* Whether a player may be there at all; the distance does not matter. */
static bool
is_accepted(struct board *board, const char *check, const struct snarl_command *command)
{
    struct sk_judgement judgement;
    struct snarl_view *view = board->turn.view;
    struct sk_check_in in = {
        .ruleset = &sk_ruleset_snarl,
        .config = board->config,
        .view = view,
        .commands = { command, 1 },
        .judgements = &judgement,
        .work = board->turn.work,
        .seat = board_position(board)->active,
    };

    memset(view, 0, board->turn.sizes.view);
    snarl_view_whole(board->config, board_position(board), view);
    sk_validate_alone(&in, sk_check_find(&sk_ruleset_snarl, check));
    return judgement.verdict == SK_VERDICT_OK;
}

static void
run_stage(struct board *board, const char *stage)
{
    static const struct sk_seed no_chance_is_needed;

    board->turn.before = board->state;
    board->turn.seed = &no_chance_is_needed;
    sk_turn_run_alone(&board->turn, sk_stage_find(&sk_ruleset_snarl, stage));
    memcpy(board->state, board->turn.after, board->turn.sizes.state);
}

/* The state with the player moved, or removed. */
static struct json_object *
state_after(struct board *board, struct json_object *before)
{
    const struct snarl_position *position = board_position(board);
    struct json_object *after = json_object_new_object();
    struct json_object *players = json_object_new_array();
    struct json_object *players_before = member_of(before, "players");

    json_object_object_foreach(before, name, value)
    {
        json_object_object_add(after, name, json_object_get(value));
    }
    for (size_t i = 0; i < board->config->hero_count; i++) {
        struct json_object *player = NULL;

        if (position->hero[i].status == SNARL_ACTIVE) {
            json_object_deep_copy(item_at(players_before, i), &player, NULL);
            json_object_object_add(player, "position", point_json(position->hero[i].at));
            json_object_array_add(players, player);
        }
    }
    json_object_object_add(after, "players", players);
    json_object_object_add(after, "level",
                           level_json(member_of(before, "level"), position->has_key));
    json_object_object_add(after, "exit-locked", json_object_new_boolean(!position->exit_unlocked));
    return after;
}

static void
tell_arrival(struct board *board, struct json_object *state, struct json_object *name,
             struct json_object *answer)
{
    bool is_ejected;
    bool is_out;

    run_stage(board, "movement");
    run_stage(board, "arrival");
    is_ejected = board_has_event(board, SNARL_EVENT_EXPELLED);
    is_out = is_ejected || board_has_event(board, SNARL_EVENT_EXITED);
    say(answer, "Success");
    if (is_out) {
        say(answer, "Player ");
        repeat(answer, name);
        say(answer, is_ejected ? " was ejected." : " exited.");
    }
    json_object_array_add(answer, state_after(board, state));
}

struct json_object *
answer_state(struct json_object *question)
{
    struct json_object *state = item_at(question, 0);
    struct json_object *name = item_at(question, 1);
    struct json_object *point = item_at(question, 2);
    struct json_object *players = member_of(state, "players");
    struct json_object *answer = json_object_new_array();
    struct snarl_command command = { { SNARL_MOVE }, .has_to = true, .to = point_read(point) };
    size_t player = find_player(players, name);
    struct board board;

    if (player == json_object_array_length(players)) {
        say(answer, "Failure");
        say(answer, "Player ");
        repeat(answer, name);
        say(answer, " is not a part of the game.");
        return answer;
    }
    board_open_state(&board, state);
    board_position(&board)->active = (uint8_t)player;
    board.turn.acting_seat = (uint8_t)player;
    board.turn.commands[player] = (struct sk_commands){ &command, 1 };
    if (is_accepted(&board, "tile", &command) && is_accepted(&board, "interaction", &command)) {
        tell_arrival(&board, state, name, answer);
    } else {
        say(answer, "Failure");
        say(answer, "The destination position ");
        repeat(answer, point);
        say(answer, " is invalid.");
    }
    board_close(&board);
    return answer;
}
