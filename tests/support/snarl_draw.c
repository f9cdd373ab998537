#include "tests/support/snarl_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/rules/snarl/internal.h"
#include "tests/support/say.h"

#define SIDE_MAX 64
#define WORD_MAX 31

/* ---- a drawn level ----------------------------------------------------------------------- */

struct drawn {
    char tile[SIDE_MAX][SIDE_MAX + 1]; /* rows */
    bool is_done[SIDE_MAX][SIDE_MAX];
    int32_t rows;
    int32_t cols;
};

/* Reads one level up to '|' or the end. */
static void
read_drawing(const char *text, struct drawn *ret_drawn)
{
    memset(ret_drawn, 0, sizeof(*ret_drawn));
    for (int32_t row = 0; *text != '\0' && *text != '|'; row++) {
        int32_t length = (int32_t)strcspn(text, "/|");

        if (row >= SIDE_MAX || length > SIDE_MAX) {
            table_fail("the drawing is too large: %s", text);
        }
        memcpy(ret_drawn->tile[row], text, (size_t)length);
        ret_drawn->rows = row + 1;
        ret_drawn->cols = length > ret_drawn->cols ? length : ret_drawn->cols;
        text += length + (text[length] == '/');
    }
    for (int32_t row = 0; row < ret_drawn->rows; row++) {
        for (int32_t column = 0; column < ret_drawn->cols; column++) {
            char tile = ret_drawn->tile[row][column];

            ret_drawn->tile[row][column] = tile == '\0' ? ' ' : tile;
            if (tile != '\0' && strchr(" #.+,ABCDzgkxe", tile) == NULL) {
                table_fail("a drawing has no %c", tile);
            }
        }
    }
}

static char
tile_of(const struct drawn *drawn, int32_t row, int32_t column)
{
    return row >= 0 && row < drawn->rows && column >= 0 && column < drawn->cols
               ? drawn->tile[row][column]
               : ' ';
}

static bool
is_of_room(char tile)
{
    return tile != ' ' && tile != ',';
}

/* ---- rooms ------------------------------------------------------------------------------- */

struct box {
    int32_t top;
    int32_t left;
    int32_t bottom;
    int32_t right;
};

static void
spread(struct drawn *drawn, int32_t row, int32_t column, struct box *box)
{
    if (!is_of_room(tile_of(drawn, row, column)) || drawn->is_done[row][column]) {
        return;
    }
    drawn->is_done[row][column] = true;
    box->top = row < box->top ? row : box->top;
    box->left = column < box->left ? column : box->left;
    box->bottom = row > box->bottom ? row : box->bottom;
    box->right = column > box->right ? column : box->right;
    spread(drawn, row - 1, column, box);
    spread(drawn, row, column - 1, box);
    spread(drawn, row, column + 1, box);
    spread(drawn, row + 1, column, box);
}

static void
say_room(const struct drawn *drawn, const struct box *box, struct words *words)
{
    words_say(words, "{\"origin\":[%d,%d],\"bounds\":{\"rows\":%d,\"columns\":%d},\"layout\":[",
              box->top, box->left, box->bottom - box->top + 1, box->right - box->left + 1);
    for (int32_t row = box->top; row <= box->bottom; row++) {
        words_say(words, "%s[", row == box->top ? "" : ",");
        for (int32_t column = box->left; column <= box->right; column++) {
            char tile = tile_of(drawn, row, column);

            words_say(words, "%s%d", column == box->left ? "" : ",",
                      tile == '+'                  ? SNARL_LAYOUT_DOOR
                      : strchr("# ", tile) != NULL ? SNARL_LAYOUT_WALL
                                                   : SNARL_LAYOUT_FLOOR);
        }
        words_say(words, "]");
    }
    words_say(words, "]}");
}

static void
say_rooms(struct drawn *drawn, struct words *words)
{
    const char *gap = "";

    words_say(words, "\"rooms\":[");
    for (int32_t row = 0; row < drawn->rows; row++) {
        for (int32_t column = 0; column < drawn->cols; column++) {
            struct box box = { row, column, row, column };

            if (is_of_room(drawn->tile[row][column]) && !drawn->is_done[row][column]) {
                spread(drawn, row, column, &box);
                words_say(words, "%s", gap);
                say_room(drawn, &box, words);
                gap = ",";
            }
        }
    }
    words_say(words, "]");
}

/* ---- hallways ---------------------------------------------------------------------------- */

