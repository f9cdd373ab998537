#include "server/admin_socket.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/admin_lines.h"
#include "server/host/admin.h"
#include "server/host/host.h"
#include "server/log.h"
#include "server/memory.h"
#include "server/thread.h"

#define USERS_MAX 32
#define USER_SIZE 64

enum mail {
    MAIL_NONE,
    MAIL_ASKED,    /* waits for the loop */
    MAIL_TAKEN,    /* with the host */
    MAIL_ANSWERED, /* waits for the thread */
};

struct admin_socket {
    struct admin_socket_options options;
    char path[SERVER_PATH_MAX + 1];
    uid_t users[USERS_MAX];
    uint32_t user_count;
    int listener;
    int stop_pipe[2];
    pthread_t thread;

    struct admin_request request; /* must be first: the host hands it back */
    pthread_mutex_t lock;         /* protects all below */
    pthread_cond_t has_answer;
    enum mail mail;
    bool is_closing;
    char line[ADMIN_LINE_MAX + 1];
    size_t length;
    char *answer;
    size_t answer_length;
};

/* ---- permissions ------------------------------------------------------------------------- */

static bool
user_read(const char *name, uid_t *ret_user)
{
    const struct passwd *entry;
    char *end;
    unsigned long number = strtoul(name, &end, 10);

    if (isdigit((unsigned char)name[0]) && *end == '\0' && number < (uid_t)-1) {
        *ret_user = (uid_t)number;
        return true;
    }
    entry = getpwnam(name);
    if (entry != NULL) {
        *ret_user = entry->pw_uid;
    }
    return entry != NULL;
}

static bool
users_read(const char *list, uid_t users[USERS_MAX], uint32_t *ret_count)
{
    uint32_t count = 0;

    while (*(list += strspn(list, ", \t")) != '\0') {
        size_t length = strcspn(list, ", \t");
        char name[USER_SIZE];

        if (length >= sizeof(name) || count == USERS_MAX) {
            return false;
        }
        memcpy(name, list, length);
        name[length] = '\0';
        if (!user_read(name, &users[count++])) {
            return false;
        }
        list += length;
    }
    *ret_count = count;
    return true;
}

bool
admin_users_are_right(const char *users)
{
    uid_t read[USERS_MAX];
    uint32_t count;

    return users_read(users, read, &count);
}

static bool
may_ask(const struct admin_socket *admin, uid_t user)
{
    bool may = user == 0 || user == geteuid();

    for (uint32_t i = 0; i < admin->user_count; i++) {
        may = may || admin->users[i] == user;
    }
    return may;
}

/* ---- the loop's side --------------------------------------------------------------------- */

static void
take_answer(struct admin_request *request, const char *text, size_t length)
{
    struct admin_socket *admin = request->context;
    char *copy = heap_copy(text, length);

    copy[length] = '\n'; /* instead of the terminator */
    pthread_mutex_lock(&admin->lock);
    admin->answer = copy;
    admin->answer_length = length + 1;
    admin->mail = MAIL_ANSWERED;
    pthread_cond_signal(&admin->has_answer);
    pthread_mutex_unlock(&admin->lock);
}

void
admin_socket_take(struct admin_socket *admin, struct host *host)
{
    bool is_asked;

    if (admin == NULL) {
        return;
    }
    pthread_mutex_lock(&admin->lock);
    is_asked = admin->mail == MAIL_ASKED;
    admin->mail = is_asked ? MAIL_TAKEN : admin->mail;
    pthread_mutex_unlock(&admin->lock);
    if (is_asked) {
        host_admin(host, &admin->request, admin->line, admin->length);
    }
}

/* ---- one connection ---------------------------------------------------------------------- */

/* Returns false on a timeout, or when the daemon stops. */
static bool
wait_for(const struct admin_socket *admin, int connection, short events)
{
    struct pollfd places[] = { { connection, events, 0 }, { admin->stop_pipe[0], POLLIN, 0 } };

    return poll(places, 2, SERVER_ADMIN_TIMEOUT_MS) > 0 && places[1].revents == 0;
}

static void
send_all(const struct admin_socket *admin, int connection, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(connection, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0 && errno == EAGAIN && wait_for(admin, connection, POLLOUT)) {
            continue;
        }
        if (sent <= 0) {
            return;
        }
        text += sent;
        length -= (size_t)sent;
    }
}

static void
refuse(const struct admin_socket *admin, int connection, const char *message)
{
    char text[256];
    int length = snprintf(text, sizeof(text), "{\"ok\":false,\"message\":\"%s\"}\n", message);

    send_all(admin, connection, text, (size_t)length);
}

/* Returns true with a complete line. */
static bool
read_line(struct admin_socket *admin, int connection)
{
    size_t used = 0;

    while (used < sizeof(admin->line) && wait_for(admin, connection, POLLIN)) {
        ssize_t count = recv(connection, admin->line + used, sizeof(admin->line) - used, 0);
        const char *end;

        if (count <= 0) {
            return false;
        }
        end = memchr(admin->line + used, '\n', (size_t)count);
        used += (size_t)count;
        if (end != NULL) {
            admin->length = (size_t)(end - admin->line);
            return true;
        }
    }
    return false;
}

