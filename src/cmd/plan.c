/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep plan: what a run would do. */
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "base/table.h"
#include "base/units.h"
#include "base/paths.h"
#include "cmd/bench.h"
#include "cmd/commands.h"
#include "cmd/plan-check.h"
#include "run/estimate.h"
#include "vm/domain.h"

static char *arg_xml;

static const GOptionEntry options[] = {
    BENCH_ENTRIES,
    {"xml", 0, 0, G_OPTION_ARG_STRING, &arg_xml,
     "print the domain XML of this cell", "CELL"},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static void
print_cells(const Design *design)
{
    static const char *const headings[] = {"cell", "kind", "state", "why"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
                                       TABLE_LEFT};
    g_autoptr(Table) table = table_new(4, headings, align);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        table_add(table,
                  (const char *const[]){
                      cell->name,
                      cell->baseline ? "baseline" : cell_kind_name(cell->kind),
                      cell_state_name(cell->state), cell->why});
    }
    table_format(table, 2, text);
    fputs(text->str, stdout);
}

static guint
count_state(const Design *design, CellState state)
{
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->kind == CELL_CELL && cell->state == state;
    }
    return n;
}

/* "20 min 05 s", "20 min 05 s to 50 min 12 s, no block begun after 2 h". */
static char *
time_text(const Matrix *matrix, const Design *design, bool kvm)
{
    g_autofree char *least = units_format_duration(
        estimate_sweep(matrix, design, design->blocks_min, kvm));
    g_autofree char *most = units_format_duration(
        estimate_sweep(matrix, design, design->blocks_max, kvm));
    g_autofree char *budget = units_format_duration(matrix->budget_ns);
    bool open = design->blocks_min < design->blocks_max;

    return g_strdup_printf("%s%s%s%s%s", least, open ? " to " : "",
                           open ? most : "",
                           matrix->budget_ns ? ", no block begun after " : "",
                           matrix->budget_ns ? budget : "");
}

static bool
print_needs(const Matrix *matrix, const Design *design, bool kvm, GError **err)
{
    g_autofree char *storage = rig_storage(matrix, err);
    g_autofree char *payload =
        storage ? paths_data("vsweep-payload", err) : NULL;
    g_autofree char *bytes = NULL, *time = NULL;

    if (!payload)
        return false;
    bytes =
        units_format_size(rig_bytes_needed(matrix, design, storage, payload));
    time = time_text(matrix, design, kvm);
    printf("time: about %s\ndisk: %s more in %s\n", time, bytes, storage);
    return true;
}

/* "10", "6 to 16". */
static char *
blocks_text(const Design *design)
{
    return design->blocks_min < design->blocks_max
               ? g_strdup_printf("%u to %u", design->blocks_min,
                                 design->blocks_max)
               : g_strdup_printf("%u", design->blocks_max);
}

static void
print_looks(const Matrix *matrix, const Design *design)
{
    g_autofree char *wanted =
        matrix->precision > 0
            ? g_strdup_printf("±%g %%", matrix->precision * 100)
            : g_strdup("half of its equivalence band");
    g_autoptr(GString) looks = g_string_new(NULL);

    for (guint block = 1; block <= design->blocks_max; block++)
        if (design_is_look(design, block))
            g_string_append_printf(looks, "%s%u", looks->len ? ", " : "",
                                   block);
    if (looks->len)
        printf("stop: when every primary contrast is known to %s, which is "
               "looked at after blocks %s\n",
               wanted, looks->str);
}

static void
print_design(const Matrix *matrix, const Design *design)
{
    g_autoptr(GPtrArray) limits = design_limits(design);
    g_autoptr(GArray) reasons = design_reasons(design);
    g_autofree char *blocks = blocks_text(design);

    printf("%s: %s\n", matrix->name,
           matrix->question ? matrix->question : "(no question)");
    printf("design: %s, %u cells planned, %u excluded, %u unsupported; %s "
           "blocks (%u needed for exact p-values with %u comparisons)\n",
           design_kind_name(design->kind), count_state(design, CELL_PLANNED),
           count_state(design, CELL_EXCLUDED),
           count_state(design, CELL_UNSUPPORTED), blocks,
           design_blocks_bound(design->comparisons), design->comparisons);
    plan_print_reasons(reasons);
    print_looks(matrix, design);
    print_cells(design);
    plan_print_precision(design->blocks_min);
    if (limits->len)
        puts("what this design cannot claim:");
    for (guint i = 0; i < limits->len; i++)
        printf("  - %s\n", (const char *) limits->pdata[i]);
}

/* Asks libvirt about the cells; without libvirt the plan still stands. */
static Rig *
ask_libvirt(const Matrix *matrix, Design *design, GError **err)
{
    g_autoptr(GError) why = NULL;
    RigOptions rig_options = {0};
    Rig *rig = NULL;

    if (!bench_rig_options(&rig_options, err))
        return NULL;
    rig = rig_prepare(matrix, design, &rig_options, false, &why);
    if (!rig)
        log_warning("which cells libvirt supports was not checked: %s",
                    why->message);
    return rig;
}

static int
print_xml(Rig *rig, const Design *design, GError **err)
{
    const Cell *cell = design_cell(design, arg_xml);
    g_autofree char *xml = NULL;

    if (!cell || !cell_is_guest(cell)) {
        vs_usage(err, "no cell '%s' with a domain; `vsweep plan` lists them",
                 arg_xml);
        return VS_ERROR_USAGE;
    }
    if (!rig) {
        vs_fail(err, "the XML needs what could not be prepared");
        return VS_ERROR_FAILED;
    }
    xml = rig_domain(rig, cell, DOMAIN_PREFIX "plan", "/path/of/the/image",
                     "/path/of/the/console", false, err);
    if (!xml)
        return VS_ERROR_FAILED;
    fputs(xml, stdout);
    return 0;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autoptr(Matrix) matrix = NULL;
    g_autoptr(Design) design = NULL;
    g_autoptr(Rig) rig = NULL;

    if (!command_arguments(&command_plan, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    matrix = bench_matrix(argc > 1 ? argv[1] : NULL, err);
    if (!matrix)
        return VS_ERROR_USAGE;
    if (design_too_large(matrix))
        plan_print_large(matrix);
    design = bench_design(matrix, err);
    if (!design)
        return VS_ERROR_USAGE;
    rig = ask_libvirt(matrix, design, err);
    if (err && *err)
        return VS_ERROR_USAGE;
    if (arg_xml)
        return print_xml(rig, design, err);
    print_design(matrix, design);
    if (rig)
        printf("accel: %s (%s)\n", rig->accel.kvm ? "kvm" : "tcg",
               rig->accel.why);
    return print_needs(matrix, design, rig && rig->accel.kvm, err)
               ? 0
               : VS_ERROR_FAILED;
}

const Command command_plan = {
    .name = "plan",
    .arguments = "[MATRIX]",
    .summary = "Show the cells, time and disk a run would take",
    .common = true,
    .boots = true,
    .options = options,
    .run = run,
};
