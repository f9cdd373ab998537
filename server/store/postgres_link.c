#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"
#include "server/store/address.h"
#include "server/store/postgres.h"

#define LOOK_MS 50 /* between two checks whether the answer is still wanted */

/* For every connection.  Compiling a query takes longer than running it. */
#define SETTINGS                                                      \
    "SET jit = off; SET search_path = public; SET timezone = 'UTC'; " \
    "SET client_min_messages = warning; SET bytea_output = 'hex'; "   \
    "SET extra_float_digits = 1; SET lock_timeout = '10s'; "

/* ---- errors ------------------------------------------------------------------------------ */

static void
note(struct link *link, const char *state, const char *message)
{
    size_t length = strcspn(message, "\n");

    (void)snprintf(link->state, sizeof(link->state), "%s", state == NULL ? "" : state);
    (void)snprintf(link->message, sizeof(link->message), "%.*s", (int)length, message);
}

/* A commit that does not wait for its standby is reported as a success with a warning. */
static void
take_notice(void *context, const PGresult *result)
{
    struct link *link = context;
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    if (severity != NULL && state != NULL && strcmp(severity, "WARNING") == 0 &&
        (strcmp(state, "01000") == 0 || strcmp(state, "57P01") == 0)) {
        link->is_unsure = true;
    }
}

bool
link_is_open(const struct link *link)
{
    return link->connection != NULL && PQstatus(link->connection) == CONNECTION_OK;
}

/* Class 08 is the connection's, 57P the server's end. */
bool
link_is_lost(const struct link *link)
{
    return !link_is_open(link) || strncmp(link->state, "08", 2) == 0 ||
           strncmp(link->state, "57P", 3) == 0;
}

bool
link_is_disturbed(const struct link *link)
{
    return strcmp(link->state, POSTGRES_DISTURBED) == 0 ||
           strcmp(link->state, "40P01") == 0; /* a deadlock */
}

bool
link_disturb(struct link *link)
{
    (void)snprintf(link->state, sizeof(link->state), "%s", POSTGRES_DISTURBED);
    return false;
}

bool
link_check(struct link *link, const PGresult *result)
{
    switch (PQresultStatus(result)) {
    case PGRES_EMPTY_QUERY: /* a step that is only a comment */
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
    case PGRES_PIPELINE_SYNC:
        return true;
    case PGRES_PIPELINE_ABORTED:
        return false; /* the error came before */
    default:
        note(link, PQresultErrorField(result, PG_DIAG_SQLSTATE),
             result == NULL ? PQerrorMessage(link->connection) : PQresultErrorMessage(result));
        return false;
    }
}

/* ---- waiting ----------------------------------------------------------------------------- */

static void
cancel(struct link *link)
{
    PGcancel *cancel = PQgetCancel(link->connection);
    char message[BACKEND_MESSAGE_MAX + 1];

    if (cancel != NULL) {
        (void)PQcancel(cancel, message, sizeof(message));
        PQfreeCancel(cancel);
    }
}

PGresult *
link_result(struct link *link)
{
    bool is_cancelled = false;

    while (link->limits != NULL && PQisBusy(link->connection)) {
        struct pollfd wait = { .fd = PQsocket(link->connection), .events = POLLIN };

        if (!is_cancelled && sql_must_end(link->limits)) {
            cancel(link);
            is_cancelled = true;
        }
        (void)poll(&wait, 1, LOOK_MS);
        if (wait.revents != 0 && !PQconsumeInput(link->connection)) {
            break;
        }
    }
    return PQgetResult(link->connection);
}

bool
link_run(struct link *link, const char *sql)
{
    bool is_fine;
    PGresult *result;

    if (!link_is_open(link) || !PQsendQuery(link->connection, sql)) {
        note(link, "08006",
             link->connection == NULL ? "not connected" : PQerrorMessage(link->connection));
        return false;
    }
    is_fine = true;
    while ((result = link_result(link)) != NULL) {
        is_fine = link_check(link, result) && is_fine;
        PQclear(result);
    }
    return is_fine && link_is_open(link);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* libpq's messages about a malformed address have a part of it, perhaps the password. */
static bool
is_address(struct link *link)
{
    PQconninfoOption *parsed = PQconninfoParse(link->url, NULL);
    bool is_valid = parsed != NULL && address_is_escaped(link->url);

    PQconninfoFree(parsed);
    if (!is_valid) {
        note(link, "08001",
             "the address is malformed or has an unknown parameter; in a name or password write "
             "% as %25, @ as %40, / as %2F, ? as %3F");
    }
    return is_valid;
}

/* A connection that nobody answers on is noticed within seconds.  The address comes last and may
 * say otherwise. */
bool
link_open(struct link *link)
{
    const char *const names[] = {
        "connect_timeout",      "keepalives_idle",  "tcp_user_timeout",
        "keepalives_interval",  "keepalives_count", "fallback_application_name",
        "target_session_attrs", "dbname",           NULL
    };
    const char *const values[] = {
        "5", "3", "5000", "2", "2", "skirmish", link->writes ? "read-write" : "any", link->url, NULL
    };

    link_close(link);
    if (!is_address(link)) {
        return false;
    }
    link->connection = PQconnectdbParams(names, values, 1);
    if (PQstatus(link->connection) != CONNECTION_OK) {
        note(link, "08001", PQerrorMessage(link->connection));
        return false;
    }
    link->number++;
    link->is_unsure = false;
    (void)PQsetNoticeReceiver(link->connection, take_notice, link);
    return link_run(link, SETTINGS) && (link->settings == NULL || link_run(link, link->settings));
}

void
link_close(struct link *link)
{
    if (link->connection != NULL) {
        PQfinish(link->connection);
        link->connection = NULL;
    }
}

/* ---- dialects ---------------------------------------------------------------------------- */

char *
link_translate(const char *sql)
{
    char *text = heap_bytes(2 * strlen(sql) + 1);
    size_t used = 0;
    int next = 1;
    bool is_quoted = false;

    for (; *sql != '\0'; sql++) {
        is_quoted = is_quoted != (*sql == '\'');
        if (*sql != '?' || is_quoted) {
            text[used++] = *sql;
        } else if (isdigit((unsigned char)sql[1])) {
            text[used++] = '$';
        } else {
            used += (size_t)sprintf(text + used, "$%d", next++);
        }
    }
    text[used] = '\0';
    return text;
}
