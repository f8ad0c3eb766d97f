/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/host: a directory tree that stands for "/".
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib.h>
#include "base/file.h"

static inline char *
root_new(void)
{
    char *root = g_dir_make_tmp("vsweep-host-XXXXXX", NULL);

    assert_non_null(root);
    return root;
}

static inline void
root_free(char *root)
{
    assert_true(file_remove(root, NULL));
    g_free(root);
}

/* The path of `below` in the tree, its directory made.  Caller frees. */
static inline char *
root_path(const char *root, const char *below)
{
    char *path = g_strconcat(root, below, NULL);
    g_autofree char *directory = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(directory, 0755), 0);
    return path;
}

static inline void
root_write(const char *root, const char *below, const char *text)
{
    g_autofree char *path = root_path(root, below);

    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static inline void
root_directory(const char *root, const char *below)
{
    g_autofree char *path = g_strconcat(root, below, NULL);

    assert_int_equal(g_mkdir_with_parents(path, 0755), 0);
}

static inline void
root_link(const char *root, const char *below, const char *target)
{
    g_autofree char *path = root_path(root, below);

    assert_int_equal(symlink(target, path), 0);
}
