#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The payload on its own: each workload in the local role, its table, its
# lines, and what it says of wrong arguments.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
payload=$here/build/vsweep-payload
if [ ! -x "$payload" ]; then
    echo "1..0 # SKIP build/vsweep-payload is not built"
    exit 0
fi
# Not in /tmp, which may be in memory: a cold read needs a disk.
work=$(mktemp -d "$here/build/payload-run.XXXXXX")
trap 'rm -rf "$work"' EXIT
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
run() { # arguments: status in $status, output in out and err
    "$payload" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

mkdir "$work/dir"
while read -r spec metrics; do
    run run -w "$spec" --dir "$work/dir" --out "$work/lines"
    check $status "$spec: succeeds"
    for metric in $metrics; do
        grep -qE "^$metric +([0-9.]+|n/a) " "$work/out"
        check $? "$spec: the table has $metric"
    done
    [ ! -s "$work/err" ]
    check $? "$spec: nothing on stderr without a terminal"
    head -1 "$work/lines" | grep -q '^{"type":"ready","v":1,"role":"local"'
    check $? "$spec: lines begin with ready"
    tail -1 "$work/lines" |
        grep -qx "{\"type\":\"done\",\"lines\":$(($(wc -l <"$work/lines") - 1))}"
    check $? "$spec: lines end with done and their number"
    [ -z "$(ls -A "$work/dir")" ]
    check $? "$spec: the directory is empty again"
done <<'LIST'
fs.fsync:file=1M,time=100ms fs.fsync.p50 fs.fsync.p99 fs.fsync.p99.9 fs.fsync.rate
fs.dsync:file=1M,time=100ms,size=512 fs.dsync.p50 fs.dsync.rate
fs.seqwrite:file=4M,bs=64k fs.seqwrite.bw
fs.seqwrite:file=4M,direct=yes fs.seqwrite.bw
fs.seqread:file=4M,direct=yes,bs=64k fs.seqread.cold fs.seqread.warm
fs.seqread:file=4M fs.seqread.cold fs.seqread.warm
fs.randread:file=1M,time=100ms fs.randread.qd1 fs.randread.qd32 fs.randread.qd1.p50 fs.randread.qd1.p99
fs.randwrite:file=1M,time=100ms,bs=512 fs.randwrite.qd1 fs.randwrite.qd32 fs.randwrite.qd1.p50
fs.append:time=100ms,size=512 fs.append.rate
fs.rewrite:file=4M,bs=64k fs.rewrite.bw
fs.meta:files=100 fs.meta.rate fs.meta.create fs.meta.stat fs.meta.unlink
fs.firstwrite:size=16M,bs=64k fs.firstwrite.bw
fs.seek:file=4M,seeks=100 fs.seek.rate
db.txn:rows=10 db.txn.rate db.txn.p50
db.txn:rows=10,journal=wal db.txn.rate db.txn.p50
cpu.int:time=100ms cpu.int.rate
cpu.fp:time=100ms cpu.fp.rate
cpu.hash:time=50ms cpu.hash.one cpu.hash.all
cpu.aead:time=50ms cpu.aead.aes cpu.aead.aes.all cpu.aead.chacha cpu.aead.chacha.all
mem.bw:time=50ms,size=1M mem.bw.triad mem.bw.triad.one
mem.lat:time=50ms,size=1M mem.lat.load
mem.tlb:time=50ms,size=4M mem.tlb.load
mem.fault:time=50ms,size=1M mem.fault.page
cpu.rsa:time=100ms cpu.rsa.sign cpu.rsa.verify cpu.rsa.sign.all cpu.rsa.verify.all
cpu.syscall:time=100ms cpu.syscall.time
cpu.clock:time=100ms cpu.clock.time
cpu.exit:time=100ms cpu.exit.time
cpu.ctx:time=100ms cpu.ctx.time
cpu.timer:time=100ms cpu.timer.p50 cpu.timer.p99
LIST

run run --suite cpu --quick --out -
check $status "a suite without a disk needs no --dir"
grep -q '^{"type":"done"' "$work/out" && grep -q '^cpu.rsa.sign' "$work/err"
check $? "--out -: lines on stdout, table on stderr"

run list
check $status "list"
for metric in fs.fsync.p99.9 fs.seqread.warm cpu.rsa.verify.all; do
    grep -q "^  $metric " "$work/out"
    check $? "list has $metric"
done
run list --params
grep -qE '^  journal +delete +delete +delete wal;' "$work/out"
check $? "list --params has choices"
grep -qE '^  time +5s +800ms +100ms to 10m;' "$work/out"
check $? "list --params has bounds"

run --version
check $status "--version"
for role in "" run list agent; do
    # shellcheck disable=SC2086 # no role is no argument
    run $role --help
    [ $status -eq 0 ] && grep -q '^usage: vsweep-payload' "$work/out"
    check $? "$role --help"
done

wrong() { # pattern arguments
    local pattern=$1
    shift
    run "$@"
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q "$pattern" "$work/err"
    check $? "refused: $*"
}
wrong 'usage: vsweep-payload ROLE'
wrong 'unknown role "bogus"' bogus
wrong 'process 1' init
wrong 'needs --fd' agent
wrong 'bad value "x"' agent --fd x
wrong 'unexpected "x"' list x
wrong 'need --dir' run -w fs.fsync
wrong 'unknown workload "fs.nothing"' run -w fs.nothing --dir "$work/dir"
wrong 'unknown suite "all"' run --suite all --dir "$work/dir"
wrong 'no parameter "bs"' run -w fs.fsync:bs=4k --dir "$work/dir"
wrong '"4x" is not a size' run -w fs.fsync:size=4x --dir "$work/dir"
wrong '1 is outside 512 to 1M' run -w fs.fsync:size=1 --dir "$work/dir"
wrong '"none" is none of: delete wal' run -w db.txn:journal=none --dir "$work"
wrong '"size" is not key=value' run -w fs.fsync:size --dir "$work/dir"

echo "1..$count"
exit $((failures != 0))
