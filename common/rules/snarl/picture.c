/*
 * Draws snarl: heroes by their ids and their players' names, zombies and ghosts
 * by a letter and their number, and beside the level what is known about each
 * hero.
 */
#include "common/core/picture.h"

#include "common/rules/snarl/internal.h"

#define MARK_MAX 3

static const char *const sentences[] = {
    [SNARL_EVENT_MOVED] = "{unit} goes from {from} to {to}",
    [SNARL_EVENT_TOOK_KEY] = "{unit} takes the key at {at}, and the exit is unlocked",
    [SNARL_EVENT_EXITED] = "{unit} leaves the level by the exit at {at}",
    [SNARL_EVENT_EXPELLED] = "{unit} is expelled at {at} by {by}",
    [SNARL_EVENT_RELOCATED] = "the wall at {from} lets {unit} out at {to}",
    [SNARL_EVENT_LEVEL_ENDED] = "level {level} is over ({why})",
    [SNARL_EVENT_LEVEL_STARTED] = "level {level} begins",
    [SNARL_EVENT_GAME_ENDED] = "the game is over: {reason}",
    [SNARL_EVENT_EXIT_LOCKED] =
        "{unit} is on the exit at {at}, but it is locked: nobody has the key",
};

/* ---- ground ------------------------------------------------------------------------------ */

static void
lay_tile(struct sk_canvas *canvas, struct sk_cell cell, char tile)
{
    sk_canvas_ground(canvas, cell,
                     tile == SNARL_WALL           ? SK_GROUND_WALL
                     : snarl_is_traversable(tile) ? SK_GROUND_FREE
                                                  : SK_GROUND_VOID);
    if (tile == SNARL_DOOR) {
        sk_canvas_put(canvas, cell, SK_TEXT("+"), SK_PAINT_FAINT);
    }
}

/* What a view shows of the level; if it is nothing, a single tile. */
static bool
lay_seen(const struct snarl_position_form *form, struct sk_canvas *canvas)
{
    const struct sk_text *rows = form->tiles.rows.at;
    uint32_t count = form->has_tiles ? form->tiles.rows.count : 0;
    uint32_t cols = count == 0 ? 0 : rows[0].length;

    if (count == 0) {
        if (!sk_canvas_begin(canvas, sk_cell(0, 0), 1, 1)) {
            return false;
        }
        lay_tile(canvas, sk_cell(0, 0), SNARL_UNSEEN);
        return true;
    }
    if (!sk_canvas_begin(canvas, form->tiles.origin, (int32_t)cols, (int32_t)count)) {
        return false;
    }
    for (uint32_t y = 0; y < count; y++) {
        for (uint32_t x = 0; x < rows[y].length; x++) {
            lay_tile(canvas,
                     sk_cell(form->tiles.origin.x + (int32_t)x, form->tiles.origin.y + (int32_t)y),
                     rows[y].at[x]);
        }
    }
    return true;
}

static bool
lay_level(const struct snarl_config *config, const struct snarl_level *level,
          struct sk_canvas *canvas)
{
    if (!sk_canvas_begin(canvas, sk_cell(0, 0), level->cols, level->rows)) {
        return false;
    }
    for (int32_t y = 0; y < level->rows; y++) {
        for (int32_t x = 0; x < level->cols; x++) {
            lay_tile(canvas, sk_cell(x, y), snarl_tile(config, level, sk_cell(x, y)));
        }
    }
    return true;
}

/* ---- who and what ------------------------------------------------------------------------ */

static void
put_objects(const struct snarl_position_form *form, bool has_exit, struct sk_canvas *canvas)
{
    if (has_exit) {
        sk_canvas_ground(canvas, form->exit, SK_GROUND_GOAL_0);
        sk_canvas_put(canvas, form->exit, SK_TEXT("x"), SK_PAINT_PLAIN);
    }
    if (form->has_key) {
        sk_canvas_put(canvas, form->key, SK_TEXT("k"), SK_PAINT_THING);
    }
}

/* zombie-12 is z12. */
static void
put_adversary(const struct snarl_adversary_form *form, struct sk_canvas *canvas)
{
    char mark[MARK_MAX] = { form->id.at[0] };
    uint32_t used = 1;
    uint32_t i = 0;

    while (i < form->id.length && form->id.at[i] != '-') {
        i++;
    }
    for (i++; i < form->id.length && used < MARK_MAX; i++) {
        mark[used++] = form->id.at[i];
    }
    sk_canvas_put(canvas, form->at, (struct sk_text){ mark, used }, SK_PAINT_DANGER);
}

