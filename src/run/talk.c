/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation with a payload: see talk.h. */
#include <string.h>
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/units.h"
#include "data/record.h"
#include "guest-payload/wire.h"
#include "guest/disk.h"
#include "run/proof.h"
#include "run/results.h"
#include "run/talk.h"
#include "run/windows.h"
#include "vm/watchdog.h"

/* Guests settle this long after READY, the same in every cell (METHOD 0.4). */
#define SETTLE_NS (500 * CLOCK_NS_PER_MS)
/* The watchdog comes this long after a deadline of our own: only when the
 * loop is stuck in libvirt. */
#define WATCHDOG_GRACE_NS (5 * CLOCK_NS_PER_S)

/* How an event that is no line ends an attempt, before and after READY. */
static const struct {
    Outcome before, after;
    const char *what;
} endings[] = {
    [CHANNEL_EOF] = {OUTCOME_EARLY_OFF, OUTCOME_EARLY_OFF,
                     "the payload closed the channel"},
    [CHANNEL_STOPPED] = {OUTCOME_EARLY_OFF, OUTCOME_EARLY_OFF,
                         "the guest powered off"},
    [CHANNEL_TIMEOUT] = {OUTCOME_NO_BOOT, OUTCOME_HANG, "no word from it"},
    [CHANNEL_INTERRUPTED] = {OUTCOME_INTERRUPTED, OUTCOME_INTERRUPTED,
                             "interrupted"},
    [CHANNEL_RUBBISH] = {OUTCOME_RUBBISH, OUTCOME_RUBBISH,
                         "sent bytes that are no line of the protocol"},
};

static const char *
current_work(const Talk *talk)
{
    if (talk->window)
        return talk->window->workload;
    return talk->attempt->t_ready ? "between workloads" : "before READY";
}

static void
show_progress(void *data)
{
    const Talk *talk = data;

    progress_set("%s  %s", talk->label, current_work(talk));
}

static void
end_by_event(Talk *talk, ChannelEvent event)
{
    Attempt *attempt = talk->attempt;
    g_autofree char *limit =
        units_format_duration(talk->rig->options.timeout_ns);
    Outcome outcome =
        attempt->t_ready ? endings[event].after : endings[event].before;

    if (event == CHANNEL_TIMEOUT)
        attempt_fail(attempt, outcome, "%s for %s (%s)", endings[event].what,
                     limit, current_work(talk));
    else
        attempt_fail(attempt, outcome, "%s (%s)", endings[event].what,
                     current_work(talk));
}

static void
arm(const Talk *talk, gint64 deadline_ns)
{
    if (talk->name)
        watchdog_arm(talk->name, deadline_ns + WATCHDOG_GRACE_NS);
}

/* The next line as a record; NULL: the attempt has its outcome. */
static Record *
next_record(Talk *talk)
{
    gint64 deadline = clock_raw_ns() + talk->rig->options.timeout_ns;
    g_autofree char *line = NULL;
    g_autoptr(GError) err = NULL;
    Record *record = NULL;
    ChannelEvent event = CHANNEL_LINE;

    if (talk->window)
        deadline +=
            windows_allowance_ns(talk->rig->matrix, talk->window->workload);
    arm(talk, deadline);
    event = channel_next(talk->channel, deadline, &line);
    if (event != CHANNEL_LINE) {
        end_by_event(talk, event);
        return NULL;
    }
    record = record_parse(line, &err);
    if (!record || talk->lines >= WIRE_LINES_MAX) {
        attempt_fail(talk->attempt, OUTCOME_RUBBISH, "%s",
                     err ? err->message : "sent too many lines");
        record_free(record);
        return NULL;
    }
    talk->lines++;
    results_keep_line(talk->attempt, record, line);
    return record;
}

static bool
send_line(Talk *talk, const char *line)
{
    if (channel_send(talk->channel, line))
        return true;
    attempt_fail(talk->attempt, OUTCOME_EARLY_OFF,
                 "the channel broke while sending (%s)", current_work(talk));
    return false;
}

static bool
send_go(Talk *talk, guint seq)
{
    g_autofree char *line = record_go_line(seq);

    return send_line(talk, line);
}

static bool
await_ready(Talk *talk)
{
    g_autoptr(Record) record = next_record(talk);

    if (!record)
        return false;
    if (record->type != RECORD_READY) {
        attempt_fail(talk->attempt, OUTCOME_RUBBISH,
                     "the first line was not ready");
        return false;
    }
    talk->attempt->t_ready = clock_raw_ns();
    results_merge_facts(talk->attempt, record->facts);
    return true;
}

/* Lets the guest come to rest; anything but silence is an outcome. */
static bool
settle(Talk *talk)
{
    gint64 deadline = clock_raw_ns() + SETTLE_NS;
    g_autofree char *line = NULL;
    ChannelEvent event = CHANNEL_TIMEOUT;

    if (!talk->machine)
        return true;
    arm(talk, deadline);
    event = channel_next(talk->channel, deadline, &line);
    if (event == CHANNEL_TIMEOUT)
        return true;
    if (event == CHANNEL_LINE)
        attempt_fail(talk->attempt, OUTCOME_RUBBISH,
                     "spoke between ready and its job");
    else
        end_by_event(talk, event);
    return false;
}

