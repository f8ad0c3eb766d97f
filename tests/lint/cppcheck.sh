#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cppcheck finds nothing.  What it gets wrong is marked where it stands, as in
# /* cppcheck-suppress getpwnamCalled ; why this is none */
# usage: cppcheck.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

arguments=(
  --quiet --template=gcc -j "$(nproc)"
  '--enable=warning,performance,portability'
  --inline-suppr --error-exitcode=1
  --std=c11 --platform=unix64 '--library=posix,gnu,gtk'
  -D_GNU_SOURCE '-DVS_VERSION="0"' '-DVS_DATADIR="/"' '-DVS_SOURCE_DIR="/"'
  '-DVS_BUILD_DIR="/"' '-DVS_PAYLOAD_DIR="/"'
  '-DG_GNUC_PRINTF(format,first)=' '-DG_DEFINE_QUARK(text,name)='
  # Ours closes the descriptor; GLib's own, which it would try too, is unknown.
  -Ug_autofd
  # Safe as long as no two threads share a DIR; readdir_r() is deprecated.
  --suppress=readdirCalled
)
# The two programs find their headers in different places.
complaints=$(
  cppcheck "${arguments[@]}" -I. -Isrc src 2>&1
  cppcheck "${arguments[@]}" -I. -Iguest-payload guest-payload 2>&1
)
[ -z "$complaints" ] && exit 0
# Without the source lines and carets between them.
printf '%s\n' "$complaints" | grep -vE '^[[:space:]]'
exit 1
