/*
 * browser - shows a match on the server's page, in the user's browser.
 */
#ifndef SK_CLI_BROWSER_H
#define SK_CLI_BROWSER_H

#include <stdint.h>

/* `url` is the server's, as ws:// or http://.  Prints the address if no browser can be started. */
void browser_open(const char *url, int64_t match);

#endif /* SK_CLI_BROWSER_H */
