/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.aead: authenticated encryption in blocks of 16 KiB with AES-256-GCM,
 * which lives off the CPU's AES and carry-less multiplication, and with
 * ChaCha20-Poly1305, which needs neither: the difference shows which flags a
 * guest was given.  The figures of `openssl speed -evp` at its largest size.
 *
 * Blocks are joined to messages of 256 KiB, and every message's tag must be
 * that of the message: a tag covers each byte.  The message is decrypted, and
 * a forged one refused, outside the windows.
 */
#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "guest-payload/blocks.h"
#include "guest-payload/crew.h"
#include "guest-payload/loop.h"

extern const Workload wl_aead;

#define BLOCK_BYTES 16384 /* the largest of `openssl speed` */
/* Beginning and ending a message costs about 0.3 us; 16 blocks take 50 us on
 * fast hardware and 10 ms under emulation, fine enough for a window. */
#define MESSAGE_BLOCKS 16
#define MESSAGE_MB (BLOCK_BYTES * MESSAGE_BLOCKS / 1e6)
#define KEY_BYTES 32
#define NONCE_BYTES 12
#define TAG_BYTES 16

typedef enum { AES, CHACHA, CIPHERS } Cipher;

static const char *const cipher_names[CIPHERS] = {
    [AES] = "AES-256-GCM",
    [CHACHA] = "ChaCha20-Poly1305",
};

typedef struct Worker {
    EVP_CIPHER_CTX *context[CIPHERS];
    unsigned char out[BLOCK_BYTES]; /* the last block of ciphertext */
} Worker;

typedef struct Aead {
    Loop *loop;
    Worker *worker;
    int threads;
    unsigned char key[KEY_BYTES], nonce[NONCE_BYTES];
    unsigned char tag[CIPHERS][TAG_BYTES]; /* of the message */
    unsigned char block[BLOCK_BYTES];      /* the message is copies of it */
} Aead;

static bool
encrypt(const Aead *aead, Worker *worker, Cipher cipher, unsigned char *ret_tag)
{
    EVP_CIPHER_CTX *context = worker->context[cipher];
    int size;

    if (EVP_EncryptInit_ex(context, NULL, NULL, NULL, aead->nonce) != 1)
        return false;
    for (int i = 0; i < MESSAGE_BLOCKS; i++)
        if (EVP_EncryptUpdate(context, worker->out, &size, aead->block,
                              BLOCK_BYTES) != 1)
            return false;
    return EVP_EncryptFinal_ex(context, worker->out, &size) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES,
                               ret_tag) == 1;
}

static bool
encrypt_and_compare(const Aead *aead, int thread, Cipher cipher)
{
    unsigned char tag[TAG_BYTES] = {0};

    return encrypt(aead, &aead->worker[thread], cipher, tag) &&
           memcmp(tag, aead->tag[cipher], sizeof(tag)) == 0;
}

static bool
aes(void *data, int thread)
{
    return encrypt_and_compare(data, thread, AES);
}

static bool
chacha(void *data, int thread)
{
    return encrypt_and_compare(data, thread, CHACHA);
}

static const LoopWindow windows[] = {
    {"aes", aes, false, "cpu.aead.aes", MESSAGE_MB},
    {"aes.all", aes, true, "cpu.aead.aes.all", MESSAGE_MB},
    {"chacha", chacha, false, "cpu.aead.chacha", MESSAGE_MB},
    {"chacha.all", chacha, true, "cpu.aead.chacha.all", MESSAGE_MB},
    {.phase = NULL},
};

static bool
make_context(const Aead *aead, Cipher cipher, EVP_CIPHER_CTX **ret)
{
    EVP_CIPHER *method = EVP_CIPHER_fetch(NULL, cipher_names[cipher], NULL);
    bool ok =
        method && (*ret = EVP_CIPHER_CTX_new()) &&
        EVP_EncryptInit_ex(*ret, method, NULL, aead->key, aead->nonce) == 1;

    EVP_CIPHER_free(method);
    return ok;
}

