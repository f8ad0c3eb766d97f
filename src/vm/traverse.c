/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the user that qemu:///system runs QEMU as can reach a file.
 * libvirt changes the owner of the file itself, never of the directories
 * above it, and QEMU's "permission denied" does not name the one that is in
 * the way.
 */
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include "vm/connect.h"

/* The user's groups; more than this many are not looked at. */
#define GROUPS_MAX 64

typedef struct Person {
    uid_t uid;
    gid_t groups[GROUPS_MAX];
    int count;
} Person;

/* Debian's name first, then that of Fedora and SUSE. */
static bool
find_qemu_user(Person *person)
{
    static const char *const names[] = {"libvirt-qemu", "qemu"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        /* cppcheck-suppress getpwnamCalled ; read before any other call */
        const struct passwd *entry = getpwnam(names[i]);

        if (!entry)
            continue;
        person->uid = entry->pw_uid;
        person->count = GROUPS_MAX;
        if (getgrouplist(names[i], entry->pw_gid, person->groups,
                         &person->count) < 0)
            person->count = GROUPS_MAX;
        return true;
    }
    return false;
}

static bool
is_in_group(const Person *person, gid_t group)
{
    for (int i = 0; i < person->count; i++)
        if (person->groups[i] == group)
            return true;
    return false;
}

/* A directory with an access control list gets the benefit of the doubt. */
static bool
can_traverse(const Person *person, const char *dir)
{
    struct stat st = {0};

    if (stat(dir, &st) < 0 ||
        getxattr(dir, "system.posix_acl_access", NULL, 0) > 0)
        return true;
    if (st.st_uid == person->uid)
        return st.st_mode & S_IXUSR;
    if (is_in_group(person, st.st_gid))
        return st.st_mode & S_IXGRP;
    return st.st_mode & S_IXOTH;
}

char *
connect_blocked_directory(const Connect *connect, const char *path)
{
    Person person = {0};

    if (strncmp(connect_uri(connect), "qemu:///system",
                strlen("qemu:///system")) != 0 ||
        !find_qemu_user(&person))
        return NULL;
    for (const char *slash = strchr(path, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        g_autofree char *dir = slash == path
                                   ? g_strdup("/")
                                   : g_strndup(path, (gsize) (slash - path));

        if (!can_traverse(&person, dir))
            return g_steal_pointer(&dir);
    }
    return NULL;
}
