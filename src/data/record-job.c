/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines vsweep sends: the job and the go.  Keys stand in the order of
 * guest-payload/wire.h, so that the lines can be compared as text.
 */
#include "data/record.h"

#include <jansson.h>
#include "guest-payload/wire.h"

struct RecordJob {
    char *dir;         /* or NULL */
    json_t *guest;     /* or NULL */
    json_t *workloads; /* array */
    json_t *params;    /* of the last workload; borrowed from workloads */
};

/* A JSON string of any bytes; what is no UTF-8 (a path may be so) is replaced
 * and then not found by the payload, which says so. */
static json_t *
text_json(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    return json_string(valid);
}

RecordJob *
record_job_new(void)
{
    RecordJob *job = g_new0(RecordJob, 1);

    job->workloads = json_array();
    return job;
}

void
record_job_dir(RecordJob *job, const char *dir)
{
    g_free(job->dir);
    job->dir = g_strdup(dir);
}

void
record_job_guest(RecordJob *job, const char *key, const char *value)
{
    if (!job->guest)
        job->guest = json_object();
    json_object_set_new(job->guest, key, text_json(value));
}

void
record_job_workload(RecordJob *job, const char *name)
{
    json_t *workload = json_object();

    job->params = json_object();
    json_object_set_new(workload, "name", text_json(name));
    json_object_set_new(workload, "params", job->params);
    json_array_append_new(job->workloads, workload);
}

void
record_job_param(RecordJob *job, const char *name, const char *value)
{
    g_return_if_fail(job->params != NULL);
    json_object_set_new(job->params, name, text_json(value));
}

/* Compact text of `object`, which it frees; in GLib's memory. */
static char *
line_of(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    char *line = g_strdup(text);

    free(text);
    json_decref(object);
    return line;
}

char *
record_job_line(RecordJob *job)
{
    json_t *line = json_object();

    json_object_set_new(line, "type", json_string("job"));
    json_object_set_new(line, "v", json_integer(WIRE_VERSION));
    if (job->dir)
        json_object_set_new(line, "dir", text_json(job->dir));
    if (job->guest)
        json_object_set_new(line, "guest", job->guest);
    json_object_set_new(line, "workloads", job->workloads);
    g_free(job->dir);
    g_free(job);
    return line_of(line);
}

char *
record_go_line(guint seq)
{
    return g_strdup_printf("{\"type\":\"go\",\"seq\":%u}", seq);
}
