/*
 * The queue of all nodes.
 *
 * Who waits longest is seated first, with the next ones whose key is the same
 * and whose ratings suit each other.  The node where the last player of a full
 * match waits creates it.  The create uses the
 * tickets up: if two nodes saw different queues, only one of them seats a player.
 */
#include <stdio.h>
#include <stdlib.h>

#include "proto/frames.h"
#include "server/memory.h"
#include "server/store/postgres.h"

#define NUMBER_MAX 21 /* with a comma */

/* {1,2,3}, as PostgreSQL reads a list. */
static void
add_number(char *text, size_t size, size_t *used, int64_t number)
{
    *used += (size_t)snprintf(text + *used, size - *used, "%c%lld", *used == 0 ? '{' : ',',
                              (long long)number);
}

static void
end_list(char *text, size_t size, size_t used)
{
    (void)snprintf(text + used, size - used, "%s", used == 0 ? "{}" : "}");
}

/* Of a new wait no row is stored; whatever there is of the player is older. */
static bool
is_new(const struct store_wait *wait)
{
    return wait->key != NULL && !wait->was_sent;
}

/* The players who wait, or those whose wait may be stored; not those whom an earlier attempt has
 * found.  The caller frees it. */
static char *
write_players(const struct store_queue *queue, bool has_new)
{
    size_t size = (size_t)(queue->wait_count + 1) * NUMBER_MAX;
    char *text = heap_memory(size);
    size_t used = 0;

    for (uint32_t i = 0; i < queue->wait_count; i++) {
        const struct store_wait *wait = &queue->waits[i];

        if (wait->number != 0 && (has_new || !is_new(wait))) {
            add_number(text, size, &used, wait->player);
        }
    }
    end_list(text, size, used);
    return text;
}

/* ---- what others have done --------------------------------------------------------------- */

static struct store_wait *
wait_of(struct store_queue *queue, int64_t player)
{
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        if (queue->waits[i].player == player) {
            return &queue->waits[i];
        }
    }
    return NULL;
}

/* Of a player who does not wait here, or waits anew; an earlier attempt may have added it. */
static struct store_wait *
added_of(struct store_queue *queue, int64_t player)
{
    struct store_wait *wait;

    for (uint32_t i = 0; i < queue->wait_count; i++) {
        if (queue->waits[i].player == player && queue->waits[i].number == 0) {
            return &queue->waits[i];
        }
    }
    wait = store_queue_add_wait(queue);
    wait->player = player;
    return wait;
}

/* The player has a match.  A new wait goes on beside it. */
static void
take_match(struct store_queue *queue, struct store_wait *wait, int64_t player, struct row *row,
           int64_t match)
{
    if (wait != NULL && (is_new(wait) || wait->older == match)) {
        wait->older = match;
        wait = NULL;
    }
    if (wait == NULL) {
        wait = added_of(queue, player);
    }
    wait->is_over = true;
    wait->match = match;
    (void)row_take_copy(row, &wait->path);
}

/* A deleted row of another node says nothing of where the player waits now. */
static void
take_row(struct store_queue *queue, struct row *row, bool is_deleted)
{
    int64_t player = row_take_number(row);
    int64_t ticket = row_take_number(row);
    bool is_here = row_take_number(row) != 0;
    int64_t match = row_take_number_or(row, 0);
    struct store_wait *wait = wait_of(queue, player);

    if (match != 0 && (is_here || (is_deleted && wait != NULL))) {
        take_match(queue, wait, player, row, match);
    } else if (!is_deleted && wait != NULL && wait->key == NULL) {
        wait->is_over = !is_here;
        wait->ticket = is_here ? ticket : 0;
    }
}

static bool
take_rows(struct postgres *postgres, struct store_queue *queue, const char *sql,
          const char *players, const char *stored)
{
    struct row row;

    (void)postgres_own(postgres, sql, &row);
    row_put_number(&row, postgres->sql.options->node->id);
    row_put_text(&row, players);
    if (stored != NULL) {
        row_put_text(&row, stored);
    }
    while (row_step(&row)) {
        take_row(queue, &row, stored != NULL);
    }
    return postgres_finish(&row);
}

