/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads that time single operations of the system: done in full they
 * give a figure; when some of the work is left out their own check fails and
 * no figure is sent.  The payload is no library, so its sources are included,
 * with the calls that do the work going through stand-ins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <cpuid.h>
#include <glib.h>
#include <jansson.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "guest-payload/conversation.c"
#include "guest-payload/crew.c"
#include "guest-payload/engine.c"
#include "guest-payload/fail.c"
#include "guest-payload/hist.c"
#include "guest-payload/pair.c"
#include "guest-payload/params.c"
#include "guest-payload/perop.c"
#include "guest-payload/text.c"

/* Every tenth operation is left out. */
static gboolean skipping;
static guint turn;

static gboolean
left_out(void)
{
    return skipping && ++turn % 10 == 0;
}

static long
stand_in_syscall(long number)
{
    return left_out() ? -1 : syscall(number);
}

#define syscall(number) stand_in_syscall(number)
#include "guest-payload/wl-syscall.c"
#undef syscall

static void
stand_in_cpuid(guint leaf, guint *a, guint *b, guint *c, guint *d)
{
    *a = *b = *c = *d = 0;
    if (!left_out())
        __get_cpuid(leaf, a, b, c, d);
}

#undef __cpuid
#define __cpuid(leaf, a, b, c, d) stand_in_cpuid(leaf, &(a), &(b), &(c), &(d))
#include "guest-payload/wl-exit.c"

/* No reading of the clock at all: the old one again. */
static int
stand_in_clock(clockid_t clock, struct timespec *now)
{
    static struct timespec old;

    if (!skipping)
        clock_gettime(clock, &old);
    *now = old;
    return 0;
}

#define clock_gettime(clock, now) stand_in_clock(clock, now)
#include "guest-payload/wl-clock.c"
#undef clock_gettime

/* A turn taken without having waited for the other side. */
static ssize_t
stand_in_read(int fd, void *byte, size_t size)
{
    return skipping ? 1 : read(fd, byte, size);
}

static ssize_t
stand_in_write(int fd, const void *byte, size_t size)
{
    return skipping ? 1 : write(fd, byte, size);
}

#define read(fd, byte, size) stand_in_read(fd, byte, size)
#define write(fd, byte, size) stand_in_write(fd, byte, size)
#include "guest-payload/wl-ctx.c"
#undef read
#undef write

/* An expiration that was not waited for. */
static ssize_t
stand_in_expired(int fd, void *expired, size_t size)
{
    if (!skipping)
        return read(fd, expired, size);
    *(guint64 *) expired = 1;
    return (ssize_t) size;
}

#define read(fd, expired, size) stand_in_expired(fd, expired, size)
#include "guest-payload/wl-timer.c"
#undef read

const Workload *const workload_table[] = {&wl_syscall, &wl_clock, &wl_exit,
                                          &wl_ctx,     &wl_timer, NULL};

static guint
count_lines(const Conversation *talk, const char *type)
{
    g_autofree char *text = g_strndup(talk->kept, talk->kept_size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint count = 0;

    for (char **line = lines; **line; line++) {
        json_t *object = json_loads(*line, 0, NULL);
        const char *found = json_string_value(json_object_get(object, "type"));
        count += g_strcmp0(found, type) == 0;
        json_decref(object);
    }
    return count;
}

static char *reason; /* of the last workload that failed */

static void
keep_reason(const WorkloadInfo *info, const Fail *what, void *data)
{
    (void) info;
    (void) data;
    g_free(reason);
    reason = g_strdup(what->text);
}

/* Runs it for 100 ms; false when it failed, then without a figure. */
static gboolean
run_workload(const char *name)
{
    g_autofree Conversation *talk = g_new0(Conversation, 1);
    g_autofree Job *job = g_new0(Job, 1);
    Engine engine = {.talk = talk, .dir = "", .on_error = keep_reason};
    const WorkloadInfo *info = catalogue_workload(name);
    int failed = 0;
    Fail fail;

    assert_non_null(info);
    assert_true(params_init(&job->items[0], info, TRUE, &fail));
    assert_true(params_set(&job->items[0], "time", "100ms", &fail));
    job->count = 1;
    conversation_alone(talk);
    assert_true(engine_run(&engine, job, &failed, &fail));
    assert_int_equal(count_lines(talk, "error"), failed);
    if (failed)
        assert_int_equal(
            count_lines(talk, "sample") + count_lines(talk, "hist"), 0);
    else
        assert_true(count_lines(talk, "sample") + count_lines(talk, "hist") >
                    0);
    conversation_close(talk);
    return !failed;
}

static void
test_whole(void **state)
{
    (void) state;
    skipping = FALSE;
    for (const Workload *const *w = workload_table; *w; w++)
        if (!run_workload((*w)->name))
            fail_msg("%s: %s", (*w)->name, reason);
}

static void
test_skipped(void **state)
{
    static const struct {
        const char *workload, *reason;
    } cases[] = {
        {"cpu.syscall", "operations were not done"},
        {"cpu.clock", "no later than the one before"},
        {"cpu.exit", "operations were not done"},
        {"cpu.ctx", "turns"},
        {"cpu.timer", "waits ended early"},
    };

    (void) state;
    skipping = TRUE;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        if (run_workload(cases[i].workload))
            fail_msg("%s: skipped work gives a figure", cases[i].workload);
        assert_non_null(strstr(reason, cases[i].reason));
    }
    skipping = FALSE;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_skipped),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_free(reason);
    return failed;
}
