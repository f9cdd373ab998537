/*
 * Names for players that a command makes up: another one each time.
 */
#ifndef SK_CLI_GUEST_H
#define SK_CLI_GUEST_H

#include <stddef.h>
#include <stdint.h>

uint32_t cli_guest_number(void);

/* The word and a number. */
void cli_guest_name(const char *word, char *ret_name, size_t size);

#endif /* SK_CLI_GUEST_H */
