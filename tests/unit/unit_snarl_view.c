/* What each audience of snarl is shown, and that nothing else gets through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/rules/snarl/internal.h"
#include "tests/support/cases.h"
#include "tests/support/json.h"
#include "tests/support/snarl_draw.h"

/* The view as JSON, without turn and owing, which are the same for all. */
static void
say_view(struct table *table, uint8_t seat, struct words *words)
{
    struct sk_arena arena;
    struct sk_form_head *form;

    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    form = sk_arena_take(&arena, table->ruleset->view->size);
    cr_assert_eq(table->ruleset->view_form(table->config, table_look(table, seat), &arena, form),
                 SK_OK);
    form->has_seat = seat != SK_SPECTATOR;
    form->seat = form->has_seat ? seat : 0;
    json_say_form(words, table->ruleset->view, form);
    free(arena.base);
}

/* ---- what is shown ------------------------------------------------------------------------ */

struct view_case {
    const char *label;
    struct dungeon dungeon;
    uint8_t seat;
    bool is_over;
    const char *view; /* JSON with ' for ", without turn, seat and owing */
};

/* Columns 0 to 11: A in a corner, B, a zombie and the key five away, the exit far off. */
#define LONG   "############/#A....Bzk..+/#.........x#/############"
#define VERSUS .options = "'mode':'versus'"

#define FIRST "'level':1,'exit_unlocked':false,'active':{'unit':'A'},"
#define OWN(id, seat, at, status)                                       \
    "{'id':'" id "','seat':" seat ",'at':" at ",'status':'" status "'," \
    "'keys':0,'exits':0,'expulsions':0}"
#define OTHER(id, seat, at) "{'id':'" id "','seat':" seat ",'at':" at ",'status':'active'}"
#define ZOMBIE(at)          "{'id':'zombie-1','kind':'zombie','at':" at "}"