/* The tile of that kind next to the place that is not used yet; false = there is none. */
static bool
step_to(struct drawn *drawn, const char *kinds, int32_t *row, int32_t *column)
{
    for (uint32_t i = 0; i < SNARL_DIRECTIONS; i++) {
        int32_t next_row = *row + snarl_directions[i].y;
        int32_t next_column = *column + snarl_directions[i].x;

        if (strchr(kinds, tile_of(drawn, next_row, next_column)) != NULL &&
            !drawn->is_done[next_row][next_column]) {
            *row = next_row;
            *column = next_column;
            return true;
        }
    }
    return false;
}

/* Follows the chain of ',' from a door to the door at its other end; each tile is a waypoint. */
static void
say_hallway(struct drawn *drawn, int32_t row, int32_t column, struct words *words)
{
    const char *gap = "";

    drawn->is_done[row][column] = true;
    words_say(words, "{\"from\":[%d,%d],\"waypoints\":[", row, column);
    while (step_to(drawn, ",", &row, &column)) {
        drawn->is_done[row][column] = true;
        words_say(words, "%s[%d,%d]", gap, row, column);
        gap = ",";
    }
    if (!step_to(drawn, "+", &row, &column)) {
        table_fail("a drawn hallway ends nowhere, at row %d, column %d", row, column);
    }
    words_say(words, "],\"to\":[%d,%d]}", row, column);
}

static void
say_hallways(struct drawn *drawn, struct words *words)
{
    const char *gap = "";

    memset(drawn->is_done, 0, sizeof(drawn->is_done));
    words_say(words, ",\"hallways\":[");
    for (int32_t row = 0; row < drawn->rows; row++) {
        for (int32_t column = 0; column < drawn->cols; column++) {
            int32_t next_row = row;
            int32_t next_column = column;

            if (drawn->tile[row][column] == '+' && step_to(drawn, ",", &next_row, &next_column)) {
                words_say(words, "%s", gap);
                say_hallway(drawn, row, column, words);
                gap = ",";
            }
        }
    }
    words_say(words, "]");
}

/* ---- objects and starts ------------------------------------------------------------------ */

static bool
find(const struct drawn *drawn, char letter, int32_t *ret_row, int32_t *ret_column)
{
    for (int32_t row = 0; row < drawn->rows; row++) {
        for (int32_t column = 0; column < drawn->cols; column++) {
            if (drawn->tile[row][column] == letter) {
                *ret_row = row;
                *ret_column = column;
                return true;
            }
        }
    }
    return false;
}

static void
say_objects(const struct drawn *drawn, struct words *words)
{
    int32_t row;
    int32_t column;
    const char *gap = "";

    words_say(words, ",\"objects\":[");
    if (find(drawn, 'k', &row, &column) || find(drawn, 'e', &row, &column)) {
        words_say(words, "{\"type\":\"key\",\"position\":[%d,%d]}", row, column);
        gap = ",";
    }
    if (find(drawn, 'x', &row, &column) || find(drawn, 'e', &row, &column)) {
        words_say(words, "%s{\"type\":\"exit\",\"position\":[%d,%d]}", gap, row, column);
    }
    words_say(words, "]");
}

static void
say_adversary_starts(const struct drawn *drawn, struct words *words)
{
    const char *gap = "";

    for (int32_t row = 0; row < drawn->rows; row++) {
        for (int32_t column = 0; column < drawn->cols; column++) {
            char tile = drawn->tile[row][column];

            if (tile == 'z' || tile == 'g') {
                words_say(words, "%s{\"kind\":\"%s\",\"at\":[%d,%d]}", gap,
                          tile == 'z' ? "zombie" : "ghost", row, column);
                gap = ",";
            }
        }
    }
}

static void
say_starts(const struct drawn *drawn, struct words *words)
{
    int32_t row;
    int32_t column;

    if (!find(drawn, 'A', &row, &column)) {
        return;
    }
    words_say(words, ",\"starts\":{\"heroes\":[");
    for (char letter = 'A'; letter <= 'D' && find(drawn, letter, &row, &column); letter++) {
        words_say(words, "%s[%d,%d]", letter == 'A' ? "" : ",", row, column);
    }
    words_say(words, "],\"adversaries\":[");
    say_adversary_starts(drawn, words);
    words_say(words, "]}");
}

static void
say_heroes(const struct drawn *first, struct words *words)
{
    int32_t row;
    int32_t column;

    words_say(words, "],\"heroes\":[\"A\"");
    for (char letter = 'B'; letter <= 'D' && find(first, letter, &row, &column); letter++) {
        words_say(words, ",\"%c\"", letter);
    }
    words_say(words, "]");
}

