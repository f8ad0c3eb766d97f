/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See params.h.
 */
#include "guest-payload/params.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Unit {
    const char *name;
    uint64_t factor;
} Unit;

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

static const Unit size_units[] = {
    {"", 1},      {"B", 1},     {"k", KIB}, {"K", KIB},  {"kB", KIB},
    {"KB", KIB},  {"KiB", KIB}, {"M", MIB}, {"m", MIB},  {"MB", MIB},
    {"MiB", MIB}, {"G", GIB},   {"g", GIB}, {"GB", GIB}, {"GiB", GIB},
    {"T", TIB},   {"TiB", TIB}, {NULL, 0},
};

static const Unit duration_units[] = {
    {"", 1000000000},     {"ns", 1},         {"us", 1000},
    {"ms", 1000000},      {"s", 1000000000}, {"m", 60000000000},
    {"h", 3600000000000}, {NULL, 0},
};

static const Unit count_units[] = {{"", 1}, {NULL, 0}};

static const Unit *const units_of[] = {
    [PARAM_SIZE] = size_units,
    [PARAM_DURATION] = duration_units,
    [PARAM_COUNT] = count_units,
};

static const char *const kind_of[] = {
    [PARAM_SIZE] = "a size such as 4k or 256M",
    [PARAM_DURATION] = "a duration such as 500ms or 5s",
    [PARAM_COUNT] = "a whole number",
};

static bool
parse_scaled(const char *text, const Unit *units, uint64_t *ret)
{
    char *end;

    if (!isdigit((unsigned char) text[0]))
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno)
        return false;
    /* A fraction is exact in binary for the sizes people write (1.5G). */
    double fraction = 0;
    if (*end == '.' && isdigit((unsigned char) end[1]) && units[1].name)
        fraction = strtod(end, &end);
    for (const Unit *unit = units; unit->name; unit++) {
        uint64_t scaled;
        if (strcmp(unit->name, end) != 0)
            continue;
        if (__builtin_mul_overflow(number, unit->factor, &scaled))
            return false;
        *ret = scaled + (uint64_t) (fraction * (double) unit->factor);
        return true;
    }
    return false;
}

static bool
parse_choice(const char *text, const char *choices, uint64_t *ret)
{
    uint64_t index = 0;

    for (const char *word = choices; *word; index++) {
        size_t span = strcspn(word, " ");
        if (strlen(text) == span && memcmp(word, text, span) == 0) {
            *ret = index;
            return true;
        }
        word += span;
        word += strspn(word, " ");
    }
    return false;
}

static bool
parse(const WorkloadInfo *workload, const ParamInfo *param, const char *text,
      uint64_t *ret, Fail *fail)
{
    uint64_t value, min, max;

    if (param->type == PARAM_CHOICE) {
        if (!parse_choice(text, param->choices, ret))
            return fail_set(fail, 0, "%s: %s: \"%s\" is none of: %s",
                            workload->name, param->name, text, param->choices);
        return true;
    }
    const Unit *units = units_of[param->type];
    if (!parse_scaled(text, units, &value))
        return fail_set(fail, 0, "%s: %s: \"%s\" is not %s", workload->name,
                        param->name, text, kind_of[param->type]);
    if (!parse_scaled(param->min, units, &min) ||
        !parse_scaled(param->max, units, &max) || value < min || value > max)
        return fail_set(fail, 0, "%s: %s: %s is outside %s to %s",
                        workload->name, param->name, text, param->min,
                        param->max);
    *ret = value;
    return true;
}

bool
params_init(Params *params, const WorkloadInfo *workload, bool quick,
            Fail *fail)
{
    Params made = {.workload = workload};

    for (int i = 0; workload->params[i].name; i++) {
        const ParamInfo *param = &workload->params[i];
        const char *text = quick ? param->quick : param->normal;
        if (!parse(workload, param, text, &made.value[i], fail))
            return false;
    }
    *params = made;
    return true;
}

bool
params_set(Params *params, const char *name, const char *text, Fail *fail)
{
    const WorkloadInfo *workload = params->workload;
    const ParamInfo *param = catalogue_param(workload, name);

    if (!param)
        return fail_set(fail, 0, "%s has no parameter \"%s\"", workload->name,
                        name);
    return parse(workload, param, text,
                 &params->value[param - workload->params], fail);
}

uint64_t
params_get(const Params *params, const char *name)
{
    const ParamInfo *param = catalogue_param(params->workload, name);

    /* A name that is not in the table is a mistake in a wl-*.c file. */
    if (!param)
        abort();
    return params->value[param - params->workload->params];
}
