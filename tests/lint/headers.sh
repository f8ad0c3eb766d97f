#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every header compiles alone, so that the order of includes never matters.
# usage: headers.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

packages=(libvirt libvirt-qemu libguestfs sqlite3 yaml-0.1 libxml-2.0 glib-2.0
  jansson gsl libkmod libarchive)
cflags=$(pkg-config --cflags "${packages[@]}") || exit 2
read -ra foreign <<<"$cflags"
warn=(-Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wmissing-prototypes
  -Wstrict-prototypes -Wwrite-strings -Wundef -Werror)
# What the Makefile defines; the values do not matter here.
defines=(-D_GNU_SOURCE '-DVS_VERSION="0"' '-DVS_DATADIR="/"'
  '-DVS_SOURCE_DIR="/"' '-DVS_BUILD_DIR="/"' '-DVS_PAYLOAD_DIR="/"')

# compile HEADER: included twice, so that a missing guard shows.
compile() {
  local header=$1 flags
  case $header in
  guest-payload/*) flags=(-I. -Iguest-payload) ;; # no host library
  *) flags=(-I. -Isrc -Itests/unit "${foreign[@]}") ;;
  esac
  printf '#include "%s"\n#include "%s"\n' "$PWD/$header" "$PWD/$header" |
    "${CC:-gcc}" -std=gnu11 -fsyntax-only "${warn[@]}" "${defines[@]}" \
      "${flags[@]}" -x c - 2>&1 | sed "s|$PWD/||g"
}

# One job a CPU: parsing is all the work there is.
compile_all() {
  local header jobs
  jobs=$(nproc)
  while read -r header; do
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
      wait -n
    done
    compile "$header" &
  done < <(find src guest-payload tests -name '*.h' | LC_ALL=C sort)
  wait
}

# The compiler speaks only when something is wrong.
complaints=$(compile_all)
[ -z "$complaints" ] && exit 0
printf '%s\n' "$complaints"
exit 1
