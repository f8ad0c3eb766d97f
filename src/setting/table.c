/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings.  Every edit and proof here was seen at work with libvirt 9.0
 * and QEMU 7.2; tests/data/domain holds the document of every level.
 *
 * In the regular expressions of PROOF_ARGV "%node" stands for libvirt's name
 * of the node of the disk under test ("libvirt-1"), and the first group is
 * what took effect (run/proof.h).
 */
#include "setting/setting.h"

#include "setting/levels.h"

#define LEVELS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EDITS(...) ((const SettingEdit[]){__VA_ARGS__, {0}})
#define PROOFS(...) ((const SettingProof[]){__VA_ARGS__, {0}})

/* QEMU's argument that opens the file, adds the format, or is the device;
 * `key` is the property to read from it. */
#define ARGV_FILE(key) "^(?=.*\"node-name\":\"%node-storage\").*" key
#define ARGV_FORMAT(key) "^(?=.*\"node-name\":\"%node-format\").*" key
#define ARGV_DEVICE(key) "^(?=.*\"drive\":\"%node-format\").*" key

/* Only virtio-blk knows these; libvirt refuses them on another bus. */
#define VIRTIO_ONLY                                                        \
    "$disk/@model | $disk/driver/@queues | $disk/driver/@queue_size | "    \
    "$disk/driver/@iothread | $disk/driver/@ioeventfd | "                  \
    "$disk/driver/@event_idx | $disk/driver/@iommu | $disk/driver/@ats | " \
    "$disk/driver/@packed | $disk/driver/@page_per_vq"

/* The disk of another bus has another address, which libvirt gives it. */
#define BUS_EDITS(level, bus, target)                        \
    {level, EDIT_REMOVE, "$disk/address", NULL, NULL},       \
        {level, EDIT_ATTRIBUTE, "$disk/target", "bus", bus}, \
    {                                                        \
        level, EDIT_ATTRIBUTE, "$disk/target", "dev", target \
    }

#define CPU_EDIT(level, xml)                        \
    {                                               \
        level, EDIT_FRAGMENT, "/domain", "cpu", xml \
    }

