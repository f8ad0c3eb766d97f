/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig as an executor: see rig-executor.h. */
#include "base/clock.h"
#include "guest/appliance.h"
#include "host/facts.h"
#include "run/attempt.h"
#include "run/matched.h"
#include "run/rig-executor.h"

typedef struct RigExecutor {
    Executor base;
    Rig *rig;
} RigExecutor;

static Attempt *
attempt(Executor *executor, const Cell *cell, const Slot *slot)
{
    return attempt_run(((RigExecutor *) executor)->rig, cell, slot);
}

/* The state of host and software that must not change within a block. */
static char *
session_text(const RigExecutor *self, GHashTable *host)
{
    const Rig *rig = self->rig;
    const char *boot = g_hash_table_lookup(host, "boot_id");
    const char *kernel = g_hash_table_lookup(host, "kernel");

    return g_strjoin(" | ", boot ? boot : "?", kernel ? kernel : "?",
                     connect_libvirt_version(rig->connect),
                     connect_qemu_version(rig->connect), rig->kernel->version,
                     self->base.accel, rig->payload_sha256, NULL);
}

static void
add_host_facts(GHashTable *host, GHashTable *facts)
{
    GHashTableIter iter = {0};
    gpointer key = NULL, value = NULL;

    g_hash_table_iter_init(&iter, host);
    while (g_hash_table_iter_next(&iter, &key, &value))
        g_hash_table_replace(facts, g_strconcat("host.", key, NULL),
                             g_strdup(value));
}

static void
add_facts(const Executor *executor, GHashTable *facts)
{
    const RigExecutor *self = (const RigExecutor *) executor;
    const Rig *rig = self->rig;
    g_autoptr(GHashTable) host = facts_read("", rig->device);
    g_autofree char *session = session_text(self, host);
    g_autofree char *guestfs = appliance_version();
    g_autofree char *storage = disk_describe_storage(rig->storage);
    g_autofree char *fingerprint = facts_fingerprint(host);
    g_autofree char *matched =
        rig->matrix->host == HOST_LADDER ? matched_text(rig) : NULL;
    const struct {
        const char *key, *value;
    } rows[] = {
        {"session", session},
        {"host-matched", matched},
        {"fingerprint", fingerprint},
        {"domain.template", rig->template_xml},
        {"uri", connect_uri(rig->connect)},
        {"confinement", connect_confinement(rig->connect)},
        {"storage", storage},
        {"storage.path", rig->storage},
        {"storage.device", rig->device},
        {"kernel", rig->kernel->version},
        {"payload.sha256", rig->payload_sha256},
        {"golden.digest", rig->golden ? rig->golden->digest : NULL},
        {"version.libvirt", connect_libvirt_version(rig->connect)},
        {"version.qemu", connect_qemu_version(rig->connect)},
        {"version.guestfs", guestfs},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].value)
            g_hash_table_replace(facts, g_strdup(rows[i].key),
                                 g_strdup(rows[i].value));
    add_host_facts(host, facts);
}

static gint64
now(const Executor *executor G_GNUC_UNUSED)
{
    return clock_raw_ns();
}

static void
rig_executor_free(Executor *executor)
{
    RigExecutor *self = (RigExecutor *) executor;

    rig_free(self->rig);
    g_free(self);
}

static const ExecutorMethods methods = {
    .attempt = attempt,
    .facts = add_facts,
    .now = now,
    .free = rig_executor_free,
};

Executor *
rig_executor_new(const Matrix *matrix, Design *design,
                 const RigOptions *options, GError **err)
{
    Rig *rig = rig_prepare(matrix, design, options, true, err);
    RigExecutor *self = NULL;

    if (!rig)
        return NULL;
    self = g_new0(RigExecutor, 1);
    self->rig = rig;
    self->base.methods = &methods;
    self->base.accel = rig->accel.kvm ? "kvm" : "tcg";
    self->base.accel_why = g_strdup(rig->accel.why);
    self->base.key = g_strdup_printf(
        "%s\n%s\n%d", options->uri ? options->uri : "",
        options->kernel ? options->kernel : "", (int) options->accel);
    self->base.prepare_ns = rig->prepare_ns;
    return &self->base;
}
