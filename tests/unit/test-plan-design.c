/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs: which cells, which order, how many blocks, what is not claimed. */
#include "base/random.h"
#include "plan-util.h"

#define WORKLOADS "workloads: [fs.fsync]\n"

static void
cache_modes(void **state)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix =
        matrix_load(VS_SOURCE_DIR "/matrices/cache-modes.yaml", false, &err);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_FULL);
    assert_names(design, CELL_PLANNED,
                 "raw/none raw/writethrough raw/writeback raw/directsync "
                 "raw/unsafe qcow2/none qcow2/writethrough qcow2/writeback "
                 "qcow2/directsync qcow2/unsafe aa host");
    assert_int_equal(design->comparisons, 5);
    assert_int_equal(design->blocks_min, 10);
    assert_int_equal(design->blocks_max, 10);
    assert_true(design_cell(design, "raw/none")->baseline);
    assert_false(design_cell(design, "aa")->baseline);
    assert_int_equal(design_cell(design, "aa")->kind, CELL_AA);
    assert_int_equal(design_cell(design, "host")->kind, CELL_HOST);
    assert_null(design_cell(design, "host")->levels);
    assert_null(design_cell(design, "raw/lightning"));
}

static void
cache_modes_quick(void **state)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix =
        matrix_load(VS_SOURCE_DIR "/matrices/cache-modes.yaml", true, &err);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GPtrArray) limits = design_limits(design);

    (void) state;
    assert_int_equal(design->kind, DESIGN_OFAT);
    assert_names(design, CELL_PLANNED,
                 "raw/none qcow2/none raw/writethrough raw/writeback "
                 "raw/directsync raw/unsafe aa host");
    assert_int_equal(design->blocks_min, 3);
    assert_int_equal(design->blocks_max, 3);
    assert_string_equal(limits->pdata[0], "Interactions were not tested by "
                                          "this design (ofat).");
    assert_string_equal(limits->pdata[limits->len - 1],
                        "3 blocks: p-values by t test on logs (the exact test "
                        "needs 8 for 5 comparisons).");
}

/* The example of METHOD 3.4: 5 cache modes, 3 ways of I/O, 2 formats. */
#define E15                                                               \
    "matrix:\n"                                                           \
    "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n" \
    "  disk.io: [threads, native, io_uring]\n"                            \
    "  disk.format: [raw, qcow2]\n" WORKLOADS

static guint
count(const Design *design, CellKind kind, CellState state)
{
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->kind == kind && cell->state == state;
    }
    return n;
}

static bool
has_limit(const Design *design, const char *sentence)
{
    g_autoptr(GPtrArray) limits = design_limits(design);

    return g_ptr_array_find_with_equal_func(limits, sentence, g_str_equal,
                                            NULL);
}

static void
method_example(void **state)
{
    g_autoptr(Matrix) full_matrix = plan_matrix("design: full\n" E15, false);
    g_autoptr(Matrix) ofat_matrix = plan_matrix(E15, false);
    g_autoptr(Design) full = plan_design(full_matrix);
    g_autoptr(Design) ofat = plan_design(ofat_matrix);

    (void) state;
    assert_int_equal(count(full, CELL_CELL, CELL_PLANNED), 24);
    assert_int_equal(count(full, CELL_CELL, CELL_EXCLUDED), 6);
    assert_true(has_limit(full, "disk.io=native is compared in 4 of 10 "
                                "combinations of the other settings."));
    assert_true(has_limit(full, "disk.cache=writeback is compared in 4 of 6 "
                                "combinations of the other settings."));
    assert_true(has_limit(full, "disk.format=qcow2 is compared in 12 of 15 "
                                "combinations of the other settings."));
    /* More than 12 cells: ofat is the default. */
    assert_int_equal(ofat->kind, DESIGN_OFAT);
    assert_int_equal(count(ofat, CELL_CELL, CELL_PLANNED), 8);
    assert_int_equal(ofat->comparisons, 7);
    assert_int_equal(design_blocks_bound(7), 9);
    assert_int_equal(ofat->blocks_min, 11);
}

