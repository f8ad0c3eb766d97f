/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole sweeps: the oracles of METHOD 12 and invented ones with trouble. */
#pragma once

#include <math.h>
#include "report-util.h"

/* Rows of an oracle's CSV file without its heading.  (GStrv) */
static inline GPtrArray *
oracle_rows(const char *name)
{
    g_autofree char *path = g_strconcat("tests/data/oracles/", name, NULL);
    g_autofree char *text = read_source(path);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GPtrArray *rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);

    for (guint i = 1; lines[i]; i++)
        if (*g_strstrip(lines[i]))
            g_ptr_array_add(rows, g_strsplit(lines[i], ",", -1));
    return rows;
}

/* What every invented sweep is told about itself. */
static inline void
common_facts(Sweep *sweep)
{
    sweep_facts(
        sweep, "matrix.name", "cache-modes", "seed", "42", "quick", "no",
        "baseline.given", "yes", "status", "finished", "stop_reason",
        "max_blocks", "accel", "kvm", "allow_unsafe", "no", "hygiene", "strict",
        "uri", "qemu:///embed?root=/run/vsweep", "version.qemu", "QEMU 7.2.22",
        "version.libvirt", "libvirt 9.0.0", "kernel", "6.1.0-18-cloud-amd64",
        "storage", "/srv/images (ext4 on vdb)", NULL);
}

static inline void
set_times(Sweep *sweep)
{
    static const gint64 seconds[PART_MAX] = {
        [PART_PREPARE] = 12, [PART_BOOT] = 130,  [PART_MEASURE] = 220,
        [PART_STOP] = 40,    [PART_IMAGES] = 65, [PART_WAIT] = 12,
        [PART_OTHER] = 131};

    for (guint i = 0; i < PART_MAX; i++)
        store_add_time(sweep->store, (Part) i, seconds[i] * 1000000000, NULL);
}

/* E1: one factor at a time, eight blocks, higher is better.  The program is
 * unknown to the catalogue, so the band is the oracle's 2 %.  Blocks above
 * `blocks` are left out. */
static inline void
make_e1(Sweep *sweep, guint blocks)
{
    static const struct {
        const char *oracle, *cell;
    } names[] = {{"base", "none/native"},
                 {"aa", "aa"},
                 {"cache=writeback", "writeback/native"},
                 {"cache=directsync", "directsync/native"},
                 {"io=io_uring", "none/io_uring"},
                 {"io=threads", "none/threads"}};
    g_autoptr(GPtrArray) rows = oracle_rows("e1_ofat.csv");

    common_facts(sweep);
    sweep_facts(sweep, "question", "Which cache mode costs writes?", "design",
                "ofat", "blocks.planned", "8", "baseline",
                "disk.cache=none disk.io=native", "primary", "exec.e1.rate",
                NULL);
    set_times(sweep);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "directsync", NULL);
    sweep_factor(sweep, "disk.io", "native", "io_uring", "threads", NULL);
    sweep_cell(sweep, "none/native", "cell", "none", "native");
    sweep_cell(sweep, "writeback/native", "cell", "writeback", "native");
    sweep_cell(sweep, "directsync/native", "cell", "directsync", "native");
    sweep_cell(sweep, "none/io_uring", "cell", "none", "io_uring");
    sweep_cell(sweep, "none/threads", "cell", "none", "threads");
    sweep_cell(sweep, "aa", "aa", "none", "native");
    sweep_design(sweep);
    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];
        guint block = (guint) atoi(row[0]);

        for (gsize k = 0; block <= blocks && k < G_N_ELEMENTS(names); k++) {
            if (strcmp(names[k].oracle, row[1]) != 0)
                continue;
            Attempt *attempt = sweep_attempt(sweep, block, names[k].cell);
            sweep_value(attempt, "exec.e1", "exec.e1.rate", "op/s", true,
                        g_ascii_strtod(row[2], NULL));
            sweep_put(sweep, attempt);
        }
    }
}

