/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See digest.h.
 */
#include "guest-payload/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHUNK ((size_t) 1 << 20)

static void
to_hex(const unsigned char *bytes, unsigned count, char digest[DIGEST_SIZE])
{
    for (unsigned i = 0; i < count && i < DIGEST_SIZE / 2; i++)
        snprintf(digest + 2 * (size_t) i, 3, "%02x", bytes[i]);
}

bool
digest_buffer(const void *data, size_t size, char digest[DIGEST_SIZE],
              Fail *fail)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned length = 0;

    if (!EVP_Digest(data, size, raw, &length, EVP_sha256(), NULL))
        return fail_set(fail, 0, "libcrypto has no sha-256");
    to_hex(raw, length, digest);
    return true;
}

static bool
write_all(int fd, const unsigned char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(fd, data + done, size - done);
        if (put < 0)
            return false;
        done += (size_t) put;
    }
    return true;
}

static bool
pump(const char *path, int fd, int copy_fd, EVP_MD_CTX *context,
     unsigned char *buffer, Fail *fail)
{
    ssize_t got;

    while ((got = read(fd, buffer, CHUNK)) > 0) {
        if (copy_fd >= 0 && !write_all(copy_fd, buffer, (size_t) got))
            return fail_set(fail, errno, "cannot copy %s", path);
        EVP_DigestUpdate(context, buffer, (size_t) got);
    }
    if (got < 0)
        return fail_set(fail, errno, "cannot read %s", path);
    return true;
}

bool
digest_file(const char *path, int copy_fd, char digest[DIGEST_SIZE], Fail *fail)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail_set(fail, errno, "cannot open %s", path);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char *buffer = malloc(CHUNK);
    bool ok =
        context && buffer && EVP_DigestInit_ex(context, EVP_sha256(), NULL);
    if (!ok)
        fail_set(fail, ENOMEM, "cannot begin a digest of %s", path);
    ok = ok && pump(path, fd, copy_fd, context, buffer, fail);
    if (ok && EVP_DigestFinal_ex(context, raw, &length))
        to_hex(raw, length, digest);
    free(buffer);
    EVP_MD_CTX_free(context);
    close(fd);
    return ok;
}
