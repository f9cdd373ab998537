#include "tests/support/tactics_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rules/tactics/internal.h"
#include "tests/support/say.h"

#define LETTERS_MAX 52
#define WORD_MAX    31

#define LIST(array)                         \
    {                                       \
        (void *)(array), SK_COUNT_OF(array) \
    }
#define NO_LIST \
    {           \
        NULL, 0 \
    }

/* ---- the stock of patterns and models ---------------------------------------------------- */

#define ROW(text) SK_TEXT_CONST(text)

static const struct sk_text ring_rows[] = { ROW("xxx"), ROW("x x"), ROW("xxx") };
static const struct sk_text ahead_rows[] = { ROW(" x "), ROW("   "), ROW("   ") };
static const struct sk_text horns_rows[] = { ROW("x x"), ROW("   "), ROW("   ") };
static const struct sk_text plus_rows[] = { ROW(" x "), ROW("xxx"), ROW(" x ") };
static const struct sk_text block_rows[] = { ROW("xxx"), ROW("xxx"), ROW("xxx") };
static const struct sk_text self_rows[] = { ROW("*") };
static const struct sk_text field_rows[] = {
    ROW("xxxxx"), ROW("xxxxx"), ROW("xxxxx"), ROW("xxxxx"), ROW("xxxxx"),
};
static const struct sk_text lob_rows[] = {
    ROW("  o  "), ROW("     "), ROW("o   o"), ROW("     "), ROW("  o  "),
};
/* An asymmetric area: turning it by 180 degrees, mirroring it and leaving it all differ. */
static const struct sk_text hook_rows[] = { ROW("xx "), ROW("   "), ROW("x  ") };
static const struct sk_text throw_rows[] = {
    ROW("  h  "), ROW("     "), ROW("     "), ROW("     "), ROW("     "),
};
static const struct sk_text shot_rows[] = { ROW(" x "), ROW("   "), ROW("   ") };
static const struct sk_text burst_rows[] = {
    ROW("  o  "), ROW("  o  "), ROW("     "), ROW("     "), ROW("     "),
};
/* Four overlapping pluses: most of its cells are covered more than once. */
static const struct sk_text heap_rows[] = { ROW("oo "), ROW("oo "), ROW("   ") };
static const struct sk_text heaps_rows[] = { ROW(" H "), ROW("   "), ROW("   ") };

static const struct tactics_map_form o_to_plus[] = { { ROW("o"), ROW("plus") } };
static const struct tactics_map_form star_to_block[] = { { ROW("*"), ROW("block") } };
static const struct tactics_map_form h_to_hook[] = { { ROW("h"), ROW("hook") } };
static const struct tactics_map_form h_to_heap[] = { { ROW("H"), ROW("heap") } };

static const struct tactics_pattern_form drawn_patterns[] = {
    { ROW("ring"), LIST(ring_rows), NO_LIST },
    { ROW("ahead"), LIST(ahead_rows), NO_LIST },
    { ROW("horns"), LIST(horns_rows), NO_LIST },
    { ROW("plus"), LIST(plus_rows), NO_LIST },
    { ROW("block"), LIST(block_rows), NO_LIST },
    { ROW("self"), LIST(self_rows), LIST(star_to_block) },
    { ROW("field"), LIST(field_rows), NO_LIST },
    { ROW("lob"), LIST(lob_rows), LIST(o_to_plus) },
    { ROW("hook"), LIST(hook_rows), NO_LIST },
    { ROW("throw"), LIST(throw_rows), LIST(h_to_hook) },
    { ROW("shot"), LIST(shot_rows), NO_LIST },
    { ROW("burst"), LIST(burst_rows), LIST(o_to_plus) },
    { ROW("heap"), LIST(heap_rows), LIST(o_to_plus) },
    { ROW("heaps"), LIST(heaps_rows), LIST(h_to_heap) },
};

