/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the payload's lines.  What a type of line holds is a table; the
 * readers of data/record-field.h check and store its fields.  Keys that are not
 * in the table are ignored, so that a newer payload may say more.
 */
#include "data/record.h"

#include <string.h>
#include "data/record-field.h"
#include "guest-payload/wire.h"

/* Linux errno values end at 4095 (MAX_ERRNO). */
#define ERRNO_MAX 4095

typedef struct Spec {
    const char *name;
    const Field *fields; /* ends at key == NULL */
    bool (*check)(const Record *record, GError **err);
} Spec;

/* ------------------------------------------------------ checks of a record */

static bool
check_end(const Record *record, GError **err)
{
    if (record->t1 < record->t0)
        return vs_fail(err, "the window ends before it begins");
    return true;
}

static bool
check_hist(const Record *record, GError **err)
{
    gint64 left = record->n;

    for (guint i = 0; i < record->bins->len; i++) {
        const HistBin *bin = &g_array_index(record->bins, HistBin, i);
        if (bin->count > left)
            return vs_fail(
                err, "the bins hold more than n (%" G_GINT64_FORMAT ") samples",
                record->n);
        left -= bin->count;
    }
    return true;
}

/* ------------------------------------------------------------- the grammar */

#define AT(member) G_STRUCT_OFFSET(Record, member)
#define FIELD(key, reader, member)        \
    {                                     \
        key, reader, AT(member), 0, false \
    }
#define OPTIONAL(key, reader, member)    \
    {                                    \
        key, reader, AT(member), 0, true \
    }
#define INTEGER(key, member, max)              \
    {                                          \
        key, field_int, AT(member), max, false \
    }
/* The bytes of Record that have no field of their own to fill. */
#define NO_SLOT 0

static const Field ready_fields[] = {
    {"v", field_version, NO_SLOT, 0, false},
    FIELD("role", field_role, role),
    FIELD("facts", field_facts, facts),
    {0},
};
static const Field note_fields[] = {
    FIELD("text", field_text, text),
    OPTIONAL("facts", field_facts, facts),
    {0},
};
static const Field phase_fields[] = {
    FIELD("workload", field_name, workload),
    FIELD("phase", field_name, phase),
    INTEGER("seq", seq, G_MAXUINT32),
    FIELD("cold", field_bool, cold),
    {0},
};
static const Field end_fields[] = {
    FIELD("workload", field_name, workload),
    FIELD("phase", field_name, phase),
    INTEGER("seq", seq, G_MAXUINT32),
    INTEGER("t0", t0, G_MAXINT64),
    INTEGER("t1", t1, G_MAXINT64),
    INTEGER("ops", ops, G_MAXINT64),
    {0},
};
static const Field sample_fields[] = {
    FIELD("workload", field_name, workload),
    FIELD("metric", field_name, metric),
    FIELD("value", field_real, value),
    INTEGER("n", n, G_MAXINT64),
    INTEGER("seq", seq, G_MAXUINT32),
    {0},
};
static const Field hist_fields[] = {
    FIELD("workload", field_name, workload),
    FIELD("metric", field_name, metric),
    INTEGER("seq", seq, G_MAXUINT32),
    INTEGER("n", n, G_MAXINT64),
    FIELD("bins", field_bins, bins),
    {0},
};
static const Field error_fields[] = {
    FIELD("workload", field_name_or_empty, workload),
    INTEGER("errno", errnum, ERRNO_MAX),
    FIELD("text", field_text, text),
    {0},
};
static const Field done_fields[] = {
    INTEGER("lines", lines, WIRE_LINES_MAX),
    {0},
};

static const Spec specs[] = {
    [RECORD_READY] = {"ready", ready_fields, NULL},
    [RECORD_NOTE] = {"note", note_fields, NULL},
    [RECORD_PHASE] = {"phase", phase_fields, NULL},
    [RECORD_END] = {"end", end_fields, check_end},
    [RECORD_SAMPLE] = {"sample", sample_fields, NULL},
    [RECORD_HIST] = {"hist", hist_fields, check_hist},
    [RECORD_ERROR] = {"error", error_fields, NULL},
    [RECORD_DONE] = {"done", done_fields, NULL},
};
G_STATIC_ASSERT(G_N_ELEMENTS(specs) == RECORD_DONE + 1);

/* ----------------------------------------------------------------- parsing */

static const Spec *
find_spec(const json_t *root, RecordType *ret_type, GError **err)
{
    const char *name = json_string_value(json_object_get(root, "type"));

    if (!json_is_object(root) || !name) {
        vs_fail(err, "the line is not an object with a type");
        return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        if (strcmp(specs[i].name, name) == 0) {
            *ret_type = (RecordType) i;
            return &specs[i];
        }
    }
    g_autofree char *shown = field_clean(name, FIELD_NAME_MAX);
    vs_fail(err, "no line has the type '%s'", shown);
    return NULL;
}

static bool
read_fields(const Spec *spec, const json_t *root, Record *record, GError **err)
{
    for (const Field *field = spec->fields; field->key; field++) {
        const json_t *json = json_object_get(root, field->key);
        if (!json && field->optional)
            continue;
        if (!json)
            return vs_fail(err, "%s: no %s", spec->name, field->key);
        if (!field->read(field, json, (char *) record + field->offset, err)) {
            g_prefix_error(err, "%s: %s: ", spec->name, field->key);
            return false;
        }
    }
    if (spec->check && !spec->check(record, err)) {
        g_prefix_error(err, "%s: ", spec->name);
        return false;
    }
    return true;
}

Record *
record_parse(const char *line, GError **err)
{
    json_error_t error;

    if (strlen(line) >= WIRE_LINE_MAX) {
        vs_fail(err, "the line is longer than %d bytes", WIRE_LINE_MAX - 1);
        return NULL;
    }
    json_auto_t *root = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        /* The parser quotes the guest. */
        g_autofree char *valid = g_utf8_make_valid(error.text, -1);
        g_autofree char *why = field_clean(valid, JSON_ERROR_TEXT_LENGTH);
        vs_fail(err, "the line is not JSON: %s", why);
        return NULL;
    }
    g_autoptr(Record) record = g_new0(Record, 1);
    const Spec *spec = find_spec(root, &record->type, err);
    if (!spec || !read_fields(spec, root, record, err))
        return NULL;
    return g_steal_pointer(&record);
}

void
record_free(Record *record)
{
    if (!record)
        return;
    g_free(record->workload);
    g_free(record->phase);
    g_free(record->metric);
    g_free(record->text);
    g_free(record->role);
    if (record->facts)
        g_hash_table_unref(record->facts);
    if (record->bins)
        g_array_unref(record->bins);
    g_free(record);
}
