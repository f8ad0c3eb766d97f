/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See engine.h.
 */
#include "guest-payload/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "guest-payload/text.h"

static void
act_out(EngineFault *fault)
{
    EngineFault what = *fault;

    *fault = FAULT_NONE;
    if (what == FAULT_CRASH)
        raise(SIGSEGV);
    while (what == FAULT_HANG_WINDOW)
        pause();
}

bool
window_open(Run *run, const char *phase, bool cold, Fail *fail)
{
    Engine *engine = run->engine;

    run->phase = phase;
    if (engine->on_phase)
        engine->on_phase(run, engine->data);
    if (!conversation_phase(engine->talk, run->info->name, phase, cold, fail))
        return false;
    run->seq = engine->talk->seq;
    act_out(&engine->fault);
    run->t0 = raw_ns();
    return true;
}

bool
window_close(Run *run, int64_t ops, Fail *fail)
{
    run->t1 = raw_ns();
    return stop_check(fail) &&
           conversation_end(run->engine->talk, run->info->name, run->phase,
                            run->t0, run->t1, ops, fail);
}

bool
run_fact(Run *run, const char *name, const char *value, Fail *fail)
{
    json_t *facts = json_object();
    char full[64];

    snprintf(full, sizeof(full), "%s.%s", run->info->name, name);
    json_object_set_new(facts, full, json_string(value));
    return conversation_note(run->engine->talk, run->info->name, facts, fail);
}

double
window_rate(const Run *run, double units)
{
    return units * (double) NS_PER_S / (double) (run->t1 - run->t0);
}

void
result_sample(Run *run, const char *metric, double value, int64_t n)
{
    run->samples[run->sample_count++] =
        (Sample){.metric = metric, .value = value, .n = n, .seq = run->seq};
}

void
result_hist(Run *run, const char *metric, const Hist *hist)
{
    run->hist_metric = metric;
    run->hist = hist;
    run->hist_seq = run->seq;
}

static bool
send_results(Run *run, Fail *fail)
{
    Conversation *talk = run->engine->talk;
    const char *name = run->info->name;

    if (run->hist && !conversation_hist(talk, name, run->hist_metric, run->hist,
                                        run->hist_seq, fail))
        return false;
    for (int i = 0; i < run->sample_count; i++) {
        const Sample *sample = &run->samples[i];
        if (!conversation_sample(talk, name, sample->metric, sample->value,
                                 sample->n, sample->seq, fail))
            return false;
    }
    return true;
}

/* What earlier steps left dirty must not be written inside a window. */
static bool
settle(const Run *run, Fail *fail)
{
    if (!run->info->needs_disk)
        return true;
    int fd = open(run->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail_set(fail, errno, "cannot open %s", run->dir);
    bool ok = syncfs(fd) == 0;
    if (!ok)
        fail_set(fail, errno, "cannot sync the file system of %s", run->dir);
    close(fd);
    return ok;
}

static bool
perform(const Workload *workload, Run *run, Fail *fail)
{
    if (run->info->needs_disk && !run->dir[0])
        return fail_set(fail, 0, "%s needs a directory to work in",
                        run->info->name);
    return workload->setup(run, fail) && workload->warm_up(run, fail) &&
           settle(run, fail) && workload->run(run, fail) &&
           workload->check(run, fail) && send_results(run, fail);
}

static const Workload *
find_workload(const char *name)
{
    for (const Workload *const *row = workload_table; *row; row++)
        if (strcmp((*row)->name, name) == 0)
            return *row;
    return NULL;
}

static bool
run_item(Engine *engine, const Params *params, Fail *fail)
{
    const WorkloadInfo *info = params->workload;
    const Workload *workload = find_workload(info->name);
    Run *run = calloc(1, sizeof(*run));

    if (!workload || !run) {
        free(run);
        return fail_set(fail, workload ? ENOMEM : ENOSYS, "cannot run %s",
                        info->name);
    }
    run->info = info;
    run->params = *params;
    run->engine = engine;
    run->drop_caches = engine->drop_caches;
    text_copy(run->dir, sizeof(run->dir), engine->dir);
    /* Early in a guest's life the pool may not be ready; the clock will do,
     * since the data only have to differ from the last run's. */
    if (getrandom(&run->seed, sizeof(run->seed), GRND_NONBLOCK) !=
        sizeof(run->seed))
        run->seed = (uint64_t) raw_ns();
    bool ok = perform(workload, run, fail);
    if (ok && engine->on_result)
        engine->on_result(run, engine->data);
    workload->teardown(run);
    free(run);
    return ok;
}

bool
engine_run(Engine *engine, const Job *job, int *ret_failed, Fail *fail)
{
    int failed = 0;

    for (size_t i = 0; i < job->count; i++) {
        const WorkloadInfo *info = job->items[i].workload;
        Fail what = {0};
        if (run_item(engine, &job->items[i], &what))
            continue;
        failed++;
        if (engine->talk->gone) {
            *fail = what;
            return false;
        }
        /* An end that was asked for is the caller's to tell. */
        if (engine->on_error && !stop_requested())
            engine->on_error(info, &what, engine->data);
        if (!conversation_error(engine->talk, info->name, &what, fail))
            return false;
        if (engine->talk->broken || stop_requested()) {
            *fail = what;
            return false;
        }
    }
    *ret_failed = failed;
    return true;
}
