#include "tests/support/racers_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rules/racers/internal.h"
#include "tests/support/say.h"

#define WORD_MAX 255
#define SIDE     10

static const char item_letters[] = "gdc";
static const char state_letters[] = "gpxe";

/* ---- from a drawing to a table ----------------------------------------------------------- */

struct artist {
    const struct racers_config *config;
    struct racers_position *position;
    uint32_t starts;
};

static struct racers_spot
read_spot(const char *word, const char *text)
{
    unsigned x;
    unsigned y;

    if (sscanf(text, "%u,%u", &x, &y) != 2) {
        table_fail("there is no square in \"%s\"", word);
    }
    return (struct racers_spot){ (uint8_t)x, (uint8_t)y };
}

static uint8_t
place_in(const char *letters, char letter, const char *word)
{
    const char *at = strchr(letters, letter);

    if (at == NULL || letter == '\0') {
        table_fail("nothing is called %c in \"%s\"", letter, word);
    }
    return (uint8_t)(at - letters);
}

static void
draw_carried(struct racers_racer *racer, const char *word)
{
    for (const char *at = word + 2; *at != '\0'; at++) {
        racer->carried[racer->carried_count++] = place_in(item_letters, *at, word);
    }
}

static void
draw_racer(struct racers_racer *racer, const char *word)
{
    switch (word[1]) {
    case ':':
        racer->performed = (int32_t)strtol(word + 2, NULL, 10);
        break;
    case '-':
        racer->debt = (uint16_t)strtoul(word + 2, NULL, 10);
        break;
    case '/':
        racer->skip = (uint16_t)strtoul(word + 2, NULL, 10);
        break;
    case '+':
        draw_carried(racer, word);
        break;
    default:
        racer->at = read_spot(word, word + 1);
    }
}

static void
draw_trail(struct racers_racer *racer, const char *word)
{
    const char *at = word + 2;

    while (*at != '\0') {
        struct racers_trail *trail = &racer->trail[racer->trail_count++];
        size_t length = strcspn(at, "|");

        trail->at = read_spot(word, at);
        trail->action = (int32_t)strtol(strchr(at, '@') + 1, NULL, 10);
        trail->hop = memchr(at, '~', length) != NULL;
        at += length + (at[length] == '|');
    }
}

static void
draw_teleporter(struct artist *artist, const char *word)
{
    struct racers_position *position = artist->position;

    racers_teleporter_space(artist->config, position)[position->teleporter_count++] =
        (struct racers_teleporter){ read_spot(word, word + 1),
                                    read_spot(word, strchr(word, '>') + 1) };
}

static void
draw_failure(struct artist *artist, const char *word)
{
    struct racers_position *position = artist->position;
    const char *turns = strchr(word, '/');

    racers_failure_space(artist->config, position)[position->failure_count++] =
        (struct racers_failure){ read_spot(word, word + 1),
                                 (uint8_t)(turns == NULL ? 3 : strtoul(turns + 1, NULL, 10)) };
}

static void
draw_item(struct artist *artist, const char *word)
{
    bool is_grenade = strchr(state_letters, word[0]) != NULL;
    struct racers_item item = {
        .at = read_spot(word, word + 1),
        .kind = is_grenade ? RACERS_GRENADE : place_in(item_letters, word[0], word),
        .state = is_grenade ? place_in(state_letters, word[0], word) : 0,
    };

    racers_item_add(artist->config, artist->position, item);
}

static void
draw_word(struct artist *artist, const char *word)
{
    struct racers_position *position = artist->position;

    switch (word[0]) {
    case 'A':
    case 'B':
        draw_racer(&position->racer[word[0] - 'A'], word);
        break;
    case 'a':
    case 'b':
        draw_trail(&position->racer[word[0] - 'a'], word);
        break;
    case 'S':
        position->start[artist->starts++] = read_spot(word, word + 1);
        break;
    case '#':
        racers_wall_add(artist->config, position, read_spot(word, word + 1));
        break;
    case 'T':
        draw_teleporter(artist, word);
        break;
    case '!':
        draw_failure(artist, word);
        break;
    case '>':
        position->active = (uint8_t)(word[1] - 'A');
        break;
    case '*':
        position->actions_left = (uint8_t)(word[1] - '0');
        break;
    case '^':
        position->moved = true;
        break;
    default:
        draw_item(artist, word);
    }
}

