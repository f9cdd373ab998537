#include "tests/support/halma_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rules/halma/internal.h"
#include "tests/support/say.h"

#define LETTERS   26
#define CELLS_MAX (SK_GRID_MAX * SK_GRID_MAX)

/* ---- from a drawing to a table ----------------------------------------------------------- */

struct artist {
    const struct halma_drawing *drawing;
    struct halma_params params;
    struct sk_list pieces[SK_HALMA_SEATS];
    struct sk_list destinations[SK_HALMA_SEATS];
    struct sk_cell piece_cells[SK_HALMA_SEATS][LETTERS];
    struct sk_cell destination_cells[SK_HALMA_SEATS][CELLS_MAX];
};

static int32_t
size_of(const char *board)
{
    int32_t size = SK_HALMA_SIZE_MIN;
    int32_t rows = 1;

    for (const char *at = board; *at != '\0'; at++) {
        int32_t length = (int32_t)strcspn(at, "/");

        rows += *at == '/';
        size = length > size ? length : size;
    }
    return rows > size ? rows : size;
}

/* Calls `see` for every character that is not free. */
static void
look_over(struct artist *artist, const char *board,
          void (*see)(struct artist *artist, char what, struct sk_cell cell))
{
    struct sk_cell cell = { 0, 0 };

    for (const char *at = board; *at != '\0'; at++) {
        if (*at == '/') {
            cell = sk_cell(0, cell.y + 1);
            continue;
        }
        if (*at != '.') {
            see(artist, *at, cell);
        }
        cell.x++;
    }
}

/* Letters are consecutive, so a piece's number is its letter's. */
static void
see_piece(struct artist *artist, char what, struct sk_cell cell)
{
    uint8_t seat = what >= 'a';
    uint32_t place = (uint32_t)(what - (seat == 0 ? 'A' : 'a'));

    if (place >= LETTERS) {
        table_fail("the drawing %s should not have %c", artist->drawing->board, what);
    }
    artist->piece_cells[seat][place] = cell;
    artist->pieces[seat].count++;
}

static void
see_goal(struct artist *artist, char what, struct sk_cell cell)
{
    if (strchr("01*", what) == NULL) {
        table_fail("the goals %s should not have %c", artist->drawing->goals, what);
    }
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        if (what == '*' || what == '0' + seat) {
            artist->destination_cells[seat][artist->destinations[seat].count++] = cell;
        }
    }
}

static void
check_letters(const struct artist *artist)
{
    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        for (uint32_t i = 0; i < artist->pieces[seat].count; i++) {
            if (strchr(artist->drawing->board, (seat == 0 ? 'A' : 'a') + (int)i) == NULL) {
                table_fail("the drawing %s leaves out a letter", artist->drawing->board);
            }
        }
    }
}

static void
draw_params(struct artist *artist)
{
    const struct halma_drawing *drawing = artist->drawing;

    for (uint8_t seat = 0; seat < SK_HALMA_SEATS; seat++) {
        artist->pieces[seat].at = artist->piece_cells[seat];
        artist->destinations[seat].at = artist->destination_cells[seat];
    }
    artist->params = (struct halma_params){
        .size = size_of(drawing->board),
        .turn_limit = drawing->turn_limit == 0 ? SK_HALMA_TURN_LIMIT_DEFAULT : drawing->turn_limit,
        .stall_limit = drawing->stall_limit == HALMA_NEVER ? 0
                       : drawing->stall_limit == 0         ? SK_HALMA_STALL_LIMIT_DEFAULT
                                                           : drawing->stall_limit,
        .has_pieces = true,
        .has_destinations = true,
        .pieces = { artist->pieces, SK_HALMA_SEATS },
        .destinations = { artist->destinations, SK_HALMA_SEATS },
    };
    look_over(artist, drawing->board, see_piece);
    check_letters(artist);
    if (drawing->goals != NULL) {
        look_over(artist, drawing->goals, see_goal);
        return;
    }
    for (int32_t x = 0; x < artist->params.size; x++) {
        see_goal(artist, '*', sk_cell(x, artist->params.size - 1));
    }
}

