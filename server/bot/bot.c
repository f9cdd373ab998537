#include "server/bot/bot.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "proto/json_buffer.h"
#include "proto/json_parse.h"
#include "proto/params.h"
#include "proto/schema_read.h"
#include "proto/schema_write.h"
#include "server/bot/mind.h"
#include "server/clock.h"

#define FORMS_SIZE (16u << 20) /* for params, a view and hints; only what is used costs memory */
#define US_PER_MS  1000

const char *const bot_level_names[BOT_LEVELS] = {
    [BOT_RANDOM] = "random",
    [BOT_GREEDY] = "greedy",
    [BOT_SEARCH] = "search",
};

static const struct bot_player *const players[] = {
    &bot_tactics,
    &bot_halma,
    &bot_racers,
    &bot_snarl,
};

/* For rulesets without a player: any one command, or the one with the best score. */
static const struct bot_player bot_anybody = {
    .play = { [BOT_RANDOM] = bot_choose_any, [BOT_GREEDY] = bot_choose_by_score }
};

static const struct bot_player *
find_player(const char *ruleset)
{
    for (size_t i = 0; i < SK_COUNT_OF(players); i++) {
        if (strcmp(players[i]->ruleset, ruleset) == 0) {
            return players[i];
        }
    }
    return &bot_anybody;
}

bool
bot_level_find(struct sk_text name, enum bot_level *ret_level)
{
    for (enum bot_level level = 0; level < BOT_LEVELS; level++) {
        if (sk_text_same(name, sk_text_of(bot_level_names[level]))) {
            *ret_level = level;
            return true;
        }
    }
    return false;
}

bool
bot_level_plays(const struct sk_ruleset *ruleset, enum bot_level level)
{
    return (unsigned)level < sk_rules_bot_levels(ruleset);
}

bool
bot_player_is_whole(const struct sk_ruleset *ruleset)
{
    const struct bot_player *player = find_player(ruleset->name);

    for (enum bot_level level = 0; level < BOT_LEVELS; level++) {
        if (bot_level_plays(ruleset, level) != (player->play[level] != NULL) &&
            (player != &bot_anybody || bot_level_plays(ruleset, level))) {
            return false;
        }
    }
    return true;
}

/* ---- for players ------------------------------------------------------------------------- */

bool
bot_is_late(const struct bot_mind *mind)
{
    int64_t now_us = clock_us(CLOCK_MONOTONIC);

    /* A thread's processor time costs a system call, and never runs ahead of the clock. */
    return now_us >= mind->budget_us &&
           (now_us >= mind->limit_us ||
            (mind->is_wanted != NULL &&
             atomic_load_explicit(mind->is_wanted, memory_order_relaxed)) ||
            clock_us(CLOCK_THREAD_CPUTIME_ID) >= mind->budget_cpu_us);
}

void
bot_choose(struct bot_mind *mind, const void *command)
{
    size_t size = mind->ruleset->command->size;

    SK_ASSERT(mind->chosen_count < SK_COMMANDS_MAX);
    memcpy(mind->chosen + mind->chosen_count++ * size, command, size);
}

void
bot_choose_any(struct bot_mind *mind)
{
    bot_choose(mind, bot_hint(mind, sk_rng_below(&mind->rng, mind->hints.count)));
}

void
bot_least_take(struct bot_least *least, struct sk_rng *rng, int32_t number, uint32_t index)
{
    least->ties = number < least->number ? 1 : least->ties + (number == least->number);
    if (number < least->number ||
        (number == least->number && sk_rng_below(rng, least->ties) == 0)) {
        least->number = number;
        least->index = index;
    }
}

struct collector {
    struct sk_hint_sink sink;
    size_t size;
    uint8_t *at;
    uint32_t count;
    uint32_t space;
};

static bool
collect(struct sk_hint_sink *sink, const void *command)
{
    struct collector *to = (struct collector *)(void *)sink;

    if (to->count == to->space) {
        to->space = to->space == 0 ? 64 : 2 * to->space;
        to->at = heap_grow(to->at, to->space * to->size);
    }
    memcpy(to->at + to->count++ * to->size, command, to->size);
    return to->count < BOT_HINTS_MAX;
}

