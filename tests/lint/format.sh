#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every C file is as clang-format writes it (clang-format -i FILE repairs).
# usage: format.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

complaints=$(find src guest-payload tests -name '*.[ch]' -print0 |
  LC_ALL=C sort -z |
  xargs -0 -r clang-format --style=file --dry-run -Werror 2>&1) && exit 0
# Without the source lines and carets between them.
printf '%s\n' "$complaints" | grep -vE '^([[:space:]]|[^:]*$)'
exit 1
