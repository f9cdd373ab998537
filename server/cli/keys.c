#include "server/cli/keys.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "server/cli/options.h"

#define OTHER_SCREEN  "\033[?1049h\033[?25l"
#define FIRST_SCREEN  "\033[?25h\033[?1049l"
#define SEQUENCE_MS   20 /* between the bytes of one key */
#define NUMBER_LENGTH 12

static struct termios before;
static volatile sig_atomic_t is_open;

/* Only calls that a signal handler may make. */
static void
put_back(void)
{
    if (is_open) {
        is_open = 0;
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
        (void)!write(STDOUT_FILENO, FIRST_SCREEN, sizeof(FIRST_SCREEN) - 1);
    }
}

static void
end(int number)
{
    put_back();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

bool
keys_open(void)
{
    static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    struct termios raw;

    if (tcgetattr(STDIN_FILENO, &before) != 0 || !isatty(STDOUT_FILENO)) {
        return false;
    }
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1; /* a read waits for one byte, whatever the terminal had before */
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) {
        return false;
    }
    is_open = 1;
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
        (void)signal(ending[i], end);
    }
    (void)!write(STDOUT_FILENO, OTHER_SCREEN, sizeof(OTHER_SCREEN) - 1);
    return true;
}

void
keys_close(void)
{
    (void)fflush(stdout);
    put_back();
}

/* One byte, KEY_NONE when none came in time, or KEY_CLOSED. */
static int
next_byte(int wait_ms)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    unsigned char byte;
    int count = poll(&input, 1, wait_ms);

    if (count == 0 || (count < 0 && errno == EINTR)) {
        return KEY_NONE; /* also after SIGCONT: the screen is drawn again */
    }
    return count > 0 && read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_CLOSED;
}

static int
key_of_sequence(int letter)
{
    switch (letter) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    case 'H':
        return KEY_HOME;
    case 'F':
        return KEY_END;
    default:
        return '\033';
    }
}

int
keys_next(int wait_ms)
{
    int byte = next_byte(wait_ms);

    if (byte != '\033') {
        return byte;
    }
    byte = next_byte(SEQUENCE_MS);
    if (byte != '[' && byte != 'O') {
        return '\033';
    }
    return key_of_sequence(next_byte(SEQUENCE_MS));
}

bool
keys_read_number(int64_t *ret_number)
{
    char text[NUMBER_LENGTH + 1];
    size_t length = 0;
    int key = keys_next(-1);

    while (key != '\n' && key != '\r' && key != KEY_CLOSED && key != '\033') {
        if (key >= '0' && key <= '9' && length < NUMBER_LENGTH) {
            text[length++] = (char)key;
            printf("%c", key);
        } else if ((key == 127 || key == '\b') && length > 0) {
            length--;
            printf("\b \b");
        }
        (void)fflush(stdout);
        key = keys_next(-1);
    }
    text[length] = '\0';
    return key != '\033' && cli_number_read(text, 0, INT32_MAX, ret_number);
}
