/*
 * libskirmish - the rules of Skirmish for other programs: matches are set up,
 * judged and resolved here exactly as the daemon does it.
 *
 * There are three ways in:
 *
 *   sk_resolve   one JSON request in, one JSON answer out, as with `skirmish
 *                resolve`: nothing is kept between two requests.
 *   sk_game_*    many matches with the same params behind one handle, for
 *                programs that play millions of turns: commands and views are
 *                rows of int32_t in the caller's memory.
 *   sk_proof_*   a match file, proven turn by turn.
 *
 * Rows come from the ruleset's schemas, so they work for every ruleset:
 *
 *   - A command's row begins with its kind: 0 = no command, else 1 + its place
 *     in the schema (1 is `resign`).  The members of that kind follow; the rest
 *     of the row is ignored.
 *   - A view's row has the members of the view's schema.
 *   - true is 1, an enum is its word's place, a cell is x and y.  An id or a
 *     name is its place in the lists that sk_game_describe gives; -1 = none of
 *     them.  A text is its length and its bytes, a list its length and its items.
 *   - A member that may be missing or null has a 1 in front of it, and is all
 *     zeros (the 1 too) when it has no value.
 *   - Lists and texts of a view have a fixed number of places: as many as the
 *     first states of the params fill, or `list_max` if that is more and the
 *     schema allows it.  What is longer is cut; its length is still the full one.
 *
 * sk_game_describe names every number of both rows.
 *
 * The API is stable: from version 0 of the soname on, functions and members of
 * JSON are added, and none is changed or removed.
 *
 * Errors:  functions that return int return SK_FAILED (-1) for a match, a seat or
 *          a row that does not exist; then nothing has changed.
 * Owner:   the caller frees handles.  A JSON text that a function returns belongs
 *          to its handle, has no terminator, and is valid until the next call
 *          with that handle.  Everything else is the caller's memory.
 * Threads: a handle is used by one thread at a time; handles share nothing.
 */
#ifndef SK_SKIRMISH_H
#define SK_SKIRMISH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SK_API __attribute__((visibility("default")))
#else
#define SK_API
#endif

#define SK_FAILED (-1)

/* What is wrong with the input: a stable word, a sentence, a JSON pointer. */
struct sk_error {
    char code[32];
    char message[256];
    char at[512];
};

/* The version of the package, as "0.2.0". */
SK_API const char *sk_library_version(void);

/* ---- JSON -------------------------------------------------------------------------------- */

struct sk_referee;

/* NULL when there is not enough memory. */
SK_API struct sk_referee *sk_referee_new(void);
SK_API void sk_referee_close(struct sk_referee *referee);

/*
 * Answers a request of `skirmish resolve`; its manual page describes the members.
 * These six return 0, or SK_FAILED with the answer {"error":{"code","message","at"}}.
 */
SK_API int sk_resolve(struct sk_referee *referee, const char *request, size_t length,
                      const char **ret_answer, size_t *ret_length);

/*
 * What a seat (or SK_GAME_SPECTATOR) may know of the state that such a request leads to; and
 * every command that would be ok alone, {"turn":N,"commands":[...]}.
 */
SK_API int sk_view(struct sk_referee *referee, const char *request, size_t length, uint8_t seat,
                   const char **ret_answer, size_t *ret_length);
SK_API int sk_hints(struct sk_referee *referee, const char *request, size_t length, uint8_t seat,
                    const char **ret_answer, size_t *ret_length);

/* [{"name","version","seats_min","seats_max","simultaneous","summary"},...] */
SK_API int sk_rulesets(struct sk_referee *referee, const char **ret_answer, size_t *ret_length);

/* The JSON Schemas and words that `skirmish schema` prints; version 0 = the newest. */
SK_API int sk_schema(struct sk_referee *referee, const char *ruleset, uint32_t version,
                     const char **ret_answer, size_t *ret_length);

/*
 * Checks params as for a new match, and answers with the complete params.  As in
 * sk_resolve, a missing member has its schema's default; with NULL for `params`
 * they are those of a match that gives none.
 */
SK_API int sk_params(struct sk_referee *referee, const char *ruleset, uint32_t version,
                     const char *params, size_t length, const char **ret_answer,
                     size_t *ret_length);

/* ---- matches behind a handle ------------------------------------------------------------- */

