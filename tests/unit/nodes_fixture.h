/*
 * A host that is one of several nodes.  The shared database and the other nodes
 * are `others`, which the test sets.
 *
 * Owner:   as in host_fixture.h.
 * Threads: likewise.
 */
#ifndef SK_TEST_NODES_FIXTURE_H
#define SK_TEST_NODES_FIXTURE_H

#include "host_fixture.h"

#define PATH "/n/two/"

/* A wait in the stored queue; who waits elsewhere has no place at this node. */
struct stored_wait {
    int64_t player;
    int64_t ticket;
    char name[32];
    bool is_here;
    bool is_listed;
};

/* What the shared database and the other nodes do. */
struct others {
    int64_t elsewhere;    /* the match that another node runs, or 0 */
    int64_t lost;         /* the match whose appends are not stored here any more, or 0 ... */
    bool is_lost_unknown; /* ... but they are stored: nobody knows */
    enum store_result beat;
    uint32_t beats;
    int64_t ahead_ms; /* the database's clock */
    int64_t rematch;  /* the rematch that another node has just made, or 0 */
    uint32_t rematch_asked;
    int64_t claimable;     /* the match whose node is gone, or 0 */
    int64_t owned;         /* the match that is this node's, for a list of these; or 0 */
    bool is_claim_lost;    /* the next claim is stored, but its answer is lost */
    uint32_t lists;        /* of what this node owns */
    bool has_paused;       /* a beat has said so ... */
    bool is_answered_late; /* ... and the next one's answer comes after the lease */
    int64_t stopped_at_ms;
    struct stored_wait waiting[4]; /* the stored queue, in order */
    uint32_t waiting_count;
    int64_t ticket;
    bool is_queue_down;
    bool gives_no_tickets;
    int64_t finds_older;        /* of the first one's wait */
    struct store_wait compared; /* the first one, as the last comparison got it */
    uint32_t comparisons;
    bool is_seated; /* another node has just seated the first one, in this match: */
    int64_t seated;
    int64_t tickets[2];             /* of the last match that was created */
    char order[64];                 /* what happened, a letter each */
    struct store_notice notices[4]; /* rows of admin_log, as they are committed */
    uint32_t notice_count;
    bool holds_loads; /* after the next beat, jobs wait */
    bool is_counted;  /* the player's matches are counted elsewhere ... */
    uint32_t count;   /* ... and these are left */
};

static struct others others;

static inline void
note(char what)
{
    size_t length = strlen(others.order);

    if (length + 1 < sizeof(others.order)) {
        others.order[length] = what;
        others.order[length + 1] = '\0';
    }
}

static inline void
list_owned(struct store_claim *claim)
{
    others.lists++;
    if (others.owned > claim->owned_after && others.owned != others.elsewhere) {
        claim->owned.at = malloc(sizeof(int64_t));
        cr_assert_not_null(claim->owned.at);
        claim->owned.at[0] = others.owned;
        claim->owned.count = 1;
    }
}

static inline void
claim(struct store_job *job)
{
    if (job->claim.lists_owned) {
        list_owned(&job->claim);
    }
    if (others.is_claim_lost) {
        others.is_claim_lost = false;
        others.owned = others.claimable;
        others.claimable = 0;
        job->result = STORE_UNAVAILABLE;
    }
    if (others.claimable != 0) {
        job->claim.ids.at = malloc(sizeof(int64_t));
        cr_assert_not_null(job->claim.ids.at);
        job->claim.ids.at[0] = others.claimable;
        others.owned = others.claimable;
        job->claim.ids.count = 1;
        others.claimable = 0;
    }
}

