/*
 * Clocks: a limit per turn, and a bank for what goes beyond it.
 *
 * Only seats that owe and are not ready have a running clock.  The turn closes
 * when each of them has run out of time, whether connected or not.  A ruleset
 * may let a clock continue across several turns; for the player they are then
 * one turn.
 */
#ifndef SK_MATCH_CLOCK_H
#define SK_MATCH_CLOCK_H

#include "server/match/match.h"

/* How long the seat has thought in this turn. */
int64_t seat_used_ms(const struct seat *seat, int64_t now_ms);

/* Milliseconds the seat has left in this turn, including its bank; never negative. */
int64_t match_left_ms(const struct match *match, uint8_t seat, int64_t now_ms);
bool match_is_out_of_time(const struct match *match, uint8_t seat, int64_t now_ms);

/* Opens the current turn: starts the clocks of the seats that owe. */
void match_open_turn(struct match *match, int64_t at_ms);

/* The turn ends when the last running clock has run out. */
void match_set_deadline(struct match *match);

/* Milliseconds as in a record: at most INT32_MAX. */
int32_t ms_of_record(int64_t ms);

#endif /* SK_MATCH_CLOCK_H */
