/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The payload's side of wire.h.  A Conversation either talks over a
 * descriptor (virtio port, socket), where every window waits for the host's
 * go, or runs alone: lines are kept in memory and a go is granted at once.
 *
 * When the other end goes away every call fails and `gone` is set; nothing
 * can be reported then.  When it says something other than the go that is
 * due, `broken` is set: an error can still be sent, but nothing measured.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest-payload/fail.h"
#include "guest-payload/hist.h"
#include "guest-payload/wire.h"

typedef struct Conversation {
    int fd;        /* -1: alone */
    bool gone;     /* end of file from the host */
    bool broken;   /* the host said something out of turn */
    int64_t lines; /* sent so far */
    unsigned seq;  /* of the last window */
    char *kept;    /* alone: the lines sent, owned */
    size_t kept_size;
    size_t have; /* bytes of input not yet taken */
    char input[WIRE_LINE_MAX];
} Conversation;

/* The descriptor stays the caller's and is made non-blocking. */
void conversation_open(Conversation *talk, int fd, int64_t lines_sent);
void conversation_alone(Conversation *talk);
void conversation_close(Conversation *talk);

/* Waits until the host has opened its end of a virtio port, at most `ms`. */
bool conversation_wait_host(Conversation *talk, int ms);
/* The next line without its newline, in talk->input until the next call. */
bool conversation_line(Conversation *talk, char **ret_line, Fail *fail);

/* `facts` is an object of texts; the reference is taken.  Role and text are
 * printable ASCII. */
bool conversation_ready(Conversation *talk, const char *role, json_t *facts,
                        Fail *fail);
bool conversation_note(Conversation *talk, const char *text, json_t *facts,
                       Fail *fail);
/* Announces a window and returns at its go. */
bool conversation_phase(Conversation *talk, const char *workload,
                        const char *phase, bool cold, Fail *fail);
/* Reports the window's ends and returns at the second go. */
bool conversation_end(Conversation *talk, const char *workload,
                      const char *phase, int64_t t0, int64_t t1, int64_t ops,
                      Fail *fail);
bool conversation_sample(Conversation *talk, const char *workload,
                         const char *metric, double value, int64_t n,
                         unsigned seq, Fail *fail);
bool conversation_hist(Conversation *talk, const char *workload,
                       const char *metric, const Hist *hist, unsigned seq,
                       Fail *fail);
/* `workload` "" for none. */
bool conversation_error(Conversation *talk, const char *workload,
                        const Fail *what, Fail *fail);
/* The last line; returns at go 0. */
bool conversation_done(Conversation *talk, Fail *fail);
