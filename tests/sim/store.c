#include "tests/sim/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/sim/sim.h"

/* ---- copies ------------------------------------------------------------------------------ */

static char *
copy_text(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

static void
copy_match(struct store_match *to, const struct store_match *from)
{
    *to = *from;
    to->ruleset = copy_text(from->ruleset);
    to->params = copy_text(from->params);
    to->settings = copy_text(from->settings);
    to->code = copy_text(from->code);
    to->reason = copy_text(from->reason);
}

void
stored_copy_record(struct store_record *to, const struct store_record *from)
{
    *to = *from;
    to->command_id = copy_text(from->command_id);
    to->body = copy_text(from->body);
    to->name = copy_text(from->name);
}

static void
stored_fini(struct stored_match *match)
{
    free(match->row.ruleset);
    free(match->row.params);
    free(match->row.settings);
    free(match->row.code);
    free(match->row.reason);
    for (uint32_t i = 0; i < match->record_count; i++) {
        free(match->records[i].command_id);
        free(match->records[i].body);
        free(match->records[i].name);
    }
    free(match->records);
}

/* ---- looking things up ------------------------------------------------------------------- */

struct stored_match *
fake_store_match(struct fake_store *store, int64_t id)
{
    return id >= 1 && id <= (int64_t)store->match_count ? &store->matches[id] : NULL;
}

static struct stored_player *
player_of(struct fake_store *store, int64_t id)
{
    return id >= 1 && id <= (int64_t)store->player_count ? &store->players[id - 1] : NULL;
}

bool
stored_is_public(enum store_record_kind kind)
{
    return kind == RECORD_CREATED || kind == RECORD_JOINED || kind == RECORD_TURN ||
           kind == RECORD_CLOCK || kind == RECORD_OFFER || kind == RECORD_ENDED;
}

const struct store_record *
stored_public(const struct stored_match *match, int32_t seq)
{
    for (uint32_t i = 0; i < match->record_count; i++) {
        if (stored_is_public(match->records[i].kind) && --seq == 0) {
            return &match->records[i];
        }
    }
    return NULL;
}

const struct store_record *
stored_command(const struct stored_match *match, int32_t seat, const char *command_id)
{
    for (uint32_t i = 0; i < match->record_count; i++) {
        const struct store_record *record = &match->records[i];

        if (record->seat == seat && record->command_id != NULL &&
            strcmp(record->command_id, command_id) == 0) {
            return record;
        }
    }
    return NULL;
}

int
stored_seat_of(const struct stored_match *match, int64_t player)
{
    for (int seat = 0; seat < match->row.seat_count; seat++) {
        if (player != 0 && match->seats[seat].player == player) {
            return seat;
        }
    }
    return -1;
}

/* ---- players ----------------------------------------------------------------------------- */

static enum store_result
player_create(struct fake_store *store, struct store_job *job)
{
    struct stored_player *player;

    for (uint32_t i = 0; i < store->player_count; i++) {
        if (strcasecmp(store->players[i].name, job->player.name) == 0) {
            return STORE_TAKEN;
        }
    }
    if (store->player_count == STORE_PLAYERS_MAX) {
        return STORE_UNAVAILABLE;
    }
    player = &store->players[store->player_count++];
    player->id = store->player_count;
    player->name = copy_text(job->player.name);
    player->is_bot = job->player.is_bot;
    memcpy(player->token_hash, job->player.token_hash, STORE_HASH_BYTES);
    job->player.id = player->id;
    return STORE_OK;
}

/* The same bot is always the same player. */
static enum store_result
bot_player(struct fake_store *store, struct store_job *job)
{
    enum store_result result;

    for (uint32_t i = 0; i < store->player_count; i++) {
        const struct stored_player *player = &store->players[i];

        if (player->bot != NULL && strcmp(player->bot, job->player.bot) == 0) {
            job->player.id = player->id;
            return STORE_OK;
        }
    }
    result = player_create(store, job);
    if (result == STORE_OK) {
        store->players[job->player.id - 1].bot = copy_text(job->player.bot);
    }
    return result;
}

static enum store_result
player_login(struct fake_store *store, struct store_job *job)
{
    for (uint32_t i = 0; i < store->player_count; i++) {
        const struct stored_player *player = &store->players[i];

        if (memcmp(player->token_hash, job->player.token_hash, STORE_HASH_BYTES) == 0) {
            job->player.id = player->id;
            job->player.name = copy_text(player->name);
            job->player.is_bot = player->is_bot;
            return STORE_OK;
        }
    }
    return STORE_NOT_FOUND;
}

static enum store_result
token_renew(struct fake_store *store, struct store_job *job)
{
    struct stored_player *player = player_of(store, job->player.id);

    if (player == NULL) {
        sim_broken(store->sim, PROMISE_STORE, "a token for player %lld, who does not exist",
                   (long long)job->player.id);
    }
    memcpy(player->token_hash, job->player.token_hash, STORE_HASH_BYTES);
    return STORE_OK;
}

/* ---- matches ----------------------------------------------------------------------------- */

static void
take_settings(struct stored_match *match)
{
    struct sk_text settings = sk_text_of(match->row.settings);

    match->has_clock = sk_text_same(scan_member(settings, "clock"), SK_TEXT("true"));
    match->is_cycle = sk_text_same(scan_member(settings, "cycle"), SK_TEXT("true"));
    match->turn_ms = scan_number(scan_member(settings, "turn_ms"), 0);
    match->spectator_delay = (int32_t)scan_number(scan_member(settings, "spectator_delay"), 0);
    for (int seat = 0; seat < STORE_SEATS_MAX; seat++) {
        match->bank_ms[seat] = scan_number(scan_member(settings, "bank_ms"), 0);
    }
}

bool
stored_is_unfinished(const struct stored_match *match)
{
    return match->row.status == MATCH_WAITING || match->row.status == MATCH_RUNNING;
}

static int64_t
find_rematch(const struct fake_store *store, int64_t of)
{
    for (int64_t id = 1; id <= (int64_t)store->match_count; id++) {
        if (store->matches[id].row.rematch_of == of && stored_is_unfinished(&store->matches[id])) {
            return id;
        }
    }
    return 0;
}

/* A damaged match may be quarantined in the host although that could not be stored. */
static bool
has_sound_rematch(const struct fake_store *store, int64_t of)
{
    int64_t id = find_rematch(store, of);

    return id != 0 && !store->matches[id].is_corrupt;
}

static enum store_result
match_create(struct fake_store *store, struct store_job *job)
{
    struct stored_match *match;

    if (store->match_count == STORE_MATCHES_MAX) {
        return STORE_UNAVAILABLE;
    }
    if (job->match.rematch_of != 0 && has_sound_rematch(store, job->match.rematch_of)) {
        sim_broken(store->sim, PROMISE_STORE, "match %lld is played again twice",
                   (long long)job->match.rematch_of);
    }
    match = &store->matches[++store->match_count];
    *match = (struct stored_match){ 0 };
    job->match_id = job->match.id = store->match_count;
    copy_match(&match->row, &job->match);
    for (int seat = 0; seat < match->row.seat_count; seat++) {
        match->seats[seat].player = job->seats[seat].player;
        match->seats[seat].is_bot = job->seats[seat].is_bot;
    }
    take_settings(match);
    match->row.status = MATCH_WAITING; /* while its first records come */
    for (uint32_t i = 0; i < job->record_count; i++) {
        stored_append(store, match, &job->records[i]);
    }
    match->row.status = job->match.status;
    return STORE_OK;
}

static void
change_seat(struct fake_store *store, struct stored_match *match,
            const struct store_match_change *change)
{
    const struct stored_player *player = player_of(store, change->player);
    struct store_seat *seat = &match->seats[change->seat];

    if (match->row.status != MATCH_WAITING || change->seat >= match->row.seat_count ||
        (change->player == 0) != (seat->player != 0) || (change->player != 0 && player == NULL)) {
        sim_broken(store->sim, PROMISE_STORE, "match %lld: seat %d cannot go to player %lld",
                   (long long)match->row.id, change->seat, (long long)change->player);
    }
    seat->player = change->player;
    seat->is_bot = player != NULL && player->is_bot;
}

static void
change_end(struct fake_store *store, struct stored_match *match,
           const struct store_match_change *change)
{
    if (match->row.status == MATCH_OVER || change->reason == NULL || change->reason[0] == '\0' ||
        match->records[match->record_count - 1].kind != RECORD_ENDED) {
        sim_broken(store->sim, PROMISE_ENDS, "match %lld ends twice, or without a reason or record",
                   (long long)match->row.id);
    }
    match->row.status = MATCH_OVER;
    match->row.ended_at_ms = change->ended_at_ms;
    match->row.winner = change->winner;
    match->row.reason = copy_text(change->reason);
}

static enum store_result
match_append(struct fake_store *store, struct store_job *job)
{
    struct stored_match *match = fake_store_match(store, job->match_id);

    if (match == NULL) {
        sim_broken(store->sim, PROMISE_STORE, "a record for match %lld, which does not exist",
                   (long long)job->match_id);
    }
    if (job->append.change.is_quarantined) {
        if (!match->is_corrupt) {
            sim_broken(store->sim, PROMISE_QUARANTINE, "match %lld was set aside: %s",
                       (long long)match->row.id, job->append.change.reason);
        }
        match->row.status = MATCH_QUARANTINED;
        free(match->row.reason);
        match->row.reason = copy_text(job->append.change.reason);
        return STORE_OK;
    }
    if (match->is_broken) {
        match->was_refused = true;
        job->message = copy_text("it was broken on purpose");
        return STORE_CORRUPT;
    }
    if (match->owner != OWNER_THIS || match->is_stale) {
        match->has_failed = true;
        match->failed_generation = job->append.generation;
        return STORE_LOST;
    }
    if (job->records[job->record_count - 1].at_ms > match->stopped_at_ms) {
        stored_check_shifted(store, match, job);
        match->stopped_at_ms = 0;
    }
    for (uint32_t i = 0; i < job->record_count; i++) {
        stored_append(store, match, &job->records[i]);
    }
    if (job->append.change.has_seat) {
        change_seat(store, match, &job->append.change);
    }
    if (job->append.change.has_started) {
        match->row.status = MATCH_RUNNING;
        match->row.started_at_ms = job->append.change.started_at_ms;
        match->row.is_rated = match->row.is_rated && !job->append.change.is_unrated;
    }
    if (job->append.change.has_ended) {
        change_end(store, match, &job->append.change);
    }
    return STORE_OK;
}

/* The newest snapshot of that turn or before, as its place among the records; or 0. */
static uint32_t
find_snapshot(const struct stored_match *match, const struct store_job *job)
{
    for (uint32_t i = match->record_count; i > 0; i--) {
        const struct store_record *record = &match->records[i - 1];

        if (record->kind == RECORD_SNAPSHOT && record->turn <= job->load.from_turn) {
            return i - 1;
        }
    }
    return 0;
}

static void
load_keys(const struct stored_match *match, struct store_job *job)
{
    job->load.keys = calloc(match->record_count + 1, sizeof(*job->load.keys));
    for (uint32_t i = 0; i < match->record_count; i++) {
        const struct store_record *record = &match->records[i];

        if (record->command_id != NULL) {
            job->load.keys[job->load.key_count++] =
                store_command_key(record->seat, record->command_id, strlen(record->command_id));
        }
    }
}

/* As in the real store: names of players who have left. */
static void
load_names(struct fake_store *store, struct store_job *job)
{
    for (uint32_t i = 0; i < job->record_count; i++) {
        const struct stored_player *player = player_of(
            store, scan_number(scan_member(sk_text_of(job->records[i].body), "player"), 0));

        if (job->records[i].kind == RECORD_JOINED && player != NULL) {
            job->records[i].name = copy_text(player->name);
        }
    }
}

static void
load_records(const struct stored_match *match, struct store_job *job)
{
    uint32_t from = find_snapshot(match, job);
    uint32_t end = match->record_count;

    if (job->load.first_seq > 1) {
        from = job->load.first_seq - 1;
        end = end - from < (uint32_t)job->load.limit ? end : from + (uint32_t)job->load.limit;
    } else if (from > 2) {
        stored_copy_record(store_job_add_record(job), &match->records[0]);
        from--; /* the turn in front of it */
    } else {
        from = 0;
    }
    for (uint32_t i = from; i < end; i++) {
        const struct store_record *record = &match->records[i];

        if (job->load.has_turn_end && record->kind == RECORD_TURN &&
            record->turn >= job->load.turn_end) {
            break;
        }
        stored_copy_record(store_job_add_record(job), record);
    }
    if (job->load.wants_keys) {
        load_keys(match, job);
    }
}

static enum store_result
match_load(struct fake_store *store, struct store_job *job)
{
    struct stored_match *match = fake_store_match(store, job->match_id);

    if (match == NULL) {
        return STORE_NOT_FOUND;
    }
    if (match->is_corrupt && match->row.status != MATCH_QUARANTINED) {
        job->message = copy_text("it was corrupted on purpose");
        return STORE_CORRUPT;
    }
    if (job->load.claims && store->port.is_shared && !stored_claim(store, match, job)) {
        return STORE_ELSEWHERE;
    }
    copy_match(&job->match, &match->row);
    job->match.stopped_at_ms = match->stopped_at_ms;
    for (int seat = 0; seat < match->row.seat_count; seat++) {
        const struct stored_player *player = player_of(store, match->seats[seat].player);

        job->seats[seat] = match->seats[seat];
        job->seats[seat].name = player == NULL ? NULL : copy_text(player->name);
        job->seats[seat].bot = player == NULL ? NULL : copy_text(player->bot);
    }
    load_records(match, job);
    load_names(store, job);
    return STORE_OK;
}

static enum store_result
match_by_code(struct fake_store *store, struct store_job *job)
{
    for (int64_t id = 1; id <= (int64_t)store->match_count; id++) {
        const char *code = store->matches[id].row.code;

        if (code != NULL && strcmp(code, job->code) == 0) {
            job->match_id = id;
            return STORE_OK;
        }
    }
    return STORE_NOT_FOUND;
}

static enum store_result
rematch_find(struct fake_store *store, struct store_job *job)
{
    job->match_id = find_rematch(store, job->rematch_of);
    return job->match_id == 0 ? STORE_NOT_FOUND : STORE_OK;
}

/* Of a player, or (0) all of them. */
static struct store_ids
unfinished_after(struct fake_store *store, int64_t player, int64_t after, int32_t limit)
{
    struct store_ids ids = { calloc(STORE_MATCHES_MAX, sizeof(*ids.at)), 0 };

    for (int64_t id = after + 1; id <= (int64_t)store->match_count; id++) {
        const struct stored_match *match = &store->matches[id];

        if (stored_is_unfinished(match) && (player == 0 || stored_seat_of(match, player) >= 0) &&
            (limit <= 0 || ids.count < (uint32_t)limit)) {
            ids.at[ids.count++] = id;
        }
    }
    return ids;
}

static enum store_result
list_unfinished(struct fake_store *store, struct store_job *job)
{
    struct store_unfinished *list = &job->unfinished;

    list->ids = unfinished_after(store, 0, list->after, list->limit);
    for (uint32_t id = 1; id <= store->match_count; id++) {
        list->quarantined_count += store->matches[id].row.status == MATCH_QUARANTINED;
    }
    list->last_beat_ms = store->beat_ms;
    return STORE_OK;
}

static enum store_result
text(struct fake_store *store, struct store_job *job)
{
    const struct stored_match *match = fake_store_match(store, job->query.match_id);
    bool is_list = job->query.kind == QUERY_MATCHES || job->query.kind == QUERY_LEADERBOARD;

    if (!is_list && match == NULL) {
        return STORE_NOT_FOUND;
    }
    job->text.at = copy_text(is_list ? "{\"matches\":[],\"next\":null}" : "{}");
    job->text.length = strlen(job->text.at);
    return STORE_OK;
}

/* ---- transactions ------------------------------------------------------------------------ */

static enum store_result
work_on(struct fake_store *store, struct store_job *job)
{
    switch (job->kind) {
    case JOB_PLAYER_CREATE:
        return player_create(store, job);
    case JOB_PLAYER_LOGIN:
        return player_login(store, job);
    case JOB_TOKEN_RENEW:
        return token_renew(store, job);
    case JOB_MATCH_CREATE:
        return match_create(store, job);
    case JOB_MATCH_APPEND:
        return match_append(store, job);
    case JOB_MATCH_LOAD:
        return match_load(store, job);
    case JOB_COMMAND_FIND:
        return fake_store_find(store, job);
    case JOB_MATCH_BY_CODE:
        return match_by_code(store, job);
    case JOB_REMATCH_FIND:
        return rematch_find(store, job);
    case JOB_UNFINISHED:
        return list_unfinished(store, job);
    case JOB_PLAYER_MATCHES:
        job->matches = unfinished_after(store, job->player.id, 0, 0);
        return STORE_OK;
    case JOB_TEXT:
        return text(store, job);
    case JOB_BEAT:
        return fake_store_beat(store, job);
    case JOB_CLAIM:
        return fake_store_claim(store, job);
    case JOB_RELEASE:
        return fake_store_release(store);
    case JOB_QUEUE:
        return fake_store_queue(store, job);
    case JOB_BOT_PLAYER:
        return bot_player(store, job);
    case JOB_BOT_CALL:
    case JOB_RATINGS: /* 0 for everybody */
    case JOB_FLUSH:
        return STORE_OK;
    default: /* the tool's */
        sim_broken(store->sim, PROMISE_STORE, "a job of kind %d", (int)job->kind);
    }
}

static void
fail(struct fake_store *store, struct store_job *job)
{
    struct stored_match *match = fake_store_match(store, job->match_id);

    job->result = STORE_UNAVAILABLE;
    free(job->message);
    job->message = copy_text("it failed on purpose");
    if (job->kind == JOB_MATCH_APPEND && job->record_count > 0 && match != NULL) {
        match->has_failed = true;
        match->failed_generation = job->append.generation;
    }
}

/* As in the real store: when one of a match's jobs fails, its later ones of that generation do. */
static bool
has_failed_before(struct fake_store *store, const struct store_job *job)
{
    struct stored_match *match = fake_store_match(store, job->match_id);

    if (job->kind != JOB_MATCH_APPEND || job->record_count == 0 || match == NULL ||
        !match->has_failed) {
        return false;
    }
    match->has_failed = match->failed_generation == job->append.generation;
    return match->has_failed;
}

static struct store_job *
take_first(struct store_job **list)
{
    struct store_job *job = *list;

    if (job != NULL) {
        *list = job->next;
        job->next = NULL;
    }
    return job;
}

static void
put_last(struct store_job **list, struct store_job *job)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    job->next = NULL;
    *list = job;
}

