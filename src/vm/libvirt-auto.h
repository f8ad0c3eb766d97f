/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every file that talks to libvirt needs: cleanup of its handles and its
 * last error as ours.
 */
#pragma once

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include "base/error.h"

static inline void
libvirt_string_free(char **text)
{
    free(*text);
}

/* libvirt's strings come from malloc(). */
#define autovirstr __attribute__((cleanup(libvirt_string_free))) char *

static inline void
libvirt_domain_free(virDomainPtr *domain)
{
    if (*domain)
        virDomainFree(*domain);
}

#define autovirdomain __attribute__((cleanup(libvirt_domain_free))) virDomainPtr

/* libvirt's words for its last error, on one line.  Caller frees. */
static inline char *
libvirt_words(void)
{
    char *words = g_strdup(virGetLastErrorMessage());

    return g_strstrip(g_strdelimit(words, "\n\r", ' '));
}

/* Sets *err to "what: libvirt's words" and returns false. */
static inline bool
libvirt_fail(GError **err, const char *what)
{
    g_autofree char *words = libvirt_words();

    return vs_fail(err, "%s: %s", what, words);
}
