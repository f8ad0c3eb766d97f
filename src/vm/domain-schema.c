/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libvirt's own schema for domain documents.  It is no capability check (it
 * accepts IDE on q35), but it names a wrong word before anything starts.
 */
#include "vm/domain.h"

#include <libxml/relaxng.h>
#include "setting/xpath.h"

#define SCHEMA_FILE "domain.rng"

typedef xmlRelaxNG Schema;
typedef xmlRelaxNGParserCtxt SchemaParser;
typedef xmlRelaxNGValidCtxt SchemaValid;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SchemaParser, xmlRelaxNGFreeParserCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SchemaValid, xmlRelaxNGFreeValidCtxt)

static const char *const schema_dirs[] = {
    "/usr/share/libvirt/schemas",
    "/usr/local/share/libvirt/schemas",
    "/opt/libvirt/share/libvirt/schemas",
};

/* $VSWEEP_SCHEMAS, when set, is the only place. */
static char *
find_schema(GError **err)
{
    const char *own = g_getenv("VSWEEP_SCHEMAS");
    const char *const *dirs = own ? &own : schema_dirs;
    guint count = own ? 1 : G_N_ELEMENTS(schema_dirs);
    g_autoptr(GString) looked = g_string_new(NULL);

    for (guint i = 0; i < count; i++) {
        g_autofree char *path = g_build_filename(dirs[i], SCHEMA_FILE, NULL);

        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&path);
        g_string_append_printf(looked, "%s%s", i ? ", " : "", path);
    }
    vs_fail(err,
            "libvirt's schema is not at %s; install libvirt0 or set "
            "VSWEEP_SCHEMAS to its directory",
            looked->str);
    return NULL;
}

/* Keeps the first complaint: the later ones follow from it. */
static void
keep_first(void *data, xmlErrorPtr error)
{
    char **first = data;

    if (!*first && error->message) {
        g_autofree char *text = g_strchomp(g_strdup(error->message));

        *first = g_strdup_printf("line %d: %s", error->line, text);
    }
}

/* Parsed once: it takes longer than all the documents of a sweep. */
static xmlRelaxNGPtr
load_schema(GError **err)
{
    static Schema *schema;
    g_autoptr(SchemaParser) parser = NULL;
    g_autofree char *path = NULL;
    g_autofree char *complaint = NULL;

    if (schema)
        return schema;
    path = find_schema(err);
    if (!path)
        return NULL;
    parser = xmlRelaxNGNewParserCtxt(path);
    xmlRelaxNGSetParserStructuredErrors(parser, keep_first, &complaint);
    schema = xmlRelaxNGParse(parser);
    if (!schema)
        vs_fail(err, "%s cannot be used as a schema: %s", path,
                complaint ? complaint : "no reason given");
    return schema;
}

bool
domain_validate(const char *xml, GError **err)
{
    xmlRelaxNGPtr schema = load_schema(err);
    g_autoptr(xmlDoc) doc = NULL;
    g_autoptr(SchemaValid) valid = NULL;
    g_autofree char *complaint = NULL;

    if (!schema)
        return false;
    doc = xpath_parse(xml, "domain document", err);
    if (!doc)
        return false;
    valid = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidStructuredErrors(valid, keep_first, &complaint);
    if (xmlRelaxNGValidateDoc(valid, doc) == 0)
        return true;
    return vs_usage(err,
                    "the domain document does not fit libvirt's schema: %s",
                    complaint ? complaint : "no reason given");
}
