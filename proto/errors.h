/*
 * Why the server refuses a frame: stable words for programs, with a sentence
 * for people each.  Where trying again may help, also the milliseconds to wait,
 * unless the server can compute them; 0 = never.
 *
 * One list; the enum, the published list and the table in PROTOCOL.md come
 * from it.  Words are added, never renamed.
 */
#ifndef SK_ERRORS_H
#define SK_ERRORS_H

#include <stddef.h>
#include <stdint.h>

#define SK_ERRORS(X)                                                                             \
    X(ERROR_MALFORMED, "malformed", 0,                                                           \
      "The message is not a frame of this protocol; `at` says where it is wrong.")               \
    X(ERROR_TOO_LARGE, "too_large", 0, "The message, or what it describes, is too large.")       \
    X(ERROR_RATE_LIMITED, "rate_limited", 100,                                                   \
      "Too many frames came at once; this one was ignored.")                                     \
    X(ERROR_UNSUPPORTED_PROTOCOL, "unsupported_protocol", 0,                                     \
      "The server does not support this version of the protocol.")                               \
    X(ERROR_HELLO_FIRST, "hello_first", 0, "The first frame of a connection must be `hello`.")   \
    X(ERROR_ALREADY_HELLO, "already_hello", 0, "This connection has said `hello` before.")       \
    X(ERROR_BAD_NAME, "bad_name", 0,                                                             \
      "A name is 1 to 24 printable ASCII characters and neither begins nor ends with a space.")  \
    X(ERROR_NAME_TAKEN, "name_taken", 0,                                                         \
      "Another player has this name; upper and lower case do not matter.")                       \
    X(ERROR_BAD_TOKEN, "bad_token", 0, "No player has this token.")                              \
    X(ERROR_BANNED, "banned", 0, "The operator has banned this player; the message says why.")   \
    X(ERROR_UNKNOWN_RULESET, "unknown_ruleset", 0, "There is no ruleset of this name.")          \
    X(ERROR_INVALID_PARAMS, "invalid_params", 0,                                                 \
      "The ruleset refuses these params; `at` says where they are wrong.")                       \
    X(ERROR_UNKNOWN_MATCH, "unknown_match", 0, "There is no such match, or you may not see it.") \
    X(ERROR_PRUNED, "pruned", 0,                                                                 \
      "The match was played long ago; its turns were dropped and only its result is kept.")      \
    X(ERROR_WRONG_CODE, "wrong_code", 0, "The match is private and this is not its code.")       \
    X(ERROR_NOT_IN_MATCH, "not_in_match", 0, "You neither play nor watch this match.")           \
    X(ERROR_NOT_YOUR_SEAT, "not_your_seat", 0, "Only a player of the match may do this.")        \
    X(ERROR_SEAT_TAKEN, "seat_taken", 0,                                                         \
      "Another player has this seat, or the match has no such seat.")                            \
    X(ERROR_MATCH_FULL, "match_full", 0, "All seats of the match are taken.")                    \
    X(ERROR_ALREADY_JOINED, "already_joined", 0, "You have a seat in this match already.")       \
    X(ERROR_TOO_MANY_MATCHES, "too_many_matches", 0,                                             \
      "You have as many matches as one player may have at a time.")                              \
    X(ERROR_DRAINING, "draining", 0,                                                             \
      "The server takes no new matches now; running matches continue.")                          \
    X(ERROR_MATCH_NOT_STARTED, "match_not_started", 0,                                           \
      "The match waits for players; its first turn has not begun.")                              \
    X(ERROR_MATCH_OVER, "match_over", 0, "The match is over.")                                   \
    X(ERROR_QUARANTINED, "quarantined", 0,                                                       \
      "The match could not be loaded from the store and is set aside for the operator.")         \
    X(ERROR_WRONG_TURN, "wrong_turn", 0, "The frame names another turn than the open one.")      \
    X(ERROR_TURN_CLOSED, "turn_closed", 0,                                                       \
      "The turn is being resolved; its commands can no longer change.")                          \
    X(ERROR_TOO_MANY_SUBMISSIONS, "too_many_submissions", 0,                                     \
      "You have changed the commands of this turn as often as allowed; the last ones count.")    \
    X(ERROR_ID_REUSED, "id_reused", 0, "This `command_id` was used before with other content.")  \
    X(ERROR_NO_SUBMISSION, "no_submission", 0, "There is no submission to withdraw.")            \
    X(ERROR_NO_OFFER, "no_offer", 0, "Nobody has offered you a draw.")                           \
    X(ERROR_ALREADY_OFFERED, "already_offered", 0, "Your draw offer is not answered yet.")       \
    X(ERROR_TOO_EARLY, "too_early", 0, "The match cannot be claimed yet.")                       \
    X(ERROR_NOT_ALLOWED, "not_allowed", 0, "This is not possible here; the message says why.")   \
    X(ERROR_CHAT_LIMITED, "chat_limited", 1000, "Too many chat messages; wait a little.")        \
    X(ERROR_BUSY, "busy", 250,                                                                   \
      "Too many jobs wait for the store; nothing was done, send it again later.")                \
    X(ERROR_STORE_UNAVAILABLE, "store_unavailable", 1000,                                        \
      "The store does not answer; nothing was done. The server keeps trying.")                   \
    X(ERROR_NOT_FOUND, "not_found", 0, "There is nothing at this path.")

#define ERROR_NUMBER(number, code, retry_ms, meaning) number,
enum error_code {
    SK_ERRORS(ERROR_NUMBER) ERROR_COUNT
};
#undef ERROR_NUMBER

const char *sk_error_code(enum error_code code);
const char *sk_error_meaning(enum error_code code);
int32_t sk_error_retry_ms(enum error_code code); /* 0 = a retry does not help */

#endif /* SK_ERRORS_H */
