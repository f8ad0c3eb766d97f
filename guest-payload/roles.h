/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The roles of the payload.  Each is a function with main()'s arguments and
 * exit status; argv[0] is the role's name.
 */
#pragma once

#define PAYLOAD_VERSION "0.1.0"

/* Exit statuses. */
#define STATUS_OK 0
#define STATUS_FAILED 1
#define STATUS_USAGE 2
#define STATUS_HOST_GONE 3 /* of an agent: end of file from the host */

typedef struct Role {
    const char *name;
    int (*start)(int argc, char **argv);
    const char *help; /* one line */
} Role;

int role_init(int argc, char **argv);
int role_agent(int argc, char **argv);
int role_run(int argc, char **argv);
int role_list(int argc, char **argv);

/* Says what is wrong with the arguments on stderr; returns STATUS_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
