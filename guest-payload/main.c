/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vsweep-payload: one static binary that runs in the guest, on the host, and
 * on any Linux machine; what it does depends on how it is started.
 */
#include <openssl/crypto.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/fail.h"
#include "guest-payload/roles.h"

static const Role roles[] = {
    {"run", role_run, "run workloads here, without a host"},
    {"list", role_list, "list workloads, metrics and parameters"},
    {"agent", role_agent, "run the job of a vsweep at a descriptor"},
    {"init", role_init, "be process 1 of a micro guest"},
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

static void
usage(FILE *out)
{
    fputs("usage: vsweep-payload ROLE [OPTION]...\n"
          "       vsweep-payload --version | --help\n\nroles:\n",
          out);
    for (size_t i = 0; i < ROLES; i++)
        fprintf(out, "  %-8s%s\n", roles[i].name, roles[i].help);
    fputs("\n`vsweep-payload ROLE --help` says more.\n", out);
}

int
usage_error(const char *format, ...)
{
    va_list args;

    fputs("vsweep-payload: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs("; see --help\n", stderr);
    return STATUS_USAGE;
}

/* The kernel starts an initramfs's /init as process 1.  In a container this
 * program may be process 1 too, but under its own name. */
static int
started_as_init(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');

    return getpid() == 1 && strcmp(slash ? slash + 1 : argv0, "init") == 0;
}

int
main(int argc, char **argv)
{
    /* The host's openssl.cnf must not change what is measured. */
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (argc && started_as_init(argv[0]))
        return role_init(argc, argv);
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--version") == 0) {
        puts("vsweep-payload " PAYLOAD_VERSION);
        return STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        usage(stdout);
        return STATUS_OK;
    }
    for (size_t i = 0; i < ROLES; i++)
        if (strcmp(roles[i].name, name) == 0)
            return roles[i].start(argc - 1, argv + 1);
    if (name[0])
        fprintf(stderr, "vsweep-payload: unknown role \"%s\"\n", name);
    usage(stderr);
    return STATUS_USAGE;
}
