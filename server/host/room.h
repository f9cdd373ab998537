/*
 * Rooms: one live match each.
 *
 *   room.c          finding, following, freeing
 *   room_create.c   `create`, and the first state
 *   room_load.c     from the store to memory
 *   room_restore.c  from stored records to a room (restore.h), with
 *                   room_snapshot.c and room_verify.c
 *   room_resume.c   what a client missed, from the same records
 *   lobby.c         joining, leaving, watching and lists
 *   queue.c         waiting for somebody to play with
 *   room_gate.c     what is asked of every frame of a player
 *   room_repeat.c   frames that are sent again
 *   room_submit.c   submit and withdraw, up to the store and back
 *   room_play.c     from commands to resolved turns
 *   room_turn.c     closing, storing and showing turns
 *   room_give.c     resigning, and other commands that the host gives
 *   room_clock.c    deadlines and banks
 *   room_show.c     what each audience is told
 *   room_draw.c     draws
 *   room_talk.c     chat, claim, hints, what-if
 *   room_rematch.c  playing a match again
 *   room_bot.c      seats that bots play (room_bot.h), with room_bot_seat.c
 *
 * Threads: the loop's only.
 */
#ifndef SK_HOST_ROOM_H
#define SK_HOST_ROOM_H

#include "proto/records.h"
#include "server/hex.h"
#include "server/host/internal.h"

/* ---- players (player.c) ------------------------------------------------------------------ */

/* The player of that id, made if it is not there; the session belongs to him from now on. */
void player_enter(struct session *session, int64_t id, const char *name, bool is_bot);
void player_leave(struct session *session);
bool token_hash(struct sk_text token, uint8_t ret_hash[STORE_HASH_BYTES]);
struct player *player_find(struct host *host, int64_t id);

/* How many matches he plays: a seat for him goes to the store, comes back, or is free again. */
void player_joins(struct host *host, int64_t id);
void player_joined(struct host *host, int64_t id, bool is_stored);
void player_left(struct host *host, int64_t id);
bool player_may_join(const struct host *host, const struct player *player);

/* ---- finding (room.c, room_load.c) ------------------------------------------------------- */

void room_free(struct room *room);
void host_load_done(struct host *host, bool has_failed); /* one of those of the start came back */
bool host_is_loading(const struct host *host); /* matches of the start are still to come */
struct room *room_find(struct host *host, int64_t id);
struct room *room_add(struct host *host, int64_t id);
void room_wait_for_others(struct room *room); /* from now on, as long as an open seat is kept */

/* Frees the room if nobody needs it any more. */
void room_release(struct room *room);

/* Asks the store for it.  Frames for a room that is loading are parked and handled after. */
bool room_load(struct host *host, int64_t id); /* false = the store takes no more */
bool room_load_at_start(struct host *host, int64_t id);

/* What was asked for too early: now that it is known when clocks stopped, or is not (tells all). */
void room_load_early(struct host *host);
void room_forget_early(struct host *host);
void room_park(struct room *room, struct session *session, const char *text, size_t length);
void room_forget_parked(struct room *room);

/* Handles what was parked, or tells all that the store does not answer; may free the room. */
void room_unpark(struct room *room, bool is_available);

/* The seat of the session's player, or SK_SPECTATOR. */
uint8_t room_seat_of(const struct room *room, const struct session *session);

/* Does a program play one of the seats?  Then the match is not rated. */
bool room_has_bot(const struct room *room);
struct follow *room_follow_of(const struct room *room, const struct session *session);
struct follow *room_follow(struct room *room, struct session *session);
void room_unfollow(struct follow *follow);
bool room_is_resuming(const struct room *room, const struct session *session);

/* A job of the room's; counts it, and its generation. */
bool room_submit_job(struct room *room, struct store_job *job);
struct store_job *room_append(struct room *room, void (*done)(struct store_job *, void *));

/* Adds a record of the next seq; `body` is written from the schema. */
struct store_record *room_record(struct room *room, struct store_job *job,
                                 enum store_record_kind kind, int32_t seat,
                                 const struct sk_schema *schema, const void *body);

/* The frame of one public record, as it was shown when the record was new. */
void room_show_record(struct room *room, const struct store_record *record,
                      const struct pending_turn *turn);

/* Frees what a room has, but not the room. */
void room_clear(struct room *room);

/* A match that cannot go on: told to everybody, stored if possible. */
void room_quarantine(struct room *room, const char *reason);