static const struct view_case view_cases[] = {
    { "nobody else is in sight; the corner shows void",
      { .levels = LONG },
      0,
      false,
      "{" FIRST
      "'heroes':[" OWN("A", "0", "[1,1]", "active") "],'adversaries':[],"
                                                    "'tiles':{'origin':[-1,-1],'rows':['     ',' "
                                                    "####',' #...',' #...',' ####']}}" },
    { "an adversary and the key are in sight, the other hero is not",
      { .levels = LONG },
      1,
      false,
      "{" FIRST "'heroes':[" OWN("B", "1", "[6,1]", "active") "],'adversaries':[" ZOMBIE(
          "[7,1]") "],'key':[8,1],"
                   "'tiles':{'origin':[4,-1],'rows':['     ','#####','.....','.....','#####']}}" },
    { "the other hero is in sight: who and where, no more",
      { .levels = LONG, .stands = "A@5,2" },
      1,
      false,
      "{" FIRST "'heroes':[" OTHER("A", "0", "[5,2]") "," OWN(
          "B", "1", "[6,1]",
          "active") "],'adversaries':[" ZOMBIE("[7,1]") "],'key':[8,1],"
                                                        "'tiles':{'origin':[4,-1],'rows':['     "
                                                        "','#####','.....','.....','#####']}}" },
    { "the exit and the door",
      { .levels = LONG, .stands = "A@9,2" },
      0,
      false,
      "{" FIRST "'heroes':[" OWN("A", "0", "[9,2]", "active") "],'adversaries':[" ZOMBIE(
          "[7,1]") "],'key':[8,1],'exit':[10,2],"
                   "'tiles':{'origin':[7,0],'rows':['#####','....+','....#','#####','     ']}}" },
    { "a key that is taken",
      { .levels = LONG, .stands = "A@9,2", .is_unlocked = true },
      0,
      false,
      "{'level':1,'exit_unlocked':true,'active':{'unit':'A'},'heroes':[" OWN(
          "A", "0", "[9,2]",
          "active") "],'adversaries':[" ZOMBIE("[7,1]") "],'exit':[10,2],"
                                                        "'tiles':{'origin':[7,0],'rows':['#####','."
                                                        "...+','....#','#####','     ']}}" },
    { "a hero who is gone sees only its own fate",
      { .levels = LONG, .stands = "B=exited" },
      1,
      false,
      "{" FIRST "'heroes':[" OWN("B", "1", "null", "exited") "],'adversaries':[]}" },
    { "a hero who has resigned likewise",
      { .levels = LONG, .stands = "A=resigned", .active = "B" },
      0,
      false,
      "{'level':1,'exit_unlocked':false,'active':{'unit':'B'},'heroes':[" OWN(
          "A", "0", "null", "resigned") "],'adversaries':[]}" },
    { "spectators see what the heroes together see",
      { .levels = LONG },
      SK_SPECTATOR,
      false,
      "{" FIRST "'heroes':[" OWN("A", "0", "[1,1]", "active") "," OWN(
          "B", "1", "[6,1]",
          "active") "],'adversaries':[" ZOMBIE("[7,1]") "],'key':[8,1],"
                                                        "'tiles':{'origin':[-1,-1],'rows':['       "
                                                        "   ',' #########',"
                                                        "' #........',' #........',' "
                                                        "#########']}}" },
    { "what nobody sees between them is marked",
      { .levels = LONG, .stands = "B@9,2" },
      SK_SPECTATOR,
      false,
      "{" FIRST "'heroes':[" OWN("A", "0", "[1,1]", "active") "," OWN(
          "B", "1", "[9,2]",
          "active") "],'adversaries':[" ZOMBIE("[7,1]") "],'key':[8,1],'exit':[10,2],"
                                                        "'tiles':{'origin':[-1,-1],'rows':['     "
                                                        "\?\?\?\?\?\?\?\?',' ####\?\?\?#####',"
                                                        "' #...\?\?\?....+',' #...\?\?\?....#',' "
                                                        "####\?\?\?#####','\?\?\?\?\?\?\?\?     "
                                                        "']}}" },
    { "versus: seat 0 sees what its heroes together see",
      { .levels = LONG, VERSUS, .stands = "B=expelled" },
      0,
      false,
      "{" FIRST "'heroes':[" OWN("A", "0", "[1,1]", "active") "," OWN(
          "B", "0", "null", "expelled") "],'adversaries':[],"
                                        "'tiles':{'origin':[-1,-1],'rows':['     ',' ####',' "
                                        "#...',' #...',' ####']}}" },
    { "versus: seat 1 sees the whole level",
      { .levels = LONG, VERSUS, .round = 4 },
      1,
      false,
      "{'level':1,'round':4,'exit_unlocked':false,'active':{'unit':'A'},'heroes':[" OWN(
          "A", "0", "[1,1]",
          "active") "," OWN("B", "0", "[6,1]",
                            "active") "],'adversaries':[" ZOMBIE("[7,1]") "],'key':[8,1],'exit':["
                                                                          "10,2],"
                                                                          "'tiles':{'origin':[0,0],"
                                                                          "'rows':['############','"
                                                                          "#..........+','#........"
                                                                          "..#','############']}"
                                                                          "}" },
    { "once it is over everybody sees everything",
      { .levels = LONG, .stands = "A=expelled B=expelled" },
      0,
      true,
      "{'level':1,'round':1,'exit_unlocked':false,'active':{'unit':'A'},'heroes':[" OWN(
          "A", "0", "null",
          "expelled") "," OWN("B", "1", "null",
                              "expelled") "],'adversaries':[" ZOMBIE("[7,1]") "],'key':[8,1],'exit'"
                                                                              ":[10,2],"
                                                                              "'tiles':{'origin':["
                                                                              "0,0],'rows':['######"
                                                                              "######','#.........."
                                                                              "+','#..........#','#"
                                                                              "###########']}}" },
};

CASES(snarl_view, each_audience_is_shown_its_part, view_cases)
{
    const struct view_case *c = &view_cases[*index];
    struct table table;
    struct words found;
    struct words expected;
    const char *seat = c->seat == 0 ? "0" : c->seat == 1 ? "1" : "null";
    char view[1024];

    (void)snprintf(view, sizeof(view), "%.*s,'turn':0,'seat':%s,'owing':[]}",
                   (int)strlen(c->view) - 1, c->view, seat);
    words_init(&found);
    words_init(&expected);
    dungeon_open(&c->dungeon, &table);
    table.match.state->outcome.is_over = c->is_over;
    say_view(&table, c->seat, &found);
    words_say_json(&expected, view);
    cr_expect_str_eq(found.at, expected.at, "%s:\n%s\n%s", c->label, found.at, expected.at);
    table_close(&table);
    words_fini(&found);
    words_fini(&expected);
}

