/*
 * Committed records, and what must hold for each: in order, once, and made of
 * what was sent.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/sim/sim.h"

static const struct store_record *
last_of_seat(const struct stored_match *match, int32_t seat, int32_t turn)
{
    const struct store_record *last = NULL;

    for (uint32_t i = 0; i < match->record_count; i++) {
        const struct store_record *record = &match->records[i];

        if (record->seat == seat && record->turn == turn &&
            (record->kind == RECORD_SUBMISSION || record->kind == RECORD_WITHDRAWN)) {
            last = record;
        }
    }
    return last;
}

/* Commands that only the host gives for a seat. */
static bool
is_of_host(struct sk_text command)
{
    struct sk_text kind = scan_member(command, "kind");

    return scan_is(kind, "resign") || scan_is(kind, "timeout") || scan_is(kind, "abandon") ||
           scan_is(kind, "agree_draw");
}

/* A full list has no space for the command by which a seat leaves or agrees. */
static bool
gives_way(struct sk_text used)
{
    struct sk_text command;

    return scan_item(&used, &command) && is_of_host(command) &&
           !scan_is(scan_member(command, "kind"), "timeout");
}

/* An agreement needs an offer of another seat. */
static void
check_agreed(struct fake_store *store, const struct stored_match *match,
             const struct store_record *turn)
{
    struct sk_text lists = scan_member(sk_text_of(turn->body), "commands");
    int64_t offer = told_offer(match, INT32_MAX);
    struct sk_text list;
    struct sk_text command;

    for (int32_t seat = 0; scan_item(&lists, &list); seat++) {
        while (scan_item(&list, &command)) {
            if (scan_is(scan_member(command, "kind"), "agree_draw") &&
                (offer < 0 || offer == seat)) {
                sim_broken(store->sim, PROMISE_OFFERS,
                           "match %lld, turn %d: seat %d agrees, and seat %lld has offered",
                           (long long)match->row.id, turn->turn, seat, (long long)offer);
            }
        }
    }
}

/* A turn uses what the seat sent last, all of it, and at most one command of the host's. */
static void
check_commands(struct fake_store *store, const struct stored_match *match,
               const struct store_record *turn)
{
    struct sk_text lists = scan_member(sk_text_of(turn->body), "commands");
    struct sk_text used;

    if (!sk_registry_find(sk_text_of(match->row.ruleset), 0)->is_simultaneous) {
        return; /* there a list may be several turns */
    }
    for (int32_t seat = 0; scan_item(&lists, &used); seat++) {
        const struct store_record *last = last_of_seat(match, seat, turn->turn);
        struct sk_text sent = { 0 };
        struct sk_text one;
        struct sk_text other;
        uint32_t count = 0;

        if (last != NULL && last->kind == RECORD_SUBMISSION) {
            sent = scan_member(sk_text_of(last->body), "commands");
        }
        if (scan_count(sent) == SK_COMMANDS_MAX && gives_way(used)) {
            sent = (struct sk_text){ 0 };
        }
        while (scan_item(&sent, &one)) {
            if (!scan_item(&used, &other) || !sk_text_same(one, other)) {
                sim_broken(store->sim, PROMISE_COMMANDS,
                           "match %lld, turn %d, seat %d: %.*s was accepted and not used",
                           (long long)match->row.id, turn->turn, seat, (int)one.length, one.at);
            }
        }
        while (scan_item(&used, &other)) {
            count += is_of_host(other) ? 1 : 2;
        }
        if (count > 1) {
            sim_broken(store->sim, PROMISE_COMMANDS,
                       "match %lld, turn %d, seat %d: %u commands that nobody sent",
                       (long long)match->row.id, turn->turn, seat, count);
        }
    }
}

static void
take_banks(struct stored_match *match, const struct store_record *turn)
{
    struct sk_text banks = scan_member(sk_text_of(turn->body), "bank_ms");
    struct sk_text bank;

    for (int seat = 0; seat < STORE_SEATS_MAX && scan_item(&banks, &bank); seat++) {
        match->bank_ms[seat] = scan_number(bank, 0);
    }
}

static void
check_record(struct fake_store *store, const struct stored_match *match,
             const struct store_record *record)
{
    long long id = (long long)match->row.id;

    if (record->seq != match->record_count + 1) {
        sim_broken(store->sim, PROMISE_STORE, "match %lld: record %u after %u", id, record->seq,
                   match->record_count);
    }
    if (match->row.status == MATCH_OVER) {
        sim_broken(store->sim, PROMISE_STORE, "match %lld is over: record %u (%s)", id, record->seq,
                   store_record_kind_names[record->kind]);
    }
    if (record->command_id != NULL &&
        stored_command(match, record->seat, record->command_id) != NULL) {
        sim_broken(store->sim, PROMISE_COMMAND_ID, "match %lld, seat %d: %s is stored twice", id,
                   record->seat, record->command_id);
    }
    if (match->row.status == MATCH_RUNNING && record->turn != (int32_t)match->turn_count &&
        record->kind != RECORD_ENDED) {
        sim_broken(store->sim, PROMISE_STORE, "match %lld: a %s of turn %d in turn %u", id,
                   store_record_kind_names[record->kind], record->turn, match->turn_count);
    }
    if (record->kind == RECORD_TURN) {
        check_agreed(store, match, record);
        check_commands(store, match, record);
    }
}

/* The contents of a record, without its hash, which only the real store has. */
static void
note(struct sim *sim, const struct stored_match *match, const struct store_record *record)
{
    int64_t numbers[] = { match->row.id, record->seq,  record->kind,
                          record->turn,  record->seat, record->at_ms };

    sim_note(sim, numbers, sizeof(numbers));
    sim_note(sim, record->body, record->body_length);
    if (record->command_id != NULL) {
        sim_note(sim, record->command_id, strlen(record->command_id));
    }
}

void
stored_append(struct fake_store *store, struct stored_match *match,
              const struct store_record *record)
{
    check_record(store, match, record);
    if (match->record_count == match->record_room) {
        match->record_room = match->record_room == 0 ? 16 : 2 * match->record_room;
        match->records = realloc(match->records, match->record_room * sizeof(*match->records));
        if (match->records == NULL) {
            abort();
        }
    }
    stored_copy_record(&match->records[match->record_count++], record);
    note(store->sim, match, record);
    match->public_count += stored_is_public(record->kind);
    if (record->kind == RECORD_TURN) {
        match->turn_count++;
        take_banks(match, record);
    }
}

enum store_result
fake_store_find(struct fake_store *store, struct store_job *job)
{
    const struct stored_match *match = fake_store_match(store, job->match_id);
    const struct store_record *found =
        match == NULL ? NULL
                      : stored_command(match, job->records[0].seat, job->records[0].command_id);

    if (found == NULL) {
        return STORE_NOT_FOUND;
    }
    free(job->records[0].command_id);
    stored_copy_record(&job->records[0], found);
    return STORE_OK;
}
