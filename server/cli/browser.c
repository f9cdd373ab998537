#include "server/cli/browser.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADDRESS_MAX 2047
#define PROGRAM     "xdg-open"

/* The program is not waited for: it may live as long as the browser.  So a second process starts
 * it, and its end says whether it could be started. */
static void
start(char *address)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(nothing, STDOUT_FILENO);
        (void)dup2(nothing, STDERR_FILENO);
    }
    (void)setsid();
    execlp(PROGRAM, PROGRAM, address, (char *)NULL);
    _exit(127);
}

static bool
has_program(void)
{
    int status = 1;
    pid_t process = fork();

    if (process == 0) {
        execlp("sh", "sh", "-c", "command -v " PROGRAM " >/dev/null", (char *)NULL);
        _exit(127);
    }
    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}

void
browser_open(const char *url, int64_t match)
{
    char address[ADDRESS_MAX + 1];
    bool is_socket = strncmp(url, "ws", 2) == 0;
    pid_t process;

    (void)snprintf(address, sizeof(address), "%s%s%s#/match/%lld", is_socket ? "http" : "",
                   is_socket ? url + 2 : url, url[strlen(url) - 1] == '/' ? "" : "/",
                   (long long)match);
    if (!has_program()) {
        fprintf(stderr, "open %s in a browser\n", address);
        return;
    }
    process = fork();
    if (process == 0) {
        if (fork() == 0) {
            start(address);
        }
        _exit(0);
    }
    if (process > 0) {
        (void)waitpid(process, NULL, 0);
    }
}
