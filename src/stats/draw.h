/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random deviations for simulated sweeps, each made from one uniform number,
 * so that whoever has the numbers has the deviations.
 */
#pragma once

#include <stdbool.h>
#include <glib.h>

/* The shapes of METHOD 13, in words. */
typedef enum {
    DRAW_NORMAL,
    DRAW_T3,        /* heavy tails: Student's t, 3 degrees of freedom */
    DRAW_LOGNORMAL, /* skewed: a long tail upwards */
    DRAW_BIMODAL    /* one in ten lies far above the others */
} DrawShape;

/* 64 random bits as a number strictly between 0 and 1. */
double draw_uniform(guint64 bits);
/* A deviation of mean 0 and standard deviation 1. */
double draw_standard(DrawShape shape, double uniform);