void
dungeon_say_params(const struct dungeon *dungeon, struct words *words)
{
    struct drawn *drawn = malloc(sizeof(*drawn));
    const char *at = dungeon->levels;

    if (drawn == NULL) {
        table_fail("no memory for a drawing");
    }
    words_say(words, "{\"levels\":[");
    while (at != NULL) {
        read_drawing(at, drawn);
        words_say(words, "%s{", at == dungeon->levels ? "" : ",");
        say_rooms(drawn, words);
        say_hallways(drawn, words);
        say_objects(drawn, words);
        say_starts(drawn, words);
        words_say(words, "}");
        at = strchr(at, '|');
        at = at == NULL ? NULL : at + 1;
    }
    read_drawing(dungeon->levels, drawn);
    say_heroes(drawn, words);
    if (dungeon->options != NULL) {
        words_say(words, ",");
        words_say_json(words, dungeon->options);
    }
    words_say(words, "}");
    free(drawn);
}

/* ---- opening ----------------------------------------------------------------------------- */

static uint8_t
unit_of(const struct table *table, const struct snarl_position *position, const char *name,
        size_t length)
{
    uint8_t unit =
        snarl_unit_find(table->config, position->level, (struct sk_text){ name, (uint32_t)length });

    if (unit == SNARL_NO_UNIT) {
        table_fail("nobody is named %.*s", (int)length, name);
    }
    return unit;
}

static void
set_status(struct snarl_position *position, uint8_t unit, const char *word)
{
    static const char *const words[] = { "active", "exited", "expelled", "resigned" };

    if (!snarl_is_hero(unit)) {
        memset(&position->adversary[unit - SNARL_FIRST_ADVERSARY], 0,
               sizeof(position->adversary[0]));
        return;
    }
    for (uint8_t i = 0; i < SK_COUNT_OF(words); i++) {
        if (strncmp(word, words[i], strlen(words[i])) == 0) {
            position->hero[unit].status = i;
            position->hero[unit].at = sk_cell(0, 0);
        }
    }
}

static void
set_stands(const struct table *table, const char *stands, struct snarl_position *position)
{
    while (stands != NULL && *stands != '\0') {
        size_t length = strcspn(stands, "@=");
        uint8_t unit = unit_of(table, position, stands, length);
        struct sk_cell at;

        if (stands[length] == '=') {
            set_status(position, unit, stands + length + 1);
        } else if (sscanf(stands + length, "@%d,%d", &at.x, &at.y) != 2) {
            table_fail("%s does not say where", stands);
        } else if (snarl_is_hero(unit)) {
            position->hero[unit].at = at;
        } else {
            position->adversary[unit - SNARL_FIRST_ADVERSARY].at = at;
        }
        stands += strcspn(stands, " ");
        stands += strspn(stands, " ");
    }
}

void
dungeon_open(const struct dungeon *dungeon, struct table *table)
{
    struct sk_seed seed = table_seed(1);
    struct snarl_position *position;
    struct words params;

    words_init(&params);
    dungeon_say_params(dungeon, &params);
    table_open_json(table, sk_registry_find(SK_TEXT("snarl"), dungeon->version), params.at, &seed);
    words_fini(&params);
    position = snarl_position(table->match.state);
    table->match.state->turn = dungeon->turn;
    if (dungeon->level > 0) {
        position->level = dungeon->level - 1;
        snarl_begin_level(table->config, &seed, dungeon->turn, position);
    }
    position->round = dungeon->round > 0 ? dungeon->round : 1;
    if (dungeon->is_unlocked) {
        position->has_key = false;
        position->exit_unlocked = true;
    }
    set_stands(table, dungeon->stands, position);
    if (dungeon->active != NULL) {
        position->active = unit_of(table, position, dungeon->active, strlen(dungeon->active));
    }
    table_guard(table);
}

/* ---- commands ---------------------------------------------------------------------------- */

static void
add_move(const char *text, size_t unit_length, struct command_list *list)
{
    struct snarl_command command = {
        .head = { SNARL_MOVE },
        .has_to = text[unit_length + 1] != '-' || text[unit_length + 2] > ' ',
        .unit = sk_id_from((struct sk_text){ text, (uint32_t)unit_length }),
    };

    if (command.has_to && sscanf(text + unit_length, ">%d,%d", &command.to.x, &command.to.y) != 2) {
        table_fail("%s is no command", text);
    }
    commands_add(list, &command);
}

void
dungeon_commands(const char *text, struct command_list *ret_commands)
{
    static const char *const bare[] = { "resign", "timeout", "abandon", "agree_draw" };

    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, " ");
        size_t unit_length = strcspn(text, "> ");
        uint8_t kind = 0;

        while (kind < SK_COUNT_OF(bare) && strncmp(text, bare[kind], length) != 0) {
            kind++;
        }
        if (unit_length < length) {
            add_move(text, unit_length, ret_commands);
        } else if (kind < SK_COUNT_OF(bare)) {
            commands_add_bare(ret_commands, kind);
        } else {
            table_fail("%s is no command", text);
        }
        text += length;
        text += strspn(text, " ");
    }
}

