#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The rungs from the matrix to the report: simulated sweeps whose steps are
# known.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

cat >rungs.yaml <<'EOF'
name: rungs
guest: {memory: 512M}
matrix:
  disk.cache: [none, writeback]
  vcpus: [1, 2]
best: {disk.cache: writeback, vcpus: 2}
host: ladder
blocks: {min: 6, max: 6}
workloads: [fs.fsync]
primary: [fs.fsync.rate]
EOF
sed '/^best/d; s/^host: ladder/host: host/' rungs.yaml >host.yaml
# Factors of the rate over the baseline guest: host 1.25, matched 1.2, both
# settings 1.1 = 1.05 * 1.0476.
cat >model.yaml <<'EOF'
effects:
  - {cell: host, faster: 25%}
  - {cell: host-matched, faster: 20%}
  - {disk.cache: writeback, faster: 5%}
  - {vcpus: 2, faster: 4.76190476%}
EOF

run "$VSWEEP" plan rungs.yaml
has "the plan has both host runs" out '^  host-matched +host-matched +planned'
run "$VSWEEP" plan rungs.yaml --only 'none/2'
has "--only leaves the host's" out '^  host-matched +host-matched +planned'

run "$VSWEEP" run rungs.yaml --simulate model.yaml --seed 7 --out rungs
is "simulated" "$status" 0
show "$TMP/err"
is "every kind of cell is in the database" "$(sql rungs/results.db \
  "SELECT group_concat(kind) FROM (SELECT DISTINCT kind FROM cell ORDER BY kind)")" "aa,cell,host,host-matched"
is "every block has each once" "$(sql rungs/results.db \
  "SELECT count(*), count(DISTINCT cell) FROM attempt GROUP BY block" | sort -u)" '7|7'
is "the declared best is a fact" "$(sql rungs/results.db "SELECT value FROM fact WHERE key = 'best'")" writeback/2
has "resources" out '^  resources +-4\.0 %'
has "floor" out '^  virtualisation floor +-8\.3 %'
has "configuration" out '^  configuration +-9\.1 %'
has "total" out '^  total +-20\.0 %.*100 %$'
has "what the settings get back" out 'disk\.cache: none → writeback +\+5\.0 % \.\.\. \+5\.0 %'
has "the sentence" out 'of the 20\.0 % total loss, the configuration step costs 9\.1 %'
has "summary.md has it" rungs/summary.md '^## Ladder of fs\.fsync\.rate'
has "contrasts.csv has it" rungs/contrasts.csv 'ladder,virtualisation floor'
has "report.json has it" rungs/report.json '"step": "virtualisation floor"'
has "runs.csv has the kind" rungs/runs.csv ',host-matched,'

run "$VSWEEP" analyze --from-csv rungs/runs.csv --best writeback/2 --baseline none/1 --primary fs.fsync.rate
is "its own runs.csv analysed again" "$status" 0
has "gives the same floor" out '^  virtualisation floor +-8\.3 %'

run "$VSWEEP" run host.yaml --simulate model.yaml --seed 7 --out host
is "with the host alone" "$status" 0
has "two steps in one" out '^  host to best guest +-12\.0 %'
has "and why" out 'host-matched was not run'
hasnt "no floor" out 'virtualisation floor'
done_testing
