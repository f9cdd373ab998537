/*
 * render - one moment of a stored match as text or JSON, for replay and
 * what-if.
 *
 * Owner:   the caller; render_close frees.
 */
#ifndef SK_CLI_RENDER_H
#define SK_CLI_RENDER_H

#include "server/cli/screen.h"
#include "server/replay/moments.h"

/* Text for people, or one JSON object per moment. */
enum render_form {
    RENDER_TEXT,
    RENDER_COLOURED,
    RENDER_JSON,
};

struct render {
    const struct store_job *job;
    enum render_form form;
    struct moments moments;
    struct screen screen; /* the result */
};

/* A stored match, the caller's to free; NULL: what is wrong was said. */
struct store_job *render_load(const char *command, const char *database, int64_t match);

/* JSON, or text with colours if the terminal has them. */
enum render_form render_form_of(bool is_json);

/* False with a fault when the match cannot be played. */
bool render_open(struct render *render, const struct store_job *job, uint8_t audience,
                 enum render_form form, struct sk_fault *ret_fault);
void render_close(struct render *render);

/* Writes a state, and the turn that led to it unless that is NULL, to render->screen. */
void render_moment(struct render *render, const struct sk_state *state, const struct sk_turn *turn);

#endif /* SK_CLI_RENDER_H */