/* The letter of a piece by its place in the order of params. */
static char
letter_of(const struct halma_config *config, uint32_t unit)
{
    return (char)(unit < config->unit_counts[0] ? 'A' + (int)unit
                                                : 'a' + (int)(unit - config->unit_counts[0]));
}

/* The value after "A=" or "A@" in a list of words separated by spaces, or NULL. */
static const char *
value_of(const char *text, char letter)
{
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        if (*at == letter && (at == text || at[-1] == ' ')) {
            return at + 2;
        }
    }
    return NULL;
}

/* What a drawing has in addition to the first state. */
static void
change_state(const struct halma_drawing *drawing, const struct halma_config *config,
             struct sk_state *state)
{
    struct halma_position *position = halma_position(state);

    state->turn = drawing->turn;
    memcpy(position->faults, drawing->faults, sizeof(position->faults));
    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        const char *damage = value_of(drawing->damages, letter_of(config, unit));
        const char *place = value_of(drawing->stands, letter_of(config, unit));
        unsigned x;
        unsigned y;

        if (place != NULL && sscanf(place, "%u,%u", &x, &y) == 2) {
            position->piece[unit].x = (uint8_t)x;
            position->piece[unit].y = (uint8_t)y;
        }
        if (damage != NULL) {
            position->piece[unit].damage = (uint8_t)strtol(damage, NULL, 10);
        }
    }
}

void
halma_drawing_open(const struct halma_drawing *drawing, struct table *table)
{
    struct artist *artist = calloc(1, sizeof(*artist));
    struct sk_seed seed = table_seed(1);

    if (artist == NULL) {
        table_fail("no memory for a drawing");
    }
    artist->drawing = drawing;
    draw_params(artist);
    table_open(table, &sk_ruleset_halma, &artist->params, &seed);
    change_state(drawing, table->config, table->match.state);
    free(artist);
}

/* ---- commands ---------------------------------------------------------------------------- */

static uint8_t
bare_kind(const char *word)
{
    for (uint8_t kind = 0; kind < SK_COMMAND_OWN; kind++) {
        if (strcmp(word, halma_command_variants.of[kind].kind) == 0) {
            return kind;
        }
    }
    table_fail("there is no command \"%s\"", word);
}

/* A single letter is a drawn piece, a longer word is an id. */
static struct sk_id
unit_of(const char *name)
{
    char id[SK_ID_MAX + 1];
    bool is_guest = name[0] >= 'a';

    if (name[1] != '\0') {
        return sk_id_from(sk_text_of(name));
    }
    snprintf(id, sizeof(id), "%c%d", is_guest ? 'b' : 'a', name[0] - (is_guest ? 'a' : 'A') + 1);
    return sk_id_from(sk_text_of(id));
}

static void
read_command(const char *word, struct command_list *commands)
{
    struct halma_command command = { .head = { HALMA_MOVE } };
    char name[SK_ID_MAX + 1];
    const char *at = strchr(word, '>');

    if (at == NULL) {
        commands_add_bare(commands, bare_kind(word));
        return;
    }
    if (sscanf(word, "%31[A-Za-z0-9_-]", name) != 1) {
        table_fail("\"%s\" is no command", word);
    }
    command.unit = unit_of(name);
    for (; at != NULL && at[1] != '\0'; at = strchr(at + 1, '>')) {
        long x;
        long y;

        if (sscanf(at, ">%ld,%ld", &x, &y) != 2 || command.path.row.count == SK_HALMA_PATH_MAX) {
            table_fail("\"%s\" is no command", word);
        }
        command.path.at[command.path.row.count++] = sk_cell((int32_t)x, (int32_t)y);
    }
    commands_add(commands, &command);
}

