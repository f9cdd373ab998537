/*
 * The leaderboard, who waits in the queue, and what is known about one player:
 * standings, ratings match by match, and the results against each opponent.
 */
#include "server/store/options.h"
#include "server/store/sql_put.h"

/* As the view defines it, but through the index: the cost does not grow with the number of
 * players. */
#define STANDING_SQL                                                                              \
    "SELECT p.id, p.name, p.is_bot, t.games, t.wins, t.draws, t.losses, "                         \
    "CAST(round(t.rating) AS INTEGER), CAST(round(t.deviation) AS INTEGER), t.deviation > 110.0 " \
    "FROM standing t JOIN player p ON p.id = t.player WHERE t.ruleset = ? "
static const struct sql_text own_standing_sql = { STANDING_SQL "AND t.player = ? LIMIT ?", NULL };
static const struct sql_text leaders_sql = {
    STANDING_SQL
    "ORDER BY t.deviation > 110.0, t.rating DESC, t.wins DESC, t.losses, t.player LIMIT ?",
    NULL,
};

/* Ratings exist per ruleset, so there is none for all together. */
static const struct sql_text all_leaders_sql = {
    "SELECT p.id AS player, p.name, p.is_bot, sum(t.games), sum(t.wins) AS wins, sum(t.draws), "
    "sum(t.losses) AS losses FROM standing t JOIN player p ON p.id = t.player "
    "GROUP BY p.id ORDER BY wins DESC, losses, p.id LIMIT ?",
    NULL,
};

/* ---- leaderboard ------------------------------------------------------------------------- */

/* The columns after the player's: counts and, if there are more columns, the rating. */
static void
write_standing(struct sk_json_out *out, struct row *row)
{
    row_write_number(out, "games", row);
    row_write_number(out, "wins", row);
    row_write_number(out, "draws", row);
    row_write_number(out, "losses", row);
    if (row->calls->column_count(row) > row->next) {
        row_write_number(out, "rating", row);
        row_write_number(out, "deviation", row);
        row_write_bool(out, "provisional", row);
    }
}

static void
write_leader(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_number(out, "player", &row);
    row_write_text(out, "name", &row);
    row_write_bool(out, "bot", &row);
    write_standing(out, &row);
    sk_json_end_object(out);
}

static void
write_board_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_list(out);
    sk_json_end_object(out);
}

/* For one ruleset, for all together, or for the asker in one. */
static const struct sql_text *
leaders_of(const struct store_text_query *query)
{
    if (query->ruleset[0] == '\0') {
        return &all_leaders_sql;
    }
    return query->player != 0 ? &own_standing_sql : &leaders_sql;
}

enum outcome
text_leaderboard(struct sql *sql, struct store_job *job, struct json_text *text)
{
    const struct store_text_query *query = &job->query;
    struct row row;

    if (!sql->calls->prepare(sql, leaders_of(query), &row)) {
        return OUTCOME_ERROR;
    }
    if (query->ruleset[0] != '\0') {
        row_put_text(&row, query->ruleset);
    }
    if (query->ruleset[0] != '\0' && query->player != 0) {
        row_put_number(&row, query->player);
    }
    row_put_number(&row, text_limit(query, STORE_LIST_DEFAULT, STORE_LIST_MAX));
    json_text_add(text, text_begin_list, "leaderboard");
    while (row_step(&row)) {
        json_text_add(text, write_leader, &row);
    }
    json_text_add(text, write_board_end, NULL);
    return text_finish(sql, &row);
}

/* ---- the queue --------------------------------------------------------------------------- */

#define SEEK_COLUMNS \
    "SELECT p.name, p.is_bot, CAST(round(t.rating) AS INTEGER), t.deviation > 110.0, "
static const struct sql_text queue_sql = {
    SEEK_COLUMNS
    "json_extract(e.value, '$.seek') FROM json_each(?) e "
    "JOIN player p ON p.id = json_extract(e.value, '$.player') LEFT JOIN standing t "
    "ON t.player = p.id AND t.ruleset = json_extract(e.value, '$.seek.ruleset') ORDER BY e.key",
    SEEK_COLUMNS "w.seek FROM waiting w JOIN player p ON p.id = w.player LEFT JOIN standing t "
                 "ON t.player = p.id AND t.ruleset = w.seek::json ->> 'ruleset' "
                 "WHERE w.match IS NULL ORDER BY w.ticket LIMIT " SK_LIMIT_TEXT(STORE_LIST_DEFAULT),
};

static void
write_waiting(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_text(out, "name", &row);
    row_write_bool(out, "bot", &row);
    row_write_number(out, "rating", &row);
    row_write_bool(out, "provisional", &row);
    row_write_json(out, "seek", &row);
    sk_json_end_object(out);
}

/* With one node the host has handed over who waits. */
enum outcome
text_queue(struct sql *sql, struct store_job *job, struct json_text *text)
{
    struct row row;

    if (!sql->calls->prepare(sql, &queue_sql, &row)) {
        return OUTCOME_ERROR;
    }
    if (job->text.at != NULL) {
        row_put_text_of(&row, job->text.at, job->text.length);
    }
    json_text_add(text, text_begin_list, "queue");
    while (row_step(&row)) {
        json_text_add(text, write_waiting, &row);
    }
    json_text_add(text, write_board_end, NULL);
    return text_finish(sql, &row);
}

/* ---- one player -------------------------------------------------------------------------- */