/* E2: 2 x 2, seconds, lower is better, with an interaction. */
static inline void
make_e2(Sweep *sweep)
{
    g_autoptr(GPtrArray) rows = oracle_rows("e2_factorial.csv");

    common_facts(sweep);
    sweep_facts(sweep, "matrix.name", "iothread", "question",
                "Does an iothread pay?", "design", "full", "blocks.planned",
                "8", "baseline", "disk.cache=none disk.iothread=off", "primary",
                "exec.e2.time", NULL);
    set_times(sweep);
    sweep_factor(sweep, "disk.cache", "none", "writeback", NULL);
    sweep_factor(sweep, "disk.iothread", "off", "on", NULL);
    sweep_cell(sweep, "none/off", "cell", "none", "off");
    sweep_cell(sweep, "none/on", "cell", "none", "on");
    sweep_cell(sweep, "writeback/off", "cell", "writeback", "off");
    sweep_cell(sweep, "writeback/on", "cell", "writeback", "on");
    sweep_design(sweep);
    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];
        g_autofree char *cell = g_strdup_printf("%s/%s", row[1], row[2]);
        Attempt *attempt = sweep_attempt(sweep, (guint) atoi(row[0]), cell);

        sweep_value(attempt, "exec.e2", "exec.e2.time", "s", false,
                    g_ascii_strtod(row[3], NULL));
        sweep_put(sweep, attempt);
    }
}

/* A repeatable wobble of up to +-2 % that differs by block and place; whole
 * numbers make it, so that it is the same everywhere. */
static inline double
wobble(guint block, guint place)
{
    return 1 + ((block * 7919 + place * 10477 + block * place * 3571) % 401 -
                200.0) /
                   10000;
}

/* E4b: a pairwise design of 12 cells, higher is better; `noise` varies the
 * oracle's scores from block to block. */
static inline void
make_e4b(Sweep *sweep, guint blocks, double (*noise)(guint block, guint place))
{
    g_autoptr(GPtrArray) rows = oracle_rows("e4_pairwise.csv");

    common_facts(sweep);
    sweep_facts(sweep, "matrix.name", "screening", "question",
                "Which disk settings matter?", "design", "pairwise",
                "blocks.planned", "10", "baseline",
                "disk.cache=none disk.io=threads disk.format=raw", "primary",
                "exec.e4.score", NULL);
    set_times(sweep);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "writethrough",
                 "directsync", "unsafe", NULL);
    sweep_factor(sweep, "disk.io", "threads", "native", "io_uring", NULL);
    sweep_factor(sweep, "disk.format", "raw", "qcow2", NULL);
    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];
        g_autofree char *name = g_strjoin("/", row[0], row[1], row[2], NULL);

        sweep_cell(sweep, name, "cell", row[0], row[1], row[2]);
    }
    sweep_design(sweep);
    for (guint block = 1; block <= blocks; block++)
        for (guint i = 0; i < rows->len; i++) {
            const StoreCell *cell = sweep->cells->pdata[i];
            double score = g_ascii_strtod(((GStrv) rows->pdata[i])[3], NULL);
            Attempt *attempt = sweep_attempt(sweep, block, cell->name);

            sweep_value(attempt, "exec.e4", "exec.e4.score", "op/s", true,
                        score * (noise ? noise(block, i) : 1));
            sweep_put(sweep, attempt);
        }
}

/* A storage sweep: medians of each cell, the wobble on top. */
typedef struct Invented {
    const char *cell;
    double p50, seqwrite; /* us, MB/s */
} Invented;

static inline void
put_invented(Sweep *sweep, guint block, const Invented *invented, guint place)
{
    double noise = wobble(block, place);
    Attempt *attempt = sweep_attempt(sweep, block, invented->cell);

    sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                invented->p50 * noise);
    sweep_value(attempt, "fs.fsync", "fs.fsync.p99", "us", false,
                invented->p50 * 3 * noise * noise * noise);
    sweep_value(attempt, "fs.seqwrite", "fs.seqwrite.bw", "MB/s", true,
                invented->seqwrite / noise);
    sweep_put(sweep, attempt);
}

static inline void
begin_storage(Sweep *sweep)
{
    common_facts(sweep);
    set_times(sweep);
    sweep_facts(sweep, "question",
                "Which cache mode and image format cost fsync latency?",
                "design", "ofat", "blocks.planned", "6", "baseline",
                "disk.format=raw disk.cache=none", "primary",
                "fs.fsync.p50 fs.seqwrite.bw", NULL);
    sweep_factor(sweep, "disk.format", "raw", "qcow2", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writethrough", "writeback",
                 "unsafe", NULL);
    sweep_cell(sweep, "raw/none", "cell", "raw", "none");
    sweep_cell(sweep, "qcow2/none", "cell", "qcow2", "none");
    sweep_cell(sweep, "raw/writethrough", "cell", "raw", "writethrough");
    sweep_cell(sweep, "raw/writeback", "cell", "raw", "writeback");
    sweep_cell(sweep, "raw/unsafe", "cell", "raw", "unsafe");
    sweep_cell(sweep, "aa", "aa", "raw", "none");
    sweep_cell(sweep, "host", "host");
}

