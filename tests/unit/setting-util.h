/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of settings, domains and proofs: a cell that has given
 * levels, and golden files.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "plan/design.h"
#include "vm/domain.h"

#define TEMPLATE VS_SOURCE_DIR "/domains/micro.xml"
#define TEMPLATE_PC VS_SOURCE_DIR "/domains/micro-pc.xml"
/* Domain documents are a few KiB. */
#define DOCUMENT_MAX (1 << 20)

/* A design of one cell whose levels are all in Cell.extra. */
typedef struct OneCell {
    Matrix matrix;
    Design design;
    Cell cell;
    Rule fixed, extra;
} OneCell;

static inline void
one_cell_set(OneCell *one, const char *name, const char *level)
{
    const Setting *setting = setting_find(name);
    GError *err = NULL;

    assert_non_null(setting);
    if (!setting_check_level(setting, level, &err))
        fail_msg("%s", err->message);
    g_ptr_array_add(one->extra.settings, (gpointer) setting);
    g_ptr_array_add(one->extra.levels, g_strdup(level));
}

/* Further arguments: setting, level, ..., NULL. */
static inline OneCell *
one_cell_new(const char *first, ...)
{
    OneCell *one = g_new0(OneCell, 1);
    va_list args;

    one->fixed.settings = g_ptr_array_new();
    one->fixed.levels = g_ptr_array_new();
    one->extra.settings = g_ptr_array_new();
    one->extra.levels = g_ptr_array_new_with_free_func(g_free);
    one->matrix.factors = g_ptr_array_new();
    one->matrix.fixed = &one->fixed;
    one->design.matrix = &one->matrix;
    one->cell.name = (char *) "cell/under/test";
    one->cell.extra = &one->extra;
    va_start(args, first);
    for (const char *name = first; name; name = va_arg(args, const char *))
        one_cell_set(one, name, va_arg(args, const char *));
    va_end(args);
    return one;
}

static inline void
one_cell_free(OneCell *one)
{
    g_ptr_array_unref(one->fixed.settings);
    g_ptr_array_unref(one->fixed.levels);
    g_ptr_array_unref(one->extra.settings);
    g_ptr_array_unref(one->extra.levels);
    g_ptr_array_unref(one->matrix.factors);
    g_free(one);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OneCell, one_cell_free)

static inline char *
read_whole(const char *path)
{
    GError *err = NULL;
    char *text = file_read(path, DOCUMENT_MAX, NULL, &err);

    if (!text)
        fail_msg("%s", err->message);
    return text;
}

static inline const DomainParams *
fixed_params(void)
{
    static const DomainParams params = {
        .name = DOMAIN_PREFIX "golden",
        .uuid = "6f1c8e2a-0c55-4b0e-9a53-2d7d1f0a9b11",
        .kernel = "/var/cache/vsweep/vmlinuz",
        .initrd = "/var/cache/vsweep/initramfs",
        .image = "/var/lib/vsweep/slot-0.img",
        .console = "/run/vsweep/console.log",
        .cmdline = "console=ttyS0 panic=-1",
        .kvm = true,
        .channel = true,
    };

    return &params;
}

/* The document of the cell; fails the test when there is none. */
static inline char *
build_cell(const OneCell *one, const char *template_path,
           const DomainParams *params)
{
    g_autofree char *text = read_whole(template_path);
    GError *err = NULL;
    char *xml = domain_build(text, template_path, &one->design, &one->cell,
                             params, &err);

    if (!xml)
        fail_msg("%s", err->message);
    return xml;
}

/* Compares with tests/data/DIR/NAME, or writes it with VSWEEP_REGENERATE. */
static inline void
assert_golden(const char *dir, const char *name, const char *text)
{
    g_autofree char *path =
        g_build_filename(VS_SOURCE_DIR, "tests/data", dir, name, NULL);
    g_autofree char *golden = NULL;
    GError *err = NULL;

    if (g_getenv("VSWEEP_REGENERATE") && !file_write(path, text, -1, &err))
        fail_msg("%s", err->message);
    golden = read_whole(path);
    if (strcmp(golden, text) != 0)
        fail_msg("not as in %s (VSWEEP_REGENERATE=1 rewrites it):\n%s", path,
                 text);
}