/* The host answers every line, except when the daemon stops. */
static bool
ask_loop(struct admin_socket *admin)
{
    bool is_answered;

    pthread_mutex_lock(&admin->lock);
    admin->mail = MAIL_ASKED;
    pthread_mutex_unlock(&admin->lock);
    admin->options.wake(admin->options.context);
    pthread_mutex_lock(&admin->lock);
    while (admin->mail != MAIL_ANSWERED && !admin->is_closing) {
        pthread_cond_wait(&admin->has_answer, &admin->lock);
    }
    is_answered = admin->mail == MAIL_ANSWERED;
    admin->mail = MAIL_NONE;
    pthread_mutex_unlock(&admin->lock);
    return is_answered;
}

static void
serve(struct admin_socket *admin, int connection)
{
    struct ucred who = { .uid = (uid_t)-1 };
    socklen_t size = sizeof(who);

    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
        !may_ask(admin, who.uid)) {
        log_format(HOST_LOG_WARNING, "admin: refused user %lld", (long long)who.uid);
        refuse(admin, connection, "you may not do this");
        return;
    }
    if (!read_line(admin, connection)) {
        refuse(admin, connection, "no line was received, or it is too long");
        return;
    }
    admin->request.uid = (int64_t)who.uid;
    if (ask_loop(admin)) {
        send_all(admin, connection, admin->answer, admin->answer_length);
        free(admin->answer);
        admin->answer = NULL;
    } else {
        refuse(admin, connection, "the daemon is stopping");
    }
}

static void *
run(void *context)
{
    struct admin_socket *admin = context;
    struct pollfd places[] = { { admin->listener, POLLIN, 0 }, { admin->stop_pipe[0], POLLIN, 0 } };

    for (;;) {
        int connection;

        if (poll(places, 2, -1) < 0 && errno != EINTR) {
            return NULL;
        }
        if (places[1].revents != 0) {
            return NULL;
        }
        connection = accept4(admin->listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0) {
            serve(admin, connection);
            (void)close(connection);
        }
    }
}

/* ---- opening and closing ----------------------------------------------------------------- */

static bool
fail(char error[SERVER_ERROR_MAX + 1], const char *path, const char *why)
{
    snprintf(error, SERVER_ERROR_MAX + 1, "the admin socket %.255s: %s", path, why);
    return false;
}

/* A killed daemon leaves its socket behind; one that answers belongs to another daemon. */
static bool
is_answered(const struct sockaddr_un *address)
{
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_it =
        probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof(*address)) == 0;

    if (probe >= 0) {
        (void)close(probe);
    }
    return is_it;
}

static bool
may_replace(const char *path)
{
    struct stat about;

    return lstat(path, &about) != 0 || S_ISSOCK(about.st_mode);
}

/* With listed users anyone may connect, and others are refused with a message.  Without a list the
 * file's permissions keep them out. */
static bool
listen_at(struct admin_socket *admin, char error[SERVER_ERROR_MAX + 1])
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    mode_t mode = admin->user_count == 0 ? 0600 : 0666;
    size_t length = strlen(admin->path);

    if (length >= sizeof(address.sun_path)) {
        return fail(error, admin->path, "the name is too long for a socket");
    }
    memcpy(address.sun_path, admin->path, length);
    if (!may_replace(admin->path)) {
        return fail(error, admin->path, "the path exists and is not a socket");
    }
    if (is_answered(&address)) {
        return fail(error, admin->path, "another daemon uses it");
    }
    (void)unlink(admin->path);
    admin->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (admin->listener < 0 ||
        bind(admin->listener, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
        chmod(admin->path, mode) != 0 || listen(admin->listener, 16) != 0) {
        return fail(error, admin->path, strerror(errno));
    }
    return true;
}

static void
admin_free(struct admin_socket *admin)
{
    for (int i = 0; i < 2; i++) {
        if (admin->stop_pipe[i] >= 0) {
            (void)close(admin->stop_pipe[i]);
        }
    }
    if (admin->listener >= 0) {
        (void)close(admin->listener);
    }
    pthread_cond_destroy(&admin->has_answer);
    pthread_mutex_destroy(&admin->lock);
    free(admin->answer);
    free(admin);
}

struct admin_socket *
admin_socket_open(const struct admin_socket_options *options, char error[SERVER_ERROR_MAX + 1])
{
    struct admin_socket *admin = heap_memory(sizeof(*admin));

    admin->options = *options;
    admin->listener = -1;
    admin->stop_pipe[0] = -1;
    admin->stop_pipe[1] = -1;
    admin->request = (struct admin_request){ .answer = take_answer, .context = admin };
    pthread_mutex_init(&admin->lock, NULL);
    pthread_cond_init(&admin->has_answer, NULL);
    snprintf(admin->path, sizeof(admin->path), "%s", options->path);
    if (!users_read(options->users, admin->users, &admin->user_count)) {
        (void)fail(error, admin->path, "there is no such user");
    } else if (pipe2(admin->stop_pipe, O_CLOEXEC) != 0) {
        (void)fail(error, admin->path, strerror(errno));
    } else if (listen_at(admin, error)) {
        if (thread_start(&admin->thread, run, admin)) {
            return admin;
        }
        (void)fail(error, admin->path, "cannot start its thread");
        (void)unlink(admin->path);
    }
    admin_free(admin);
    return NULL;
}

void
admin_socket_close(struct admin_socket *admin)
{
    if (admin == NULL) {
        return;
    }
    (void)unlink(admin->path);
    pthread_mutex_lock(&admin->lock);
    admin->is_closing = true;
    pthread_cond_signal(&admin->has_answer);
    pthread_mutex_unlock(&admin->lock);
    (void)!write(admin->stop_pipe[1], "", 1);
    (void)shutdown(admin->listener, SHUT_RDWR);
    pthread_join(admin->thread, NULL);
    admin_free(admin);
}
