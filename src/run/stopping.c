/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the precision of a sweep: see stopping.h. */
#include "run/stopping.h"

#include "base/log.h"

void
sweep_look_clear(SweepLook *look)
{
    g_clear_pointer(&look->farthest, g_free);
}

bool
stopping_reached(const SweepLook *look)
{
    return look->waited > 0 && look->resolved == look->waited;
}

/* METHOD 4.4: after look 1, not when it is too late. */
static void
tell_projection(const Design *design, const SweepLook *look)
{
    if (look->needed > design->blocks_max)
        log_note("the precision will hardly be reached: %s needs about %u "
                 "blocks, there are at most %u; raise blocks.max, or set a "
                 "coarser blocks.precision",
                 look->farthest, look->needed, design->blocks_max);
}

void
stopping_tell(const Design *design, guint block, const SweepLook *look)
{
    double precision = design->matrix->precision;
    g_autofree char *wanted = precision > 0
                                  ? g_strdup_printf("±%g %%", precision * 100)
                                  : g_strdup("half of their bands");

    if (look->waited == 0)
        log_note("block %u: no contrast can be resolved, so the sweep goes on "
                 "to block %u",
                 block, design->blocks_max);
    else
        log_note("block %u: %u of %u contrasts resolved to %s", block,
                 look->resolved, look->waited, wanted);
    if (block == design->blocks_min)
        tell_projection(design, look);
}