/* An impossible drawing would test nothing. */
static void
check_drawing(const struct artist *artist, const char *text)
{
    struct sk_fault fault;

    if (racers_position_check(artist->config, artist->position, false, &fault) != SK_OK) {
        table_fail("the drawing %s is wrong: %s at %s", text, fault.message, fault.at);
    }
}

void
racers_draw_open(const struct racers_drawing *drawing, struct table *table)
{
    int32_t rows = drawing->rows == 0 ? SIDE : drawing->rows;
    int32_t cols = drawing->cols == 0 ? SIDE : drawing->cols;
    struct sk_cell starts[] = { { 0, rows - 1 }, { cols - 1, 0 } };
    struct racers_params params = {
        .rows = rows,
        .cols = cols,
        .turn_limit = drawing->turn_limit == 0 ? SK_RACERS_TURN_LIMIT_DEFAULT : drawing->turn_limit,
        .has_board = true,
        .board = { .starts = { starts, SK_COUNT_OF(starts) } },
    };
    struct sk_seed seed = table_seed(1);
    struct artist artist;
    const char *text = drawing->position;
    char word[WORD_MAX + 1];
    int length;

    params.failure_permille = drawing->failure_permille;
    table_open(table, &sk_ruleset_racers, &params, &seed);
    artist = (struct artist){ table->config, racers_position(table->match.state), 0 };
    artist.position->failure_count = 0;
    artist.position->actions_left = SK_RACERS_ACTIONS;
    while (text != NULL && sscanf(text, "%255s%n", word, &length) == 1) {
        draw_word(&artist, word);
        text += length;
    }
    check_drawing(&artist, drawing->position);
    table->match.state->turn = drawing->turn;
    table->match.state->outcome = (struct sk_outcome){ .winner = SK_NOBODY };
    sk_turn_settle(table->ruleset, table->config, table->match.state);
}

/* ---- commands ---------------------------------------------------------------------------- */

/* The index of a word in a table of variants or words; fails the test if there is none. */
static uint8_t
find_word(const char *const *words, uint32_t count, const char *word)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return (uint8_t)i;
        }
    }
    return UINT8_MAX;
}

static const char *const directions[] = { "n", "ne", "e", "se", "s", "sw", "w", "nw" };
static const char *const bare[] = { "resign", "timeout", "abandon", "agree_draw" };

static struct racers_command
read_command(const char *word)
{
    struct racers_command command = { .dir = find_word(directions, 8, word) };

    if (command.dir != UINT8_MAX) {
        command.head.kind = RACERS_MOVE;
        return command;
    }
    command.dir = 0;
    if (strcmp(word, "end") == 0 || strcmp(word, "end!") == 0) {
        command.head.kind = RACERS_END_TURN;
        command.confirm = word[3] == '!';
    } else if (word[0] == '+' || word[0] == '-') {
        command.head.kind = word[0] == '+' ? RACERS_PICK_UP : RACERS_USE;
        command.item = place_in(item_letters, word[1], word);
        command.has_dir = word[1] != '\0' && word[2] != '\0';
        command.dir = command.has_dir ? find_word(directions, 8, word + 2) : 0;
    } else {
        command.head.kind = find_word(bare, SK_COUNT_OF(bare), word);
    }
    if (command.head.kind == UINT8_MAX || command.dir == UINT8_MAX) {
        table_fail("there is no command \"%s\"", word);
    }
    return command;
}

void
racers_draw_commands(const char *text, struct command_list *ret_commands)
{
    char word[WORD_MAX + 1];
    int length;

    commands_clear(ret_commands);
    while (text != NULL && sscanf(text, "%255s%n", word, &length) == 1) {
        struct racers_command command = read_command(word);

        commands_add(ret_commands, &command);
        text += length;
    }
}

