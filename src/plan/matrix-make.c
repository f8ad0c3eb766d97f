/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making, searching and freeing the objects a matrix is made of.
 */
#include <string.h>
#include "plan/matrix-parse.h"

/* Room for the default work file of 256 MiB with a quarter left free; small
 * images are copied faster, and every attempt copies one. */
#define DISK_BYTES_DEFAULT (G_GUINT64_CONSTANT(512) << 20)

void
factor_free(Factor *factor)
{
    if (!factor)
        return;
    g_ptr_array_unref(factor->levels);
    g_free(factor);
}

Factor *
factor_new(const Setting *setting)
{
    Factor *factor = g_new0(Factor, 1);

    factor->setting = setting;
    factor->levels = g_ptr_array_new_with_free_func(g_free);
    return factor;
}

void
rule_free(Rule *rule)
{
    if (!rule)
        return;
    g_ptr_array_unref(rule->settings);
    g_ptr_array_unref(rule->levels);
    g_free(rule->why);
    g_free(rule->label);
    g_free(rule);
}

Rule *
rule_new(void)
{
    Rule *rule = g_new0(Rule, 1);

    rule->settings = g_ptr_array_new();
    rule->levels = g_ptr_array_new_with_free_func(g_free);
    return rule;
}

void
rule_add(Rule *rule, const Setting *setting, const char *level)
{
    g_ptr_array_add(rule->settings, (gpointer) setting);
    g_ptr_array_add(rule->levels, g_strdup(level));
}

const char *
rule_level(const Rule *rule, const Setting *setting)
{
    for (guint i = 0; i < rule->settings->len; i++)
        if (rule->settings->pdata[i] == setting)
            return rule->levels->pdata[i];
    return NULL;
}

char *
matrix_rule_text(const Rule *rule)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < rule->settings->len; i++) {
        const Setting *setting = rule->settings->pdata[i];

        g_string_append_printf(text, "%s%s=%s", i ? ", " : "", setting->name,
                               (char *) rule->levels->pdata[i]);
    }
    return g_string_free(text, FALSE);
}

bool
level_same(const Setting *setting, const char *a, const char *b)
{
    g_autofree char *value_a = NULL, *value_b = NULL;

    if (strcmp(a, b) == 0)
        return true;
    value_a = setting_value(setting, a);
    value_b = setting_value(setting, b);
    return strcmp(value_a, value_b) == 0;
}

int
factor_level(const Factor *factor, const char *level)
{
    for (guint i = 0; i < factor->levels->len; i++)
        if (level_same(factor->setting, factor->levels->pdata[i], level))
            return (int) i;
    return -1;
}

const Factor *
matrix_factor(const Matrix *matrix, const Setting *setting, guint *ret_index)
{
    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];

        if (factor->setting == setting) {
            if (ret_index)
                *ret_index = i;
            return factor;
        }
    }
    return NULL;
}

static void
workload_free(WorkloadUse *use)
{
    for (guint i = 0; i < CATALOGUE_PARAMS_MAX; i++)
        g_free(use->values[i]);
    g_free(use);
}

Matrix *
matrix_new(const char *path, const char *text, bool quick)
{
    Matrix *matrix = g_new0(Matrix, 1);

    matrix->path = g_strdup(path);
    matrix->text = g_strdup(text);
    matrix->fs = g_strdup("ext4");
    matrix->disk_bytes = DISK_BYTES_DEFAULT;
    matrix->factors =
        g_ptr_array_new_with_free_func((GDestroyNotify) factor_free);
    matrix->fixed = rule_new();
    matrix->excludes =
        g_ptr_array_new_with_free_func((GDestroyNotify) rule_free);
    matrix->includes =
        g_ptr_array_new_with_free_func((GDestroyNotify) rule_free);
    matrix->workloads =
        g_ptr_array_new_with_free_func((GDestroyNotify) workload_free);
    matrix->primary = g_ptr_array_new();
    matrix->pairs = g_array_new(FALSE, FALSE, sizeof(FactorPair));
    matrix->crossed = g_array_new(FALSE, FALSE, sizeof(guint));
    matrix->uncrossed = rule_new();
    matrix->host = HOST_HOST;
    matrix->hygiene = quick ? HYGIENE_QUICK : HYGIENE_NORMAL;
    matrix->quick = quick;
    matrix->design_place = g_strdup(path);
    matrix->memo = g_new0(MatrixMemo, 1);
    return matrix;
}

void
matrix_free(Matrix *matrix)
{
    if (!matrix)
        return;
    g_free(matrix->path);
    g_free(matrix->text);
    g_free(matrix->name);
    g_free(matrix->question);
    g_free(matrix->domain_path);
    g_free(matrix->disk);
    g_free(matrix->storage);
    g_free(matrix->kernel);
    g_free(matrix->fs);
    g_free(matrix->memory);
    g_ptr_array_unref(matrix->factors);
    rule_free(matrix->fixed);
    rule_free(matrix->best);
    g_ptr_array_unref(matrix->excludes);
    g_ptr_array_unref(matrix->includes);
    g_ptr_array_unref(matrix->workloads);
    g_ptr_array_unref(matrix->primary);
    g_array_unref(matrix->pairs);
    g_array_unref(matrix->crossed);
    rule_free(matrix->uncrossed);
    g_free(matrix->design_place);
    if (matrix->memo->array)
        g_ptr_array_unref(matrix->memo->array);
    g_free(matrix->memo);
    g_free(matrix);
}