void
fake_store_work(struct fake_store *store, uint32_t count, bool fails)
{
    struct store_job *job;

    while (count-- > 0 && (job = take_first(&store->waiting)) != NULL) {
        store->waiting_count--;
        if (fails && job->kind == JOB_CLAIM && work_on(store, job) == STORE_LOST) {
            job->result = STORE_LOST;
        } else if (fails || has_failed_before(store, job)) {
            fail(store, job); /* of a claim only the answer is lost */
        } else {
            job->result = work_on(store, job);
        }
        put_last(&store->done, job);
        store->done_count++;
    }
}

struct store_job *
fake_store_take(struct fake_store *store)
{
    struct store_job *job = take_first(&store->done);

    store->done_count -= job != NULL;
    store->failed += job != NULL && job->result == STORE_UNAVAILABLE;
    return job;
}

struct store_job *
fake_store_lose(struct fake_store *store)
{
    struct store_job *job = take_first(&store->done);

    if (job == NULL) {
        job = take_first(&store->waiting);
    }
    if (job != NULL) {
        free(job->message);
        job->message = NULL;
        job->result = STORE_UNAVAILABLE;
    }
    store->done_count = 0;
    store->waiting_count = 0;
    return job;
}

static bool
submit(struct store_port *port, struct store_job *job)
{
    struct fake_store *store = (struct fake_store *)port;

    if (store->is_gone) {
        return false;
    }
    if (store->full > 0) {
        store->full--;
        store->failed++;
        return false;
    }
    sim_handed_over(store->sim, job);
    if (job->place != STORE_IN_ORDER && store->apart_count++ % 2 == 0) {
        job->next = store->waiting; /* it does not wait for earlier jobs */
        store->waiting = job;
    } else {
        put_last(&store->waiting, job);
    }
    store->waiting_count++;
    return true;
}

void
fake_store_init(struct fake_store *store, struct sim *sim)
{
    *store = (struct fake_store){ .port = { .submit = submit }, .sim = sim };
}

void
fake_store_fini(struct fake_store *store)
{
    for (uint32_t i = 0; i < store->player_count; i++) {
        free(store->players[i].name);
        free(store->players[i].bot);
    }
    for (uint32_t i = 1; i <= store->match_count; i++) {
        stored_fini(&store->matches[i]);
    }
}
