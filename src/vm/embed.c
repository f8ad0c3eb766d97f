/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The root directory of the embedded driver: see embed.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "base/paths.h"
#include "vm/embed.h"

#define URI_START "qemu:///embed?root="

/* virtlogd is a daemon of its own, so QEMU's words go to a file; there is no
 * daemon that could label or confine; QEMU runs as whoever runs vsweep, so
 * that it can open the images vsweep made; nothing is chowned, and no mount
 * namespace hides a /dev that settings refer to. */
static const char CONF_ALL[] = "# Written by vsweep at every start.\n"
                               "stdio_handler = \"file\"\n"
                               "security_driver = \"none\"\n"
                               "remember_owner = 0\n"
                               "namespaces = []\n";
static const char CONF_ROOT[] = "user = \"+0\"\n"
                                "group = \"+0\"\n";

char *
embed_uri(const char *root)
{
    g_autofree char *escaped = g_uri_escape_string(root, "/", FALSE);

    return g_strconcat(URI_START, escaped, NULL);
}

char *
embed_root(const char *uri)
{
    g_autofree char *escaped = NULL;

    if (!g_str_has_prefix(uri, URI_START))
        return NULL;
    uri += strlen(URI_START);
    escaped = g_strndup(uri, strcspn(uri, "&#"));
    return g_uri_unescape_string(escaped, NULL);
}

static bool
write_conf(const char *root, bool ours, GError **err)
{
    g_autofree char *dir = g_build_filename(root, "etc", NULL);
    g_autofree char *path = g_build_filename(dir, "qemu.conf", NULL);
    g_autofree char *text =
        g_strconcat(CONF_ALL, geteuid() == 0 ? CONF_ROOT : "", NULL);

    if (!ours && access(path, F_OK) == 0)
        return true;
    return file_mkdir(dir, err) && file_write(path, text, -1, err);
}

/* libvirt asks each new QEMU binary for what it can do, which takes 4 s; the
 * answers outlive the runtime directory, which a reboot empties. */
static bool
link_cache(const char *root, GError **err)
{
    g_autofree char *cache = paths_cache(err);
    g_autofree char *target = NULL, *link = NULL, *old = NULL;

    if (!cache)
        return false;
    target = g_build_filename(cache, "libvirt", NULL);
    link = g_build_filename(root, "cache", NULL);
    old = g_file_read_link(link, NULL);
    if (!file_mkdir(target, err))
        return false;
    if (g_strcmp0(old, target) == 0)
        return true;
    if (!file_remove(link, err))
        return false;
    if (symlink(target, link) < 0)
        return vs_fail_errno(err, errno, "cannot link '%s'", link);
    return true;
}

bool
embed_prepare(const char *root, bool ours, GError **err)
{
    if (strlen(root) > PATHS_RUNTIME_MAX)
        return vs_fail(err,
                       "root '%s' of the embedded driver is longer than %d "
                       "bytes, more than the names of UNIX sockets allow",
                       root, PATHS_RUNTIME_MAX);
    return file_mkdir(root, err) && write_conf(root, ours, err) &&
           (!ours || link_cache(root, err));
}

/* libvirt's own lock file: it stays behind, unlocked, when libvirt goes. */
static char *
lock_path(const char *root)
{
    return g_build_filename(root, "run/qemu/driver.pid", NULL);
}

bool
embed_remove_lock(const char *root, GError **err)
{
    g_autofree char *path = lock_path(root);

    return file_remove(path, err);
}

pid_t
embed_holder(const char *root)
{
    g_autofree char *path = lock_path(root);
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

    if (fd < 0 || fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
        return 0;
    return lock.l_pid;
}

bool
embed_fail_held(const char *root, pid_t holder, GError **err)
{
    return vs_fail(err,
                   "another vsweep (pid %d) is using '%s': wait for it, or "
                   "give this one a VSWEEP_RUNTIME_DIR of its own",
                   (int) holder, root);
}
