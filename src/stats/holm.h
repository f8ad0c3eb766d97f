/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holm's step-down adjustment (METHOD 7.4; Holm 1979). */
#pragma once

#include <glib.h>

/* adjusted[i] for p[i]; NaN entries stay NaN and do not count. */
void holm_adjust(const double *p, guint m, double *adjusted);
