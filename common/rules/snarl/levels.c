/*
 * The levels that ship with the project, in increasing difficulty.  A match
 * without its own levels plays them from first to last.
 *
 * Layouts are those of the JSON form: 0 wall, 1 floor, 2 door; points are row,
 * column.  README.md has drawings; tests show that each level can be won.
 */
#include "common/rules/snarl/internal.h"

/* Lists of constants: struct sk_list is not const because readers fill it. */
#define LIST(array)                         \
    {                                       \
        (void *)(array), SK_COUNT_OF(array) \
    }

#define POINT(row, column)  \
    {                       \
        {                   \
            (row), (column) \
        }                   \
    }

#define ROW(...)                                                       \
    {                                                                  \
        (void *)(const int32_t[]){ __VA_ARGS__ },                      \
            sizeof((const int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t) \
    }

#define ROOM(row, column, rows, columns, ...)                                      \
    {                                                                              \
        .origin = POINT(row, column), .bounds = { (rows), (columns) }, .layout = { \
            (void *)(const struct sk_list[]){ __VA_ARGS__ },                       \
            (rows)                                                                 \
        }                                                                          \
    }

#define HALLWAY(from_row, from_column, to_row, to_column)                    \
    {                                                                        \
        .from = POINT(from_row, from_column), .to = POINT(to_row, to_column) \
    }

#define BENT_HALLWAY(from_row, from_column, to_row, to_column, ...)                          \
    {                                                                                        \
        .from = POINT(from_row, from_column), .to = POINT(to_row, to_column), .waypoints = { \
            (void *)(const struct snarl_point[]){ __VA_ARGS__ },                             \
            sizeof((const struct snarl_point[]){ __VA_ARGS__ }) / sizeof(struct snarl_point) \
        }                                                                                    \
    }

#define KEY(row, column)              \
    {                                 \
        SNARL_KEY, POINT(row, column) \
    }
#define EXIT(row, column)              \
    {                                  \
        SNARL_EXIT, POINT(row, column) \
    }
#define ZOMBIE(row, column)              \
    {                                    \
        SNARL_ZOMBIE, POINT(row, column) \
    }
#define GHOST(row, column)              \
    {                                   \
        SNARL_GHOST, POINT(row, column) \
    }

/* clang-format off: rooms should look like rooms. */

/* 1. The cellar: one zombie between the heroes and everything. */
static const struct snarl_room_form rooms_1[] = {
    ROOM(0, 0, 6, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0)),
    ROOM(1, 12, 7, 8, ROW(0, 0, 0, 0, 0, 0, 0, 0), ROW(2, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 2), ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(4, 24, 5, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(2, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_1[] = {
    HALLWAY(2, 6, 2, 12),
    HALLWAY(6, 19, 6, 24),
};
static const struct snarl_object_form objects_1[] = { KEY(5, 14), EXIT(6, 28) };
static const struct snarl_point heroes_1[] = { POINT(1, 1), POINT(1, 2), POINT(2, 1), POINT(2, 2) };
static const struct snarl_start_form adversaries_1[] = {
    ZOMBIE(4, 17),
};

/* 2. The crossing: the key lies off the way. */
static const struct snarl_room_form rooms_2[] = {
    ROOM(0, 0, 5, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 2), ROW(0, 0, 0, 0, 0, 0)),
    ROOM(0, 11, 7, 9, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(2, 1, 1, 1, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 2, 0, 0, 0, 0)),
    ROOM(10, 10, 7, 8, ROW(0, 0, 0, 0, 0, 2, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 0, 0, 1, 1, 0), ROW(0, 1, 1, 0, 0, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(1, 26, 6, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(2, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_2[] = {
    HALLWAY(3, 5, 3, 11),
    HALLWAY(3, 19, 3, 26),
    BENT_HALLWAY(6, 15, 10, 15, POINT(8, 15)),
};
static const struct snarl_object_form objects_2[] = { KEY(14, 11), EXIT(5, 30) };
static const struct snarl_point heroes_2[] = { POINT(1, 1), POINT(1, 2), POINT(2, 1), POINT(2, 2) };
static const struct snarl_start_form adversaries_2[] = {
    ZOMBIE(11, 16),
    ZOMBIE(4, 29),
};

/* 3. The ring: two ways round, and something that walks through walls. */
static const struct snarl_room_form rooms_3[] = {
    ROOM(0, 0, 6, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 2), ROW(0, 1, 1, 1, 1, 0), ROW(0, 0, 2, 0, 0, 0)),
    ROOM(0, 14, 6, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 2, 0, 0, 0)),
    ROOM(12, 0, 6, 8, ROW(0, 0, 2, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 2), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(11, 15, 7, 8, ROW(0, 0, 2, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 0, 1, 1, 1, 0), ROW(0, 1, 0, 0, 1, 1, 1, 2), ROW(2, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(11, 29, 5, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_3[] = {
    HALLWAY(3, 5, 3, 14),   HALLWAY(5, 2, 12, 2),    HALLWAY(5, 17, 11, 17),
    HALLWAY(15, 7, 15, 15), HALLWAY(14, 22, 14, 29),
};
static const struct snarl_object_form objects_3[] = { KEY(16, 1), EXIT(12, 33) };
static const struct snarl_point heroes_3[] = { POINT(1, 1), POINT(1, 2), POINT(2, 1), POINT(2, 2) };
static const struct snarl_start_form adversaries_3[] = {
    ZOMBIE(13, 6),
    ZOMBIE(13, 21),
    GHOST(2, 18),
};

/* 4. The gallery: a hall of pillars that has to be crossed twice. */
static const struct snarl_room_form rooms_4[] = {
    ROOM(8, 0, 6, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0)),
    ROOM(4, 10, 11, 16, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(18, 13, 5, 8, ROW(0, 0, 0, 0, 2, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(0, 31, 5, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 2, 0, 0, 0)),
    ROOM(8, 30, 6, 9, ROW(0, 0, 0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_4[] = {
    HALLWAY(10, 5, 10, 10),
    HALLWAY(14, 17, 18, 17),
    HALLWAY(10, 25, 10, 30),
    HALLWAY(8, 34, 4, 34),
};
static const struct snarl_object_form objects_4[] = { KEY(21, 14), EXIT(1, 32) };
static const struct snarl_point heroes_4[] = { POINT(9, 1), POINT(9, 2), POINT(10, 1),
                                               POINT(10, 2) };
static const struct snarl_start_form adversaries_4[] = {
    ZOMBIE(6, 18),
    ZOMBIE(19, 18),
    ZOMBIE(11, 37),
    GHOST(11, 22),
};

/* 5. The catacombs: seven chambers, dead ends, two ghosts. */
static const struct snarl_room_form rooms_5[] = {
    ROOM(0, 0, 5, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 2, 0, 0, 0)),
    ROOM(0, 14, 6, 9, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0), ROW(2, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 0, 0, 0, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 2, 0, 0, 0, 0)),
    ROOM(12, 0, 6, 8, ROW(0, 0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 2), ROW(0, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(12, 14, 7, 9, ROW(0, 0, 0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(2, 1, 1, 1, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 2, 0, 0, 0, 0)),
    ROOM(24, 12, 6, 11, ROW(0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(12, 30, 6, 7, ROW(0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 2, 0, 0, 0, 0)),
    ROOM(24, 30, 5, 7, ROW(0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_5[] = {
    BENT_HALLWAY(2, 6, 1, 14, POINT(2, 9), POINT(1, 9)),
    HALLWAY(4, 3, 12, 3),
    HALLWAY(5, 18, 12, 18),
    HALLWAY(15, 7, 15, 14),
    HALLWAY(18, 18, 24, 18),
    HALLWAY(15, 22, 15, 30),
    HALLWAY(17, 32, 24, 32),
};
static const struct snarl_object_form objects_5[] = { KEY(28, 13), EXIT(27, 34) };
static const struct snarl_point heroes_5[] = { POINT(1, 1), POINT(1, 2), POINT(2, 1), POINT(2, 2) };
static const struct snarl_start_form adversaries_5[] = {
    ZOMBIE(16, 20), ZOMBIE(26, 17), ZOMBIE(14, 34), GHOST(4, 20), GHOST(25, 33),
};

/* 6. The throne: everything at once, and the key at the far end. */
static const struct snarl_room_form rooms_6[] = {
    ROOM(14, 0, 5, 6, ROW(0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 2),
         ROW(0, 1, 1, 1, 1, 0), ROW(0, 0, 2, 0, 0, 0)),
    ROOM(0, 10, 7, 10, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 0, 1, 1, 0, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 0, 1, 1, 0, 1, 1, 2), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 2, 0, 0, 0, 0, 0)),
    ROOM(12, 10, 9, 10, ROW(0, 0, 0, 0, 2, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 0, 0, 0, 0, 1, 1, 0),
         ROW(2, 1, 1, 0, 0, 0, 0, 1, 1, 2), ROW(0, 1, 1, 0, 0, 0, 0, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 2, 0, 0, 0, 0, 0)),
    ROOM(26, 10, 6, 10, ROW(0, 0, 0, 0, 2, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 2), ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ROOM(22, 0, 5, 6, ROW(0, 0, 2, 0, 0, 0), ROW(0, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0)),
    ROOM(0, 28, 6, 9, ROW(0, 0, 0, 0, 0, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 2, 0, 0, 0, 0)),
    ROOM(12, 26, 9, 11, ROW(0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0)),
    ROOM(26, 27, 6, 9, ROW(0, 0, 0, 0, 0, 2, 0, 0, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(0, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 1, 1, 1, 1, 1, 1, 1, 0),
         ROW(2, 1, 1, 1, 1, 1, 1, 1, 0), ROW(0, 0, 0, 0, 0, 0, 0, 0, 0)),
};
static const struct snarl_hallway_form hallways_6[] = {
    HALLWAY(16, 5, 16, 10), HALLWAY(6, 14, 12, 14),  HALLWAY(20, 14, 26, 14),
    HALLWAY(18, 2, 22, 2),  HALLWAY(4, 19, 4, 28),   HALLWAY(16, 19, 16, 26),
    HALLWAY(5, 32, 12, 32), HALLWAY(20, 32, 26, 32), HALLWAY(30, 19, 30, 27),
};
static const struct snarl_object_form objects_6[] = { KEY(1, 35), EXIT(24, 1) };
static const struct snarl_point heroes_6[] = { POINT(15, 1), POINT(15, 2), POINT(16, 1),
                                               POINT(16, 2) };
static const struct snarl_start_form adversaries_6[] = {
    ZOMBIE(13, 16), ZOMBIE(2, 14), ZOMBIE(14, 31), ZOMBIE(28, 30), GHOST(2, 30), GHOST(28, 12),
};

/* clang-format on */

#define LEVEL(n)                                                                                \
    {                                                                                           \
        .rooms = LIST(rooms_##n), .hallways = LIST(hallways_##n), .objects = LIST(objects_##n), \
        .has_starts = true, .starts = {                                                         \
            .heroes = LIST(heroes_##n),                                                         \
            .has_adversaries = true,                                                            \
            .adversaries = LIST(adversaries_##n)                                                \
        }                                                                                       \
    }

static const struct snarl_level_form levels[] = {
    LEVEL(1), LEVEL(2), LEVEL(3), LEVEL(4), LEVEL(5), LEVEL(6),
};

static const struct sk_text heroes[] = { SK_TEXT_CONST("ada"), SK_TEXT_CONST("bob") };

const struct snarl_params snarl_default_params = {
    .has_levels = true,
    .levels = LIST(levels),
    .heroes = LIST(heroes),
    .mode = SNARL_COOP,
    .level_end = SNARL_END_ALL,
    .adversaries = SNARL_AUTO,
    .round_limit = SK_SNARL_ROUND_LIMIT_DEFAULT,
};