/* Players who wait no longer, or whose node is gone.  Another node may seat one of them until the
 * row is deleted, so what is taken is the deleted row.  Who was seated and not told, because their
 * node was gone, is told where they wait next.  The rows that are left are read then. */
static bool
take_waits(struct postgres *postgres, struct store_queue *queue, const char *players,
           const char *stored)
{
    for (uint32_t i = 0; i < queue->wait_count; i++) { /* it may be another attempt ... */
        queue->waits[i].ticket = 0;
        queue->waits[i].is_over = queue->waits[i].match != 0; /* ... and its row deleted before */
    }
    return take_rows(postgres, queue,
                     "DELETE FROM waiting w WHERE "
                     "(w.node = ?1::bigint AND NOT w.player = ANY((?3::text)::bigint[])) OR (NOT "
                     "EXISTS (SELECT 1 FROM node n WHERE n.id = w.node AND n.expires > sk_now()) "
                     "AND (w.player = ANY((?2::text)::bigint[]) OR w.match IS NULL OR EXISTS "
                     "(SELECT 1 FROM match m WHERE m.id = w.match AND NOT m." IS_UNFINISHED "))) "
                     "RETURNING w.player, w.ticket, (w.node = ?1::bigint)::integer, w.match, "
                     "(SELECT n.path FROM chain c JOIN node n ON n.id = c.owner "
                     "AND n.expires > sk_now() WHERE c.match = w.match)",
                     players, stored) &&
           take_rows(postgres, queue,
                     "SELECT w.player, w.ticket, (w.node = ?1::bigint)::integer, w.match, n.path "
                     "FROM waiting w LEFT JOIN chain c ON c.match = w.match "
                     "LEFT JOIN node n ON n.id = c.owner AND n.expires > sk_now() "
                     "WHERE w.node = ?1::bigint OR w.player = ANY((?2::text)::bigint[])",
                     players, NULL);
}

/* ---- what this node knows ---------------------------------------------------------------- */

/* If another node has seated the player just now, there is no ticket: that node's row stays. */
static bool
insert_wait(struct postgres *postgres, struct store_wait *wait)
{
    struct row row;

    (void)postgres_own(
        postgres,
        "INSERT INTO waiting AS w (player, node, key, seats, rating_min, "
        "rating_max, seek, rating) "
        "VALUES (?1, ?2, sha256(convert_to(?3::text, 'UTF8')), ?4, ?5, ?6, ?7::text, "
        "coalesce((SELECT round(t.rating)::integer FROM standing t "
        "WHERE t.player = ?1::bigint AND t.ruleset = (?7::text)::json ->> 'ruleset'), 1500)) "
        "ON CONFLICT (player) DO UPDATE SET ticket = excluded.ticket, "
        "node = excluded.node, key = excluded.key, seats = excluded.seats, "
        "rating_min = excluded.rating_min, rating_max = excluded.rating_max, "
        "seek = excluded.seek, rating = excluded.rating "
        "WHERE w.match IS NULL RETURNING ticket",
        &row);
    row_put_number(&row, wait->player);
    row_put_number(&row, postgres->sql.options->node->id);
    row_put_text(&row, wait->key);
    row_put_number(&row, wait->seats);
    row_put_number(&row, wait->rating_min);
    row_put_number(&row, wait->rating_max);
    row_put_text(&row, wait->seek);
    wait->ticket = row_step(&row) ? row_take_number(&row) : 0;
    wait->was_sent = true;
    return postgres_finish(&row);
}

static bool
insert_waits(struct postgres *postgres, struct store_queue *queue)
{
    for (uint32_t i = 0; i < queue->wait_count; i++) {
        struct store_wait *wait = &queue->waits[i];

        if (wait->key != NULL && !wait->is_over && !insert_wait(postgres, wait)) {
            return false;
        }
    }
    return true;
}

