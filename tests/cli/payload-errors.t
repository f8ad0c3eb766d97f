#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The payload where it cannot work: full disk, no directory, no permission,
# a file system in memory, a signal.  A clear error, exit status, no results
# that look whole, nothing left behind.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
payload=$here/build/vsweep-payload
if [ ! -x "$payload" ]; then
    echo "1..0 # SKIP build/vsweep-payload is not built"
    exit 0
fi
work=$(mktemp -d "$here/build/payload-errors.XXXXXX")
mounted=
cleanup() {
    [ -n "$mounted" ] && umount "$work/small"
    rm -rf "$work"
}
trap cleanup EXIT
count=0
failures=0
check() { # status name
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        failures=$((failures + 1))
        sed 's/^/# /' "$work/out" "$work/err" 2>/dev/null | tail -20
    fi
}
skip() { # number reason
    for ((i = 0; i < $1; i++)); do
        count=$((count + 1))
        echo "ok $count # SKIP $2"
    done
}
run() { # arguments: status in $status, output in out and err
    rm -f "$work/lines"
    "$payload" run "$@" --out "$work/lines" >"$work/out" 2>"$work/err"
    status=$?
}
# Status 1, the words, no table, no lines.
fails() { # name pattern
    [ $status -eq 1 ]
    check $? "$1: exit status 1"
    grep -q "$2" "$work/err"
    check $? "$1: says why"
    [ ! -s "$work/out" ] && [ ! -e "$work/lines" ]
    check $? "$1: no results"
}

fsync=fs.fsync:file=8M,time=100ms
run -w $fsync --dir "$work/none"
fails "no such directory" "cannot make a directory in .*/none: No such file"

if [ "$(id -u)" -eq 0 ]; then
    mkdir "$work/small"
    if mount -t tmpfs -o size=4m,nr_inodes=2000 tmpfs "$work/small" 2>/dev/null; then
        mounted=yes
        run -w $fsync --dir "$work/small"
        fails "full disk" "work file.*: No space left on device"
        [ -z "$(ls -A "$work/small")" ]
        check $? "full disk: nothing is left"

        # Enough for the table, not for all the rows.
        run -w db.txn:rows=100000 --dir "$work/small"
        [ $status -eq 1 ] && grep -q 'db.txn failed: .*full' "$work/err"
        check $? "full in the window: says so"
        grep -q '"type":"sample"' "$work/lines"
        check $((!$?)) "full in the window: no figure"
        grep -q '"type":"error","workload":"db.txn"' "$work/lines"
        check $? "full in the window: an error line"
        [ -z "$(ls -A "$work/small")" ]
        check $? "full in the window: nothing is left"

        for spec in fs.append:size=64k fs.firstwrite fs.meta:files=1000000; do
            name=${spec%%:*}
            run -w $spec --dir "$work/small"
            [ $status -eq 1 ] &&
                grep -q "$name failed: .*No space left" "$work/err" &&
                grep -q "\"type\":\"error\",\"workload\":\"$name\"" \
                    "$work/lines"
            check $? "full in $name: says so"
            grep -q '"type":"sample"' "$work/lines"
            check $((!$?)) "full in $name: no figure"
            [ -z "$(ls -A "$work/small")" ]
            check $? "full in $name: nothing is left"
        done

        run -w fs.seqread:file=1M --dir "$work/small"
        [ $status -eq 1 ] && grep -q 'stays in the page cache' "$work/err"
        check $? "cold read in memory: refused"

        mount -o remount,ro "$work/small"
        run -w $fsync --dir "$work/small"
        fails "read-only" "cannot make a directory in .*: Read-only file"
    else
        skip 21 "cannot mount a tmpfs here"
    fi
else
    skip 21 "mounting needs root"
    mkdir -m 555 "$work/closed"
    run -w $fsync --dir "$work/closed"
    fails "read-only" "cannot make a directory in .*: Permission denied"
fi

# ------------------------------------------------------------ signals
mkdir "$work/dir"
for signal in TERM INT; do
    rm -f "$work/lines"
    # A job of its own, so that INT is not ignored in the background.
    set -m
    "$payload" run -w cpu.int:time=100ms -w fs.fsync:file=1M,time=10m \
        --dir "$work/dir" --out "$work/lines" >"$work/out" 2>"$work/err" &
    pid=$!
    set +m
    for ((i = 0; i < 200; i++)); do
        [ -n "$(ls -A "$work/dir")" ] && break
        sleep 0.05
    done
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status -eq 130 ]
    check $? "SIG$signal: exit status 130"
    grep -q "stopped by SIG$signal" "$work/err"
    check $? "SIG$signal: says so"
    [ ! -s "$work/out" ] && [ ! -e "$work/lines" ] &&
        [ ! -e "$work/lines.part" ]
    check $? "SIG$signal: no results"
    [ -z "$(ls -A "$work/dir")" ]
    check $? "SIG$signal: nothing is left"
done

# Results that cannot be written are a failure of the whole.
"$payload" run -w cpu.int:time=100ms --out "$work/none/lines" \
    >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'cannot make .*none/lines' "$work/err"
check $? "results that cannot be written"

echo "1..$count"
exit $((failures != 0))
