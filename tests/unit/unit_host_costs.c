/* What turns and chats cost the players who cause them, in frames. */
#include "rates_fixture.h"
#include "wide_fixture.h"

/* ---- what a turn costs ------------------------------------------------------------------- */

static int64_t
wide_match(struct peer *alice, struct peer *bob, int units, int side)
{
    char params[TABLE_TEXT_MAX];
    int64_t match;

    wide_params(params, units, side);
    say(alice, "{'type':'create','ruleset':'tactics','clock':null,'params':%s}", params);
    match = number_of(hear(alice, "joined"), "match");
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    (void)hear(bob, "joined");
    return match;
}

static void
attack_all(struct peer *peer, int64_t match, char letter, int units)
{
    char commands[TABLE_TEXT_MAX];

    wide_attacks(commands, letter, units);
    submit(peer, match, 0, "1", commands);
}

struct turn_case {
    const char *label;
    int units; /* of each seat */
    int side;  /* of the square that an attack affects */
    int least; /* bytes of the turn's record, at least and less than */
    int most;
    int left; /* of BURST frames, when the submission took one */
};

static const struct turn_case turn_cases[] = {
    { "a short turn", 1, 1, 0, 8192, 3 },
    { "4 KiB of each seat", 8, 15, 8192, 16384, 2 },
    { "8 KiB of each seat", 12, 15, 16384, 24576, 1 },
};

/* Few bytes of commands may make a long record, which is stored and shown. */
Test(rates, a_long_turn_is_charged_to_those_who_play_it)
{
    for (size_t i = 0; i < SK_COUNT_OF(turn_cases); i++) {
        const struct turn_case *it = &turn_cases[i];
        struct table table;
        struct peer *alice;
        struct peer *bob;
        struct peer *carol;
        int64_t match;
        int bytes;

        table_open(&table);
        alice = table_player(&table, "alice");
        bob = table_player(&table, "bob");
        carol = table_player(&table, "carol");
        match = wide_match(alice, bob, it->units, it->side);
        say(carol, "{'type':'watch','match':%lld}", (long long)match);
        set_limits(&table, 0, 0);
        attack_all(alice, match, 'a', it->units);
        attack_all(bob, match, 'b', it->units);
        (void)hear(alice, "turn");
        bytes = atoi(fixture_ask(&table.store, "SELECT length(body) FROM record "
                                               "WHERE kind = 'turn'"));
        cr_assert(bytes >= it->least && bytes < it->most, "%s: %d bytes", it->label, bytes);
        cr_expect_eq(pongs(alice, BURST, "this connection"), it->left, "%s", it->label);
        cr_expect_eq(pongs(bob, BURST, "this connection"), it->left, "%s", it->label);
        cr_expect_eq(pongs(carol, BURST, ""), BURST, "%s: who watches", it->label);
        table_close(&table);
    }
}

#define HALL                                                                                  \
    "{'type':'level','rooms':[{'type':'room','origin':[0,0],'bounds':{'rows':5,'columns':5}," \
    "'layout':[[0,0,2,0,0],[0,1,1,1,0],[0,1,1,1,0],[0,1,1,1,0],[0,0,0,0,0]]}],'hallways':[]," \
    "'objects':[{'type':'key','position':[3,2]},{'type':'exit','position':[3,3]}],"           \
    "'starts':{'heroes':[[1,1]],'adversaries':[]}}"

static const char *
stays(int moves)
{
    static char commands[TABLE_TEXT_MAX];

    commands[0] = '\0';
    for (int i = 0; i < moves; i++) {
        strcat(commands, i == 0 ? "{'kind':'move','to':null}" : ",{'kind':'move','to':null}");
    }
    return commands;
}

static int64_t
alone(struct peer *peer, const char *level)
{
    say(peer,
        "{'type':'create','ruleset':'snarl','clock':null,'params':{'levels':[%s],"
        "'heroes':['ada']}}",
        level);
    return number_of(hear(peer, "joined"), "match");
}

/* One hero alone owes again after each move, so a list of moves is as many turns. */
Test(rates, a_list_that_makes_many_turns_is_charged_to_its_sender)
{
    for (int moves = 1; moves <= 40; moves += 39) {
        struct table table;
        struct peer *ada;
        int64_t match;
        int bytes;
        int left;

        table_open(&table);
        ada = table_player(&table, "ada");
        match = alone(ada, HALL);
        set_limits(&table, 0, 0);
        submit(ada, match, 0, "1", stays(moves));
        (void)hear(ada, "turn");
        bytes = atoi(fixture_ask(&table.store, "SELECT sum(length(body)) FROM record "
                                               "WHERE kind IN ('turn', 'submission')"));
        left = BURST - 1 - bytes / 4096;
        cr_assert(moves == 1 ? left == BURST - 1 : left < BURST - 1, "%d bytes", bytes);
        cr_expect_eq(pongs(ada, BURST, "this connection"), left > 0 ? left : 0, "%d bytes", bytes);
        table_close(&table);
    }
}

