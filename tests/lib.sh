# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for shell tests.  Source it first:
#
#   . "$(dirname "$0")/../lib.sh"
#   ok "it says hello" grep -q hello "$out"
#   done_testing
#
# Gives $TOP (source tree), $VSWEEP (program), $TMP (removed at the end), and a
# runtime and cache directory of the test's own.

set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${VSWEEP_BUILD:-$TOP/build}
VSWEEP=$BUILD/vsweep
TMP=$(mktemp -d /tmp/vs.XXXXXX)
export TOP VSWEEP TMP
export VSWEEP_RUNTIME_DIR=$TMP/r
# A cache of its own, kept between runs: golden images are slow to make, and
# tests that run side by side must not share a storage directory.
VSWEEP_CACHE_DIR=$BUILD/test-cache/$(basename "$0" .t)
export VSWEEP_CACHE_DIR
mkdir -p "$VSWEEP_CACHE_DIR"
export LC_ALL=C.UTF-8
tests_run=0
tests_failed=0

cleanup_commands=()
# at_exit COMMAND...: runs when the test ends, however it ends.
at_exit() { cleanup_commands+=("$*"); }

finish() {
  local status=$? i
  for ((i = ${#cleanup_commands[@]} - 1; i >= 0; i--)); do
    eval "${cleanup_commands[i]}" >/dev/null 2>&1
  done
  cd / && rm -rf "$TMP"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# result STATUS DESCRIPTION
result() {
  tests_run=$((tests_run + 1))
  if [ "$1" = 0 ]; then
    echo "ok $tests_run - $2"
  else
    tests_failed=$((tests_failed + 1))
    echo "not ok $tests_run - $2"
  fi
}

# show FILE...: as TAP comments, for the person who looks at a failure.
show() { sed 's/^/# /' "$@" | head -n "${SHOW_LINES:-40}"; }

# ok DESCRIPTION COMMAND...: passes when the command succeeds.
ok() {
  local what=$1
  shift
  if "$@" >"$TMP/ok.out" 2>&1; then
    result 0 "$what"
  else
    result 1 "$what"
    echo "# failed: $*"
    show "$TMP/ok.out"
  fi
}

# is DESCRIPTION GOT EXPECTED
is() {
  if [ "$2" = "$3" ]; then
    result 0 "$1"
  else
    result 1 "$1"
    printf '%s\n' "got: $2" "expected: $3" | sed 's/^/# /'
  fi
}

# run COMMAND...: standard output in $TMP/out, errors in $TMP/err, status in $status.
run() {
  "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
  status=$?
}

# has DESCRIPTION FILE REGEX: a line of the file matches (extended).
has() {
  if grep -qE -- "$3" "$2"; then
    result 0 "$1"
  else
    result 1 "$1"
    echo "# no line of $2 matches: $3"
    show "$2"
  fi
}

# hasnt DESCRIPTION FILE REGEX
hasnt() {
  if grep -qE -- "$3" "$2"; then
    result 1 "$1"
    grep -nE -- "$3" "$2" | head -n 5 | sed 's/^/# /'
  else
    result 0 "$1"
  fi
}

# skip REASON [COUNT]: counted as skipped.
skip() {
  local i
  for ((i = 0; i < ${2:-1}; i++)); do
    tests_run=$((tests_run + 1))
    echo "ok $tests_run # SKIP $1"
  done
}

skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

# sql FILE QUERY
sql() { sqlite3 -batch "$1" "$2"; }

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

done_testing() {
  echo "1..$tests_run"
  [ "$tests_failed" = 0 ]
}