/* ---- who can play ------------------------------------------------------------------------ */

#define LOOK_MAX 4096 /* those who wait longest; comparing all pairs of them takes milliseconds */

struct place {
    int64_t player;
    int64_t ticket;
    bool is_here;     /* at this node */
    bool is_next_key; /* the first with its key */
    bool is_taken;
    int32_t seats;
    int32_t rating;
    int32_t rating_min;
    int32_t rating_max;
};

static const char places_sql[] =
    "SELECT w.player, w.ticket, (w.node = ?1::bigint)::integer, "
    "(lag(w.key) OVER (ORDER BY w.key, w.ticket) IS DISTINCT FROM w.key)::integer, w.seats, "
    "w.rating, w.rating_min, w.rating_max FROM (SELECT * FROM waiting o WHERE o.match IS NULL "
    "AND o.key IN (SELECT k.key FROM waiting k WHERE k.node = ?1::bigint) "
    "AND EXISTS (SELECT 1 FROM player p WHERE p.id = o.player) "
    "ORDER BY o.ticket LIMIT " SK_LIMIT_TEXT(LOOK_MAX) ") w ORDER BY w.key, w.ticket";

static bool
read_places(struct postgres *postgres, struct place places[LOOK_MAX], uint32_t *ret_count)
{
    uint32_t count = 0;
    struct row row;

    (void)postgres_own(postgres, places_sql, &row);
    row_put_number(&row, postgres->sql.options->node->id);
    while (count < LOOK_MAX && row_step(&row)) {
        struct place *place = &places[count++];

        *place = (struct place){ .player = row_take_number(&row) };
        place->ticket = row_take_number(&row);
        place->is_here = row_take_number(&row) != 0;
        place->is_next_key = row_take_number(&row) != 0;
        place->seats = (int32_t)row_take_number(&row);
        place->rating = (int32_t)row_take_number(&row);
        place->rating_min = (int32_t)row_take_number(&row);
        place->rating_max = (int32_t)row_take_number(&row);
    }
    *ret_count = count;
    return postgres_finish(&row);
}

/* A range that goes to the limit has none there. */
static bool
is_wanted(const struct place *place, const struct place *by)
{
    return (by->rating_min == 0 || place->rating >= by->rating_min) &&
           (by->rating_max == FRAME_RATING_MAX || place->rating <= by->rating_max);
}

/* The match of the first place: fills in who plays it, and returns how many were found. */
static int32_t
find_match(struct place *first, const struct place *end, struct place *found[STORE_SEATS_MAX])
{
    int32_t count = 1;

    found[0] = first;
    for (struct place *it = first + 1; it < end && !it->is_next_key && count < first->seats; it++) {
        bool fits = !it->is_taken;

        for (int32_t i = 0; fits && i < count; i++) {
            fits = is_wanted(it, found[i]) && is_wanted(found[i], it);
        }
        if (fits) {
            found[count++] = it;
        }
    }
    return count;
}

static void
add_partners(struct store_queue *queue, struct place *const found[STORE_SEATS_MAX], int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        found[i]->is_taken = true;
        if (found[count - 1]->is_here) {
            struct store_partner *partner = store_queue_add_partner(queue);

            *partner = (struct store_partner){ .player = found[i]->player,
                                               .ticket = found[i]->ticket,
                                               .is_here = found[i]->is_here,
                                               .seats = count };
        }
    }
}

static void
find_partners(struct store_queue *queue, struct place *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct place *found[STORE_SEATS_MAX];

        if (!places[i].is_taken &&
            find_match(&places[i], places + count, found) == places[i].seats) {
            add_partners(queue, found, places[i].seats);
        }
    }
}

