/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libvirt's errors and their remedies: see connect-explain.h. */
#include <string.h>
#include "vm/connect-explain.h"
#include "vm/embed.h"
#include "vm/libvirt-auto.h"

/* Words of libvirt's message (it has no finer codes) and what to do. */
static const struct {
    const char *words;
    const char *remedy;
} remedies[] = {
    {"Failed to parse user",
     "as root libvirt's QEMU driver wants this system user to exist, though "
     "vsweep does not use it: adduser --system --group --no-create-home "
     "libvirt-qemu"},
    {"Failed to parse group",
     "as root libvirt's QEMU driver wants this system group to exist, though "
     "vsweep does not use it: addgroup --system libvirt-qemu"},
    {"no connection driver available",
     "install the package libvirt-daemon-driver-qemu"},
    {"Failed to connect socket",
     "no libvirt daemon answers: install libvirt-daemon-system and start "
     "libvirtd, or leave out --connect and LIBVIRT_DEFAULT_URI to use the "
     "embedded driver"},
    {"binary '/usr/sbin/libvirtd' does not exist",
     "install the package libvirt-daemon, or leave out --connect and "
     "LIBVIRT_DEFAULT_URI to use the embedded driver"},
    {"uthentication", "join the group libvirt, or run as root"},
    {"emulator", "install the package qemu-system-x86"},
};

bool
connect_explain(const char *uri, GError **err)
{
    g_autofree char *words = libvirt_words();
    g_autofree char *root = embed_root(uri);
    /* Not ours: the open that failed has closed the lock file. */
    pid_t holder = root ? embed_holder(root) : 0;

    if (holder)
        return embed_fail_held(root, holder, err);
    for (gsize i = 0; i < G_N_ELEMENTS(remedies); i++)
        if (strstr(words, remedies[i].words))
            return vs_fail(err, "cannot use %s: %s (%s)", uri, words,
                           remedies[i].remedy);
    return vs_fail(err, "cannot use %s: %s", uri, words);
}

bool
connect_is_refusal(int code)
{
    static const int refusals[] = {
        VIR_ERR_CONFIG_UNSUPPORTED,   /* this QEMU or libvirt has it not */
        VIR_ERR_XML_ERROR,            /* no such value */
        VIR_ERR_XML_DETAIL,           /* */
        VIR_ERR_XML_INVALID_SCHEMA,   /* */
        VIR_ERR_ARGUMENT_UNSUPPORTED, /* */
        VIR_ERR_CPU_INCOMPATIBLE,     /* a CPU feature the host lacks */
        VIR_ERR_INVALID_ARG,          /* "machine 'x' not supported" */
        VIR_ERR_OS_TYPE,              /* no such architecture */
    };

    for (gsize i = 0; i < G_N_ELEMENTS(refusals); i++)
        if (refusals[i] == code)
            return true;
    return false;
}