/* Is what was read of the room's match not what was written?  Then it is set aside. */
bool room_is_corrupt(struct room *room, const struct store_job *job);

/* ---- configs (config_cache.c) ------------------------------------------------------------ */

/* By JSON as it came, or NULL for the ruleset's default; faults are the client's. */
enum sk_status config_from_json(struct host *host, const struct sk_ruleset *ruleset,
                                const struct sk_value *json, struct shared_config **ret_config,
                                struct sk_fault *ret_fault);

/* By JSON text out of the store. */
enum sk_status config_from_text(struct host *host, const struct sk_ruleset *ruleset,
                                struct sk_text text, struct shared_config **ret_config,
                                struct sk_fault *ret_fault);
void config_release(struct host *host, struct shared_config *config);

/* The turn workspace for that config; one at a time. */
void host_turn(struct host *host, const struct sk_ruleset *ruleset, const void *config,
               struct sk_turn *ret_turn);

/* ---- texts ------------------------------------------------------------------------------- */

/* JSON text on the heap, by any of the writers. */
char *host_json(struct host *host, void (*write)(struct sk_json_out *out, const void *what),
                const void *what);
char *host_json_form(struct host *host, const struct sk_schema *schema, const void *form);

/* ---- handlers of frames ------------------------------------------------------------------ */

typedef void frame_handler(struct session *session, const union client_frame *frame);

frame_handler handle_hello, handle_renew_token, handle_create, handle_join, handle_leave,
    handle_watch, handle_queue, handle_list, handle_submit, handle_withdraw, handle_hints,
    handle_what_if, handle_resign, handle_offer_draw, handle_answer_draw, handle_rematch,
    handle_claim, handle_chat, handle_mute, handle_resume, handle_ping;

/* The room of the frame's match if it is live and the session may know of it; else answered. */
struct room *handler_room(struct session *session, const struct frame_head *head, int64_t match);

/* The same, and the session's seat in it, if it runs. */
struct room *running_room(struct session *session, const struct frame_head *head, int64_t match,
                          uint8_t *ret_seat);

void host_park(struct session *session, struct room *room);
void host_unpark(struct session *session, const char *text, size_t length);

/* ---- creating (room_create.c) ------------------------------------------------------------ */

/* A match that somebody wants. */
struct match_plan {
    struct shared_config *config; /* the plan's has no reference of its own */
    struct record_settings settings;
    const struct sk_seed *seed;                 /* NULL: a secret one */
    int64_t rematch_of;                         /* or 0 */
    struct session *sitters[SK_SEATS_MAX];      /* NULL: a free seat; none is free = it begins */
    const struct known_bot *bots[SK_SEATS_MAX]; /* where nobody sits; NULL: no bot either */
    bool is_of_queue;
    struct waiting_player *queued; /* who is back in the queue if it is not stored */
};

/*
 * Hands it to the store and answers when it is there; or answers now, and
 * false: nothing came of it, and `queued` is still the caller's.
 */
bool room_create(struct session *session, const struct frame_head *head,
                 const struct match_plan *plan);

/* Live play between people, as far as the ruleset has that. */
struct record_settings room_default_settings(const struct shared_config *config);
char *room_created_body(struct host *host, const struct store_match *match);
void room_begin(struct room *room);
void room_set_settings(struct room *room, const struct record_settings *settings);
void seat_set(struct seat *seat, int64_t player, const char *name, bool is_bot);
bool session_may_play(struct session *session, const struct frame_head *head);

/* The rematch of `of` is there, or NULL: it could not be stored. */
void room_rematch_made(struct host *host, int64_t of, struct room *room);

/* Takes a seat, the wished one if there is a wish; the answer comes when it is stored. */
void room_join(struct session *session, const struct frame_head *head, struct room *room,
               bool has_wish, int32_t wish);

/* ---- the queue (queue.c) ----------------------------------------------------------------- */

void queue_forget(struct session *session); /* it is going */
void queue_free(struct host *host, struct waiting_player *list);
void queue_put_back(struct host *host, struct waiting_player *list); /* they wait on, in front */

/* ---- the gate (room_gate.c) -------------------------------------------------------------- */

#define GATE_ANY_TURN (-1)

struct gate_in {
    struct session *session;
    struct room *room;
    uint8_t seat;
    int32_t turn; /* that the frame names, or GATE_ANY_TURN */
};

