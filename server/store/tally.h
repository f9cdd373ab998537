/*
 * tally - counts for predefined questions, in one pass over the records.
 *
 * SQLite's JSON functions take tens of microseconds per turn and sort every row
 * to group them; the daemon's reader takes two.  So a view that counts over all
 * records has a twin here: a temporary view of the same name and columns, which
 * hides the stored one from the connection.  The stored view
 * (migrations/sqlite) defines what is counted; a test compares the two.
 *
 * A body that the daemon could not read when loading a match counts as one that
 * is not JSON.
 *
 * Threads: the connection's.
 */
#ifndef SK_STORE_TALLY_H
#define SK_STORE_TALLY_H

struct sqlite3;

/*
 * Creates the twin of the view that `sql` uses, if it has one.  Reads every
 * record; the connection's progress handler can end it.  Returns SQLite's code,
 * also SQLITE_OK if there is nothing to do.
 */
int tally_make(struct sqlite3 *db, const char *sql);

#endif /* SK_STORE_TALLY_H */
