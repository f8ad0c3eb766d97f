#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No C file over 500 lines, no function over 80.  A function is what stands
# between '{' and '}' in the first column, as .clang-format writes it.
# usage: sizes.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

find src guest-payload tests -name '*.[ch]' | LC_ALL=C sort | xargs -r awk '
FNR == 1 { begin = 0 }
FNR == 501 {
    print FILENAME ":501: file is longer than 500 lines"
    bad = 1
}
/^\{/ { begin = FNR }
/^\}/ && begin {
    length_of = FNR - begin + 1
    if (length_of > 80) {
        print FILENAME ":" begin ": function of " length_of " lines (limit 80)"
        bad = 1
    }
    begin = 0
}
END { exit bad }' || exit 1