/* Places between its checks. */
enum gate_place {
    GATE_BEGIN,
    GATE_SEAT,     /* it has a seat */
    GATE_RUNS = 3, /* the match has begun and goes on */
    GATE_END = 6,  /* the turn is the current one, open, and the seat may still change its mind */
};

/* False when one of the checks between the places refused the frame, which is answered then. */
bool room_pass_gate(const struct gate_in *in, enum gate_place from, enum gate_place to,
                    const struct frame_head *head);

/* ---- repeats (room_repeat.c) ------------------------------------------------------------- */

/* What a frame with a command_id says. */
struct repeat {
    enum store_record_kind kind; /* submission, withdrawn or resigned */
    struct sk_text command_id;
    int32_t turn;                    /* not of a resignation */
    const struct sk_value *commands; /* of a submission */
    bool has_ready;
    bool ready;
};

/* True when the id was used before; the frame is answered then, by its first answer or refused. */
bool room_answer_repeat(struct session *session, struct room *room, uint8_t seat,
                        const struct frame_head *head, const struct repeat *repeat);

/* Command ids that the seat has used in this match; forgotten are those that were not stored. */
bool room_knows_id(const struct room *room, uint8_t seat, struct sk_text id);
void room_note_id(struct room *room, uint8_t seat, struct sk_text id);
void room_forget_id(struct room *room, uint8_t seat, struct sk_text id);

/* ---- submissions (room_submit.c) --------------------------------------------------------- */

/* Shared commands are the host's to give; a player has frames of their own for them. */
bool room_has_shared_kinds(const struct room *room, const struct sk_list *commands);

/* What the rules say to the commands, and the turns that come of them if they are played now. */
struct submission *room_judge(struct room *room, uint8_t seat, const struct frame_submit *frame,
                              const struct sk_list *commands, struct pending_turn **ret_turns);

/*
 * Takes both over.  False when the store takes no more; who sent it is told
 * that too, and NULL is nobody.
 */
bool room_store_submission(struct session *session, struct room *room, uint8_t seat,
                           const struct frame_submit *frame, struct submission *submission,
                           struct pending_turn *turns);

/* ---- playing (room_play.c) --------------------------------------------------------------- */

/* A resolution on scratch memory, and the turns that came of it so far. */
struct playing {
    struct sk_turn turn;
    struct pending_turn *first;
    struct pending_turn *last;
    int64_t now_ms;
    uint8_t seat; /* whose submission is played, or SK_SPECTATOR: the turn closes */
};

/* From the room's state; the caller sets the commands and then calls room_play. */
void room_play_begin(struct room *room, uint8_t seat, struct playing *ret_playing);
void room_play(struct room *room, struct playing *playing);

/* Of what is in when the turn closes; NULL: the rules make nothing of it. */
struct pending_turn *room_play_in(struct room *room);

/* The turn's results as JSON for each audience. */
void room_keep_texts(struct room *room, const struct sk_turn *turn, struct pending_turn *pending);
char *room_verdicts_text(struct host *host, const struct sk_turn *turn, uint8_t seat);
void pending_free(struct pending_turn *pending); /* and those after it */

/* ---- turns (room_turn.c) ----------------------------------------------------------------- */

/* Closes and resolves it if everybody who owes is ready. */
void room_close_if_ready(struct room *room);

/* Closes and resolves it with what is in. */
void room_close(struct room *room);

/* A turn is open: does anything keep it from closing at once? */
void room_go_on(struct room *room);

/* Adds the turns' records to a job, and that of the end if it is one ... */
void room_add_turns(struct room *room, struct store_job *job, const struct pending_turn *pending);

/* ... and takes room->pending over when they are stored. */
void room_turns_stored(struct room *room, const struct store_job *job);

/* A match that nobody joined ends. */
void room_expire(struct room *room);
#define ROOM_EXPIRED "expired"

/* It is none of its players' unfinished matches any more. */
void room_uncount(struct room *room);

/* Keeps the current state for spectators who are some turns behind. */
void room_remember_past(struct room *room);

/* Stores the state if enough turns were played since it was last stored. */
void room_snapshot_if_due(struct room *room);

void submission_free(struct submission *submission);

/* The job failed: back to what is stored, and what to tell who asked for it.  Generations before
 * the current are ignored. */
enum error_code room_fall_back(struct room *room, const struct store_job *job);
void room_retry_later(struct room *room);

