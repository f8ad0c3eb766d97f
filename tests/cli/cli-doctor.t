#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# doctor: what it finds on this host, and on hosts that lack something.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# finding SEVERITY TEXT [REMEDY]: in the words of the last run, the remedy on
# the line below.
finding() {
  local what
  what=$(grep -A1 -E -- " $1 +$2" "$TMP/out")
  ok "$1: $2${3:+ -> $3}" grep -qE -- "${3:+^ +-> $3}" <<<"${what:-nothing}"
}

run "$VSWEEP" doctor
is "this host can run a sweep" "$status" 0
has "and says so" out '^0 problems, [0-9]+ warnings: this host can run a sweep$'
hasnt "no problem" out ' PROBLEM '
for check in programs libvirt libguestfs kvm kernel payload storage machine; do
  has "checks the $check" out "^$check +(ok|note|warning) "
done
is "nothing on standard error" "$(cat err)" ""

# A plain user's PATH, as Debian sets it.
run env PATH=/usr/local/bin:/usr/bin:/bin "$VSWEEP" doctor
is "without /usr/sbin in PATH" "$status" 0
has "mke2fs is found all the same" out '/sbin/mke2fs$'

# --------------------------------------------------------------- programs
mkdir bin
for program in qemu-system-x86_64 supermin; do
  ln -s "$(command -v "$program")" bin
done
run env PATH="$TMP/bin" "$VSWEEP" doctor
is "no qemu-img: 4" "$status" 4
finding PROBLEM "no qemu-img in PATH" "apt install qemu-utils"
has "one problem, counted" out '^1 problems, .*cannot run a sweep yet'
rm bin/supermin
run env PATH="$TMP/bin" "$VSWEEP" doctor
is "nor supermin: 4" "$status" 4
finding PROBLEM "no supermin in PATH" "apt install supermin"
has "two problems" out '^2 problems, '

# ---------------------------------------------------------------- storage
# on_tmpfs SIZE: doctor with its storage on a tmpfs of that size, which
# nobody else sees.
on_tmpfs() {
  # shellcheck disable=SC2016 # for the other shell
  run "${unshare[@]}" bash -c \
    'mount -t tmpfs -o size="$0" none "$1" && exec "$2" doctor --storage "$1"' \
    "$1" "$TMP/tmpfs" "$VSWEEP"
}

mkdir tmpfs
unshare=(unshare --mount)
[ "$(id -u)" = 0 ] || unshare+=(--map-root-user)
if "${unshare[@]}" mount -t tmpfs none tmpfs 2>/dev/null; then
  on_tmpfs 8G
  is "storage in memory: possible" "$status" 0
  finding warning "storage '$TMP/tmpfs' is on tmpfs: it is memory, not a disk"
  on_tmpfs 8m
  is "storage too small: 4" "$status" 4
  finding PROBLEM \
    "not enough room in .*/tmpfs': .* needed \\([0-9]{10} bytes\\), .* free \\([0-9]{7} bytes\\)" \
    "free some space"
  ok "the free bytes are those of the tmpfs" grep -qE '\(8388608 bytes\)|\(83[0-9]{5} bytes\)' out
else
  skip "no mount namespaces here" 5
fi
: >file
run "$VSWEEP" doctor --storage file/below
is "storage below a file: 4" "$status" 4
finding PROBLEM ".*$TMP/file" "free some space"
run "$VSWEEP" doctor extra
is "an argument: 2" "$status" 2

# ----------------------------------------------------------- beside a sweep
# libvirt's embedded driver locks this file of its root.
root=$TMP/busy
mkdir -p "$root/run/qemu" locked
perl -MFcntl=:DEFAULT -e '
  sysopen my $file, $ARGV[0], O_RDWR | O_CREAT or die;
  # struct flock of Linux on 64 bits: type, whence, start, length, pid
  my $lock = pack "s s x4 q q i x4", F_WRLCK, 0, 0, 1, 0;
  fcntl $file, F_SETLK, $lock or die;
  open my $sign, ">", $ARGV[1] or die;
  sleep 600' "$root/run/qemu/driver.pid" locked/yes &
holder=$!
at_exit "kill $holder"
ok "somebody has the root open" wait_for 10 test -e locked/yes
run env VSWEEP_RUNTIME_DIR="$root" "$VSWEEP" doctor
is "beside a sweep: exit status" "$status" 0
has "the root is named" out "embedded driver below $root"
is "nothing was made in it" "$(find "$root" -type f)" "$root/run/qemu/driver.pid"
run env VSWEEP_RUNTIME_DIR="$root" "$VSWEEP" clean
has "while it is held, as clean says" err "another vsweep .pid $holder. is using '$root'"
ok "the other one still runs" kill -0 "$holder"
done_testing