void
dungeon_play(struct table *table, const char *const *lists, struct words *ret_events)
{
    struct command_list commands[SK_SEATS_MAX];
    bool is_played;

    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        commands_init(&commands[seat], table->ruleset);
        dungeon_commands(seat < table->turn.seat_count ? lists[seat] : NULL, &commands[seat]);
        table->match.commands[seat] = commands_of(&commands[seat]);
    }
    is_played = sk_match_resolve(&table->match, &table->turn);
    while (is_played) {
        if (ret_events->used > 0 && table->turn.events.count > 0) {
            words_say(ret_events, "; ");
        }
        dungeon_say_events(table, ret_events);
        is_played = sk_match_resolve_next(&table->match, &table->turn);
    }
    /* The turn keeps the number of commands, which the number of verdicts depends on. */
    memcpy(table->match.state, table->turn.after, table->turn.sizes.state);
    for (uint8_t seat = 0; seat < SK_SEATS_MAX; seat++) {
        table->match.commands[seat] = (struct sk_commands){ NULL, 0 };
        commands_fini(&commands[seat]);
    }
}

/* ---- saying ------------------------------------------------------------------------------ */

void
dungeon_say_verdicts(const struct table *table, uint8_t seat, struct words *words)
{
    say_verdicts(table, table->turn.judgements[seat], table->turn.commands[seat].count, words);
}

void
dungeon_say_position(const struct table *table, const struct sk_state *state, struct words *words)
{
    static const char *const status_words[] = { "active", "exited", "expelled", "resigned" };
    const struct snarl_config *config = table->config;
    const struct snarl_position *position = snarl_position_of(state);
    const struct snarl_level *level = snarl_level_at(config, position->level);
    struct sk_text active = snarl_unit_id(config, position->level, position->active);

    words_say(words, "%d.%d %.*s:", position->level + 1, position->round, (int)active.length,
              active.at);
    for (uint8_t i = 0; i < config->hero_count; i++) {
        const struct snarl_hero *hero = &position->hero[i];

        if (hero->status == SNARL_ACTIVE) {
            words_say(words, " %s@%d,%d", config->hero[i].at, hero->at.x, hero->at.y);
        } else {
            words_say(words, " %s=%s", config->hero[i].at, status_words[hero->status]);
        }
    }
    for (uint32_t i = 0; i < level->adversary_count; i++) {
        if (position->adversary[i].is_here) {
            words_say(words, " %s@%d,%d", snarl_adversaries_of(config, level)[i].id.at,
                      position->adversary[i].at.x, position->adversary[i].at.y);
        }
    }
    words_say(words, " %s", position->exit_unlocked ? "unlocked" : "locked");
}

void
dungeon_say_event(const struct sk_event *event, struct words *words)
{
    static const char *const kinds[] = { "moved",         "took_key",   "exited",
                                         "expelled",      "relocated",  "level_ended",
                                         "level_started", "game_ended", "exit_locked" };
    static const char *const whys[] = { "left", "lost", "round_limit" };
    const struct snarl_event *it = (const struct snarl_event *)(const void *)event;

    words_say(words, "%s", kinds[event->kind]);
    switch (event->kind) {
    case SNARL_EVENT_MOVED:
    case SNARL_EVENT_RELOCATED:
        words_say(words, " %.*s %d,%d %d,%d", (int)it->unit.length, it->unit.at, it->from.x,
                  it->from.y, it->at.x, it->at.y);
        break;
    case SNARL_EVENT_LEVEL_ENDED:
        words_say(words, " %d %s", it->level, whys[it->why]);
        break;
    case SNARL_EVENT_LEVEL_STARTED:
        words_say(words, " %d", it->level);
        break;
    case SNARL_EVENT_GAME_ENDED:
        words_say(words, " %.*s %d", (int)it->reason.length, it->reason.at,
                  it->has_winner ? it->winner : SK_NOBODY);
        break;
    default:
        words_say(words, " %.*s", (int)it->unit.length, it->unit.at);
        if (event->kind == SNARL_EVENT_EXPELLED) {
            words_say(words, " by %.*s", (int)it->by.length, it->by.at);
        }
        words_say(words, " %d,%d", it->at.x, it->at.y);
        break;
    }
}

void
dungeon_say_events(const struct table *table, struct words *words)
{
    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        dungeon_say_event(event, words);
        words_say(words, "%s", event->next == NULL ? "" : "; ");
    }
}