/* The player's newest matches ?1 that ?2 may see: private ones only if it is themselves. */
#define NEWEST                                                                             \
    "FROM (SELECT match, seat, rating_before, rating_after FROM seat WHERE player = ?1 "   \
    "ORDER BY match DESC LIMIT " SK_LIMIT_TEXT(                                            \
        STORE_PROFILE_MATCHES) ") s "                                                      \
                               "JOIN match m ON m.id = s.match AND m.status = 'over' AND " \
                               "m.started_at IS NOT NULL "                                 \
                               "AND (m.is_open = 1 OR ?2 = 1) "

static const struct sql_text player_sql = { "SELECT id, name, is_bot FROM player WHERE id = ?",
                                            NULL };
static const struct sql_text standings_sql = {
    "SELECT ruleset, games, wins, draws, losses, CAST(round(rating) AS INTEGER), "
    "CAST(round(deviation) AS INTEGER), deviation > 110.0 FROM standing WHERE player = ?1 "
    "ORDER BY ruleset",
    NULL,
};
static const struct sql_text history_sql = {
    "SELECT m.id, m.ruleset, m.ended_at, CAST(round(s.rating_after) AS INTEGER), "
    "CAST(round(s.rating_after) AS INTEGER) - CAST(round(s.rating_before) AS INTEGER) " NEWEST
    "WHERE s.rating_after IS NOT NULL ORDER BY m.ended_at DESC, m.id DESC "
    "LIMIT " SK_LIMIT_TEXT(STORE_LIST_MAX),
    NULL,
};
static const struct sql_text opponents_sql = {
    "SELECT p.id, p.name, p.is_bot, count(*) AS games, "
    "count(*) FILTER (WHERE m.winner = s.seat) AS won, "
    "count(*) FILTER (WHERE m.winner IS NULL AND m.reason LIKE 'draw%') AS drawn, "
    "count(*) FILTER (WHERE m.winner = o.seat) AS lost " NEWEST
    "JOIN seat o ON o.match = s.match AND o.seat <> s.seat AND o.player <> ?1 "
    "JOIN player p ON p.id = o.player GROUP BY p.id, p.name, p.is_bot "
    "ORDER BY games DESC, p.id LIMIT " SK_LIMIT_TEXT(STORE_LIST_DEFAULT),
    NULL,
};

static void
write_player(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_number(out, "id", &row);
    row_write_text(out, "name", &row);
    row_write_bool(out, "bot", &row);
}

static void
write_own_standing(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_text(out, "ruleset", &row);
    write_standing(out, &row);
    sk_json_end_object(out);
}

static void
write_rated(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_number(out, "match", &row);
    row_write_text(out, "ruleset", &row);
    row_write_number(out, "ended_at", &row);
    row_write_number(out, "rating", &row);
    row_write_number(out, "change", &row);
    sk_json_end_object(out);
}

static void
write_opponent(struct sk_json_out *out, const void *context)
{
    struct row row = *(const struct row *)context;

    sk_json_begin_object(out);
    row_write_number(out, "player", &row);
    row_write_text(out, "name", &row);
    row_write_bool(out, "bot", &row);
    row_write_number(out, "games", &row);
    row_write_number(out, "won", &row);
    row_write_number(out, "drawn", &row);
    row_write_number(out, "lost", &row);
    sk_json_end_object(out);
}

struct profile_list {
    const char *name;
    const struct sql_text *sql;
    void (*write)(struct sk_json_out *out, const void *row);
    bool has_asker; /* the second parameter */
};

static const struct profile_list profile_lists[] = {
    { "standings", &standings_sql, write_own_standing, false },
    { "history", &history_sql, write_rated, true },
    { "opponents", &opponents_sql, write_opponent, true },
};

static void
write_key(struct sk_json_out *out, const void *context)
{
    const char *key = context;

    sk_json_key(out, key);
    sk_json_begin_list(out);
}

static void
write_list_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_list(out);
}

static void
write_profile_end(struct sk_json_out *out, const void *context)
{
    (void)context;
    sk_json_end_object(out);
}

static enum outcome
profile_add(struct sql *sql, const struct profile_list *list, int64_t player, bool is_own,
            struct json_text *text)
{
    struct row row;

    if (!sql->calls->prepare(sql, list->sql, &row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&row, player);
    if (list->has_asker) {
        row_put_number(&row, is_own ? 1 : 0);
    }
    json_text_add(text, write_key, list->name);
    while (row_step(&row)) {
        json_text_add(text, list->write, &row);
    }
    json_text_add(text, write_list_end, NULL);
    return text_finish(sql, &row);
}

enum outcome
text_player(struct sql *sql, struct store_job *job, struct json_text *text)
{
    const struct store_text_query *query = &job->query;
    int64_t player = query->subject != 0 ? query->subject : query->player;
    enum outcome outcome;
    struct row row;
    bool is_there;

    if (!sql->calls->prepare(sql, &player_sql, &row)) {
        return OUTCOME_ERROR;
    }
    row_put_number(&row, player);
    is_there = row_step(&row);
    if (is_there) {
        json_text_add(text, write_player, &row);
    }
    outcome = text_finish(sql, &row);
    if (outcome == OUTCOME_OK && !is_there) {
        return job_refuse(job, STORE_NOT_FOUND, "there is no player %lld", (long long)player);
    }
    for (size_t i = 0; i < sizeof(profile_lists) / sizeof(profile_lists[0]); i++) {
        if (outcome == OUTCOME_OK) {
            outcome = profile_add(sql, &profile_lists[i], player, player == query->player, text);
        }
    }
    if (outcome == OUTCOME_OK) {
        json_text_add(text, write_profile_end, NULL);
    }
    return outcome;
}