#define SK_GAME_SEED_BYTES 32
#define SK_GAME_COUNT_MAX  1048576 /* matches of a handle */
#define SK_GAME_SLOTS_MAX  128     /* commands of a seat in one turn */
#define SK_GAME_SPECTATOR  255     /* in place of a seat: a spectator */
#define SK_GAME_NO_VERDICT 255     /* in place of a verdict: there was no command */

/* The outcome of a match: running, over without a winner, or won by seat N (SK_GAME_WON + N). */
#define SK_GAME_RUNNING 0
#define SK_GAME_DRAWN   1
#define SK_GAME_WON     2

struct sk_game;

/*
 * `count` matches in their first state, with seeds of zeros.  `params` are
 * read as by sk_params; `slots` is the number of command rows a seat has in a
 * turn.  NULL with *ret_error when something is wrong; ret_error may be NULL.
 */
SK_API struct sk_game *sk_game_new(const char *ruleset, uint32_t version, const char *params,
                                   size_t length, uint32_t count, uint32_t slots, uint32_t list_max,
                                   struct sk_error *ret_error);
SK_API void sk_game_free(struct sk_game *game);

/*
 * {"ruleset","version","seats","slots","ids":[...],"names":[...],"verdicts":[...],
 *  "actions":N,"action":{"width":N,"kinds":[{"kind","fields":[F,...]},...]},
 *  "observation":[F,...]} with F = {"name":"units/0/at/x","min":0,"max":63}.
 */
SK_API int sk_game_describe(struct sk_game *game, const char **ret_answer, size_t *ret_length);

SK_API uint32_t sk_game_seats(const struct sk_game *game);
SK_API uint32_t sk_game_count(const struct sk_game *game);

/* The shapes of arrays: seats, slots, width; and width.  Return how many dimensions there are. */
SK_API size_t sk_game_action_shape(const struct sk_game *game, int32_t *ret_dims, size_t max);
SK_API size_t sk_game_observe_shape(const struct sk_game *game, int32_t *ret_dims, size_t max);

/* Starts match `i` again from its first state. */
SK_API int sk_game_reset(struct sk_game *game, uint32_t i, const uint8_t seed[SK_GAME_SEED_BYTES]);

/* Seats that the turn waits for, as bits; 0 once the match is over. */
SK_API uint32_t sk_game_owing(const struct sk_game *game, uint32_t i);

/* The number of turns played, and the outcome (SK_GAME_RUNNING and so on). */
SK_API uint32_t sk_game_turn(const struct sk_game *game, uint32_t i);
SK_API int sk_game_outcome(const struct sk_game *game, uint32_t i);

/* What the seat (or SK_GAME_SPECTATOR) may know: as a row, and as the JSON of the view's schema. */
SK_API int sk_game_observe(struct sk_game *game, uint32_t i, uint8_t seat, int32_t *ret_row);
SK_API int sk_game_view(struct sk_game *game, uint32_t i, uint8_t seat, const char **ret_answer,
                        size_t *ret_length);

/*
 * Every command that would be ok alone: as rows, and as JSON.  Returns how many
 * there are, of which at most `max` are written.
 */
SK_API int sk_game_hints(struct sk_game *game, uint32_t i, uint8_t seat, int32_t *ret_rows,
                         size_t max);
SK_API int sk_game_hints_json(struct sk_game *game, uint32_t i, uint8_t seat,
                              const char **ret_answer, size_t *ret_length);

/*
 * Commands as single numbers, for programs that choose among a fixed number of
 * actions: 0 is no command, and every ruleset's own command on the board of the
 * first state has a number below sk_game_actions.  0 actions: a command of this
 * ruleset holds a list (a path), or there are too many; use hints.
 */
SK_API uint32_t sk_game_actions(const struct sk_game *game);

/* One byte per action: 1 where it is 0 (no command) or a hint of the seat. */
SK_API int sk_game_mask(struct sk_game *game, uint32_t i, uint8_t seat, uint8_t *ret_mask);

/* Writes the rows of `count` actions. */
SK_API int sk_game_action_rows(const struct sk_game *game, const int32_t *actions, size_t count,
                               int32_t *ret_rows);

/*
 * Commands as JSON, a list of at most `slots`, to `slots` rows.  SK_FAILED with
 * *ret_error (which may be NULL) when they are malformed, or name an id that is
 * not in the list of sk_game_describe.
 */
SK_API int sk_game_command_rows(struct sk_game *game, const char *commands, size_t length,
                                int32_t *ret_rows, struct sk_error *ret_error);

