/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a path to its disk: partitions, device mapper, file systems whose
 * device number is their own, and those without a disk.
 */
#include "host-util.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "host/counters.h"

typedef struct Fixture {
    char *root;
    char *number; /* /sys/dev/block/MAJ:MIN of the tree itself */
} Fixture;

static int
setup(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);
    struct stat st;

    fixture->root = root_new();
    root_write(fixture->root, "/images/a b/disk.raw", "data");
    assert_int_equal(stat(fixture->root, &st), 0);
    fixture->number = g_strdup_printf("/sys/dev/block/%u:%u", major(st.st_dev),
                                      minor(st.st_dev));
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    Fixture *fixture = *state;

    root_free(fixture->root);
    g_free(fixture->number);
    g_free(fixture);
    return 0;
}

static void
check_device(const Fixture *fixture, const char *want)
{
    g_autofree char *got =
        counters_device(fixture->root, "/images/a b/disk.raw");

    if (g_strcmp0(got, want) != 0)
        fail_msg("got %s, want %s", got ? got : "none", want ? want : "none");
}

static void
test_whole_disk(void **state)
{
    const Fixture *fixture = *state;

    root_directory(fixture->root, "/sys/devices/pci/block/vda");
    root_link(fixture->root, fixture->number, "../../devices/pci/block/vda");
    check_device(fixture, "vda");
}

static void
test_partition(void **state)
{
    const Fixture *fixture = *state;

    root_write(fixture->root,
               "/sys/devices/pci/block/nvme0n1/nvme0n1p2/partition", "2\n");
    root_link(fixture->root, fixture->number,
              "../../devices/pci/block/nvme0n1/nvme0n1p2");
    check_device(fixture, "nvme0n1");
}

static void
test_device_mapper_stays(void **state)
{
    const Fixture *fixture = *state;

    root_directory(fixture->root, "/sys/devices/virtual/block/dm-0/slaves");
    root_link(fixture->root, fixture->number,
              "../../devices/virtual/block/dm-0");
    check_device(fixture, "dm-0");
}

static void
test_by_mount(void **state)
{
    const Fixture *fixture = *state;

    root_write(fixture->root, "/proc/self/mountinfo",
               "21 1 254:0 / / rw - ext4 /dev/vda rw\n"
               "22 21 0:31 / /images rw - btrfs /dev/vdb3 rw\n"
               "23 21 0:32 / /images/a rw - btrfs /dev/vdc rw\n"
               "24 21 0:33 / /other rw shared:1 - btrfs /dev/vdd rw\n");
    root_write(fixture->root, "/sys/devices/pci/block/vdb/vdb3/partition",
               "3\n");
    root_link(fixture->root, "/sys/class/block/vdb3",
              "../../devices/pci/block/vdb/vdb3");
    check_device(fixture, "vdb");
}

/* The innermost mount, its name with an escaped blank, its source a link. */
static void
test_by_mount_of_a_mapped_device(void **state)
{
    const Fixture *fixture = *state;

    root_write(fixture->root, "/proc/self/mountinfo",
               "21 1 254:0 / / rw - ext4 /dev/vda rw\n"
               "22 21 0:31 / /images/a\\040b rw shared:5 master:1 - btrfs "
               "/dev/mapper/vg-home rw,subvol=/home\n"
               "rubbish\n");
    root_write(fixture->root, "/dev/dm-4", "");
    root_link(fixture->root, "/dev/mapper/vg-home", "../dm-4");
    root_directory(fixture->root, "/sys/devices/virtual/block/dm-4");
    root_link(fixture->root, "/sys/class/block/dm-4",
              "../../devices/virtual/block/dm-4");
    check_device(fixture, "dm-4");
}

static void
test_no_disk(void **state)
{
    const Fixture *fixture = *state;

    check_device(fixture, NULL);
    root_write(fixture->root, "/proc/self/mountinfo",
               "21 1 254:0 / / rw - ext4 /dev/vda rw\n"
               "22 21 0:31 / /images rw - tmpfs tmpfs rw\n");
    check_device(fixture, NULL);
    root_write(fixture->root, "/proc/self/mountinfo",
               "22 21 0:31 / /images rw - btrfs /dev/gone rw\n");
    check_device(fixture, NULL);
}

static void
test_no_file(void **state)
{
    const Fixture *fixture = *state;
    g_autofree char *got = counters_device(fixture->root, "/none");

    assert_null(got);
}

static void
test_proc_has_no_disk(void **state)
{
    g_autofree char *got = counters_device("", "/proc/self/stat");

    (void) state;
    assert_null(got);
}

#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ROOT(test_whole_disk),
        WITH_ROOT(test_partition),
        WITH_ROOT(test_device_mapper_stays),
        WITH_ROOT(test_by_mount),
        WITH_ROOT(test_by_mount_of_a_mapped_device),
        WITH_ROOT(test_no_disk),
        WITH_ROOT(test_no_file),
        cmocka_unit_test(test_proc_has_no_disk),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
