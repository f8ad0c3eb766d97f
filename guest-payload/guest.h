/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What process 1 of a micro guest does besides talking: bring up the little
 * user space there is, find its port and its disk, and shut down.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "guest-payload/fail.h"
#include "guest-payload/job.h"

/* Where the disk under test is mounted, and where the payload copied from it
 * lies: in memory, so that its pages never touch that disk. */
#define GUEST_MOUNT "/mnt"
#define GUEST_PAYLOAD "/run/vsweep-payload"

/* Says something on the console. */
void guest_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Mounts /dev, /proc, /sys, /run, /tmp and opens the console. */
void guest_mount_basics(void);
/* Loads the modules of WIRE_MODULES_LIST in order.  What fails without being
 * marked as optional is said on the console and named in `failed`. */
void guest_load_modules(char *failed, size_t size);
/* Opens the virtio port WIRE_PORT, waiting for it; -1 with *fail set. */
int guest_open_port(Fail *fail);
/* Never returns. */
void guest_power_off(void) __attribute__((noreturn));

/* The device under test as a name below /dev: the job's, or the one whose
 * file system holds WIRE_DISK_PAYLOAD. */
bool guest_find_disk(const JobGuest *guest, char *name, size_t size,
                     Fail *fail);
bool guest_set_scheduler(const char *disk, const char *scheduler, Fail *fail);
/* Mounts it at GUEST_MOUNT with the job's file system and options. */
bool guest_mount_disk(const char *disk, const JobGuest *guest, Fail *fail);
/* Copies the payload on the disk to GUEST_PAYLOAD; its digest must be the
 * one in the digest file and the job's. */
bool guest_take_payload(const JobGuest *guest, char digest[DIGEST_SIZE],
                        Fail *fail);
void guest_unmount(void);

/* A busybox shell on the console with the disk mounted; returns when it
 * ends. */
void guest_shell(void);
