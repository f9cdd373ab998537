/*
 * The net layer's counters for Prometheus.
 */
#include "server/metrics_out.h"
#include "server/net/internal.h"

static void
add_refusals(struct metrics_out *out, const struct net *net)
{
    static const char name[] = "skirmish_net_refused_total";
#define NET_REFUSAL_WORD(number, word) word,
    static const char *const words[REFUSED_COUNT] = { NET_REFUSALS(NET_REFUSAL_WORD) };
#undef NET_REFUSAL_WORD

    metrics_counters(out, name, "Connections refused or cut.");
    for (size_t i = 0; i < REFUSED_COUNT; i++) {
        struct metrics_label label = { "check", words[i] };

        metrics_sample(out, name, &label, 1, net->refused[i]);
    }
}

void
net_metrics(const struct net *net, struct metrics_out *out)
{
    metrics_gauge(out, "skirmish_net_connections", "TCP connections that are open.",
                  (uint64_t)net->game.connections);
    metrics_gauge(out, "skirmish_net_websockets", "WebSockets that are open.", net->sockets.count);
    metrics_counter(out, "skirmish_net_accepted_total", "TCP connections so far.", net->accepted);
    metrics_counter(out, "skirmish_net_received_messages_total", "Messages from clients.",
                    net->messages_in);
    metrics_counter(out, "skirmish_net_received_bytes_total", "Text of these messages.",
                    net->bytes_in);
    metrics_counter(out, "skirmish_net_sent_messages_total", "Messages to clients.",
                    net->messages_out);
    metrics_counter(out, "skirmish_net_sent_bytes_total", "Text of these messages.",
                    net->bytes_out);
    add_refusals(out, net);
}
