/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel versions: their order, and the one an image carries (kernel.h). */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "guest/kernel.h"

/* x86 boot protocol (Documentation/arch/x86/boot.rst): bytes of the image. */
#define HEADER_MAGIC_AT 0x202   /* "HdrS" */
#define HEADER_VERSION_AT 0x20e /* u16: where the text is, less 0x200 */
#define HEADER_TEXT_BASE 0x200
/* The release of a kernel is at most 64 bytes (struct utsname). */
#define RELEASE_MAX 64

/* Where a character stands between others: '~' before the end, the end before
 * letters, letters before the rest. */
static int
rank(char c)
{
    if (c == '~')
        return -1;
    if (c == '\0' || g_ascii_isdigit(c))
        return 0;
    return g_ascii_isalpha(c) ? c : c + 256;
}

/* Compares the digits at both places and steps over them. */
static int
compare_number(const char **a, const char **b)
{
    gsize la = 0, lb = 0;
    int order = 0;

    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    la = strspn(*a, "0123456789");
    lb = strspn(*b, "0123456789");
    order = la != lb ? (la < lb ? -1 : 1) : strncmp(*a, *b, la);
    *a += la;
    *b += lb;
    return order;
}

int
kernel_version_compare(const char *a, const char *b)
{
    while (*a || *b) {
        int order = 0;

        while ((*a && !g_ascii_isdigit(*a)) || (*b && !g_ascii_isdigit(*b))) {
            order = rank(*a) - rank(*b);
            if (order)
                return order;
            a++;
            b++;
        }
        order = compare_number(&a, &b);
        if (order)
            return order;
    }
    return 0;
}

/* The text becomes part of a path: nothing but what a release is made of. */
static bool
plausible(const char *version)
{
    return g_ascii_isdigit(*version) &&
           version[strspn(version, "0123456789.-+~_abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

char *
kernel_image_version(const char *path)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    guint8 magic[4] = {0}, at[2] = {0};
    char text[RELEASE_MAX + 1] = {0};

    if (fd < 0 || pread(fd, magic, 4, HEADER_MAGIC_AT) != 4 ||
        memcmp(magic, "HdrS", 4) || pread(fd, at, 2, HEADER_VERSION_AT) != 2)
        return NULL;
    if (pread(fd, text, RELEASE_MAX, HEADER_TEXT_BASE + (at[0] | at[1] << 8)) <
        0)
        return NULL;
    text[strcspn(text, " ")] = '\0';
    return plausible(text) ? g_strdup(text) : NULL;
}
