/*
 * The exit codes of skirmishd, as --help and the service file know them.
 */
#ifndef SK_EXIT_H
#define SK_EXIT_H

enum server_exit {
    SERVER_EXIT_OK = 0,
    SERVER_EXIT_AT_ONCE = 1,  /* a second signal, or out of luck: threads, memory */
    SERVER_EXIT_USAGE = 2,    /* wrong flags or configuration: starting again is no use */
    SERVER_EXIT_DATABASE = 3, /* cannot be opened, is newer, or somebody else's */
    SERVER_EXIT_LISTEN = 4,
    SERVER_EXIT_STORAGE = 70, /* a failed write to disk: start again and recover */
};

#endif /* SK_EXIT_H */
