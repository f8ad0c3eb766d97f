/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XPath over a domain document with the variable $disk bound to the disk
 * under test.  The rows of the setting table speak this language, in their
 * edits and in their proofs.
 */
#pragma once

#include <libxml/xpath.h>
#include "base/error.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlDoc, xmlFreeDoc)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(xmlXPathObject, xmlXPathFreeObject)

/* Parses a document: no network, no document type, so no entities either.
 * `name` is for messages, which give its line.  Free with xmlFreeDoc(). */
xmlDocPtr xpath_parse(const char *xml, const char *name, GError **err);
/* What `path` selects or computes; `disk` may be NULL when the path does not
 * say $disk.  Free with xmlXPathFreeObject(). */
xmlXPathObjectPtr xpath_eval(xmlDocPtr doc, xmlNodePtr disk, const char *path,
                             GError **err);
/* The string value of `path`: "" when nothing is selected.  Caller frees. */
char *xpath_string(xmlDocPtr doc, xmlNodePtr disk, const char *path,
                   GError **err);
/* The first element `path` selects; NULL when it selects none. */
xmlNodePtr xpath_element(xmlDocPtr doc, xmlNodePtr disk, const char *path);
/* Removes every element, attribute and comment `path` selects. */
bool xpath_remove(xmlDocPtr doc, xmlNodePtr disk, const char *path,
                  GError **err);
/* The element `path` selects; missing elements at the end of a path of plain
 * names below /domain or $disk are created. */
xmlNodePtr xpath_make(xmlDocPtr doc, xmlNodePtr disk, const char *path,
                      GError **err);
/* Adds an element behind its siblings, but before <devices>, which people
 * expect last in a domain.  Returns it. */
xmlNodePtr xpath_add(xmlNodePtr parent, xmlNodePtr node);
/* Replaces the content of an element by a text, which needs no escaping. */
void xpath_set_text(xmlNodePtr element, const char *text);
