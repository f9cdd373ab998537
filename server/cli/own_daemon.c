#include "server/cli/own_daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS_MAX 24
#define RESTART_TRIES 20
#define RESTART_NS    (100 * 1000 * 1000) /* between two */
#define LINE_MAX_OWN  4096
#define FILE_NAME     "arena.db"

/* The daemon in the folder of this program. */
static bool
find_program(char *ret_path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", ret_path, size - 1);
    char *slash;

    if (length <= 0) {
        return false;
    }
    ret_path[length] = '\0';
    slash = strrchr(ret_path, '/');
    if (slash == NULL || (size_t)(slash - ret_path) + sizeof("/skirmishd") > size) {
        return false;
    }
    memcpy(slash, "/skirmishd", sizeof("/skirmishd"));
    return access(ret_path, X_OK) == 0;
}

static _Noreturn void
become_daemon(char *program, const char *port, const char *database,
              const struct own_daemon_options *options, int out)
{
    char *arguments[ARGUMENTS_MAX] = {
        program,  "--metrics-port", "0",     "--frames-per-second",  "100000", "--frames-burst",
        "100000", "--log-level",    "error", "--creates-per-minute", "0",      "--port"
    };
    int count = 12;

    arguments[count++] = (char *)(uintptr_t)port;
    arguments[count++] = "--database";
    arguments[count++] = (char *)(uintptr_t)database;
    if (options->config != NULL) {
        arguments[count++] = "--config";
        arguments[count++] = (char *)(uintptr_t)options->config;
    }
    if (options->services != NULL) {
        arguments[count++] = "--bot-hosts";
        arguments[count++] = (char *)(uintptr_t)options->services;
        arguments[count++] = "--bot-networks=0.0.0.0/0 ::/0";
        arguments[count++] = "--bot-plain-http=yes";
    }
    (void)dup2(out, STDOUT_FILENO);
    (void)setpgid(0, 0); /* Ctrl-C must not reach it: own_daemon_stop stops it */
    execv(program, arguments);
    _exit(127);
}

/* "skirmishd VERSION listening on http://127.0.0.1:PORT/ (database FILE)" */
static bool
read_address(int in, char *ret_url, size_t size)
{
    FILE *lines = fdopen(in, "r");
    char line[LINE_MAX_OWN];
    char *from;
    bool is_found = false;

    if (lines == NULL) {
        return false;
    }
    while (!is_found && fgets(line, sizeof(line), lines) != NULL) {
        from = strstr(line, "http://");
        if (from != NULL) {
            from[strcspn(from, ", \n")] = '\0';
            is_found = (size_t)snprintf(ret_url, size, "%s", from) < size;
        }
    }
    (void)fclose(lines);
    return is_found;
}

static void
remove_folder(struct own_daemon *daemon)
{
    static const char *const endings[] = { "", "-wal", "-shm", ".lock" };
    char path[OWN_PATH_MAX + 32];

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        (void)snprintf(path, sizeof(path), "%s/" FILE_NAME "%s", daemon->folder, endings[i]);
        (void)unlink(path);
    }
    (void)rmdir(daemon->folder);
}

static bool
make_folder(struct own_daemon *daemon)
{
    const char *parent = getenv("TMPDIR");

    (void)snprintf(daemon->folder, sizeof(daemon->folder) - 32, "%s/skirmish-arena-XXXXXX",
                   parent == NULL ? "/tmp" : parent);
    if (mkdtemp(daemon->folder) == NULL) {
        daemon->folder[0] = '\0';
        return false;
    }
    return true;
}

static void
end_process(struct own_daemon *daemon, int signal)
{
    if (daemon->process > 0) {
        (void)kill(daemon->process, signal);
        (void)waitpid(daemon->process, NULL, 0);
        daemon->process = -1;
    }
}

/* On this port; 0 = a free one. */
static bool
start_at(struct own_daemon *daemon, const char *port)
{
    const char *database = daemon->options.database;
    char program[OWN_PATH_MAX + 1];
    char file[OWN_PATH_MAX + 32];
    int pipes[2];

    if (!find_program(program, sizeof(program))) {
        fprintf(stderr, "skirmish: there is no skirmishd next to this program\n");
        return false;
    }
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        perror("skirmish: cannot start a server");
        return false;
    }
    (void)snprintf(file, sizeof(file), "%s/" FILE_NAME, daemon->folder);
    daemon->process = fork();
    if (daemon->process == 0) {
        become_daemon(program, port, database == NULL ? file : database, &daemon->options,
                      pipes[1]);
    }
    (void)close(pipes[1]);
    if (daemon->process < 0 || !read_address(pipes[0], daemon->url, sizeof(daemon->url))) {
        fprintf(stderr, "skirmish: the server did not start\n");
        end_process(daemon, SIGTERM);
        return false;
    }
    return true;
}

bool
own_daemon_start(struct own_daemon *daemon, const struct own_daemon_options *options)
{
    *daemon = (struct own_daemon){ .process = -1, .options = *options };
    if (options->database == NULL && !make_folder(daemon)) {
        perror("skirmish: cannot start a server");
        return false;
    }
    if (!start_at(daemon, "0")) {
        own_daemon_stop(daemon);
        return false;
    }
    return true;
}

bool
own_daemon_restart(struct own_daemon *daemon)
{
    const struct timespec pause = { .tv_nsec = RESTART_NS };
    bool is_started = false;
    char port[16];

    (void)snprintf(port, sizeof(port), "%d", atoi(strrchr(daemon->url, ':') + 1));
    end_process(daemon, SIGKILL);
    for (int tries = 0; tries < RESTART_TRIES && !is_started; tries++) {
        if (tries > 0) { /* somebody else may have the port for a moment */
            (void)nanosleep(&pause, NULL);
        }
        is_started = start_at(daemon, port);
    }
    return is_started;
}

void
own_daemon_stop(struct own_daemon *daemon)
{
    end_process(daemon, SIGTERM);
    if (daemon->folder[0] != '\0') {
        remove_folder(daemon);
        daemon->folder[0] = '\0';
    }
}

void
own_daemon_allow(char *services, size_t size, const char *url)
{
    const char *host = strstr(url, "://");
    size_t used = strlen(services);

    if (host != NULL) {
        (void)snprintf(services + used, size - used, "%s%.*s", used == 0 ? "" : ",",
                       (int)strcspn(host + 3, "/?#"), host + 3);
    }
}