static const struct sk_text only_ring[] = { ROW("ring") };
static const struct sk_text only_ahead[] = { ROW("ahead") };
static const struct sk_text only_horns[] = { ROW("horns") };
static const struct sk_text only_lob[] = { ROW("lob") };
static const struct sk_text only_self[] = { ROW("self") };
static const struct sk_text only_field[] = { ROW("field") };
static const struct sk_text only_throw[] = { ROW("throw") };
static const struct sk_text only_heaps[] = { ROW("heaps") };
static const struct sk_text ahead_and_horns[] = { ROW("ahead"), ROW("horns") };
static const struct sk_text shot_then_burst[] = { ROW("shot"), ROW("burst") };
static const struct sk_text burst_then_shot[] = { ROW("burst"), ROW("shot") };

/* Name, description, health, power, movement, attacks. */
static const struct tactics_model_form drawn_models[] = {
    { ROW("king"), NO_LIST, 10, 3, LIST(only_ring), LIST(only_ring) },
    { ROW("pawn"), NO_LIST, 4, 2, LIST(only_ahead), LIST(only_horns) },
    { ROW("bomber"), NO_LIST, 8, 4, LIST(only_lob), LIST(only_lob) },
    { ROW("mage"), NO_LIST, 12, 5, LIST(only_ring), LIST(only_self) },
    { ROW("rover"), NO_LIST, 6, 1, LIST(only_field), LIST(only_field) },
    { ROW("rock"), NO_LIST, 100, 0, NO_LIST, NO_LIST },
    { ROW("thrower"), NO_LIST, 9, 2, LIST(only_ring), LIST(only_throw) },
    { ROW("bishop"), NO_LIST, 7, 2, LIST(ahead_and_horns), LIST(ahead_and_horns) },
    { ROW("gunner"), NO_LIST, 7, 2, LIST(only_ring), LIST(shot_then_burst) },
    { ROW("grenadier"), NO_LIST, 7, 2, LIST(only_ring), LIST(burst_then_shot) },
    { ROW("heaper"), NO_LIST, 7, 3, LIST(only_ring), LIST(only_heaps) },
    { ROW("feint"), NO_LIST, 5, 0, LIST(only_ring), LIST(only_ring) },
};

/* ---- from a drawing to a table ----------------------------------------------------------- */

struct artist {
    const struct drawing *drawing;
    struct tactics_params params;
    struct tactics_unit_form units[LETTERS_MAX];
    char letters[LETTERS_MAX];
    char models[LETTERS_MAX][WORD_MAX + 1];
};

/* A to Z, then a to z: the order of units in params. */
static char
letter_at(uint32_t place)
{
    return (char)(place < 26 ? 'A' + (int)place : 'a' + (int)place - 26);
}

/* A drawing that does not mean what its author intended would test nothing. */
static void
check_board(const char *board)
{
    size_t width = strcspn(board, "/");

    for (const char *at = board; *at != '\0';) {
        size_t length = strcspn(at, "/");

        if (length != width) {
            table_fail("the drawing %s is ragged", board);
        }
        at += length + (at[length] == '/');
    }
    for (const char *at = board; *at != '\0'; at++) {
        if (strspn(at, "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == 0 ||
            (*at >= 'A' && strchr(at + 1, *at) != NULL)) {
            table_fail("the drawing %s has %c twice or should not have it", board, *at);
        }
    }
}

static bool
find_on_board(const char *board, char letter, struct sk_cell *ret_cell)
{
    struct sk_cell cell = { 0, 0 };

    for (const char *at = board; *at != '\0'; at++) {
        if (*at == letter) {
            *ret_cell = cell;
            return true;
        }
        cell = *at == '/' ? sk_cell(0, cell.y + 1) : sk_cell(cell.x + 1, cell.y);
    }
    return false;
}

/* The value after "A=" in a list of words separated by spaces, or NULL. */
static const char *
value_of(const char *text, char letter)
{
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        if (*at == letter && (at == text || at[-1] == ' ') && (at[1] == '=' || at[1] == '@')) {
            return at + 2;
        }
    }
    return NULL;
}

