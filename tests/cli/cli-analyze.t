#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `vsweep analyze --from-csv`: the oracles of METHOD 12 as they are, and
# options, through the real program.
#
# Here: E1 (one factor at a time, A/A), E2 (factorial), E3 (iterations in runs),
# E4b (screening), E5 (ladder), E7 (no blocks), E10 (drift), E13 (the best
# cell).  In tests/unit: E3's planner (test-stats-precision), E4a
# (test-stats-ols), E6 (test-stats-ladder), E8 (test-stats-histogram), E9
# (test-stats-energy), E10's steady gate (test-stats-drift), E11
# (test-stats-random, test-plan-order), E12 (test-stats-tiles: guests side by
# side are no runs of a cell), E14 (test-stats-verdict), E15 (test-plan-design,
# test-host-validity).
# shellcheck disable=SC2016 # programs of jq
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
oracles=$TOP/tests/data/oracles

# analyze FILE OPTION...: the report as JSON in $TMP/out.
analyze() { run "$VSWEEP" analyze --from-csv "$oracles/$1" --json "${@:2}"; }

# same DESCRIPTION ORACLE FILTER: the filter, with the oracle as $o and the
# report as $r, gives an array of pairs; all of them are equal to 1e-9.
same() {
  local wrong
  wrong=$(jq -n --slurpfile o "$oracles/$2" --slurpfile r "$TMP/out" "
    \$o[0] as \$o | \$r[0] as \$r |
    def row(\$s; \$l): first(\$r.contrasts[] |
      select(.setting == \$s and .level == \$l));
    def inter: first(\$r.interactions[]);
    def numbers: [.y.est, .y.interval[0], .y.interval[1], .y.p, .confidence];
    def wanted: [.est, .lo, .hi, .p, .conf];
    [$3] | if length == 0 then \"nothing compared\" else
      map(select(.[0] == null or .[1] == null or
        (if (.[0] | type) == \"number\" then ((.[0] - .[1]) | fabs) > 1e-9
         else .[0] != .[1] end))) end |
    if . == [] then empty else . end" 2>&1)
  is "$1" "$wrong" ""
}

analyze e1_ofat.csv
is "E1" "$status" 0
for level in cache=writeback cache=directsync io=io_uring io=threads; do
  same "E1: $level against base" e1_expected.json "
    row(\"${level%=*}\"; \"${level#*=}\") as \$c |
    \$o.contrasts[\"$level\"] as \$w |
    ([\$c | numbers, [.p_adjusted, .ratio, .ratio_interval[], .blocks_needed]] |
      add) as \$got |
    ([\$w | wanted, [.p_holm, .ratio[], .blocks_needed]] | add) as \$want |
    ([\$got, \$want] | transpose[]),
    [\$c.verdict, \$w.verdict_delta2pct], [\$c.n, 8]"
done
same "E1: the A/A twin" e1_expected.json '
  ([row("aa"; "aa") | numbers], [$o.contrasts.aa | wanted] | add) as $x |
  [[row("aa"; "aa") | numbers[]], [$o.contrasts.aa | wanted[]]] | transpose[]'
same "E1: medians of the cells" e1_expected.json '
  $r.cells[] | .values.fsync_ops_s as $v | $o.cell_median[.name] as $w |
  [[$v.median, $v.interval[], $v.confidence], [$w.median, $w.lo, $w.hi, $w.conf]] |
  transpose[]'

analyze e2_factorial.csv --lower-is-better seconds
is "E2" "$status" 0
for setting in cache:writeback iothread:on; do
  same "E2: $setting, mean over contexts" e2_expected.json "
    [[row(\"${setting%:*}\"; \"${setting#*:}\") | numbers[]],
     [\$o.contrasts[\"$setting|main\"] | wanted[]]] | transpose[]"
done
same "E2: what depends on what" e2_expected.json '
  [[inter | .y.est, .y.interval[], .y.p, .ratio_interval[], 1 / .ratio],
   [$o.contrasts | to_entries[] | select(.key | test("x|:.*:")) | .value |
    .est, .lo, .hi, .p, 1 / .ratio[2], 1 / .ratio[1], .ratio[0]]] |
  transpose[]'

same "E2: shares of the log-variance" e2_expected.json '
  $r.variance_shares[0].shares as $s | $o.share_of_log_variance as $w |
  [$s.cache, $w.cache], [$s.iothread, $w.iothread],
  [$s["cache x iothread"], $w.interaction]'

same "E2: each context by itself" e2_expected.json '
  def simple($s; $l; $i): row($s; $l).simple_effects[$i];
  (["cache", "writeback", 0, "cache:writeback|iothread=off"],
   ["cache", "writeback", 1, "cache:writeback|iothread=on"],
   ["iothread", "on", 0, "iothread:on|cache=none"],
   ["iothread", "on", 1, "iothread:on|cache=writeback"]) as [$s, $l, $i, $k] |
  [[simple($s; $l; $i) | numbers[]], [$o.contrasts[$k] | wanted[]]] |
  transpose[]'

analyze e3_levels.csv --lower-is-better seconds --costs 90s,20s
is "E3" "$status" 0
same "E3: runs are the replicates, not the iterations" e3_expected.json '
  $r.levels[0] as $l | [$l.runs, 5], [$l.iterations, 4], [$l.mean, $o.mean],
  [$l.half_width, $o.ci_halfwidth_boots],
  [$l.variance_within_run, $o.T1sq], [$l.variance_of_run_means, $o.S2sq],
  [$l.variance_between_runs, $o.T2sq], [$l.best_iterations, $o.r1],
  [$r.cells[0].values.seconds.n, 5],
  [$r.cells[0].values.seconds.median, ($o.boot_means | sort[2])]'
run "$VSWEEP" analyze --from-csv "$oracles/e3_levels.csv"
has "E3: in words" out '10\.1 ± 0\.358 .95 %, 5 runs of 4 iterations'

analyze e4_pairwise.csv
is "E4b" "$status" 0
same "E4b: effects and their worst alias" e4b_expected.json '
  $r.contrasts[] | "\(.setting)=\(.level)" as $name |
  [.y.est, $o.beta[$name]], [.ratio, $o.exp_beta[$name]],
  [(.alias | fabs), $o.worst_alias[$name][0]]'
same "E4b: seven of them" e4b_expected.json '
  [($r.contrasts | length), ($o.beta | length) - 1]'

analyze e10_sentinel.csv --lower-is-better seconds
is "E10" "$status" 0
same "E10: drift" e10_expected.json '
  $r.drift[0] as $d |
  [$d.pettitt.u, $o.pettitt.U], [$d.pettitt.at, $o.pettitt.t],
  [$d.pettitt.p, $o.pettitt.p], [$d.kendall.s, $o.kendall_S],
  [$d.kendall.z, $o.kendall_z], [$d.kendall.p, $o.kendall_p],
  [$d.slope_per_run, $o.theil_sen_per_step], [$d.shift, $o.shift_log],
  [$d.drifted, true], [$d.change_block, 9]'

analyze e13_best.csv
is "E13" "$status" 0
same "E13: the best cell, scored elsewhere" e13_expected.json '
  $r.cross_fitted[0] as $b |
  [$b.cell, $o.naive_best], [$b.gain_mean, $o.crossfit_gain_vs_A],
  [$b.biased.naive_gain_mean, $o.naive_gain_vs_A],
  ($b.picks[] | [.blocks, (.cell as $c | [$o.crossfit_pick[] |
    select(. == $c)] | length)])'

analyze e5_ladder.csv --baseline cpu=def,disk=def
is "E5" "$status" 0
same "E5: the ladder from the host to the baseline" e5_expected.json '
  $r.ladders[0] as $l | ($o.steps | to_entries) as $w |
  ([$l.steps[] | {(.step): .}] | add) as $s |
  (["resources", $s.resources], ["virtualisation", $s["virtualisation floor"]],
   ["configuration", $s.configuration], ["total", $l.total],
   ($l.parts[] | ["\(.setting) first", .first_in],
    ["\(.setting) last", .last_in], ["\(.setting) shapley", .shapley]),
   ["cpu x disk", $l.remainder]) as [$name, $got] |
  ($w[] | select(.key | startswith($name)) | .value) as $want |
  [[$got | numbers[], .mean], [$want | wanted[], .mean]] | transpose[]'
is "E5: all rungs and both settings" \
  "$(jq -c '[.ladders[0] | (.steps | length), (.parts | length)]' out)" '[3,2]'

analyze e7_unpaired.csv --lower-is-better seconds
is "E7" "$status" 0
same "E7: old and new without blocks" e7_expected.json '
  [[row("campaign"; "new") | numbers[], 1 / .ratio, 1 / .ratio_interval[1]],
   [$o | wanted[], .ratio[0], .ratio[1]]] | transpose[]'
has "E7: said in the row" out '"note": "unblocked: drift between sweeps not controlled'
run "$VSWEEP" analyze --from-csv "$oracles/e7_unpaired.csv" --lower-is-better all
has "E7: said in the head" out '^sweep .*unblocked: drift between sweeps not controlled'
has "E7: said in the sentence" out '9 against 9 runs, unblocked'

# Options that do not fit.
csv=$oracles/e2_factorial.csv
while IFS='|' read -r options message; do
  # shellcheck disable=SC2086 # words
  run "$VSWEEP" analyze --from-csv "$csv" $options
  is "$options: 2" "$status" 2
  has "and why" err "$message"
done <<'EOF'
--baseline cache=writebak|no cell is the baseline 'cache=writebak'
--baseline none/of|did you mean 'none/off'
--setting cahce|no column 'cahce' for --setting; did you mean 'cache'
--metric second|no column 'second' for --metric; did you mean 'seconds'
--lower-is-better second|no metric 'second' for --lower-is-better; did you mean 'seconds'
--primary speed|no metric 'speed' for --primary; there are: seconds
--delta 0|no ratio above 0
--delta fast|no ratio above 0
--delimiter ab|no single character
more|takes no arguments
EOF
run "$VSWEEP" analyze
is "no file: 2" "$status" 2
has "and how to name one" err '--from-csv'
run "$VSWEEP" analyze --from-csv no-such-file.csv
is "a file that is not there: 1" "$status" 1
has "and which" err "cannot open 'no-such-file.csv'"
run "$VSWEEP" analyze --from-csv .
is "a directory: 1" "$status" 1

# The same data in other words.
contrasts() { jq -c '[.contrasts[] | [.y, .p_adjusted, .verdict]]' out; }
analyze e2_factorial.csv --lower-is-better seconds
contrasts >wanted
"$VSWEEP" analyze --from-csv - --json --lower-is-better all <"$csv" >out
is "standard input" "$(contrasts)" "$(cat wanted)"
sed '1s/.*/boot,cache,iothread,s/; s/,/;/g' "$csv" >other.csv
run "$VSWEEP" analyze --from-csv other.csv --json --lower-is-better s
is "semicolons, and other names" "$(contrasts)" "$(cat wanted)"
run "$VSWEEP" analyze --from-csv other.csv --lower-is-better s
has "are said in the head" out '^columns .*block boot.*settings cache, iothread.*metrics s'
sed 's/,off,/,0,/; s/,on,/,1,/' "$csv" >other.csv
run "$VSWEEP" analyze --from-csv other.csv --json --lower-is-better all --setting cache,iothread
is "numbers as levels" "$(contrasts)" "$(cat wanted)"
run "$VSWEEP" analyze --from-csv other.csv
is "which have to be named: 2" "$status" 2
has "and the complaint says how" err '--setting'
run "$VSWEEP" analyze --from-csv "$csv" --baseline writeback/on --lower-is-better all
has "another baseline" out '^baseline +cache=writeback iothread=on$'
run "$VSWEEP" analyze --from-csv "$csv"
has "the direction nobody gave" out '^assumed +seconds: lower is better'
run "$VSWEEP" analyze --from-csv "$csv" --markdown --lower-is-better all
has "Markdown" out '^. metric . setting'
hasnt "no time of a sweep" out '^time:'
env -i HOME=/nonexistent "$VSWEEP" analyze --from-csv "$csv" >out 2>err
is "nothing else is needed" "$?" 0
is "not even a word on standard error" "$(cat err)" ""

# In whatever order the lines are.  Drift needs a column of time for that: only
# E10 has one.
answer() {
  jq -cS '[(.contrasts + .interactions | sort_by(tostring)[]),
    (.cross_fitted[] | .picks |= sort_by(.cell)),
    if .facts.columns | test("time") then .drift else empty end]' out
}
while read -r oracle base; do
  analyze "$oracle.csv" --baseline "$base"
  answer >wanted
  {
    head -n 1 "$oracles/$oracle.csv"
    sed 1d "$oracles/$oracle.csv" | sort -t , -k 2
  } >other.csv
  run "$VSWEEP" analyze --from-csv other.csv --json --baseline "$base"
  is "$oracle: lines in another order" "$(answer)" "$(cat wanted)"
done <<'EOF'
e1_ofat base
e2_factorial none/off
e10_sentinel all
e13_best A
EOF

# Files that cannot be taken: each with all its complaints, and nothing else.
for file in "$TOP"/tests/data/bad-csv/*.csv; do
  name=$(basename "$file" .csv)
  run "$VSWEEP" analyze --from-csv "$file"
  is "$name: 2" "$status" 2
  ok "$name: no report" test ! -s out
  sed "s|$TOP/||" err >got
  [ -z "${VSWEEP_REGENERATE:-}" ] || cp got "${file%.csv}.err"
  ok "$name: says what is wrong and where" diff "${file%.csv}.err" got
  is "$name: every line by name" "$(grep -cvE "^(vsweep: )?tests/data/bad-csv/$name\.csv[: ]|^and [0-9]+ more$" got)" 0
done
done_testing
