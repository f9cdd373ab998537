/*
 * The net's own counters for Prometheus.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "server/net/internal.h"

/* Text that grows in a fixed room; what does not fit is left out line by line. */
struct page {
    char *text;
    size_t size;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
add_line(struct page *page, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(page->text + page->used, page->size - page->used, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < page->size - page->used) {
        page->used += (size_t)length;
    }
}

static void
add_number(struct page *page, const char *name, const char *kind, const char *help, uint64_t value)
{
    add_line(page, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help, name, kind, name,
             value);
}

static void
add_refusals(struct page *page, const struct net *net)
{
#define NET_REFUSAL_WORD(number, word) word,
    static const char *const words[REFUSED_COUNT] = { NET_REFUSALS(NET_REFUSAL_WORD) };
#undef NET_REFUSAL_WORD

    add_line(page, "# HELP skirmish_net_refused_total Connections that were turned away or cut.\n"
                   "# TYPE skirmish_net_refused_total counter\n");
    for (size_t i = 0; i < REFUSED_COUNT; i++) {
        add_line(page, "skirmish_net_refused_total{check=\"%s\"} %" PRIu64 "\n", words[i],
                 net->refused[i]);
    }
}

size_t
net_metrics(const struct net *net, char *text, size_t size)
{
    struct page page = { text, size, 0 };

    add_number(&page, "skirmish_net_connections", "gauge", "TCP connections that are open.",
               (uint64_t)net->game.connections);
    add_number(&page, "skirmish_net_websockets", "gauge", "WebSockets that are open.",
               net->sockets.count);
    add_number(&page, "skirmish_net_accepted_total", "counter", "TCP connections so far.",
               net->accepted);
    add_number(&page, "skirmish_net_received_messages_total", "counter", "Messages from clients.",
               net->messages_in);
    add_number(&page, "skirmish_net_received_bytes_total", "counter", "Text of these messages.",
               net->bytes_in);
    add_number(&page, "skirmish_net_sent_messages_total", "counter", "Messages to clients.",
               net->messages_out);
    add_number(&page, "skirmish_net_sent_bytes_total", "counter", "Text of these messages.",
               net->bytes_out);
    add_refusals(&page, net);
    return page.used;
}
