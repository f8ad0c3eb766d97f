#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Help, manual, README and completion agree with the program.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

run "$VSWEEP" --help
is "--help exits 0" "$status" 0
ok "and is on standard output alone" test ! -s err
hasnt "no line is wider than 80" out '^.{81}'
run "$VSWEEP" help
for command in run plan report compare doctor settings; do
  has "overview has $command" out "^  $command "
done
run "$VSWEEP" --version
has "version" out '^vsweep [0-9]+\.[0-9]+\.[0-9]+$'
run "$VSWEEP"
is "no command: 2" "$status" 2
run "$VSWEEP" rum
is "unknown command: 2" "$status" 2
has "with a suggestion" err "no command 'rum'; did you mean 'run'\?"
ok "nothing on standard output" test ! -s out

manual=$TOP/src/man/vsweep.1.pod
"$VSWEEP" complete >commands
ok "manual is well-formed" podchecker "$manual"
for name in matrix model; do
  ok "$name manual is well-formed" podchecker "$TOP/src/man/vsweep-$name.5.pod"
done
while read -r command; do
  run "$VSWEEP" "$command" --help
  is "$command --help exits 0" "$status" 0
  hasnt "$command --help fits 80 columns" out '^.{81}'
  has "$command is in the manual" "$manual" "^=item B<$command>"
  run "$VSWEEP" "$command" --no-such-option
  is "$command refuses an unknown option" "$status" 2
  ok "and says so on standard error only" test -s err -a ! -s out
  "$VSWEEP" complete "$command" | grep -v '^--help$' | while read -r option; do
    grep -qE "B<$option>" "$manual" || echo "$command $option"
  done >missing
  is "every option of $command is in the manual" "$(cat missing)" ""
done <commands

# Every command and option the manual and the README name exists.
grep -oE '^=item B<[a-z]+>' "$manual" | grep -oE '[a-z]+>' | tr -d '>' | sort -u >named
is "the manual names no other command" "$(comm -23 named <(sort commands))" ""
grep -oE '^vsweep [a-z]+' "$TOP/README.md" | awk '{print $2}' | sort -u >named
is "the README names no other command" "$(comm -23 named <(sort commands))" ""
while read -r command; do "$VSWEEP" complete "$command"; done <commands | sort -u >options
grep -oE -- '--[a-z][a-z-]+' "$TOP/README.md" | sort -u >named
is "the README names no other option" "$(comm -23 named options)" ""
done_testing
