/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing the kernel and the order of its modules, on a root directory made
 * here: images are 1 KiB of boot header, modules are small objects made by
 * the compiler, their index by the real depmod.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "base/child.h"
#include "base/file.h"
#include "guest/kernel.h"

#define CLOUD "6.1.0-57-cloud-amd64"
#define GENERAL "6.1.0-9-amd64"

static char *root;

/* A module that gives and takes one symbol. */
static const struct {
    const char *name;
    const char *softdep; /* NULL: none */
    const char *takes;
} modules[] = {
    {"virtio", NULL, NULL},
    {"virtio_ring", NULL, "virtio"},
    {"virtio_blk", "pre: hasher", "virtio_ring"},
    {"hasher", NULL, "hashlib"},
    {"hashlib", NULL, NULL},
    {"needs_hashlib", "post: late", "hashlib"},
    {"late", NULL, NULL},
};

static void
make_module(const char *dir, gsize i)
{
    g_autoptr(GString) code =
        g_string_new("#define IN(s) "
                     "__attribute__((section(s), used))\n");
    g_autofree char *source = g_strdup_printf("%s/%s.c", root, modules[i].name);
    g_autofree char *object =
        g_strdup_printf("%s/kernel/%s.ko", dir, modules[i].name);
    const char *const cc[] = {"cc", "-c", "-o", object, source, NULL};

    g_string_append_printf(
        code, "static const char e[] IN(\"__ksymtab_strings\") = \"sym_%s\";\n",
        modules[i].name);
    g_string_append_printf(code,
                           "static const char n[] IN(\".modinfo\") = "
                           "\"name=%s%s%s\";\n",
                           modules[i].name,
                           modules[i].softdep ? "\\0softdep=" : "",
                           modules[i].softdep ? modules[i].softdep : "");
    if (modules[i].takes)
        g_string_append_printf(code,
                               "extern int sym_%s; int *take = &sym_%s;\n",
                               modules[i].takes, modules[i].takes);
    assert_true(file_write(source, code->str, -1, NULL));
    assert_true(child_run(cc, NULL, NULL));
}

/* A plain user's PATH has no /usr/sbin. */
static const char *
find_depmod(void)
{
    return access("/usr/sbin/depmod", X_OK) == 0 ? "/usr/sbin/depmod"
                                                 : "depmod";
}

/* lib/modules/VERSION with all modules, and `builtin` built in. */
static void
make_modules(const char *version, const char *builtin)
{
    g_autofree char *dir = g_strdup_printf("%s/lib/modules/%s", root, version);
    g_autofree char *sub = g_build_filename(dir, "kernel", NULL);
    g_autofree char *list = g_build_filename(dir, "modules.builtin", NULL);
    g_autofree char *order = g_build_filename(dir, "modules.order", NULL);
    g_autofree char *line = g_strdup_printf("kernel/fs/%s.ko\n", builtin);
    const char *const depmod[] = {find_depmod(), "-b", root, version, NULL};

    assert_true(file_mkdir(sub, NULL));
    for (gsize i = 0; i < G_N_ELEMENTS(modules); i++)
        make_module(dir, i);
    assert_true(file_write(list, line, -1, NULL));
    assert_true(file_write(order, "", -1, NULL));
    assert_true(child_run(depmod, NULL, NULL));
}

/* An image called `name` whose header says `version`. */
static char *
make_image(const char *name, const char *version)
{
    char bytes[1024] = {0};
    char *path = g_strdup_printf("%s/boot/%s", root, name);

    memcpy(bytes + 0x202, "HdrS", 4);
    bytes[0x20e] = 0x40; /* text at 0x240 */
    g_snprintf(bytes + 0x240, 128, "%s (somebody@somewhere) #1", version);
    assert_true(file_write(path, bytes, sizeof(bytes), NULL));
    return path;
}

static void
remove_image(const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/boot/%s", root, name);

    assert_int_equal(g_unlink(path), 0);
}

/* The message of a search that has to fail. */
static char *
refusal(const char *path, const char *const *needs)
{
    g_autoptr(GError) err = NULL;

    assert_null(kernel_find_in(root, path, needs, &err));
    assert_non_null(err);
    assert_int_equal(vs_error_status(err), 1);
    return g_strdup(err->message);
}

