#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `vsweep analyze --from-csv`: the oracles of METHOD 12 as they are, and
# options, through the real program.
#
# Here: E1 (one factor at a time, A/A), E2 (factorial), E7 (no blocks).  Without
# a CSV file, and in tests/unit: E6 and E5's shares (test-stats-ladder), E8
# (test-stats-histogram), E9 (test-stats-energy), E11 (test-stats-random,
# test-plan-order), E14 (test-stats-verdict), E15 (test-plan-design,
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

analyze e7_unpaired.csv --lower-is-better seconds
is "E7" "$status" 0
same "E7: old and new without blocks" e7_expected.json '
  [[row("campaign"; "new") | numbers[], 1 / .ratio, 1 / .ratio_interval[1]],
   [$o | wanted[], .ratio[0], .ratio[1]]] | transpose[]'
has "E7: said in the row" out '"note": "unblocked: drift between sweeps not controlled'
run "$VSWEEP" analyze --from-csv "$oracles/e7_unpaired.csv" --lower-is-better all
has "E7: said in the head" out '^sweep .*unblocked: drift between sweeps not controlled'
has "E7: said in the sentence" out '9 against 9 runs, unblocked'
done_testing
