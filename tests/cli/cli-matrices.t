#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every bad matrix is refused with places, and every ready one can be planned.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# misplaced NAME: the lines of standard error that name the file, but no place.
misplaced() {
  grep -F "$1.yaml" "$TMP/err" | grep -vE "^(vsweep: )?$1\.yaml:[0-9]+:[0-9]+: ."
}

for file in "$TOP"/tests/data/bad-matrices/*.yaml; do
  name=$(basename "$file" .yaml)
  cp "$file" .
  run "$VSWEEP" run "$name.yaml"
  is "$name: 2" "$status" 2
  ok "$name: is named" grep -qF "$name.yaml:" err
  is "$name: always with line and column" "$(misplaced "$name")" ""
  ok "$name: nothing is started" test ! -e reports -a ! -e "$VSWEEP_RUNTIME_DIR/run"
done

for file in "$TOP"/matrices/*.yaml; do
  name=$(basename "$file" .yaml)
  run "$VSWEEP" plan "$file" --quick
  is "$name: can be planned" "$status" 0
  has "$name: cells, baseline and time" out '^design: .* cells planned'
done
done_testing
