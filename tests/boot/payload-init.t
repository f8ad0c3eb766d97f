#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The payload as process 1 of a guest, by QEMU alone: no libvirt, no vsweep.
# The virtio port is a pair of FIFOs, and this script is the host.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
payload=$here/build/vsweep-payload
boot_timeout=60 # seconds until any line must have come, under emulation

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

for tool in qemu-system-x86_64 mke2fs cpio sha256sum modprobe; do
    command -v "$tool" >/dev/null || skip_all "no $tool"
done
[ -x "$payload" ] || skip_all "build/vsweep-payload is not built"
kernel=$(ls -v /boot/vmlinuz-*-cloud-amd64 2>/dev/null | tail -1)
[ -r "$kernel" ] || skip_all "no readable cloud kernel in /boot"
version=${kernel#/boot/vmlinuz-}

work=$(mktemp -d /tmp/vsweep-payload-init.XXXXXX)
qemu=
cleanup() {
    [ -n "$qemu" ] && kill -9 "$qemu" 2>/dev/null
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
        sed 's/^/# /' "$work/console" 2>/dev/null | tail -15
    fi
}

# ------------------------------------------------------------ the guest
make_initramfs() {
    local root=$work/root
    mkdir -p "$root/lib" "$root/bin"
    cp "$payload" "$root/init"
    for name in virtio_pci virtio_blk virtio_console virtio_scsi sd_mod \
        bfq; do
        modprobe -S "$version" --show-depends "$name" 2>/dev/null
    done | while read -r verb file _; do
        [ "$verb" = insmod ] && [ ! -f "$root/lib/${file##*/}" ] || continue
        cp "$file" "$root/lib/"
        echo "/lib/${file##*/}"
    done >"$root/modules.list"
    echo "-/lib/no-such-module.ko" >>"$root/modules.list"
    if command -v busybox >/dev/null; then
        cp "$(command -v busybox)" "$root/bin/busybox"
    fi
    (cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initramfs"
}

make_disk() {
    local tree=$work/tree
    mkdir -p "$tree/vsweep"
    cp "$payload" "$tree/vsweep/payload"
    sha256sum "$payload" | cut -d' ' -f1 >"$tree/vsweep/payload.sha256"
    head -c 8M /dev/urandom >"$tree/vsweep/work"
    mke2fs -q -F -t ext4 -d "$tree" "$work/disk" 64M
}

# start BUS EXTRA-CMDLINE [CHARDEV]: boots; descriptors 5 and 6 are the port
# unless another CHARDEV is given.
start() {
    rm -f "$work"/port.* "$work/console"
    mkfifo "$work/port.in" "$work/port.out"
    exec 5<>"$work/port.in" 6<>"$work/port.out"
    local disk=virtio-blk-pci
    [ "$1" = scsi ] && disk=scsi-hd
    qemu-system-x86_64 -machine q35,accel=tcg -m 256 -nodefaults \
        -display none -no-reboot -kernel "$kernel" \
        -initrd "$work/initramfs" \
        -append "console=ttyS0 quiet panic=-1 tsc=reliable $2" \
        -serial "file:$work/console" \
        -drive "file=$work/disk,if=none,id=d,format=raw,cache=writeback" \
        -device virtio-scsi-pci -device "$disk,drive=d" \
        -device virtio-serial-pci -chardev "${3:-pipe,id=c,path=$work/port}" \
        -device virtserialport,chardev=c,name=org.vsweep.0 &
    qemu=$!
}

next() { # the next line into $line
    IFS= read -r -t "$boot_timeout" line <&6
}

say() { printf '%s\n' "$1" >&5; }

# Plays the host until done; the lines go to $work/lines.
converse() {
    : >"$work/lines"
    while next; do
        printf '%s\n' "$line" >>"$work/lines"
        case $line in
        '{"type":"ready"'*) say "$1" ;;
        '{"type":"phase"'* | '{"type":"end"'*)
            seq=${line#*\"seq\":}
            say "{\"type\":\"go\",\"seq\":${seq%%[,\}]*}}"
            ;;
        '{"type":"done"'*)
            say '{"type":"go","seq":0}'
            return 0
            ;;
        esac
    done
    return 1
}

# Waits for QEMU's end, killing it after a while; status 1 if it had to be.
ended() {
    local i
    for ((i = 0; i < 300; i++)); do
        if ! kill -0 "$qemu" 2>/dev/null; then
            wait "$qemu" 2>/dev/null
            qemu=
            return 0
        fi
        sleep 0.1
    done
    stop
    return 1
}

stop() {
    kill -9 "$qemu" 2>/dev/null
    wait "$qemu" 2>/dev/null
    qemu=
}

job() { # guest-object workloads
    echo "{\"type\":\"job\",\"v\":1,\"guest\":{$1},\"workloads\":[$2]}"
}

fsync='{"name":"fs.fsync","params":{"file":"8M","time":"200ms"}}'
all=$fsync',{"name":"fs.dsync","params":{"file":"8M","time":"200ms"}}'
all=$all',{"name":"fs.seqwrite","params":{"file":"8M"}}'
all=$all',{"name":"fs.seqread","params":{"file":"8M"}}'
all=$all',{"name":"db.txn","params":{"rows":"20","journal":"wal"}}'
all=$all',{"name":"cpu.int","params":{"time":"100ms"}}'
all=$all',{"name":"cpu.rsa","params":{"time":"100ms"}}'
digest=$(sha256sum "$payload" | cut -d' ' -f1)

make_initramfs
make_disk