/* ---- commands that the host gives (room_give.c) ------------------------------------------ */

/* Resign, abandon or agree_draw for a seat: the turn closes with it, or the next one. */
void room_give(struct room *room, uint8_t seat, uint8_t kind);

/* The same on a session's word: it is answered when that is stored. */
void room_give_for(struct room *room, uint8_t seat, uint8_t kind, const struct session *session,
                   const struct frame_head *head);

/* A command was given for a seat: the turn will close with it, whatever else is sent. */
bool room_is_ending(const struct room *room);

/* Commands of that kind that were given and wait are not given: the store has failed. */
void room_take_back(struct room *room, uint8_t kind);
void room_take_back_all(struct room *room); /* the rules do not take them */

/* The turn on its way to the store is that of everybody who has asked so far ... */
void room_serve_askers(struct room *room, const struct pending_turn *pending);
void room_add_resignations(struct room *room, struct store_job *job,
                           const struct pending_turn *pending);

/* ... and when it is there they are answered. */
bool room_is_asked_again(const struct room *room, uint8_t seat);
void room_askers_fall_back(struct room *room);
void room_answer_askers(struct room *room);
void room_forget_askers(struct room *room);
void room_refuse_askers(struct room *room, enum error_code code);

/* Who resigns under this id and waits for it to be stored, or NULL. */
const struct asker *room_asker_of(const struct room *room, uint8_t seat, struct sk_text command_id);

/* ---- draws (room_draw.c) ----------------------------------------------------------------- */

void room_offer_fall_back(struct room *room);
void room_offer_end(struct room *room);

/* ---- clocks (room_clock.c) --------------------------------------------------------------- */

/* What is due now in this room. */
void room_tick(struct timer *timer, int64_t now_ms);

/* Whenever what room_due_ms looks at has changed. */
void room_schedule(struct room *room);

/* The server stood still for so long; and what makes that no matter any more. */
void room_shift(struct room *room, int64_t shift_ms);
bool room_owes_shift(const struct room *room); /* it has still to be handed over, ... */
void room_store_shift(struct room *room);      /* ... which this does where it is so */
void room_forget_shift(struct room *room);

/* When the room wants to be looked at next, or INT64_MAX. */
int64_t room_due_ms(const struct room *room);
/* In how long the others may claim the match because this seat stays away; INT64_MAX = they may
 * not. */
int64_t room_claim_ms(const struct room *room, uint8_t seat);
bool room_is_out_of_time(const struct room *room, uint8_t seat, int64_t now_ms);
int64_t room_left_ms(const struct room *room, uint8_t seat, int64_t now_ms);

/* One seat's clock: how long it has thought in this turn, and whether it thinks. */
int64_t seat_used_ms(const struct seat *seat, int64_t now_ms);
void seat_clock_run(struct seat *seat, int64_t now_ms);
void seat_clock_stop(struct seat *seat, int64_t now_ms);

/* Opens the current turn: clocks start for those who owe. */
void room_open_turn(struct room *room);
void room_set_deadline(struct room *room);

/* ---- showing (room_show.c) --------------------------------------------------------------- */

int32_t room_seq_for(const struct room *room, uint8_t seat);

/* The own submission that is stored for the open turn, as `accepted`. */
void room_show_pending(struct room *room, struct session *session);
void room_show_offer(struct room *room, uint8_t seat, bool is_declined);
void room_show_joined(struct room *room, struct session *session, const struct frame_head *to);
void room_show_state(struct room *room, struct session *session, const struct frame_head *to);
void room_show_seated(struct room *room, uint8_t seat, bool starts);
void room_show_turn(struct room *room, const struct pending_turn *pending);
void room_show_over(struct room *room);
void room_show_ready(struct room *room, uint8_t seat, bool is_ready);
void room_show_clock(struct room *room);
void room_show_presence(struct room *room, uint8_t seat);
void room_show_all(struct room *room, const void *frame);
void room_show_now(struct room *room, const void *frame);  /* without a seq: not to who is behind */
struct sk_text room_shown_params(const struct room *room); /* JSON, the room's */
char *room_view_text(struct room *room, uint8_t seat);     /* on the heap */
char *room_hints_text(struct room *room, uint8_t seat);    /* likewise: room_talk.c */
void room_show_seat(struct room *room, uint8_t seat, const void *frame);
void room_error_all(struct room *room, enum error_code code);

#endif /* SK_HOST_ROOM_H */
