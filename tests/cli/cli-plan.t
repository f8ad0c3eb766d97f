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
