/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of a report beside its database. */
#include "report/write.h"

#include "base/file.h"

static const struct {
    const char *name;
    void (*format)(const Report *report, GString *out);
} files[] = {
    {"summary.md", report_markdown},
    {"runs.csv", report_runs_csv},
    {"contrasts.csv", report_contrasts_csv},
    {"interactions.csv", report_interactions_csv},
    {"report.json", report_json},
};

bool
report_write_files(const Report *report, GPtrArray *ret_paths, GError **err)
{
    g_autofree char *directory = g_path_get_dirname(report->db_path);
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path =
            g_build_filename(directory, files[i].name, NULL);
        g_autoptr(GString) text = g_string_new(NULL);

        files[i].format(report, text);
        if (!file_write(path, text->str, (gssize) text->len, err))
            return false;
        g_ptr_array_add(paths, g_steal_pointer(&path));
    }
    for (guint i = 0; i < paths->len; i++)
        g_ptr_array_add(ret_paths, g_strdup(paths->pdata[i]));
    return true;
}