const Setting setting_table[] = {
    {
        .name = "disk.format",
        .summary = "format of the disk image",
        .levels = LEVELS("raw", "qcow2"),
        .edits = EDITS({NULL, EDIT_ATTRIBUTE, "$disk/driver", "name", "qemu"},
                       {NULL, EDIT_ATTRIBUTE, "$disk/driver", "type", "%s"},
                       {NULL, EDIT_REMOVE, "$disk/backingStore", NULL, NULL}),
        .proofs =
            PROOFS({NULL, PROOF_LIVE_XML, "string($disk/driver/@type)", "%s"},
                   {NULL, PROOF_ARGV, ARGV_FORMAT("\"driver\":\"(raw|qcow2)\""),
                    "%s"}),
        .image = true,
    },
    {
        .name = "disk.cache",
        .summary = "host page cache and flushes of the disk",
        .levels =
            LEVELS("none", "writethrough", "writeback", "directsync", "unsafe"),
        .edits = EDITS({NULL, EDIT_ATTRIBUTE, "$disk/driver", "cache", "%s"}),
        .proofs = PROOFS(
            {NULL, PROOF_LIVE_XML, "string($disk/driver/@cache)", "%s"},
            {"none", PROOF_ARGV, ARGV_FILE("\"direct\":(\\w+)"), "true"},
            {"directsync", PROOF_ARGV, ARGV_FILE("\"direct\":(\\w+)"), "true"},
            {"writethrough", PROOF_ARGV, ARGV_FILE("\"direct\":(\\w+)"),
             "false"}),
        .needs = "none and directsync: a file system with O_DIRECT; unsafe "
                 "loses data when the host dies (allow_unsafe)",
    },
    {
        .name = "disk.io",
        .summary = "how QEMU submits I/O to the host kernel",
        .levels = LEVELS("threads", "native", "io_uring"),
        .edits = EDITS({NULL, EDIT_ATTRIBUTE, "$disk/driver", "io", "%s"}),
        .proofs =
            PROOFS({NULL, PROOF_LIVE_XML, "string($disk/driver/@io)", "%s"},
                   {NULL, PROOF_ARGV, ARGV_FILE("\"aio\":\"(\\w+)\""), "%s"}),
        .needs = "native: disk.cache none or directsync; io_uring: a host "
                 "kernel that allows it",
    },
    {
        .name = "disk.bus",
        .summary = "controller the guest sees the disk behind",
        .levels = LEVELS("virtio", "scsi", "sata", "ide", "usb"),
        .edits =
            EDITS(BUS_EDITS("virtio", "virtio", "vda"),
                  /* libvirt's default is one queue per virtual CPU, and more
                   * than one flips the guest's default scheduler. */
                  {"virtio", EDIT_ATTRIBUTE, "$disk/driver", "queues", "1"},
                  BUS_EDITS("scsi", "scsi", "sda"),
                  {"scsi", EDIT_REMOVE, VIRTIO_ONLY, NULL, NULL},
                  /* Without a controller libvirt makes an lsilogic, for which
                   * cloud kernels have no driver. */
                  {"scsi", EDIT_REMOVE,
                   "/domain/devices/controller[@type='scsi'][@index='0']", NULL,
                   NULL},
                  {"scsi", EDIT_APPEND, "/domain/devices", NULL,
                   "<controller type='scsi' index='0' model='virtio-scsi'>"
                   "<driver queues='1'/></controller>"},
                  BUS_EDITS("sata", "sata", "sda"),
                  {"sata", EDIT_REMOVE, VIRTIO_ONLY, NULL, NULL},
                  BUS_EDITS("ide", "ide", "hda"),
                  {"ide", EDIT_REMOVE, VIRTIO_ONLY, NULL, NULL},
                  BUS_EDITS("usb", "usb", "sda"),
                  {"usb", EDIT_REMOVE, VIRTIO_ONLY, NULL, NULL},
                  {"usb", EDIT_REMOVE,
                   "/domain/devices/controller[@type='usb']", NULL, NULL},
                  {"usb", EDIT_APPEND, "/domain/devices", NULL,
                   "<controller type='usb' index='0' model='qemu-xhci'/>"}),
        .proofs =
            PROOFS({NULL, PROOF_LIVE_XML, "string($disk/target/@bus)", "%s"}),
        .needs = "sata, usb: a guest kernel with ahci, xhci_pci (install "
                 "linux-image-amd64; Debian's cloud kernel has neither); "
                 "ide: a domain of machine type pc",
        .modules = "virtio:virtio_pci,virtio_blk "
                   "scsi:virtio_pci,virtio_scsi,sd_mod sata:ahci,sd_mod "
                   "ide:ata_piix,sd_mod usb:xhci_pci,usb_storage,sd_mod",
    },
    {
        .name = "disk.prealloc",
        .summary = "how much of the image is allocated beforehand",
        .levels = LEVELS("full", "off", "metadata", "falloc"),
        .needs = "metadata: disk.format qcow2",
        .image = true,
    },
    {
        .name = "cpu.mode",
        .summary = "CPU model the guest sees",
        .levels =
            LEVELS("default", "host-passthrough", "host-model", "maximum"),
        .check = level_check_cpu_model,
        .edits = EDITS(
            {"default", EDIT_REMOVE, "/domain/cpu", NULL, NULL},
            CPU_EDIT("host-passthrough",
                     "<cpu mode='host-passthrough' check='none'/>"),
            CPU_EDIT("host-model", "<cpu mode='host-model' check='partial'/>"),
            CPU_EDIT("maximum", "<cpu mode='maximum' check='none'/>"),
            /* Without check='full' features the host or QEMU cannot give
             * vanish silently. */
            CPU_EDIT(SETTING_OTHER,
                     "<cpu mode='custom' match='exact' check='full'>"
                     "<model fallback='forbid'>%s</model></cpu>")),
        .needs = "host-passthrough: KVM; or the name of any model libvirt "
                 "knows (`virsh cpu-models x86_64`)",
    },
    {
        .name = "vcpus",
        .summary = "number of virtual CPUs",
        .levels = LEVELS("1"),
        .check = level_check_vcpus,
        .edits = EDITS({NULL, EDIT_TEXT, "/domain/vcpu", NULL, "%s"},
                       {NULL, EDIT_REMOVE, "/domain/vcpu/@current", NULL, NULL},
                       {NULL, EDIT_REMOVE, "/domain/vcpus", NULL, NULL},
                       {NULL, EDIT_REMOVE,
                        "/domain/cputune/vcpupin[@vcpu >= %s]", NULL, NULL}),
        .proofs = PROOFS({NULL, PROOF_LIVE_XML, "string(/domain/vcpu)", "%s"},
                         {NULL, PROOF_GUEST, "nr_cpus", "%s"}),
        .needs = "1 to 255; more than the host has is overcommitment",
    },
    {
        .name = "memory",
        .summary = "memory of the guest",
        .levels = LEVELS("1G"),
        .check = level_check_memory,
        .convert = level_memory_kib,
        .edits = EDITS(
            {NULL, EDIT_TEXT, "/domain/memory", NULL, "%s"},
            {NULL, EDIT_ATTRIBUTE, "/domain/memory", "unit", "KiB"},
            {NULL, EDIT_TEXT, "/domain/currentMemory", NULL, "%s"},
            {NULL, EDIT_ATTRIBUTE, "/domain/currentMemory", "unit", "KiB"}),
        .proofs =
            PROOFS({NULL, PROOF_LIVE_XML, "string(/domain/memory)", "%s"}),
        .needs = "a size in whole MiB that the host has free",
    },
    {
        .name = "guest.scheduler",
        .summary = "I/O scheduler in the guest for the disk",
        .levels = LEVELS("none", "mq-deadline", "bfq", "kyber"),
        .check = level_check_scheduler,
        .convert = level_scheduler,
        .proofs = PROOFS({NULL, PROOF_GUEST, "disk.scheduler", "%s"}),
        .guest_key = "scheduler",
        .needs = "the scheduler in the guest's kernel; deadline means "
                 "mq-deadline, cfq (gone since Linux 5.0) means bfq",
        .modules = "mq-deadline:mq-deadline bfq:bfq kyber:kyber-iosched",
    },
    {
        .name = "guest.cmdline",
        .summary = "words added to the guest's kernel command line",
        .levels = LEVELS(""),
        .check = level_check_cmdline,
        .edits =
            EDITS({NULL, EDIT_APPEND_TEXT, "/domain/os/cmdline", NULL, "%s"}),
        .needs = "any text, such as mitigations=off",
    },
    {0},
};
