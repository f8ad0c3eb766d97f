/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See text.h.
 */
#include "guest-payload/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
clean(char *text)
{
    size_t length = strlen(text);

    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    for (char *c = text; *c; c++)
        if ((*c < ' ' && *c != '\n' && *c != '\t') || *c > '~')
            *c = '?';
}

bool
text_read(const char *path, char *buffer, size_t size)
{
    size_t have = 0;
    ssize_t got = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    buffer[0] = '\0';
    if (fd < 0)
        return false;
    while (have + 1 < size &&
           (got = read(fd, buffer + have, size - 1 - have)) > 0)
        have += (size_t) got;
    close(fd);
    buffer[have] = '\0';
    if (got < 0) {
        buffer[0] = '\0';
        return false;
    }
    clean(buffer);
    return true;
}

bool
text_write(const char *path, const char *text, Fail *fail)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return fail_set(fail, errno, "cannot open %s", path);
    ssize_t put = write(fd, text, strlen(text));
    int error = errno;
    close(fd);
    if (put != (ssize_t) strlen(text))
        return fail_set(fail, put < 0 ? error : EIO,
                        "cannot write \"%s\" to %s", text, path);
    return true;
}

void
text_copy(char *target, size_t size, const char *source)
{
    size_t length = strnlen(source, size - 1);

    memcpy(target, source, length);
    target[length] = '\0';
}

bool
text_word(const char *line, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);

    for (const char *word = line; *word;) {
        size_t span = strcspn(word, " \t\n");
        if (span >= length && memcmp(word, name, length) == 0 &&
            (span == length || word[length] == '=')) {
            size_t skip = span == length ? length : length + 1;
            size_t room = span - skip + 1;
            text_copy(value, room < size ? room : size, word + skip);
            return true;
        }
        word += span;
        word += strspn(word, " \t\n");
    }
    return false;
}

bool
text_field(const char *text, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0)
            continue;
        const char *colon = line + length + strspn(line + length, " \t");
        if (*colon != ':')
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        size_t room = strcspn(colon, "\n") + 1;
        text_copy(value, room < size ? room : size, colon);
        return true;
    }
    return false;
}