void
halma_drawing_commands(const char *text, struct command_list *ret_commands)
{
    char word[256];
    int length;

    commands_clear(ret_commands);
    while (text != NULL && sscanf(text, "%255s%n", word, &length) == 1) {
        read_command(word, ret_commands);
        text += length;
    }
}

/* ---- from a table to words --------------------------------------------------------------- */

static char
letter_on(const struct halma_config *config, const struct halma_position *position,
          struct sk_cell cell)
{
    char letter = '.';

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (sk_cell_same(halma_cell_of(position, unit), cell)) {
            letter = letter == '.' ? letter_of(config, unit) : '#';
        }
    }
    return letter;
}

void
halma_say_board(const struct table *table, const struct sk_state *state, struct words *words)
{
    const struct halma_config *config = table->config;
    const struct halma_position *position = halma_position_of(state);
    int32_t cols = 0;
    int32_t rows = 0;

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        struct sk_cell cell = halma_cell_of(position, unit);

        cols = cell.x >= cols ? cell.x + 1 : cols;
        rows = cell.y >= rows ? cell.y + 1 : rows;
    }
    for (int32_t y = 0; y < rows; y++) {
        words_say(words, "%s", y == 0 ? "" : "/");
        for (int32_t x = 0; x < cols; x++) {
            words_say(words, "%c", letter_on(config, position, sk_cell(x, y)));
        }
    }
}

void
halma_say_damages(const struct table *table, const struct sk_state *state, struct words *words)
{
    const struct halma_config *config = table->config;
    const struct halma_position *position = halma_position_of(state);
    const char *gap = "";

    for (uint32_t unit = 0; unit < config->unit_count; unit++) {
        if (position->piece[unit].damage > 0) {
            words_say(words, "%s%c=%u", gap, letter_of(config, unit), position->piece[unit].damage);
            gap = " ";
        }
    }
}

void
halma_say_faults(const struct sk_state *state, struct words *words)
{
    const uint32_t *faults = halma_position_of(state)->faults;

    words_say(words, "%u %u", faults[0], faults[1]);
}

/* The letter of a piece. */
static void
say_unit(const struct halma_config *config, struct sk_text name, struct words *words)
{
    struct sk_id id = sk_id_from(name);

    words_say(words, " %c", letter_of(config, halma_unit_find(config, &id)));
}

static void
say_seats(const struct halma_event *event, struct words *words)
{
    for (uint32_t i = 0; i < event->seats.count; i++) {
        words_say(words, " %d", *(int32_t *)sk_list_item(&event->seats, i, sizeof(int32_t)));
        if (i < event->reasons.count) {
            const struct sk_text *reason = sk_list_item(&event->reasons, i, sizeof(*reason));

            words_say(words, " %.*s", (int)reason->length, reason->at);
        }
    }
}

static void
say_event(const struct halma_config *config, const struct halma_event *event, struct words *words)
{
    words_say(words, "%s", halma_event_variants.of[event->head.kind].kind);
    switch (event->head.kind) {
    case HALMA_EVENT_NOT_ENACTED:
    case HALMA_EVENT_HALMATE:
        say_seats(event, words);
        break;
    case HALMA_EVENT_MOVED:
        say_unit(config, event->unit, words);
        say_cells(&event->path, words);
        break;
    case HALMA_EVENT_COLLIDED:
        for (uint32_t i = 0; i < event->units.count; i++) {
            say_unit(config, ((const struct sk_text *)event->units.at)[i], words);
        }
        words_say(words, " %d,%d", event->at.x, event->at.y);
        break;
    default:
        say_unit(config, event->unit, words);
        break;
    }
}

void
halma_say_events(const struct table *table, struct words *words)
{
    const char *gap = "";

    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        words_say(words, "%s", gap);
        say_event(table->config, (const struct halma_event *)(const void *)event, words);
        gap = "; ";
    }
}
