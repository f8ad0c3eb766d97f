#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What planning a matrix of a million combinations takes, with each design,
# beside sorting as many lines.  The time includes asking libvirt about every
# cell that is planned.  Nothing is asserted: times depend on the host.
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# 2 x 5 x 3 x 5 x 4 x 2 x 5 x 5 x 4 x 9 = 1,080,000 combinations.
cat >"$TMP/settings.yaml" <<'EOF'
matrix:
  disk.format: [raw, qcow2]
  disk.cache: [none, writethrough, writeback, directsync, unsafe]
  disk.io: [threads, native, io_uring]
  disk.bus: [virtio, scsi, sata, ide, usb]
  disk.prealloc: [full, "off", metadata, falloc]
  cpu.mode: [default, maximum]
  vcpus: [1, 2, 3, 4, 5]
  memory: [128M, 256M, 384M, 512M, 640M]
  guest.scheduler: [none, mq-deadline, bfq, kyber]
  guest.cmdline: ["", a, b, c, d, e, f, g, h]
exclude:
  - {disk.format: qcow2, disk.cache: unsafe, guest.scheduler: bfq}
  - {disk.bus: usb, vcpus: 5, memory: 640M, cpu.mode: maximum}
workloads: [fs.fsync]
EOF

# 100 x 100 x 100, and every level of all three in some rule.
{
  printf 'matrix:\n  vcpus: [%s]\n' "$(seq -s, 1 100)"
  printf '  memory: [%s]\n' "$(seq -s, -f %gG 1 100)"
  printf '  guest.cmdline: [%s]\n' "$(seq -s, -f x%g 1 100)"
  echo 'workloads: [fs.fsync]'
  echo 'exclude:'
  for i in $(seq 2 100); do
    echo "  - {vcpus: $i, memory: ${i}G, guest.cmdline: x$i}"
  done
} >"$TMP/levels.yaml"

# plan NAME DESIGN [LINE]: the matrix with that design.
plan() {
  local file=$TMP/${1%.yaml}-design.yaml
  { cat "$TMP/$1" && printf 'design: %s\n%s\n' "$2" "${3-}"; } >"$file"
  measure "${1%.yaml}: $2" "$VSWEEP" plan "$file"
  grep -hE '^design: ' "$TMP/out" | sed 's/;.*//; s/^/    /' || tail -n 1 "$TMP/out"
}

printf '%-44s %9s %9s %11s\n' '1,000,000 combinations' wall cpu memory
plan settings.yaml full
plan settings.yaml ofat
plan settings.yaml star+pairs 'pairs: [[disk.cache, disk.io]]'
plan settings.yaml pairwise
plan settings.yaml full:disk.cache,disk.io,disk.format
plan levels.yaml full
plan levels.yaml ofat
seq 1000000 | rev >"$TMP/rows"
measure 'sort of 1,000,000 rows' sort -o "$TMP/sorted" "$TMP/rows"
