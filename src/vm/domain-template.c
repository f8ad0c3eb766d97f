/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Templates: our own micro.xml, or whatever `virsh dumpxml` gave somebody.
 */
#include "vm/domain-template.h"

#include <string.h>
#include "base/suggest.h"

#define DISKS "/domain/devices/disk"
#define USABLE_DISKS DISKS "[not(@device='cdrom' or @device='floppy')]"

xmlDocPtr
template_parse(const char *xml, const char *name, GError **err)
{
    g_autoptr(xmlDoc) doc = xpath_parse(xml, name, err);
    g_autofree char *type = NULL;
    g_autofree char *arch = NULL;
    const char *root;

    if (!doc)
        return NULL;
    root = (const char *) xmlDocGetRootElement(doc)->name;
    if (strcmp(root, "domain") != 0) {
        vs_usage(err, "%s: the document is a <%s>, not a libvirt <domain>",
                 name, root);
        return NULL;
    }
    type = xpath_string(doc, NULL, "normalize-space(/domain/os/type)", err);
    arch = xpath_string(doc, NULL, "string(/domain/os/type/@arch)", err);
    if (!type || !arch)
        return NULL;
    if (strcmp(type, "hvm") != 0 ||
        (*arch != '\0' && strcmp(arch, "x86_64") != 0)) {
        vs_usage(err,
                 "%s: <os><type> is '%s' for '%s'; vsweep needs hvm for x86_64",
                 name, type, arch);
        return NULL;
    }
    return g_steal_pointer(&doc);
}

/* Targets of all disks that may be under test, for messages. */
static GPtrArray *
disk_targets(xmlDocPtr doc)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(xmlXPathObject) found =
        xpath_eval(doc, NULL, USABLE_DISKS "/target/@dev", NULL);

    for (int i = 0; found && found->nodesetval && i < found->nodesetval->nodeNr;
         i++) {
        xmlChar *name = xmlNodeGetContent(found->nodesetval->nodeTab[i]);

        g_ptr_array_add(names, g_strdup((const char *) name));
        xmlFree(name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static xmlNodePtr
disk_by_target(xmlDocPtr doc, const char *wanted)
{
    g_autoptr(xmlXPathObject) found = xpath_eval(doc, NULL, DISKS, NULL);

    for (int i = 0; found && found->nodesetval && i < found->nodesetval->nodeNr;
         i++) {
        xmlNodePtr disk = found->nodesetval->nodeTab[i];
        g_autofree char *target =
            xpath_string(doc, disk, "string($disk/target/@dev)", NULL);

        if (g_strcmp0(target, wanted) == 0)
            return disk;
    }
    return NULL;
}

static bool
disk_is_removable(xmlDocPtr doc, xmlNodePtr disk)
{
    g_autofree char *device =
        xpath_string(doc, disk, "string($disk/@device)", NULL);

    return g_strcmp0(device, "cdrom") == 0 || g_strcmp0(device, "floppy") == 0;
}

xmlNodePtr
template_disk(xmlDocPtr doc, const char *name, const char *wanted, GError **err)
{
    xmlNodePtr disk = wanted ? disk_by_target(doc, wanted)
                             : xpath_element(doc, NULL, USABLE_DISKS);
    g_autoptr(GPtrArray) targets = NULL;
    g_autofree char *all = NULL;

    if (disk && !disk_is_removable(doc, disk))
        return disk;
    targets = disk_targets(doc);
    if (targets->len == 1) {
        vs_usage(err, "%s: no <disk> that could be under test; add one", name);
        return NULL;
    }
    all = g_strjoinv(", ", (char **) targets->pdata);
    vs_usage(err, "%s: disk '%s' is %s; disks that can be under test: %s", name,
             wanted, disk ? "a CD-ROM or floppy" : "not there", all);
    return NULL;
}

/* XPath of what goes, and why. */
static const char *const unwanted[] = {
    /* They explain the template; in a cell they would speak of what is not
     * there any more. */
    "//comment()",
    /* Of the running guest, not of its configuration. */
    "/domain/@id",
    "/domain/devices//alias[not(starts-with(@name, 'ua-'))]",
    /* Confinement is the driver's; a label of another driver is refused. */
    "/domain/seclabel",
    /* Must repeat the domain's UUID, which is ours. */
    "/domain/sysinfo/system/entry[@name='uuid']",
    /* Other disks and shared directories are the person's data: not ours to
     * open, lock or hand to another user. */
    "/domain/devices/disk[count(. | $disk) != 1]",
    "/domain/devices/filesystem",
    "/domain/devices/shmem",
    "/domain/devices/memory[@model='nvdimm' or @model='virtio-pmem']",
    /* The disk under test gets an image of its own, to be written. */
    "$disk/source",
    "$disk/backingStore",
    "$disk/mirror",
    "$disk/auth",
    "$disk/encryption",
    "$disk/readonly",
    "$disk/shareable",
    "$disk/transient",
    "$disk/@rawio",
    "$disk/@sgio",
    "$disk/@snapshot",
    /* A second guest with the same MAC, device, CID or TPM state harms the
     * first one. */
    "/domain/devices/interface",
    "/domain/devices/hostdev",
    "/domain/devices/tpm",
    "/domain/devices/vsock",
    /* Screens, sound and what hangs on them cost timers and ports, and
     * nobody looks (METHOD 5.4). */
    "/domain/devices/graphics",
    "/domain/devices/video",
    "/domain/devices/sound",
    "/domain/devices/audio",
    "/domain/devices/input",
    "/domain/devices/redirdev",
    "/domain/devices/redirfilter",
    "/domain/devices/smartcard",
    /* vsweep boots its own kernel: firmware and the guest's NVRAM, which is
     * a file of the person's, have no part in it. */
    "/domain/os/@firmware",
    "/domain/os/firmware",
    "/domain/os/loader",
    "/domain/os/nvram",
    "/domain/os/kernel",
    "/domain/os/initrd",
    "/domain/os/cmdline",
    "/domain/os/dtb",
    /* vsweep has its own console and its own channel. */
    "/domain/devices/serial",
    "/domain/devices/parallel",
    "/domain/devices/console",
    "/domain/devices/channel",
};

bool
template_clean(xmlDocPtr doc, xmlNodePtr disk, GError **err)
{
    for (guint i = 0; i < G_N_ELEMENTS(unwanted); i++) {
        if (!xpath_remove(doc, disk, unwanted[i], err))
            return false;
    }
    return true;
}
