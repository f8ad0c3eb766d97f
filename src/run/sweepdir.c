/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding and making the directories of sweeps: see sweepdir.h. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/file.h"
#include "data/store.h"
#include "run/sweepdir.h"

char *
sweepdir_create(const char *root, const char *name, GError **err)
{
    g_autofree char *stamp = clock_wall_stamp();
    g_autofree char *base = g_strdup_printf("%s/%s-%s", root, name, stamp);
    g_autofree char *path = g_strdup(base);

    if (!file_mkdir(root, err))
        return NULL;
    for (guint n = 2; mkdir(path, 0755) < 0; n++) {
        if (errno != EEXIST) {
            vs_fail_errno(err, errno, "cannot make directory '%s'", path);
            return NULL;
        }
        g_free(path);
        path = g_strdup_printf("%s-%u", base, n);
    }
    return g_steal_pointer(&path);
}

static gint64
changed(const char *root, const char *name)
{
    g_autofree char *db = g_build_filename(root, name, SWEEPDIR_DB, NULL);
    struct stat st = {0};

    if (stat(db, &st) < 0)
        return -1;
    return st.st_mtim.tv_sec * CLOCK_NS_PER_S + st.st_mtim.tv_nsec;
}

static int
newest_first(gconstpointer a, gconstpointer b, gpointer root)
{
    gint64 left = changed(root, *(char *const *) a);
    gint64 right = changed(root, *(char *const *) b);

    return (right > left) - (right < left);
}

GPtrArray *
sweepdir_list(const char *root)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(root, 0, NULL);
    const char *name = NULL;

    while (dir && (name = g_dir_read_name(dir)))
        if (changed(root, name) >= 0)
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort_with_data(names, newest_first, (gpointer) root);
    return names;
}

static bool
is_sweep(const char *db, const char *key, bool finished)
{
    g_autoptr(Store) store = store_open(db, false, NULL);
    g_autofree char *status = store ? store_get(store, "status") : NULL;
    g_autofree char *its_key = store ? store_get(store, "sweep.key") : NULL;

    return g_strcmp0(its_key, key) == 0 &&
           (g_strcmp0(status, "finished") == 0) == finished;
}

static char *
newest_sweep(const char *root, const char *key, bool finished)
{
    g_autoptr(GPtrArray) names = sweepdir_list(root);

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *db =
            g_build_filename(root, names->pdata[i], SWEEPDIR_DB, NULL);

        if (is_sweep(db, key, finished))
            return g_build_filename(root, names->pdata[i], NULL);
    }
    return NULL;
}

char *
sweepdir_unfinished(const char *root, const char *key)
{
    return newest_sweep(root, key, false);
}

char *
sweepdir_finished(const char *root, const char *key)
{
    return newest_sweep(root, key, true);
}

/* Whether a directory name is NAME-STAMP for this name. */
static bool
is_of_name(const char *directory, const char *name)
{
    gsize length = strlen(name);

    return strcmp(directory, name) == 0 ||
           (strncmp(directory, name, length) == 0 && directory[length] == '-' &&
            g_ascii_isdigit(directory[length + 1]));
}

static char *
newest_of(const char *name)
{
    g_autoptr(GPtrArray) names = sweepdir_list(SWEEPDIR_ROOT);

    for (guint i = 0; i < names->len; i++)
        if (!name || is_of_name(names->pdata[i], name))
            return g_build_filename(SWEEPDIR_ROOT, names->pdata[i], SWEEPDIR_DB,
                                    NULL);
    return NULL;
}

char *
sweepdir_resolve(const char *wanted, GError **err)
{
    g_autofree char *inside =
        wanted ? g_build_filename(wanted, SWEEPDIR_DB, NULL) : NULL;
    g_autofree char *found = NULL;

    if (wanted && access(inside, F_OK) == 0)
        return g_steal_pointer(&inside);
    if (wanted && g_file_test(wanted, G_FILE_TEST_IS_REGULAR))
        return g_strdup(wanted);
    found = newest_of(wanted);
    if (found)
        return g_steal_pointer(&found);
    if (wanted)
        vs_usage(err,
                 "no sweep '%s': it is no directory with a " SWEEPDIR_DB
                 " and no name below " SWEEPDIR_ROOT "/; `vsweep ls` lists "
                 "what there is",
                 wanted);
    else
        vs_usage(err, "no sweep below " SWEEPDIR_ROOT
                      "/ here: run one with `vsweep run`, or name its "
                      "directory");
    return NULL;
}
