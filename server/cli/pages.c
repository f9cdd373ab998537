#include "server/cli/pages.h"

#include <stdlib.h>
#include <string.h>

#include "server/cli/telling.h"

static void
add_page(struct telling *telling, struct pages *pages)
{
    const struct sk_state *state = playback_state(telling->moments.playback);
    const struct sk_turn *turn = playback_turn(telling->moments.playback);
    struct page *at = realloc(pages->at, (pages->count + 1) * sizeof(*at));

    SK_ASSERT(at != NULL);
    telling_tell(telling, state, turn);
    pages->at = at;
    at[pages->count].turn = turn == NULL ? PAGE_START : (int64_t)turn->before->turn;
    at[pages->count].text = malloc(telling->screen.length + 1);
    SK_ASSERT(at[pages->count].text != NULL);
    memcpy(at[pages->count].text, telling->screen.text, telling->screen.length + 1);
    pages->count++;
}

static enum sk_status
tell_all(struct telling *telling, struct pages *pages, struct sk_fault *ret_fault)
{
    const struct store_job *job = telling->job;
    enum sk_status status = SK_OK;

    for (uint32_t i = 0; status == SK_OK && i < job->record_count; i++) {
        bool had_begun = playback_state(telling->moments.playback) != NULL;

        status = playback_record(telling->moments.playback, &job->records[i], ret_fault);
        if (status == SK_OK && moments_is_one(&telling->moments, had_begun)) {
            add_page(telling, pages);
        }
    }
    return status;
}

bool
pages_make(const struct store_job *job, uint8_t audience, enum pages_form form,
           struct pages *ret_pages, struct sk_fault *ret_fault)
{
    struct telling telling;
    struct pages pages = { .at = NULL };
    bool is_told = false;

    if (telling_open(&telling, job, audience, form, ret_fault)) {
        pages.is_whole = tell_all(&telling, &pages, &pages.fault) == SK_OK;
        pages.seat_count = telling.moments.seat_count;
        is_told = pages.count > 0;
        if (!is_told && pages.is_whole) {
            (void)sk_fault_set(ret_fault, "not_started", "the match has not started");
        } else if (!is_told) {
            *ret_fault = pages.fault;
        }
    }
    telling_close(&telling);
    if (is_told) {
        *ret_pages = pages;
    }
    return is_told;
}

void
pages_free(struct pages *pages)
{
    for (uint32_t i = 0; i < pages->count; i++) {
        free(pages->at[i].text);
    }
    free(pages->at);
    *pages = (struct pages){ .at = NULL };
}
