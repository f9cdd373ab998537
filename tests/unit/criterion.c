/* What Criterion programs have beside their tests: tables of cases, and a faster start. */
#include <criterion/criterion.h>
#include <criterion/event.h>
#include <stdio.h>

#include "tests/support/cases.h"

/* ---- tables of cases --------------------------------------------------------------------- */

static const size_t *current_case;

void
cases_run(size_t count, void (*run)(size_t *index))
{
    cr_assert_gt(count, 0u, "a table without a case");
    for (size_t i = 0; i < count; i++) {
        size_t index = i;

        current_case = &i;
        cr_log_info("case %zu", i);
        run(&index);
    }
    current_case = NULL;
}

/* The linker's names: assertions call the one, which calls Criterion's own. */
void __wrap_criterion_send_assert(struct criterion_assert_stats *stats);
void __real_criterion_send_assert(struct criterion_assert_stats *stats);

/* Called when an assertion fails: its message shall name the case. */
void
__wrap_criterion_send_assert(struct criterion_assert_stats *stats)
{
    struct criterion_assert_stats named = *stats;
    char message[8192];

    if (current_case != NULL) {
        (void)snprintf(message, sizeof message, "case %zu: %s", *current_case, stats->message);
        named.message = message;
    }
    __real_criterion_send_assert(&named);
}

/* ---- start ------------------------------------------------------------------------------- */

/*
 * Criterion uses libgit2 to show differences, and libgit2 reads all root certificates of the system
 * when it starts: that took half of the time of each of our many test processes.  No test uses
 * libgit2's network, so this function, which reads nothing, takes precedence over the library's.
 */
struct mbedtls_x509_crt;

int mbedtls_x509_crt_parse_file(struct mbedtls_x509_crt *chain, const char *path);

int
mbedtls_x509_crt_parse_file(struct mbedtls_x509_crt *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}
