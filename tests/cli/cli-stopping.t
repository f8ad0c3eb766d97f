#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# When a sweep ends: at a look that is precise enough, after its last block, out
# of time, by the person; and that an interruption changes none of it.  All
# sweeps are simulated.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# matrix NAME BLOCKS
matrix() {
  cat >"$1.yaml" <<EOF
name: $1
matrix: {disk.cache: [none, writeback, directsync]}
blocks: $2
workloads: [fs.fsync]
primary: [fs.fsync.p50]
EOF
}
matrix open '{min: 6, max: 16, precision: 2%}'
matrix band '{min: 6, max: 16}'
matrix long '{precision: 2%}'
matrix fixed '{min: 8, max: 8, precision: 2%}'
matrix few '{max: 3}'
echo 'noise: 1%' >quiet.yaml
echo 'noise: 8%' >loud.yaml
printf 'noise: 1%%\nfail: {disk.cache: writeback, outcome: hang}\n' >failing.yaml
printf 'noise: 1%%\nfail: {chance: 30%%, outcome: hang}\n' >flaky.yaml

# simulate MODEL MATRIX DIR [OPTION...]
simulate() {
  local model=$1 what=$2 out=$3
  shift 3
  run "$VSWEEP" run "$what.yaml" --simulate "$model.yaml" --seed 7 --out "$out" "$@"
}
fact() { sql "$1/results.db" "SELECT value FROM fact WHERE key = '$2'"; }
blocks() { sql "$1/results.db" 'SELECT max(block) FROM attempt'; }
any_attempt() { sql "$1/results.db" 'SELECT id FROM attempt LIMIT 1' | grep -q .; }
# page1 FILE: the sweep's circumstances as the terminal shows them, on one line.
page1() { sed -n '/^sweep /,/^host /p' "$1" | tr -s ' \n' ' ' >page1; }

run "$VSWEEP" plan open.yaml --accel tcg
has "plan says both numbers of blocks" out '; 8 to 16 blocks \(7 needed'
has "and when it stops" out '^stop: .* ±2 %.* after blocks 8, 10, 12, 16$'
has "and the time for both" out '^time: about .* to '
run "$VSWEEP" plan long.yaml --accel tcg
has "a precision without max: up to the last look" out '; 10 to 32 blocks'
run "$VSWEEP" plan fixed.yaml --accel tcg
has "a fixed number: the precision ends nothing" out 'no look at the precision of 2 %'
hasnt "and is not said to" out '^stop: '
run "$VSWEEP" plan open.yaml --accel tcg --blocks 9 --only writeback
has "--blocks holds with --only too" out '; 9 blocks '

simulate quiet open a
is "precise at once" "$status" 0
has "the look is told" err 'block 8: 2 of 2 contrasts resolved to ±2 %'
is "stop_reason" "$(fact a stop_reason)" precision
is "after 8 blocks" "$(blocks a)" 8
page1 out
has "on the terminal" page1 'stopped: precision reached after 8 of at most 16 blocks, 2 of 2 contrasts'
has "in summary.md" a/summary.md '^- stopped: precision reached after 8 of at most 16 blocks$'
has "in report.json" a/report.json '"text": "precision reached after 8 of at most 16 blocks"'
has "the seed on the terminal" page1 'seed 7,'
has "the seed when it starts" err "writing 'a', seed 7,"
has "the seed in summary.md" a/summary.md '^- seed 7$'
has "the seed in report.json" a/report.json '"seed": "7"'
is "blocks and precision are kept" \
  "$(fact a blocks.min) $(fact a blocks.max) $(fact a precision)" '8 16 0.02'

run "$VSWEEP" run open.yaml --simulate quiet.yaml --out random
seed=$(fact random seed)
has "a random seed is printed" err "seed $seed,"
has "and kept" random/summary.md "^- seed $seed\$"

simulate loud open b
is "too noisy" "$(fact b stop_reason)" max_blocks
is "all 16 blocks" "$(blocks b)" 16
is "a look after 8, 10, 12 and 16 blocks only" \
  "$(grep -oE 'block [0-9]+:' err | tr -dc '0-9\n' | paste -sd ' ')" '8 10 12 16'
is "told once what it would take" "$(grep -c 'hardly be reached: disk.cache=' err)" 1
has "with the number of blocks" err 'needs about [0-9]+ blocks, there are at most 16'
page1 out
has "and on page 1" page1 'stopped: max_blocks after 16 of at most 16 blocks, 0 of 2 contrasts'

simulate quiet band c
has "without precision it is half the band" err 'contrasts resolved to half of their bands'

simulate quiet fixed d
is "a fixed number has no looks" "$(grep -c 'contrasts resolved' err)" 0
is "whatever is reached" "$(fact d stop_reason)" max_blocks

# The clock of a simulation stands still between attempts: the budget ends it
# where it would end a real sweep of these times.
simulate loud open e --budget 3m
is "out of time" "$(fact e stop_reason)" time_budget
ok "after whole blocks" test "$(sql e/results.db \
  'SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM attempt GROUP BY block)')" = 1
ok "before the last" test "$(blocks e)" -lt 16
page1 out
has "on page 1" page1 'stopped: time budget after [0-9]+ of at most 16 blocks'

