/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shorter covering arrays by tabu search, in the manner of Nurmela (Discrete
 * Applied Mathematics 138, 2004): a row is taken away, and the pairs that are
 * missing then are put into the others.  A move takes a missing pair and a
 * row that has one of its two levels, and sets the other one where that
 * breaks least; what was changed just now stays for some moves.  A cell costs
 * a boot in every block, so a second of search is well spent.
 */
#include <string.h>
#include "plan/pairwise-make.h"

/* Looks at pairs in all: about a second, and per open pair, which keeps small
 * models quick. */
#define LOOKS_MAX G_GUINT64_CONSTANT(600000000)
#define LOOKS_PER_PAIR 40000
/* Moves for which a place is left alone, at most (Nurmela: 1 to 10). */
#define TENURE_MAX 10
/* A pair that no row needs to have: never missing, whatever is taken away. */
#define SPARE (1 << 20)

typedef struct Shortener {
    const PairSpace *space;
    guint factors, rows;
    guint *levels;    /* rows x factors */
    guint *ids;       /* the same in the numbering of all levels */
    guint64 *free_at; /* rows x factors: the move that may change it again */
    int *counts;      /* total x total, both ways: rows that have the pair */
    GArray *missing;  /* guint: a * total + b, a < b */
    guint *place;     /* total x total: where in `missing`, if it is there */
    guint64 move, looks;
    Random *random;
} Shortener;

