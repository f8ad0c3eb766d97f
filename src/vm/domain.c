/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Template plus settings plus what vsweep says itself.
 */
#include "vm/domain.h"

#include <string.h>
#include "guest-payload/wire.h"
#include "setting/xpath.h"
#include "vm/domain-template.h"

/* The element in <metadata> that marks a domain as ours, and says which disk
 * is under test. */
#define METADATA_PATH \
    "/domain/metadata/*[namespace-uri()='" DOMAIN_METADATA_URI "']"

static bool
set_text(xmlDocPtr doc, const char *path, const char *text, GError **err)
{
    xmlNodePtr node = xpath_make(doc, NULL, path, err);

    if (!node)
        return false;
    xpath_set_text(node, text);
    return true;
}

static xmlNodePtr
add_element(xmlNodePtr parent, const char *name)
{
    return xmlNewChild(parent, NULL, BAD_CAST name, NULL);
}

static void
set_attribute(xmlNodePtr node, const char *name, const char *value)
{
    xmlSetProp(node, BAD_CAST name, BAD_CAST value);
}

typedef struct OwnText {
    const char *path, *text;
} OwnText;

/* Identity, kernel, and what happens at the end.
 *
 * on_crash: a panic with a <panic> device makes libvirt 9.0 report CRASHED
 * (PANICKED) first and then, with "destroy", STOPPED (CRASHED), whereas a
 * power-off is SHUTDOWN and STOPPED (SHUTDOWN): they can be told apart, and
 * QEMU is gone.  "preserve" would leave a stopped QEMU that holds the image.
 * on_reboot: a reboot is no part of a run; as a power-off before DONE it is
 * noticed. */
static bool
set_own_texts(xmlDocPtr doc, const DomainParams *params, GError **err)
{
    const OwnText texts[] = {
        {"/domain/name", params->name},
        {"/domain/uuid", params->uuid},
        {"/domain/os/kernel", params->kernel},
        {"/domain/os/initrd", params->initrd},
        {"/domain/os/cmdline", params->cmdline},
        {"/domain/on_poweroff", "destroy"},
        {"/domain/on_reboot", "destroy"},
        {"/domain/on_crash", "destroy"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (!set_text(doc, texts[i].path, texts[i].text, err))
            return false;
    }
    set_attribute(xmlDocGetRootElement(doc), "type",
                  params->kvm ? "kvm" : "qemu");
    return true;
}

static void
set_image(xmlNodePtr disk, const char *image)
{
    set_attribute(disk, "type", "file");
    set_attribute(disk, "device", "disk");
    set_attribute(add_element(disk, "source"), "file", image);
}

/* A file for the runner, who reads it afterwards; a terminal for the shell. */
static void
add_console(xmlNodePtr devices, const DomainParams *params)
{
    xmlNodePtr serial = add_element(devices, "serial");

    set_attribute(serial, "type", params->channel ? "file" : "pty");
    if (params->channel)
        set_attribute(add_element(serial, "source"), "path", params->console);
    set_attribute(add_element(serial, "target"), "port", "0");
}

static void
add_channel(xmlNodePtr devices)
{
    xmlNodePtr channel = add_element(devices, "channel");
    xmlNodePtr target = add_element(channel, "target");

    set_attribute(channel, "type", "unix");
    set_attribute(target, "type", "virtio");
    set_attribute(target, "name", WIRE_PORT);
}

static bool
add_own_devices(xmlDocPtr doc, const DomainParams *params, GError **err)
{
    xmlNodePtr devices = xpath_make(doc, NULL, "/domain/devices", err);

    if (!devices)
        return false;
    add_console(devices, params);
    if (params->channel)
        add_channel(devices);
    /* Without it a panic looks like a power-off. */
    if (!xpath_element(doc, NULL, "/domain/devices/panic"))
        set_attribute(add_element(devices, "panic"), "model", "isa");
    return true;
}

static bool
apply_settings(xmlDocPtr doc, xmlNodePtr disk, const Design *design,
               const Cell *cell, GError **err)
{
    for (const Setting *row = setting_table; row->name; row++) {
        if (!setting_apply(row, design_level(design, cell, row), doc, disk,
                           err))
            return false;
    }
    return true;
}

/* After the settings: the target's name follows the bus. */
static bool
add_metadata(xmlDocPtr doc, xmlNodePtr disk, const char *cell, GError **err)
{
    xmlNodePtr metadata = xpath_make(doc, NULL, "/domain/metadata", err);
    g_autofree char *target =
        xpath_string(doc, disk, "string($disk/target/@dev)", err);
    xmlNodePtr mark;

    if (!metadata || !target || !xpath_remove(doc, NULL, METADATA_PATH, err))
        return false;
    mark = add_element(metadata, "domain");
    xmlSetNs(mark,
             xmlNewNs(mark, BAD_CAST DOMAIN_METADATA_URI, BAD_CAST "vsweep"));
    set_attribute(mark, "disk", target);
    set_attribute(mark, "cell", cell);
    return true;
}

/* Without the XML declaration, so that it can be quoted in other documents. */
static char *
document_text(xmlDocPtr doc)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    char *text;

    xmlNodeDump(buffer, doc, xmlDocGetRootElement(doc), 0, 1);
    text = g_strconcat((const char *) xmlBufferContent(buffer), "\n", NULL);
    xmlBufferFree(buffer);
    return text;
}

