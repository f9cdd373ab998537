/*
 * Texts of the host: JSON on the heap.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/schema_write.h"
#include "server/host/room.h"

/* Writes into the host's buffer, larger if need be, and copies what came out. */
char *
host_json(struct host *host, void (*write)(struct sk_json_out *out, const void *what),
          const void *what)
{
    struct sk_json_out out;

    for (;;) {
        sk_json_out_init(&out, host->out, host->out_size);
        write(&out, what);
        if (sk_json_out_is_whole(&out)) {
            return host_text((struct sk_text){ host->out, (uint32_t)out.used });
        }
        free(host->out);
        host->out_size = 2 * out.used;
        host->out = host_memory(host->out_size);
    }
}

struct form_writing {
    const struct sk_schema *schema;
    const void *form;
};

static void
write_form(struct sk_json_out *out, const void *what)
{
    const struct form_writing *writing = what;

    sk_form_write(out, writing->schema, writing->form);
}

char *
host_json_form(struct host *host, const struct sk_schema *schema, const void *form)
{
    struct form_writing writing = { schema, form };

    return host_json(host, write_form, &writing);
}
