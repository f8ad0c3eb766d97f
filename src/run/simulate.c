/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attempts that are drawn from a model: see simulate.h. */
#include "run/simulate.h"

#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/log.h"
#include "run/results.h"
#include "run/simulate-draw.h"
#include "run/windows.h"

/* A simulated host: KVM, and CPUs enough that steal is a gate for every number
 * of vCPUs that can be swept. */
#define HOST_CPUS 512
/* The simulated clock, in ns: where it begins (0 would be "never"), and how
 * long the parts of an attempt take. */
#define CLOCK_BEGIN (1 * CLOCK_NS_PER_S)
#define IMAGE_NS (1 * CLOCK_NS_PER_S)
#define BOOT_NS (1 * CLOCK_NS_PER_S)
#define STOP_NS (1 * CLOCK_NS_PER_S)
/* A window of fixed work. */
#define WINDOW_NS (1 * CLOCK_NS_PER_S)
/* Operations behind a value; enough for every percentile. */
#define OPERATIONS 1000000

typedef struct Simulator {
    Executor base;
    const Matrix *matrix;
    const Design *design;
    const Model *model;
    gint64 attempt_ns; /* of any attempt */
    gint64 now;        /* time of the attempts made */
    guint planned;     /* runs of all blocks, without retries */
    char *session;
} Simulator;

/* ---------------------------------------------------------------- windows */

static gint64
window_ns(const Matrix *matrix, const WorkloadUse *use)
{
    gint64 expected = windows_expected_ns(matrix, use->info->name);

    return expected ? expected : WINDOW_NS;
}

/* A counter that moved by `delta` during the window. */
static void
set_counter(AttemptWindow *window, const char *name, gint64 delta)
{
    g_hash_table_replace(window->before, g_strdup(name), g_new0(gint64, 1));
    g_hash_table_replace(window->after, g_strdup(name),
                         g_memdup2(&delta, sizeof(delta)));
}

/* What a theft looks like: the vCPUs of a guest waited for a CPU; for a run
 * on the host, the host itself was robbed. */
static void
set_stolen(AttemptWindow *window, guint vcpus, gint64 length, double stolen)
{
    double ticks = stolen * HOST_CPUS * (double) length / CLOCK_NS_PER_S *
                   (double) sysconf(_SC_CLK_TCK);

    for (guint i = 0; i < vcpus; i++) {
        g_autofree char *name = g_strdup_printf("vcpu.%u.delay", i);

        set_counter(window, name, (gint64) (stolen * (double) length));
    }
    set_counter(window, "cpu.steal", vcpus ? 0 : (gint64) ticks);
}

/* The window of a workload, from `begin` on; its length. */
static gint64
add_window(const Simulator *self, Attempt *attempt, const Cell *cell,
           const WorkloadUse *use, double stolen, double skew)
{
    gint64 length = window_ns(self->matrix, use);
    const char *vcpus =
        cell_is_guest(cell)
            ? design_level(self->design, cell, setting_find("vcpus"))
            : "0";
    WindowHost host = {.vcpus = (guint) g_ascii_strtoull(vcpus, NULL, 10),
                       .ncpu = HOST_CPUS,
                       .kvm = true};
    AttemptWindow *window = attempt_window_new(use->info->name, "run", 1);

    window->host_t0 = attempt->t_done;
    window->host_t1 = window->host_t0 + length;
    window->guest_t0 = 0;
    window->guest_t1 = length + (gint64) (skew * (double) length);
    window->ops = OPERATIONS;
    set_stolen(window, host.vcpus, length, stolen);
    g_ptr_array_add(attempt->windows, window);
    attempt->part_ns[PART_MEASURE] += length;
    windows_judge(attempt, window, self->matrix, &host);
    return length;
}

/* --------------------------------------------------------------- attempts */

static void
add_values(const Drawn *drawn, Attempt *attempt, const WorkloadInfo *info,
           double stolen)
{
    for (const MetricInfo *metric = info->metrics; metric->id; metric++)
        results_add_value(attempt, info->name, metric,
                          simulate_value(drawn, info, metric, stolen),
                          OPERATIONS, NULL);
}

/* What workloads do after READY, in the block's order. */
static void
work(const Simulator *self, const Drawn *drawn, Attempt *attempt)
{
    const Model *model = self->model;
    const ModelRule *theft = simulate_strikes(drawn, model->steal, "steal");
    const ModelRule *skew =
        simulate_strikes(drawn, model->clock_skew, "clock_skew");
    double stolen = theft ? theft->amount : 0;

    for (guint i = 0; i < self->matrix->workloads->len; i++) {
        const WorkloadUse *use =
            self->matrix->workloads->pdata[drawn->slot->order[i]];

        attempt->t_done += add_window(self, attempt, drawn->cell, use, stolen,
                                      skew ? skew->amount : 0);
        add_values(drawn, attempt, use->info, stolen);
    }
    if (cell_is_guest(drawn->cell))
        add_values(drawn, attempt, &results_boot, stolen);
}

/* How far an attempt gets before it fails. */
static bool
fails_before_ready(Outcome outcome)
{
    return outcome == OUTCOME_REFUSED || outcome == OUTCOME_IMAGE ||
           outcome == OUTCOME_NO_BOOT;
}

static void
fail(Attempt *attempt, const ModelRule *rule)
{
    attempt_fail(attempt, rule->outcome, "%s",
                 rule->words ? rule->words : outcome_summary(rule->outcome));
    if (fails_before_ready(rule->outcome))
        attempt->t_ready = 0;
    attempt->t_done = 0;
}

