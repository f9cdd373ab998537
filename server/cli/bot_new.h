/*
 * The bots that `skirmish bot new` writes: examples of proto/python and proto/js, as texts
 * that end with a zero.  They call themselves BOT_TEMPLATE_NAME.
 */
#ifndef SK_CLI_BOT_NEW_H
#define SK_CLI_BOT_NEW_H

#define BOT_TEMPLATE_NAME "my_bot"

extern const unsigned char bot_template_python[];
extern const unsigned char bot_template_js[];

#endif /* SK_CLI_BOT_NEW_H */
