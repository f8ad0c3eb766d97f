#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulated sweeps: the command line from plan to report without a boot.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
data=$TOP/tests/data/simulate
cp "$data"/*.yaml "$TMP" && cd "$TMP" || exit 1
export COLUMNS=100

# The report down to the cells that failed; what follows has golden files of its
# own (test-report-golden).  VSWEEP_REGENERATE=1 rewrites it.
run "$VSWEEP" run matrix.yaml --simulate model.yaml --seed 1 --out one
is "a cell that fails: 3" "$status" 3
has "it says what it is before it begins" err 'seed 1, accel simulated \(model model.yaml\)'
sed '/^fs.fsync.p50 in us/,$d' out >report.txt
[ -z "${VSWEEP_REGENERATE:-}" ] || cp report.txt "$data/report.txt"
ok "the report" diff -u "$data/report.txt" report.txt
has "the head of the report says it" out '^accel +simulated, no measurement'
has "so does summary.md" one/summary.md '^\*\*simulated, no measurement'
has "and report.json" one/report.json '"simulated": true'
is "and every run in runs.csv" "$(sed 1d one/runs.csv | grep -vc ',simulated')" 0
is "and every row of contrasts.csv" "$(sed 1d one/contrasts.csv | grep -vc ',simulated')" 0
run "$VSWEEP" compare one --setting disk.cache --metric fs.fsync.p50
has "and compare" out 'simulated, no measurement'
ok "no guest, no image, no connection" test ! -e "$VSWEEP_RUNTIME_DIR/run"

# A seed and a model make a sweep: everything but wall clock times is the same.
content() {
  sql "$1/results.db" .dump | sed -E "s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g"
}
run "$VSWEEP" run matrix.yaml --simulate model.yaml --seed 1 --out two
content one >one.sql
content two >two.sql
ok "the same database again" diff one.sql two.sql

# Interrupted and resumed.
blocks=120
long() { exec "$VSWEEP" run matrix.yaml --simulate model.yaml --seed 5 --blocks "$blocks" --out "$1"; }
(long whole) >whole.out 2>whole.err
(long cut) >cut.out 2>cut.err </dev/null &
sweep=$!
at_exit "kill -9 $sweep"
some() { [ "$(sql cut/results.db 'SELECT count(*) FROM attempt' 2>/dev/null || echo 0)" -gt 3 ]; }
# Without a pause: where the disk is fast it takes a second only.
until some || [ $SECONDS -gt 120 ]; do :; done
kill -INT "$sweep"
wait "$sweep"
is "SIGINT ends with 130" $? 130
is "the sweep is marked" "$(sql cut/results.db "SELECT value FROM fact WHERE key = 'status'")" interrupted
cp model.yaml model.bak
sed -i 's/^noise:.*/noise: 1%/' model.yaml
(long cut) >/dev/null 2>err
is "with another model it is another sweep: 2" $? 2
has "and it says so" err "holds another sweep"
cp model.bak model.yaml
(long cut) >cut.out 2>cut.err
has "with the same it is resumed" cut.err "^vsweep: resuming 'cut'"
content whole >whole.sql
content cut >cut.sql
ok "and is as if it had not been interrupted" diff whole.sql cut.sql
ok "so is its report" diff <(sed '/^reports:/,$d' whole.out) <(sed '/^reports:/,$d' cut.out)

# What is wrong is refused before anything is there.
printf 'niose: 2%%\neffects: {disk.cache: non, slower: 5%%}\n' >bad.yaml
run "$VSWEEP" run matrix.yaml --simulate bad.yaml --out none
is "a bad model: 2" "$status" 2
has "first complaint with its place" err "^vsweep: bad.yaml:1:1: .*'noise'"
has "second one too" err "^bad.yaml:2:23: .*'none'"
run "$VSWEEP" run matrix.yaml --simulate no-such.yaml --out none
is "no such model: 2" "$status" 2
run "$VSWEEP" run matrix.yaml --simulate model.yaml --accel kvm --out none
is "with --accel: 2" "$status" 2
has "which it names" err 'leave out --accel'
printf 'unsupported: {disk.cache: none, why: gone}\n' >bad.yaml
run "$VSWEEP" run matrix.yaml --simulate bad.yaml --out none
is "an unsupported baseline: 1" "$status" 1
has "is named" err 'baseline cell none/threads .*gone'
ok "nothing was started" test ! -e none
printf 'effects: {disk.bus: sata, slower: 5%%}\n' >idle.yaml
run "$VSWEEP" run matrix.yaml --simulate idle.yaml --blocks 1 --out idle
has "a rule for no cell is warned of" err 'idle.yaml:1: holds for no cell'
done_testing