static void
begin(const Simulator *self, const Drawn *drawn, Attempt *attempt)
{
    gint64 begin = CLOCK_BEGIN + drawn->slot->run * self->attempt_ns;

    attempt->started = clock_wall_iso();
    attempt->t_begin = begin;
    attempt->t_create = begin + IMAGE_NS;
    attempt->t_resume = cell_is_guest(drawn->cell) ? attempt->t_create : 0;
    attempt->t_ready = attempt->t_create + BOOT_NS;
    attempt->t_done = attempt->t_ready;
    attempt->part_ns[PART_IMAGES] = IMAGE_NS;
    attempt->part_ns[PART_BOOT] = BOOT_NS;
}

/* Every attempt takes the same time; a failed one waits where others work. */
static void
end(const Simulator *self, Attempt *attempt)
{
    attempt->t_end = attempt->t_begin + self->attempt_ns;
    attempt->t_gone = attempt->t_end;
    attempt->part_ns[PART_STOP] = STOP_NS;
    attempt->part_ns[PART_OTHER] = self->attempt_ns;
    for (Part p = 0; p < PART_OTHER; p++)
        attempt->part_ns[PART_OTHER] -= attempt->part_ns[p];
}

static Attempt *
attempt(Executor *executor, const Cell *cell, const Slot *slot)
{
    Simulator *self = (Simulator *) executor;
    Drawn drawn = {.model = self->model,
                   .design = self->design,
                   .cell = cell,
                   .slot = slot,
                   .progress = (double) slot->run / MAX(self->planned - 1, 1)};
    Attempt *attempt =
        attempt_new(slot->block, slot->pos, slot->try, cell->index);
    const ModelRule *failure =
        simulate_strikes(&drawn, self->model->fail, "fail");

    begin(self, &drawn, attempt);
    if (failure)
        fail(attempt, failure);
    else
        work(self, &drawn, attempt);
    end(self, attempt);
    self->now += self->attempt_ns;
    return attempt;
}

/* ------------------------------------------------------------ the executor */

static void
add_facts(const Executor *executor, GHashTable *facts)
{
    const Simulator *self = (const Simulator *) executor;
    const char *const rows[][2] = {
        {"session", self->session},
        {"model.path", self->model->path},
        {"model.text", self->model->text},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        g_hash_table_replace(facts, g_strdup(rows[i][0]), g_strdup(rows[i][1]));
}

static gint64
now(const Executor *executor)
{
    return ((const Simulator *) executor)->now;
}

static void
simulator_free(Executor *executor)
{
    Simulator *self = (Simulator *) executor;

    g_free(self->session);
    g_free(self);
}

static const ExecutorMethods methods = {
    .attempt = attempt,
    .facts = add_facts,
    .now = now,
    .free = simulator_free,
};

/* A rule that holds nowhere is a slip, or one for another matrix. */
static void
warn_of_idle(const Model *model, const Design *design)
{
    const GPtrArray *const lists[] = {model->effects, model->steal,
                                      model->clock_skew, model->fail,
                                      model->unsupported};

    for (gsize l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint r = 0; r < lists[l]->len; r++) {
            const ModelRule *rule = lists[l]->pdata[r];
            bool any = false;

            for (guint c = 0; c < design->cells->len; c++)
                any = any ||
                      model_rule_holds(rule, design, design->cells->pdata[c]);
            if (!any)
                log_warning("%s:%u: holds for no cell of this matrix",
                            model->path, rule->line);
        }
}

/* As the plan check does with what libvirt refuses. */
static bool
mark_unsupported(const Model *model, Design *design, Cell *cell, GError **err)
{
    for (guint i = 0; i < model->unsupported->len; i++) {
        const ModelRule *rule = model->unsupported->pdata[i];

        if (cell->state != CELL_PLANNED ||
            !model_rule_holds(rule, design, cell))
            continue;
        if (cell->baseline)
            return vs_fail(err,
                           "the baseline cell %s cannot run in this model: "
                           "%s; choose another baseline: in the matrix",
                           cell->name, rule->words);
        cell->state = CELL_UNSUPPORTED;
        g_free(cell->why);
        cell->why = g_strdup(rule->words);
    }
    return true;
}

static gint64
attempt_ns(const Matrix *matrix)
{
    gint64 sum = IMAGE_NS + BOOT_NS + STOP_NS;

    for (guint i = 0; i < matrix->workloads->len; i++)
        sum += window_ns(matrix, matrix->workloads->pdata[i]);
    return sum;
}

Executor *
simulate_new(const Matrix *matrix, Design *design, const Model *model,
             GError **err)
{
    Simulator *self = NULL;
    guint planned = 0;

    warn_of_idle(model, design);
    for (guint i = 0; i < design->cells->len; i++) {
        Cell *cell = design->cells->pdata[i];

        if (!mark_unsupported(model, design, cell, err))
            return NULL;
        planned += cell->state == CELL_PLANNED;
    }
    self = g_new0(Simulator, 1);
    self->matrix = matrix;
    self->design = design;
    self->model = model;
    self->attempt_ns = attempt_ns(matrix);
    self->planned = planned * design->blocks_max;
    self->session =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, model->text, -1);
    self->base.methods = &methods;
    self->base.accel = "simulated";
    self->base.accel_why = g_strdup_printf("model %s", model->path);
    self->base.key = g_strconcat("simulated\n", model->text, NULL);
    return &self->base;
}
