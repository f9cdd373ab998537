/* server/store/sqlite_lock: one store per file, even while the lock file comes and goes. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/store/sqlite.h"
#include "tests/support/cases.h"

#define PROCESSES 2
#define TURNS     3000 /* total number of times that the processes take the lock */

struct shared {
    atomic_int inside; /* processes that hold the lock */
    atomic_int most;   /* maximum of these at once */
    atomic_int turns;
};

/* Takes the lock and gives it back, again and again. */
static void
contend(struct shared *shared, const char *path)
{
    while (atomic_load(&shared->turns) < TURNS) {
        struct sqlite sqlite = { .lock_file = -1 };
        struct sk_fault fault;

        if (sqlite_lock(&sqlite, path, &fault) == SK_OK) {
            int inside = atomic_fetch_add(&shared->inside, 1) + 1;

            if (inside > atomic_load(&shared->most)) {
                atomic_store(&shared->most, inside);
            }
            (void)usleep(inside == 1 ? 20 : 0);
            atomic_fetch_add(&shared->turns, 1);
            atomic_fetch_sub(&shared->inside, 1);
        }
        sqlite_unlock(&sqlite);
    }
}

Test(store_lock, two_processes_never_have_it_at_once_and_no_file_stays)
{
    char folder[] = "/tmp/skirmish-lock-XXXXXX";
    char path[64];
    char name[80];
    struct shared *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    cr_assert(shared != MAP_FAILED && mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof(path), "%s/a.db", folder);
    (void)snprintf(name, sizeof(name), "%s.lock", path);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() == 0) {
            contend(shared, path);
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;

        cr_assert(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    cr_expect_eq(atomic_load(&shared->most), 1);
    cr_expect_geq(atomic_load(&shared->turns), TURNS);
    cr_expect(access(name, F_OK) != 0);
    cr_expect_eq(rmdir(folder), 0);
    (void)munmap(shared, sizeof(*shared));
}