/* Of the partners only: a crowd that waits is compared without its names. */
static bool
read_names(struct postgres *postgres, struct store_queue *queue)
{
    size_t size = (size_t)(queue->partner_count + 1) * NUMBER_MAX;
    char *players = heap_memory(size);
    size_t used = 0;
    uint32_t i = 0;
    struct row row;

    for (uint32_t k = 0; k < queue->partner_count; k++) {
        add_number(players, size, &used, queue->partners[k].player);
    }
    end_list(players, size, used);
    (void)postgres_own(postgres,
                       "SELECT p.name, p.is_bot FROM unnest((?1::text)::bigint[]) "
                       "WITH ORDINALITY AS l(id, place) JOIN player p ON p.id = l.id "
                       "ORDER BY l.place",
                       &row);
    row_put_text(&row, players);
    while (i < queue->partner_count && row_step(&row)) {
        (void)row_take_copy(&row, &queue->partners[i].name);
        queue->partners[i++].is_bot = row_take_number(&row) != 0;
    }
    free(players);
    return postgres_finish(&row) && i == queue->partner_count;
}

static bool
read_partners(struct postgres *postgres, struct store_queue *queue)
{
    struct place *places = heap_memory(LOOK_MAX * sizeof(*places));
    uint32_t count = 0;
    bool is_fine = read_places(postgres, places, &count);

    store_queue_clear_partners(queue);
    if (is_fine) {
        find_partners(queue, places, count);
        is_fine = queue->partner_count == 0 || read_names(postgres, queue);
    }
    free(places);
    return is_fine;
}

enum outcome
postgres_queue(struct sql *sql, struct store_job *job)
{
    struct postgres *postgres = (struct postgres *)sql;
    struct store_queue *queue = &job->queue;
    char *players;
    char *stored;
    bool is_fine;

    if (sql->options->node == NULL) {
        return OUTCOME_OK;
    }
    players = write_players(queue, true);
    stored = write_players(queue, false);
    is_fine = take_waits(postgres, queue, players, stored) && insert_waits(postgres, queue) &&
              read_partners(postgres, queue);
    free(players);
    free(stored);
    return is_fine ? OUTCOME_OK : OUTCOME_ERROR;
}

/* ---- tickets ----------------------------------------------------------------------------- */

/* Players of this node are told by the create; for others the row is the message. */
static const char use_sql[] =
    "WITH held AS (SELECT w.player, w.node FROM waiting w "
    "WHERE w.ticket = ANY((?1::text)::bigint[]) AND w.match IS NULL ORDER BY w.player FOR UPDATE), "
    "here AS (DELETE FROM waiting w USING held h "
    "WHERE w.player = h.player AND h.node = ?2::bigint RETURNING 1), "
    "there AS (UPDATE waiting w SET match = ?3::bigint FROM held h "
    "WHERE w.player = h.player AND h.node <> ?2::bigint RETURNING 1) "
    "SELECT (SELECT count(*) FROM here) + (SELECT count(*) FROM there)";

enum outcome
postgres_tickets_use(struct postgres *postgres, struct store_job *job)
{
    char tickets[(STORE_SEATS_MAX + 1) * NUMBER_MAX];
    size_t used = 0;
    int64_t left = 0;
    struct row row;

    for (int i = 0; i < STORE_SEATS_MAX; i++) {
        if (job->seats[i].ticket != 0) {
            add_number(tickets, sizeof(tickets), &used, job->seats[i].ticket);
            left++;
        }
    }
    if (left == 0 || postgres->sql.options->node == NULL) {
        return OUTCOME_OK;
    }
    end_list(tickets, sizeof(tickets), used);
    (void)postgres_own(postgres, use_sql, &row);
    row_put_text(&row, tickets);
    row_put_number(&row, postgres->sql.options->node->id);
    row_put_number(&row, job->match_id);
    left -= row_step(&row) ? row_take_number(&row) : 0;
    if (!postgres_finish(&row)) {
        return OUTCOME_ERROR;
    }
    return left == 0 ? OUTCOME_OK
                     : job_refuse(job, STORE_TAKEN, "%lld of its players wait no longer",
                                  (long long)left);
}
