#include "common/base/text.h"

#include "common/base/status.h"

static bool
is_id_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool
sk_id_is_valid(struct sk_text text)
{
    if (text.length == 0 || text.length > SK_ID_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < text.length; i++) {
        if (!is_id_character(text.at[i])) {
            return false;
        }
    }
    return true;
}

bool
sk_name_is_valid(struct sk_text text)
{
    if (text.length == 0 || text.length > SK_NAME_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.at[i] < ' ' || text.at[i] > '~') {
            return false;
        }
    }
    return true;
}

struct sk_id
sk_id_from(struct sk_text text)
{
    struct sk_id id = { { 0 } };

    SK_ASSERT(text.length <= SK_ID_MAX);
    memcpy(id.at, text.at, text.length);
    return id;
}
