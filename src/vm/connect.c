/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The connection to libvirt: see connect.h. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/log.h"
#include "base/paths.h"
#include "vm/connect-explain.h"
#include "vm/connect.h"
#include "vm/embed.h"
#include "vm/leftovers.h"
#include "vm/libvirt-auto.h"
#include "vm/loop.h"

/* Bytes of libvirt's own log at which a start begins a new one. */
#define LOG_MAX (1024 * 1024)

struct Connect {
    virConnectPtr conn;
    char *uri;
    char *root; /* of the embedded driver, or NULL */
    char *confinement;
    char *libvirt_version;
    char *qemu_version;
};

/* libvirt writes warnings to standard error on its own account, unless told
 * otherwise before its first call.  What a person set stays. */
static void
log_below(const char *root)
{
    g_autofree char *output = g_strdup_printf("3:file:%s/libvirt.log", root);

    g_setenv("LIBVIRT_LOG_OUTPUTS", output, FALSE);
}

static bool
choose_uri(const char *given, char **ret_uri, bool *ret_ours, GError **err)
{
    const char *variable = g_getenv("LIBVIRT_DEFAULT_URI");
    g_autofree char *root = NULL;

    if (!given && variable && *variable)
        given = variable;
    if (!given) {
        root = paths_runtime(err);
        if (!root)
            return false;
    } else if (!g_str_has_prefix(given, "qemu:///") &&
               !g_str_has_prefix(given, "qemu+unix:///")) {
        return vs_usage(err,
                        "cannot use '%s': vsweep measures QEMU on this host, "
                        "so the URI must be qemu:///system, qemu:///session "
                        "or qemu:///embed?root=DIRECTORY",
                        given);
    }
    *ret_uri = root ? embed_uri(root) : g_strdup(given);
    *ret_ours = root != NULL;
    return true;
}

static char *
format_version(const char *what, unsigned long version)
{
    return g_strdup_printf("%s %lu.%lu.%lu", what, version / 1000000,
                           version / 1000 % 1000, version % 1000);
}

/* libvirt answers the first question about a QEMU binary in 4 s, later ones
 * at once: ask here, not within a measured creation. */
static bool
warm_up(Connect *connect, GError **err)
{
    autovirstr capabilities = virConnectGetCapabilities(connect->conn);
    autovirstr of_domain =
        capabilities ? virConnectGetDomainCapabilities(connect->conn, NULL,
                                                       NULL, NULL, NULL, 0)
                     : NULL;
    unsigned long libvirt = 0, qemu = 0;

    if (!of_domain || virConnectGetLibVersion(connect->conn, &libvirt) < 0 ||
        virConnectGetVersion(connect->conn, &qemu) < 0)
        return connect_explain(connect->uri, err);
    connect->libvirt_version = format_version("libvirt", libvirt);
    connect->qemu_version = format_version("QEMU", qemu);
    return true;
}

static char *
find_confinement(const Connect *connect)
{
    virSecurityModel model = {0};

    if (connect->root)
        return g_strdup("none (embedded driver)");
    if (virNodeGetSecurityModel(connect->conn, &model) < 0 || !*model.model)
        return g_strdup("none");
    return g_strdup(model.model);
}

/* libvirt appends three lines a domain.  Nobody else writes: the root is ours
 * alone by now. */
static void
trim_log(const char *root)
{
    g_autofree char *path = g_build_filename(root, "libvirt.log", NULL);
    struct stat st = {0};

    if (stat(path, &st) == 0 && st.st_size > LOG_MAX && truncate(path, 0) < 0)
        log_debug("cannot shorten '%s'", path);
}

/* What was killed is worth a line, files that lay about are not. */
static void
tell(const GPtrArray *report)
{
    for (guint i = 0; i < report->len; i++) {
        const char *line = report->pdata[i];

        if (g_str_has_prefix(line, "removed"))
            log_debug("%s", line);
        else
            log_note("%s", line);
    }
}

/* All that must be right before libvirt is opened. */
static bool
make_ready(const Connect *connect, bool ours, GError **err)
{
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);

    if (connect->root) {
        if (!embed_prepare(connect->root, ours, err))
            return false;
        log_below(connect->root);
    }
    if (!loop_init(err))
        return false;
    if (connect->root ? !leftovers_clean_root(connect->root, report, err)
                      : !leftovers_clean_uri(connect->uri, report, err))
        return false;
    if (connect->root)
        trim_log(connect->root);
    tell(report);
    return true;
}

Connect *
connect_open(const char *uri, GError **err)
{
    g_autoptr(Connect) connect = g_new0(Connect, 1);
    bool ours = false;

    if (!choose_uri(uri, &connect->uri, &ours, err))
        return NULL;
    connect->root = embed_root(connect->uri);
    if (!make_ready(connect, ours, err))
        return NULL;
    connect->conn = virConnectOpen(connect->uri);
    if (!connect->conn) {
        connect_explain(connect->uri, err);
        return NULL;
    }
    if (!warm_up(connect, err))
        return NULL;
    connect->confinement = find_confinement(connect);
    return g_steal_pointer(&connect);
}

void
connect_close(Connect *connect)
{
    if (!connect)
        return;
    if (connect->conn)
        virConnectClose(connect->conn);
    g_free(connect->uri);
    g_free(connect->root);
    g_free(connect->confinement);
    g_free(connect->libvirt_version);
    g_free(connect->qemu_version);
    g_free(connect);
}

const char *
connect_uri(const Connect *connect)
{
    return connect->uri;
}

bool
connect_embedded(const Connect *connect)
{
    return connect->root != NULL;
}

const char *
connect_root(const Connect *connect)
{
    return connect->root;
}

const char *
connect_confinement(const Connect *connect)
{
    return connect->confinement;
}

const char *
connect_libvirt_version(const Connect *connect)
{
    return connect->libvirt_version;
}

const char *
connect_qemu_version(const Connect *connect)
{
    return connect->qemu_version;
}

void *
connect_handle(const Connect *connect)
{
    return connect->conn;
}

bool
connect_check_xml(Connect *connect, const char *xml, char **ret_argv,
                  char **ret_why, GError **err)
{
    autovirstr argv =
        virConnectDomainXMLToNative(connect->conn, "qemu-argv", xml, 0);

    if (argv) {
        if (ret_argv)
            *ret_argv = g_strdup(argv);
        return true;
    }
    if (!connect_is_refusal(virGetLastErrorCode()))
        return libvirt_fail(err, "libvirt cannot say what QEMU it would start");
    *ret_why = libvirt_words();
    return false;
}
