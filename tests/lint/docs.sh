#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Help, manual, README and completion agree with the program.  The checks are
# those of tests/cli/cli-help.t; this prints what it finds wrong and exits 1.
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2
[ -x "${VSWEEP_BUILD:-build}/vsweep" ] || make --no-print-directory all >/dev/null || exit 2
offences=$(tests/cli/cli-help.t | grep -A 6 '^not ok')
[ -z "$offences" ] || { echo "$offences"; exit 1; }
