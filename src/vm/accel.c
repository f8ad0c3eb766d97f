/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether KVM works here: see accel.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include "base/clock.h"
#include "base/fd-auto.h"
#include "vm/accel-proof.h"
#include "vm/accel.h"
#include "vm/proof-cache.h"

/* The micro guest takes 1 s under KVM and 3 s even emulated; a KVM that
 * cannot run a stock kernel stays silent for ever (METHOD 0.1). */
#define READY_NS (20 * CLOCK_NS_PER_S)

bool
accel_parse(const char *text, AccelWanted *ret_wanted, GError **err)
{
    static const char *const names[] = {
        [ACCEL_AUTO] = "auto", [ACCEL_KVM] = "kvm", [ACCEL_TCG] = "tcg"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(text, names[i]) != 0)
            continue;
        *ret_wanted = (AccelWanted) i;
        return true;
    }
    return vs_usage(err, "unknown accelerator '%s': auto, kvm or tcg", text);
}

/* What can be said without booting; NULL: nothing stands against KVM.  A
 * system daemon's QEMU runs as another user, who may open what we may not. */
static char *
quick_refusal(const Connect *connect)
{
    const char *uri = connect_uri(connect);
    g_autofd int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
    int why = errno;

    if (fd >= 0)
        return NULL;
    if (why == ENOENT)
        return g_strdup("no /dev/kvm");
    if (why == EACCES && g_str_has_prefix(uri, "qemu:///system"))
        return NULL;
    return g_strdup_printf("/dev/kvm cannot be opened: %s%s", g_strerror(why),
                           why == EACCES ? " (join the group kvm)" : "");
}

static bool
prove(Connect *connect, const char *const *xmls, const char *cache_key,
      Accel *accel, GError **err)
{
    accel->why = quick_refusal(connect);
    if (accel->why || proof_cache_load(cache_key, &accel->kvm, &accel->why))
        return true;
    if (!accel_proof(connect, xmls, READY_NS, &accel->kvm, &accel->why, err))
        return false;
    proof_cache_save(cache_key, accel->kvm, accel->why);
    return true;
}

bool
accel_decide(Connect *connect, AccelWanted wanted, const char *const *xmls,
             const char *cache_key, Accel *ret_accel, GError **err)
{
    Accel accel = {0};

    if (wanted == ACCEL_TCG)
        accel.why = g_strdup("emulation was asked for");
    else if (!prove(connect, xmls, cache_key, &accel, err))
        return false;
    if (wanted == ACCEL_KVM && !accel.kvm) {
        g_set_error(err, VS_ERROR, VS_ERROR_UNFIT,
                    "KVM was asked for but does not work here: %s", accel.why);
        accel_clear(&accel);
        return false;
    }
    *ret_accel = accel;
    return true;
}

void
accel_clear(Accel *accel)
{
    g_clear_pointer(&accel->why, g_free);
    accel->kvm = false;
}
