/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys domain, disk, storage and guest of a matrix: in what, and on what,
 * the measuring is done.
 */
#include <string.h>
#include "base/paths.h"
#include "base/units.h"
#include "plan/matrix-parse.h"

#define MEBIBYTE (G_GUINT64_CONSTANT(1) << 20)
/* ext4, the payload and the smallest work file do not fit into less. */
#define DISK_MIN (64 * MEBIBYTE)
/* Every slot is a full copy of the disk: beyond this the unit was a slip. */
#define DISK_MAX (G_GUINT64_CONSTANT(4) << 40)
#define DOMAIN_DEFAULT "micro"

/* The file of a domain that is given by name. */
static char *
find_domain(Parse *parse, const YamlNode *where, const char *name)
{
    g_autofree char *file = g_strdup_printf("domains/%s.xml", name);
    g_autoptr(GError) error = NULL;
    char *path = paths_data(file, &error);

    if (!path)
        yaml_problems_add(parse->problems, where,
                          "domain: no template '%s': give the path of a "
                          "domain XML file, or %s for the one that comes with "
                          "vsweep",
                          name, DOMAIN_DEFAULT);
    return path;
}

void
parse_domain(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *text = parse_text(parse, row->title, value);
    g_autofree char *path = NULL;

    if (!text)
        return;
    if (!strchr(text, '/') && !g_str_has_suffix(text, ".xml")) {
        parse->matrix->domain_path = find_domain(parse, value, text);
        return;
    }
    path = parse_path(parse, row->title, value);
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        yaml_problems_add(parse->problems, value,
                          "domain: there is no file '%s': paths begin at the "
                          "directory of the matrix; `virsh dumpxml NAME` "
                          "makes one",
                          text);
        return;
    }
    parse->matrix->domain_path = g_steal_pointer(&path);
}

void
parse_default_domain(Parse *parse)
{
    parse->matrix->domain_path = find_domain(parse, NULL, DOMAIN_DEFAULT);
}

void
parse_disk(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *text = parse_text(parse, row->title, value);

    if (!text)
        return;
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(text))
        yaml_problems_add(parse->problems, value,
                          "disk: '%s' is no target of a domain's disk: write "
                          "the dev of its <target>, such as vda",
                          text);
    else
        parse->matrix->disk = g_strdup(text);
}

void
parse_storage(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    g_autofree char *path = parse_path(parse, row->title, value);

    if (!path)
        return;
    if (g_file_test(path, G_FILE_TEST_EXISTS) &&
        !g_file_test(path, G_FILE_TEST_IS_DIR))
        yaml_problems_add(parse->problems, value,
                          "storage: '%s' is no directory; block devices and "
                          "volumes are not available yet in this version, "
                          "give a directory on the disk to measure",
                          value->text);
    else
        parse->matrix->storage = g_steal_pointer(&path);
}

/* ------------------------------------------------------------------ guest */

static void
parse_kernel(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    g_autofree char *path = parse_path(parse, row->title, value);

    if (!path || strcmp(value->text, "host") == 0)
        return;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        yaml_problems_add(parse->problems, value,
                          "guest.kernel: there is no file '%s': give the path "
                          "of a kernel image, or host for the newest kernel "
                          "of this host that fits",
                          value->text);
    else
        parse->matrix->kernel = g_steal_pointer(&path);
}

static void
parse_fs(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const char *const names[] = {"ext4", "ext3", "ext2"};
    static const Choice choices[] = {
        {"ext4", 0, NULL},
        {"ext3", 1, NULL},
        {"ext2", 2, NULL},
        {"xfs", LATER, "use ext4"},
        {"btrfs", LATER, "use ext4"},
        {0},
    };
    int index = 0;

    if (!parse_choice(parse, row->title, value, choices, &index))
        return;
    g_free(parse->matrix->fs);
    parse->matrix->fs = g_strdup(names[index]);
}

static void
parse_disk_bytes(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    guint64 bytes = 0;

    if (!parse_size(parse, row->title, value, &bytes))
        return;
    if (bytes < DISK_MIN || bytes > DISK_MAX || bytes % MEBIBYTE)
        yaml_problems_add(parse->problems, value,
                          "guest.disk: '%s' is not from 64M to 4T in whole "
                          "MiB",
                          value->text);
    else
        parse->matrix->disk_bytes = bytes;
}

/* Keys of guest that are settings under another name: held at one level. */
static void
parse_fixed(Parse *parse, const YamlNode *value, const char *name,
            const char *title)
{
    const Setting *setting = setting_find(name);
    const char *level = parse_text(parse, title, value);
    g_autoptr(GError) error = NULL;

    if (!level)
        return;
    if (!setting_check_level(setting, level, &error))
        yaml_problems_add(parse->problems, value, "guest.%s", error->message);
    rule_add(parse->matrix->fixed, setting, level);
}

static void
parse_memory(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse_fixed(parse, value, "memory", row->title);
}

static void
parse_cmdline(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse_fixed(parse, value, "guest.cmdline", row->title);
}

static const KeyRow guest_keys[] = {
    {"kernel", "guest.kernel", parse_kernel, NULL},
    {"fs", "guest.fs", parse_fs, NULL},
    {"memory", "guest.memory", parse_memory, NULL},
    {"disk", "guest.disk", parse_disk_bytes, NULL},
    {"cmdline", "guest.cmdline", parse_cmdline, NULL},
    {"image", "guest.image", NULL, "use guest.kernel"},
    {0},
};

void
parse_guest(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    if (parse_is_mapping(parse, row->title, value,
                         "{memory: 512M, disk: 512M}"))
        parse_keys(parse, row->title, value, guest_keys);
}
