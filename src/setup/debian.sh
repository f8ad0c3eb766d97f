#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what vsweep needs on Debian and its family: `debian.sh run` to build
# and run, `debian.sh check` for the tests as well.  Does nothing when all of it
# is there; uses sudo when it is not run as root.
set -eu

build="gcc make pkg-config libc6-dev libvirt-dev libguestfs-dev libsqlite3-dev
  libyaml-dev libxml2-dev libglib2.0-dev libjansson-dev libgsl-dev libkmod-dev
  libarchive-dev libssl-dev zlib1g-dev perl"
run="libvirt-daemon libvirt-daemon-driver-qemu qemu-system-x86 qemu-utils
  supermin linux-image-cloud-amd64 busybox-static e2fsprogs"
check="libcmocka-dev libvirt-clients sqlite3 jq shellcheck cppcheck
  clang-format util-linux procps"

wanted="$build $run"
[ "${1:-run}" != check ] || wanted="$wanted $check"

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup: this is no Debian; install what provides:" >&2
  echo "$wanted" | tr -s ' \n' ' ' >&2
  echo >&2
  exit 0
fi

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || :)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: as root, run: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get update -q &&
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
    --no-install-recommends $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: apt-get failed; see above" >&2
  exit 1
fi
