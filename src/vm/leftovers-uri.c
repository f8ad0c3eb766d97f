/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a killed vsweep leaves with a daemon: see leftovers.h. */
#include "vm/connect-explain.h"
#include "vm/domain.h"
#include "vm/leftovers.h"
#include "vm/libvirt-auto.h"
#include "vm/owner.h"

static void
clean_domain(virDomainPtr domain, GPtrArray *report)
{
    const char *name = virDomainGetName(domain);

    if (!name || !g_str_has_prefix(name, DOMAIN_PREFIX) || owner_lives(domain))
        return;
    /* "Not found" means that it has just ended by itself. */
    if (virDomainDestroy(domain) < 0 &&
        virGetLastErrorCode() != VIR_ERR_NO_DOMAIN)
        return;
    if (report)
        g_ptr_array_add(report,
                        g_strdup_printf("destroyed domain '%s', left by a "
                                        "vsweep that was killed",
                                        name));
}

bool
leftovers_clean_uri(const char *uri, GPtrArray *report, GError **err)
{
    virConnectPtr conn = virConnectOpen(uri);
    virDomainPtr *domains = NULL;
    int count = 0;

    if (!conn)
        return connect_explain(uri, err);
    count = virConnectListAllDomains(conn, &domains,
                                     VIR_CONNECT_LIST_DOMAINS_TRANSIENT);
    for (int i = 0; i < count; i++) {
        clean_domain(domains[i], report);
        virDomainFree(domains[i]);
    }
    free(domains);
    virConnectClose(conn);
    return count >= 0 || connect_explain(uri, err);
}
