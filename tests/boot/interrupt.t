#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Interrupted and killed sweeps: recorded, resumed, nothing left behind.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
cat >sweep.yaml <<'EOF'
name: kill
guest: {memory: 256M, disk: 256M}
matrix: {disk.cache: [none, writeback]}
hygiene: quick
workloads: [fs.fsync: {time: 500ms, file: 16M}]
EOF
sweep=0
start() {
  "$VSWEEP" run sweep.yaml --blocks 2 --retries 0 --seed 7 >sweep.out 2>sweep.err </dev/null &
  sweep=$!
  at_exit "kill -9 $sweep"
}
qemu() { pgrep -f "guest=vsweep-$sweep-"; }
gone() { ! qemu; }
db() { ls -d reports/kill-*/results.db 2>/dev/null; }
attempts() { sql "$(db)" "SELECT count(*) FROM attempt"; }

start
ok "a guest runs" wait_for 120 qemu
kill -INT "$sweep"
wait "$sweep"
is "SIGINT ends with 130" $? 130
has "it says how to go on" sweep.err 'resumes'
ok "the domain is gone" test -z "$(qemu)"
is "the attempt is recorded" "$(sql "$(db)" "SELECT outcome FROM attempt ORDER BY id DESC LIMIT 1")" interrupted
is "the sweep is marked" "$(sql "$(db)" "SELECT value FROM fact WHERE key = 'status'")" interrupted

# SIGKILL at moments spread over a boot: creation, kernel, work, stop.
for delay in 0.3 2.5 4; do
  start
  ok "killed after $delay s with a guest there" wait_for 120 qemu
  sleep "$delay"
  kill -KILL "$sweep"
  wait "$sweep" 2>/dev/null
  ok "its QEMU dies with it" wait_for 20 gone
done

# And while libguestfs makes a golden image.
"$VSWEEP" run sweep.yaml --blocks 1 --storage "$TMP/st" >sweep.out 2>sweep.err </dev/null &
sweep=$!
at_exit "kill -9 $sweep"
making() { compgen -G "$TMP/st/.vsweep-tmp-*/libguestfs*"; }
ok "a golden image is being made" wait_for 120 making
sleep 3
kill -KILL "$sweep"
wait "$sweep" 2>/dev/null

run "$VSWEEP" clean
is "clean" "$status" 0
has "libguestfs's socket directory is gone" out "removed '.*/libguestfs"
is "the other storage directory is empty" "$(find "$TMP/st" -mindepth 1)" ""
left() {
  find "$VSWEEP_RUNTIME_DIR" -type s -o -name 'vsweep-*' -o -name '*.pid' ! -name driver.pid
  find "$VSWEEP_CACHE_DIR/images" -name '*slot*' -o -name '.vsweep-tmp*'
  find "$VSWEEP_CACHE_DIR" -maxdepth 1 -name 'scratch-*'
  find /sys/fs/cgroup -type d -path "*vsweep-$sweep-*" 2>/dev/null
  pgrep -f "guest=vsweep-.*$VSWEEP_RUNTIME_DIR"
}
is "after clean alone nothing is left" "$(left)" ""
ok "not even libvirt's lock file" test ! -e "$VSWEEP_RUNTIME_DIR/run/qemu/driver.pid"

start
wait "$sweep"
is "the same command ends the sweep" $? 0
show sweep.err
is "in the same directory" "$(db | wc -l)" 1
is "with every cell ok in both blocks" "$(sql "$(db)" \
  "SELECT count(*) FROM (SELECT DISTINCT block, cell FROM attempt WHERE outcome = 'ok' AND discarded IS NULL)")" 8
is "status finished" "$(sql "$(db)" "SELECT value FROM fact WHERE key = 'status'")" finished
is "database intact" "$(sql "$(db)" "PRAGMA integrity_check")" ok
is "and nothing left" "$(left)" ""
done_testing
