/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Domain XML for one boot of one cell: the template, the settings of the
 * cell, and what vsweep itself must say (name, kernel, disk image, channel).
 * Pure: no hypervisor.
 */
#pragma once

#include <glib.h>
#include "plan/design.h"

/* Every domain of ours has this prefix and a metadata element in this
 * namespace, so that leftovers can be told from anybody else's guests. */
#define DOMAIN_PREFIX "vsweep-"
#define DOMAIN_METADATA_URI "https://vsweep.org/xmlns/domain/1"

typedef struct DomainParams {
    const char *name; /* DOMAIN_PREFIX and more */
    const char *uuid;
    const char *kernel; /* absolute paths */
    const char *initrd;
    const char *image;   /* the cell's disk image */
    const char *console; /* file for the serial console */
    const char *cmdline; /* base kernel command line; guest.cmdline is added */
    bool kvm;            /* domain type kvm, else qemu (TCG) */
    bool channel;        /* false for `vsweep shell`, which uses the console */
} DomainParams;

/* The XML of a cell, deterministic to the byte.  `template_xml` is the text of
 * `template_name` (for messages).  Of the template's devices those stay that
 * are part of the machine (controllers, RNG, balloon, panic, IOMMU ...); what
 * belongs to the person or reaches out of the guest (other disks, network
 * cards, host devices, screens, NVRAM) is left out.  The settings of the whole
 * table are applied, each at the cell's level.  Caller frees. */
char *domain_build(const char *template_xml, const char *template_name,
                   const Design *design, const Cell *cell,
                   const DomainParams *params, GError **err);
/* Checks a document against libvirt's RELAX NG schema (domain.rng, looked
 * for in libvirt's data directory); the error quotes the first complaint. */
bool domain_validate(const char *xml, GError **err);
/* Which disk is under test in the template: its target name ("vda").
 * `wanted` NULL: the first that is no CD-ROM or floppy.  Caller frees. */
char *domain_disk_target(const char *template_xml, const char *template_name,
                         const char *wanted, GError **err);
/* The string value of an XPath over a document that domain_build() made or
 * libvirt's live version of it, with $disk bound to the disk under test: ""
 * when nothing is selected.  Caller frees. */
char *domain_xpath_string(const char *xml, const char *path, GError **err);