simulate failing open f
is "a cell that failed: done, with failures" "$status" 3
has "is not waited for" err 'block 8: 1 of 1 contrasts? resolved'
is "so the rest decides" "$(fact f stop_reason)" precision

# ------------------------------------------------- interrupted and resumed
# cut_at FROM TO BLOCK KEEP: a copy of a finished sweep as if it had been
# interrupted when BLOCK had KEEP attempts.
cut_at() {
  local table
  cp -r "$1" "$2"
  {
    echo "PRAGMA foreign_keys = ON; BEGIN;
      CREATE TEMP TABLE gone AS SELECT id FROM attempt WHERE block > $3 OR id IN
        (SELECT id FROM attempt WHERE block = $3 ORDER BY id LIMIT -1 OFFSET $4);
      DELETE FROM counter WHERE window IN
        (SELECT id FROM window WHERE attempt IN gone);
      DELETE FROM hist_bin WHERE hist IN
        (SELECT id FROM hist WHERE attempt IN gone);"
    for table in attempt_fact value hist window proof line; do
      echo "DELETE FROM $table WHERE attempt IN gone;"
    done
    echo "DELETE FROM attempt WHERE id IN gone;
      UPDATE fact SET value = 'interrupted' WHERE key = 'status';
      UPDATE fact SET value = 'user' WHERE key = 'stop_reason'; COMMIT;"
  } | sqlite3 -batch -bail "$2/results.db"
}
printf 'noise: 2.6%%\n' >middling.yaml
simulate middling open whole
is "one that looks more than once" "$(fact whole stop_reason)" precision
end=$(blocks whole)
ok "and ends between" test "$end" -gt 8 -a "$end" -lt 16
cells=$(sql whole/results.db 'SELECT count(*) FROM attempt WHERE block = 1')
for place in "5 2" "8 $((cells - 1))" "8 $cells" "9 1" "$end 2" "$end $cells"; do
  read -r block keep <<<"$place"
  cut_at whole "cut-$block-$keep" "$block" "$keep"
  simulate middling open "cut-$block-$keep"
  is "interrupted after $keep attempts of block $block: same end" \
    "$status $(fact "cut-$block-$keep" stop_reason) $(blocks "cut-$block-$keep")" \
    "0 precision $end"
  ok "and the same contrasts" cmp whole/contrasts.csv "cut-$block-$keep/contrasts.csv"
done

matrix endless '{min: 999, max: 1000}'
"$VSWEEP" run endless.yaml --simulate loud.yaml --out user >out 2>err &
pid=$!
ok "a long one is on its way" wait_for 60 test -s user/results.db
ok "with attempts" wait_for 60 any_attempt user
kill -INT "$pid"
wait "$pid"
is "interrupted: 130" "$?" 130
is "by the person" "$(fact user stop_reason)" user
page1 out
has "on page 1" page1 'stopped: user'

# ------------------------------------------------------------ added blocks
simulate quiet open a
is "finished is finished" "$status" 2
has "the remedy is named" err 'add-blocks'
simulate quiet open a --add-blocks 3
is "--add-blocks goes on" "$status" 0
is "in the same directory, as many as said" "$(blocks a)" 11
is "that is no precision any more" "$(fact a stop_reason)" max_blocks
page1 out
has "and is said on the terminal" page1 '11 of 11 blocks, .* 3 blocks added after a look'
has "and in summary.md" a/summary.md '^- 3 blocks added after a look$'
simulate quiet open nowhere --add-blocks 3
is "nothing to add to: 2" "$status" 2
run "$VSWEEP" run open.yaml --simulate quiet.yaml --add-blocks 3 --new
is "not with --new: 2" "$status" 2
run "$VSWEEP" run band.yaml --simulate quiet.yaml --add-blocks 3
is "no finished sweep of this matrix: 2" "$status" 2

# --------------------------------------------------------- order and retries
simulate flaky fixed g
order() {
  sql "$1/results.db" 'SELECT block, pos, cell, try FROM attempt ORDER BY id'
}
is "no try within the first pass of a block but the first" "$(sql g/results.db \
  'SELECT count(*) FROM attempt a JOIN attempt b
     ON b.block = a.block AND b.id > a.id WHERE a.try > 1 AND b.try = 1')" 0
ok "something was repeated" test "$(sql g/results.db \
  'SELECT count(*) FROM attempt WHERE try > 1')" -gt 0
is "never more than two repeats" "$(sql g/results.db 'SELECT max(try) > 3 FROM attempt')" 0
order g >order.UTF-8
LC_ALL=C simulate flaky fixed h
order h >order.C
ok "the order does not depend on the locale" cmp order.UTF-8 order.C

simulate quiet few i
is "below the bound every tested row is by t test" "$(awk -F, 'NR > 1 && !/p=t-log/' \
  i/contrasts.csv | grep -c ',fs.fsync.p50,.*exact')" 0
has "and says so" i/contrasts.csv 'p=t-log'
simulate quiet few j --blocks 2
tail -n +2 j/contrasts.csv >rows
hasnt "two blocks yield no verdict" rows ',(better|worse|equivalent|inconclusive),'
done_testing