static void
default_design(void **state)
{
    /* 12 cells are left of 15. */
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix:\n"
        "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n"
        "  disk.io: [threads, native, io_uring]\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_FULL);
    assert_int_equal(count(design, CELL_CELL, CELL_PLANNED), 12);
    assert_names(design, CELL_EXCLUDED,
                 "writethrough/native writeback/native unsafe/native");
    assert_string_equal(
        design_cell(design, "unsafe/native")->why,
        "disk.io native needs disk.cache none or directsync: QEMU refuses "
        "aio=native without O_DIRECT (cache.direct=on)");
}

static void
exclusions(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix:\n"
                    "  disk.format: [raw, qcow2]\n"
                    "  disk.prealloc: [full, metadata]\n"
                    "  disk.cache: [none, unsafe]\n"
                    "exclude:\n"
                    "  - {disk.format: qcow2, disk.cache: unsafe, why: dull}\n"
                    "  - {disk.prealloc: metadata, disk.cache: unsafe}\n"
                    "host: none\n" WORKLOADS,
                    false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_names(design, CELL_PLANNED,
                 "raw/full/none raw/full/unsafe qcow2/full/none "
                 "qcow2/metadata/none aa");
    assert_string_equal(design_cell(design, "qcow2/full/unsafe")->why, "dull");
    assert_string_equal(design_cell(design, "raw/metadata/none")->why,
                        "disk.prealloc metadata needs disk.format qcow2: a "
                        "raw image has no metadata to allocate");
    assert_true(has_limit(design,
                          "The host itself was not measured (host: none): "
                          "nothing is said about the cost of "
                          "virtualization."));
}

static void
includes(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix:\n"
        "  disk.format: [raw, qcow2]\n"
        "  disk.cache: [none, unsafe]\n"
        "exclude: [{disk.cache: unsafe, why: known}]\n"
        "include:\n"
        "  - {disk.format: qcow2, disk.prealloc: off, label: thin}\n"
        "  - {disk.format: qcow2, disk.prealloc: falloc}\n"
        "  - {disk.format: qcow2, label: cow}\n"
        "  - {disk.cache: unsafe}\n"
        "  - {disk.io: native, disk.cache: unsafe}\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);
    const Cell *thin = design_cell(design, "thin");

    (void) state;
    assert_names(design, CELL_PLANNED,
                 "raw/none raw/unsafe cow thin "
                 "qcow2/none+disk.prealloc=falloc aa host");
    assert_names(design, CELL_EXCLUDED,
                 "qcow2/unsafe raw/unsafe+disk.io=native");
    assert_string_equal(
        design_level(design, thin, setting_find("disk.prealloc")), "off");
    assert_string_equal(design_level(design, thin, setting_find("disk.format")),
                        "qcow2");
    /* unsafe and qcow2 against the baseline, thin and falloc against cow. */
    assert_int_equal(design->comparisons, 4);
}

static void
list(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "design: list\n"
        "matrix:\n"
        "  disk.format: [raw, qcow2]\n"
        "  disk.cache: [none, writeback, unsafe]\n"
        "include:\n"
        "  - {disk.cache: writeback}\n"
        "  - {disk.format: qcow2, disk.cache: unsafe, label: loose}\n"
        "  - {disk.format: raw, label: plain}\n" WORKLOADS,
        true);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    /* --quick keeps a list: its cells are named one by one. */
    assert_int_equal(design->kind, DESIGN_LIST);
    assert_names(design, CELL_PLANNED, "plain raw/writeback loose aa host");
    assert_true(design_cell(design, "plain")->baseline);
    assert_int_equal(design->comparisons, 1);
    assert_true(has_limit(design, "disk.cache=unsafe cannot be compared with "
                                  "disk.cache=none: no two planned cells "
                                  "differ in it alone."));
}

