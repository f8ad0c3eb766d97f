/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.hash: SHA-256 of blocks of 16 KiB, on one thread and on all, the figure
 * of `openssl speed -evp sha256` at its largest size.  libcrypto chooses its
 * code by the CPU's flags (SHA extensions, AVX2), which is what a sweep of CPU
 * models measures.
 *
 * Every digest made inside a window is compared with that of the block; the
 * code that makes them has to know the answer of FIPS 180-2 as well.
 */
#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "guest-payload/blocks.h"
#include "guest-payload/crew.h"
#include "guest-payload/loop.h"

extern const Workload wl_hash;

#define BLOCK_BYTES 16384 /* the largest of `openssl speed` */
#define DIGEST_BYTES 32

typedef struct Hash {
    EVP_MD *md;
    EVP_MD_CTX **context; /* one a thread */
    Loop *loop;
    int threads;
    unsigned char digest[DIGEST_BYTES]; /* of block */
    unsigned char block[BLOCK_BYTES];
} Hash;

static bool
digest(const Hash *hash, int thread, const void *data, size_t size,
       unsigned char *ret)
{
    EVP_MD_CTX *context = hash->context[thread];

    return EVP_DigestInit_ex(context, hash->md, NULL) == 1 &&
           EVP_DigestUpdate(context, data, size) == 1 &&
           EVP_DigestFinal_ex(context, ret, NULL) == 1;
}

static bool
hash_block(void *data, int thread)
{
    const Hash *hash = data;
    unsigned char made[DIGEST_BYTES] = {0};

    return digest(hash, thread, hash->block, sizeof(hash->block), made) &&
           memcmp(made, hash->digest, sizeof(made)) == 0;
}

static const LoopWindow windows[] = {
    {"one", hash_block, false, "cpu.hash.one", BLOCK_BYTES / 1e6},
    {"all", hash_block, true, "cpu.hash.all", BLOCK_BYTES / 1e6},
    {.phase = NULL},
};

static bool
make_contexts(Hash *hash)
{
    hash->md = EVP_MD_fetch(NULL, "SHA256", NULL);
    hash->context = calloc((size_t) hash->threads, sizeof(EVP_MD_CTX *));
    if (!hash->md || !hash->context)
        return false;
    for (int i = 0; i < hash->threads; i++)
        if (!(hash->context[i] = EVP_MD_CTX_new()))
            return false;
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    Hash *hash = calloc(1, sizeof(*hash));

    if (!hash)
        return fail_set(fail, ENOMEM, "cannot set up cpu.hash");
    run->state = hash;
    hash->threads = crew_cpus();
    random_fill(run->seed, hash->block, sizeof(hash->block));
    if (!make_contexts(hash) ||
        !digest(hash, 0, hash->block, sizeof(hash->block), hash->digest))
        return fail_set(fail, 0, "cpu.hash: libcrypto cannot make a SHA-256");
    return loop_make(hash->threads, hash, &hash->loop, fail);
}

static bool
warm_up(Run *run, Fail *fail)
{
    return loop_warm_up(((Hash *) run->state)->loop, windows, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return loop_measure(run, ((Hash *) run->state)->loop, windows, fail);
}

/* "abc", FIPS 180-2 B.1; and the block again, in two halves. */
static bool
check(Run *run, Fail *fail)
{
    static const unsigned char abc[DIGEST_BYTES] = {
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
        0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
        0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
    };
    Hash *hash = run->state;
    EVP_MD_CTX *context = hash->context[0];
    unsigned char made[DIGEST_BYTES] = {0};

    if (!digest(hash, 0, "abc", 3, made) ||
        memcmp(made, abc, sizeof(made)) != 0)
        return fail_set(fail, 0, "cpu.hash: the digest of \"abc\" is wrong");
    if (EVP_DigestInit_ex(context, hash->md, NULL) != 1 ||
        EVP_DigestUpdate(context, hash->block, BLOCK_BYTES / 2) != 1 ||
        EVP_DigestUpdate(context, hash->block + BLOCK_BYTES / 2,
                         BLOCK_BYTES / 2) != 1 ||
        EVP_DigestFinal_ex(context, made, NULL) != 1 ||
        memcmp(made, hash->digest, sizeof(made)) != 0)
        return fail_set(fail, 0,
                        "cpu.hash: the digest of the block is not that of "
                        "its halves");
    return true;
}

static void
teardown(Run *run)
{
    Hash *hash = run->state;

    if (!hash)
        return;
    loop_free(hash->loop);
    for (int i = 0; hash->context && i < hash->threads; i++)
        EVP_MD_CTX_free(hash->context[i]);
    free(hash->context);
    EVP_MD_free(hash->md);
    free(hash);
}

const Workload wl_hash = {
    .name = "cpu.hash",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