/* ---- who sees an event -------------------------------------------------------------------- */

struct event_case {
    const char *label;
    struct dungeon dungeon;
    const char *lists[SK_SEATS_MAX];
    const char *seen[3]; /* by seat 0, by seat 1, by spectators */
};

#define IDLE .options = "'adversaries':'idle'"

static const struct event_case event_cases[] = {
    { .label = "a hero out of sight moves",
      .dungeon = { .levels = LONG, IDLE },
      .lists = { "A>2,1" },
      .seen = { "moved A 1,1 2,1", "", "moved A 1,1 2,1" } },
    { .label = "a hero comes into sight: its move is not shown",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@3,1" },
      .lists = { "A>4,1" },
      .seen = { "moved A 3,1 4,1", "", "moved A 3,1 4,1" } },
    { .label = "a hero moves in sight",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@4,1" },
      .lists = { "A>5,2" },
      .seen = { "moved A 4,1 5,2", "moved A 4,1 5,2", "moved A 4,1 5,2" } },
    { .label = "the key is taken out of sight: all know that, but not from the event",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@9,1 B@2,1 zombie-1@5,1" },
      .lists = { "A>8,1" },
      .seen = { "moved A 9,1 8,1; took_key A 8,1", "", "moved A 9,1 8,1; took_key A 8,1" } },
    { .label = "a hero leaves out of sight",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@9,2 B@2,1", .is_unlocked = true },
      .lists = { "A>10,2" },
      .seen = { "moved A 9,2 10,2; exited A 10,2", "", "moved A 9,2 10,2; exited A 10,2" } },
    { .label = "a hero is expelled in another's sight",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@5,2" },
      .lists = { "A>7,2" },
      .seen = { "moved A 5,2 7,2", "moved A 5,2 7,2", "moved A 5,2 7,2" } },
    { .label = "a zombie moves where only one sees it",
      .dungeon = { .levels = "##########/#A......B#/#.......x#/#......z.#/##########",
                   .active = "B" },
      .lists = { NULL, "B>-" },
      .seen = { "", "moved zombie-1 7,3 7,2", "moved zombie-1 7,3 7,2" } },
    { .label = "a zombie steps out of sight: nothing shows where to",
      .dungeon = { .levels = "##########/#B......A#/#...z...x#/##########", .active = "B" },
      .lists = { NULL, "B>3,1" },
      .seen = { "", "moved B 1,1 3,1; moved zombie-1 4,2 4,1",
                "moved B 1,1 3,1; moved zombie-1 4,2 4,1" } },
    { .label = "the hero taken sees by whom; a hero far off does not",
      .dungeon = { .levels = "##########/#A......B#/#......zx#/##########", .active = "B" },
      .lists = { NULL, "B>7,1" },
      .seen = { "", "moved B 8,1 7,1; moved zombie-1 7,2 7,1; expelled B by zombie-1 7,1",
                "moved B 8,1 7,1; moved zombie-1 7,2 7,1; expelled B by zombie-1 7,1" } },
    { .label = "after its expulsion a hero sees nothing more of the turn",
      .dungeon = { .levels = "##########/#A......B#/#......zx#/#......z.#/##########",
                   .active = "B",
                   .stands = "zombie-2@8,3" },
      .lists = { NULL, "B>7,1" },
      .seen = { "", "moved B 8,1 7,1; moved zombie-1 7,2 7,1; expelled B by zombie-1 7,1",
                "moved B 8,1 7,1; moved zombie-1 7,2 7,1; expelled B by zombie-1 7,1" } },
    { .label = "everybody sees that a level ended and another began",
      .dungeon = { .levels = LONG "|" LONG, IDLE, .stands = "A@9,2 B=exited", .is_unlocked = true },
      .lists = { "A>10,2" },
      .seen = { "moved A 9,2 10,2; exited A 10,2; level_ended 1 left; level_started 2",
                "level_ended 1 left; level_started 2",
                "moved A 9,2 10,2; exited A 10,2; level_ended 1 left; level_started 2" } },
    { .label = "once it is over everybody sees every event",
      .dungeon = { .levels = LONG, IDLE, .stands = "A@9,2 B=exited", .is_unlocked = true },
      .lists = { "A>10,2" },
      .seen = { "moved A 9,2 10,2; exited A 10,2; level_ended 1 left; game_ended won 0",
                "moved A 9,2 10,2; exited A 10,2; level_ended 1 left; game_ended won 0",
                "moved A 9,2 10,2; exited A 10,2; level_ended 1 left; game_ended won 0" } },
    { .label = "versus: seat 1 sees it all",
      .dungeon = { .levels = LONG, VERSUS, .stands = "zombie-1@9,1", .active = "zombie-1" },
      .lists = { NULL, "zombie-1>10,1" },
      .seen = { "", "moved zombie-1 9,1 10,1", "" } },
};

