/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confining the host-matched run: see matched.h. */
#include <fcntl.h>
#include <unistd.h>
#include "base/units.h"
#include "run/matched.h"
#include "run/results.h"

static const char *
baseline_level(const Rig *rig, const char *setting)
{
    return design_level(rig->design, design_baseline(rig->design),
                        setting_find(setting));
}

/* The first CPUs this process may use, as many as the guest has: the same in
 * every block. */
static void
choose_cpus(Matched *matched, const Rig *rig)
{
    guint wanted =
        (guint) g_ascii_strtoull(baseline_level(rig, "vcpus"), NULL, 10);
    cpu_set_t all = {0};

    CPU_ZERO(&matched->cpus);
    sched_getaffinity(0, sizeof(all), &all);
    for (int cpu = 0; cpu < CPU_SETSIZE && matched->n_cpus < wanted; cpu++) {
        if (!CPU_ISSET(cpu, &all))
            continue;
        CPU_SET(cpu, &matched->cpus);
        matched->n_cpus++;
    }
}

static guint64
guest_memory(const Rig *rig)
{
    guint64 bytes = 0;

    units_parse_size(baseline_level(rig, "memory"), &bytes, NULL);
    return bytes;
}

char *
matched_text(const Rig *rig)
{
    const char *why = NULL;
    guint version = cgroup_version("", &why);
    Matched matched = {.memory = guest_memory(rig)};
    g_autofree char *memory = units_format_size(matched.memory);

    choose_cpus(&matched, rig);
    if (version == 0)
        return g_strdup_printf("%u CPU%s by sched_setaffinity, memory not "
                               "limited (%s)",
                               matched.n_cpus, matched.n_cpus == 1 ? "" : "s",
                               why);
    return g_strdup_printf("%u CPU%s by sched_setaffinity, %s by cgroup v%u",
                           matched.n_cpus, matched.n_cpus == 1 ? "" : "s",
                           memory, version);
}

bool
matched_init(Matched *matched, const Rig *rig, GError **err)
{
    choose_cpus(matched, rig);
    matched->memory = guest_memory(rig);
    if (cgroup_version("", NULL) == 0)
        return true;
    matched->cgroup = cgroup_new("", matched->memory, err);
    return matched->cgroup != NULL;
}

void
matched_clear(Matched *matched)
{
    g_clear_pointer(&matched->cgroup, cgroup_free);
}

void
matched_enter(const Matched *matched)
{
    sched_setaffinity(0, sizeof(matched->cpus), &matched->cpus);
    if (matched->cgroup) {
        int fd = open(cgroup_door(matched->cgroup), O_WRONLY | O_CLOEXEC);

        /* What does not succeed fails its proof. */
        if (fd >= 0 && write(fd, "0", 1) == 1)
            close(fd);
    }
}

static void
prove(Attempt *attempt, const char *setting, const char *source,
      guint64 requested, guint64 effective)
{
    AttemptProof *proof = g_new0(AttemptProof, 1);

    proof->setting = g_strdup(setting);
    proof->source = g_strdup(source);
    proof->requested = g_strdup_printf("%" G_GUINT64_FORMAT, requested);
    proof->effective = g_strdup_printf("%" G_GUINT64_FORMAT, effective);
    proof->ok = requested == effective;
    g_ptr_array_add(attempt->proofs, proof);
    if (!proof->ok)
        attempt_fail(attempt, OUTCOME_MISMATCH, "%s",
                     results_first_mismatch(attempt));
}

void
matched_prove(const Matched *matched, pid_t pid, Attempt *attempt)
{
    cpu_set_t cpus = {0};
    guint n = 0;

    if (sched_getaffinity(pid, sizeof(cpus), &cpus) == 0 &&
        CPU_EQUAL(&cpus, &matched->cpus))
        n = (guint) CPU_COUNT(&cpus);
    prove(attempt, "vcpus", "sched_getaffinity", matched->n_cpus, n);
    if (matched->cgroup)
        prove(attempt, "memory", cgroup_name(matched->cgroup), matched->memory,
              cgroup_limit_of(matched->cgroup, pid));
}
