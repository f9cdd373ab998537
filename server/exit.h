/*
 * The exit codes of skirmishd; --help and the service file repeat them.
 */
#ifndef SK_EXIT_H
#define SK_EXIT_H

enum server_exit {
    SERVER_EXIT_OK = 0,
    SERVER_EXIT_AT_ONCE = 1,  /* a second signal, or no threads or memory */
    SERVER_EXIT_USAGE = 2,    /* wrong flags or configuration: a restart does not help */
    SERVER_EXIT_DATABASE = 3, /* cannot be opened, is newer, or is not ours */
    SERVER_EXIT_LISTEN = 4,
    SERVER_EXIT_STORAGE = 70, /* a write to disk failed: restart to recover */
};

#endif /* SK_EXIT_H */
