#include "server/cli/forget.h"

#include <stdio.h>
#include <unistd.h>

#include "server/cli/admin.h"
#include "server/cli/cli.h"
#include "server/cli/report.h"
#include "server/store/archive.h"

/* A running daemon does it itself, because it has the player's connections and shows the name. */
int
cli_player_forget(const char *database, const char *name, bool is_meant)
{
    struct admin_request_line request = { .command = ADMIN_FORGET, .player = sk_text_of(name) };
    const char *socket = cli_admin_socket(NULL, database);
    struct archive *archive = NULL;
    struct sk_fault fault;
    enum sk_status status;

    if (!is_meant || !cli_admin_is_answered(socket)) {
        struct report report = report_of("player forget");
        int found;

        report.database = database;
        found = report_expect_player(&report, name);
        if (found != CLI_OK) {
            return found;
        }
    }
    if (!is_meant) {
        printf("would erase the name and the token of %s; the matches stay.  --yes does it,\n"
               "and it cannot be taken back\n",
               name);
        return CLI_OK;
    }
    if (cli_admin_is_answered(socket)) {
        return cli_admin_ask("player forget", socket, &request, TABLE_PLAIN);
    }
    status = archive_open_to_write(database, &archive, &fault);
    if (status == SK_OK) {
        status = archive_forget(archive, name, (int64_t)geteuid(), &fault);
    }
    archive_close(archive);
    if (status != SK_OK) {
        return cli_fail("player forget", &fault);
    }
    printf("forgotten\n");
    return CLI_OK;
}
