/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See job.h.
 */
#include "guest-payload/job.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "guest-payload/text.h"
#include "guest-payload/wire.h"

typedef struct GuestKey {
    const char *name;
    size_t offset, size;
} GuestKey;

#define GUEST_KEY(name)                                                    \
    {                                                                      \
#name, offsetof(JobGuest, name), sizeof(((JobGuest *) NULL)->name) \
    }

static const GuestKey guest_keys[] = {
    GUEST_KEY(disk),      GUEST_KEY(fs),      GUEST_KEY(mount),
    GUEST_KEY(scheduler), GUEST_KEY(payload), GUEST_KEY(sha256),
};

static bool
copy_text(const char *key, json_t *value, char *target, size_t size, Fail *fail)
{
    const char *text = json_string_value(value);

    if (!text)
        return fail_set(fail, 0, "job: %s is not a text", key);
    if (strlen(text) >= size)
        return fail_set(fail, 0, "job: %s is longer than %zu bytes", key,
                        size - 1);
    text_copy(target, size, text);
    return true;
}

/* The payload's path is opened below the mount point: it must stay there. */
static bool
path_is_inside(const char *path)
{
    return path[0] != '/' && strcmp(path, "..") != 0 &&
           strncmp(path, "../", 3) != 0 && !strstr(path, "/..");
}

static bool
parse_guest(json_t *object, JobGuest *guest, Fail *fail)
{
    if (object && !json_is_object(object))
        return fail_set(fail, 0, "job: guest is not an object");
    for (size_t i = 0; i < sizeof(guest_keys) / sizeof(guest_keys[0]); i++) {
        const GuestKey *key = &guest_keys[i];
        json_t *value = json_object_get(object, key->name);
        if (value && !copy_text(key->name, value, (char *) guest + key->offset,
                                key->size, fail))
            return false;
    }
    if (!guest->payload[0])
        text_copy(guest->payload, sizeof(guest->payload), WIRE_DISK_PAYLOAD);
    if (!path_is_inside(guest->payload))
        return fail_set(fail, 0,
                        "job: payload \"%s\" is not below the disk's "
                        "root",
                        guest->payload);
    if (strchr(guest->disk, '/'))
        return fail_set(fail, 0, "job: disk \"%s\" is not a device name",
                        guest->disk);
    return true;
}

static bool
parse_params(json_t *object, Params *params, Fail *fail)
{
    const char *name;
    json_t *value;

    if (object && !json_is_object(object))
        return fail_set(fail, 0, "%s: params is not an object",
                        params->workload->name);
    json_object_foreach(object, name, value)
    {
        const char *text = json_string_value(value);
        if (!text)
            return fail_set(fail, 0, "%s: %s is not a text",
                            params->workload->name, name);
        if (!params_set(params, name, text, fail))
            return false;
    }
    return true;
}

static bool
parse_workload(json_t *object, Params *params, char *ret_workload, Fail *fail)
{
    const char *name = json_string_value(json_object_get(object, "name"));

    if (!name || strlen(name) >= 64)
        return fail_set(fail, 0, "job: a workload without a name");
    text_copy(ret_workload, 64, name);
    const WorkloadInfo *workload = catalogue_workload(name);
    if (!workload)
        return fail_set(fail, 0, "unknown workload \"%s\"", name);
    return params_init(params, workload, false, fail) &&
           parse_params(json_object_get(object, "params"), params, fail);
}

static bool
parse_workloads(json_t *array, Job *job, char *ret_workload, Fail *fail)
{
    if (!json_is_array(array))
        return fail_set(fail, 0, "job: workloads is not a list");
    if (json_array_size(array) > JOB_ITEMS_MAX)
        return fail_set(fail, 0, "job: more than %d workloads", JOB_ITEMS_MAX);
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (!parse_workload(json_array_get(array, i), &job->items[i],
                            ret_workload, fail))
            return false;
        job->count++;
    }
    ret_workload[0] = '\0';
    return true;
}

static bool
parse_job(json_t *root, Job *job, char *ret_workload, Fail *fail)
{
    const char *type = json_string_value(json_object_get(root, "type"));
    json_t *version = json_object_get(root, "v");
    json_t *dir = json_object_get(root, "dir");

    if (!type || strcmp(type, "job") != 0)
        return fail_set(fail, 0, "expected a job from the host");
    if (!json_is_integer(version) ||
        json_integer_value(version) != WIRE_VERSION)
        return fail_set(fail, 0, "job: this payload speaks version %d only",
                        WIRE_VERSION);
    if (dir && !copy_text("dir", dir, job->dir, sizeof(job->dir), fail))
        return false;
    return parse_guest(json_object_get(root, "guest"), &job->guest, fail) &&
           parse_workloads(json_object_get(root, "workloads"), job,
                           ret_workload, fail);
}

bool
job_parse(const char *line, Job *job, char *ret_workload, Fail *fail)
{
    json_error_t error;
    json_t *root = json_loads(line, JSON_REJECT_DUPLICATES, &error);

    ret_workload[0] = '\0';
    if (!root)
        return fail_set(fail, 0, "job is not JSON: %s", error.text);
    Job *made = calloc(1, sizeof(*made));
    bool ok = made ? parse_job(root, made, ret_workload, fail)
                   : fail_set(fail, 0, "no memory for the job");
    if (ok)
        *job = *made;
    free(made);
    json_decref(root);
    return ok;
}
