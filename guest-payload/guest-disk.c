/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See guest.h: the disk under test.
 */
#include "guest-payload/guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest-payload/clock.h"
#include "guest-payload/text.h"
#include "guest-payload/wire.h"

#define DISK_WAIT_MS 15000 /* a SCSI bus is scanned asynchronously */
#define POLL_MS 10

/* What a disk is tried with when the job does not say. */
static const char *const file_systems[] = {"ext4", "xfs", "btrfs"};

/* Mount options that are flags of mount(2); the rest is the file system's. */
static const struct {
    const char *name;
    unsigned long set, clear;
} mount_flags[] = {
    {"defaults", 0, 0},
    {"rw", 0, MS_RDONLY},
    {"ro", MS_RDONLY, 0},
    {"noatime", MS_NOATIME, 0},
    {"relatime", MS_RELATIME, 0},
    {"strictatime", MS_STRICTATIME, 0},
    {"nodiratime", MS_NODIRATIME, 0},
    {"lazytime", MS_LAZYTIME, 0},
    {"nolazytime", 0, MS_LAZYTIME},
    {"sync", MS_SYNCHRONOUS, 0},
    {"async", 0, MS_SYNCHRONOUS},
    {"dirsync", MS_DIRSYNC, 0},
    {"nosuid", MS_NOSUID, 0},
    {"nodev", MS_NODEV, 0},
    {"noexec", MS_NOEXEC, 0},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
take_flag(const char *option, unsigned long *flags)
{
    for (size_t i = 0; i < COUNT(mount_flags); i++)
        if (strcmp(mount_flags[i].name, option) == 0) {
            *flags = (*flags | mount_flags[i].set) & ~mount_flags[i].clear;
            return true;
        }
    return false;
}

static int
mount_device(const char *device, const char *fs, const char *options,
             unsigned long flags)
{
    char copy[sizeof(((JobGuest *) NULL)->mount)], *rest = copy, *option;
    char data[sizeof(copy)] = "";

    text_copy(copy, sizeof(copy), options);
    while ((option = strsep(&rest, ","))) {
        if (!option[0] || take_flag(option, &flags))
            continue;
        size_t used = strlen(data);
        snprintf(data + used, sizeof(data) - used, "%s%s", used ? "," : "",
                 option);
    }
    return mount(device, GUEST_MOUNT, fs, flags, data) == 0 ? 0 : errno;
}

/* Whether the disk holds the payload; leaves nothing mounted. */
static bool
holds_payload(const char *name, const JobGuest *guest)
{
    char device[PATH_MAX];
    struct stat status;
    bool found = false;

    snprintf(device, sizeof(device), "/dev/%s", name);
    for (size_t i = 0; i < COUNT(file_systems) && !found; i++) {
        const char *fs = guest->fs[0] ? guest->fs : file_systems[i];
        if (mount_device(device, fs, "", MS_RDONLY) != 0)
            continue;
        found = stat(GUEST_MOUNT "/" WIRE_DISK_PAYLOAD, &status) == 0;
        umount2(GUEST_MOUNT, 0);
    }
    return found;
}

static bool
search_disks(const JobGuest *guest, char *name, size_t size)
{
    DIR *directory = opendir("/sys/block");
    struct dirent *entry;
    bool found = false;

    while (directory && !found && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.' || !holds_payload(entry->d_name, guest))
            continue;
        text_copy(name, size, entry->d_name);
        found = true;
    }
    if (directory)
        closedir(directory);
    return found;
}

bool
guest_find_disk(const JobGuest *guest, char *name, size_t size, Fail *fail)
{
    char path[PATH_MAX];

    for (int waited = 0; waited < DISK_WAIT_MS; waited += POLL_MS) {
        if (!guest->disk[0]) {
            if (search_disks(guest, name, size))
                return true;
        } else {
            snprintf(path, sizeof(path), "/dev/%s", guest->disk);
            if (access(path, F_OK) == 0) {
                text_copy(name, size, guest->disk);
                return true;
            }
        }
        sleep_ms(POLL_MS);
    }
    if (guest->disk[0])
        return fail_set(fail, ENODEV, "disk %s does not appear", guest->disk);
    return fail_set(fail, ENODEV, "no disk holds " WIRE_DISK_PAYLOAD);
}

bool
guest_set_scheduler(const char *disk, const char *scheduler, Fail *fail)
{
    char path[PATH_MAX], offered[256] = "";

    if (!scheduler[0])
        return true;
    snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", disk);
    text_read(path, offered, sizeof(offered));
    Fail cause;
    if (text_write(path, scheduler, &cause))
        return true;
    fail_set(fail, cause.errnum, "scheduler %s for %s (offered: %s)", scheduler,
             disk, offered);
    return false;
}

bool
guest_mount_disk(const char *disk, const JobGuest *guest, Fail *fail)
{
    char device[PATH_MAX];
    int error = ENODEV;

    snprintf(device, sizeof(device), "/dev/%s", disk);
    if (guest->fs[0])
        error = mount_device(device, guest->fs, guest->mount, 0);
    for (size_t i = 0; !guest->fs[0] && error && i < COUNT(file_systems); i++)
        error = mount_device(device, file_systems[i], guest->mount, 0);
    if (error)
        return fail_set(fail, error, "cannot mount %s as %s with \"%s\"",
                        device, guest->fs[0] ? guest->fs : "any file system",
                        guest->mount);
    return true;
}

static bool
digests_agree(const JobGuest *guest, const char *digest, Fail *fail)
{
    char noted[128];

    if (!text_read(GUEST_MOUNT "/" WIRE_DISK_DIGEST, noted, sizeof(noted)))
        return fail_set(fail, 0, "no " WIRE_DISK_DIGEST " on the disk");
    if (strcmp(noted, digest) != 0)
        return fail_set(fail, EILSEQ,
                        "the payload on the disk is not the one "
                        "of " WIRE_DISK_DIGEST " (%.12s, noted %.12s)",
                        digest, noted);
    if (guest->sha256[0] && strcmp(guest->sha256, digest) != 0)
        return fail_set(fail, EILSEQ,
                        "the payload on the disk is not the "
                        "job's (%.12s, wanted %.12s)",
                        digest, guest->sha256);
    return true;
}

bool
guest_take_payload(const JobGuest *guest, char digest[DIGEST_SIZE], Fail *fail)
{
    char path[PATH_MAX];
    int fd =
        open(GUEST_PAYLOAD, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

    if (fd < 0)
        return fail_set(fail, errno, "cannot make " GUEST_PAYLOAD);
    snprintf(path, sizeof(path), GUEST_MOUNT "/%s", guest->payload);
    bool ok = digest_file(path, fd, digest, fail);
    close(fd);
    return ok && digests_agree(guest, digest, fail);
}

void
guest_unmount(void)
{
    sync();
    if (umount2(GUEST_MOUNT, 0) != 0 && errno == EBUSY)
        umount2(GUEST_MOUNT, MNT_DETACH);
}
