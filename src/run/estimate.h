/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take, roughly, before it is started. */
#pragma once

#include "plan/design.h"

/* Nanoseconds for all blocks; `kvm` as far as it is known. */
gint64 estimate_sweep(const Matrix *matrix, const Design *design, bool kvm);
