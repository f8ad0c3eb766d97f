/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be asked of a living domain: see machine.h. */
#include <libvirt/libvirt-qemu.h>
#include "vm/libvirt-auto.h"
#include "vm/machine.h"
#include "vm/qemu.h"
#include "vm/watchdog.h"

char *
machine_live_xml(Machine *machine)
{
    autovirstr xml = NULL;

    watchdog_call_begin(WATCHDOG_CALL_NS);
    xml = virDomainGetXMLDesc(machine_handle(machine), 0);
    watchdog_call_end();
    return g_strdup(xml);
}

char *
machine_argv(Machine *machine)
{
    pid_t pid = machine_pid(machine);

    return pid > 0 ? qemu_process_argv(pid) : NULL;
}

/* Numbers only: the few texts (names of block devices) are in the XML. */
static bool
number(const virTypedParameter *param, gint64 *ret_value)
{
    switch (param->type) {
    case VIR_TYPED_PARAM_INT:
        *ret_value = param->value.i;
        return true;
    case VIR_TYPED_PARAM_UINT:
        *ret_value = param->value.ui;
        return true;
    case VIR_TYPED_PARAM_LLONG:
        *ret_value = param->value.l;
        return true;
    case VIR_TYPED_PARAM_ULLONG:
        *ret_value = (gint64) param->value.ul;
        return true;
    case VIR_TYPED_PARAM_BOOLEAN:
        *ret_value = param->value.b;
        return true;
    default:
        return false;
    }
}

static void
add_counters(const virDomainStatsRecord *record, GHashTable *counters)
{
    for (int i = 0; i < record->nparams; i++) {
        gint64 value = 0;

        if (number(&record->params[i], &value))
            g_hash_table_insert(counters, g_strdup(record->params[i].field),
                                g_memdup2(&value, sizeof(value)));
    }
}

/* libvirt answers for a QEMU that has just died with what it knows itself. */
bool
machine_stats(Machine *machine, GHashTable *counters)
{
    virDomainPtr domains[] = {machine_handle(machine), NULL};
    virDomainStatsRecordPtr *records = NULL;
    bool answered = false;
    int count = 0;

    watchdog_call_begin(WATCHDOG_CALL_NS);
    count = virDomainListGetStats(
        domains,
        VIR_DOMAIN_STATS_STATE | VIR_DOMAIN_STATS_VCPU | VIR_DOMAIN_STATS_BLOCK,
        &records, 0);
    watchdog_call_end();
    answered = count == 1 && machine_is_alive(machine);
    if (answered)
        add_counters(records[0], counters);
    if (count >= 0)
        virDomainStatsRecordListFree(records);
    return answered;
}

bool
machine_qmp(Machine *machine, const char *command, char **ret_reply,
            GError **err)
{
    autovirstr reply = NULL;
    int result = 0;

    watchdog_call_begin(WATCHDOG_CALL_NS);
    result = virDomainQemuMonitorCommand(machine_handle(machine), command,
                                         &reply, 0);
    watchdog_call_end();
    if (result < 0)
        return libvirt_fail(err, "QEMU did not answer");
    *ret_reply = g_strdup(reply);
    return true;
}
