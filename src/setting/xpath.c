/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XPath with $disk: evaluation, removal, and elements made on demand.
 */
#include "setting/xpath.h"

#include <limits.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/xpathInternals.h>

/* Domain documents are tens of kilobytes; this only stops nonsense. */
#define XPATH_XML_MAX (4 * 1024 * 1024)

typedef xmlParserCtxt ParserCtxt;
typedef xmlXPathContext XPathContext;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ParserCtxt, xmlFreeParserCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(XPathContext, xmlXPathFreeContext)

/* libxml2 prints its complaints unless somebody takes them. */
static void
ignore_error(void *data, xmlErrorPtr error)
{
    (void) data;
    (void) error;
}

static void
parse_complaint(ParserCtxt *parser, const char *name, GError **err)
{
    xmlErrorPtr last = xmlCtxtGetLastError(parser);
    g_autofree char *text =
        g_strdup(last && last->message ? last->message : "not XML\n");

    vs_usage(err, "%s:%d: %s", name, last ? last->line : 1, g_strchomp(text));
}

xmlDocPtr
xpath_parse(const char *xml, const char *name, GError **err)
{
    gsize length = strlen(xml);
    g_autoptr(ParserCtxt) parser = xmlNewParserCtxt();
    g_autoptr(xmlDoc) doc = NULL;

    if (length > XPATH_XML_MAX) {
        vs_usage(err, "%s: more than %d bytes: not a domain document", name,
                 XPATH_XML_MAX);
        return NULL;
    }
    doc = xmlCtxtReadMemory(parser, xml, (int) length, NULL, NULL,
                            XML_PARSE_NONET | XML_PARSE_NOBLANKS |
                                XML_PARSE_NOCDATA | XML_PARSE_NOERROR |
                                XML_PARSE_NOWARNING);
    if (!doc) {
        parse_complaint(parser, name, err);
        return NULL;
    }
    /* Entities come with a document type only; none is ever needed. */
    if (doc->intSubset) {
        vs_usage(err, "%s: a domain document has no DOCTYPE; remove it", name);
        return NULL;
    }
    return g_steal_pointer(&doc);
}

xmlXPathObjectPtr
xpath_eval(xmlDocPtr doc, xmlNodePtr disk, const char *path, GError **err)
{
    g_autoptr(XPathContext) context = xmlXPathNewContext(doc);
    xmlXPathObjectPtr result;

    context->error = ignore_error;
    if (disk)
        xmlXPathRegisterVariable(context, BAD_CAST "disk",
                                 xmlXPathNewNodeSet(disk));
    result = xmlXPathEvalExpression(BAD_CAST path, context);
    if (!result)
        vs_fail(err, "'%s' is no XPath, or says $disk where there is no disk",
                path);
    return result;
}

char *
xpath_string(xmlDocPtr doc, xmlNodePtr disk, const char *path, GError **err)
{
    g_autoptr(xmlXPathObject) found = xpath_eval(doc, disk, path, err);
    xmlChar *text;
    char *copy;

    if (!found)
        return NULL;
    text = xmlXPathCastToString(found);
    copy = g_strdup((const char *) text);
    xmlFree(text);
    return copy;
}

xmlNodePtr
xpath_element(xmlDocPtr doc, xmlNodePtr disk, const char *path)
{
    g_autoptr(xmlXPathObject) found = xpath_eval(doc, disk, path, NULL);

    if (!found || found->type != XPATH_NODESET ||
        xmlXPathNodeSetIsEmpty(found->nodesetval) ||
        found->nodesetval->nodeTab[0]->type != XML_ELEMENT_NODE)
        return NULL;
    return found->nodesetval->nodeTab[0];
}

bool
xpath_remove(xmlDocPtr doc, xmlNodePtr disk, const char *path, GError **err)
{
    g_autoptr(xmlXPathObject) found = xpath_eval(doc, disk, path, err);
    xmlNodeSetPtr set;

    if (!found)
        return false;
    set = found->nodesetval;
    /* From the end: an element goes before the one around it. */
    for (int i = set ? set->nodeNr - 1 : -1; i >= 0; i--) {
        xmlNodePtr node = set->nodeTab[i];

        if (node->type == XML_ATTRIBUTE_NODE) {
            xmlRemoveProp((xmlAttrPtr) node);
        } else if (node->type == XML_ELEMENT_NODE ||
                   node->type == XML_COMMENT_NODE) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        } else {
            continue;
        }
        /* Freeing the set looks at every node still in it. */
        set->nodeTab[i] = NULL;
    }
    return true;
}

xmlNodePtr
xpath_add(xmlNodePtr parent, xmlNodePtr node)
{
    for (xmlNodePtr next = parent->children; next; next = next->next) {
        if (next->type == XML_ELEMENT_NODE &&
            xmlStrEqual(next->name, BAD_CAST "devices"))
            return xmlAddPrevSibling(next, node);
    }
    return xmlAddChild(parent, node);
}

static xmlNodePtr
child_named(xmlNodePtr parent, const char *name)
{
    for (xmlNodePtr node = parent->children; node; node = node->next) {
        if (node->type == XML_ELEMENT_NODE &&
            strcmp((const char *) node->name, name) == 0)
            return node;
    }
    return xpath_add(parent,
                     xmlNewDocNode(parent->doc, NULL, BAD_CAST name, NULL));
}

xmlNodePtr
xpath_make(xmlDocPtr doc, xmlNodePtr disk, const char *path, GError **err)
{
    xmlNodePtr node = xpath_element(doc, disk, path);
    g_auto(GStrv) steps = NULL;

    if (node)
        return node;
    if (g_str_has_prefix(path, "/domain/"))
        node = xmlDocGetRootElement(doc);
    else if (g_str_has_prefix(path, "$disk/"))
        node = disk;
    if (!node) {
        vs_fail(err, "nothing at '%s' in the domain document", path);
        return NULL;
    }
    steps = g_strsplit(strchr(path + 1, '/') + 1, "/", -1);
    for (guint i = 0; steps[i]; i++) {
        if (xmlValidateNCName(BAD_CAST steps[i], 0) != 0) {
            vs_fail(err, "nothing at '%s' in the domain document", path);
            return NULL;
        }
    }
    for (guint i = 0; steps[i]; i++)
        node = child_named(node, steps[i]);
    return node;
}

void
xpath_set_text(xmlNodePtr element, const char *text)
{
    xmlNodeSetContent(element, NULL);
    xmlNodeAddContent(element, BAD_CAST text);
}