static void
levels(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("guest: {memory: 512M, cmdline: 'a b'}\n"
                    "matrix:\n"
                    "  disk.cache: [none, unsafe]\n"
                    "  disk.format: qcow2\n" WORKLOADS,
                    false);
    g_autoptr(Design) design = plan_design(matrix);
    static const struct {
        const char *cell, *setting, *level;
    } cases[] = {
        {"unsafe", "disk.cache", "unsafe"},
        {"aa", "disk.cache", "none"},
        {"unsafe", "disk.format", "qcow2"},
        {"unsafe", "memory", "512M"},
        {"aa", "guest.cmdline", "a b"},
        {"none", "disk.io", "threads"},
        {"none", "vcpus", "1"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_string_equal(design_level(design,
                                         design_cell(design, cases[i].cell),
                                         setting_find(cases[i].setting)),
                            cases[i].level);
    assert_null(design_level(design, design_cell(design, "host"),
                             setting_find("memory")));
}

static void
blocks(void **state)
{
    /* METHOD 3.4, and 0.13 for the two blocks beyond the bound. */
    static const guint bounds[][2] = {{0, 6},   {1, 6},   {2, 7},
                                      {4, 8},   {6, 8},   {10, 9},
                                      {20, 10}, {40, 11}, {100, 12}};
    static const struct {
        const char *given;
        guint min, max;
    } cases[] = {
        {"", 8, 8},
        {"blocks: {min: 4}\n", 4, 4},
        {"blocks: {max: 16}\n", 8, 16},
        {"blocks: {max: 3}\n", 3, 3},
        {"blocks: {min: 6, max: 20}\n", 6, 20},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++)
        assert_int_equal(design_blocks_bound(bounds[i][0]), bounds[i][1]);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "matrix: {disk.cache: [none, unsafe]}\n" WORKLOADS "%s",
            cases[i].given);
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_int_equal(design->blocks_min, cases[i].min);
        assert_int_equal(design->blocks_max, cases[i].max);
    }
}

/* ------------------------------------------------------------------ order */

static void
assert_order(const Design *design, guint64 seed, guint block,
             const char *expected)
{
    g_autoptr(GString) got = g_string_new(NULL);
    g_autofree guint *order = NULL;
    guint length = 0;

    design_block_order(design, seed, block, &order, &length);
    for (guint i = 0; i < length; i++)
        g_string_append_printf(got, "%s%u", i ? " " : "", order[i]);
    assert_string_equal(got->str, expected);
}

static void
block_order(void **state)
{
    g_autoptr(Matrix) four = plan_matrix("matrix: {disk.cache: [none, unsafe, "
                                         "writeback, directsync]}\n" WORKLOADS,
                                         false);
    g_autoptr(Matrix) eight = plan_matrix(
        "matrix: {vcpus: [1, 2, 3, 4, 5, 6, 7, 8]}\n" WORKLOADS, false);
    g_autoptr(Design) six = plan_design(four);
    g_autoptr(Design) ten = plan_design(eight);

    (void) state;
    assert_order(six, 42, 1, "1 0 3 5 2 4");
    assert_order(six, 42, 2, "1 3 0 5 4 2");
    assert_order(six, 42, 3, "0 2 3 1 5 4");
    assert_order(six, 42, 4, "0 1 2 5 3 4");
    assert_order(ten, 0, 1, "6 8 3 7 9 1 0 4 5 2");
    assert_order(ten, G_MAXUINT64, 1, "5 7 3 6 4 8 1 2 0 9");
}

