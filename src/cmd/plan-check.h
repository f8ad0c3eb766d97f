/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums behind a plan: reasons, precision, and designs that are only
 * counted (METHOD 3.4). */
#pragma once

#include "plan/design.h"

/* Why cells are excluded, with how many each; DesignReason. */
void plan_print_reasons(const GArray *reasons);
/* How fine a comparison of so many blocks will be. */
void plan_print_precision(guint blocks);
/* A design that is too large to be listed: what it would take. */
void plan_print_large(const Matrix *matrix);
