/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.rsa: RSA-2048 signatures and verifications a second, on one thread and
 * on all of them, the figures of `openssl speed rsa2048`.  libcrypto chooses
 * its code by the CPU's flags, which is what a sweep of CPU modes measures.
 *
 * PKCS#1 v1.5 signatures are deterministic, so every signature made inside a
 * window is compared with the one from set-up, and that one is verified.
 * libcrypto allocates inside the operations; that belongs to them.
 */
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "guest-payload/crew.h"
#include "guest-payload/rsa-key.h"
#include "guest-payload/workload.h"

extern const Workload wl_rsa;

#define HASH_BYTES 32       /* SHA-256 */
#define SIGNATURE_BYTES 256 /* 2048 bits */

typedef struct Rsa Rsa;

/* What one thread works with; nothing here is shared while it works. */
typedef struct Worker {
    EVP_PKEY_CTX *sign, *verify;
    int64_t ops, wrong;
    unsigned char signature[SIGNATURE_BYTES];
    char padding[64]; /* counters of two threads never share a cache line */
} Worker;

struct Rsa {
    EVP_PKEY *key;
    unsigned char hash[HASH_BYTES];
    unsigned char signature[SIGNATURE_BYTES]; /* of hash */
    bool (*operation)(const Rsa *rsa, Worker *worker);
    int64_t deadline;
    Crew *crew;
    int threads;
    Worker worker[];
};

static bool
sign_one(const Rsa *rsa, Worker *worker)
{
    size_t size = sizeof(worker->signature);

    return EVP_PKEY_sign(worker->sign, worker->signature, &size, rsa->hash,
                         sizeof(rsa->hash)) == 1 &&
           size == sizeof(rsa->signature) &&
           memcmp(worker->signature, rsa->signature, size) == 0;
}

static bool
verify_one(const Rsa *rsa, Worker *worker)
{
    return EVP_PKEY_verify(worker->verify, rsa->signature,
                           sizeof(rsa->signature), rsa->hash,
                           sizeof(rsa->hash)) == 1;
}

static void
work(int thread, void *data)
{
    Rsa *rsa = data;
    Worker *worker = &rsa->worker[thread];

    do {
        worker->wrong += !rsa->operation(rsa, worker);
        worker->ops++;
    } while (raw_ns() < rsa->deadline && !stop_requested());
}

static EVP_PKEY_CTX *
make_context(EVP_PKEY *key, int (*init)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);

    if (context && init(context) == 1 &&
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 &&
        EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1)
        return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

static bool
make_workers(Rsa *rsa)
{
    const unsigned char *der = rsa_test_key;

    rsa->key = d2i_PrivateKey(EVP_PKEY_RSA, NULL, &der, sizeof(rsa_test_key));
    if (!rsa->key)
        return false;
    for (int i = 0; i < rsa->threads; i++) {
        Worker *worker = &rsa->worker[i];
        worker->sign = make_context(rsa->key, EVP_PKEY_sign_init);
        worker->verify = make_context(rsa->key, EVP_PKEY_verify_init);
        if (!worker->sign || !worker->verify)
            return false;
    }
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    int threads = crew_cpus();
    size_t size = SIGNATURE_BYTES;
    Rsa *rsa = calloc(1, sizeof(*rsa) + sizeof(Worker) * (size_t) threads);

    if (!rsa)
        return fail_set(fail, 0, "no memory for cpu.rsa");
    rsa->threads = threads;
    run->state = rsa;
    for (size_t i = 0; i < sizeof(rsa->hash); i++)
        rsa->hash[i] = (unsigned char) (run->seed >> i % 8 * 8);
    if (!make_workers(rsa) ||
        EVP_PKEY_sign(rsa->worker[0].sign, rsa->signature, &size, rsa->hash,
                      sizeof(rsa->hash)) != 1)
        return fail_set(fail, 0, "cpu.rsa: libcrypto cannot use the key");
    return crew_make(threads, work, rsa, &rsa->crew, fail);
}

static bool
warm_up(Run *run, Fail *fail)
{
    Rsa *rsa = run->state;

    rsa->deadline = raw_ns() + 20 * NS_PER_MS;
    rsa->operation = sign_one;
    crew_round(rsa->crew);
    rsa->operation = verify_one;
    crew_round(rsa->crew);
    return stop_check(fail);
}

typedef struct Window {
    const char *phase;
    bool (*operation)(const Rsa *rsa, Worker *worker);
    bool all; /* threads */
    const char *metric;
} Window;

static const Window windows[] = {
    {"sign", sign_one, false, "cpu.rsa.sign"},
    {"verify", verify_one, false, "cpu.rsa.verify"},
    {"sign.all", sign_one, true, "cpu.rsa.sign.all"},
    {"verify.all", verify_one, true, "cpu.rsa.verify.all"},
};

static bool
measure_one(Run *run, const Window *window, Fail *fail)
{
    Rsa *rsa = run->state;
    int64_t ops = 0, wrong = 0;

    rsa->operation = window->operation;
    for (int i = 0; i < rsa->threads; i++)
        rsa->worker[i].ops = rsa->worker[i].wrong = 0;
    if (!window_open(run, window->phase, false, fail))
        return false;
    rsa->deadline = run->t0 + (int64_t) params_get(&run->params, "time");
    if (window->all)
        crew_round(rsa->crew);
    else
        work(0, rsa);
    for (int i = 0; i < rsa->threads; i++) {
        ops += rsa->worker[i].ops;
        wrong += rsa->worker[i].wrong;
    }
    if (!window_close(run, ops, fail))
        return false;
    if (wrong)
        return fail_set(fail, 0,
                        "cpu.rsa: %lld of %lld results of %s are "
                        "wrong",
                        (long long) wrong, (long long) ops, window->phase);
    result_sample(run, window->metric, window_rate(run, (double) ops), ops);
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
        if (!measure_one(run, &windows[i], fail))
            return false;
    return true;
}

/* The reference signature holds, and a changed one does not: a verification
 * that says yes to everything is no work. */
static bool
check(Run *run, Fail *fail)
{
    Rsa *rsa = run->state;

    if (!verify_one(rsa, &rsa->worker[0]))
        return fail_set(fail, 0, "cpu.rsa: the signature does not verify");
    rsa->signature[SIGNATURE_BYTES / 2] ^= 1;
    if (verify_one(rsa, &rsa->worker[0]))
        return fail_set(fail, 0, "cpu.rsa: a forged signature verifies");
    return true;
}

static void
teardown(Run *run)
{
    Rsa *rsa = run->state;

    if (!rsa)
        return;
    crew_free(rsa->crew);
    for (int i = 0; i < rsa->threads; i++) {
        EVP_PKEY_CTX_free(rsa->worker[i].sign);
        EVP_PKEY_CTX_free(rsa->worker[i].verify);
    }
    EVP_PKEY_free(rsa->key);
    free(rsa);
}

const Workload wl_rsa = {
    .name = "cpu.rsa",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