static bool
make_workers(Aead *aead)
{
    aead->worker = calloc((size_t) aead->threads, sizeof(Worker));
    if (!aead->worker)
        return false;
    for (int i = 0; i < aead->threads; i++)
        for (Cipher c = AES; c < CIPHERS; c++)
            if (!make_context(aead, c, &aead->worker[i].context[c]))
                return false;
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    Aead *aead = calloc(1, sizeof(*aead));

    if (!aead)
        return fail_set(fail, ENOMEM, "cannot set up cpu.aead");
    run->state = aead;
    aead->threads = crew_cpus();
    random_fill(run->seed, aead->key, sizeof(aead->key));
    random_fill(run->seed + 1, aead->nonce, sizeof(aead->nonce));
    random_fill(run->seed + 2, aead->block, sizeof(aead->block));
    bool ok = make_workers(aead);
    for (Cipher c = AES; ok && c < CIPHERS; c++)
        ok = encrypt(aead, &aead->worker[0], c, aead->tag[c]);
    if (!ok)
        return fail_set(fail, 0,
                        "cpu.aead: libcrypto cannot encrypt with "
                        "AES-256-GCM and ChaCha20-Poly1305");
    return loop_make(aead->threads, aead, &aead->loop, fail);
}

static bool
warm_up(Run *run, Fail *fail)
{
    return loop_warm_up(((Aead *) run->state)->loop, windows, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return loop_measure(run, ((Aead *) run->state)->loop, windows, fail);
}

/* Encrypts the message, decrypts what came out with this tag, and compares. */
static bool
decrypts(const Aead *aead, Cipher cipher, const unsigned char *tag)
{
    EVP_CIPHER_CTX *there = aead->worker[0].context[cipher];
    EVP_CIPHER_CTX *back = NULL;
    unsigned char text[BLOCK_BYTES], plain[BLOCK_BYTES];
    int size;
    bool ok = make_context(aead, cipher, &back) &&
              EVP_DecryptInit_ex(back, NULL, NULL, NULL, aead->nonce) == 1 &&
              EVP_EncryptInit_ex(there, NULL, NULL, NULL, aead->nonce) == 1;

    for (int i = 0; ok && i < MESSAGE_BLOCKS; i++)
        ok = EVP_EncryptUpdate(there, text, &size, aead->block, BLOCK_BYTES) ==
                 1 &&
             memcmp(text, aead->block, BLOCK_BYTES) != 0 &&
             EVP_DecryptUpdate(back, plain, &size, text, BLOCK_BYTES) == 1 &&
             memcmp(plain, aead->block, BLOCK_BYTES) == 0;
    ok = ok &&
         EVP_CIPHER_CTX_ctrl(back, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES,
                             (void *) (uintptr_t) tag) == 1 &&
         EVP_DecryptFinal_ex(back, plain, &size) == 1;
    EVP_CIPHER_CTX_free(back);
    return ok;
}

static bool
check(Run *run, Fail *fail)
{
    const Aead *aead = run->state;

    for (Cipher c = AES; c < CIPHERS; c++) {
        unsigned char forged[TAG_BYTES];
        memcpy(forged, aead->tag[c], sizeof(forged));
        forged[TAG_BYTES / 2] ^= 1;
        if (!decrypts(aead, c, aead->tag[c]))
            return fail_set(fail, 0,
                            "cpu.aead: the message does not decrypt with %s",
                            cipher_names[c]);
        if (decrypts(aead, c, forged))
            return fail_set(fail, 0,
                            "cpu.aead: a forged message decrypts with %s",
                            cipher_names[c]);
    }
    return true;
}

static void
teardown(Run *run)
{
    Aead *aead = run->state;

    if (!aead)
        return;
    loop_free(aead->loop);
    for (int i = 0; aead->worker && i < aead->threads; i++)
        for (Cipher c = AES; c < CIPHERS; c++)
            EVP_CIPHER_CTX_free(aead->worker[i].context[c]);
    free(aead->worker);
    free(aead);
}

const Workload wl_aead = {
    .name = "cpu.aead",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
