/*
 * protocol_tables FILE - prints PROTOCOL.md with its generated parts up to date.
 *
 *     build/asan/tests/protocol_tables proto/PROTOCOL.md >new && mv new proto/PROTOCOL.md
 */
#include <stdio.h>

#include "tests/support/protocol.h"

int
main(int count, char **arguments)
{
    struct words text;
    struct words filled;

    if (count != 2) {
        fputs("usage: protocol_tables FILE\n", stderr);
        return 2;
    }
    words_init(&text);
    words_init(&filled);
    words_read_file(&text, arguments[1]);
    protocol_fill(text.at, &filled);
    fputs(filled.at, stdout);
    words_fini(&filled);
    words_fini(&text);
    return 0;
}