static void
shortener_clear(Shortener *s)
{
    g_clear_pointer(&s->levels, g_free);
    g_clear_pointer(&s->ids, g_free);
    g_clear_pointer(&s->free_at, g_free);
    g_clear_pointer(&s->counts, g_free);
    g_clear_pointer(&s->missing, g_array_unref);
    g_clear_pointer(&s->place, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Shortener, shortener_clear)

/* ------------------------------------------------------------------ pairs */

static void
set_missing(Shortener *s, guint a, guint b, bool missing)
{
    guint pair = MIN(a, b) * s->space->total + MAX(a, b);
    guint last = 0, where = s->place[pair];

    if (missing) {
        s->place[pair] = s->missing->len;
        g_array_append_val(s->missing, pair);
        return;
    }
    last = g_array_index(s->missing, guint, s->missing->len - 1);
    g_array_index(s->missing, guint, where) = last;
    s->place[last] = where;
    g_array_set_size(s->missing, s->missing->len - 1);
}

/* One row more or less has this pair. */
static void
count_pair(Shortener *s, guint a, guint b, int step)
{
    int *count = &s->counts[(gsize) a * s->space->total + b];
    int before = *count;

    *count += step;
    s->counts[(gsize) b * s->space->total + a] = *count;
    if (before == 0 || *count == 0)
        set_missing(s, a, b, *count == 0);
}

/* Counts the pairs of one place of a row with the other places. */
static void
count_place(Shortener *s, guint row, guint factor, int step)
{
    const guint *ids = &s->ids[(gsize) row * s->factors];

    for (guint g = 0; g < s->factors; g++)
        if (g != factor)
            count_pair(s, ids[factor], ids[g], step);
}

static void
count_row(Shortener *s, guint row, int step)
{
    const guint *ids = &s->ids[(gsize) row * s->factors];

    for (guint f = 0; f < s->factors; f++)
        for (guint g = f + 1; g < s->factors; g++)
            count_pair(s, ids[f], ids[g], step);
}

static guint
factor_of(const Shortener *s, guint id)
{
    guint f = s->factors - 1;

    while (s->space->offset[f] > id)
        f--;
    return f;
}

static void
set_place(Shortener *s, guint row, guint factor, guint id)
{
    gsize where = (gsize) row * s->factors + factor;

    count_place(s, row, factor, -1);
    s->ids[where] = id;
    s->levels[where] = id - s->space->offset[factor];
    count_place(s, row, factor, 1);
    s->free_at[where] = s->move + 1 + random_bounded(s->random, TENURE_MAX);
}

/* ------------------------------------------------------------------ moves */

/* How many more pairs are missing when a place of a row changes. */
static int
cost_of(Shortener *s, guint row, guint factor, guint id)
{
    const guint *ids = &s->ids[(gsize) row * s->factors];
    const int *old = &s->counts[(gsize) ids[factor] * s->space->total];
    const int *new = &s->counts[(gsize) id * s->space->total];
    int cost = 0;

    /* The place itself is no pair: its counts are SPARE. */
    for (guint g = 0; g < s->factors; g++)
        cost += (old[ids[g]] == 1) - (new[ids[g]] == 0);
    s->looks += s->factors;
    return cost;
}

/* Whether no rule is against a row with this place changed. */
static bool
allowed(Shortener *s, guint row, guint factor, guint id)
{
    guint *levels = &s->levels[(gsize) row * s->factors];
    guint before = levels[factor];
    bool forbidden = false;

    levels[factor] = id - s->space->offset[factor];
    forbidden = pair_row_forbidden(s->space->model, levels);
    levels[factor] = before;
    s->looks += s->space->model->sets->len;
    return !forbidden;
}

typedef struct Move {
    guint row, factor, id;
    int cost;
    guint ties; /* moves as good as this one, with it; 0: there is none */
} Move;

/* Takes a move in place of the best one so far if it is better, or by the
 * draw if it is as good. */
static void
consider(Shortener *s, guint row, guint factor, guint id, Move *best)
{
    gsize where = (gsize) row * s->factors + factor;
    int cost = cost_of(s, row, factor, id);

    if (best->ties && cost > best->cost)
        return;
    if (s->free_at[where] > s->move && s->missing->len + cost > 0)
        return;
    if (!allowed(s, row, factor, id))
        return;
    if (!best->ties || cost < best->cost)
        *best = (Move){row, factor, id, cost, 1};
    else if (random_bounded(s->random, ++best->ties) == 0)
        *best = (Move){row, factor, id, cost, best->ties};
}

/* Puts both levels into a row that has neither. */
static void
place_both(Shortener *s, guint a, guint b)
{
    guint row = (guint) random_bounded(s->random, s->rows);
    guint f = factor_of(s, a), g = factor_of(s, b);
    guint before = s->ids[(gsize) row * s->factors + f];

    set_place(s, row, f, a);
    if (allowed(s, row, g, b))
        set_place(s, row, g, b);
    else
        set_place(s, row, f, before);
}

static void
make_move(Shortener *s)
{
    guint pick = (guint) random_bounded(s->random, s->missing->len);
    guint pair = g_array_index(s->missing, guint, pick);
    guint a = pair / s->space->total, b = pair % s->space->total;
    guint f = factor_of(s, a), g = factor_of(s, b);
    Move best = {0};

    for (guint row = 0; row < s->rows; row++) {
        const guint *ids = &s->ids[(gsize) row * s->factors];

        if (ids[f] == a)
            consider(s, row, g, b, &best);
        else if (ids[g] == b)
            consider(s, row, f, a, &best);
    }
    s->looks += s->rows;
    s->move++;
    if (best.ties)
        set_place(s, best.row, best.factor, best.id);
    else
        place_both(s, a, b);
}

/* --------------------------------------------------------------- the whole */

static void
shortener_init(Shortener *s, const PairSpace *space, const GPtrArray *rows)
{
    gsize square = (gsize) space->total * space->total;

    s->space = space;
    s->factors = space->model->factors;
    s->rows = rows->len;
    s->levels = g_new0(guint, (gsize) s->rows * s->factors);
    s->ids = g_new0(guint, (gsize) s->rows * s->factors);
    s->free_at = g_new0(guint64, (gsize) s->rows * s->factors);
    s->counts = g_new0(int, square);
    s->place = g_new0(guint, square);
    s->missing = g_array_new(FALSE, FALSE, sizeof(guint));
    for (gsize i = 0; i < square; i++)
        s->counts[i] = SPARE;
    for (guint a = 0; a < space->total; a++)
        for (guint b = a + 1; b < space->total; b++)
            if (space->open[(gsize) a * space->total + b])
                count_pair(s, a, b, -SPARE);
    for (guint row = 0; row < s->rows; row++) {
        const guint *levels = rows->pdata[row];

        for (guint f = 0; f < s->factors; f++) {
            s->levels[(gsize) row * s->factors + f] = levels[f];
            s->ids[(gsize) row * s->factors + f] = space->offset[f] + levels[f];
        }
        count_row(s, row, 1);
    }
}

/* No array has less rows than two factors have open pairs. */
static guint
fewest_rows(const PairSpace *space, guint *ret_pairs)
{
    const PairModel *model = space->model;
    guint fewest = 0;

    *ret_pairs = 0;
    for (guint f = 0; f < model->factors; f++)
        for (guint g = f + 1; g < model->factors; g++) {
            guint n = 0;

            for (guint i = 0; i < model->levels[f]; i++)
                for (guint j = 0; j < model->levels[g]; j++)
                    n += space->open[(gsize) (space->offset[f] + i) *
                                         space->total +
                                     space->offset[g] + j];
            fewest = MAX(fewest, n);
            *ret_pairs += n;
        }
    return fewest;
}

/* The last row goes; the others are as good as any to repair it with. */
static void
drop_row(Shortener *s)
{
    count_row(s, s->rows - 1, -1);
    s->rows--;
}

static void
keep(const Shortener *s, GPtrArray *rows)
{
    g_ptr_array_set_size(rows, 0);
    for (guint row = 0; row < s->rows; row++)
        g_ptr_array_add(rows, g_memdup2(&s->levels[(gsize) row * s->factors],
                                        s->factors * sizeof(*s->levels)));
}

void
pairwise_shorten(const PairSpace *space, Random *random, GPtrArray *rows)
{
    g_auto(Shortener) s = {.random = random};
    guint pairs = 0;
    guint fewest = fewest_rows(space, &pairs);
    guint64 looks = MIN(LOOKS_MAX, (guint64) LOOKS_PER_PAIR * pairs);

    if (rows->len <= fewest)
        return;
    shortener_init(&s, space, rows);
    while (s.rows > fewest && s.looks < looks) {
        drop_row(&s);
        while (s.missing->len && s.looks < looks)
            make_move(&s);
        if (!s.missing->len)
            keep(&s, rows);
    }
}
