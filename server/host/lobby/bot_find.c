#include "server/host/lobby/bot_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/core/registry.h"
#include "common/core/rules.h"
#include "server/host/room/bot.h"
#include "server/host/session/player.h"

/* ---- who it is --------------------------------------------------------------------------- */

/* Returns NULL, or what is wrong.  Only a web service that is given by its address may also have
 * a name. */
static const char *
who_of_wish(const struct frame_bot *bot, struct bot_who *ret_who)
{
    int count = bot->has_level + (bot->http.length > 0) + (bot->name.length > 0);
    bool is_named_service = !bot->has_level && bot->http.length > 0;

    if (count != 1 && !is_named_service) {
        return "a bot has one of level, http and name, or http and the name to show";
    }
    if (is_named_service && bot->name.length > 0 && !sk_name_is_valid(bot->name)) {
        return "the name of a web service has 1 to 24 printable characters";
    }
    if (is_named_service && name_is_reserved(bot->name)) {
        return "the name of a web service must not look like the server's own";
    }
    ret_who->kind = bot->has_level ? BOT_OF_LEVEL : is_named_service ? BOT_OF_HTTP : BOT_OF_NAME;
    ret_who->word = heap_text(bot->has_level     ? sk_text_of(sk_frame_levels[bot->level])
                              : is_named_service ? bot->http
                                                 : bot->name);
    return NULL;
}

/* The name that others see: the one that was given, or the service's host. */
static char *
who_name(const struct bot_who *who, const char *text)
{
    char name[FRAME_PLAYER_NAME_MAX + 1];
    const char *given = who->kind == BOT_OF_HTTP ? strchr(text, ' ') : NULL;
    const char *from = strstr(who->word, "://");
    size_t length;

    if (who->kind == BOT_OF_LEVEL) {
        (void)snprintf(name, sizeof(name), "%.12s bot", who->word);
        return heap_text(sk_text_of(name));
    }
    if (given != NULL) {
        return heap_text(sk_text_of(given + 1));
    }
    from = who->kind == BOT_OF_NAME || from == NULL ? who->word : from + 3;
    length = who->kind == BOT_OF_NAME ? strlen(from) : strcspn(from, "/?#@");
    length = length > FRAME_PLAYER_NAME_MAX ? FRAME_PLAYER_NAME_MAX : length;
    if (length == 0 || !sk_name_is_valid((struct sk_text){ from, (uint32_t)length })) {
        return heap_text(SK_TEXT("web service"));
    }
    return heap_text((struct sk_text){ from, (uint32_t)length });
}

/* ---- those that are known ---------------------------------------------------------------- */

static void
known_free(struct known_bot *known)
{
    free(known->who.word);
    free(known->text);
    free(known);
}

void
bots_forget(struct host *host)
{
    while (host->bots != NULL) {
        struct known_bot *known = host->bots;

        host->bots = known->next;
        known_free(known);
    }
}

/* Moves it to the front. */
static struct known_bot *
find_known(struct host *host, const char *text)
{
    for (struct known_bot **at = &host->bots; *at != NULL; at = &(*at)->next) {
        struct known_bot *known = *at;

        if (strcmp(known->text, text) == 0) {
            *at = known->next;
            known->next = host->bots;
            host->bots = known;
            return known;
        }
    }
    return NULL;
}

/* If there are too many, drops the least recently used one. */
static void
forget_oldest(struct host *host)
{
    struct known_bot **at = &host->bots;

    for (int i = 0; i < KNOWN_BOTS_MAX && *at != NULL; i++) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        known_free(*at);
        *at = NULL;
    }
}

static struct known_bot *
add_known(struct host *host, int64_t player, const char *name, const char *text)
{
    struct known_bot *known = find_known(host, text);
    struct bot_who who;

    if (known != NULL || !bot_who_read(text, &who)) {
        return known;
    }
    known = heap_memory(sizeof(*known));
    known->player = player;
    (void)snprintf(known->name, sizeof(known->name), "%s", name);
    known->who = who;
    known->text = heap_text(sk_text_of(text));
    known->next = host->bots;
    host->bots = known;
    forget_oldest(host);
    return known;
}

