/*
 * Documents that we wrote ourselves, with json-c: numbers may be of 64 bits,
 * and nothing has to be suspected.  What comes from outside is read by
 * sk_json_parse.
 *
 * Owner:   texts are on the heap and the caller's.
 */
#ifndef SK_JSON_TREE_H
#define SK_JSON_TREE_H

#include <stddef.h>

/* The compact text of a document's member; NULL when there is none, or no document. */
char *sk_json_member_text(const char *document, size_t length, const char *name);

#endif /* SK_JSON_TREE_H */