static struct sk_text
model_of(struct artist *artist, uint32_t unit, char letter)
{
    const char *value = value_of(artist->drawing->models, letter);
    char *model = artist->models[unit];

    if (value == NULL || sscanf(value, "%31[a-z]", model) != 1) {
        return SK_TEXT("king");
    }
    return sk_text_of(model);
}

static void
draw_units(struct artist *artist)
{
    uint32_t count = 0;

    for (uint32_t place = 0; place < LETTERS_MAX; place++) {
        char letter = letter_at(place);
        struct sk_cell cell;

        if (find_on_board(artist->drawing->board, letter, &cell)) {
            artist->letters[count] = letter;
            artist->units[count] = (struct tactics_unit_form){
                .id = { &artist->letters[count], 1 },
                .model = model_of(artist, count, letter),
                .seat = letter >= 'a',
                .at = cell,
            };
            count++;
        }
    }
    artist->params.units = (struct sk_list){ artist->units, count };
}

static void
draw_grid(struct artist *artist)
{
    const struct drawing *drawing = artist->drawing;
    const char *first_end = strchr(drawing->board, '/');

    artist->params = (struct tactics_params){
        .rows = 1,
        .cols = first_end == NULL ? 0 : (int32_t)(first_end - drawing->board),
        .start_rows = drawing->start_rows == 0 ? 1 : drawing->start_rows,
        .turn_limit =
            drawing->turn_limit == 0 ? SK_TACTICS_TURN_LIMIT_DEFAULT : drawing->turn_limit,
        .placement = drawing->start_rows != 0,
        .has_patterns = true,
        .has_models = true,
        .has_units = true,
        .patterns = LIST(drawn_patterns),
        .models = LIST(drawn_models),
    };
    for (const char *at = drawing->board; *at != '\0'; at++) {
        artist->params.rows += *at == '/';
    }
}

/* What a drawing has in addition to the first state. */
static void
change_state(const struct artist *artist, struct sk_state *state)
{
    struct tactics_position *position = tactics_position(state);

    state->turn = artist->drawing->turn;
    for (uint32_t unit = 0; unit < artist->params.units.count; unit++) {
        const char *health = value_of(artist->drawing->healths, artist->letters[unit]);
        const char *place = value_of(artist->drawing->stands, artist->letters[unit]);
        unsigned x;
        unsigned y;

        if (place != NULL && sscanf(place, "%u,%u", &x, &y) == 2) {
            position->unit[unit].x = (uint8_t)x;
            position->unit[unit].y = (uint8_t)y;
        }
        if (health != NULL) {
            position->unit[unit].health = (int32_t)strtol(health, NULL, 10);
        }
        if (!tactics_is_alive(position, unit)) {
            position->unit[unit] = (struct tactics_unit){ 0, 0, 0 };
        }
    }
}

void
drawing_open(const struct drawing *drawing, struct table *table)
{
    struct artist artist = { .drawing = drawing };
    struct sk_seed seed = table_seed(1);

    check_board(drawing->board);
    draw_grid(&artist);
    draw_units(&artist);
    table_open(table, &sk_ruleset_tactics, &artist.params, &seed);
    change_state(&artist, table->match.state);
}

/* ---- commands ---------------------------------------------------------------------------- */

static uint8_t
bare_kind(const char *word)
{
    for (uint8_t kind = 0; kind < SK_COMMAND_OWN; kind++) {
        if (strcmp(word, tactics_command_variants.of[kind].kind) == 0) {
            return kind;
        }
    }
    table_fail("there is no command \"%s\"", word);
}

