/*
 * The checks of an audit whose SQL is the same on both databases.  Each returns
 * one row per fault: the match or NULL, where, and what.  Checks of matches are
 * limited to ?1 to ?2.
 *
 * Owner:   texts.
 * Threads: any.
 */
#ifndef SK_STORE_AUDIT_SQL_H
#define SK_STORE_AUDIT_SQL_H

#include "server/host/store_port.h"

#define AUDIT_FOUND_MAX 20 /* findings per check; more of the same say nothing new */

#define AUDIT_COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

#define MATCH_ROWS "BETWEEN ?1 AND ?2"

/* Same condition as SQL_RATED_INSERT.  Imported matches never count. */
#define COUNTS                                                           \
    "m.status = 'over' AND m.is_rated = 1 AND m.started_at IS NOT NULL " \
    "AND m.seat_count = 2 AND a.player <> b.player AND o.match IS NULL "
#define SEATS_AND_ORIGIN                                 \
    "LEFT JOIN seat a ON a.match = m.id AND a.seat = 0 " \
    "LEFT JOIN seat b ON b.match = m.id AND b.seat = 1 " \
    "LEFT JOIN origin o ON o.match = m.id "

/* The records prove a seat's is_bot; here it is compared with the player's. */
#define AUDIT_OF_MATCHES                                                                         \
    "SELECT m.id, 'chain', 'the end of its chain is missing' FROM match m "                      \
    "LEFT JOIN chain c ON c.match = m.id WHERE m.id " MATCH_ROWS " AND c.match IS NULL",         \
                                                                                                 \
        "SELECT s.match, 'seat/' || s.seat || '/origin_player', "                                \
        "CASE WHEN o.match IS NULL THEN 'the match was not imported' "                           \
        "ELSE 'in an imported match a seat has both a player and an origin player, or neither' " \
        "END FROM seat s LEFT JOIN origin o ON o.match = s.match WHERE s.match " MATCH_ROWS      \
        " AND CASE WHEN o.match IS NULL THEN s.origin_player IS NOT NULL "                       \
        "ELSE (s.origin_player IS NULL) <> (s.player IS NULL) END",                              \
                                                                                                 \
        "SELECT min(s.match), 'player/is_bot', 'player ' || p.id || ' sat down as ' || "         \
        "CASE WHEN s.is_bot = 1 THEN 'a bot' ELSE 'a person' END FROM seat s "                   \
        "JOIN player p ON p.id = s.player LEFT JOIN origin o ON o.match = s.match "              \
        "WHERE s.match " MATCH_ROWS " AND o.match IS NULL AND s.is_bot <> p.is_bot "             \
        "GROUP BY p.id, s.is_bot",                                                               \
                                                                                                 \
        "SELECT s.match, 'seat/' || s.seat || '/' || CASE WHEN (s.rating_after IS NULL) = "      \
        "(r.match IS NULL) THEN 'rating_before' ELSE 'rating_after' END, "                       \
        "CASE WHEN r.match IS NULL THEN 'the match does not count, but the seat has a rating' "  \
        "ELSE 'the match counts, but the seat has no rating' END "                               \
        "FROM seat s LEFT JOIN rated_match r ON r.match = s.match WHERE s.match " MATCH_ROWS     \
        " AND ((s.rating_after IS NULL) <> (r.match IS NULL) "                                   \
        "OR (s.rating_before IS NULL) <> (r.match IS NULL))",                                    \
                                                                                                 \
        "SELECT d.match, 'pruned/records', d.records || ' were pruned, but its chain had ' || "  \
        "coalesce(c.last_seq, 0) FROM pruned d LEFT JOIN chain c ON c.match = d.match "          \
        "WHERE d.match " MATCH_ROWS " AND d.records <> coalesce(c.last_seq, -1)",                \
                                                                                                 \
        "SELECT d.match, 'pruned/turns', 'more turns than records: ' || d.turns "                \
        "FROM pruned d WHERE d.match " MATCH_ROWS " AND d.turns NOT BETWEEN 0 AND d.records"

/* Rows that refer to another row, which must exist. */
#define ORPHAN(table, column, parent, match)                                                 \
    "SELECT " match ", '" table "/" column "', 'there is no " parent " ' || c." column       \
    " FROM " table " c WHERE c." column " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " parent \
    " p WHERE p.id = c." column ")"