void
bot_hints_of(const struct bot_mind *mind, const struct sk_state *state, uint8_t seat,
             struct sk_commands *ret_hints)
{
    struct collector collector = { .sink = { .take = collect },
                                   .size = mind->ruleset->command->size };
    void *view = heap_memory(mind->sizes.view);

    sk_rules_view_make(mind->ruleset, &mind->sizes, mind->config, state, seat, view);
    sk_rules_hints(mind->ruleset, mind->config, view, seat, &collector.sink);
    free(view);
    *ret_hints = (struct sk_commands){ collector.at, collector.count };
}

void
bot_trial_init(struct bot_trial *trial, const struct bot_mind *mind)
{
    trial->memory = heap_memory(sk_turn_memory_size(mind->ruleset, mind->config));
    sk_turn_init(&trial->turn, mind->ruleset, mind->config, trial->memory);
    trial->turn.seed = &mind->seed;
}

void
bot_trial_fini(struct bot_trial *trial)
{
    free(trial->memory);
}

const struct sk_state *
bot_try(struct bot_trial *trial, const struct sk_state *state, uint8_t seat,
        struct sk_commands commands)
{
    trial->turn.before = state;
    trial->turn.commands[seat] = commands;
    return sk_turn_resolve(&trial->turn) ? trial->turn.after : state;
}

/* ---- the desk ---------------------------------------------------------------------------- */

struct kept_config {
    const struct sk_ruleset *ruleset; /* NULL = none */
    struct sk_text params;            /* a copy */
    void *config;
    uint64_t used; /* when: the desk's count of questions */
};

struct bot_desk {
    struct sk_arena forms;
    struct kept_config kept[BOT_CONFIGS_MAX];
    uint64_t questions;
};

struct bot_desk *
bot_desk_alloc(void)
{
    struct bot_desk *desk = heap_memory(sizeof(*desk));

    heap_arena(&desk->forms, FORMS_SIZE);
    return desk;
}

static void
kept_clear(struct kept_config *kept)
{
    free((char *)(uintptr_t)kept->params.at);
    free(kept->config);
    *kept = (struct kept_config){ 0 };
}

void
bot_desk_free(struct bot_desk *desk)
{
    if (desk == NULL) {
        return;
    }
    for (uint32_t i = 0; i < BOT_CONFIGS_MAX; i++) {
        kept_clear(&desk->kept[i]);
    }
    free(desk->forms.base);
    free(desk);
}

static const void *
kept_find(struct bot_desk *desk, const struct sk_ruleset *ruleset, struct sk_text params)
{
    for (uint32_t i = 0; i < BOT_CONFIGS_MAX; i++) {
        struct kept_config *kept = &desk->kept[i];

        if (kept->ruleset == ruleset && sk_text_same(kept->params, params)) {
            kept->used = desk->questions;
            return kept->config;
        }
    }
    return NULL;
}

/* Replaces the least recently used one. */
static const void *
keep(struct bot_desk *desk, const struct sk_ruleset *ruleset, struct sk_text params,
     const struct sk_arena *config)
{
    struct kept_config *kept = &desk->kept[0];

    for (uint32_t i = 1; i < BOT_CONFIGS_MAX; i++) {
        kept = desk->kept[i].used < kept->used ? &desk->kept[i] : kept;
    }
    kept_clear(kept);
    kept->ruleset = ruleset;
    kept->params = (struct sk_text){ heap_text(params), params.length };
    kept->config = heap_memory(config->used);
    kept->used = desk->questions;
    memcpy(kept->config, config->base, config->used);
    return kept->config;
}

/* ---- reading a question ------------------------------------------------------------------ */

/* A question that is being answered: the mind and its memory. */
struct work {
    const struct bot_question *question;
    const struct bot_player *player;
    struct sk_fault *fault;
    struct bot_desk *desk;
    struct sk_state *state;
    uint8_t *hints;
    struct bot_mind mind;
};

static enum sk_status
inside(struct work *work, enum sk_status status, const char *part)
{
    if (status != SK_OK) {
        sk_fault_inside(work->fault, sk_text_of(part));
    }
    return status;
}

static enum sk_status
parse(struct work *work, struct sk_text text, struct sk_value **ret_document)
{
    return sk_json_parse(text.at, text.length, ret_document, work->fault);
}

