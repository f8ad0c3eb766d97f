/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A golden image made for real, with one libguestfs launch (some 15 s under
 * emulation), and looked at with debugfs and e2fsck of the host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "base/child.h"
#include "base/file.h"
#include "base/signals.h"
#include "guest/appliance.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"
#include "guest-payload/wire.h"

#define MIB (G_GUINT64_CONSTANT(1) << 20)
/* Larger than one upload message, and no multiple of a block. */
#define PAYLOAD_BYTES (3 * MIB + 77)
#define WORK_BYTES (8 * MIB)

static char *dir;
static char *payload;
static DiskGolden *golden;

static DiskGoldenSpec
spec_of(guint64 bytes)
{
    DiskGoldenSpec spec = {.storage = dir,
                           .fs = "ext4",
                           .bytes = bytes,
                           .work_bytes = WORK_BYTES,
                           .payload = payload};

    return spec;
}

/* Runs one debugfs request on the image and gives its output. */
static char *
ask_image(const char *request)
{
    const char *argv[] = {"debugfs", "-R", request, golden->path, NULL};
    g_autofree char *tool = access("/usr/sbin/debugfs", X_OK) == 0
                                ? g_strdup("/usr/sbin/debugfs")
                                : g_strdup("debugfs");
    char *out = NULL;

    argv[0] = tool;
    assert_true(child_run(argv, &out, NULL));
    return out;
}

/* Takes a file out of the image. */
static char *
dump(const char *inside, const char *name)
{
    char *path = g_build_filename(dir, name, NULL);
    g_autofree char *request = g_strdup_printf("dump /%s %s", inside, path);
    g_autofree char *out = ask_image(request);

    return path;
}

static guint
leftovers(void)
{
    g_autoptr(GDir) list = g_dir_open(dir, 0, NULL);
    const char *name = NULL;
    guint count = 0;

    while ((name = g_dir_read_name(list)))
        count += g_str_has_prefix(name, DISK_TMP_PREFIX);
    return count;
}

static void
made(void **state)
{
    const DiskGoldenSpec spec = spec_of(64 * MIB);
    g_autofree char *name = NULL;
    g_autoptr(GError) err = NULL;
    guint64 allocated = 0;
    bool unwritten = true;

    (void) state;
    golden = disk_golden(&spec, &err);
    if (!golden)
        fail_msg("%s", err->message);
    name = g_strdup_printf("%s/vsweep-golden-ext4-64MiB-%.12s.raw", dir,
                           golden->digest);
    assert_string_equal(golden->path, name);
    assert_false(golden->cached);
    assert_int_equal(golden->bytes, 64 * MIB);
    assert_true(disk_allocation_of(golden->path, &allocated, &unwritten, NULL));
    assert_true(allocated >= 64 * MIB);
    assert_false(unwritten);
    assert_int_equal(leftovers(), 0);
}

static void
payload_inside(void **state)
{
    g_autofree char *host = file_sha256(payload, NULL);
    g_autofree char *copy = dump(WIRE_DISK_PAYLOAD, "payload.out");
    g_autofree char *inside = file_sha256(copy, NULL);
    g_autofree char *listing = dump(WIRE_DISK_DIGEST, "digest.out");
    g_autofree char *digest = file_read(listing, 100, NULL, NULL);
    g_autofree char *line = g_strconcat(host, "\n", NULL);
    g_autofree char *stat_out = ask_image("stat /" WIRE_DISK_PAYLOAD);

    (void) state;
    assert_string_equal(inside, host);
    assert_string_equal(golden->payload_sha256, host);
    assert_string_equal(digest, line);
    assert_non_null(strstr(stat_out, "Mode:  0755"));
    assert_non_null(strstr(stat_out, "User:     0   Group:     0"));
}

static void
work_file_inside(void **state)
{
    g_autofree char *path = dump(WIRE_DISK_WORK, "work.out");
    struct stat st = {0};

    (void) state;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, WORK_BYTES);
}

static void
sound_file_system(void **state)
{
    const char *argv[] = {"e2fsck", "-f", "-n", golden->path, NULL};
    g_autofree char *features = ask_image("stats");

    (void) state;
    assert_true(disk_tool("e2fsprogs", argv, NULL));
    assert_non_null(strstr(features, "Block size:               4096"));
    /* Small disks would get no journal without being told the type. */
    assert_non_null(strstr(features, "has_journal"));
    assert_null(strstr(features, "needs_recovery"));
}

static void
made_once(void **state)
{
    const DiskGoldenSpec spec = spec_of(64 * MIB);
    g_autoptr(DiskGolden) again = disk_golden(&spec, NULL);

    (void) state;
    assert_non_null(again);
    assert_true(again->cached);
    assert_string_equal(again->path, golden->path);
    assert_int_equal(disk_bytes_needed(&spec, 0), 0);
}

/* A program in the place of QEMU that fails as a KVM that cannot run does:
 * its words are the message, and nothing stays behind. */
static void
appliance_that_dies(void **state)
{
    const DiskGoldenSpec spec = spec_of(32 * MIB);
    g_autofree char *hv = g_build_filename(dir, "hv", NULL);
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_true(file_write(hv,
                           "#!/bin/sh\necho 'qemu: error: failed to set MSR "
                           "0x10a to 0x0' >&2\nexit 1\n",
                           -1, NULL));
    assert_int_equal(g_chmod(hv, 0755), 0);
    g_setenv("LIBGUESTFS_HV", hv, TRUE);
    assert_null(disk_golden(&spec, &err));
    g_unsetenv("LIBGUESTFS_HV");
    assert_non_null(strstr(err->message, "failed to set MSR 0x10a"));
    assert_int_equal(leftovers(), 0);
}

/* Ctrl-C: the status of an interruption, and nothing stays behind. */
static void
interrupted(void **state)
{
    const DiskGoldenSpec spec = spec_of(32 * MIB);
    int status = 0;
    pid_t pid = fork();

    (void) state;
    if (pid == 0) {
        g_autoptr(GError) err = NULL;

        signals_install();
        raise(SIGINT);
        _exit(disk_golden(&spec, &err) ? 1 : vs_error_status(err));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), VS_ERROR_INTERRUPTED);
    assert_int_equal(leftovers(), 0);
}

static void
version(void **state)
{
    g_autofree char *text = appliance_version();

    (void) state;
    assert_true(g_ascii_isdigit(*text));
    assert_non_null(strchr(text, '.'));
}

/* The appliance itself is kept from one run to the next: building it costs
 * as much as starting it. */
static int
set_up(void **state)
{
    g_autofree char *cache = g_build_filename(VS_BUILD_DIR, "test-cache", NULL);

    (void) state;
    g_setenv("VSWEEP_CACHE_DIR", cache, FALSE);
    dir = g_build_filename(VS_BUILD_DIR, "test-guest-golden-XXXXXX", NULL);
    assert_non_null(g_mkdtemp(dir));
    payload = g_build_filename(dir, "payload", NULL);
    assert_true(disk_work_file(payload, PAYLOAD_BYTES, NULL));
    return 0;
}

static int
tear_down(void **state)
{
    (void) state;
    disk_golden_free(golden);
    file_remove(dir, NULL);
    g_free(payload);
    g_free(dir);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made),
        cmocka_unit_test(payload_inside),
        cmocka_unit_test(work_file_inside),
        cmocka_unit_test(sound_file_system),
        cmocka_unit_test(made_once),
        cmocka_unit_test(appliance_that_dies),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(version),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
