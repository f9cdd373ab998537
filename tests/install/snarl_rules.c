/* Uses each rule of snarl in the installed library once: by name, and the rule checker's
 * questions. */
#include "common/rules/snarl/snarl.h"
#include "setup.h"

/* Of the first level: ada stands on 1,1; zombie-1, whom she does not see, on 17,4. */
static const struct snarl_command commands[] = {
    { { SNARL_MOVE }, true, { "ada" }, { 1, 3 } },
};

static void
ask_moves(const struct match *match)
{
    static const struct {
        const char *unit;
        struct sk_cell to;
    } moves[] = { { "ada", { 1, 3 } }, { "ada", { 0, 1 } },       { "ada", { 2, 1 } },
                  { "ada", { 5, 1 } }, { "zombie-1", { 16, 4 } }, { "zombie-1", { 15, 4 } } };

    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        struct snarl_move_reasons reasons;
        sk_verdict verdict = snarl_ask_move(match->turn.config, match->state,
                                            sk_text_of(moves[i].unit), moves[i].to, &reasons);

        printf("move of %s to %d,%d: %s (distance %s, tile %s, interaction %s)\n", moves[i].unit,
               moves[i].to.x, moves[i].to.y, sk_verdict_name(&sk_ruleset_snarl, verdict),
               sk_verdict_name(&sk_ruleset_snarl, reasons.distance),
               sk_verdict_name(&sk_ruleset_snarl, reasons.tile),
               sk_verdict_name(&sk_ruleset_snarl, reasons.interaction));
    }
}

static void
ask_tiles(const struct match *match, const struct snarl_position_form *form)
{
    static const char *const words[] = {
        [SNARL_MEETS_NOTHING] = "nothing",
        [SNARL_MEETS_WALL] = "a wall",
        [SNARL_MEETS_HERO] = "a hero",
        [SNARL_MEETS_ADVERSARY] = "an adversary",
        [SNARL_MEETS_KEY] = "the key",
        [SNARL_MEETS_LOCKED_EXIT] = "the locked exit",
        [SNARL_MEETS_UNLOCKED_EXIT] = "the exit",
    };
    const struct sk_cell cells[] = {
        { 3, 1 }, { 0, 0 }, { 2, 1 }, { 17, 4 }, form->key, form->exit,
    };

    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        printf(
            "on %d,%d ada meets %s, zombie-1 %s\n", cells[i].x, cells[i].y,
            words[snarl_ask_hero_meets(match->turn.config, match->state, SK_TEXT("ada"), cells[i])],
            words[snarl_ask_adversary_meets(match->turn.config, match->state, SK_TEXT("zombie-1"),
                                            cells[i])]);
    }
}

static void
ask_ends(const struct match *match, const char *when)
{
    struct snarl_level_answer level = snarl_ask_level(match->turn.config, match->state);
    struct snarl_game_answer game = snarl_ask_game(match->turn.config, match->state);

    printf("%s: level over %d, why %d, inside %d, left %d, expelled %d; game over %d, why %d, "
           "level %d of %d; all expelled %d\n",
           when, level.is_over, level.why, level.inside, level.left, level.expelled, game.is_over,
           game.why, game.level, game.level_count,
           snarl_ask_all_expelled(match->turn.config, match->state));
}

/* Sets the heroes' status. Prints what is wrong with it, if anything. */
static void
put_heroes(struct match *match, struct snarl_position_form *form, uint8_t status)
{
    struct snarl_hero_form *heroes = form->heroes.at;
    struct sk_fault fault;

    for (uint32_t i = 0; i < form->heroes.count; i++) {
        heroes[i].status = status;
        heroes[i].has_at = status == SNARL_ACTIVE;
    }
    if (snarl_ask_state(match->turn.config, form, match->state, &fault) != SK_OK) {
        printf("no state: %s at %s\n", fault.message, fault.at);
    }
}

int
main(void)
{
    static _Alignas(16) uint8_t memory[65536];
    struct sk_arena arena = { memory, sizeof(memory), 0 };
    struct snarl_position_form form = { .level = 0 };
    struct match match;

    match_open(&match, &sk_ruleset_snarl, sk_ruleset_snarl.default_params);
    match.turn.commands[0] = (struct sk_commands){ commands, 1 };
    ask_each_check(&match, 0, commands, 1);
    ask_each_stage(&match);
    if (sk_ruleset_snarl.state_form(match.turn.config, match.state, &arena, &form) != SK_OK) {
        return 1;
    }
    ask_moves(&match);
    ask_tiles(&match, &form);
    ask_ends(&match, "at first");
    put_heroes(&match, &form, SNARL_EXPELLED);
    ask_ends(&match, "all are expelled");
    form.exit_unlocked = true;
    put_heroes(&match, &form, SNARL_EXITED);
    form.has_key = false;
    put_heroes(&match, &form, SNARL_EXITED);
    ask_ends(&match, "all have left");
    return 0;
}
