/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where things live: see paths.h. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/paths.h"

/* The directory of an environment variable, the system one for root, else
 * the person's own. */
static char *
choose(const char *variable, const char *system, char *personal)
{
    const char *given = g_getenv(variable);

    if (given && *given) {
        g_free(personal);
        return g_canonicalize_filename(given, NULL);
    }
    if (geteuid() == 0) {
        g_free(personal);
        return g_strdup(system);
    }
    return personal;
}

char *
paths_cache(GError **err)
{
    g_autofree char *path =
        choose("VSWEEP_CACHE_DIR", "/var/cache/vsweep",
               g_build_filename(g_get_user_cache_dir(), "vsweep", NULL));

    return file_mkdir(path, err) ? g_steal_pointer(&path) : NULL;
}

static char *
personal_runtime(void)
{
    const char *xdg = g_getenv("XDG_RUNTIME_DIR");

    if (xdg && *xdg && access(xdg, W_OK) == 0)
        return g_build_filename(xdg, "vsweep", NULL);
    return g_strdup_printf("/tmp/vsweep-%u", (unsigned) geteuid());
}

/* A directory below /tmp could be somebody else's. */
static bool
check_owner(const char *path, GError **err)
{
    struct stat st = {0};

    if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return vs_fail(err,
                       "runtime directory '%s' is not a directory of yours: "
                       "remove it or set VSWEEP_RUNTIME_DIR",
                       path);
    return true;
}

char *
paths_runtime(GError **err)
{
    g_autofree char *path =
        choose("VSWEEP_RUNTIME_DIR", "/run/vsweep", personal_runtime());

    if (strlen(path) > PATHS_RUNTIME_MAX) {
        vs_fail(err,
                "runtime directory '%s' is longer than %d bytes, more than "
                "the names of UNIX sockets allow: set VSWEEP_RUNTIME_DIR to a "
                "shorter one",
                path, PATHS_RUNTIME_MAX);
        return NULL;
    }
    if (!file_mkdir(path, err) || !check_owner(path, err))
        return NULL;
    return g_steal_pointer(&path);
}

char *
paths_data(const char *name, GError **err)
{
    const char *given = g_getenv("VSWEEP_DATA");
    const char *const places[] = {given && *given ? given : VS_SOURCE_DIR,
                                  VS_PAYLOAD_DIR, VS_DATADIR, NULL};
    g_autoptr(GString) looked = g_string_new(NULL);

    for (gsize i = 0; places[i]; i++) {
        g_autofree char *path = g_build_filename(places[i], name, NULL);

        if (access(path, R_OK) == 0)
            return g_steal_pointer(&path);
        g_string_append_printf(looked, "%s%s", i ? ", " : "", places[i]);
    }
    vs_fail(err, "cannot find '%s' in %s: run `make`, or set VSWEEP_DATA", name,
            looked->str);
    return NULL;
}
