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

/* How many complaints are quoted: the first says what, often without a
 * line, the second where; the later ones follow from them. */
#define COMPLAINTS_MAX 2

static void
add_complaint(void *data, xmlErrorPtr error)
{
    GPtrArray *complaints = data;
    g_autofree char *text = NULL;

    if (complaints->len >= COMPLAINTS_MAX || !error->message)
        return;
    text = g_strchomp(g_strdup(error->message));
    if (error->line > 0)
        g_ptr_array_add(complaints,
                        g_strdup_printf("line %d: %s", error->line, text));
    else
        g_ptr_array_add(complaints, g_steal_pointer(&text));
}

/* What was complained about, in one line.  Caller frees. */
static char *
join_complaints(GPtrArray *complaints)
{
    if (complaints->len == 0)
        return g_strdup("no reason given");
    g_ptr_array_add(complaints, NULL);
    return g_strjoinv("; ", (char **) complaints->pdata);
}

/* Parsed once: it takes longer than all the documents of a sweep. */
static xmlRelaxNGPtr
load_schema(GError **err)
{
    static Schema *schema;
    g_autoptr(SchemaParser) parser = NULL;
    g_autoptr(GPtrArray) complaints = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = NULL;

    if (schema)
        return schema;
    path = find_schema(err);
    if (!path)
        return NULL;
    parser = xmlRelaxNGNewParserCtxt(path);
    xmlRelaxNGSetParserStructuredErrors(parser, add_complaint, complaints);
    schema = xmlRelaxNGParse(parser);
    if (!schema) {
        g_autofree char *text = join_complaints(complaints);

        vs_fail(err, "%s cannot be used as a schema: %s", path, text);
    }
    return schema;
}

bool
domain_validate(const char *xml, GError **err)
{
    xmlRelaxNGPtr schema = load_schema(err);
    g_autoptr(GPtrArray) complaints = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(xmlDoc) doc = NULL;
    g_autoptr(SchemaValid) valid = NULL;
    g_autofree char *text = NULL;

    if (!schema)
        return false;
    doc = xpath_parse(xml, "domain document", err);
    if (!doc)
        return false;
    valid = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidStructuredErrors(valid, add_complaint, complaints);
    if (xmlRelaxNGValidateDoc(valid, doc) == 0)
        return true;
    text = join_complaints(complaints);
    return vs_usage(
        err, "the domain document does not fit libvirt's schema: %s", text);
}
