# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Time and peak memory of a command, for the scripts of this directory.

set -eu
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
VSWEEP=${VSWEEP_BUILD:-$TOP/build}/vsweep
TMP=$(mktemp -d /tmp/vs.XXXXXX)
export LC_ALL=C.UTF-8 TOP VSWEEP
trap 'rm -rf "$TMP"' EXIT

# measure LABEL COMMAND...: "LABEL  wall s  CPU s  peak MiB  exit status".  Its
# output goes to $TMP/out.  getrusage(RUSAGE_CHILDREN) is call 98 on x86-64:
# two timevals, then the peak in KiB.
measure() {
  local label=$1
  shift
  # shellcheck disable=SC2016
  perl -MTime::HiRes=time -e '
    my $label = shift; my $t = time;
    my $rc = system(@ARGV); my $wall = time - $t;
    my $u = "\0" x 144; syscall(98, -1, $u);
    my @u = unpack("q*", $u);
    printf STDERR "%-44s %7.2f s %7.2f s %7.1f MiB   exit %d\n", $label, $wall,
      $u[0] + $u[2] + ($u[1] + $u[3]) / 1e6, $u[4] / 1024, $rc >> 8;
  ' "$label" sh -c 'exec "$@" >"$0" 2>&1' "$TMP/out" "$@"
}
