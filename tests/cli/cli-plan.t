#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Planning: what would be run, and what is refused before anything starts.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

run "$VSWEEP" plan "$TOP/matrices/cache-modes.yaml" --quick
is "plan" "$status" 0
has "quick is ofat with 6 cells and 3 blocks" out 'design: ofat, 6 cells planned.* 3 blocks'
has "with the twin" out '^  aa '
has "and the host" out '^  host '
has "what it cannot claim" out 'Interactions were not tested'
has "time" out '^time: about '
has "disk" out '^disk: .* more in '
run "$VSWEEP" plan cache-modes
is "a ready matrix by name" "$status" 0
has "full by default: 10 cells" out 'design: full, 10 cells planned'

run "$VSWEEP" plan --set disk.cache=none,writeback --set disk.io=threads,native -w fs.fsync
has "native with writeback is excluded" out 'writeback/native +cell +excluded +.*O_DIRECT'
run "$VSWEEP" plan --set disk.bus=virtio,ide -w fs.fsync
has "IDE on q35 is unsupported, in libvirt's words" out '^  ide +cell +unsupported +.*IDE'
run "$VSWEEP" plan --set cpu.mode=default,host-passthrough --accel tcg -w cpu.int
has "host-passthrough under TCG is unsupported" out 'host-passthrough +cell +unsupported'
run "$VSWEEP" plan --set disk.cache=none,unsafe -w fs.fsync --xml unsafe
is "--xml" "$status" 0
has "shows the document" out "cache='unsafe'|cache=\"unsafe\""

# Designs over some settings, and designs that no sweep can run.
cat >crossed.yaml <<'EOF'
matrix:
  disk.cache: [none, writethrough, writeback, directsync, unsafe]
  disk.io: [threads, native, io_uring]
  disk.format: [raw, qcow2]
design: full:disk.cache,disk.io
workloads: [fs.fsync]
EOF
run "$VSWEEP" plan crossed.yaml
has "full:f,g crosses those two" out 'design: full, 12 cells planned, 3 excluded'
has "excluded cells are summed up by reason" out '^ +3  disk\.io native needs disk\.cache none or directsync: QEMU'
has "the third one stays" out 'stayed at their baseline.*: disk\.format=raw\.'
has "precision, with what it assumes" out '^precision: about \+-1\.3 % .* 10 blocks, assuming .* 2 %'
sed -e 's/full:.*/full/' -e '2i\  vcpus: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n  guest.cmdline: [a, b, c, d, e]' crossed.yaml >large.yaml
run "$VSWEEP" plan large.yaml
is "a design that no sweep can run: 2" "$status" 2
has "is counted all the same" out '^design: full, 1200 cells to plan, 300 excluded; 12 blocks \(10 needed .* 20 comp'
has "with reasons" out '^ +300  disk\.io native'
has "and time" out '^time: about .* h .* with KVM'
has "what would fit" err 'large\.yaml:7:9: .* has 1500 cells, .* ofat \(21 cells\).* pairwise \([0-9]+ cells\), full:vcpus,guest.cmdline,disk.cache \(250 cells\)'
run "$VSWEEP" run large.yaml
is "run refuses it" "$status" 2
has "with the same advice" err 'choose design: ofat'

run "$VSWEEP" plan no-such-matrix
is "no such matrix: 2" "$status" 2
run "$VSWEEP" plan --set disk.chace=none -w fs.fsync
is "misspelt setting: 2" "$status" 2
has "with the nearest name" err "disk\.cache"
run "$VSWEEP" plan --set disk.cache=none,writeback -w fs.fsink
is "misspelt workload: 2" "$status" 2
has "with the nearest name" err "fs\.fsync"
run "$VSWEEP" plan cache-modes --blocks 0
is "no blocks: 2" "$status" 2
run "$VSWEEP" plan cache-modes --only disk.cache=nothing
is "a filter that names nothing: 2" "$status" 2

printf 'name: x\nmatrix:\n  disk.cache: [none, writebak]\n  disk.fromat: [raw]\nworkloads: [fs.fsync]\n' >bad.yaml
run "$VSWEEP" run bad.yaml
is "a bad matrix: 2" "$status" 2
has "first complaint with its place" err '^(vsweep: )?bad\.yaml:3:22: .*writeback'
has "second one too" err '^bad\.yaml:4:3: .*disk\.format'
ok "nothing was started" test ! -e reports
done_testing