static void
read_command(const char *word, struct command_list *commands)
{
    struct tactics_command command = { 0 };
    char id[SK_ID_MAX + 1];
    char sign;
    long x;
    long y;

    if (strpbrk(word, ">*@") == NULL) {
        commands_add_bare(commands, bare_kind(word));
        return;
    }
    if (sscanf(word, "%31[A-Za-z0-9_-]%c%ld,%ld", id, &sign, &x, &y) != 4) {
        table_fail("\"%s\" is no command", word);
    }
    command.head.kind = sign == '>' ? TACTICS_MOVE : sign == '*' ? TACTICS_ATTACK : TACTICS_PLACE;
    command.unit = sk_id_from(sk_text_of(id));
    command.target = sk_cell((int32_t)x, (int32_t)y);
    commands_add(commands, &command);
}

void
drawing_commands(const char *text, struct command_list *ret_commands)
{
    char word[128];
    int length;

    commands_clear(ret_commands);
    while (text != NULL && sscanf(text, "%127s%n", word, &length) == 1) {
        read_command(word, ret_commands);
        text += length;
    }
}

/* ---- from a table to words --------------------------------------------------------------- */

static char
letter_on(const struct tactics_config *config, const struct tactics_position *position,
          struct sk_cell cell)
{
    char letter = '.';

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (tactics_is_alive(position, unit) &&
            sk_cell_same(tactics_cell_of(position, unit), cell)) {
            letter = letter == '.' ? tactics_units(config)[unit].id.at[0] : '#';
        }
    }
    return letter;
}

void
drawing_say_board(const struct table *table, const struct sk_state *state, struct words *words)
{
    const struct tactics_config *config = table->config;

    for (int32_t y = 0; y < config->rows; y++) {
        words_say(words, "%s", y == 0 ? "" : "/");
        for (int32_t x = 0; x < config->cols; x++) {
            words_say(words, "%c", letter_on(config, tactics_position_of(state), sk_cell(x, y)));
        }
    }
}

void
drawing_say_healths(const struct table *table, const struct sk_state *state, struct words *words)
{
    const struct tactics_config *config = table->config;
    const struct tactics_position *position = tactics_position_of(state);
    const char *gap = "";

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (position->unit[unit].health != 0) {
            words_say(words, "%s%s=%d", gap, tactics_units(config)[unit].id.at,
                      position->unit[unit].health);
            gap = " ";
        }
    }
}

static void
say_event(const struct tactics_event *event, struct words *words)
{
    int length = (int)event->unit.length;
    const char *unit = event->unit.at;

    switch (event->head.kind) {
    case TACTICS_EVENT_PLACED:
        words_say(words, "placed %.*s %d,%d", length, unit, event->at.x, event->at.y);
        break;
    case TACTICS_EVENT_BOUNCED:
        words_say(words, "bounced");
        say_names(&event->others, words);
        words_say(words, " %d,%d", event->at.x, event->at.y);
        break;
    case TACTICS_EVENT_MOVED:
        words_say(words, "moved %.*s %d,%d %d,%d", length, unit, event->from.x, event->from.y,
                  event->at.x, event->at.y);
        break;
    case TACTICS_EVENT_ATTACKED:
        words_say(words, "attacked %.*s %d,%d on", length, unit, event->at.x, event->at.y);
        say_cells(&event->cells, words);
        break;
    case TACTICS_EVENT_HIT:
        words_say(words, "hit %.*s by", length, unit);
        say_names(&event->others, words);
        words_say(words, " for %d left %d", event->damage, event->health);
        break;
    case TACTICS_EVENT_DIED:
        words_say(words, "died %.*s", length, unit);
        break;
    default:
        table_fail("tactics has no event %u", event->head.kind);
    }
}

void
drawing_say_events(const struct table *table, struct words *words)
{
    const char *gap = "";

    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        words_say(words, "%s", gap);
        say_event((const struct tactics_event *)(const void *)event, words);
        gap = "; ";
    }
}
