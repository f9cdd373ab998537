/*
 * sql_put - columns of a row as members of JSON, for the texts of lists and HTTP.
 *
 * Internal to server/store.
 *
 * Owner:   the caller.
 * Threads: one at a time, as backend.h says.
 */
#ifndef SK_STORE_SQL_PUT_H
#define SK_STORE_SQL_PUT_H

#include "server/store/json_text.h"
#include "server/store/sql.h"

/* Each takes the next column; NULL becomes null. */
void row_write_number(struct sk_json_out *out, const char *key, struct row *row);
void row_write_bool(struct sk_json_out *out, const char *key, struct row *row);
void row_write_text(struct sk_json_out *out, const char *key, struct row *row);
void row_write_text_if_any(struct sk_json_out *out, const char *key, struct row *row);
void row_write_json(struct sk_json_out *out, const char *key, struct row *row);
void row_write_json_checked(struct sk_json_out *out, const char *key, struct row *row);

/* Ends a statement that was prepared for one job. */
enum outcome text_finish(struct sql *sql, struct row *row);

/* The limit that was asked for, within these. */
int32_t text_limit(const struct store_text_query *query, int32_t standard, int32_t max);

/* For json_text_add: `{"KEY":[`; the context is the key. */
void text_begin_list(struct sk_json_out *out, const void *context);

/* ---- standings (sql_standing.c) ---------------------------------------------------------- */

enum outcome text_leaderboard(struct sql *sql, struct store_job *job, struct json_text *text);
enum outcome text_queue(struct sql *sql, struct store_job *job, struct json_text *text);
enum outcome text_player(struct sql *sql, struct store_job *job, struct json_text *text);

#endif /* SK_STORE_SQL_PUT_H */
