/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gates: each looks at the counters of a window, never at its result, and
 * says what was wrong with the conditions.  A counter this host does not have
 * breaks no gate.
 */
#include "host/validity.h"

#include <math.h>
#include <unistd.h>

/* The limits of METHOD 5.5 and 0.10, as shares. */
#define STEAL_LIMIT 0.01
#define STEAL_LIMIT_TCG 0.05
#define HOST_STEAL_LIMIT 0.005
#define FOREIGN_LIMIT 0.02
/* A tick is booked to whoever runs when it comes: below two of them a share
 * of a short window says nothing. */
#define FOREIGN_MIN_TICKS 2
/* Two clocks read through a channel: their rates, and the messages' way. */
#define CLOCK_LIMIT 0.001
#define CLOCK_SLACK_NS 20e6

#define NS_PER_S 1e9
#define NS_PER_MS 1e6

/* *ret_delta: how far a counter moved; false when either end lacks it.  One
 * that went back (threads or processes that ended) counts as still. */
static bool
moved(const Window *window, const char *name, double *ret_delta)
{
    const gint64 *before = g_hash_table_lookup(window->before, name);
    const gint64 *after = g_hash_table_lookup(window->after, name);

    if (!before || !after)
        return false;
    *ret_delta = MAX((double) *after - (double) *before, 0);
    return true;
}

static double
window_ns(const Window *window)
{
    return (double) window->host_t1 - (double) window->host_t0;
}

/* CPU time there was, in ticks of /proc. */
static double
capacity_ticks(const Window *window)
{
    return window->ncpu * window_ns(window) / NS_PER_S *
           (double) sysconf(_SC_CLK_TCK);
}

static const char *
plural(guint count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static char *
share_breach(double share, double limit, guint count, const char *what)
{
    return g_strdup_printf("%.4g %% of %u %s (limit %.4g %%)", 100 * share,
                           count, what, 100 * limit);
}

/* How long the vCPUs waited for a CPU: libvirt's figure for each of them, or
 * else that of all of QEMU's threads. */
static bool
vcpu_delay(const Window *window, double *ret_ns)
{
    double sum = 0;

    for (guint i = 0; i < window->vcpus; i++) {
        g_autofree char *name = g_strdup_printf("vcpu.%u.delay", i);
        double one = 0;
        if (!moved(window, name, &one))
            return moved(window, "proc.run_delay_ns", ret_ns);
        sum += one;
    }
    *ret_ns = sum;
    return true;
}

static char *
check_steal(const Window *window)
{
    double limit = window->kvm ? STEAL_LIMIT : STEAL_LIMIT_TCG;
    double delay = 0;

    if (window->vcpus == 0 || window->overcommit || !vcpu_delay(window, &delay))
        return NULL;
    double share = delay / (window->vcpus * window_ns(window));
    if (share <= limit)
        return NULL;
    return share_breach(share, limit, window->vcpus,
                        plural(window->vcpus, "vCPU", "vCPUs"));
}

static char *
check_host_steal(const Window *window)
{
    double ticks = 0;

    if (window->ncpu == 0 || !moved(window, "cpu.steal", &ticks))
        return NULL;
    double share = ticks / capacity_ticks(window);
    if (share <= HOST_STEAL_LIMIT)
        return NULL;
    return share_breach(share, HOST_STEAL_LIMIT, window->ncpu,
                        plural(window->ncpu, "CPU", "CPUs"));
}

static char *
check_foreign_cpu(const Window *window)
{
    double ticks = 0;

    if (window->ncpu == 0 || !moved(window, "foreign.ticks", &ticks))
        return NULL;
    double capacity = capacity_ticks(window);
    double allowed = MAX(FOREIGN_LIMIT * capacity, FOREIGN_MIN_TICKS);
    if (ticks <= allowed)
        return NULL;
    return share_breach(ticks / capacity, allowed / capacity, window->ncpu,
                        plural(window->ncpu, "CPU", "CPUs"));
}

static char *
check_swap(const Window *window)
{
    double in = 0, out = 0;

    moved(window, "vm.pswpin", &in);
    moved(window, "vm.pswpout", &out);
    if (in + out == 0)
        return NULL;
    return g_strdup_printf("%.0f pages in, %.0f out (limit 0)", in, out);
}

static char *
check_throttle(const Window *window)
{
    double events = 0;

    if (!moved(window, "thermal.throttle", &events) || events == 0)
        return NULL;
    return g_strdup_printf("%.0f thermal throttle events (limit 0)", events);
}

static char *
check_clock(const Window *window)
{
    /* As doubles: the guest's stamps may be anything at all. */
    double host = window_ns(window);
    double guest = (double) window->guest_t1 - (double) window->guest_t0;
    double limit = CLOCK_LIMIT * host + CLOCK_SLACK_NS;
    double apart = fabs(guest - host);

    if (apart <= limit)
        return NULL;
    return g_strdup_printf(
        "guest and host differ by %.4g ms over %.4g s (limit %.4g ms)",
        apart / NS_PER_MS, host / NS_PER_S, limit / NS_PER_MS);
}

/* The text behind the id, or NULL.  Caller frees. */
typedef char *Gate(const Window *window);

static const struct {
    const char *id;
    Gate *check;
} gates[] = {
    {"steal", check_steal},
    {"host_steal", check_host_steal},
    {"foreign_cpu", check_foreign_cpu},
    {"swap", check_swap},
    {"throttle", check_throttle},
    {"clock", check_clock},
};

char *
validity_check(const Window *window)
{
    if (window->host_t1 <= window->host_t0)
        return g_strdup("clock: the window has no length on the host");
    for (gsize i = 0; i < G_N_ELEMENTS(gates); i++) {
        g_autofree char *breach = gates[i].check(window);
        if (breach)
            return g_strdup_printf("%s: %s", gates[i].id, breach);
    }
    return NULL;
}
