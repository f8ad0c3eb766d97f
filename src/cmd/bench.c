/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to be booted, from the command line: see bench.h. */
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/paths.h"
#include "base/units.h"
#include "cmd/bench.h"

/* Longest silence of a guest; a boot under emulation takes 3 to 6 s. */
#define DEFAULT_TIMEOUT_NS (60 * CLOCK_NS_PER_S)
/* More blocks than this is a slip of the finger. */
#define BLOCKS_MAX 1000

BenchOptions bench_options;

/* A file as it is named, else a ready matrix of that name. */
static char *
find_matrix(const char *path, GError **err)
{
    g_autofree char *name = NULL, *found = NULL;

    if (access(path, F_OK) == 0)
        return g_strdup(path);
    name = g_strdup_printf(
        "%s%s%s", g_str_has_prefix(path, "matrices/") ? "" : "matrices/", path,
        g_str_has_suffix(path, ".yaml") ? "" : ".yaml");
    found = paths_data(name, NULL);
    if (!found)
        vs_usage(err,
                 "no matrix '%s': neither a file nor one of the ready "
                 "matrices",
                 path);
    return g_steal_pointer(&found);
}

static Matrix *
load(const char *path, GError **err)
{
    const BenchOptions *o = &bench_options;
    static const char *const none[] = {NULL};
    g_autofree char *found = NULL;

    if (!path && o->sets)
        return matrix_from_options(
            (const char *const *) o->sets,
            o->workloads ? (const char *const *) o->workloads : none, o->quick,
            err);
    if (!path) {
        vs_usage(err, "name a matrix file, or say what to sweep with --set "
                      "SETTING=LEVEL,LEVEL -w WORKLOAD");
        return NULL;
    }
    if (o->sets || o->workloads) {
        vs_usage(err,
                 "--set and -w go without a matrix file; put them into "
                 "'%s' instead",
                 path);
        return NULL;
    }
    found = find_matrix(path, err);
    return found ? matrix_load(found, o->quick, err) : NULL;
}

static bool
set_blocks(Design *design, GError **err)
{
    guint64 blocks = 0;

    if (!bench_options.blocks)
        return true;
    if (!units_parse_count(bench_options.blocks, 1, BLOCKS_MAX, &blocks, err)) {
        g_prefix_error(err, "--blocks: ");
        return false;
    }
    design_fix_blocks(design, (guint) blocks);
    return true;
}

Matrix *
bench_matrix(const char *path, GError **err)
{
    Matrix *matrix = load(path, err);

    if (matrix && bench_options.storage) {
        g_free(matrix->storage);
        matrix->storage = g_canonicalize_filename(bench_options.storage, NULL);
    }
    return matrix;
}

Design *
bench_design(const Matrix *matrix, GError **err)
{
    g_autoptr(Design) design = design_make(matrix, err);

    if (!design)
        return NULL;
    if (bench_options.only && !design_filter(design, bench_options.only, err))
        return NULL;
    if (!set_blocks(design, err))
        return NULL;
    return g_steal_pointer(&design);
}

bool
bench_plan(const char *path, Matrix **ret_matrix, Design **ret_design,
           GError **err)
{
    g_autoptr(Matrix) matrix = bench_matrix(path, err);
    Design *design = matrix ? bench_design(matrix, err) : NULL;

    if (!design)
        return false;
    *ret_matrix = g_steal_pointer(&matrix);
    *ret_design = design;
    return true;
}

bool
bench_rig_options(RigOptions *ret_options, GError **err)
{
    const BenchOptions *o = &bench_options;
    RigOptions options = {.uri = o->connect,
                          .kernel = o->kernel,
                          .timeout_ns = DEFAULT_TIMEOUT_NS};

    if (!accel_parse(o->accel ? o->accel : "auto", &options.accel, err))
        return false;
    if (o->timeout &&
        !units_parse_duration(o->timeout, &options.timeout_ns, err)) {
        g_prefix_error(err, "--timeout: ");
        return false;
    }
    *ret_options = options;
    return true;
}
