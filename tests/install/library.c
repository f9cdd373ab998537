/* The installed shared library: a match through JSON, and the same one through a handle. */
#include <inttypes.h>
#include <skirmish.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char request[] =
    "{\"ruleset\":\"halma\",\"params\":{},\"commands\":[[{\"kind\":\"move\",\"unit\":\"a1\","
    "\"path\":[]}],[]]}";

static void
ask_json(void)
{
    struct sk_referee *referee = sk_referee_new();
    const char *answer;
    size_t length;

    if (referee == NULL || sk_rulesets(referee, &answer, &length) != 0) {
        exit(1);
    }
    printf("rulesets: %d\n", length > 2);
    printf("params: %d\n", sk_params(referee, "tactics", 0, "{\"rows\":2}", 10, &answer, &length));
    printf("%.*s\n", (int)length, answer);
    printf("resolve: %d\n", sk_resolve(referee, request, strlen(request), &answer, &length));
    printf("%.*s\n", 55, answer);
    sk_referee_close(referee);
}

/* Both seats play their first hint in both matches, until one is over. */
static void
play(struct sk_game *game)
{
    int32_t dims[3] = { 0, 0, 0 };
    int32_t *actions;
    uint8_t outcomes[2];
    int over = 0;

    sk_game_action_shape(game, dims, 3);
    actions = calloc((size_t)(2 * dims[0] * dims[1] * dims[2]), sizeof(*actions));
    if (actions == NULL) {
        exit(1);
    }
    while (over == 0 && sk_game_turn(game, 0) < 20) {
        for (int32_t place = 0; place < 2 * dims[0]; place++) {
            sk_game_hints(game, (uint32_t)(place / dims[0]), (uint8_t)(place % dims[0]),
                          actions + place * dims[1] * dims[2], 1);
        }
        over = sk_game_step_all(game, actions, NULL, outcomes, 0);
    }
    printf("turn %" PRIu32 ", over %d, hash %016" PRIx64 ", both the same: %d\n",
           sk_game_turn(game, 0), over, sk_game_hash(game, 0),
           sk_game_hash(game, 0) == sk_game_hash(game, 1));
    free(actions);
}

int
main(void)
{
    struct sk_error error;
    struct sk_game *game = sk_game_new("tactics", 0, NULL, 0, 2, 1, 0, &error);

    ask_json();
    if (game == NULL) {
        printf("%s: %s at %s\n", error.code, error.message, error.at);
        return 1;
    }
    play(game);
    sk_game_free(game);
    if (sk_game_new("chess", 0, NULL, 0, 1, 1, 0, &error) == NULL) {
        printf("%s: %s\n", error.code, error.message);
    }
    return 0;
}