static enum sk_status
read_ruleset(struct work *work)
{
    const struct sk_ruleset *ruleset =
        sk_registry_find(work->question->ruleset, work->question->version);

    if (ruleset == NULL) {
        sk_fault_set(work->fault, "unknown_ruleset", "no ruleset of that name and version");
        return inside(work, SK_ERR_REFUSED, "ruleset");
    }
    if (!bot_level_plays(ruleset, work->question->level)) {
        sk_fault_set(work->fault, "not_allowed", BOT_LEVEL_MISSING);
        return inside(work, SK_ERR_REFUSED, "level");
    }
    work->mind.ruleset = ruleset;
    work->player = find_player(ruleset->name);
    return SK_OK;
}

static enum sk_status
build_config(struct work *work, const struct sk_value *json)
{
    const struct sk_ruleset *ruleset = work->mind.ruleset;
    struct sk_arena config;
    struct sk_arena scratch;
    const void *params;
    enum sk_status status = sk_params_read(ruleset, json, &work->desk->forms, &params, work->fault);

    if (status != SK_OK) {
        return status;
    }
    heap_arena(&config, sk_rules_config_size_max(ruleset));
    heap_arena(&scratch, ruleset->scratch_size_max);
    status = sk_rules_config_build(ruleset, params, &config, &scratch, work->fault);
    if (status == SK_OK) {
        work->mind.config = keep(work->desk, ruleset, work->question->params, &config);
    }
    free(config.base);
    free(scratch.base);
    return status;
}

static enum sk_status
read_params(struct work *work)
{
    const struct sk_ruleset *ruleset = work->mind.ruleset;
    struct sk_value *json;
    enum sk_status status = SK_OK;

    work->mind.config = kept_find(work->desk, ruleset, work->question->params);
    if (work->mind.config == NULL) {
        status = parse(work, work->question->params, &json);
        if (status == SK_OK) {
            status = build_config(work, json);
            sk_json_free(json);
        }
    }
    if (status == SK_OK) {
        sk_rules_sizes(ruleset, work->mind.config, &work->mind.sizes);
    }
    return status;
}

/* The form of a view is almost that of a state. */
static enum sk_status
read_state(struct work *work, const struct sk_value *json)
{
    const struct sk_ruleset *ruleset = work->mind.ruleset;
    void *form = sk_arena_take(&work->desk->forms, ruleset->view->size);
    enum sk_status status;

    if (form == NULL) {
        return sk_fault_set(work->fault, "too_large", "the view is too large");
    }
    status = sk_form_read(ruleset->view, json, &work->desk->forms, form, work->fault);
    if (status != SK_OK) {
        return status;
    }
    work->state = heap_memory(work->mind.sizes.state);
    work->state->turn = work->question->turn;
    work->state->outcome.winner = SK_NOBODY;
    work->mind.state = work->state;
    return work->player->state_read == NULL
               ? sk_rules_state_read(ruleset, work->mind.config, form, work->state, work->fault)
               : work->player->state_read(work->mind.config, form, work->state, work->fault);
}

static enum sk_status
read_view(struct work *work)
{
    struct sk_value *json;
    enum sk_status status = parse(work, work->question->view, &json);

    if (status == SK_OK) {
        status = read_state(work, json);
        sk_json_free(json);
    }
    return status;
}

static enum sk_status
take_hints(struct work *work, const struct sk_value *json)
{
    const struct sk_variants *variants = work->mind.ruleset->command;
    uint32_t count = json->count < BOT_HINTS_MAX ? json->count : BOT_HINTS_MAX;
    const struct sk_value *item = json + 1;

    work->hints = heap_memory((size_t)count * variants->size);
    for (uint32_t i = 0; i < count; i++, item = sk_value_next(item)) {
        void *command = work->hints + (size_t)i * variants->size;
        enum sk_status status =
            sk_variant_read(variants, item, &work->desk->forms, command, work->fault);

        if (status != SK_OK) {
            sk_fault_inside_index(work->fault, i);
            return status;
        }
    }
    work->mind.hints = (struct sk_commands){ work->hints, count };
    return SK_OK;
}

