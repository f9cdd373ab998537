/*
 * bot - players that ship with the project: what would one do in this turn?
 *
 * A bot knows what a client on the wire knows and nothing else: the match's
 * params, the view of its seat and the seat's hints, each as the JSON text
 * that the server sends; hints can also be computed from the view.  So
 * what is hidden from a seat is hidden from its bot, and the same bots play inside
 * the daemon and as clients.
 *
 * A question is answered without I/O; the same question gets the same answer,
 * unless the time budget cuts a search short.  What a desk keeps from earlier
 * questions saves time and does not change answers.
 *
 * Owner:   the caller owns the question's texts and frees the answer.
 * Threads: any, several at a time, each with a desk of its own.  An answer may
 *          take as long as the budget says, so not the daemon's loop.
 */
#ifndef SK_BOT_H
#define SK_BOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "common/base/status.h"
#include "common/base/text.h"
#include "server/bot/level.h"

#define BOT_BUDGET_DEFAULT_MS 100
#define BOT_BUDGET_MAX_MS     60000
#define BOT_HINTS_MAX         4096 /* a bot looks at no more than these */

#define BOT_CONFIGS_MAX 8 /* compiled params that a desk keeps: the last ones used */

/* What a thread that answers many questions keeps: memory, and compiled params. */
struct bot_desk;

struct bot_desk *bot_desk_alloc(void);
void bot_desk_free(struct bot_desk *desk); /* NULL is allowed */

struct bot_question {
    struct bot_desk *desk; /* NULL = a new one for this question */
    struct sk_text ruleset;
    uint32_t version;      /* of the ruleset, 0 = the newest */
    struct sk_text params; /* as `state` has them */
    struct sk_text view;   /* of the seat, as `state` and `turn` have it */
    struct sk_text hints;  /* the list of commands that `hints` has; "" = computed by the bot */
    uint8_t seat;
    uint32_t turn;
    enum bot_level level;
    uint64_t seed;      /* of the bot's random choices, independent of the match's */
    uint32_t budget_ms; /* how long a search may take at most; 0 = BOT_BUDGET_DEFAULT_MS */
    uint32_t wait_ms;   /* how much longer, if others use the processor meanwhile ... */
    const atomic_bool *is_wanted; /* ... unless this says that the thread is wanted; may be NULL */
};

/*
 * Returns the commands to submit, as a JSON list for `submit`, terminated and
 * on the heap; an empty list if the seat has nothing to do.  An invalid
 * question is SK_ERR_REFUSED with a fault; its position begins with the part
 * of the question: /params, /view, /hints.
 */
enum sk_status bot_answer(const struct bot_question *question, char **ret_commands,
                          struct sk_fault *ret_fault);

#endif /* SK_BOT_H */
