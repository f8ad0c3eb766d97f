#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job, end to end: real boots of eight guests and four host runs.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

cat >sweep.yaml <<'EOF'
name: main
question: Does the main job work?
guest: {memory: 256M, disk: 256M}
matrix:
  disk.format: [raw, qcow2]
  disk.cache: [none, unsafe]
design: ofat
blocks: {min: 2}
host: ladder
hygiene: quick
workloads:
  - fs.fsync: {time: 500ms, file: 16M}
  - fs.seqwrite: {file: 16M}
  - db.txn: {rows: 20}
primary: [fs.fsync.p50, fs.seqwrite.bw]
EOF

run "$VSWEEP" run sweep.yaml --seed 42
is "exit status 0" "$status" 0
show "$TMP/err"
has "the report names the host's figures" out 'fs\.fsync\.p50'
has "every row says which direction is better" out 'lower is better'
has "emulation or KVM is said" out '(emulation|KVM)'
has "the time is broken down" out '^time: prepare .* boot .* measure .* stop .* images .* wait .* other'
has "the seed is printed" "$TMP/err" 'seed 42'
db=$(ls -d reports/main-*)/results.db
ok "database" test -s "$db"
for file in summary.md runs.csv contrasts.csv report.json; do
  ok "$file is written" test -s "$(dirname "$db")/$file"
  has "its path is printed" out "reports/main-.*/$file"
done

is "twelve attempts, all ok" "$(sql "$db" "SELECT count(*), min(outcome), max(outcome) FROM attempt")" '12|ok|ok'
is "every block has every cell once" "$(sql "$db" \
  "SELECT count(DISTINCT cell) FROM attempt GROUP BY block")" $'6\n6'
is "the same payload ran everywhere" "$(sql "$db" \
  "SELECT count(DISTINCT value) FROM attempt_fact WHERE name = 'payload_sha256'")" 1
is "no proof failed" "$(sql "$db" "SELECT count(*) FROM proof WHERE NOT ok")" 0
ok "there are proofs" test "$(sql "$db" "SELECT count(*) FROM proof")" -gt 50
is "host-matched was held to the baseline's CPUs" "$(sql "$db" \
  "SELECT effective, count(*) FROM proof WHERE source = 'sched_getaffinity'")" '1|2'
held=$(sql "$db" "SELECT value FROM fact WHERE key = 'host-matched'")
case $held in
*cgroup*) is "and to its memory" "$(sql "$db" \
  "SELECT effective, count(*) FROM proof WHERE source LIKE 'cgroup v%'")" "$((256 << 20))|2" ;;
*) skip "and to its memory: $held" ;;
esac
is "foreign keys hold" "$(sql "$db" "PRAGMA foreign_key_check")" ""
ok "matrix text is kept" test -n "$(sql "$db" "SELECT value FROM fact WHERE key = 'matrix.text'")"
is "counters around every window" "$(sql "$db" \
  "SELECT count(*) FROM window w WHERE NOT EXISTS (SELECT 1 FROM counter c WHERE c.window = w.id)")" 0

run "$VSWEEP" compare --setting disk.format=raw,qcow2 --metric fs.fsync.p50
is "compare answers" "$status" 0
ok "in one screen" test "$(wc -l <out)" -le 24
has "with both levels" out 'qcow2'

run "$VSWEEP" show qcow2/none
is "show" "$status" 0
has "proof of disk.format" out 'disk\.format +.*qcow2 +qcow2 +ok'
run "$VSWEEP" show raw/unsafe --xml
ok "the live XML says unsafe" grep -q "cache='unsafe'" out
run "$VSWEEP" show raw/unsafe --argv
has "QEMU was told so" out 'no-flush"?:true'
run "$VSWEEP" report
is "report from the database alone" "$status" 0
run "$VSWEEP" ls
has "ls lists it as finished" out '^main-.* finished'

run "$VSWEEP" run sweep.yaml --seed 42 --blocks 1
is "a finished sweep is not resumed but started anew" "$(find reports -name results.db | wc -l)" 2

ok "no domain, QEMU or socket is left" test -z "$(pgrep -f "guest=vsweep-.*$TMP" || find "$VSWEEP_RUNTIME_DIR" -type s)"
# Other runs on this machine may have theirs.
orphans() {
  find /sys/fs/cgroup -type d -name 'vsweep-[0-9]*' 2>/dev/null | while read -r group; do
    kill -0 "${group##*/vsweep-}" 2>/dev/null || echo "$group"
  done
}
is "no control group is left" "$(orphans)" ""
hasnt "no slot is left" <(ls "$VSWEEP_CACHE_DIR/images") 'slot'
done_testing