static const Invented storage_cells[] = {
    {"raw/none", 591, 410},
    {"qcow2/none", 622, 395},
    {"raw/writethrough", 435, 380},
    {"raw/writeback", 594, 560},
    {"raw/unsafe", 405, 900},
    {"aa", 591, 410},
    {"host", 214, 512},
};

static inline void
put_storage(Sweep *sweep, guint blocks)
{
    for (guint block = 1; block <= blocks; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++)
            put_invented(sweep, block, &storage_cells[i], i);
}

/* Six whole blocks with the host, the twin and a level that ignores flushes. */
static inline void
make_storage(Sweep *sweep)
{
    begin_storage(sweep);
    sweep_design(sweep);
    put_storage(sweep, 6);
}

/* Everything that goes wrong at once. */
static inline void
make_trouble(Sweep *sweep)
{
    begin_storage(sweep);
    sweep_facts(sweep, "status", "interrupted", "stop_reason", "user",
                "baseline.given", "no", "hygiene", "normal",
                "host.cpu.hypervisor", "yes", "blocks.planned", "8", NULL);
    StoreCell *excluded =
        sweep_cell(sweep, "qcow2/unsafe", "cell", "qcow2", "unsafe");
    g_free(excluded->state);
    excluded->state = g_strdup("excluded");
    excluded->why = g_strdup("already known");
    StoreCell *unsupported =
        sweep_cell(sweep, "qcow2/writeback", "cell", "qcow2", "writeback");
    g_free(unsupported->state);
    unsupported->state = g_strdup("unsupported");
    unsupported->why = g_strdup("unsupported configuration: no | such\n\x1b[31m"
                                "format");
    sweep_design(sweep);
    for (guint block = 1; block <= 4; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            const char *cell = storage_cells[i].cell;

            if (block == 4 && i > 3)
                continue; /* interrupted here */
            if (block == 2 && strcmp(cell, "raw/writeback") == 0) {
                Attempt *attempt = sweep_attempt(sweep, block, cell);
                attempt_fail(attempt, OUTCOME_PANIC,
                             "Kernel panic - not syncing: <b>\x1b[2J</b>");
                sweep_put(sweep, attempt);
            } else if (strcmp(cell, "raw/writethrough") == 0) {
                Attempt *attempt = sweep_attempt(sweep, block, cell);
                attempt_fail(attempt,
                             block == 1 ? OUTCOME_NO_BOOT : OUTCOME_QEMU_DIED,
                             "no READY within 30 s");
                sweep_put(sweep, attempt);
            } else {
                put_invented(sweep, block, &storage_cells[i], i);
            }
        }
}

/* The same machine without KVM, and a processor metric. */
static inline void
make_emulated(Sweep *sweep)
{
    begin_storage(sweep);
    sweep_facts(sweep, "accel", "tcg", "primary", "fs.fsync.p50 cpu.hash.rate",
                "quick", "yes", "blocks.planned", "3", NULL);
    sweep_design(sweep);
    for (guint block = 1; block <= 3; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            const Invented *invented = &storage_cells[i];
            double noise = wobble(block, i);
            Attempt *attempt = sweep_attempt(sweep, block, invented->cell);

            sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                        invented->p50 * noise);
            sweep_value(attempt, "cpu.hash", "cpu.hash.rate", "MB/s", true,
                        invented->seqwrite * noise);
            sweep_put(sweep, attempt);
        }
}

static inline void
make_one_block(Sweep *sweep)
{
    begin_storage(sweep);
    sweep_facts(sweep, "quick", "yes", "blocks.planned", "1", NULL);
    sweep_design(sweep);
    put_storage(sweep, 1);
}

static inline void
make_screening(Sweep *sweep)
{
    make_e4b(sweep, 10, wobble);
}

static inline void
make_empty(Sweep *sweep)
{
    begin_storage(sweep);
    sweep_facts(sweep, "status", "running", "stop_reason", "", NULL);
    sweep_design(sweep);
}
