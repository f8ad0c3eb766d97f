/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings.  Every edit and proof here was seen at work with libvirt 9.0
 * and QEMU 7.2; tests/data/domain holds the document of every level.
 */
#include "setting/setting.h"

#include "setting/levels.h"

#define LEVELS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EDITS(...) ((const SettingEdit[]){__VA_ARGS__, {0}})
#define PROOFS(...) ((const SettingProof[]){__VA_ARGS__, {0}})

#define XML(level, path, expected)                                \
    {                                                             \
        level, PROOF_LIVE_XML, "string(" path ")", expected, NULL \
    }
#define ARGV(level, regex, expected)             \
    {                                            \
        level, PROOF_ARGV, regex, expected, NULL \
    }
#define GUEST(level, fact, expected)             \
    {                                            \
        level, PROOF_GUEST, fact, expected, NULL \
    }

/* QEMU's argument that opens the image, those that are layers of it, and the
 * one that is the device.  Newer libvirt has no format node for raw images. */
#define OPENS(what) "^(?=.*\"node-name\":\"%node-storage\").*" what
#define LAYER(what) "^(?=.*\"node-name\":\"%node-(?:storage|format)\").*" what
#define DEVICE(what) "^(?=.*\"drive\":\"%node-(?:storage|format)\").*" what

/* METHOD 6.4: the flags a cache mode stands for.  Linux takes every USB disk
 * for one with a write cache, whatever the disk says. */
#define CACHE_PROOFS(level, direct, no_flush, write_cache, guest)            \
    ARGV(level, OPENS("(\"direct\":\\w+)"), "\"direct\":" direct),           \
        ARGV(level, OPENS("(\"no-flush\":\\w+)"), "\"no-flush\":" no_flush), \
        ARGV(level, DEVICE("(\"write-cache\":\"\\w+\")"),                    \
             "\"write-cache\":\"" write_cache "\""),                         \
    {                                                                        \
        level, PROOF_GUEST, "disk.write_cache", guest, "disk.bus=usb"        \
    }

#define DEVICE_PROOF(level, driver) \
    ARGV(level, DEVICE("\"driver\":\"([^\"]+)\""), driver)

/* QEMU's CPU without its features. */
#define CPU "^-cpu\n([^,\n]+)"
#define CPU_OF_HOST "^-cpu\n(?:host|max)\\b"

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