static void
say_seen(const struct table *table, const struct sk_state *before, uint8_t seat,
         struct words *words)
{
    const char *gap = "";

    for (const struct sk_event *event = table->turn.events.first; event != NULL;
         event = event->next) {
        if (table->ruleset->event_is_shown(table->config, before, table->turn.after, event, seat)) {
            words_say(words, "%s", gap);
            dungeon_say_event(event, words);
            gap = "; ";
        }
    }
}

CASES(snarl_view, events_are_told_to_those_who_see_them, event_cases)
{
    static const uint8_t audiences[] = { 0, 1, SK_SPECTATOR };
    const struct event_case *c = &event_cases[*index];
    struct table table;
    struct words words;

    words_init(&words);
    dungeon_open(&c->dungeon, &table);
    dungeon_play(&table, c->lists, &words);
    for (size_t i = 0; i < SK_COUNT_OF(audiences); i++) {
        words_clear(&words);
        say_seen(&table, table.match.state, audiences[i], &words);
        cr_expect_str_eq(words.at, c->seen[i], "%s, audience %zu: %s", c->label, i, words.at);
    }
    table_close(&table);
    words_fini(&words);
}

/* ---- pairs of states that look the same --------------------------------------------------- */

/*
 * Two matches whose levels and positions agree in what hero 0 sees and in
 * nothing else that can differ.  Whatever seat 0 gets must then be the same
 * to the byte: view, hints, verdicts, and the events of a turn after which
 * the views still are the same.
 */
#define SIDE        16
#define HEROES      3
#define ADVERSARIES 5
#define PAIRS       400

struct maze {
    char tile[SIDE][SIDE]; /* '#' or '.' */
    struct sk_cell key;
    struct sk_cell exit;
    struct sk_cell hero[HEROES];
    struct sk_cell adversary[ADVERSARIES];
};

static struct sk_cell
draw_floor(const struct maze *maze, struct sk_rng *rng, bool is_hidden)
{
    for (;;) {
        struct sk_cell cell =
            sk_cell((int32_t)sk_rng_below(rng, SIDE), (int32_t)sk_rng_below(rng, SIDE));
        bool is_taken = false;

        for (size_t i = 0; i < HEROES + ADVERSARIES; i++) {
            struct sk_cell at = i < HEROES ? maze->hero[i] : maze->adversary[i - HEROES];

            is_taken |= sk_cell_same(at, cell);
        }
        if (!is_taken && maze->tile[cell.y][cell.x] == '.' &&
            !(is_hidden && snarl_is_in_sight(maze->hero[0], cell))) {
            return cell;
        }
    }
}

static void
draw_tiles(struct maze *maze, struct sk_rng *rng)
{
    for (int32_t y = 0; y < SIDE; y++) {
        for (int32_t x = 0; x < SIDE; x++) {
            maze->tile[y][x] = sk_rng_below(rng, 4) == 0 ? '#' : '.';
        }
    }
}

static void
draw_maze(struct maze *maze, struct sk_rng *rng)
{
    memset(maze, 0xff, sizeof(*maze));
    draw_tiles(maze, rng);
    for (size_t i = 0; i < HEROES; i++) {
        maze->hero[i] = draw_floor(maze, rng, false);
    }
    for (size_t i = 0; i < ADVERSARIES; i++) {
        maze->adversary[i] = draw_floor(maze, rng, false);
    }
    maze->key = draw_floor(maze, rng, false);
    maze->exit = draw_floor(maze, rng, false);
}

