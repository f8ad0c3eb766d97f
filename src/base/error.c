/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error contract: see error.h. */
#include "base/error.h"

G_DEFINE_QUARK(vsweep - error - quark, vs_error)

static void set_error(GError **err, VsError code, const char *format,
                      va_list args) G_GNUC_PRINTF(3, 0);

static void
set_error(GError **err, VsError code, const char *format, va_list args)
{
    if (err)
        *err = g_error_new_valist(VS_ERROR, code, format, args);
}

bool
vs_fail(GError **err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, VS_ERROR_FAILED, format, args);
    va_end(args);
    return false;
}

bool
vs_usage(GError **err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set_error(err, VS_ERROR_USAGE, format, args);
    va_end(args);
    return false;
}

bool
vs_fail_errno(GError **err, int errnum, const char *format, ...)
{
    g_autofree char *what = NULL;
    va_list args;

    va_start(args, format);
    what = g_strdup_vprintf(format, args);
    va_end(args);
    return vs_fail(err, "%s: %s", what, g_strerror(errnum));
}

int
vs_error_status(const GError *err)
{
    if (!err)
        return 0;
    return err->domain == VS_ERROR ? err->code : VS_ERROR_FAILED;
}
