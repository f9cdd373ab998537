/*
 * HTTP requests: each is answered once.
 */
#include <stdlib.h>

#include "tests/sim/sim.h"

void
sim_end_request(struct sim *sim, int number)
{
    if (sim->requests[number].context != NULL) {
        host_http_end(sim->host, &sim->requests[number]);
        sim->requests[number] = (struct http_request){ 0 };
        sim->is_asking[number] = false;
    }
}

static void
http_answered(struct http_request *request, const struct http_answer *answer)
{
    struct sim *sim = request->context;
    size_t number = (size_t)(request - sim->requests);

    if (!answer->is_constant) {
        free(answer->body);
    }
    if (!sim->is_asking[number]) {
        sim_broken(sim, PROMISE_ANSWERS, "HTTP request %zu is answered (%d) twice", number,
                   answer->status);
    }
    sim->is_asking[number] = false;
}

/* Answers are read with the next request; then the oldest waiting one gives up. */
static int
free_request(struct sim *sim)
{
    for (int i = 0; i < SIM_REQUESTS; i++) {
        if (!sim->is_asking[i]) {
            sim_end_request(sim, i);
            return i;
        }
    }
    sim_end_request(sim, 0);
    return 0;
}

void
sim_ask_http(struct sim *sim, int device, const char *path)
{
    const char *token = sim->devices[device].has_token ? sim->devices[device].token : NULL;

    char address[] = "10.0.0.0";
    int number;

    if (sim->host == NULL) {
        return;
    }
    number = free_request(sim);
    address[sizeof(address) - 2] = (char)('0' + device % 10);
    sim->is_asking[number] = true;
    sim->requests[number] = (struct http_request){ .answer = http_answered, .context = sim };
    if (host_http_begin(sim->host, &sim->requests[number], address, HTTP_COST_API)) {
        host_http_get(sim->host, &sim->requests[number], path, "", token);
    }
}
