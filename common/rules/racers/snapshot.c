/*
 * A position as bytes.  Each list is written in order, after its length.
 * Reading accepts only what writing can produce.
 */
#include "common/core/snapshot.h"

#include "common/rules/racers/internal.h"

#define SPOT_SIZE  2
#define TRAIL_SIZE (SPOT_SIZE + 5)
#define RACER_SIZE \
    (SPOT_SIZE + 2 + 2 + 4 + 1 + SK_RACERS_CARRIED_MAX + 1 + SK_RACERS_TRAIL_MAX * TRAIL_SIZE)

size_t
racers_snapshot_size(const struct racers_config *config)
{
    size_t squares = racers_squares(config);

    return SK_SNAPSHOT_HEAD_MAX + 3 + RACERS_SEATS * (SPOT_SIZE + RACER_SIZE) + 4 * 2 +
           squares * SPOT_SIZE + squares * 2 * SPOT_SIZE +
           RACERS_ITEMS_MAX(squares) * (SPOT_SIZE + 2) +
           RACERS_FAILURES_MAX(squares) * (SPOT_SIZE + 1);
}

/* ---- writing ----------------------------------------------------------------------------- */

static void
put_spot(struct sk_bytes_out *out, struct racers_spot spot)
{
    sk_put_u8(out, spot.x);
    sk_put_u8(out, spot.y);
}

static void
put_racer(struct sk_bytes_out *out, const struct racers_racer *racer)
{
    put_spot(out, racer->at);
    sk_put_u16(out, racer->debt);
    sk_put_u16(out, racer->skip);
    sk_put_u32(out, (uint32_t)racer->performed);
    sk_put_u8(out, racer->carried_count);
    for (uint32_t i = 0; i < racer->carried_count; i++) {
        sk_put_u8(out, racer->carried[i]);
    }
    sk_put_u8(out, racer->trail_count);
    for (uint32_t i = 0; i < racer->trail_count; i++) {
        put_spot(out, racer->trail[i].at);
        sk_put_u32(out, (uint32_t)racer->trail[i].action);
        sk_put_u8(out, racer->trail[i].hop);
    }
}

static void
put_walls(struct sk_bytes_out *out, const struct racers_config *config,
          const struct racers_position *position)
{
    const struct racers_spot *walls = racers_walls(config, position);

    sk_put_u16(out, position->wall_count);
    for (uint32_t i = 0; i < position->wall_count; i++) {
        put_spot(out, walls[i]);
    }
}

static void
put_teleporters(struct sk_bytes_out *out, const struct racers_config *config,
                const struct racers_position *position)
{
    const struct racers_teleporter *teleporters = racers_teleporters(config, position);

    sk_put_u16(out, position->teleporter_count);
    for (uint32_t i = 0; i < position->teleporter_count; i++) {
        put_spot(out, teleporters[i].at);
        put_spot(out, teleporters[i].to);
    }
}

static void
put_items(struct sk_bytes_out *out, const struct racers_config *config,
          const struct racers_position *position)
{
    const struct racers_item *items = racers_items(config, position);

    sk_put_u16(out, position->item_count);
    for (uint32_t i = 0; i < position->item_count; i++) {
        put_spot(out, items[i].at);
        sk_put_u8(out, items[i].kind);
        sk_put_u8(out, items[i].state);
    }
}

static void
put_failures(struct sk_bytes_out *out, const struct racers_config *config,
             const struct racers_position *position)
{
    const struct racers_failure *failures = racers_failures(config, position);

    sk_put_u16(out, position->failure_count);
    for (uint32_t i = 0; i < position->failure_count; i++) {
        put_spot(out, failures[i].at);
        sk_put_u8(out, failures[i].turns_left);
    }
}

void
racers_snapshot_write(const void *config, const struct sk_state *state, struct sk_bytes_out *out)
{
    const struct racers_position *position = racers_position_of(state);

    sk_put_u8(out, position->active);
    sk_put_u8(out, position->actions_left);
    sk_put_u8(out, position->moved);
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        put_spot(out, position->start[seat]);
    }
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        put_racer(out, &position->racer[seat]);
    }
    put_walls(out, config, position);
    put_teleporters(out, config, position);
    put_items(out, config, position);
    put_failures(out, config, position);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* State of reading, and whether everything was within bounds so far. */
struct reading {
    const struct racers_config *config;
    struct racers_position *position;
    struct sk_bytes_in *in;
    bool is_right;
};

static void
expect(struct reading *reading, bool is_right)
{
    reading->is_right = reading->is_right && is_right;
}

static uint8_t
take_below(struct reading *reading, uint8_t bound)
{
    uint8_t value = sk_take_u8(reading->in);

    expect(reading, value < bound);
    return value;
}