/* As large as a level may be: each turn takes 170,000 steps. */
#define WIDE                                                                              \
    "{'rooms':[{'origin':[0,0],'bounds':{'rows':1,'columns':3},'layout':[[1,1,1]]},"      \
    "{'origin':[199,199],'bounds':{'rows':1,'columns':1},'layout':[[1]]}],'hallways':[]," \
    "'objects':[{'type':'exit','position':[0,2]}],'starts':{'heroes':[[0,0]],'adversaries':[]}}"
#define WIDE_MOVES (SK_LIST_WORK_MAX / 170000)

/* All turns of a list are resolved at once. */
Test(lists, that_would_keep_the_loop_busy_are_refused)
{
    struct json_object *error;
    struct table table;
    struct peer *ada;
    int64_t match;

    table_open(&table);
    ada = table_player(&table, "ada");
    match = alone(ada, WIDE);
    submit(ada, match, 0, "1", stays(WIDE_MOVES + 1));
    error = hear_error(ada, "malformed");
    cr_expect_str_eq(word_of(error, "message"), "expected 0 to 23 items, found 24");
    cr_expect_str_eq(word_of(error, "at"), "/commands");
    cr_expect_eq(table.host->counters.errors[ERROR_MALFORMED], 1u);
    cr_expect_eq(table.host->counters.malformed, 0u, "it is a frame, which may be repeated");
    submit(ada, match, 0, "2", stays(WIDE_MOVES - 1));
    (void)hear(ada, "accepted");
    submit(ada, match, WIDE_MOVES - 1, "3", stays(WIDE_MOVES));
    (void)hear(ada, "accepted");
    cr_expect_str_eq(fixture_ask(&table.store, "SELECT count(*) FROM record WHERE kind = 'turn'"),
                     "45");
    match = alone(ada, HALL);
    submit(ada, match, 0, "4", stays(SK_COMMANDS_MAX));
    (void)hear(ada, "accepted");
    table_close(&table);
}

/* On this board a turn takes 10,000 steps, and 16 for each of 4,096 squares, 64 for each disc. */
#define HIT_TURNS 34
#define HIT_MOVES (SK_LIST_WORK_MAX / (10000 + 16 * 64 * 64 + 64 * HIT_TURNS))

/* Who hits the other in each of their turns plays on: the list goes on for as long as it is. */
static void
hit(struct peer *peer, int64_t match, int turn, const char *command_id, int moves)
{
    static const char *const cycle[] = { "{'kind':'move','dir':'e'}",
                                         "{'kind':'pick_up','item':'charged_disc'}",
                                         "{'kind':'use','item':'charged_disc','dir':'e'}" };
    char commands[TABLE_TEXT_MAX] = "";

    for (int i = 0; i < moves; i++) {
        strcat(commands, i == 0 ? "" : ",");
        strcat(commands, cycle[i % 3]);
    }
    submit(peer, match, turn, command_id, commands);
}

Test(lists, of_a_racer_who_plays_many_turns_in_a_row_are_bounded)
{
    char items[TABLE_TEXT_MAX] = "";
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;
    int used = 0;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    for (int x = 1; x <= HIT_TURNS; x++) {
        used +=
            sprintf(items + used, "%s{'kind':'charged_disc','at':[%d,0]}", x == 1 ? "" : ",", x);
    }
    say(alice,
        "{'type':'create','ruleset':'racers','clock':null,'params':{'rows':64,'cols':64,"
        "'failure_permille':0,'board':{'walls':[],'starts':[[0,0],[63,0]],'items':[%s],"
        "'teleporters':[]}}}",
        items);
    match = number_of(hear(alice, "joined"), "match");
    say(bob, "{'type':'join','match':%lld}", (long long)match);
    hit(alice, match, 0, "1", HIT_MOVES + 1);
    cr_expect_str_eq(word_of(hear_error(alice, "malformed"), "message"),
                     "expected 0 to 51 items, found 52");
    hit(alice, match, 0, "2", HIT_MOVES);
    (void)hear(alice, "accepted");
    hit(alice, match, HIT_MOVES, "3", HIT_MOVES - 1);
    (void)hear(alice, "accepted");
    cr_expect_str_eq(fixture_ask(&table.store, "SELECT count(*) FROM record WHERE kind = 'turn'"),
                     "101");
    table_close(&table);
}

#define WORK_US 100

static int64_t work_us; /* of each turn, or list of them */

static int64_t
cpu_us(void *context)
{
    static int64_t now_us;
    static bool is_after;

    (void)context;
    now_us += is_after ? work_us : 0;
    is_after = !is_after;
    return now_us;
}

static const struct {
    const char *label;
    int64_t work_us;
    int left; /* of BURST frames */
} list_cases[] = {
    { "less than a frame pays for", WORK_US - 1, 3 },
    { "the work of one frame more", WORK_US, 2 },
    { "the work of three more", 3 * WORK_US, 0 },
};