/* The newest first. */
static inline void
bring_notices(struct store_beat *beat)
{
    beat->notices = calloc(SK_COUNT_OF(others.notices), sizeof(*beat->notices));
    cr_assert_not_null(beat->notices);
    for (uint32_t i = 0; i < others.notice_count; i++) {
        struct store_notice notice = others.notices[i];
        uint32_t at = beat->notice_count;

        if (notice.id <= beat->notices_after) {
            continue;
        }
        for (; at > 0 && beat->notices[at - 1].id < notice.id; at--) {
            beat->notices[at] = beat->notices[at - 1];
        }
        notice.command = strdup(notice.command);
        notice.detail = strdup(notice.detail);
        beat->notices[at] = notice;
        beat->notice_count++;
    }
}

/* Who waits here is stored under the name of its number. */
static inline void
wait_elsewhere(int64_t player, const char *name)
{
    struct stored_wait *stored = &others.waiting[others.waiting_count++];

    *stored = (struct stored_wait){ .player = player, .ticket = ++others.ticket };
    snprintf(stored->name, sizeof(stored->name), "%s", name);
}

static inline struct stored_wait *
stored_of(int64_t player)
{
    for (uint32_t i = 0; i < others.waiting_count; i++) {
        if (others.waiting[i].player == player) {
            return &others.waiting[i];
        }
    }
    return NULL;
}

static inline void
unstore(struct stored_wait *stored)
{
    struct stored_wait *last = &others.waiting[--others.waiting_count];

    memmove(stored, stored + 1, (size_t)(last - stored) * sizeof(*stored));
}

static inline void
store_wait_of(struct store_wait *wait)
{
    struct stored_wait *stored = stored_of(wait->player);

    if (stored == NULL && wait->key != NULL) {
        cr_assert_eq(strncmp(wait->key, "tactics ", 8), 0);
        cr_assert_eq(wait->seats, 2);
        stored = &others.waiting[others.waiting_count++];
        *stored = (struct stored_wait){ .player = wait->player, .is_here = true };
        stored->ticket = ++others.ticket;
        snprintf(stored->name, sizeof(stored->name), "%s", wait->player == 1 ? "alice" : "bob");
    }
    wait->ticket = stored == NULL || others.gives_no_tickets ? 0 : stored->ticket;
    if (stored != NULL && stored->is_here) {
        stored->is_listed = true;
    }
}

static inline void
compare_queue(struct store_queue *queue)
{
    others.comparisons++;
    for (uint32_t i = 0; i < others.waiting_count; i++) {
        others.waiting[i].is_listed = !others.waiting[i].is_here;
    }
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        store_wait_of(&queue->waits[i]);
    }
    for (uint32_t i = others.waiting_count; i > 0; i--) {
        if (!others.waiting[i - 1].is_listed) {
            unstore(&others.waiting[i - 1]);
        }
    }
    for (uint32_t i = 0; i < queue->wait_count && others.seated != 0; i++) {
        queue->waits[i].is_over = true;
        queue->waits[i].match = others.seated;
        queue->waits[i].path = strdup(PATH);
    }
    for (uint32_t i = 0; others.waiting_count == 2 && others.waiting[1].is_here && i < 2; i++) {
        struct store_partner *partner = store_queue_add_partner(queue);

        partner->player = others.waiting[i].player;
        partner->ticket = others.waiting[i].ticket;
        partner->name = strdup(others.waiting[i].name);
        partner->seats = 2;
        partner->is_here = others.waiting[i].is_here;
    }
}