/* In co-op every hero is a player; in versus one player has them all. */
static uint8_t
unit_seat(const void *config, struct sk_text id)
{
    const struct snarl_config *snarl = config;

    for (uint8_t hero = 0; snarl->mode == SNARL_COOP && hero < snarl->hero_count; hero++) {
        if (sk_text_same(snarl_unit_id(snarl, 0, hero), id)) {
            return hero;
        }
    }
    return SK_SEATS_MAX;
}

/* "alice (ada)": the board has space for the id only. */
static void
say_hero(const struct snarl_config *config, struct sk_text id, struct sk_line *notes)
{
    uint8_t seat = unit_seat(config, id);
    bool is_player = notes->names != NULL && seat < SK_SEATS_MAX && notes->names[seat].length > 0;

    if (is_player) {
        sk_line_say_text(notes, notes->names[seat]);
        sk_line_say(notes, " (");
    }
    sk_line_say_text(notes, id);
    sk_line_say(notes, is_player ? ")" : "");
}

static void
note_hero(const struct snarl_config *config, const struct snarl_hero_form *form,
          struct sk_line *notes)
{
    static const char *const words[] = {
        [SNARL_ACTIVE] = " at ",
        [SNARL_EXITED] = " has left",
        [SNARL_EXPELLED] = " is expelled",
        [SNARL_RESIGNED] = " has resigned",
    };

    say_hero(config, form->id, notes);
    sk_line_say(notes, words[form->status]);
    if (form->has_at) {
        sk_line_say_cell(notes, form->at);
    }
    if (form->has_counts) {
        sk_line_say(notes, ", keys ");
        sk_line_say_number(notes, form->keys);
        sk_line_say(notes, ", exits ");
        sk_line_say_number(notes, form->exits);
        sk_line_say(notes, ", expulsions ");
        sk_line_say_number(notes, form->expulsions);
    }
    sk_line_say(notes, "\n");
}

static void
put_units(const struct snarl_config *config, const struct snarl_position_form *form,
          struct sk_canvas *canvas)
{
    const struct snarl_hero_form *heroes = form->heroes.at;
    const struct snarl_adversary_form *adversaries = form->adversaries.at;

    for (uint32_t i = 0; i < form->adversaries.count; i++) {
        put_adversary(&adversaries[i], canvas);
    }
    for (uint32_t i = 0; i < form->heroes.count; i++) {
        uint8_t hero = snarl_unit_find(config, 0, heroes[i].id); /* the same in all levels */

        if (heroes[i].has_at && hero < SK_SNARL_HEROES_MAX) {
            sk_canvas_put(canvas, heroes[i].at, heroes[i].id,
                          (enum sk_paint)(SK_PAINT_SEAT_0 + hero));
        }
        note_hero(config, &heroes[i], &canvas->notes);
    }
}

/* `level_count` 0 = unknown. */
static void
note_level(const struct snarl_config *config, const struct snarl_position_form *form,
           int32_t level_count, struct sk_line *notes)
{
    sk_line_say(notes, "level ");
    sk_line_say_number(notes, form->level);
    if (level_count > 0) {
        sk_line_say(notes, " of ");
        sk_line_say_number(notes, level_count);
    }
    sk_line_say(notes, form->exit_unlocked ? ", the exit is unlocked\n" : ", the exit is locked\n");
    say_hero(config, form->active.unit, notes);
    sk_line_say(notes, " is to move\n");
}

/* ---- the whole --------------------------------------------------------------------------- */

/* A view does not contain the levels: those of its config are not the match's. */
static bool
draw(const void *config, const void *view_form, struct sk_canvas *canvas)
{
    const struct snarl_position_form *form = view_form;

    if (!lay_seen(form, canvas)) {
        return false;
    }
    note_level(config, form, 0, &canvas->notes);
    put_objects(form, form->has_exit, canvas);
    put_units(config, form, canvas);
    return true;
}

static bool
draw_state(const void *config, const void *state_form, struct sk_canvas *canvas)
{
    const struct snarl_config *snarl = config;
    const struct snarl_position_form *form = state_form;

    if (form->level < 1 || form->level > snarl->level_count ||
        !lay_level(snarl, snarl_level_at(snarl, form->level - 1), canvas)) {
        return false;
    }
    note_level(snarl, form, snarl->level_count, &canvas->notes);
    put_objects(form, true, canvas);
    put_units(config, form, canvas);
    return true;
}

const struct sk_picture snarl_picture = {
    .sentences = sentences,
    .unit_seat = unit_seat,
    .legend = "heroes by name, z zombie, g ghost, k key, x exit, + door, ### wall\n",
    .draw = draw,
    .draw_state = draw_state,
};
