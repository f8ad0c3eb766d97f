/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The socket directory that a killed libguestfs leaves.  Its place is fixed
 * by libguestfs (/tmp, or $XDG_RUNTIME_DIR for a plain user) and its name is
 * random, so it is told by what it is: ours, not older than the temporary
 * directory the appliance worked for, and with no living socket in it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/signals.h"
#include "guest/appliance.h"

#define PREFIX "libguestfs"
/* Letters that mkdtemp(3) puts behind it. */
#define RANDOM_LETTERS 6
/* /proc/net/unix: about 100 bytes for a socket. */
#define SOCKETS_MAX (16 * 1024 * 1024)
#define RECOVERY_NS (5 * CLOCK_NS_PER_S)
#define LOOK_NS (100 * CLOCK_NS_PER_MS)

static const char *
sockets_parent(void)
{
    const char *runtime = g_getenv("XDG_RUNTIME_DIR");

    return geteuid() != 0 && runtime && *runtime ? runtime : "/tmp";
}

static bool
has_living_socket(const char *dir)
{
    g_autofree char *sockets =
        file_read("/proc/net/unix", SOCKETS_MAX, NULL, NULL);
    g_autofree char *prefix = g_strconcat(dir, "/", NULL);

    return !sockets || strstr(sockets, prefix);
}

/* A killed program's appliance is ended by libguestfs's recovery process, which
 * looks every two seconds. */
static bool
stays_alive(const char *dir)
{
    gint64 deadline = clock_raw_ns() + RECOVERY_NS;

    while (has_living_socket(dir)) {
        if (clock_raw_ns() >= deadline || signals_pending())
            return true;
        clock_sleep_until(clock_raw_ns() + LOOK_NS);
    }
    return false;
}

/* When the directory was made, in seconds; 0 where the file system does not
 * say. */
static gint64
birth(const char *directory)
{
    struct statx st = {0};

    if (statx(AT_FDCWD, directory, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &st) < 0)
        return 0;
    return st.stx_btime.tv_sec;
}

static bool
is_dead(const char *dir, gint64 since)
{
    struct stat st = {0};

    return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && st.st_mtim.tv_sec >= since &&
           !stays_alive(dir);
}

bool
appliance_clean(const char *directory, GPtrArray *report, GError **err)
{
    g_autoptr(GDir) parent = g_dir_open(sockets_parent(), 0, NULL);
    gint64 since = birth(directory);
    const char *name = NULL;

    while (parent && (name = g_dir_read_name(parent))) {
        g_autofree char *path = g_build_filename(sockets_parent(), name, NULL);

        if (!g_str_has_prefix(name, PREFIX) ||
            strlen(name) != strlen(PREFIX) + RANDOM_LETTERS ||
            !is_dead(path, since))
            continue;
        if (!file_remove(path, err))
            return false;
        if (report)
            g_ptr_array_add(report, g_steal_pointer(&path));
    }
    return true;
}