const struct known_bot *
bots_again(const struct room *room, uint8_t seat)
{
    const struct seat *it = &room->match.seats[seat];

    return room->bots[seat] == NULL
               ? NULL
               : add_known(room->host, it->player, it->name, room->bots[seat]->text);
}

/* ---- create ------------------------------------------------------------------------------ */

static void
bot_found(struct store_job *job, struct host *host)
{
    if (job->result == STORE_OK) {
        (void)add_known(host, job->player.id, job->player.name, job->player.bot);
        message_again(host, job->context);
    } else {
        message_refuse(host, job->context, ERROR_STORE_UNAVAILABLE);
    }
}

/* The frame waits until the store has found the bot's player. */
static void
find_bot(struct session *session, const struct frame_head *head, const struct bot_who *who,
         const char *text)
{
    struct host *host = session->host;
    struct kept_message *create = message_keep(session, head);
    struct store_job *job = host_job(JOB_BOT_PLAYER, bot_found, create);

    job->player.name = who_name(who, text);
    job->player.bot = heap_text(sk_text_of(text));
    job->player.is_bot = true;
    host->world.random(host->world.context, job->player.token_hash, STORE_HASH_BYTES);
    if (!host_submit(host, job)) {
        message_refuse(host, create, ERROR_BUSY);
    }
}

static void
refuse_bot(struct session *session, const struct frame_head *head, uint32_t seat,
           enum error_code code, const char *why)
{
    struct sk_fault fault;

    (void)sk_fault_set(&fault, sk_error_code(code), why);
    sk_fault_inside(&fault, SK_TEXT("bot"));
    sk_fault_inside_index(&fault, seat);
    sk_fault_inside(&fault, SK_TEXT("seats"));
    session_fault(session, head, &fault);
}

/* Levels count upwards; the frame's ruleset exists. */
static bool
has_level(struct sk_text ruleset, const struct frame_bot *bot)
{
    return !bot->has_level || bot->level < sk_rules_bot_levels(sk_registry_find(ruleset, 0));
}

/* Returns NULL if the frame is answered or waits. */
static const struct known_bot *
bot_of_wish(struct session *session, const struct frame_create *frame, const struct frame_bot *bot,
            uint32_t seat)
{
    const struct frame_head *head = &frame->head;
    struct host *host = session->host;
    struct bot_port *port = host->world.bots;
    const struct known_bot *known = NULL;
    struct bot_who who;
    const char *why = who_of_wish(bot, &who);

    if (why != NULL) {
        refuse_bot(session, head, seat, ERROR_MALFORMED, why);
        return NULL;
    }
    why = port == NULL                      ? "this server has no bots"
          : !has_level(frame->ruleset, bot) ? "the ruleset has no bot of this level"
                                            : port->refuses(port, &who);
    if (why != NULL) {
        refuse_bot(session, head, seat, ERROR_NOT_ALLOWED, why);
    } else {
        char *text = bot_text(&who, who.kind == BOT_OF_HTTP ? bot->name : SK_TEXT(""));

        known = find_known(host, text);
        if (known == NULL) {
            find_bot(session, head, &who, text);
        }
        free(text);
    }
    free(who.word);
    return known;
}

bool
bots_of_create(struct session *session, const struct frame_create *frame,
               const struct known_bot *ret_bots[SK_SEATS_MAX])
{
    for (uint32_t seat = 0; seat < frame->seats.count; seat++) {
        const struct frame_seat_wish *wish = sk_list_item(&frame->seats, seat, sizeof(*wish));

        if (wish->is_given) {
            ret_bots[seat] = bot_of_wish(session, frame, &wish->bot, seat);
            if (ret_bots[seat] == NULL) {
                return false;
            }
        }
    }
    return true;
}
