/*
 * JSON Schemas (draft 2020-12) out of member tables.
 *
 * A document that a schema refuses is refused by the reader too.  The reader
 * also checks two rules that JSON Schema cannot express: lengths in bytes, and
 * duplicate keys.
 */
#ifndef SK_SCHEMA_DOC_H
#define SK_SCHEMA_DOC_H

#include "common/core/schema.h"
#include "proto/json_out.h"

void sk_schema_document(struct sk_json_out *out, const struct sk_schema *schema);
void sk_variants_document(struct sk_json_out *out, const struct sk_variants *variants);

/*
 * What a client can know about a struct sk_ruleset before a match: name, version,
 * summary, the schemas of params, state, view, command and event, the names
 * of its checks, stages, verdicts and reasons, the numbers of its rules, and
 * the default params.
 */
void sk_ruleset_document(struct sk_json_out *out, const void *ruleset);

#endif /* SK_SCHEMA_DOC_H */
