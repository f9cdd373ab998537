/*
 * Reads documents that this program wrote, with json-c: numbers may have 64
 * bits.  JSON from outside is read by sk_json_parse.
 *
 * Owner:   the caller frees the texts.
 */
#ifndef SK_JSON_TREE_H
#define SK_JSON_TREE_H

#include <stddef.h>

/* The compact text of a document's member; NULL if it does not exist or the document is invalid. */
char *sk_json_member_text(const char *document, size_t length, const char *name);

#endif /* SK_JSON_TREE_H */