static bool
build(xmlDocPtr doc, xmlNodePtr disk, const Design *design, const Cell *cell,
      const DomainParams *params, GError **err)
{
    if (!template_clean(doc, disk, err))
        return false;
    set_image(disk, params->image);
    return set_own_texts(doc, params, err) &&
           add_own_devices(doc, params, err) &&
           apply_settings(doc, disk, design, cell, err) &&
           add_metadata(doc, disk, cell->name, err);
}

char *
domain_build(const char *template_xml, const char *template_name,
             const Design *design, const Cell *cell, const DomainParams *params,
             GError **err)
{
    g_autoptr(xmlDoc) doc = NULL;
    xmlNodePtr disk;

    if (!cell_is_guest(cell)) {
        vs_fail(err, "cell %s is no guest and has no domain", cell->name);
        return NULL;
    }
    doc = template_parse(template_xml, template_name, err);
    disk = doc ? template_disk(doc, template_name, design->matrix->disk, err)
               : NULL;
    if (!disk)
        return NULL;
    if (!build(doc, disk, design, cell, params, err)) {
        g_prefix_error(err, "%s: cell %s: ", template_name, cell->name);
        return NULL;
    }
    return document_text(doc);
}

char *
domain_disk_target(const char *template_xml, const char *template_name,
                   const char *wanted, GError **err)
{
    g_autoptr(xmlDoc) doc = template_parse(template_xml, template_name, err);
    xmlNodePtr disk =
        doc ? template_disk(doc, template_name, wanted, err) : NULL;
    g_autofree char *target = NULL;

    if (!disk)
        return NULL;
    target = xpath_string(doc, disk, "string($disk/target/@dev)", err);
    if (!target)
        return NULL;
    if (*target == '\0') {
        vs_usage(err, "%s: a <disk> without <target dev='...'/>",
                 template_name);
        return NULL;
    }
    return g_steal_pointer(&target);
}

/* The disk that the metadata of a document of ours names. */
static xmlNodePtr
disk_under_test(xmlDocPtr doc)
{
    g_autofree char *target =
        xpath_string(doc, NULL, "string(" METADATA_PATH "/@disk)", NULL);

    return target && *target ? template_disk(doc, "domain", target, NULL)
                             : NULL;
}

char *
domain_xpath_string(const char *xml, const char *path, GError **err)
{
    g_autoptr(xmlDoc) doc = xpath_parse(xml, "domain document", err);

    if (!doc)
        return NULL;
    return xpath_string(doc, disk_under_test(doc), path, err);
}
