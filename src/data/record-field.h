/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of field a payload line may have (inside data/record only): each
 * checks one JSON value and stores it.  Nothing the guest says is stored
 * unchecked; messages say what the value is not, the caller puts its key in
 * front.
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include "base/error.h"

/* Characters of a workload, phase, metric or fact name: names end up in
 * columns of tables, so they are short. */
#define FIELD_NAME_MAX 64

typedef struct Field Field;
typedef bool (*FieldReader)(const Field *field, const json_t *json, void *slot,
                            GError **err);

struct Field {
    const char *key;
    FieldReader read;
    gsize offset; /* of the slot, in Record */
    gint64 max;   /* of an integer, which is at least 0 */
    bool optional;
};

/* Readers; the comment is the type of the slot. */
/* char *: a-z 0-9 . _ - */
bool field_name(const Field *field, const json_t *json, void *slot,
                GError **err);
/* char *: the same, or "" */
bool field_name_or_empty(const Field *field, const json_t *json, void *slot,
                         GError **err);
/* char *: init, agent, local */
bool field_role(const Field *field, const json_t *json, void *slot,
                GError **err);
/* char *: cleaned, at most 1 KiB */
bool field_text(const Field *field, const json_t *json, void *slot,
                GError **err);
/* gint64: 0 to max */
bool field_int(const Field *field, const json_t *json, void *slot,
               GError **err);
/* none: WIRE_VERSION or an error */
bool field_version(const Field *field, const json_t *json, void *slot,
                   GError **err);
/* double: finite */
bool field_real(const Field *field, const json_t *json, void *slot,
                GError **err);
/* bool */
bool field_bool(const Field *field, const json_t *json, void *slot,
                GError **err);
/* GHashTable *: name -> text */
bool field_facts(const Field *field, const json_t *json, void *slot,
                 GError **err);
/* GArray * of HistBin, indices rising, counts > 0 */
bool field_bins(const Field *field, const json_t *json, void *slot,
                GError **err);

/* A copy of guest text (valid UTF-8) that is safe to keep: printable
 * characters only, the rest becomes '?' or a space, cut to `max` bytes between
 * characters.  Caller frees. */
char *field_clean(const char *text, gsize max);
