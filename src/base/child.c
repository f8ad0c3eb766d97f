/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running other programs: see child.h. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/child.h"
#include "base/clock.h"

/* How often a process is looked at while waiting for its end. */
#define POLL_NS (2 * CLOCK_NS_PER_MS)

/* In the child: a group of its own keeps the terminal's Ctrl-C away. */
static void
leave_group(gpointer data G_GNUC_UNUSED)
{
    setpgid(0, 0);
}

/* The last non-empty line of what a program said; "" when it said nothing. */
static const char *
last_line(char *text)
{
    char *newline = NULL;

    g_strchomp(text);
    newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

bool
child_run(const char *const *argv, char **ret_stdout, GError **err)
{
    g_autofree char *out = NULL, *errors = NULL;
    g_autoptr(GError) why = NULL;
    int status = 0;

    if (!g_spawn_sync(NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH,
                      leave_group, NULL, &out, &errors, &status, &why))
        return vs_fail(err, "cannot run '%s': %s", argv[0], why->message);
    if (!g_spawn_check_wait_status(status, NULL)) {
        if (WIFSIGNALED(status))
            return vs_fail(err, "%s was killed by signal %d (%s)", argv[0],
                           WTERMSIG(status), strsignal(WTERMSIG(status)));
        return vs_fail(err, "%s failed with status %d: %s", argv[0],
                       WEXITSTATUS(status), last_line(errors));
    }
    if (ret_stdout)
        *ret_stdout = g_steal_pointer(&out);
    return true;
}

bool
child_reap(pid_t pid, gint64 deadline_ns, int *ret_status)
{
    for (;;) {
        int status = -1;
        pid_t got = waitpid(pid, &status, WNOHANG);

        if (got == pid || (got < 0 && errno == ECHILD)) {
            *ret_status = got == pid ? status : -1;
            return true;
        }
        if (clock_raw_ns() >= deadline_ns)
            return false;
        clock_sleep_until(clock_raw_ns() + POLL_NS);
    }
}
