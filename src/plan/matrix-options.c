/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A matrix from the command line: --set SETTING=LEVEL,LEVEL and -w
 * WORKLOAD[:PARAMETER=VALUE,...].  The options are written out as the file
 * they stand for and read as one, so that both are checked alike; complaints
 * name the option instead of a line that nobody wrote.
 */
#include <string.h>
#include "plan/matrix-parse.h"

#define OPTIONS_PATH "(command line)"
#define OPTIONS_NAME "adhoc"

/* A complaint about an option, before there is any YAML. */
static void
complain(YamlProblems *problems, const char *option, const char *text,
         const char *what)
{
    g_autoptr(YamlNode) where = yaml_node_new(YAML_SCALAR, 0, 0);
    g_autofree char *origin = g_strdup_printf("%s %s", option, text);

    yaml_set_origin(where, origin);
    yaml_problems_add(problems, where, "%s", what);
}

/* Appends text as a YAML scalar, quoted unless it is plain beyond doubt. */
static void
append_scalar(GString *yaml, const char *text)
{
    static const char plain[] =
        G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+%/-";

    if (g_ascii_isalnum(*text) && !text[strspn(text, plain)]) {
        g_string_append(yaml, text);
        return;
    }
    g_string_append_c(yaml, '\'');
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            g_string_append_c(yaml, '\'');
        g_string_append_c(yaml, *p);
    }
    g_string_append_c(yaml, '\'');
}

/* "a,b" as "[a, b]". */
static void
append_list(GString *yaml, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);

    g_string_append_c(yaml, '[');
    for (gsize i = 0; words[i]; i++) {
        if (i)
            g_string_append(yaml, ", ");
        append_scalar(yaml, words[i]);
    }
    g_string_append_c(yaml, ']');
}

static void
append_sets(GString *yaml, const char *const *sets, YamlProblems *problems)
{
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    g_string_append(yaml, "matrix:\n");
    for (gsize i = 0; sets[i]; i++) {
        const char *equals = strchr(sets[i], '=');
        char *name = NULL;

        if (!equals || equals == sets[i]) {
            complain(problems, "--set", sets[i],
                     "write SETTING=LEVEL,LEVEL, such as "
                     "--set disk.cache=none,writeback");
            continue;
        }
        name = g_strndup(sets[i], (gsize) (equals - sets[i]));
        if (!g_hash_table_add(seen, name)) {
            complain(problems, "--set", sets[i],
                     "this setting was given before: put all its levels into "
                     "one --set, with commas between them");
            continue;
        }
        g_string_append(yaml, "  ");
        append_scalar(yaml, name);
        g_string_append(yaml, ": ");
        append_list(yaml, equals + 1);
        g_string_append_c(yaml, '\n');
    }
}

/* "size=4k,time=2s" as "{size: 4k, time: 2s}". */
static bool
append_params(GString *yaml, const char *text)
{
    g_auto(GStrv) pairs = g_strsplit(text, ",", -1);

    g_string_append_c(yaml, '{');
    for (gsize i = 0; pairs[i]; i++) {
        char *equals = strchr(pairs[i], '=');

        if (!equals || equals == pairs[i])
            return false;
        *equals = '\0';
        if (i)
            g_string_append(yaml, ", ");
        append_scalar(yaml, pairs[i]);
        g_string_append(yaml, ": ");
        append_scalar(yaml, equals + 1);
    }
    g_string_append_c(yaml, '}');
    return true;
}

/* One -w as an entry of the list. */
static void
append_workload(GString *yaml, const char *text, YamlProblems *problems)
{
    const char *colon = strchr(text, ':');
    g_autofree char *name =
        colon ? g_strndup(text, (gsize) (colon - text)) : g_strdup(text);

    g_string_append(yaml, "  - ");
    append_scalar(yaml, name);
    if (colon) {
        g_string_append(yaml, ": ");
        if (!append_params(yaml, colon + 1))
            complain(problems, "-w", text,
                     "write WORKLOAD:PARAMETER=VALUE,PARAMETER=VALUE, such as "
                     "-w fs.fsync:size=4k,time=2s");
    }
    g_string_append_c(yaml, '\n');
}

/* Options are bytes that somebody typed or pasted. */
static void
check_text(const char *option, const char *const *texts, YamlProblems *problems)
{
    for (gsize i = 0; texts[i]; i++) {
        bool good = g_utf8_validate(texts[i], -1, NULL);

        for (const char *p = texts[i]; good && *p; p++)
            good = !g_ascii_iscntrl(*p);
        if (!good)
            complain(problems, option, texts[i],
                     "this holds control characters or is not UTF-8");
    }
}

/* The entries under a key of the root come from these options, in order. */
static void
name_origins(YamlNode *root, const char *key, const char *option,
             const char *const *texts)
{
    const YamlNode *value = yaml_get(root, key);

    for (gsize i = 0; i < value->values->len && texts[i]; i++) {
        g_autofree char *origin = g_strdup_printf("%s %s", option, texts[i]);

        yaml_set_origin(value->values->pdata[i], origin);
        if (value->keys)
            yaml_set_origin(value->keys->pdata[i], origin);
    }
}

/* Complains about what would make another file of the options than meant. */
static char *
options_text(const char *const *sets, const char *const *workloads,
             YamlProblems *problems)
{
    GString *yaml = g_string_new("name: " OPTIONS_NAME "\n");

    check_text("--set", sets, problems);
    check_text("-w", workloads, problems);
    if (!sets[0])
        yaml_problems_add(problems, NULL,
                          "no setting is given: add --set SETTING=LEVEL,LEVEL,"
                          " such as --set disk.cache=none,writeback");
    if (!workloads[0])
        yaml_problems_add(problems, NULL,
                          "no workload is given: add -w WORKLOAD, such as "
                          "-w fs.fsync");
    append_sets(yaml, sets, problems);
    g_string_append(yaml, "workloads:\n");
    for (gsize i = 0; workloads[i]; i++)
        append_workload(yaml, workloads[i], problems);
    return g_string_free(yaml, FALSE);
}

/* "-w a,b" is two workloads; with parameters the commas are theirs. */
static GPtrArray *
split_workloads(const char *const *workloads)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; workloads[i]; i++) {
        g_auto(GStrv) words = NULL;

        if (strchr(workloads[i], ':')) {
            g_ptr_array_add(list, g_strdup(workloads[i]));
            continue;
        }
        words = g_strsplit(workloads[i], ",", -1);
        for (gsize j = 0; words[j]; j++)
            g_ptr_array_add(list, g_strdup(words[j]));
    }
    g_ptr_array_add(list, NULL);
    return list;
}

Matrix *
matrix_from_options(const char *const *sets, const char *const *workloads,
                    bool quick, GError **err)
{
    static const char *const none[] = {NULL};
    const char *const *all_sets = sets ? sets : none;
    g_autoptr(YamlProblems) problems = yaml_problems_new(OPTIONS_PATH);
    g_autoptr(GPtrArray) list = split_workloads(workloads ? workloads : none);
    const char *const *names = (const char *const *) list->pdata;
    g_autofree char *text = options_text(all_sets, names, problems);
    g_autoptr(YamlNode) root = NULL;

    if (!yaml_problems_check(problems, err))
        return NULL;
    root = yaml_parse(text, strlen(text), problems);
    if (root) {
        name_origins(root, "matrix", "--set", all_sets);
        name_origins(root, "workloads", "-w", names);
    }
    return matrix_from_tree(root, text, quick, problems, err);
}
