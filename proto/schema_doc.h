/*
 * JSON Schemas (draft 2020-12) out of member tables.
 *
 * A document that a schema here refuses is refused by the reader too; the
 * reader alone knows two rules more, lengths in bytes and keys that stand
 * twice, as JSON Schema cannot say them.
 */
#ifndef SK_SCHEMA_DOC_H
#define SK_SCHEMA_DOC_H

#include "common/core/schema.h"
#include "proto/json_out.h"

struct sk_ruleset;

void sk_schema_document(struct sk_json_out *out, const struct sk_schema *schema);
void sk_variants_document(struct sk_json_out *out, const struct sk_variants *variants);

/*
 * Everything a client can know of a ruleset beforehand: name, version,
 * summary, the schemas of params, state, view, command and event, and the
 * names of its checks, stages, verdicts and reasons.
 */
void sk_ruleset_document(struct sk_json_out *out, const struct sk_ruleset *ruleset);

#endif /* SK_SCHEMA_DOC_H */