/* "virtio -hasher ..." */
static char *
order_text(const Kernel *kernel)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < kernel->load->len; i++) {
        const char *item = kernel->load->pdata[i];
        g_autofree char *base = g_path_get_basename(item);

        g_string_append_printf(text, "%s%s%.*s", i ? " " : "",
                               *item == '-' ? "-" : "",
                               (int) (strlen(base) - strlen(".ko")), base);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
versions(void **state)
{
    static const char *const rising[] = {"4.19.0-27-amd64",
                                         "6.1.0-9-amd64",
                                         "6.1.0-57-amd64",
                                         "6.1.0-57-cloud-amd64",
                                         "6.1.10-1-x",
                                         "6.12~rc1",
                                         "6.12",
                                         "6.12.1",
                                         "10.0"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rising); i++)
        for (gsize j = 0; j < G_N_ELEMENTS(rising); j++) {
            int order = kernel_version_compare(rising[i], rising[j]);

            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void
version_from_image(void **state)
{
    g_autofree char *good = make_image("good", "5.10.3-mine");
    g_autofree char *evil = make_image("evil", "5/../../etc");
    g_autofree char *none = g_build_filename(root, "boot", "none", NULL);
    g_autofree char *version = kernel_image_version(good);

    (void) state;
    assert_string_equal(version, "5.10.3-mine");
    assert_null(kernel_image_version(evil));
    assert_null(kernel_image_version(none));
    assert_true(file_write(none, "short", -1, NULL));
    assert_null(kernel_image_version(none));
    g_unlink(good);
    g_unlink(evil);
    g_unlink(none);
}

static void
no_kernel(void **state)
{
    static const char *const plain[] = {"virtio_blk", NULL};
    static const char *const general[] = {"virtio_blk", "ahci", NULL};
    g_autofree char *first = refusal(NULL, plain);
    g_autofree char *second = refusal(NULL, general);

    (void) state;
    assert_true(
        g_str_has_suffix(first, "install the package linux-image-cloud-amd64"));
    assert_true(
        g_str_has_suffix(second, "install the package linux-image-amd64"));
}

static void
load_order(void **state)
{
    static const char *const needs[] = {"virtio_blk", "ext4", "-absent", NULL};
    g_autofree char *image = make_image("vmlinuz-" CLOUD, CLOUD);
    g_autoptr(GError) err = NULL;
    g_autoptr(Kernel) kernel = kernel_find_in(root, NULL, needs, &err);
    g_autofree char *text = NULL;

    (void) state;
    assert_null(err);
    assert_string_equal(kernel->image, image);
    assert_string_equal(kernel->version, CLOUD);
    assert_true(g_str_has_suffix(kernel->modules_dir, "/lib/modules/" CLOUD));
    text = order_text(kernel);
    /* ext4 is built in; what only a soft dependency needs is soft too. */
    assert_string_equal(text, "-hashlib -hasher virtio virtio_ring virtio_blk");
    for (guint i = 0; i < kernel->load->len; i++) {
        const char *item = kernel->load->pdata[i];

        assert_int_equal(access(item + (*item == '-'), R_OK), 0);
    }
}

/* What is met first as soft and then as needed is needed. */
static void
soft_becomes_hard(void **state)
{
    static const char *const needs[] = {"virtio_blk", "needs_hashlib", "-late",
                                        NULL};
    g_autoptr(Kernel) kernel = kernel_find_in(root, NULL, needs, NULL);
    g_autofree char *text = NULL;

    (void) state;
    assert_non_null(kernel);
    text = order_text(kernel);
    assert_string_equal(text, "hashlib -hasher virtio virtio_ring virtio_blk "
                              "needs_hashlib -late");
}

static void
newest_with_all_drivers(void **state)
{
    static const char *const both[] = {"virtio_blk", NULL};
    static const char *const old_only[] = {"virtio_blk", "ahci", NULL};
    static const char *const none_has[] = {"sym53c8xx", NULL};
    g_autofree char *old = make_image("vmlinuz-" GENERAL, GENERAL);
    g_autoptr(Kernel) first = kernel_find_in(root, NULL, both, NULL);
    g_autoptr(Kernel) second = kernel_find_in(root, NULL, old_only, NULL);
    g_autofree char *why = refusal(NULL, none_has);

    (void) state;
    assert_string_equal(first->version, CLOUD);
    assert_string_equal(second->version, GENERAL);
    assert_string_equal(second->image, old);
    /* A general kernel is there: its package is no cure. */
    assert_non_null(strstr(why, "driver 'sym53c8xx' (newest: " CLOUD ")"));
    assert_null(strstr(why, "install"));
    remove_image("vmlinuz-" GENERAL);
}

static void
cloud_kernel_lacks(void **state)
{
    static const char *const needs[] = {"virtio_blk", "ahci", NULL};
    g_autofree char *why = refusal(NULL, needs);

    (void) state;
    assert_string_equal(why, "no kernel has the driver 'ahci' (newest: " CLOUD
                             "): install the package linux-image-amd64");
}

static void
named_kernel(void **state)
{
    static const char *const needs[] = {"virtio_blk", NULL};
    static const char *const nothing[] = {"-virtio_blk", NULL};
    static const char *const lacking[] = {"ahci", NULL};
    g_autofree char *mine = make_image("mine", CLOUD);
    g_autofree char *stray = make_image("stray", "5.4.0-stray");
    g_autoptr(Kernel) kernel = kernel_find_in(root, mine, needs, NULL);
    g_autoptr(Kernel) bare = kernel_find_in(root, stray, nothing, NULL);
    g_autofree char *no_modules = refusal(stray, needs);
    g_autofree char *no_driver = refusal(mine, lacking);
    g_autofree char *absent = refusal("/nonexistent/vmlinuz-1", needs);

    (void) state;
    assert_string_equal(kernel->version, CLOUD);
    assert_non_null(bare);
    assert_null(bare->modules_dir);
    assert_int_equal(bare->load->len, 0);
    assert_non_null(strstr(no_modules, "/lib/modules/5.4.0-stray'"));
    assert_non_null(strstr(no_driver, "has no driver 'ahci' (looked in '"));
    assert_non_null(strstr(absent, "No such file"));
    remove_image("mine");
    remove_image("stray");
}

/* DIR/boot/vmlinuz with DIR/lib/modules, as dpkg-deb -x leaves it. */
static void
unpacked_package(void **state)
{
    static const char *const needs[] = {"virtio_blk", NULL};
    g_autofree char *mine = make_image("mine", CLOUD);
    g_autoptr(Kernel) kernel =
        kernel_find_in("/nonexistent", mine, needs, NULL);

    (void) state;
    assert_non_null(kernel);
    assert_string_equal(kernel->version, CLOUD);
    remove_image("mine");
}

/* Ubuntu's kernels are for root only.  Root reads everything, so somebody
 * else has to look. */
static void
unreadable(void **state)
{
    static const char *const needs[] = {"virtio_blk", NULL};
    g_autofree char *image = g_strdup_printf("%s/boot/vmlinuz-" CLOUD, root);
    int status = 0;
    pid_t pid = 0;

    (void) state;
    assert_int_equal(g_chmod(image, 0600), 0);
    assert_int_equal(g_chmod(root, 0755), 0);
    if (geteuid() != 0)
        assert_int_equal(g_chmod(image, 0), 0);
    pid = fork();
    if (pid == 0) {
        g_autoptr(GError) err = NULL;

        if (geteuid() == 0 && setuid(65534) < 0)
            _exit(2);
        kernel_find_in(root, NULL, needs, &err);
        _exit(err && strstr(err->message, "chmod a+r") &&
                      strstr(err->message, image)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 0);
    g_chmod(image, 0644);
}

static int
set_up(void **state)
{
    g_autofree char *boot = NULL;

    (void) state;
    root = g_dir_make_tmp("vsweep-test-kernel-XXXXXX", NULL);
    boot = g_build_filename(root, "boot", NULL);
    assert_true(file_mkdir(boot, NULL));
    make_modules(CLOUD, "ext4");
    make_modules(GENERAL, "ahci");
    return 0;
}

static int
tear_down(void **state)
{
    (void) state;
    file_remove(root, NULL);
    g_free(root);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(version_from_image),
        cmocka_unit_test(no_kernel),
        cmocka_unit_test(load_order),
        cmocka_unit_test(soft_becomes_hard),
        cmocka_unit_test(newest_with_all_drivers),
        cmocka_unit_test(cloud_kernel_lacks),
        cmocka_unit_test(named_kernel),
        cmocka_unit_test(unpacked_package),
        cmocka_unit_test(unreadable),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
