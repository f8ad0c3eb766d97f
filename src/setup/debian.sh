#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what vsweep needs on Debian and its family: `debian.sh run` to build
# and run, `debian.sh check` for the tests as well.  Does nothing when all of it
# is there; uses sudo when it is not run as root.
set -eu

build="gcc make pkg-config libc6-dev libvirt-dev libguestfs-dev libsqlite3-dev
  libyaml-dev libxml2-dev libglib2.0-dev libjansson-dev libgsl-dev libkmod-dev
  libarchive-dev libcsv-dev libssl-dev zlib1g-dev liburing-dev perl"
run="libvirt-daemon libvirt-daemon-driver-qemu qemu-system-x86 qemu-utils
  supermin linux-image-cloud-amd64 busybox-static e2fsprogs"
check="libcmocka-dev libvirt-clients sqlite3 jq shellcheck cppcheck
  clang-format util-linux procps"

wanted="$build $run"
[ "${1:-run}" != check ] || wanted="$wanted $check"

if ! command -v dpkg-query >/dev/null 2>&1; then
  # shellcheck disable=SC2086 # lists of packages, here and below
  echo "setup: this is no Debian; install what provides:" $wanted >&2
  exit 0
fi

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# quietly WHAT COMMAND...: the command's words are shown only when it fails.
quietly() {
  what=$1
  shift
  echo "setup: $what"
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    echo "setup: failed: $*" >&2
    exit 1
  fi
  rm -f "$log"
}

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || :)
  [ "$state" = installed ] || missing="$missing $package"
done

can_root=yes
[ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1 || can_root=no

if [ -n "$missing" ] && [ $can_root = no ]; then
  echo "setup: as root, run: apt-get install$missing" >&2
  exit 1
fi
if [ -n "$missing" ]; then
  quietly "apt-get update" as_root apt-get update -q
  # shellcheck disable=SC2086
  quietly "installing$missing" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $missing
fi

# libvirt's QEMU driver insists on this user when it is opened as root, and
# only the package of the system daemon makes it.  Nothing of ours runs as it;
# who never becomes root does not need it.
if ! getent passwd libvirt-qemu >/dev/null && [ $can_root = yes ]; then
  quietly "making the system user libvirt-qemu" as_root useradd --system \
    --user-group --no-create-home --home-dir /var/lib/libvirt \
    --shell /usr/sbin/nologin libvirt-qemu
fi
