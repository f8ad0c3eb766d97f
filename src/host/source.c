/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small texts of proc and sysfs: see source.h. */
#include "host/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd-auto.h"

bool
source_read_at(int dirfd, const char *path, char *buffer, gsize size)
{
    g_autofd int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, buffer, size - 1);

    if (got < 0)
        return false;
    buffer[got] = '\0';
    return true;
}

/* Reads to the end or until the buffer is full. */
static bool
read_whole(const char *path, char *buffer, gsize size)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    gsize used = 0;
    ssize_t got = 0;

    if (fd < 0)
        return false;
    do {
        used += (gsize) got;
        got = read(fd, buffer + used, size - 1 - used);
    } while (got > 0);
    buffer[used] = '\0';
    return got == 0;
}

bool
source_read(char *buffer, gsize size, const char *root, const char *format, ...)
{
    char path[SOURCE_PATH_MAX];
    gsize used = g_strlcpy(path, root, sizeof(path));
    va_list args;
    int more = 0;

    if (used >= sizeof(path))
        return false;
    va_start(args, format);
    more = vsnprintf(path + used, sizeof(path) - used, format, args);
    va_end(args);
    if (more < 0 || (gsize) more >= sizeof(path) - used)
        return false;
    return read_whole(path, buffer, size);
}

const char *
source_value(const char *text, const char *key)
{
    gsize length = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) != 0)
            continue;
        const char *rest = line + length;
        gsize gap = strspn(rest, ": \t");
        if (gap > 0)
            return rest + gap;
    }
    return NULL;
}

bool
source_number(const char *text, const char *key, gint64 *ret_value)
{
    const char *value = source_value(text, key);

    if (!value || !g_ascii_isdigit(*value))
        return false;
    *ret_value = g_ascii_strtoll(value, NULL, 10);
    return true;
}

guint
source_numbers(const char *text, gint64 *numbers, guint max)
{
    guint count = 0;

    while (count < max) {
        text += strspn(text, " \t");
        if (!g_ascii_isdigit(*text))
            break;
        numbers[count++] = (gint64) g_ascii_strtoull(text, (char **) &text, 10);
    }
    return count;
}
