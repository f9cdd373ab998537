#include "tests/support/digest.h"

#include "common/base/hash.h"

static void digest_member(struct digest *digest, const struct sk_member *member,
                          const uint8_t *form);

void
digest_number(struct digest *digest, uint64_t number)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(number >> (8 * i));
    }
    digest->value = sk_hash_keyed(bytes, sizeof(bytes), digest->value, 1);
}

static void
digest_text(struct digest *digest, struct sk_text text)
{
    digest_number(digest, text.length);
    digest->value =
        sk_hash_keyed((const uint8_t *)(const void *)text.at, text.length, digest->value, 2);
}

static void
digest_list(struct digest *digest, const struct sk_member *member, const struct sk_list *list)
{
    digest_number(digest, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint8_t *item = sk_list_item(list, i, member->item_size);

        if (member->kind == SK_KIND_MAP) {
            digest_text(digest, *(const struct sk_text *)(const void *)item);
        }
        digest_member(digest, member->item, item);
    }
}

static void
digest_row(struct digest *digest, const struct sk_member *member, const struct sk_row *row)
{
    uint32_t max = member->max > 0 ? (uint32_t)member->max : 0;
    const uint8_t *items = (const uint8_t *)(row + 1);

    digest_number(digest, row->count);
    for (uint32_t i = 0; i < row->count && i < max; i++) {
        digest_member(digest, member->item, items + (size_t)i * member->item_size);
    }
}

static void
digest_cell(struct digest *digest, const struct sk_cell *cell)
{
    digest_number(digest, (uint32_t)cell->x);
    digest_number(digest, (uint32_t)cell->y);
}

static void
digest_member(struct digest *digest, const struct sk_member *member, const uint8_t *form)
{
    const void *at = form + member->offset;

    if ((member->flags & SK_TRACKED) != 0) {
        bool is_present = *(const bool *)(const void *)(form + member->present);

        digest_number(digest, is_present);
        if (!is_present) {
            return;
        }
    }
    switch (member->kind) {
    case SK_KIND_BOOL:
        digest_number(digest, *(const bool *)at);
        break;
    case SK_KIND_INT:
        digest_number(digest, (uint32_t) * (const int32_t *)at);
        break;
    case SK_KIND_ENUM:
        digest_number(digest, *(const uint8_t *)at);
        break;
    case SK_KIND_ID:
        digest_text(digest, sk_id_text(at));
        break;
    case SK_KIND_ID_TEXT:
    case SK_KIND_NAME:
    case SK_KIND_TEXT:
        digest_text(digest, *(const struct sk_text *)at);
        break;
    case SK_KIND_CELL:
        digest_cell(digest, at);
        break;
    case SK_KIND_OBJECT:
        digest_form(digest, member->object, at);
        break;
    case SK_KIND_LIST:
    case SK_KIND_MAP:
        digest_list(digest, member, at);
        break;
    case SK_KIND_ROW:
        digest_row(digest, member, at);
        break;
    case SK_KIND_VARIANT:
        digest_variant(digest, member->variants, at);
        break;
    case SK_KIND_LONG:
        digest_number(digest, (uint64_t) * (const int64_t *)at);
        break;
    case SK_KIND_JSON:
        break; /* text before it is written, an object after it is read */
    }
}

void
digest_form(struct digest *digest, const struct sk_schema *schema, const void *form)
{
    if (schema->base != NULL) {
        digest_form(digest, schema->base, form);
    }
    for (uint16_t i = 0; i < schema->member_count; i++) {
        digest_member(digest, &schema->members[i], form);
    }
}

void
digest_variant(struct digest *digest, const struct sk_variants *variants, const void *form)
{
    uint8_t kind = ((const uint8_t *)form)[variants->kind_offset];

    digest_number(digest, kind);
    digest_form(digest, variants->of[kind].schema, form);
}

void
digest_events(struct digest *digest, const struct sk_turn *turn)
{
    digest_number(digest, turn->events.count);
    for (const struct sk_event *event = turn->events.first; event != NULL; event = event->next) {
        digest_variant(digest, turn->ruleset->event, event);
    }
}

void
digest_verdicts(struct digest *digest, const struct sk_turn *turn, uint8_t seat)
{
    digest_number(digest, turn->commands[seat].count);
    for (uint32_t i = 0; i < turn->commands[seat].count; i++) {
        digest_number(digest, turn->judgements[seat][i].verdict);
        digest_number(digest, turn->judgements[seat][i].check);
    }
}
