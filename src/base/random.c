/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SplitMix64 and the shuffle made from it: see random.h (METHOD 4.2). */
#include <sys/random.h>
#include "base/random.h"

guint64
random_mix64(guint64 z)
{
    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void
random_init(Random *random, guint64 seed)
{
    random->state = seed;
}

guint64
random_next(Random *random)
{
    random->state += G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    return random_mix64(random->state);
}

guint64
random_bounded(Random *random, guint64 n)
{
    guint64 threshold = -n % n; /* 2^64 mod n */
    guint64 r = 0;

    do
        r = random_next(random);
    while (r < threshold);
    return r % n;
}

void
random_shuffle(Random *random, guint *order, guint k)
{
    for (guint i = 0; i < k; i++)
        order[i] = i;
    for (guint i = k; i > 1; i--) {
        guint j = (guint) random_bounded(random, i);
        guint swap = order[i - 1];

        order[i - 1] = order[j];
        order[j] = swap;
    }
}

guint64
random_seed(void)
{
    guint64 seed = 0;

    while (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
        ;
    return seed;
}
