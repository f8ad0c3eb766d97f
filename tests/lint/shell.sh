#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every shell file, known by its name or its first line, passes shellcheck.
# SC2317 (unreachable) is off: it does not see functions called by name, as
# traps and tests/lib.sh do.
# usage: shell.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

shell_files() {
  find src tests .ci -type f \( -name '*.sh' -o -name '*.bash' -o -name '*.t' \) 2>/dev/null
  find src tests .ci -type f -exec grep -lE '^#!.*[/ ](ba)?sh( |$)' {} + 2>/dev/null
}

shell_files | LC_ALL=C sort -u |
  xargs -r shellcheck --shell=bash --external-sources --format=gcc \
    --exclude=SC2317 --source-path=SCRIPTDIR || exit 1
