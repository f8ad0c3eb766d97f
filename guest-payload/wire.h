/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversation between the payload and vsweep: one JSON object a line
 * (NDJSON), at most WIRE_LINE_MAX bytes with its newline.  It is the same over
 * the virtio port of a guest and over the socket pair of a host run.
 *
 * From the payload ("type" is the first key):
 *   ready  v, role ("init", "agent", "local"), facts {name: text}
 *          names: kernel nr_cpus mem_total_kb clocksource clock_ns cpu_model
 *          cpu_flags cpu_flags_sha256 payload_sha256 cmdline
 *   note   text, facts {name: text}?   after the job's guest settings took
 *          effect: disk.scheduler disk.write_cache disk.nr_requests
 *          disk.queues disk.device mount.fs mount.options clocksource
 *          payload_sha256 ("disk" digest verified)
 *   phase  workload, phase, seq, cold  then blocks for {"type":"go","seq"};
 *          cold asks the host to evict the image from its page cache first
 *   end    workload, phase, seq, t0, t1  guest CLOCK_MONOTONIC_RAW in ns of
 *          both ends of the window, ops; then blocks for go with that seq
 *   sample workload, metric, value, n, seq   n: operations behind the value
 *   hist   workload, metric, seq, n, bins [[index, count] ...]  METHOD 6.3,
 *          ns; long histograms go out in several lines whose bins add up
 *   error  workload ("" for none), errno, text
 *   done   lines: how many lines were sent before this one; then blocks for
 *          go with seq 0, after which a guest syncs, unmounts and powers off
 *
 * From vsweep:
 *   job    v, dir?, guest {disk, fs, mount, scheduler, payload, sha256}?,
 *          workloads [{name, params {name: text}}], tick_ms?
 *   go     seq
 *
 * Nothing is sent between the go that opens a window and its end.
 * End of file from the host means that the host is gone: a guest powers off,
 * a host payload ends.
 */
#pragma once

#define WIRE_VERSION 1
#define WIRE_LINE_MAX 65536
/* Lines of one conversation; beyond this the guest is talking rubbish. */
#define WIRE_LINES_MAX 20000
/* Name of the virtio-serial port. */
#define WIRE_PORT "org.vsweep.0"

/* On the disk under test: the payload, its digest (64 hex digits and a
 * newline) and the pre-filled work file. */
#define WIRE_DISK_DIR "vsweep"
#define WIRE_DISK_PAYLOAD "vsweep/payload"
#define WIRE_DISK_DIGEST "vsweep/payload.sha256"
#define WIRE_DISK_WORK "vsweep/work"
/* In the initramfs: modules in the order to load, one path a line; a path
 * behind '-' may fail without harm (soft dependency). */
#define WIRE_MODULES_LIST "/modules.list"
