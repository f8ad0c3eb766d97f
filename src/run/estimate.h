/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take, roughly, before it is started. */
#pragma once

#include "plan/design.h"

/* Nanoseconds for so many blocks; `kvm` as far as it is known. */
gint64 estimate_sweep(const Matrix *matrix, const Design *design, guint blocks,
                      bool kvm);
/* The same for a design whose cells are only counted: `guests` cells, and the
 * host where the matrix wants it.  In seconds, since it may be ages. */
double estimate_cells(const Matrix *matrix, guint64 guests, guint blocks,
                      bool kvm);
