/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The question behind `vsweep compare`, resolved against what a sweep has.
 */
#pragma once

#include "report/model.h"

typedef struct Comparands {
    const Report *report;
    guint metric;
    GPtrArray *rows;  /* const ReportContrast *, at least one */
    GPtrArray *owned; /* those made for the question */
} Comparands;

void comparands_clear(Comparands *comparands);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Comparands, comparands_clear)

/* Errors name what the sweep has, and the nearest name. */
bool comparands_resolve(const Report *report, const char *setting,
                        const char *const *levels, const char *metric,
                        Comparands *ret_comparands, GError **err);
/* What an answer leaves open: sentences (char *, owned). */
GPtrArray *comparands_limits(const Comparands *comparands);
