/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts about KVM: see proof-cache.h. */
#include "base/file.h"
#include "base/log.h"
#include "base/paths.h"
#include "vm/proof-cache.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static char *
cache_path(void)
{
    g_autofree char *dir = paths_cache(NULL);

    return dir ? g_build_filename(dir, "kvm-proof", NULL) : NULL;
}

/* The groups of a key file cannot have just any name; a digest can. */
static char *
group_of(const char *key)
{
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
}

/* The file as far as it is of this boot; empty otherwise. */
static GKeyFile *
load(const char *path, const char *boot)
{
    GKeyFile *file = g_key_file_new();
    g_autofree char *of = NULL;

    if (g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL))
        of = g_key_file_get_string(file, "host", "boot", NULL);
    if (g_strcmp0(of, boot) == 0)
        return file;
    g_key_file_unref(file);
    return g_key_file_new();
}

bool
proof_cache_load(const char *key, bool *ret_kvm, char **ret_why)
{
    g_autofree char *path = cache_path(), *boot = file_read_line(BOOT_ID);
    g_autofree char *group = group_of(key), *why = NULL;
    g_autoptr(GKeyFile) file = NULL;

    if (!path || !boot)
        return false;
    file = load(path, boot);
    why = g_key_file_get_string(file, group, "why", NULL);
    if (!why)
        return false;
    *ret_kvm = g_key_file_get_boolean(file, group, "kvm", NULL);
    *ret_why = g_steal_pointer(&why);
    return true;
}

void
proof_cache_save(const char *key, bool kvm, const char *why)
{
    g_autofree char *path = cache_path(), *boot = file_read_line(BOOT_ID);
    g_autofree char *group = group_of(key), *text = NULL;
    g_autoptr(GKeyFile) file = NULL;
    g_autoptr(GError) err = NULL;

    if (!path || !boot)
        return;
    file = load(path, boot);
    g_key_file_set_string(file, "host", "boot", boot);
    g_key_file_set_boolean(file, group, "kvm", kvm);
    g_key_file_set_string(file, group, "why", why);
    text = g_key_file_to_data(file, NULL, NULL);
    if (!file_write(path, text, -1, &err))
        log_debug("%s", err->message);
}
