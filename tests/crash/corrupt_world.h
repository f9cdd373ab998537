/*
 * The matches whose file tests/crash/corrupt.c damages, and their players, who
 * stop, start again and come back.
 *
 * Owner:   the caller of world_open; table_close(&world.table) ends it.
 * Threads: none besides the store's.
 */
#ifndef SK_CRASH_CORRUPT_WORLD_H
#define SK_CRASH_CORRUPT_WORLD_H

#include "tests/crash/chance.h"
#include "tests/unit/host_fixture.h"

#define SNAPSHOT_EVERY 2

/* The matches of each case, by number. */
enum {
    WAITING = 1, /* for a second player */
    OPENED,      /* one has submitted, nothing was resolved */
    SHORT,       /* one turn: no snapshot */
    LONG,        /* several snapshots, a submission in the open turn */
    CLOCKED,     /* with a clock and an offer */
    OVER,        /* resigned */
    MATCH_COUNT = OVER
};

struct world {
    struct table table;
    struct peer *alice;
    struct peer *bob;
    char tokens[2][2 * HOST_TOKEN_BYTES + 1];
    int turns[MATCH_COUNT + 1];
    char hashes[MATCH_COUNT + 1][FRAME_HASH_DIGITS + 1]; /* of alice's views */
    struct chance chance;
};
static inline void
play(struct world *world, int64_t match, int count)
{
    for (int i = 0; i < count; i++) {
        int turn = world->turns[match]++;
        char id[16];

        (void)snprintf(id, sizeof(id), "t%d", turn);
        submit(world->alice, match, turn, id, "");
        submit(world->bob, match, turn, id, "");
        (void)hear(world->alice, "turn");
        (void)hear(world->bob, "turn");
    }
}

static inline void
note_hashes(struct world *world)
{
    for (int64_t match = 1; match <= MATCH_COUNT; match++) {
        forget(world->alice);
        say(world->alice, "{'type':'resume','match':%lld,'seq':0}", (long long)match);
        (void)snprintf(world->hashes[match], sizeof(world->hashes[match]), "%s",
                       word_of(hear(world->alice, "state"), "hash"));
    }
}

static inline void
world_open(struct world *world, uint64_t seed)
{
    *world = (struct world){ .chance = chance_of(seed, 7) };
    table_open(&world->table);
    world->table.host->options.snapshot_every = SNAPSHOT_EVERY;
    world->table.options.snapshot_every = SNAPSHOT_EVERY;
    world->alice = table_player(&world->table, "alice");
    world->bob = table_player(&world->table, "bob");
    memcpy(world->tokens[0], world->alice->token, sizeof(world->tokens[0]));
    memcpy(world->tokens[1], world->bob->token, sizeof(world->tokens[1]));
    cr_assert_eq(table_create(world->alice, ""), WAITING);
    for (int64_t match = OPENED; match <= MATCH_COUNT; match++) {
        const char *more =
            match == CLOCKED ? ",'clock':{'turn_ms':60000,'bank_ms':1000}" : ",'clock':null";

        cr_assert_eq(table_pair(world->alice, world->bob, more), match);
    }
    submit(world->alice, OPENED, 0, "first", "{'kind':'move','unit':'a1','target':[1,2]}");
    play(world, SHORT, 1);
    play(world, LONG, 7);
    submit(world->bob, LONG, 7, "open", "");
    play(world, CLOCKED, 3);
    say(world->alice, "{'type':'offer_draw','match':%d}", CLOCKED);
    play(world, OVER, 3);
    say(world->bob, "{'type':'resign','match':%d,'command_id':'r'}", OVER);
    note_hashes(world);
}

static inline void
world_stop(struct world *world)
{
    table_stop(&world->table);
    store_close(world->table.store.store);
    world->table.store.store = NULL;
}

/* Returns false if the store does not open; allowed where bytes of the file were damaged. */
static inline bool
world_start(struct world *world)
{
    struct fixture *store = &world->table.store;
    struct sk_fault fault = { 0 };

    if (store_open(store->path, &store->options, &store->store, &fault) != SK_OK) {
        cr_expect(fault.code != NULL && fault.message[0] != '\0');
        store->store = NULL;
        return false;
    }
    world->table.now_ms = 5000;
    table_start(&world->table);
    return true;
}

/* Reconnects a player; NULL if the store does not know the player any more. */
static inline struct peer *
come_back(struct world *world, int who)
{
    struct peer *peer = table_connect(&world->table);

    say(peer, "{'type':'hello','protocol':1,'token':'%s'}", world->tokens[who]);
    if (find_frame(peer, "welcome") == NULL) {
        cr_expect_not_null(find_frame(peer, "error"), "neither welcome nor error");
        return NULL;
    }
    forget(peer);
    return peer;
}

#endif /* SK_CRASH_CORRUPT_WORLD_H */