/* What the seat's `slots` rows would get now; the verdicts' words are in sk_game_describe. */
SK_API int sk_game_judge(struct sk_game *game, uint32_t i, uint8_t seat, const int32_t *rows,
                         uint8_t *ret_verdicts);

/*
 * Resolves a turn from seats x slots rows.  Where players alternate, each command
 * of the list that is ok is a turn.  Returns the number of turns, 0 when the match is
 * over or the command was refused.  `ret_verdicts`, seats x slots, may be NULL.
 */
SK_API int sk_game_step(struct sk_game *game, uint32_t i, const int32_t *actions,
                        uint8_t *ret_verdicts);

/*
 * The same for all matches: reads count x seats x slots rows, and writes count x seats
 * observations and each match's outcome; either may be NULL.  With `again`, a match that
 * is over starts again with its seed plus one (as a little-endian number), and the
 * observation is of its first state.  Returns how many are over, or SK_FAILED if any row is
 * invalid.  (It also fails without memory for a view; then the turns have been played.)
 */
SK_API int sk_game_step_all(struct sk_game *game, const int32_t *actions, int32_t *ret_observations,
                            uint8_t *ret_outcomes, int again);

/*
 * The same with numbered actions, count x seats x slots of them.  Also writes the masks,
 * count x seats x sk_game_actions bytes; `ret_masks` may be NULL.
 */
SK_API int sk_game_play_all(struct sk_game *game, const int32_t *numbers, int32_t *ret_observations,
                            uint8_t *ret_masks, uint8_t *ret_outcomes, int again);

/* The hash of the state, as the daemon stores it with every turn; 0 if there is no match `i`. */
SK_API uint64_t sk_game_hash(struct sk_game *game, uint32_t i);

/*
 * A match as bytes, with its seed: the same on every machine.  Returns their
 * number; nothing is written when `size` is less.  0 if there is no match `i`.
 */
SK_API size_t sk_game_save(struct sk_game *game, uint32_t i, uint8_t *ret_bytes, size_t size);

/* Continues from saved bytes; requires a handle with the same ruleset, version and params. */
SK_API int sk_game_load(struct sk_game *game, uint32_t i, const uint8_t *bytes, size_t size);

/* ---- proving a match --------------------------------------------------------------------- */

#define SK_PROOF_EVERYTHING 254 /* in place of a seat: the whole state */

struct sk_proof;

/*
 * Proves matches that `skirmish export` has written: the checksum, the hash of
 * every record and the chain up to the head, the commitment to the seed; and
 * every turn, played again by its version of the ruleset: commands, verdicts,
 * events, hash and outcome.
 *
 * A file proves that a match was played by the rules as it says.  It cannot prove
 * by itself that this is the match that a server showed: compare the step's
 * `commitment` with that of the frame `state` when the match began, and its
 * `head` with that of the frame `over`.
 *
 * The file is the caller's and must stay as it is until sk_proof_free.  NULL when there is
 * not enough memory.  (If there is not enough later, the process is aborted.)
 */
SK_API struct sk_proof *sk_proof_new(const char *file, size_t length);
SK_API void sk_proof_free(struct sk_proof *proof);

/*
 * The next step of the proof.  Returns 1 with one of these, in this order for
 * each match of the file:
 *
 *   {"step":"match","match","ruleset","version","params","players":[...],"ended_at_ms",
 *    "winner","reason","turns","seed","salt","commitment","head"}
 *   {"step":"start"}                      the first state
 *   {"step":"turn","turn","hash"}         one per turn, which holds
 *   {"step":"over","turns"}               the match holds
 *
 * 0 when all matches of the file hold.  SK_FAILED with
 * {"error":{"code","message","at","line","turn"}} at the first thing that does not:
 * `turn` is null if it belongs to no turn, `line` is the last line that was read, `at`
 * a JSON pointer.
 */
SK_API int sk_proof_step(struct sk_proof *proof, const char **ret_answer, size_t *ret_length);

/*
 * After the steps `start` and `turn`: the moment as `/api/v1/matches/ID/moments` gives it, for
 * a seat, SK_GAME_SPECTATOR or SK_PROOF_EVERYTHING.
 */
SK_API int sk_proof_moment(struct sk_proof *proof, uint8_t audience, const char **ret_answer,
                           size_t *ret_length);

#ifdef __cplusplus
}
#endif

#endif /* SK_SKIRMISH_H */
