/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.meta: creates empty files in one directory, looks at each, removes each,
 * and syncs the file system after creating and after removing, as bonnie++
 * does it.  Between the windows the directory is counted by reading it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest-payload/workload.h"

extern const Workload wl_meta;

#define WARM_UP_FILES 16
#define NAME_DIGITS 8

typedef struct Meta {
    char path[PATH_MAX];
    int fd; /* of the directory */
    uint64_t files;
    int64_t ns; /* of all windows */
} Meta;

/* One operation on the file of that name. */
typedef bool (*MetaStep)(const Meta *state, const char *name);

static bool
create_one(const Meta *state, const char *name)
{
    int fd =
        openat(state->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    return fd >= 0 && close(fd) == 0;
}

static bool
stat_one(const Meta *state, const char *name)
{
    struct stat status;

    return fstatat(state->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool
unlink_one(const Meta *state, const char *name)
{
    return unlinkat(state->fd, name, 0) == 0;
}

static void
make_name(uint64_t number, char name[NAME_DIGITS + 1])
{
    for (int i = NAME_DIGITS; i--; number >>= 4)
        name[i] = "0123456789abcdef"[number & 15];
    name[NAME_DIGITS] = '\0';
}

/* False with errno set. */
static bool
each_file(const Meta *state, uint64_t files, MetaStep step)
{
    char name[NAME_DIGITS + 1];

    for (uint64_t i = 0; i < files; i++) {
        make_name(i, name);
        if (stop_requested() || !step(state, name))
            return false;
    }
    return step == stat_one || syncfs(state->fd) == 0;
}

static bool
setup(Run *run, Fail *fail)
{
    Meta *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.meta");
    state->fd = -1;
    run->state = state;
    state->files = params_get(&run->params, "files");
    snprintf(state->path, sizeof(state->path), "%.*s/meta", PATH_MAX - 16,
             run->dir);
    if (mkdir(state->path, 0700) != 0)
        return fail_set(fail, errno, "cannot make the directory %s",
                        state->path);
    state->fd = open(state->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (state->fd < 0)
        return fail_set(fail, errno, "cannot open %s", state->path);
    return true;
}

static bool
step_failed(const char *what, Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, errno, "fs.meta: %s failed", what);
}

static bool
warm_up(Run *run, Fail *fail)
{
    const Meta *state = run->state;

    return (each_file(state, WARM_UP_FILES, create_one) &&
            each_file(state, WARM_UP_FILES, stat_one) &&
            each_file(state, WARM_UP_FILES, unlink_one)) ||
           step_failed("the warm-up", fail);
}

static bool
count_files(const Meta *state, uint64_t *ret_count, Fail *fail)
{
    DIR *directory = opendir(state->path);
    uint64_t count = 0;

    if (!directory)
        return fail_set(fail, errno, "cannot read %s", state->path);
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    *ret_count = count;
    return true;
}

static bool
must_hold(const Meta *state, uint64_t want, Fail *fail)
{
    uint64_t count = 0;

    if (!count_files(state, &count, fail))
        return false;
    return count == want ||
           fail_set(fail, EILSEQ,
                    "fs.meta: the directory holds %llu files, not %llu",
                    (unsigned long long) count, (unsigned long long) want);
}

static bool
pass(Run *run, const char *phase, MetaStep step, const char *metric, Fail *fail)
{
    Meta *state = run->state;
    int64_t files = (int64_t) state->files;

    if (!window_open(run, phase, false, fail))
        return false;
    if (!each_file(state, state->files, step))
        return step_failed(phase, fail);
    if (!window_close(run, files, fail))
        return false;
    state->ns += run->t1 - run->t0;
    result_sample(run, metric, window_rate(run, (double) files), files);
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    Meta *state = run->state;

    if (!pass(run, "create", create_one, "fs.meta.create", fail) ||
        !must_hold(state, state->files, fail) ||
        !pass(run, "stat", stat_one, "fs.meta.stat", fail) ||
        !pass(run, "unlink", unlink_one, "fs.meta.unlink", fail))
        return false;
    double files = (double) state->files;
    result_sample(run, "fs.meta.rate",
                  files * (double) NS_PER_S / (double) state->ns,
                  (int64_t) state->files);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    return must_hold(run->state, 0, fail);
}

static void
teardown(Run *run)
{
    Meta *state = run->state;
    char name[NAME_DIGITS + 1];

    if (!state)
        return;
    for (uint64_t i = 0; state->fd >= 0 && i < state->files; i++) {
        make_name(i, name);
        unlinkat(state->fd, name, 0);
    }
    if (state->fd >= 0)
        close(state->fd);
    rmdir(state->path);
    free(state);
}

const Workload wl_meta = {
    .name = "fs.meta",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
