#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything a guest or its QEMU can do wrong becomes a recorded outcome, and
# the sweep goes on.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

cat >faults.yaml <<'EOF'
name: faults
guest: {memory: 256M, disk: 256M}
matrix:
  guest.cmdline: ["", vsweep.fault=hang, vsweep.fault=hang-window, vsweep.fault=panic,
    vsweep.fault=off, vsweep.fault=rubbish, vsweep.fault=rubbish-long,
    vsweep.fault=noready, vsweep.fault=crash]
design: ofat
hygiene: quick
host: none
workloads: [fs.fsync: {time: 200ms, file: 16M}]
EOF

run "$VSWEEP" run faults.yaml --blocks 1 --retries 0 --timeout 30s --seed 1
is "done, but some cells failed: 3" "$status" 3
show "$TMP/err"
db=$(ls -d reports/faults-*)/results.db
outcome() {
  sql "$db" "SELECT outcome FROM attempt a JOIN cell c ON c.id = a.cell WHERE c.name = '$1'"
}
is "the healthy guest is ok" "$(outcome default)" ok
is "silence after the job: hang" "$(outcome vsweep.fault=hang)" hang
is "silence inside a window: hang" "$(outcome vsweep.fault=hang-window)" hang
is "a crashed kernel is told from power-off" "$(outcome vsweep.fault=panic)" panic
is "powered off before DONE" "$(outcome vsweep.fault=off)" early-off
is "bytes that are no protocol" "$(outcome vsweep.fault=rubbish)" rubbish
is "a line without end" "$(outcome vsweep.fault=rubbish-long)" rubbish
is "never READY" "$(outcome vsweep.fault=noready)" no-boot
is "the payload crashed" "$(outcome vsweep.fault=crash)" guest-error
has "the report counts them" out 'failed'
ok "the console of the crash is kept" test -n "$(sql "$db" \
  "SELECT 1 FROM attempt a JOIN cell c ON c.id = a.cell WHERE c.name LIKE '%panic' AND a.console IS NOT NULL")"

# One QEMU stopped, one killed, from outside.
cat >signals.yaml <<'EOF'
name: signals
guest: {memory: 256M, disk: 256M}
matrix: {disk.cache: [none, writeback]}
hygiene: quick
host: none
workloads: [fs.fsync: {time: 3s, file: 16M}]
EOF
"$VSWEEP" run signals.yaml --blocks 1 --retries 0 --timeout 20s --seed 1 >sig.out 2>sig.err </dev/null &
sweep=$!
at_exit "kill -9 $sweep"
qemu() { pgrep -f "guest=vsweep-$sweep-b1-p$1-"; }
# boots POS: its vCPU has run for 0.2 s.  A QEMU that dies before, while libvirt
# still talks to it, is a refused start.
boots() {
  local thread ns _
  for thread in /proc/"$(qemu "$1")"/task/*; do
    if grep -qs '^CPU ' "$thread/comm" && read -r ns _ <"$thread/schedstat" &&
      [ "$ns" -gt 200000000 ]; then
      return 0
    fi
  done 2>/dev/null
  return 1
}
ok "first guest" wait_for 120 boots 0
kill -STOP "$(qemu 0)"
ok "second guest" wait_for 120 boots 1
kill -KILL "$(qemu 1)"
wait "$sweep"
is "the sweep went on to its end" $? 3
show sig.err
db=$(ls -d reports/signals-*)/results.db
is "stopped QEMU, killed QEMU, healthy guest" \
  "$(sql "$db" "SELECT outcome FROM attempt ORDER BY pos")" $'qemu-stuck\nqemu-died\nok'
ok "nothing of them is left" test -z "$(pgrep -f "guest=vsweep-$sweep-")"
done_testing
