#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `vsweep compare`: which words go together.  What it answers is tested in
# tests/unit/test-report-compare.c and test-report-across.c.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

while IFS='|' read -r words message; do
  # shellcheck disable=SC2086 # words
  run "$VSWEEP" compare $words
  is "compare $words: 2" "$status" 2
  has "and why" err "$message"
done <<'END'
|needs --setting and --metric.*or two sweeps
--setting vcpus|needs --setting and --metric
old new --setting vcpus|two sweeps are compared cell by cell
old --setting vcpus --metric boot.ready --anyway|for the comparison of two sweeps
one two three|and no more
END
mkdir old
run "$VSWEEP" compare old new
ok "a sweep that is not there fails" test "$status" -ne 0
ok "and is named" grep -q old err

done_testing
