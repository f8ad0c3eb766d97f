/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has been tried so far: see tally.h. */
#include <string.h>
#include "run/tally.h"

typedef struct Count {
    guint tries;
    bool ok, spent; /* spent: no further try in this block */
} Count;

struct Tally {
    const Design *design;
    guint cells, blocks, retries;
    Count *counts;  /* [block - 1][cell] */
    char **refused; /* by cell: words of the first refusal */
    bool *same;     /* by cell: refused again in those words */
};

Tally *
tally_new(const Design *design, guint blocks, guint retries)
{
    Tally *tally = g_new0(Tally, 1);

    tally->design = design;
    tally->cells = design->cells->len;
    tally->blocks = blocks;
    tally->retries = retries;
    tally->counts = g_new0(Count, (gsize) blocks * tally->cells);
    tally->refused = g_new0(char *, tally->cells);
    tally->same = g_new0(bool, tally->cells);
    return tally;
}

static Count *
count_of(const Tally *tally, guint block, guint cell)
{
    return &tally->counts[(gsize) (block - 1) * tally->cells + cell];
}

/* Outcomes that another try on the spot cannot change. */
static bool
is_final(Outcome outcome)
{
    return outcome == OUTCOME_OK || outcome == OUTCOME_REFUSED ||
           outcome == OUTCOME_MISMATCH;
}

static void
note_refusal(Tally *tally, guint cell, const char *reason)
{
    if (!tally->refused[cell])
        tally->refused[cell] = g_strdup(reason ? reason : "");
    else if (g_strcmp0(tally->refused[cell], reason) == 0)
        tally->same[cell] = true;
}

void
tally_add(Tally *tally, guint block, guint cell, Outcome outcome,
          const char *reason)
{
    Count *count = NULL;

    if (block < 1 || block > tally->blocks || cell >= tally->cells ||
        outcome == OUTCOME_INTERRUPTED)
        return;
    count = count_of(tally, block, cell);
    count->tries++;
    count->ok = count->ok || outcome == OUTCOME_OK;
    count->spent = is_final(outcome) || count->tries > tally->retries;
    if (outcome == OUTCOME_REFUSED)
        note_refusal(tally, cell, reason);
}

void
tally_load(Tally *tally, const GPtrArray *runs)
{
    for (guint i = 0; i < runs->len; i++) {
        const StoreRun *run = runs->pdata[i];

        if (!run->discarded)
            tally_add(tally, run->block, run->cell, run->outcome, run->reason);
    }
}

void
tally_discard(Tally *tally, guint block)
{
    memset(count_of(tally, block, 0), 0, tally->cells * sizeof(Count));
}

static guint
blocks_lost(const Tally *tally, guint cell)
{
    guint lost = 0;

    for (guint b = 1; b <= tally->blocks; b++) {
        const Count *count = count_of(tally, b, cell);

        lost += count->spent && !count->ok;
    }
    return lost;
}

static bool
is_planned(const Tally *tally, guint cell)
{
    const Cell *row = tally->design->cells->pdata[cell];

    return row->state == CELL_PLANNED;
}

guint
tally_next_try(const Tally *tally, guint block, guint cell)
{
    const Count *count = count_of(tally, block, cell);

    if (!is_planned(tally, cell) || count->spent ||
        blocks_lost(tally, cell) >= ATTEMPT_BLOCKS_LOST)
        return 0;
    return count->tries + 1;
}

bool
tally_begun(const Tally *tally, guint block)
{
    for (guint c = 0; c < tally->cells; c++)
        if (count_of(tally, block, c)->tries > 0)
            return true;
    return false;
}

bool
tally_partial(const Tally *tally, guint block)
{
    bool open = false;

    for (guint c = 0; c < tally->cells; c++)
        open = open || tally_next_try(tally, block, c) > 0;
    return open && tally_begun(tally, block);
}

/* A baseline that is refused is a failure: nothing can be said without it. */
static bool
is_refused(const Tally *tally, guint cell)
{
    const Cell *row = tally->design->cells->pdata[cell];

    return tally->same[cell] && !row->baseline;
}

const char *
tally_unsupported(const Tally *tally, guint cell)
{
    return is_refused(tally, cell) ? tally->refused[cell] : NULL;
}

guint
tally_failed_cells(const Tally *tally)
{
    guint failed = 0;

    for (guint c = 0; c < tally->cells; c++)
        failed += is_planned(tally, c) && !is_refused(tally, c) &&
                  blocks_lost(tally, c) > 0;
    return failed;
}

guint
tally_tries(const Tally *tally)
{
    guint tries = 0;

    for (guint b = 1; b <= tally->blocks; b++)
        for (guint c = 0; c < tally->cells; c++)
            tries += count_of(tally, b, c)->tries;
    return tries;
}

guint
tally_left(const Tally *tally, guint last)
{
    guint left = 0;

    for (guint b = 1; b <= MIN(last, tally->blocks); b++)
        for (guint c = 0; c < tally->cells; c++)
            left += tally_next_try(tally, b, c) > 0;
    return left;
}

void
tally_free(Tally *tally)
{
    if (!tally)
        return;
    g_free(tally->counts);
    /* Not g_strfreev(): most cells have no words, and it stops at a NULL. */
    for (guint i = 0; i < tally->cells; i++)
        g_free(tally->refused[i]);
    g_free(tally->refused);
    g_free(tally->same);
    g_free(tally);
}