#define AUDIT_OF_OTHERS                                                                            \
    ORPHAN("seat", "match", "match", "c.match"), ORPHAN("seat", "player", "player", "c.match"),    \
        ORPHAN("chain", "match", "match", "c.match"),                                              \
        ORPHAN("origin", "match", "match", "c.match"),                                             \
        ORPHAN("rated_match", "match", "match", "c.match"),                                        \
        ORPHAN("pruned", "match", "match", "c.match"),                                             \
        ORPHAN("match", "rematch_of", "match", "c.id"),                                            \
        ORPHAN("standing", "player", "player", "NULL"), ORPHAN("ban", "player", "player", "NULL"), \
        ORPHAN("admin_log", "match", "match", "c.match"),                                          \
        ORPHAN("admin_log", "player", "player", "NULL"),                                           \
        ORPHAN("bot_call_log", "match", "match", "c.match"),                                       \
                                                                                                   \
        "SELECT NULL, 'player/bot', 'player ' || id || ' is one of the server''s bots, but is "    \
        "not marked as a bot' FROM player WHERE bot IS NOT NULL AND is_bot = 0",                   \
        "SELECT NULL, 'player/forgotten_at', 'player ' || id || ' is forgotten, but data is left'" \
        " FROM player WHERE forgotten_at IS NOT NULL "                                             \
        "AND (created_at <> 0 OR last_seen IS NOT NULL OR name <> '" STORE_FORGOTTEN "' || id)",   \
        "SELECT NULL, 'player/forgotten_at', 'player ' || id || ' is not marked as forgotten, "    \
        "but looks so' FROM player WHERE forgotten_at IS NULL AND (created_at = 0 "                \
        "OR substr(name, 1, length('" STORE_FORGOTTEN "')) = '" STORE_FORGOTTEN "')",              \
                                                                                                   \
        "SELECT c.match, 'bot_call_log/' || CASE WHEN s.seat IS NULL THEN 'seat' ELSE 'bot' END, " \
        "'call ' || c.id || ' is for a seat that this bot does not play' FROM bot_call_log c "     \
        "JOIN match m ON m.id = c.match LEFT JOIN seat s ON s.match = c.match "                    \
        "AND s.seat = c.seat LEFT JOIN player p ON p.id = s.player "                               \
        "WHERE coalesce(p.bot, '') <> coalesce(c.bot, '')"

/* What is stored and what the matches give are tables of the same names in these schemas. */
#define STANDING(stored, given, column)                                                    \
    "SELECT NULL, 'standing/" column "', 'player ' || a.player || ' in ' || a.ruleset || " \
    "': ' || a." column " || ' is stored, the matches give ' || b." column " FROM " stored \
    ".standing a JOIN " given ".standing b ON b.ruleset = a.ruleset "                      \
    "AND b.player = a.player WHERE a." column " IS DISTINCT FROM b." column

#define STANDINGS_WITHOUT(these, those, words)                                      \
    "SELECT NULL, 'standing', 'player ' || player || ' in ' || ruleset || ' " words \
    "' FROM (SELECT ruleset, player FROM " these ".standing EXCEPT "                \
    "SELECT ruleset, player FROM " those ".standing) d"

#define AUDIT_OF_STANDINGS(stored, given)                                                 \
    STANDINGS_WITHOUT(stored, given, "has no match that counts"),                         \
        STANDINGS_WITHOUT(given, stored, "is missing"), STANDING(stored, given, "games"), \
        STANDING(stored, given, "wins"), STANDING(stored, given, "draws"),                \
        STANDING(stored, given, "losses"), STANDING(stored, given, "rating"),             \
        STANDING(stored, given, "deviation"), STANDING(stored, given, "volatility"),      \
        STANDING(stored, given, "rated_at")

#define SEAT_RATING(stored, given, column)                                                  \
    "SELECT a.match, 'seat/' || a.seat || '/" column "', coalesce(CAST(a." column           \
    " AS TEXT), 'nothing') || ' is stored, the matches give ' || b." column " FROM " stored \
    ".seat a JOIN " given ".seat b ON b.match = a.match AND b.seat = a.seat "               \
    "WHERE a.match " MATCH_ROWS " AND a." column " IS DISTINCT FROM b." column

#define AUDIT_OF_RATINGS(stored, given) \
    SEAT_RATING(stored, given, "rating_before"), SEAT_RATING(stored, given, "rating_after")

#endif /* SK_STORE_AUDIT_SQL_H */
