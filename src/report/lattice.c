/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells as points: see lattice.h.
 *
 * Levels are numbered within their setting.  A point's key is the sum of one
 * mixed number for each of its coordinates, so that the key of a neighbour
 * follows from it without looking at the other settings.
 */
#include "report/lattice.h"

#include <string.h>
#include "data/store.h"
#include "report/parts.h"

/* The level of a setting that a cell does not have. */
#define NO_LEVEL 0u

struct Lattice {
    guint n_cells;
    GHashTable *settings; /* name -> number + 1 */
    GPtrArray *levels;    /* by setting: level -> number, from 1 */
    guint *level;         /* [place * settings + setting] */
    bool *is_point;
    GHashTable *points; /* key -> place + 1 of the first such cell */
};

static guint
setting_count(const Lattice *lattice)
{
    return lattice->levels->len;
}

static guint
number_of(GHashTable *table, const char *name)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(table, name));
}

/* The number of a name, from 1; a new one where it has none. */
static guint
intern(GHashTable *table, const char *name)
{
    guint number = number_of(table, name);

    if (number == 0) {
        number = g_hash_table_size(table) + 1;
        g_hash_table_insert(table, g_strdup(name), GUINT_TO_POINTER(number));
    }
    return number;
}

static GHashTable *
name_table(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void
name_settings(Lattice *lattice, const GPtrArray *cells)
{
    for (guint c = 0; c < cells->len; c++) {
        const StoreCell *cell = cells->pdata[c];

        for (guint i = 0; i < cell->settings->len; i++)
            if (intern(lattice->settings, cell->settings->pdata[i]) >
                setting_count(lattice))
                g_ptr_array_add(lattice->levels, name_table());
    }
}

/* SplitMix64's finisher: spreads the bits of setting and level. */
static guint64
mix(guint setting, guint level)
{
    guint64 z = ((guint64) setting << 32 | level) +
                G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static const guint *
levels_at(const Lattice *lattice, guint place)
{
    return lattice->level + (gsize) place * setting_count(lattice);
}

static guint64
key_of(const Lattice *lattice, guint place)
{
    const guint *level = levels_at(lattice, place);
    guint64 key = 0;

    for (guint s = 0; s < setting_count(lattice); s++)
        key += mix(s, level[s]);
    return key;
}

static void
place_cell(Lattice *lattice, const StoreCell *cell, guint place)
{
    guint *level = lattice->level + (gsize) place * setting_count(lattice);
    guint64 key = 0;

    for (guint i = 0; i < cell->settings->len; i++) {
        guint setting =
            number_of(lattice->settings, cell->settings->pdata[i]) - 1;

        level[setting] =
            intern(lattice->levels->pdata[setting], cell->levels->pdata[i]);
    }
    lattice->is_point[place] =
        strcmp(cell->kind, "cell") == 0 && report_cell_planned(cell);
    if (!lattice->is_point[place])
        return;
    key = key_of(lattice, place);
    if (!g_hash_table_contains(lattice->points, &key))
        g_hash_table_insert(lattice->points, g_memdup2(&key, sizeof key),
                            GUINT_TO_POINTER(place + 1));
}

Lattice *
lattice_new(const GPtrArray *cells)
{
    Lattice *lattice = g_new0(Lattice, 1);

    lattice->n_cells = cells->len;
    lattice->settings = name_table();
    lattice->levels =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_hash_table_unref);
    lattice->points =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    name_settings(lattice, cells);
    lattice->level = g_new0(guint, (gsize) cells->len * setting_count(lattice));
    lattice->is_point = g_new0(bool, cells->len);
    for (guint i = 0; i < cells->len; i++)
        place_cell(lattice, cells->pdata[i], i);
    return lattice;
}

void
lattice_free(Lattice *lattice)
{
    if (!lattice)
        return;
    g_hash_table_unref(lattice->settings);
    g_ptr_array_unref(lattice->levels);
    g_hash_table_unref(lattice->points);
    g_free(lattice->level);
    g_free(lattice->is_point);
    g_free(lattice);
}

bool
lattice_coordinate(const Lattice *lattice, const char *setting,
                   const char *level, Coordinate *ret_coordinate)
{
    guint number = number_of(lattice->settings, setting);
    guint its_level = 0;

    if (number == 0)
        return false;
    if (level)
        its_level = number_of(lattice->levels->pdata[number - 1], level);
    if (level && its_level == NO_LEVEL)
        return false;
    *ret_coordinate = (Coordinate){number - 1, its_level};
    return true;
}

bool
lattice_has(const Lattice *lattice, guint place, Coordinate coordinate)
{
    return place < lattice->n_cells && lattice->is_point[place] &&
           levels_at(lattice, place)[coordinate.setting] == coordinate.level;
}

/* Keys can collide: the cell found must be what was asked for. */
static bool
is_moved(const Lattice *lattice, guint from, guint to,
         const Coordinate *coordinates, guint n)
{
    const guint *a = levels_at(lattice, from), *b = levels_at(lattice, to);
    g_autofree guint *wanted = g_memdup2(a, setting_count(lattice) * sizeof *a);

    for (guint i = 0; i < n; i++)
        wanted[coordinates[i].setting] = coordinates[i].level;
    return memcmp(wanted, b, setting_count(lattice) * sizeof *b) == 0;
}

guint
lattice_move(const Lattice *lattice, guint place, const Coordinate *coordinates,
             guint n)
{
    const guint *level = levels_at(lattice, place);
    guint64 key = key_of(lattice, place);
    guint found = 0;

    for (guint i = 0; i < n; i++)
        key += mix(coordinates[i].setting, coordinates[i].level) -
               mix(coordinates[i].setting, level[coordinates[i].setting]);
    found = GPOINTER_TO_UINT(g_hash_table_lookup(lattice->points, &key));
    if (found == 0 || !is_moved(lattice, place, found - 1, coordinates, n))
        return LATTICE_NO_CELL;
    return found - 1;
}
