/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/stats: an estimate against its oracle.
 */
#pragma once

#include "stats-util.h"

#include "stats/contrast.h"

static const char *const method_names[] = {
    [METHOD_EXACT] = "exact",
    [METHOD_T] = "t-log",
};

static inline void
check_method(Method got, const json_t *want, const char *member)
{
    const char *text = json_text(want, member);
    const char *short_name = g_str_has_suffix(text, "exact") ? "exact" : text;
    assert_string_equal(method_names[got], short_name);
}

static inline void
check_estimate(const Estimate *got, const json_t *want, const char *name)
{
    check_near(got->est, json_double(want, "est"), ORACLE_TOLERANCE, name);
    check_near(got->lo, json_double(want, "lo"), ORACLE_TOLERANCE, name);
    check_near(got->hi, json_double(want, "hi"), ORACLE_TOLERANCE, name);
    check_near(got->confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
               name);
    check_near(got->p, json_double(want, "p"), ORACLE_TOLERANCE, name);
    check_method(got->ci_method, want, "ci_method");
    check_method(got->p_method, want, "p_method");
}