static inline bool
others_answer(struct table *table, struct store_job *job)
{
    job->result = STORE_OK;
    switch (job->kind) {
    case JOB_BEAT:
        cr_expect_eq(job->place, STORE_ASIDE);
        job->result = others.beat;
        if (others.beat == STORE_TAKEN) {
            job->message = strdup("another process has its name");
        }
        others.has_paused = others.has_paused || job->beat.has_paused;
        if (others.is_answered_late) {
            others.is_answered_late = false;
            table->now_ms += STORE_LEASE_MS;
        }
        others.beat = others.beat == STORE_LOST ? STORE_OK : others.beat;
        others.beats++;
        job->beat.now_ms = table->wall_ms + others.ahead_ms;
        table->is_holding = table->is_holding || others.holds_loads;
        bring_notices(&job->beat);
        return true;
    case JOB_ADMIN:
        if (job->admin.is_elsewhere && job->match_id == others.elsewhere) {
            job->elsewhere = strdup(PATH);
        } else if (job->admin.is_elsewhere) {
            job->result = STORE_NOT_FOUND;
            job->message = strdup("there is no such match");
        }
        return job->admin.is_elsewhere;
    case JOB_PLAYER_MATCHES:
        job->matches.count = others.count;
        return others.is_counted;
    case JOB_CLAIM:
        cr_expect_eq(job->place, STORE_ASIDE);
        claim(job);
        return true;
    case JOB_QUEUE:
        cr_expect_eq(job->place, STORE_ASIDE);
        if (job->queue.wait_count > 0) {
            others.compared = job->queue.waits[0];
            job->queue.waits[0].older = others.finds_older;
        }
        if (others.is_queue_down) {
            job->result = STORE_UNAVAILABLE;
        } else {
            compare_queue(&job->queue);
        }
        return true;
    case JOB_RELEASE:
        note('R');
        return true;
    case JOB_FLUSH:
        note('F');
        return false;
    case JOB_MATCH_LOAD:
        if (job->load.claims && job->match_id == others.elsewhere) {
            job->result = STORE_ELSEWHERE;
            job->elsewhere = strdup(PATH);
            return true;
        }
        return false;
    case JOB_MATCH_CREATE:
        if (job->match.rematch_of != 0 && others.rematch != 0) {
            job->result = STORE_TAKEN;
            return true;
        }
        others.tickets[0] = job->seats[0].ticket;
        others.tickets[1] = job->seats[1].ticket;
        if (others.is_seated) {
            job->result = STORE_TAKEN;
            return true;
        }
        return false;
    case JOB_REMATCH_FIND:
        if (others.rematch != 0 && others.rematch_asked++ > 0) {
            job->match_id = others.rematch;
            return true;
        }
        return false;
    case JOB_MATCH_APPEND:
        if (job->match_id == others.lost && !others.is_lost_unknown) {
            job->result = STORE_LOST;
            return true;
        }
        return false;
    default:
        return false;
    }
}

static inline void
others_twist(struct table *table, struct store_job *job)
{
    (void)table;
    if (job->kind == JOB_MATCH_APPEND && job->match_id == others.lost && others.is_lost_unknown) {
        cr_assert_eq(job->result, STORE_OK);
        job->result = STORE_LOST;
    }
    if (job->kind == JOB_MATCH_LOAD && job->result == STORE_OK && job->load.claims) {
        job->match.stopped_at_ms = others.stopped_at_ms;
    }
}

static inline void
nodes_open(struct game *game, const char *more)
{
    struct table *table = &game->table;

    others = (struct others){ .ahead_ms = others.ahead_ms };
    table_open(table);
    table_stop(table);
    table->gate.is_shared = true;
    table->answers = others_answer;
    table->twists = others_twist;
    table_start(table);
    table_wait(table, 0);
    game->alice = table_player(table, "alice");
    game->bob = table_player(table, "bob");
    game->match = table_pair(game->alice, game->bob, more);
    others.owned = game->match;
}

static inline void
expect_moved(struct peer *peer, const char *id, int64_t match, const char *path)
{
    struct json_object *frame = hear(peer, "moved");

    cr_expect_str_eq(word_of(frame, "id"), id);
    cr_expect_str_eq(word_of(frame, "path"), path);
    cr_expect_eq(number_of(frame, "match"), match);
}

static inline bool
is_ready(struct table *table)
{
    struct host_status status;

    host_status(table->host, &status);
    return status.is_ready;
}

/* Every room is dropped, and loaded again. */
static inline void
lose_all(struct game *game)
{
    others.beat = STORE_LOST;
    table_wait(&game->table, 1000);
    expect_moved(game->alice, "", game->match, "/");
    expect_moved(game->bob, "", game->match, "/");
}

#endif /* SK_TEST_NODES_FIXTURE_H */
