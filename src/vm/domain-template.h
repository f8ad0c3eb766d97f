/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The template's side of vm/domain.h: reading it, finding the disk under
 * test, and taking out what must not reach a measured guest.
 */
#pragma once

#include "setting/xpath.h"

/* Parses a template and checks that it is a full x86-64 domain. */
xmlDocPtr template_parse(const char *xml, const char *name, GError **err);
/* The <disk> element under test: the one whose target is `wanted`, or the
 * first that is no CD-ROM or floppy when `wanted` is NULL. */
xmlNodePtr template_disk(xmlDocPtr doc, const char *name, const char *wanted,
                         GError **err);
/* Takes out what `virsh dumpxml` shows of a running guest but is not of its
 * configuration, what belongs to the person (other disks, network cards,
 * host devices, NVRAM), and what vsweep says itself. */
bool template_clean(xmlDocPtr doc, xmlNodePtr disk, GError **err);
