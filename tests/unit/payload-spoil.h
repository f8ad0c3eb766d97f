/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload whose work is spoilt behind its back, for tests: a job stands
 * still between `end` and `go`, which is when it is done.
 */
#pragma once

#include "payload-agent.h"

typedef void (*Spoil)(Agent *agent);

/* Lets the phases pass and spoils the work after the last one; there must be
 * an error with these words and no figure. */
static inline void
check_spoilt_after(Agent *agent, const char *workload, const char *params,
                   const char *phases, Spoil spoil, const char *says)
{
    g_autofree char *one =
        g_strdup_printf("{\"name\":\"%s\",\"params\":{%s}}", workload, params);
    g_auto(GStrv) list = g_strsplit(phases, " ", -1);

    greet(agent, one);
    for (char **phase = list; *phase; phase++) {
        json_int_t seq = pass_window(agent, *phase);
        if (!phase[1])
            spoil(agent);
        say_go(agent, seq);
    }
    json_t *error = expect(agent, "error");
    assert_string_equal(text_of(error, "workload"), workload);
    if (!strstr(text_of(error, "text"), says))
        fail_msg("\"%s\" does not say \"%s\"", text_of(error, "text"), says);
    json_decref(error);
    expect_done(agent);
}