# ------------------------------------------------------------ a whole job
start virtio ""
converse "$(job "\"disk\":\"vda\",\"fs\":\"ext4\",\"mount\":\"noatime,data=writeback\",\"scheduler\":\"bfq\",\"sha256\":\"$digest\"" "$all")"
check $? "virtio: the conversation ends with done"
ended
check $? "virtio: the guest powers off after the last go"
grep -q '"type":"error"' "$work/lines"
check $((!$?)) "virtio: no error"
for metric in fs.fsync.rate fs.dsync.rate fs.seqwrite.bw fs.seqread.cold \
    fs.seqread.warm db.txn.rate cpu.int.rate cpu.rsa.verify.all; do
    grep -q "\"metric\":\"$metric\"" "$work/lines"
    check $? "virtio: $metric arrives"
done
for fact in '"disk.scheduler":"bfq"' '"mount.fs":"ext4"' \
    '"disk.device":"vda"' "\"payload_sha256\":\"$digest\"" \
    '"mount.options":"rw,noatime,data=writeback"' \
    '"disk.write_cache":"write back"'; do
    grep '"type":"note"' "$work/lines" | grep -qF "$fact"
    check $? "virtio: the note has $fact"
done
lines=$(wc -l <"$work/lines")
grep -q "\"type\":\"done\",\"lines\":$((lines - 1))}" "$work/lines"
check $? "virtio: done counts the lines of both processes"
e2fsck -fn "$work/disk" >"$work/fsck" 2>&1
check $? "virtio: the file system was unmounted cleanly"

start scsi ""
converse "$(job "" "$fsync")"
check $? "scsi, no disk named: the conversation ends with done"
ended
check $? "scsi: the guest powers off"
grep -q '"disk.device":"sda"' "$work/lines"
check $? "scsi: the disk was found by what it holds"
grep -q '"metric":"fs.fsync.rate"' "$work/lines"
check $? "scsi: fs.fsync.rate arrives"

# ------------------------------------------------------------ refusals
refused() { # name job pattern
    start virtio ""
    converse "$2"
    check $? "$1: ends with done"
    grep '"type":"error"' "$work/lines" | grep -q "$3"
    check $? "$1: the error says so"
    grep -qE '"type":"(phase|sample)"' "$work/lines"
    check $((!$?)) "$1: nothing is measured"
    ended
    check $? "$1: the guest powers off"
}

refused "another payload" \
    "$(job "\"sha256\":\"${digest//[0-9a-f]/0}\"" "$fsync")" "not the job's"
refused "unknown scheduler" "$(job '"scheduler":"cfq"' "$fsync")" \
    'scheduler cfq for vda (offered: '
refused "unknown workload" "$(job '' '{"name":"fs.nothing"}')" \
    'unknown workload'

# ------------------------------------------------------------ faults
ready() { # name: waits for ready, sends a job
    next && [ "${line#*\"ready\"}" != "$line" ]
    check $? "$1: the guest says ready"
    say "$(job "" "$fsync")"
}

start virtio vsweep.fault=crash
converse "$(job "" "$fsync")" &
talk=$!
ended
check $? "crash: the guest powers off all the same"
kill "$talk" 2>/dev/null
wait "$talk" 2>/dev/null
grep '"type":"error"' "$work/lines" | grep -q 'killed by SIGSEGV'
check $? "crash: process 1 says how the payload died"
grep -q '"type":"done"' "$work/lines"
check $((!$?)) "crash: there is no done"

start virtio vsweep.fault=panic
ready "panic"
ended
check $? "panic: the machine stops"
grep -q 'Kernel panic' "$work/console"
check $? "panic: it was a kernel panic"

start virtio vsweep.fault=off
ready "off"
ended
check $? "off: the machine powers off without a word"

start virtio vsweep.fault=rubbish
ready "rubbish"
next && [ "${line#*not json}" != "$line" ]
check $? "rubbish: a line that is not JSON"
stop

start virtio vsweep.fault=rubbish-long
ready "rubbish-long"
bytes=$(timeout 60 head -c 1048576 <&6 | tr -cd x | wc -c)
[ "$bytes" -eq 1048576 ]
check $? "rubbish-long: a mebibyte without a newline"
stop

start virtio vsweep.fault=hang-window
ready "hang-window"
next
next && say '{"type":"go","seq":1}'
[ "${line#*\"phase\"}" != "$line" ]
check $? "hang-window: the window opens"
boot_timeout=3 next
check $((!$?)) "hang-window: and never ends"
stop

# ------------------------------------------------------------ host gone
# FIFOs have no hang-up, so this one is a socket: perl, which runs prove, is
# a host that goes away as soon as it has heard ready.
perl -MIO::Socket::UNIX -e '
    my $server = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1);
    my $guest = $server->accept;
    my $line = <$guest>;
    exit($line =~ /^\{"type":"ready"/ ? 0 : 1);' "$work/socket" &
host=$!
for ((i = 0; i < 100; i++)); do
    [ -S "$work/socket" ] && break
    sleep 0.1
done
start virtio "" "socket,id=c,path=$work/socket"
wait "$host"
check $? "host gone: the guest said ready"
ended
check $? "host gone: the guest powers off"
grep -q 'the host is gone' "$work/console"
check $? "host gone: and says why on the console"

# ------------------------------------------------------------ shell
if command -v busybox >/dev/null; then
    start virtio vsweep.shell
    for ((i = 0; i < 300; i++)); do
        grep -q 'mounted at /mnt' "$work/console" 2>/dev/null && break
        sleep 0.1
    done
    grep -q 'disk under test, /dev/vda, is mounted at /mnt' "$work/console"
    check $? "shell: says where the disk is"
    stop
fi

echo "1..$count"
exit $((failures != 0))