/* Cells that are not planned take no part; the others keep their index. */
static void
block_order_skips(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix: {disk.cache: [none, writethrough, unsafe, writeback, "
        "directsync]}\n"
        "exclude: [{disk.cache: writethrough, why: slow}]\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_order(design, 42, 1, "2 0 4 6 3 5");
}

static void
workload_order(void **state)
{
    static const guint expected[][5] = {
        {2, 1, 4, 0, 3}, {1, 2, 4, 0, 3}, {2, 3, 1, 4, 0}};
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix: {disk.cache: [none, unsafe]}\n"
        "workloads: [fs.fsync, fs.dsync, fs.seqwrite, db.txn, cpu.int]\n",
        false);
    g_autoptr(Design) design = plan_design(matrix);
    guint order[5] = {0};

    (void) state;
    for (guint block = 1; block <= 3; block++) {
        design_workload_order(design, 42, block, order);
        assert_memory_equal(order, expected[block - 1], sizeof(order));
    }
}

/* ----------------------------------------------------------------- filter */

static void
filters(void **state)
{
    static const struct {
        const char *filter, *planned;
        guint comparisons;
    } cases[] = {
        {"qcow2/unsafe", "raw/none qcow2/unsafe aa host", 0},
        {"raw/unsafe", "raw/none raw/unsafe aa host", 1},
        {"raw/unsafe, qcow2/none", "raw/none raw/unsafe qcow2/none aa host", 2},
        {"disk.format=raw", "raw/none raw/writeback raw/unsafe aa host", 2},
        {"disk.cache=unsafe,disk.cache=writeback,disk.format=qcow2",
         "raw/none qcow2/writeback qcow2/unsafe aa host", 0},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Matrix) matrix = plan_matrix(
            "matrix: {disk.format: [raw, qcow2], disk.cache: [none, "
            "writeback, unsafe]}\n" WORKLOADS,
            false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_true(design_filter(design, cases[i].filter, NULL));
        assert_names(design, CELL_PLANNED, cases[i].planned);
        assert_int_equal(design->comparisons, cases[i].comparisons);
        assert_int_equal(design->cells->len, 8);
    }
}

static void
bad_filters(void **state)
{
    static const struct {
        const char *filter, *message;
    } cases[] = {
        {"unsfe", "no cell 'unsfe'; did you mean 'unsafe'?"},
        {"", "'' leaves no planned cell besides the baseline"},
        {"lightning", "no cell 'lightning'; there is none, unsafe, aa, host"},
        {"disk.cahce=none",
         "unknown setting 'disk.cahce'; did you mean 'disk.cache'?"},
        {"disk.cache=writeback",
         "no cell has disk.cache=writeback; there is none, unsafe"},
        {"disk.cache=none",
         "'disk.cache=none' leaves no planned cell besides the baseline"},
    };
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix: {disk.cache: [none, unsafe]}\n" WORKLOADS, false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) err = NULL;

        assert_false(design_filter(design, cases[i].filter, &err));
        assert_string_equal(err->message, cases[i].message);
        assert_int_equal(vs_error_status(err), 2);
        assert_names(design, CELL_PLANNED, "none unsafe aa host");
    }
}

/* ------------------------------------------------------------- properties */

/* Settings whose levels no constraint binds, so that counts are known. */
static const struct {
    const char *name;
    const char *levels[5];
} pool[] = {
    {"disk.format", {"raw", "qcow2"}},
    {"disk.cache", {"none", "writethrough", "writeback", "directsync"}},
    {"disk.bus", {"virtio", "scsi", "sata"}},
    {"vcpus", {"1", "2", "4"}},
    {"memory", {"256M", "512M"}},
    {"guest.scheduler", {"none", "bfq", "kyber"}},
};

typedef struct Drawn {
    char *text;
    guint product, ofat;
} Drawn;

/* A random matrix: one to four settings, each with at least two levels. */
static Drawn
draw(Random *random, const char *design)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Drawn drawn = {.product = 1, .ofat = 1};
    guint order[G_N_ELEMENTS(pool)] = {0};
    guint n = 1 + (guint) random_bounded(random, 4);

    g_string_append_printf(text, "design: %s\n" WORKLOADS "matrix:\n", design);
    random_shuffle(random, order, G_N_ELEMENTS(pool));
    for (guint i = 0; i < n; i++) {
        guint most = g_strv_length((char **) pool[order[i]].levels);
        guint levels = 2 + (guint) random_bounded(random, most - 1);

        g_string_append_printf(text, "  %s: [", pool[order[i]].name);
        for (guint j = 0; j < levels; j++)
            g_string_append_printf(text, "%s%s", j ? ", " : "",
                                   pool[order[i]].levels[j]);
        g_string_append(text, "]\n");
        drawn.product *= levels;
        drawn.ofat += levels - 1;
    }
    drawn.text = g_string_free(g_steal_pointer(&text), FALSE);
    return drawn;
}