static struct racers_spot
take_spot(struct reading *reading)
{
    uint8_t x = take_below(reading, reading->config->cols);
    uint8_t y = take_below(reading, reading->config->rows);

    return reading->is_right ? (struct racers_spot){ x, y } : (struct racers_spot){ 0, 0 };
}

/* A list's length; 0 if it exceeds the capacity, so that reading stops. */
static uint16_t
take_count(struct reading *reading, uint32_t max)
{
    uint16_t count = sk_take_u16(reading->in);

    expect(reading, count <= max);
    return reading->is_right ? count : 0;
}

static void
take_trail(struct reading *reading, struct racers_racer *racer)
{
    racer->trail_count = take_below(reading, SK_RACERS_TRAIL_MAX + 1);
    for (uint32_t i = 0; i < racer->trail_count && reading->is_right; i++) {
        struct racers_trail *trail = &racer->trail[i];
        uint32_t action;

        trail->at = take_spot(reading);
        action = sk_take_u32(reading->in);
        expect(reading, action >= 1 && action <= INT32_MAX &&
                            (int64_t)racer->performed - action < SK_RACERS_TRAIL_MAX);
        trail->action = (int32_t)action;
        trail->hop = take_below(reading, 2) != 0;
    }
}

static void
take_racer(struct reading *reading, struct racers_racer *racer)
{
    uint32_t performed;

    racer->at = take_spot(reading);
    racer->debt = sk_take_u16(reading->in);
    racer->skip = sk_take_u16(reading->in);
    performed = sk_take_u32(reading->in);
    expect(reading, racer->debt <= SK_RACERS_DEBT_MAX && racer->skip <= SK_RACERS_SKIP_MAX &&
                        performed <= INT32_MAX);
    racer->performed = (int32_t)performed;
    racer->carried_count = take_below(reading, SK_RACERS_CARRIED_MAX + 1);
    for (uint32_t i = 0; i < racer->carried_count && reading->is_right; i++) {
        racer->carried[i] = take_below(reading, RACERS_ITEM_KINDS);
    }
    take_trail(reading, racer);
}

static void
take_walls(struct reading *reading)
{
    uint16_t count = take_count(reading, racers_squares(reading->config));

    for (uint32_t i = 0; i < count; i++) {
        racers_wall_add(reading->config, reading->position, take_spot(reading));
    }
}

static void
take_teleporters(struct reading *reading)
{
    struct racers_teleporter *teleporters =
        racers_teleporter_space(reading->config, reading->position);
    uint16_t count = take_count(reading, racers_squares(reading->config));

    for (uint32_t i = 0; i < count; i++) {
        teleporters[i].at = take_spot(reading);
        teleporters[i].to = take_spot(reading);
    }
    reading->position->teleporter_count = count;
}

static void
take_items(struct reading *reading)
{
    struct racers_item *items = racers_item_space(reading->config, reading->position);
    uint16_t count = take_count(reading, RACERS_ITEMS_MAX(racers_squares(reading->config)));

    for (uint32_t i = 0; i < count; i++) {
        items[i].at = take_spot(reading);
        items[i].kind = take_below(reading, RACERS_ITEM_KINDS);
        items[i].state = take_below(reading, RACERS_EXPLODED + 1);
        expect(reading, items[i].kind == RACERS_GRENADE || items[i].state == 0);
    }
    reading->position->item_count = count;
}

static void
take_failures(struct reading *reading)
{
    struct racers_failure *failures = racers_failure_space(reading->config, reading->position);
    uint16_t count = take_count(reading, RACERS_FAILURES_MAX(racers_squares(reading->config)));

    for (uint32_t i = 0; i < count; i++) {
        failures[i].at = take_spot(reading);
        failures[i].turns_left = take_below(reading, SK_RACERS_FAILURE_TURNS + 1);
        expect(reading, failures[i].turns_left > 0);
    }
    reading->position->failure_count = count;
}

enum sk_status
racers_snapshot_read(const void *config, struct sk_bytes_in *in, struct sk_state *ret_state)
{
    struct racers_position *position = racers_position(ret_state);
    struct reading reading = {
        .config = config,
        .position = position,
        .in = in,
        .is_right = true,
    };
    struct sk_fault fault;

    position->active = take_below(&reading, RACERS_SEATS);
    position->actions_left = take_below(&reading, SK_RACERS_ACTIONS + 1);
    position->moved = take_below(&reading, 2) != 0;
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        position->start[seat] = take_spot(&reading);
    }
    for (uint32_t seat = 0; seat < RACERS_SEATS; seat++) {
        take_racer(&reading, &position->racer[seat]);
    }
    take_walls(&reading);
    take_teleporters(&reading);
    take_items(&reading);
    take_failures(&reading);
    if (!reading.is_right ||
        racers_position_check(config, position, ret_state->outcome.is_over, &fault) != SK_OK) {
        return SK_ERR_CORRUPT;
    }
    return SK_OK;
}