static enum sk_status
read_hints(struct work *work)
{
    struct sk_value *json;
    enum sk_status status = parse(work, work->question->hints, &json);

    if (status != SK_OK) {
        return status;
    }
    status = sk_value_is(json, SK_VALUE_LIST)
                 ? take_hints(work, json)
                 : sk_fault_set(work->fault, "malformed", "hints are a list of commands");
    sk_json_free(json);
    return status;
}

/* The same hints as the server's: both come from the view. */
static enum sk_status
find_hints(struct work *work)
{
    struct bot_mind *mind = &work->mind;

    bot_hints_of(mind, mind->state, mind->seat, &mind->hints);
    work->hints = (uint8_t *)(uintptr_t)mind->hints.at;
    return SK_OK;
}

static enum sk_status
read_seat(struct work *work)
{
    if (work->question->seat >= sk_rules_seat_count(work->mind.ruleset, work->mind.config)) {
        sk_fault_set(work->fault, "malformed", "the match has no such seat");
        return inside(work, SK_ERR_REFUSED, "seat");
    }
    work->mind.seat = work->question->seat;
    return SK_OK;
}

static enum sk_status
read_question(struct work *work)
{
    enum sk_status status = read_ruleset(work);

    if (status == SK_OK) {
        status = inside(work, read_params(work), "params");
    }
    if (status == SK_OK) {
        status = read_seat(work);
    }
    if (status == SK_OK && work->question->hints.length > 0) {
        status = inside(work, read_hints(work), "hints");
        if (status != SK_OK || work->mind.hints.count == 0) {
            return status; /* nothing to do; and the view of a finished match is not a state */
        }
    }
    if (status == SK_OK) {
        status = inside(work, read_view(work), "view");
    }
    if (status == SK_OK && work->question->hints.length == 0) {
        status = find_hints(work);
    }
    return status;
}

/* ---- answering --------------------------------------------------------------------------- */

static void
think(struct work *work)
{
    const struct bot_question *question = work->question;
    struct bot_mind *mind = &work->mind;
    uint32_t budget_ms = question->budget_ms == 0 ? BOT_BUDGET_DEFAULT_MS : question->budget_ms;

    for (uint32_t i = 0; i < sizeof(question->seed); i++) {
        mind->seed.bytes[i] = (uint8_t)(question->seed >> (8 * i));
    }
    mind->seed.bytes[sizeof(question->seed)] = question->seat;
    sk_rng_start(&mind->rng, &mind->seed, question->turn, UINT32_MAX);
    mind->budget_us = clock_us(CLOCK_MONOTONIC) + (int64_t)budget_ms * US_PER_MS;
    mind->budget_cpu_us = clock_us(CLOCK_THREAD_CPUTIME_ID) + (int64_t)budget_ms * US_PER_MS;
    mind->limit_us = mind->budget_us + (int64_t)question->wait_ms * US_PER_MS;
    mind->is_wanted = question->is_wanted;
    work->player->play[question->level](mind);
}

static void
write_commands(struct sk_json_out *out, const void *what)
{
    const struct bot_mind *mind = what;

    sk_variants_write(out, mind->ruleset->command, mind->chosen, mind->chosen_count);
}

/* The commands as text. */
static char *
answer(struct work *work)
{
    struct sk_json_buffer buffer = { NULL, 0 };
    char *commands;

    work->mind.chosen = heap_memory(SK_COMMANDS_MAX * (size_t)work->mind.ruleset->command->size);
    if (work->mind.hints.count > 0) {
        think(work);
    }
    commands = heap_text(sk_json_buffer_write(&buffer, write_commands, &work->mind));
    free(buffer.at);
    return commands;
}

enum sk_status
bot_answer(const struct bot_question *question, char **ret_commands, struct sk_fault *ret_fault)
{
    struct bot_desk *own = question->desk == NULL ? bot_desk_alloc() : NULL;
    struct work work = { .question = question,
                         .fault = ret_fault,
                         .desk = own == NULL ? question->desk : own };
    enum sk_status status;

    work.desk->forms.used = 0;
    work.desk->questions++;
    status = read_question(&work);
    if (status == SK_OK) {
        *ret_commands = answer(&work);
    }
    free(work.state);
    free(work.hints);
    free(work.mind.chosen);
    bot_desk_free(own);
    return status;
}