/* Everything out of sight anew. */
static void
redraw_hidden(const struct maze *maze, struct sk_rng *rng, struct maze *ret_other)
{
    struct sk_cell eye = maze->hero[0];

    *ret_other = *maze;
    draw_tiles(ret_other, rng);
    for (int32_t y = 0; y < SIDE; y++) {
        for (int32_t x = 0; x < SIDE; x++) {
            if (snarl_is_in_sight(eye, sk_cell(x, y))) {
                ret_other->tile[y][x] = maze->tile[y][x];
            }
        }
    }
    for (size_t i = 1; i < HEROES; i++) {
        if (!snarl_is_in_sight(eye, maze->hero[i])) {
            ret_other->hero[i] = draw_floor(ret_other, rng, true);
        }
    }
    for (size_t i = 0; i < ADVERSARIES; i++) {
        if (!snarl_is_in_sight(eye, maze->adversary[i])) {
            ret_other->adversary[i] = draw_floor(ret_other, rng, true);
        }
    }
    if (!snarl_is_in_sight(eye, maze->key)) {
        ret_other->key = draw_floor(ret_other, rng, true);
    }
    if (!snarl_is_in_sight(eye, maze->exit)) {
        ret_other->exit = draw_floor(ret_other, rng, true);
    }
}

static void
say_maze(const struct maze *maze, bool is_idle, struct words *words)
{
    words_say(words,
              "{\"heroes\":[\"A\",\"B\",\"C\"],\"adversaries\":\"%s\",\"levels\":[{\"rooms\":"
              "[{\"origin\":[0,0],\"bounds\":{\"rows\":%d,\"columns\":%d},\"layout\":[",
              is_idle ? "idle" : "auto", SIDE, SIDE);
    for (int32_t y = 0; y < SIDE; y++) {
        words_say(words, "%s[", y == 0 ? "" : ",");
        for (int32_t x = 0; x < SIDE; x++) {
            words_say(words, "%s%d", x == 0 ? "" : ",", maze->tile[y][x] == '.');
        }
        words_say(words, "]");
    }
    words_say(words,
              "]}],\"hallways\":[],\"objects\":[{\"type\":\"key\",\"position\":[%d,%d]},"
              "{\"type\":\"exit\",\"position\":[%d,%d]}],\"starts\":{\"heroes\":[",
              maze->key.y, maze->key.x, maze->exit.y, maze->exit.x);
    for (size_t i = 0; i < HEROES; i++) {
        words_say(words, "%s[%d,%d]", i == 0 ? "" : ",", maze->hero[i].y, maze->hero[i].x);
    }
    words_say(words, "],\"adversaries\":[");
    for (size_t i = 0; i < ADVERSARIES; i++) {
        words_say(words, "%s{\"kind\":\"%s\",\"at\":[%d,%d]}", i == 0 ? "" : ",",
                  i % 2 == 0 ? "zombie" : "ghost", maze->adversary[i].y, maze->adversary[i].x);
    }
    words_say(words, "]}}]}");
}

static void
open_maze(const struct maze *maze, bool is_idle, uint64_t seed, struct table *table)
{
    struct sk_seed chance = table_seed(seed);
    struct words params;

    words_init(&params);
    say_maze(maze, is_idle, &params);
    table_open_json(table, &sk_ruleset_snarl, params.at, &chance);
    words_fini(&params);
}

/* What a hero cannot know about others and about time. */
static void
spoil_hidden(struct table *table, struct sk_rng *rng)
{
    struct snarl_position *position = snarl_position(table->match.state);

    position->round = 1 + (int32_t)sk_rng_below(rng, 100);
    for (size_t i = 1; i < HEROES; i++) {
        position->hero[i].keys = (int32_t)sk_rng_below(rng, 5);
        position->hero[i].exits = (int32_t)sk_rng_below(rng, 5);
        position->hero[i].expulsions = (int32_t)sk_rng_below(rng, 5);
        if (i != position->active &&
            !snarl_is_in_sight(position->hero[0].at, position->hero[i].at) &&
            sk_rng_below(rng, 2) == 0) {
            position->hero[i].status = (uint8_t)sk_rng_below(rng, 4);
            if (position->hero[i].status != SNARL_ACTIVE) {
                position->hero[i].at = sk_cell(0, 0);
            }
        }
    }
}

