/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing the guest's kernel: see kernel.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "guest/kernel.h"

/* What images are called; the version comes behind. */
static const char *const image_prefixes[] = {"vmlinuz-", "vmlinux-", "bzImage-",
                                             NULL};

/* Debian's kernel for clouds has none of these, the general one has all. */
static const char *const general_drivers[] = {"ahci",    "ata_piix",  "8139cp",
                                              "8139too", "e1000",     "e1000e",
                                              "pcnet32", "sym53c8xx", NULL};

#define PACKAGE_GENERAL "linux-image-amd64"
#define PACKAGE_CLOUD "linux-image-cloud-amd64"

void
kernel_free(Kernel *kernel)
{
    if (!kernel)
        return;
    g_free(kernel->image);
    g_free(kernel->version);
    g_free(kernel->modules_dir);
    if (kernel->load)
        g_ptr_array_unref(kernel->load);
    g_free(kernel);
}

/* The version of an image: its own word, else its name's. */
static char *
version_of(const char *image)
{
    g_autofree char *name = g_path_get_basename(image);
    char *version = kernel_image_version(image);

    for (gsize i = 0; !version && image_prefixes[i]; i++)
        if (g_str_has_prefix(name, image_prefixes[i]))
            version = g_strdup(name + strlen(image_prefixes[i]));
    return version;
}

static bool
is_directory(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR);
}

static bool
check_readable(const char *image, GError **err)
{
    if (access(image, R_OK) == 0)
        return true;
    if (errno == EACCES)
        return vs_fail(err,
                       "cannot read the kernel '%s': run `sudo chmod a+r %s`",
                       image, image);
    return vs_fail_errno(err, errno, "cannot read the kernel '%s'", image);
}

/* Newest first. */
static gint
newest_first(gconstpointer a, gconstpointer b)
{
    return kernel_version_compare(*(char *const *) b, *(char *const *) a);
}

/* Names of the images in a boot directory, newest first; empty when there is
 * no such directory. */
static GPtrArray *
list_images(const char *boot)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(boot, 0, NULL);
    const char *name = NULL;

    while (dir && (name = g_dir_read_name(dir)))
        if (g_str_has_prefix(name, "vmlinuz-"))
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, newest_first);
    return names;
}

/* The kernel of an image, without the modules to load. */
static Kernel *
kernel_of(const char *image, const char *root)
{
    Kernel *kernel = g_new0(Kernel, 1);

    kernel->image = g_strdup(image);
    kernel->version = version_of(image);
    if (!kernel->version)
        return kernel;
    kernel->modules_dir =
        g_build_filename(root, "lib/modules", kernel->version, NULL);
    if (!is_directory(kernel->modules_dir))
        g_clear_pointer(&kernel->modules_dir, g_free);
    return kernel;
}

/* The first driver that has to be there; NULL when none has. */
static const char *
first_need(const char *const *needs)
{
    for (gsize i = 0; needs[i]; i++)
        if (*needs[i] != '-')
            return needs[i];
    return NULL;
}

/* Sets kernel->load.  *ret_missing is the driver that is not there, and the
 * first of them when there are no modules at all. */
static bool
find_drivers(Kernel *kernel, const char *const *needs, char **ret_missing,
             GError **err)
{
    if (kernel->modules_dir) {
        kernel->load =
            kernel_load_order(kernel->modules_dir, needs, ret_missing, err);
        return kernel->load || *ret_missing;
    }
    *ret_missing = g_strdup(first_need(needs));
    if (!*ret_missing)
        kernel->load = g_ptr_array_new_with_free_func(g_free);
    return true;
}

static bool
wants_general(const char *const *needs)
{
    for (gsize i = 0; needs[i]; i++)
        if (g_strv_contains(general_drivers, needs[i]))
            return true;
    return false;
}

