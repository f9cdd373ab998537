#include "proto/command_lists.h"

#include "proto/json_value.h"
#include "proto/schema_read.h"

enum sk_status
sk_command_lists_read(const struct sk_variants *variants, const struct sk_value *json,
                      const struct sk_value *own, uint8_t seat_count, struct sk_arena *arena,
                      struct sk_commands *ret_commands, struct sk_fault *ret_fault)
{
    const struct sk_value *item = sk_value_first(json);
    bool has_own = sk_value_is(own, SK_VALUE_LIST) && own->count == seat_count;
    const struct sk_value *own_item = has_own ? sk_value_first(own) : NULL;

    if (!sk_value_is(json, SK_VALUE_LIST) || json->count != seat_count) {
        sk_fault_set(ret_fault, "malformed",
                     "commands must be a list of one list for each of the ");
        sk_fault_say_number(ret_fault, seat_count);
        sk_fault_say(ret_fault, " seats");
        return SK_ERR_REFUSED;
    }
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        struct sk_list list;
        enum sk_status status = sk_commands_read(
            variants, has_own && sk_value_is(item, SK_VALUE_NULL) ? own_item : item,
            SK_COMMANDS_MAX, arena, &list, ret_fault);

        if (status != SK_OK) {
            sk_fault_inside_index(ret_fault, seat);
            return status;
        }
        ret_commands[seat] = (struct sk_commands){ list.at, list.count };
        item = sk_value_next(item);
        own_item = has_own ? sk_value_next(own_item) : NULL;
    }
    return SK_OK;
}