struct saying_sink {
    struct sk_hint_sink sink;
    struct words *words;
};

static bool
say_hint(struct sk_hint_sink *sink, const void *command)
{
    const struct snarl_command *move = command;

    words_say(((struct saying_sink *)(void *)sink)->words, " %s>%d,%d", move->unit.at, move->to.x,
              move->to.y);
    return true;
}

/* Every cell within four steps, by name and without, and the own tile. */
static void
say_all_verdicts(struct table *table, struct words *words)
{
    struct sk_cell eye = snarl_position(table->match.state)->hero[0].at;

    for (int32_t dy = -4; dy <= 4; dy++) {
        for (int32_t dx = -4; dx <= 4; dx++) {
            struct snarl_command command = { .head = { SNARL_MOVE },
                                             .has_to = true,
                                             .to = sk_cell(eye.x + dx, eye.y + dy) };

            sk_match_submit(&table->match, &table->turn, 0, (struct sk_commands){ &command, 1 });
            words_say(words, " %u:%u", table->turn.judgements[0][0].verdict,
                      table->turn.judgements[0][0].check);
            sk_match_withdraw(&table->match, 0);
        }
    }
}

static void
say_everything(struct table *table, struct words *words)
{
    struct saying_sink sink = { { .take = say_hint }, words };

    say_view(table, 0, words);
    words_say(words, "\nhints");
    table->ruleset->hints(table->config, table_look(table, 0), 0, &sink.sink);
    words_say(words, "\nverdicts");
    say_all_verdicts(table, words);
}

struct pair {
    struct table tables[2];
    struct words words[2];
};

static bool
looks_the_same(struct pair *pair)
{
    for (size_t i = 0; i < 2; i++) {
        words_clear(&pair->words[i]);
        say_view(&pair->tables[i], 0, &pair->words[i]);
    }
    return strcmp(pair->words[0].at, pair->words[1].at) == 0;
}

/* Seat 0 stays, or another hero, who is out of sight, goes wherever it likes. */
static void
play_one(struct table *table, struct sk_rng *rng)
{
    uint8_t active = snarl_position(table->match.state)->active;
    struct command_list hints;
    struct command_list list;
    const struct command_list *lists[SK_SEATS_MAX] = { NULL };

    commands_init(&hints, table->ruleset);
    commands_init(&list, table->ruleset);
    table_hints(table, active, &hints);
    if (active == 0) {
        dungeon_commands("A>-", &list);
    } else {
        commands_add(&list, commands_item(&hints, sk_rng_below(rng, hints.count)));
    }
    lists[active] = &list;
    table_resolve(table, lists);
    commands_fini(&hints);
    commands_fini(&list);
}

static void
expect_the_same_events(struct pair *pair, uint32_t number, uint32_t *compared)
{
    struct sk_state *kept[2];

    for (size_t i = 0; i < 2; i++) {
        struct table *table = &pair->tables[i];

        kept[i] = malloc(table->turn.sizes.state);
        cr_assert_not_null(kept[i]);
        memcpy(kept[i], table->match.state, table->turn.sizes.state);
        memcpy(table->match.state, table->turn.after, table->turn.sizes.state);
    }
    if (!pair->tables[0].match.state->outcome.is_over &&
        !pair->tables[1].match.state->outcome.is_over && looks_the_same(pair)) {
        for (size_t i = 0; i < 2; i++) {
            words_clear(&pair->words[i]);
            say_seen(&pair->tables[i], kept[i], 0, &pair->words[i]);
        }
        cr_expect_str_eq(pair->words[0].at, pair->words[1].at, "pair %u:\n%s\n%s", number,
                         pair->words[0].at, pair->words[1].at);
        (*compared)++;
    }
    free(kept[0]);
    free(kept[1]);
}

