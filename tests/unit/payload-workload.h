/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One workload without an engine, for tests: windows open at once and close,
 * results are kept in the Run.  The payload is no library, so a test includes
 * the source of its workload and of what that needs.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "guest-payload/crew.c"
#include "guest-payload/fail.c"
#include "guest-payload/params.c"
#include "guest-payload/text.c"
#include "guest-payload/workload.h"

bool
window_open(Run *run, const char *phase, bool cold, Fail *fail)
{
    (void) cold;
    (void) fail;
    run->phase = phase;
    run->seq++;
    run->t0 = raw_ns();
    return true;
}

bool
window_close(Run *run, int64_t ops, Fail *fail)
{
    (void) ops;
    run->t1 = raw_ns();
    return stop_check(fail);
}

bool
run_fact(Run *run, const char *name, const char *value, Fail *fail)
{
    (void) run;
    (void) name;
    (void) value;
    (void) fail;
    return true;
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

/* `set` is NULL or "name=value name=value ..." on top of the quick values. */
static inline void
workload_begin(const Workload *workload, Run *run, const char *set)
{
    Fail fail = {0};
    char copy[256], *rest = copy, *item;

    *run = (Run){.info = catalogue_workload(workload->name), .seed = 42};
    assert_non_null(run->info);
    assert_true(params_init(&run->params, run->info, true, &fail));
    strncpy(copy, set ? set : "", sizeof(copy) - 1);
    copy[sizeof(copy) - 1] = '\0';
    while ((item = strsep(&rest, " ")) && *item) {
        char *value = item;
        (void) strsep(&value, "=");
        if (!params_set(&run->params, item, value, &fail))
            fail_msg("%s", fail.text);
    }
    if (!workload->setup(run, &fail) || !workload->warm_up(run, &fail))
        fail_msg("%s", fail.text);
}

/* All metrics of the catalogue, above zero. */
static inline void
workload_pass(const Workload *workload, Run *run)
{
    Fail fail = {0};
    int count = 0;

    if (!workload->run(run, &fail) || !workload->check(run, &fail))
        fail_msg("%s", fail.text);
    for (const MetricInfo *m = run->info->metrics; m->id; m++, count++) {
        assert_string_equal(run->samples[count].metric, m->id);
        assert_true(run->samples[count].value > 0);
        assert_true(run->samples[count].n > 0);
    }
    assert_int_equal(run->sample_count, count);
}

/* Measuring or checking fails, with these words. */
static inline void
workload_fails(const Workload *workload, Run *run, const char *words)
{
    Fail fail = {0};

    assert_false(workload->run(run, &fail) && workload->check(run, &fail));
    if (!strstr(fail.text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, fail.text);
}

/* Checking alone fails, with these words. */
static inline void
workload_check_fails(const Workload *workload, Run *run, const char *words)
{
    Fail fail = {0};

    assert_false(workload->check(run, &fail));
    if (!strstr(fail.text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, fail.text);
}