/* No kernel has it: say which driver, and what would. */
static bool
fail_missing(const Kernel *newest, const char *missing, bool cloud_only,
             GError **err)
{
    const char *cure = cloud_only ? "install the package " PACKAGE_GENERAL
                                  : "name a kernel that has it with --kernel";

    if (!newest->modules_dir)
        return vs_fail(err,
                       "the kernel '%s' has no modules in lib/modules/%s: "
                       "install the package " PACKAGE_CLOUD,
                       newest->image, newest->version);
    return vs_fail(err, "no kernel has the driver '%s' (newest: %s): %s",
                   missing, newest->version, cure);
}

/* The newest kernel in /boot that has all drivers. */
static Kernel *
search_boot(const char *root, const char *const *needs, GError **err)
{
    g_autofree char *boot = g_build_filename(root, "boot", NULL);
    g_autoptr(GPtrArray) names = list_images(boot);
    g_autoptr(Kernel) newest = NULL; /* that has modules, if any has */
    g_autofree char *newest_missing = NULL;
    bool cloud_only = true;

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *image =
            g_build_filename(boot, g_ptr_array_index(names, i), NULL);
        g_autoptr(Kernel) kernel = kernel_of(image, root);
        g_autofree char *missing = NULL;

        if (!find_drivers(kernel, needs, &missing, err))
            return NULL;
        if (!missing)
            return check_readable(image, err) ? g_steal_pointer(&kernel) : NULL;
        if (kernel->modules_dir && !strstr(kernel->version, "cloud"))
            cloud_only = false;
        if (!newest || (!newest->modules_dir && kernel->modules_dir)) {
            g_clear_pointer(&newest, kernel_free);
            newest = g_steal_pointer(&kernel);
            g_free(newest_missing);
            newest_missing = g_steal_pointer(&missing);
        }
    }
    if (newest)
        fail_missing(newest, newest_missing, cloud_only, err);
    else
        vs_fail(err, "no kernel in '%s': install the package %s", boot,
                wants_general(needs) ? PACKAGE_GENERAL : PACKAGE_CLOUD);
    return NULL;
}

/* The modules of a kernel that was unpacked from its package somewhere:
 * DIR/boot/vmlinuz-V and DIR/lib/modules/V. */
static char *
modules_beside(const Kernel *kernel)
{
    g_autofree char *dir = g_path_get_dirname(kernel->image);

    return g_build_filename(dir, "..", "lib/modules", kernel->version, NULL);
}

/* The kernel the person names. */
static Kernel *
take_named(const char *root, const char *path, const char *const *needs,
           GError **err)
{
    g_autoptr(Kernel) kernel = NULL;
    g_autofree char *missing = NULL, *beside = NULL;

    if (!check_readable(path, err))
        return NULL;
    kernel = kernel_of(path, root);
    if (!kernel->version) {
        vs_fail(err,
                "cannot tell the version of the kernel '%s': name the file "
                "vmlinuz-VERSION",
                path);
        return NULL;
    }
    beside = modules_beside(kernel);
    if (!kernel->modules_dir && is_directory(beside))
        kernel->modules_dir = g_steal_pointer(&beside);
    if (!find_drivers(kernel, needs, &missing, err))
        return NULL;
    if (!missing)
        return g_steal_pointer(&kernel);
    if (kernel->modules_dir)
        vs_fail(err, "the kernel '%s' has no driver '%s' (looked in '%s')",
                path, missing, kernel->modules_dir);
    else
        vs_fail(err,
                "the modules of the kernel '%s' are missing: looked for "
                "'%s/lib/modules/%s' and '%s'",
                path, g_str_equal(root, "/") ? "" : root, kernel->version,
                beside);
    return NULL;
}

Kernel *
kernel_find_in(const char *root, const char *path, const char *const *needs,
               GError **err)
{
    return path ? take_named(root, path, needs, err)
                : search_boot(root, needs, err);
}

Kernel *
kernel_find(const char *path, const char *const *needs, GError **err)
{
    return kernel_find_in("/", path, needs, err);
}
