/*
 * All limits of the rules library and of its JSON forms, by name.
 *
 * Each limit is defined only here; the schemas, the documents and the tests
 * (at, below and above) use it.
 */
#ifndef SK_LIMITS_H
#define SK_LIMITS_H

/* A limit as text, for messages. */
#define SK_LIMIT_TEXT_OF(limit) #limit
#define SK_LIMIT_TEXT(limit)    SK_LIMIT_TEXT_OF(limit)

/* Names. */
#define SK_ID_MAX          31 /* characters of a unit's id */
#define SK_NAME_MAX        31 /* characters of a pattern's or a model's name */
#define SK_DESCRIPTION_MAX 1000

/* Matches. */
#define SK_SEATS_MAX    4
#define SK_COMMANDS_MAX 128 /* commands of one seat in one submission */
#define SK_LIST_WORK_MAX \
    4000000 /* steps of the turns that one list of an alternating ruleset plays */
#define SK_TURN_MAX       2147483647
#define SK_TURN_LIMIT_MAX 1000000
#define SK_SEED_BYTES     32

#define SK_HINT_TRIES_MAX 16384 /* commands that default hints try: on the largest board */

/* Boards. */
#define SK_GRID_MAX 64

/* Faults. */
#define SK_FAULT_MESSAGE_MAX 255
#define SK_FAULT_AT_MAX      511

/* JSON. */
#define SK_JSON_DEPTH_MAX   32
#define SK_JSON_KEYS_MAX    1024                 /* keys of one object */
#define SK_JSON_REQUEST_MAX (4u * 1024u * 1024u) /* one request of `skirmish resolve` */

/* tactics */
#define SK_TACTICS_GRID_MIN           3
#define SK_TACTICS_GRID_DEFAULT       9
#define SK_TACTICS_UNITS_PER_SEAT_MAX 64
#define SK_TACTICS_UNITS_MAX          (2 * SK_TACTICS_UNITS_PER_SEAT_MAX)
#define SK_TACTICS_MODELS_MAX         64
#define SK_TACTICS_PATTERNS_MAX       256
#define SK_TACTICS_PATTERN_SIDE_MAX   63
#define SK_TACTICS_MAPS_MAX           95   /* mapped characters per pattern: all printable ones */
#define SK_TACTICS_AREA_MAX           4096 /* cells that one target may affect */
#define SK_TACTICS_WORK_MAX \
    400000                                  /* steps of compiling params: cells and names
                                              * visited */
#define SK_TACTICS_TURN_CELLS_MAX     32768 /* cells that all attacks of one turn may affect */
#define SK_TACTICS_HEALTH_MAX         10000
#define SK_TACTICS_POWER_MAX          10000
#define SK_TACTICS_START_ROWS_DEFAULT 3
#define SK_TACTICS_TURN_LIMIT_DEFAULT 200

#endif /* SK_LIMITS_H */
