/*
 * pages - a stored match told turn by turn, each turn one page of text.
 *
 * Everything on a page comes from the resolver: the board from the view (or
 * the state), the verdicts from the checks, the sentences from the events.
 * So a page cannot say something else than what happened.
 *
 * Owner:   pages_free's caller.
 */
#ifndef SK_CLI_PAGES_H
#define SK_CLI_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/fault.h"
#include "server/host/store_port.h"

#define PAGE_START (-1)

struct page {
    int64_t turn; /* that led to the state shown, or PAGE_START */
    char *text;
};

struct pages {
    struct page *at;
    uint32_t count;
    uint8_t seat_count;
    bool is_whole;         /* every record could be played */
    struct sk_fault fault; /* else the first that could not */
};

/* As text for people, or as JSON, one object a page. */
enum pages_form {
    PAGES_TEXT,
    PAGES_COLOURED,
    PAGES_JSON,
};

/* `audience` as in moments.h.  False when there is nothing to tell: the ruleset is unknown, or the
 * match never started. */
bool pages_make(const struct store_job *job, uint8_t audience, enum pages_form form,
                struct pages *ret_pages, struct sk_fault *ret_fault);
void pages_free(struct pages *pages);

#endif /* SK_CLI_PAGES_H */
