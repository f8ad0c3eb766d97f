/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removing what vsweep has put into a storage directory. */
#include <string.h>
#include "base/file.h"
#include "guest/appliance.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"

/* Our names, and whether they are worth keeping for the next sweep. */
static const struct {
    const char *prefix;
    bool kept;
} ours[] = {
    {DISK_TMP_PREFIX, false},
    {DISK_SLOT_PREFIX, false},
    {DISK_GOLDEN_PREFIX, true},
    {DISK_HOST_DIR, true},
};

static bool
is_to_go(const char *name, bool golden)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ours); i++)
        if (g_str_has_prefix(name, ours[i].prefix))
            return golden || !ours[i].kept;
    return false;
}

bool
disk_clean(const char *storage, bool golden, GPtrArray *report, GError **err)
{
    g_autoptr(GDir) dir = NULL;
    g_autoptr(GError) why = NULL;
    const char *name = NULL;

    if (!g_file_test(storage, G_FILE_TEST_EXISTS))
        return true;
    dir = g_dir_open(storage, 0, &why);
    if (!dir)
        return vs_fail(err, "cannot list the storage '%s': %s", storage,
                       why->message);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(storage, name, NULL);

        if (!is_to_go(name, golden))
            continue;
        if (g_str_has_prefix(name, DISK_TMP_PREFIX) &&
            !appliance_clean(path, report, err))
            return false;
        if (!file_remove(path, err))
            return false;
        if (report)
            g_ptr_array_add(report, g_steal_pointer(&path));
    }
    return true;
}