/* Settings the guest applies itself. */
static void
job_guest(const Talk *talk, RecordJob *job)
{
    const Rig *rig = talk->rig;

    record_job_guest(job, "fs", rig->matrix->fs);
    record_job_guest(job, "payload", WIRE_DISK_PAYLOAD);
    record_job_guest(job, "sha256", rig->payload_sha256);
    for (const Setting *s = setting_table; s->name; s++) {
        g_autofree char *value = NULL;

        if (!s->guest_key)
            continue;
        value = setting_value(s, design_level(rig->design, talk->cell, s));
        record_job_guest(job, s->guest_key, value);
    }
}

static bool
send_job(Talk *talk)
{
    const Matrix *matrix = talk->rig->matrix;
    RecordJob *job = record_job_new();
    g_autofree char *line = NULL;

    if (talk->machine)
        job_guest(talk, job);
    else
        record_job_dir(job, talk->rig->host_dir);
    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[talk->order[i]];

        record_job_workload(job, use->info->name);
        for (guint p = 0; use->info->params[p].name; p++)
            record_job_param(job, use->info->params[p].name, use->values[p]);
    }
    line = record_job_line(job);
    return send_line(talk, line);
}

/* Before the first window: are the settings what they should be? */
static void
prove_settings(Talk *talk)
{
    Attempt *attempt = talk->attempt;

    talk->settled = true;
    if (!talk->machine)
        return;
    attempt->live_xml = machine_live_xml(talk->machine);
    attempt->argv = machine_argv(talk->machine);
    if (!proof_check(talk->rig->design, talk->cell, attempt->live_xml,
                     attempt->argv, attempt->facts, attempt->proofs))
        attempt_fail(attempt, OUTCOME_MISMATCH, "%s",
                     results_first_mismatch(attempt));
}

static bool
on_note(Talk *talk, const Record *record)
{
    results_merge_facts(talk->attempt, record->facts);
    return true;
}

static bool
on_phase(Talk *talk, const Record *record)
{
    if (talk->window) {
        attempt_fail(talk->attempt, OUTCOME_RUBBISH,
                     "opened a window inside another one (%s)",
                     record->workload);
        return false;
    }
    if (!talk->settled)
        prove_settings(talk);
    if (record->cold && talk->image) {
        g_autoptr(GError) err = NULL;

        if (!disk_evict(talk->image, NULL, &err))
            log_warning("%s", err->message);
    }
    talk->window = windows_open(talk, record);
    show_progress(talk);
    if (!send_go(talk, (guint) record->seq))
        return false;
    talk->window->host_t0 = clock_raw_ns();
    return true;
}

static bool
on_end(Talk *talk, const Record *record)
{
    AttemptWindow *window = talk->window;

    if (!window || window->seq != (guint) record->seq) {
        attempt_fail(talk->attempt, OUTCOME_RUBBISH,
                     "ended a window that was not open (%s)", record->workload);
        return false;
    }
    window->host_t1 = clock_raw_ns();
    windows_close(talk, record);
    talk->window = NULL;
    return send_go(talk, (guint) record->seq);
}

static bool
on_sample(Talk *talk, const Record *record)
{
    return results_add_sample(talk->attempt, talk->rig->matrix, record);
}

static bool
on_hist(Talk *talk, const Record *record)
{
    return results_add_hist(talk->attempt, talk->rig->matrix, record);
}

static bool
on_error(Talk *talk, const Record *record)
{
    attempt_fail(talk->attempt, OUTCOME_GUEST_ERROR, "%s%s%s", record->workload,
                 *record->workload ? ": " : "", record->text);
    talk->window = NULL;
    return true;
}

static bool
on_done(Talk *talk, const Record *record)
{
    if (record->lines != talk->lines - 1) {
        attempt_fail(talk->attempt, OUTCOME_RUBBISH,
                     "sent %" G_GINT64_FORMAT
                     " lines, of which %" G_GINT64_FORMAT " arrived",
                     record->lines, talk->lines - 1);
        return false;
    }
    talk->attempt->t_done = clock_raw_ns();
    return send_go(talk, 0);
}

static bool
on_ready(Talk *talk, const Record *record G_GNUC_UNUSED)
{
    attempt_fail(talk->attempt, OUTCOME_RUBBISH, "said ready twice");
    return false;
}

static bool (*const handlers[])(Talk *talk, const Record *record) = {
    [RECORD_READY] = on_ready,   [RECORD_NOTE] = on_note,
    [RECORD_PHASE] = on_phase,   [RECORD_END] = on_end,
    [RECORD_SAMPLE] = on_sample, [RECORD_HIST] = on_hist,
    [RECORD_ERROR] = on_error,   [RECORD_DONE] = on_done,
};

/* From the job to DONE; true when DONE was said. */
static bool
work(Talk *talk)
{
    while (!talk->attempt->t_done) {
        g_autoptr(Record) record = next_record(talk);

        if (!record || !handlers[record->type](talk, record))
            return false;
    }
    return true;
}

bool
talk_run(Talk *talk)
{
    channel_set_tick(talk->channel, show_progress, talk);
    show_progress(talk);
    if (!await_ready(talk) || !settle(talk) || !send_job(talk))
        return false;
    talk->attempt->part_ns[PART_BOOT] =
        talk->machine ? clock_raw_ns() - talk->attempt->t_create : 0;
    if (!work(talk))
        return false;
    results_finish(talk->attempt, talk->rig->matrix);
    return true;
}
