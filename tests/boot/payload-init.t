#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The payload as process 1 of a guest, by QEMU alone: no libvirt, no vsweep.
# The virtio port is a pair of FIFOs, and this script is the host.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
payload=$TOP/build/vsweep-payload
boot_timeout=60 # seconds until any line must have come, under emulation
stop_timeout=30 # seconds until QEMU must have ended

for tool in qemu-system-x86_64 mke2fs e2fsck cpio sha256sum modprobe busybox; do
    command -v "$tool" >/dev/null || skip_all "no $tool"
done
[ -x "$payload" ] || skip_all "build/vsweep-payload is not built"
kernel=$(printf '%s\n' /boot/vmlinuz-*-cloud-amd64 | sort -V | tail -n 1)
[ -r "$kernel" ] || skip_all "no readable cloud kernel in /boot"
version=${kernel#/boot/vmlinuz-}

qemu=
at_exit stop
cd "$TMP" || exit 1

# check STATUS DESCRIPTION: with the guest's last words when it fails.
check() {
    result "$1" "$2"
    [ "$1" = 0 ] || show <(tail -n 15 console)
}

# ------------------------------------------------------------ the guest
make_initramfs() {
    mkdir -p root/lib root/bin
    cp "$payload" root/init
    for name in virtio_pci virtio_blk virtio_console virtio_scsi sd_mod \
        bfq; do
        modprobe -S "$version" --show-depends "$name" 2>/dev/null
    done | while read -r verb file _; do
        if [ "$verb" = insmod ] && [ ! -f "root/lib/${file##*/}" ]; then
            cp "$file" root/lib/
            echo "/lib/${file##*/}"
        fi
    done >root/modules.list
    echo "-/lib/no-such-module.ko" >>root/modules.list
    cp "$(command -v busybox)" root/bin/busybox
    (cd root && find . | cpio -o -H newc --quiet) >initramfs
}

make_disk() {
    mkdir -p tree/vsweep
    cp "$payload" tree/vsweep/payload
    sha256sum "$payload" | cut -d' ' -f1 >tree/vsweep/payload.sha256
    head -c 8M /dev/urandom >tree/vsweep/work
    mke2fs -q -F -t ext4 -d tree disk 64M
}

# start BUS EXTRA-CMDLINE [CHARDEV]: boots; descriptors 5 and 6 are the port
# unless another CHARDEV is given.
start() {
    rm -f port.* console
    mkfifo port.in port.out
    exec 5<>port.in 6<>port.out
    local disk=virtio-blk-pci
    [ "$1" = scsi ] && disk=scsi-hd
    qemu-system-x86_64 -machine q35,accel=tcg -m 256 -nodefaults \
        -display none -no-reboot -kernel "$kernel" -initrd initramfs \
        -append "console=ttyS0 quiet panic=-1 tsc=reliable $2" \
        -serial file:console \
        -drive file=disk,if=none,id=d,format=raw,cache=writeback \
        -device virtio-scsi-pci -device "$disk,drive=d" \
        -device virtio-serial-pci -chardev "${3:-pipe,id=c,path=port}" \
        -device virtserialport,chardev=c,name=org.vsweep.0 &
    qemu=$!
}

next() { # the next line into $line
    IFS= read -r -t "$boot_timeout" line <&6
}

say() { printf '%s\n' "$1" >&5; }

# Plays the host until done; the lines go to the file "lines".
converse() {
    : >lines
    while next; do
        printf '%s\n' "$line" >>lines
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

gone() { ! kill -0 "$qemu" 2>/dev/null; }

# Waits for QEMU's end, killing it after a while; status 1 if it had to be.
ended() {
    local status=0
    wait_for "$stop_timeout" gone || status=1
    stop
    return "$status"
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
hasnt "virtio: no error" lines '"type":"error"'
for metric in fs.fsync.rate fs.dsync.rate fs.seqwrite.bw fs.seqread.cold \
    fs.seqread.warm db.txn.rate cpu.int.rate cpu.rsa.verify.all; do
    has "virtio: $metric arrives" lines "\"metric\":\"$metric\""
done
for fact in '"disk.scheduler":"bfq"' '"mount.fs":"ext4"' \
    '"disk.device":"vda"' "\"payload_sha256\":\"$digest\"" \
    '"mount.options":"rw,noatime,data=writeback"' \
    '"disk.write_cache":"write back"'; do
    has "virtio: the note has $fact" lines "\"type\":\"note\".*$fact"
done
has "virtio: done counts the lines of both processes" lines \
    "\"type\":\"done\",\"lines\":$(($(wc -l <lines) - 1))\\}"
ok "virtio: the file system was unmounted cleanly" e2fsck -fn disk

start scsi ""
converse "$(job "" "$fsync")"
check $? "scsi, no disk named: the conversation ends with done"
ended
check $? "scsi: the guest powers off"
has "scsi: the disk was found by what it holds" lines '"disk.device":"sda"'
has "scsi: fs.fsync.rate arrives" lines '"metric":"fs.fsync.rate"'

# ------------------------------------------------------------ refusals
refused() { # name job pattern
    start virtio ""
    converse "$2"
    check $? "$1: ends with done"
    has "$1: the error says so" lines "\"type\":\"error\".*$3"
    hasnt "$1: nothing is measured" lines '"type":"(phase|sample)"'
    ended
    check $? "$1: the guest powers off"
}

refused "another payload" \
    "$(job "\"sha256\":\"${digest//[0-9a-f]/0}\"" "$fsync")" "not the job's"
refused "unknown scheduler" "$(job '"scheduler":"cfq"' "$fsync")" \
    'scheduler cfq for vda \(offered: '
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
has "crash: process 1 says how the payload died" lines \
    '"type":"error".*killed by SIGSEGV'
hasnt "crash: there is no done" lines '"type":"done"'

start virtio vsweep.fault=panic
ready "panic"
ended
check $? "panic: the machine stops"
has "panic: it was a kernel panic" console 'Kernel panic'

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
is "rubbish-long: a mebibyte without a newline" \
    "$(timeout 60 head -c 1048576 <&6 | tr -cd x | wc -c)" 1048576
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
    exit($line =~ /^\{"type":"ready"/ ? 0 : 1);' socket &
host=$!
wait_for 10 test -S socket
start virtio "" socket,id=c,path=socket
wait "$host"
check $? "host gone: the guest said ready"
ended
check $? "host gone: the guest powers off"
has "host gone: and says why on the console" console 'the host is gone'

# ------------------------------------------------------------ shell
start virtio vsweep.shell
wait_for "$boot_timeout" grep -qs 'mounted at /mnt' console
has "shell: says where the disk is" console \
    'disk under test, /dev/vda, is mounted at /mnt'
stop

done_testing
