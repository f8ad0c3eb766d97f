#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How long `vsweep analyze` takes for a million values, and how much memory,
# beside sort(1) of the same lines: 100 cells (5 x 5 x 4 settings), 100 blocks,
# 100 metrics, one value a line; and the same numbers with a column for each
# metric.
# usage: analyze.sh [BLOCKS METRICS]
set -eu
VSWEEP=${VSWEEP_BUILD:-build}/vsweep
blocks=${1:-100}
metrics=${2:-100}
tmp=$(mktemp -d /tmp/vs-bench.XXXXXX)
trap 'rm -rf "$tmp"' EXIT

# Cells in another order in every block, as a sweep runs them.
awk -v blocks="$blocks" -v metrics="$metrics" 'BEGIN {
  srand(1)
  print "block,cache,bus,format,metric,value"
  for (b = 1; b <= blocks; b++) {
    split("", order)
    for (c = 0; c < 100; c++) {
      k = int(rand() * (c + 1)); order[c] = order[k]; order[k] = c
    }
    for (i = 0; i < 100; i++) {
      c = order[i]
      for (m = 1; m <= metrics; m++)
        printf "%d,cache%d,bus%d,format%d,metric%d,%.6g\n", b, c % 5,
          int(c / 5) % 5, int(c / 25), m,
          m * 100 * (1 + c / 500) * (1 + b / 1000) * (0.97 + 0.06 * rand())
    }
  }
}' >"$tmp/tidy.csv"
awk -F, -v OFS=, 'NR == 1 { next }
{ run = $1 OFS $2 OFS $3 OFS $4 }
run != last && last { print last line }
run != last { line = ""; last = run }
{ line = line OFS $6; if (NR <= 101) heading = heading OFS $5 }
END { print last line; print "block,cache,bus,format" heading >"'"$tmp"'/heading" }' \
  "$tmp/tidy.csv" >"$tmp/rows"
cat "$tmp/heading" "$tmp/rows" >"$tmp/wide.csv"

# measure NAME COMMAND...: seconds, of the clock and of processors, and KiB of
# the quicker of three runs.
measure() {
  local name=$1 best=
  shift
  for _ in 1 2 3; do
    /usr/bin/time -f '%e %U %S %M' -o "$tmp/time" "$@" >/dev/null
    best=$(printf '%s\n%s\n' "$best" "$(cat "$tmp/time")" | sort -n | grep . | head -n 1)
  done
  echo "$name $best"
}

{
  measure sort-C env LC_ALL=C sort "$tmp/tidy.csv"
  measure sort env LC_ALL=C.UTF-8 sort "$tmp/tidy.csv"
  measure tidy "$VSWEEP" analyze --from-csv "$tmp/tidy.csv" --json
  measure wide "$VSWEEP" analyze --from-csv "$tmp/wide.csv" --json
} | awk -v values="$((100 * blocks * metrics))" '
BEGIN { printf "%d values: 100 cells, one line a value (wide: a line a run)\n", values
        print "            seconds    CPU    MiB  x LC_ALL=C sort (CPU)  x sort (CPU)" }
{ clock[$1] = $2; cpu[$1] = $3 + $4
  printf "%-9s %9.2f %6.2f %6.0f", $1, $2, cpu[$1], $5 / 1024
  if ($1 != "sort-C" && $1 != "sort")
    printf "  %16.2f (%.2f)  %6.2f (%.2f)", $2 / clock["sort-C"],
      cpu[$1] / cpu["sort-C"], $2 / clock["sort"], cpu[$1] / cpu["sort"]
  print "" }'
