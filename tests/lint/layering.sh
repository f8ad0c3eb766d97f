#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include whom, and which foreign library belongs to whom.
# usage: layering.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

# includes: every #include of the sources as file:line:<header> or "header".
includes() {
  find src guest-payload -name '*.[ch]' -exec grep -nE '^[[:space:]]*#[[:space:]]*include' {} + |
    sed -E 's/^([^:]*:[0-9]+):[^<"]*([<"][^>"]*[>"]).*/\1:\2/'
}

# A room and the rooms it may include:
#   cmd -> run -> {vm,guest,host,data,stats} -> plan -> setting -> base
#   cmd -> report -> {data,stats} -> base
rooms='
base
setting base
plan setting base
vm plan setting base
guest plan setting base
host plan setting base
data plan setting base
run vm guest host data stats plan setting base
stats base
report data stats base
cmd run vm guest host data plan setting report stats base
main.c cmd run vm guest host data plan setting report stats base
'

# Headers of foreign libraries (prefix) and the files that may include them
# (prefixes).  A library that is not here belongs to nobody.
owners='
glib.h src/
glib/ src/
libvirt/ src/vm/
guestfs.h src/guest/appliance.c
archive.h src/guest/
archive_entry.h src/guest/
libkmod.h src/guest/
csv.h src/data/csv-file.c
sqlite3.h src/data/store guest-payload/
jansson.h src/data/record src/report/ guest-payload/
yaml.h src/plan/yaml.c
gsl/ src/stats/
libxml/ src/setting/ src/vm/domain
openssl/ guest-payload/
liburing.h guest-payload/
libtcc.h guest-payload/
jpeglib.h guest-payload/
lmdb.h guest-payload/
zlib.h guest-payload/
event2/ guest-payload/
'

# Directories of headers that come with libc and the kernel.
system='sys linux asm net netinet arpa'

includes | awk -v rooms="$rooms" -v owners="$owners" -v system_dirs="$system" '
function offence(text) {
    print file ":" line ": " text
    bad = 1
}
# Whether one of the space-separated prefixes begins `path`.
function owned(path, prefixes,   list, n, i) {
    n = split(prefixes, list, " ")
    for (i = 1; i <= n; i++)
        if (index(path, list[i]) == 1)
            return 1
    return 0
}
function check_own(header,   room, target, part) {
    split(file, part, "/")
    room = part[1] == "src" ? part[2] : part[1]
    if (split(header, part, "/") < 2) {
        offence("\"" header "\" does not name its directory")
        return
    }
    target = part[1]
    if (target == "guest-payload") {
        if (room != target && header !~ /\/(catalogue|wire)\.h$/)
            offence(room " may not include \"" header "\" (only catalogue.h and wire.h)")
    } else if (room != target && index(may[room], " " target " ") == 0) {
        offence(room " may not include \"" header "\"")
    }
}
function check_foreign(header,   name, dir) {
    for (name in owner) {
        if (index(header, name) != 1)
            continue
        if (!owned(file, owner[name]))
            offence("<" header "> belongs to " owner[name])
        return
    }
    dir = header
    if (sub("/.*", "", dir) && index(" " system_dirs " ", " " dir " ") == 0)
        offence("<" header "> belongs to nobody: give it an owner in layering.sh")
}
BEGIN {
    n = split(rooms, row, "\n")
    for (i = 1; i <= n; i++) {
        room = row[i]
        sub(" .*", "", room)
        sub("^[^ ]*", "", row[i])
        may[room] = row[i] " "
    }
    n = split(owners, row, "\n")
    for (i = 1; i <= n; i++) {
        if (row[i] == "")
            continue
        name = row[i]
        sub(" .*", "", name)
        sub("^[^ ]* ", "", row[i])
        owner[name] = row[i]
    }
}
{
    split($0, part, ":")
    file = part[1]
    line = part[2]
    header = substr(part[3], 2, length(part[3]) - 2)
    if (substr(part[3], 1, 1) == "<")
        check_foreign(header)
    else
        check_own(header)
}
END { exit bad }'