Test(lists, pay_for_the_loops_time)
{
    for (size_t i = 0; i < SK_COUNT_OF(list_cases); i++) {
        struct table table;
        struct peer *ada;
        int64_t match;

        table_open(&table);
        ada = table_player(&table, "ada");
        match = alone(ada, HALL);
        set_limits(&table, 0, 0);
        table.host->options.frame_work_us = WORK_US;
        table.host->world.cpu_us = cpu_us;
        work_us = list_cases[i].work_us;
        submit(ada, match, 0, "1", stays(2));
        (void)hear(ada, "turn");
        cr_expect_eq(pongs(ada, BURST, "this connection"), list_cases[i].left, "%s",
                     list_cases[i].label);
        table_close(&table);
    }
}

/* Otherwise the work could be repeated for one frame each. */
Test(lists, pay_for_the_loops_time_even_if_the_store_is_full)
{
    struct table table;
    struct peer *ada;
    int64_t match;

    table_open(&table);
    ada = table_player(&table, "ada");
    match = alone(ada, HALL);
    set_limits(&table, 0, 0);
    table.host->options.frame_work_us = WORK_US;
    table.host->world.cpu_us = cpu_us;
    table.host->options.jobs_max = 0;
    work_us = WORK_US;
    submit(ada, match, 0, "1", stays(2));
    (void)hear_error(ada, "busy");
    cr_expect_eq(pongs(ada, BURST, "this connection"), 2);
    table_close(&table);
}

/* Where all move at once, it is divided among those who play. */
Test(rates, the_loops_time_for_a_turn_is_charged_to_those_who_play_it)
{
    struct table table;
    struct peer *alice;
    struct peer *bob;
    int64_t match;

    table_open(&table);
    alice = table_player(&table, "alice");
    bob = table_player(&table, "bob");
    match = wide_match(alice, bob, 1, 1);
    set_limits(&table, 0, 0);
    table.host->options.frame_work_us = WORK_US;
    table.host->world.cpu_us = cpu_us;
    work_us = 4 * WORK_US;
    attack_all(alice, match, 'a', 1);
    attack_all(bob, match, 'b', 1);
    (void)hear(alice, "turn");
    cr_expect_eq(pongs(alice, BURST, "this connection"), 1);
    cr_expect_eq(pongs(bob, BURST, "this connection"), 1);
    table_close(&table);
}

/* ---- what a chat costs -------------------------------------------------------------------- */

#define CHATS 3

static bool
may_chat(struct peer *peer, int64_t match)
{
    forget(peer);
    say(peer, "{'type':'chat','id':'c','match':%lld,'text':'hello'}", (long long)match);
    if (find_frame(peer, "done") != NULL) {
        return true;
    }
    cr_assert_eq(number_of(hear_error(peer, "chat_limited"), "retry_ms"), 60000 / CHATS);
    return false;
}

Test(chats, of_a_player_are_limited_on_all_connections_together)
{
    struct table table;
    struct peer *alice;
    struct peer *again;
    struct peer *bob;
    char token[sizeof(alice->token)];
    int64_t match;

    table_open(&table);
    table.host->options.chat_per_minute = CHATS;
    alice = table_player(&table, "alice");
    memcpy(token, alice->token, sizeof(token));
    bob = table_player(&table, "bob");
    match = table_pair(alice, bob, "");
    again = table_return(&table, token);
    say(again, "{'type':'watch','match':%lld}", (long long)match);
    for (int i = 0; i < CHATS; i++) {
        cr_assert(may_chat(i == 0 ? again : alice, match));
    }
    cr_assert_not(may_chat(again, match));
    cr_assert(may_chat(bob, match), "another player");
    peer_drop(alice);
    peer_drop(again);
    alice = table_return(&table, token);
    say(alice, "{'type':'resume','match':%lld,'seq':0}", (long long)match);
    cr_assert_not(may_chat(alice, match), "coming anew does not help");
    table_wait(&table, 60000 / CHATS);
    cr_assert(may_chat(alice, match));
    table.host->options.chat_per_minute = 0;
    forget(bob);
    say(bob, "{'type':'chat','match':%lld,'text':'hello'}", (long long)match);
    (void)hear_error(bob, "chat_limited");
    table_close(&table);
}

Test(chats, that_many_hear_count_as_several_frames)
{
    for (int watchers = 5; watchers <= 6; watchers++) {
        struct table table;
        struct peer *alice;
        int64_t match;

        table_open(&table);
        alice = table_player(&table, "alice");
        match = table_pair(alice, table_player(&table, "bob"), "");
        for (int i = 0; i < watchers; i++) {
            char name[16];

            (void)snprintf(name, sizeof(name), "w%d", i);
            say(table_player(&table, name), "{'type':'watch','match':%lld}", (long long)match);
        }
        set_limits(&table, 0, 0);
        cr_assert(may_chat(alice, match));
        /* with bob and alice eight hear it, or seven */
        cr_expect_eq(pongs(alice, BURST, "this connection"), watchers == 6 ? 2 : 3);
        table_close(&table);
    }
}
