#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs campaigns, two at a time, and prints their rows: figure, limit, whether
# it is kept.  The last line counts; the status is 1 when a limit is broken.
# usage: check-stats.sh PROGRAM...
set -u

work=$(mktemp -d /dev/shm/check-stats.XXXXXX) || exit 2
trap 'rm -rf "$work"' EXIT
export VSWEEP_CAMPAIGN_DIR=$work

# A campaign that dies leaves a row of its own.
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$@" | xargs -P 2 -I PROGRAM bash -c '
  out=$VSWEEP_CAMPAIGN_DIR/${1##*/}
  "$1" >"$out.rows" 2>"$out.log"
  status=$?
  if [ "$status" -gt 1 ]; then
    echo "FAIL ${1##*/} ended with status $status"
    tail -n 3 "$out.log"
  fi >>"$out.rows"
' campaign PROGRAM

printf '%-4s %-67s %7s  %s\n' '' '' figure limit
for program; do
  printf '%s\n' "${program##*/}"
  cat "$work/${program##*/}.rows"
done | tee "$work/table"

passed=$(grep -c '^ok ' "$work/table")
failed=$(grep -c '^FAIL ' "$work/table")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