/* Rows are laid out by hand: one edit, one proof a line where they fit. */
/* clang-format off */
const Setting setting_table[] = {
    {
        .name = "disk.format",
        .summary = "format of the disk image",
        .levels = LEVELS("raw", "qcow2"),
        .edits = EDITS(
            {NULL, EDIT_ATTRIBUTE, "$disk/driver", "name", "qemu"},
            {NULL, EDIT_ATTRIBUTE, "$disk/driver", "type", "%s"}),
        .proofs = PROOFS(
            XML(NULL, "$disk/driver/@type", "%s"),
            ARGV("raw", LAYER("\"driver\":\"qcow2\""), "no match"),
            ARGV("qcow2", LAYER("\"driver\":\"(qcow2)\""), "qcow2")),
        .image = true,
    },
    {
        .name = "disk.cache",
        .summary = "host page cache and flushes of the disk",
        .levels = LEVELS("none", "writethrough", "writeback", "directsync",
                         "unsafe"),
        .edits = EDITS(
            {NULL, EDIT_ATTRIBUTE, "$disk/driver", "cache", "%s"}),
        .proofs = PROOFS(
            XML(NULL, "$disk/driver/@cache", "%s"),
            CACHE_PROOFS("none", "true", "false", "on", "write back"),
            CACHE_PROOFS("writethrough", "false", "false", "off",
                         "write through"),
            CACHE_PROOFS("writeback", "false", "false", "on", "write back"),
            CACHE_PROOFS("directsync", "true", "false", "off",
                         "write through"),
            CACHE_PROOFS("unsafe", "false", "true", "on", "write back")),
        .needs = "none, directsync: storage that takes O_DIRECT; unsafe drops "
                 "flushes, so a host crash loses data",
    },
    {
        .name = "disk.io",
        .summary = "how QEMU hands I/O to the host kernel",
        .levels = LEVELS("threads", "native", "io_uring"),
        .edits = EDITS({NULL, EDIT_ATTRIBUTE, "$disk/driver", "io", "%s"}),
        .proofs = PROOFS(
            XML(NULL, "$disk/driver/@io", "%s"),
            ARGV(NULL, OPENS("\"aio\":\"(\\w+)\""), "%s")),
        .needs = "native: disk.cache none or directsync; io_uring: a host "
                 "kernel that allows it",
    },
    {
        .name = "disk.bus",
        .summary = "controller the guest sees the disk behind",
        .levels = LEVELS("virtio", "scsi", "sata", "ide", "usb"),
        .edits = EDITS(
            BUS_EDITS("virtio", "virtio", "vda"),
            /* libvirt's default is one queue per virtual CPU, and more than
             * one flips the guest's default scheduler. */
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
            {"usb", EDIT_REMOVE, "/domain/devices/controller[@type='usb']",
             NULL, NULL},
            {"usb", EDIT_APPEND, "/domain/devices", NULL,
             "<controller type='usb' index='0' model='qemu-xhci'/>"}),
        .proofs = PROOFS(
            XML(NULL, "$disk/target/@bus", "%s"),
            DEVICE_PROOF("virtio", "virtio-blk-pci"),
            ARGV("virtio", DEVICE("(\"num-queues\":\\d+)"), "\"num-queues\":1"),
            DEVICE_PROOF("scsi", "scsi-hd"),
            XML("scsi", "/domain/devices/controller[@type='scsi']"
                        "[@index='0']/@model", "virtio-scsi"),
            DEVICE_PROOF("sata", "ide-hd"),
            DEVICE_PROOF("ide", "ide-hd"),
            DEVICE_PROOF("usb", "usb-storage")),
        .needs = "sata, usb: a guest kernel with ahci, xhci_pci (Debian: "
                 "linux-image-amd64, not the cloud kernel); ide: machine pc "
                 "(domains/micro-pc.xml)",
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
        .levels = LEVELS("default", "host-passthrough", "host-model",
                         "maximum"),
        .check = level_check_cpu_model,
        .edits = EDITS(
            {"default", EDIT_REMOVE, "/domain/cpu", NULL, NULL},
            CPU_EDIT("host-passthrough",
                     "<cpu mode='host-passthrough' check='none'/>"),
            CPU_EDIT("host-model", "<cpu mode='host-model' check='partial'/>"),
            CPU_EDIT("maximum", "<cpu mode='maximum' check='none'/>"),
            /* Not check='full': that refuses every model to which QEMU adds
             * a feature, and it adds "hypervisor" to all.  Features that
             * vanish are found by the proof below. */
            CPU_EDIT(SETTING_OTHER,
                     "<cpu mode='custom' match='exact' check='partial'>"
                     "<model fallback='forbid'>%s</model></cpu>")),
        .proofs = PROOFS(
            /* libvirt's own choice, qemu64, when nothing is said. */
            ARGV("default", CPU_OF_HOST, "no match"),
            XML("host-passthrough", "/domain/cpu/@mode", "%s"),
            ARGV("host-passthrough", CPU, "host"),
            /* A running domain shows the model that host-model became. */
            XML("host-model", "/domain/cpu/@check", "full"),
            ARGV("host-model", CPU_OF_HOST, "no match"),
            XML("maximum", "/domain/cpu/@mode", "%s"),
            ARGV("maximum", CPU, "max"),
            XML(SETTING_OTHER, "/domain/cpu/model", "%s"),
            /* The first feature of the model that the host or QEMU could not
             * give. */
            XML(SETTING_OTHER, "/domain/cpu/feature[@policy='disable']/@name",
                ""),
            ARGV(SETTING_OTHER, CPU, "%s")),
        .needs = "host-passthrough: KVM; or the name of any model libvirt "
                 "knows (`virsh cpu-models x86_64`)",
    },
    {
        .name = "vcpus",
        .summary = "number of virtual CPUs",
        .levels = LEVELS("1"),
        .check = level_check_vcpus,
        .edits = EDITS(
            {NULL, EDIT_TEXT, "/domain/vcpu", NULL, "%s"},
            {NULL, EDIT_REMOVE, "/domain/vcpu/@current", NULL, NULL},
            {NULL, EDIT_REMOVE, "/domain/vcpus", NULL, NULL},
            {NULL, EDIT_REMOVE, "/domain/cputune/vcpupin[@vcpu >= %s]", NULL,
             NULL}),
        .proofs = PROOFS(
            XML(NULL, "/domain/vcpu", "%s"),
            GUEST(NULL, "nr_cpus", "%s")),
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
        .proofs = PROOFS(XML(NULL, "/domain/memory", "%s"),
                         XML(NULL, "/domain/currentMemory", "%s")),
        .needs = "a size in whole MiB, from 64M, that the host has free",
    },
    {
        .name = "guest.scheduler",
        .summary = "the guest's I/O scheduler for the disk",
        .levels = LEVELS("none", "mq-deadline", "bfq", "kyber"),
        .check = level_check_scheduler,
        .convert = level_scheduler,
        .proofs = PROOFS(GUEST(NULL, "disk.scheduler", "%s")),
        .guest_key = "scheduler",
        .needs = "a guest kernel that has it; deadline is read as "
                 "mq-deadline, cfq (gone since Linux 5.0) as bfq",
        .modules = "mq-deadline:mq-deadline bfq:bfq kyber:kyber-iosched",
    },
    {
        .name = "guest.cmdline",
        .summary = "words added to the guest's kernel command line",
        .levels = LEVELS(""),
        .check = level_check_cmdline,
        .edits = EDITS(
            {NULL, EDIT_APPEND_TEXT, "/domain/os/cmdline", NULL, "%s"}),
        .proofs = PROOFS(
            ARGV(SETTING_OTHER, "^-append\n.* (%s)$", "%s")),
        .needs = "any text, for instance mitigations=off",
    },
    {0},
};
/* clang-format on */