static void
compare_pair(struct sk_rng *rng, uint32_t number, uint32_t *compared)
{
    bool is_idle = sk_rng_below(rng, 2) == 0;
    bool is_unlocked = sk_rng_below(rng, 2) == 0;
    struct maze mazes[2];
    struct pair pair;
    uint8_t active;

    draw_maze(&mazes[0], rng);
    redraw_hidden(&mazes[0], rng, &mazes[1]);
    active =
        sk_rng_below(rng, 2) == 0 || snarl_is_in_sight(mazes[0].hero[0], mazes[0].hero[1]) ? 0 : 1;
    for (size_t i = 0; i < 2; i++) {
        struct snarl_position *position;

        words_init(&pair.words[i]);
        open_maze(&mazes[i], is_idle, number, &pair.tables[i]);
        pair.tables[i].match.seed = table_seed(sk_rng_next(rng));
        position = snarl_position(pair.tables[i].match.state);
        position->active = active;
        position->exit_unlocked = is_unlocked;
        position->has_key = !is_unlocked;
        spoil_hidden(&pair.tables[i], rng);
        say_everything(&pair.tables[i], &pair.words[i]);
    }
    cr_expect_str_eq(pair.words[0].at, pair.words[1].at, "pair %u:\n%s\n%s", number,
                     pair.words[0].at, pair.words[1].at);
    cr_expect_arr_eq(table_look(&pair.tables[0], 0), table_look(&pair.tables[1], 0),
                     pair.tables[0].turn.sizes.view);
    play_one(&pair.tables[0], rng);
    play_one(&pair.tables[1], rng);
    expect_the_same_events(&pair, number, compared);
    for (size_t i = 0; i < 2; i++) {
        table_close(&pair.tables[i]);
        words_fini(&pair.words[i]);
    }
}

Test(snarl_view, what_looks_the_same_to_a_hero_is_the_same_in_everything_told)
{
    struct sk_seed seed = table_seed(20);
    struct sk_rng rng;
    uint32_t compared = 0;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < PAIRS; i++) {
        compare_pair(&rng, i, &compared);
    }
    cr_expect_gt(compared, PAIRS / 4u, "only %u turns could be compared", compared);
}

/* The guess of a state from a view looks the same again. */
Test(snarl_view, a_guess_looks_like_what_it_was_guessed_from)
{
    struct sk_seed seed = table_seed(21);
    struct sk_rng rng;

    sk_rng_start(&rng, &seed, 0, 0);
    for (uint32_t i = 0; i < PAIRS; i++) {
        struct sk_seed chance = table_seed(i);
        struct sk_state *guessed;
        struct maze maze;
        struct table table;
        struct words words[2];

        words_init(&words[0]);
        words_init(&words[1]);
        draw_maze(&maze, &rng);
        open_maze(&maze, false, i, &table);
        spoil_hidden(&table, &rng);
        say_view(&table, 0, &words[0]);
        guessed = calloc(1, table.turn.sizes.state);
        cr_assert_not_null(guessed);
        table.ruleset->guess(table.config, table_look(&table, 0), &chance, guessed);
        memcpy(table.match.state, guessed, table.turn.sizes.state);
        say_view(&table, 0, &words[1]);
        cr_expect_str_eq(words[1].at, words[0].at, "%u", i);
        free(guessed);
        table_close(&table);
        words_fini(&words[0]);
        words_fini(&words[1]);
    }
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* Clients do not get the levels: their config has the shipped ones, whatever the match has. */
Test(snarl_view, a_picture_of_a_view_does_not_depend_on_the_levels_of_the_config)
{
    struct dungeon dungeon = { .levels = "####/#Ax#/####" };
    struct sk_canvas_cell cells[64];
    char notes[512];
    struct sk_canvas canvas = { .cells = cells,
                                .cell_capacity = SK_COUNT_OF(cells),
                                .notes = { .at = notes, .size = sizeof(notes) } };
    struct snarl_position_form form = { .level = 0 };
    struct sk_arena arena;
    struct table table;

    dungeon_open(&dungeon, &table);
    json_arena_alloc(&arena, JSON_ARENA_SMALL);
    cr_assert_eq(table.ruleset->view_form(table.config, table_look(&table, 0), &arena, &form),
                 SK_OK);
    form.level = SK_SNARL_LEVELS_MAX;
    cr_assert(table.ruleset->picture->draw(table.config, &form, &canvas));
    cr_expect_eq(strncmp(notes, "level 32, the exit is unlocked\n", 31), 0, "%.*s",
                 (int)canvas.notes.used, notes);
    free(arena.base);
    table_close(&table);
}
