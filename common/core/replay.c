#include "common/core/replay.h"

#include <string.h>

enum sk_status
sk_replay_run(struct sk_match *match, struct sk_turn *turn, struct sk_replay_source *source,
              struct sk_replay_result *ret_result)
{
    struct sk_replay_turn stored;

    *ret_result = (struct sk_replay_result){ 0 };
    memset(&stored, 0, sizeof(stored));
    while (source->next(source, &stored)) {
        uint64_t found;

        memcpy(match->commands, stored.commands, sizeof(match->commands));
        sk_match_resolve(match, turn);
        found = sk_turn_hash(turn);
        if (found != stored.hash) {
            ret_result->expected = stored.hash;
            ret_result->found = found;
            return SK_ERR_DIFFERS;
        }
        sk_match_commit(match, turn);
        ret_result->turns++;
        memset(&stored, 0, sizeof(stored));
    }
    return SK_OK;
}