/* ---- from a table to words --------------------------------------------------------------- */

static void
say_racer(const struct racers_racer *racer, int seat, struct words *words)
{
    char letter = (char)('A' + seat);

    words_say(words, "%c%u,%u %c:%d %c-%u %c/%u %c+", letter, racer->at.x, racer->at.y, letter,
              racer->performed, letter, racer->debt, letter, racer->skip, letter);
    for (uint32_t i = 0; i < racer->carried_count; i++) {
        words_say(words, "%c", item_letters[racer->carried[i]]);
    }
    words_say(words, " %c=", 'a' + seat);
    for (uint32_t i = 0; i < racer->trail_count; i++) {
        const struct racers_trail *trail = &racer->trail[i];

        words_say(words, "%s%u,%u@%d%s", i == 0 ? "" : "|", trail->at.x, trail->at.y, trail->action,
                  trail->hop ? "~" : "");
    }
    words_say(words, " ");
}

void
racers_say_position(const struct table *table, const struct sk_state *state, struct words *words)
{
    const struct racers_config *config = table->config;
    const struct racers_position *position = racers_position_of(state);
    const struct racers_item *items = racers_items(config, position);
    const struct racers_failure *failures = racers_failures(config, position);

    words_say(words, ">%c *%u %s ", 'A' + position->active, position->actions_left,
              position->moved ? "^" : "");
    for (int seat = 0; seat < RACERS_SEATS; seat++) {
        say_racer(&position->racer[seat], seat, words);
    }
    for (uint32_t i = 0; i < position->item_count; i++) {
        words_say(words, "%c%u,%u ",
                  items[i].kind == RACERS_GRENADE ? state_letters[items[i].state]
                                                  : item_letters[items[i].kind],
                  items[i].at.x, items[i].at.y);
    }
    for (uint32_t i = 0; i < position->failure_count; i++) {
        words_say(words, "!%u,%u/%u ", failures[i].at.x, failures[i].at.y, failures[i].turns_left);
    }
}

static void
say_event(const struct racers_event *event, struct words *words)
{
    static const char *const why[] = { "actions_used", "ended",   "power_failure",
                                       "penalty",      "skipped", "timeout" };

    words_say(words, "%s", racers_event_variants.of[event->head.kind].kind);
    if (event->head.kind != RACERS_EVENT_POWER_FAILED) {
        words_say(words, " %c", 'A' + event->seat);
    }
    switch (event->head.kind) {
    case RACERS_EVENT_MOVED:
    case RACERS_EVENT_TELEPORTED:
        words_say(words, " %d,%d %d,%d", event->from.x, event->from.y, event->at.x, event->at.y);
        break;
    case RACERS_EVENT_PICKED_UP:
        words_say(words, " %c %d,%d", item_letters[event->item], event->at.x, event->at.y);
        break;
    case RACERS_EVENT_LAUNCHED:
        words_say(words, " %c %s", item_letters[event->item], directions[event->dir]);
        say_cells(&event->cells, words);
        break;
    case RACERS_EVENT_EXPLODED:
        words_say(words, " %d,%d for %d", event->at.x, event->at.y, event->actions_lost);
        break;
    case RACERS_EVENT_PLACED:
    case RACERS_EVENT_DISC_HIT:
    case RACERS_EVENT_POWERED_OUT:
        words_say(words, " %d,%d", event->at.x, event->at.y);
        break;
    case RACERS_EVENT_POWER_FAILED:
        say_cells(&event->cells, words);
        break;
    case RACERS_EVENT_TURN_PASSED:
        words_say(words, " %s", why[event->why]);
        break;
    default:
        break;
    }
}

void
racers_say_events(const struct sk_events *events, struct words *words)
{
    for (const struct sk_event *event = events->first; event != NULL; event = event->next) {
        words_say(words, "%s", words->used == 0 ? "" : "; ");
        say_event((const struct racers_event *)(const void *)event, words);
    }
}
