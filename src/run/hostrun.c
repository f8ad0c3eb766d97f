/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The payload on the host: see hostrun.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/child.h"
#include "base/clock.h"
#include "base/fd-auto.h"
#include "guest-payload/wire.h"
#include "guest/disk.h"
#include "run/hostrun.h"
#include "run/matched.h"
#include "run/talk.h"

/* The payload ends by itself after its last go; then it is killed. */
#define END_LIMIT_NS (10 * CLOCK_NS_PER_S)
/* The descriptor on which the payload finds its socket. */
#define PAYLOAD_FD 3

/* In the child; `data` is what it may use, NULL: all there is. */
static void
set_up(gpointer data)
{
    setpgid(0, 0);
    if (data)
        matched_enter(data);
}

/* Starts the payload on one end of a socket pair; the other in *ret_fd. */
static bool
spawn(const Rig *rig, Matched *matched, pid_t *ret_pid, int *ret_fd,
      GError **err)
{
    const char *const argv[] = {rig->payload, "agent",       "--fd", "3",
                                "--dir",      rig->host_dir, NULL};
    int target = PAYLOAD_FD;
    int pair[2] = {-1, -1};
    g_autofd int theirs = -1;
    g_autofd int ours = -1;
    g_autoptr(GError) why = NULL;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return vs_fail_errno(err, errno, "cannot make a socket pair");
    ours = pair[0];
    theirs = pair[1];
    if (!g_spawn_async_with_pipes_and_fds(
            NULL, argv, NULL,
            G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, set_up,
            matched, -1, -1, -1, &theirs, &target, 1, ret_pid, NULL, NULL, NULL,
            &why))
        return vs_fail(err, "cannot run '%s': %s", rig->payload, why->message);
    *ret_fd = fd_steal(&ours);
    return true;
}

static void
finish(Attempt *attempt, pid_t pid, bool done)
{
    gint64 begun = clock_raw_ns();
    int status = 0;

    if (!done || !child_reap(pid, begun + END_LIMIT_NS, &status)) {
        kill(-pid, SIGKILL);
        child_reap(pid, begun + 2 * END_LIMIT_NS, &status);
    }
    attempt->t_gone = clock_raw_ns();
    attempt->part_ns[PART_STOP] += attempt->t_gone - begun;
    if (done && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        attempt_fail(attempt, OUTCOME_GUEST_ERROR,
                     "the payload ended with status %d", WEXITSTATUS(status));
}

/* One run of the payload, within `matched` unless that is NULL. */
static void
run_payload(Rig *rig, const Cell *cell, const Slot *slot, Matched *matched,
            Attempt *attempt)
{
    Talk talk = {.rig = rig,
                 .cell = cell,
                 .attempt = attempt,
                 .order = slot->order,
                 .label = slot->label};
    g_autofree char *work =
        g_build_filename(rig->host_dir, WIRE_DISK_WORK, NULL);
    g_autoptr(Channel) channel = NULL;
    g_autoptr(GError) err = NULL;
    bool done = false;
    int fd = -1;

    attempt->t_create = clock_raw_ns();
    if (!spawn(rig, matched, &talk.pid, &fd, &err)) {
        attempt_fail(attempt, OUTCOME_REFUSED, "%s", err->message);
        return;
    }
    if (matched)
        matched_prove(matched, talk.pid, attempt);
    channel = channel_open_fd(fd);
    talk.channel = channel;
    talk.image = work;
    done = talk_run(&talk);
    g_clear_pointer(&channel, channel_close);
    finish(attempt, talk.pid, done);
}

/* Pages that another run has brought into memory do not count against the
 * limit of this one: they go. */
static void
run_matched(Rig *rig, const Cell *cell, const Slot *slot, Attempt *attempt)
{
    g_autofree char *work =
        g_build_filename(rig->host_dir, WIRE_DISK_WORK, NULL);
    g_autofree char *text = matched_text(rig);
    g_auto(Matched) matched = {0};
    g_autoptr(GError) err = NULL;

    if (!matched_init(&matched, rig, &err) || !disk_evict(work, NULL, &err)) {
        attempt_fail(attempt, OUTCOME_REFUSED, "%s", err->message);
        return;
    }
    run_payload(rig, cell, slot, &matched, attempt);
    g_hash_table_replace(attempt->facts, g_strdup("confined"),
                         g_steal_pointer(&text));
}

void
hostrun(Rig *rig, const Cell *cell, const Slot *slot, Attempt *attempt)
{
    if (cell->kind == CELL_HOST_MATCHED)
        run_matched(rig, cell, slot, attempt);
    else
        run_payload(rig, cell, slot, NULL, attempt);
}