/* Every planned cell once, and nothing else. */
static void
assert_permutation(const Design *design, guint64 seed)
{
    g_autofree guint *order = NULL;
    g_autofree bool *seen = g_new0(bool, design->cells->len);
    guint length = 0;

    design_block_order(design, seed, 1, &order, &length);
    for (guint i = 0; i < length; i++) {
        const Cell *cell = design->cells->pdata[order[i]];

        assert_int_equal(cell->state, CELL_PLANNED);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    assert_int_equal(length, count(design, CELL_CELL, CELL_PLANNED) + 2);
}

static void
sizes(void **state)
{
    Random random = {0};

    (void) state;
    random_init(&random, 1);
    for (guint i = 0; i < 100; i++) {
        bool full = i % 2;
        Drawn drawn = draw(&random, full ? "full" : "ofat");
        g_autofree char *text = drawn.text;
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_int_equal(count(design, CELL_CELL, CELL_PLANNED),
                         full ? drawn.product : drawn.ofat);
        assert_int_equal(design->comparisons, drawn.ofat - 1);
        assert_permutation(design, i);
    }
}

/* Random exclusions: the planned and the excluded cells are the product, no
 * planned cell matches a rule, and every excluded one says why. */
static void
excluded_never_planned(void **state)
{
    Random random = {0};
    guint tested = 0;

    (void) state;
    random_init(&random, 2);
    for (guint i = 0; i < 200; i++) {
        Drawn drawn = draw(&random, "full");
        g_autofree char *plain = drawn.text;
        g_autoptr(Matrix) base = plan_matrix(plain, false);
        const Factor *factor =
            base->factors->pdata[random_bounded(&random, base->factors->len)];
        /* Never the first level: it is the baseline's. */
        const char *level =
            factor->levels
                ->pdata[1 + random_bounded(&random, factor->levels->len - 1)];
        g_autofree char *text =
            g_strdup_printf("%sexclude: [{%s: %s, why: drawn}]\n", plain,
                            factor->setting->name, level);
        g_autoptr(GError) err = NULL;
        g_autoptr(Matrix) matrix = matrix_parse(text, "t", false, &err);
        g_autoptr(Design) design = NULL;

        if (!matrix) { /* two cells, one of them excluded */
            assert_int_equal(drawn.product, 2);
            continue;
        }
        design = plan_design(matrix);
        for (guint j = 0; j < design->cells->len; j++) {
            const Cell *cell = design->cells->pdata[j];
            const char *has = design_level(design, cell, factor->setting);

            assert_int_equal(cell->state == CELL_EXCLUDED,
                             g_strcmp0(has, level) == 0);
            assert_int_equal(cell->state == CELL_EXCLUDED, cell->why != NULL);
        }
        assert_int_equal(count(design, CELL_CELL, CELL_EXCLUDED),
                         drawn.product / factor->levels->len);
        assert_int_equal(count(design, CELL_CELL, CELL_PLANNED) +
                             count(design, CELL_CELL, CELL_EXCLUDED),
                         drawn.product);
        assert_permutation(design, i);
        tested++;
    }
    assert_true(tested > 150);
}

static void
names(void **state)
{
    (void) state;
    assert_string_equal(design_kind_name(DESIGN_OFAT), "ofat");
    assert_string_equal(design_kind_name(DESIGN_FULL), "full");
    assert_string_equal(design_kind_name(DESIGN_LIST), "list");
    assert_string_equal(cell_kind_name(CELL_AA), "aa");
    assert_string_equal(cell_state_name(CELL_UNSUPPORTED), "unsupported");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_modes),
        cmocka_unit_test(cache_modes_quick),
        cmocka_unit_test(method_example),
        cmocka_unit_test(default_design),
        cmocka_unit_test(exclusions),
        cmocka_unit_test(includes),
        cmocka_unit_test(list),
        cmocka_unit_test(levels),
        cmocka_unit_test(blocks),
        cmocka_unit_test(block_order),
        cmocka_unit_test(block_order_skips),
        cmocka_unit_test(workload_order),
        cmocka_unit_test(filters),
        cmocka_unit_test(bad_filters),
        cmocka_unit_test(sizes),
        cmocka_unit_test(excluded_never_planned),
        cmocka_unit_test(names),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
