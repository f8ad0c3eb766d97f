#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# qemu:///system on a real libvirtd of the test's own, in a mount namespace, so
# that the machine's libvirt (if any) is not touched.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || skip_all "a mount namespace and a system libvirtd need root"
unshare --mount true 2>/dev/null || skip_all "no mount namespaces here"
cd "$TMP" || exit 1

# Images must lie where the daemon's QEMU user can reach them.
chmod 755 "$TMP"
export VSWEEP_CACHE_DIR=$TMP/cache

cat >sweep.yaml <<'EOF'
name: daemon
guest: {memory: 256M, disk: 128M}
matrix: {disk.cache: [none, writeback]}
hygiene: quick
host: none
workloads: [fs.fsync: {time: 300ms, file: 16M}]
EOF

cat >inside.sh <<'EOF'
set -u
mkdir -p etc/libvirt var run
for dir in lib cache log; do mkdir -p "var/$dir"; done
cat >etc/libvirt/qemu.conf <<'CONF'
stdio_handler = "file"
user = "nobody"
group = "nogroup"
remember_owner = 0
CONF
echo 'unix_sock_group = "root"' >etc/libvirt/libvirtd.conf
mkdir -p /etc/libvirt /run/libvirt /var/lib/libvirt /var/cache/libvirt /var/log/libvirt
mount --bind etc/libvirt /etc/libvirt
mount --bind run /run/libvirt
mount --bind var/lib /var/lib/libvirt
mount --bind var/cache /var/cache/libvirt
mount --bind var/log /var/log/libvirt
libvirtd >libvirtd.log 2>&1 &
daemon=$!
for i in $(seq 100); do [ -S /run/libvirt/libvirt-sock ] && break; sleep 0.2; done
"$VSWEEP" run sweep.yaml --connect qemu:///system --blocks 1 --retries 0 --seed 3 >run.out 2>run.err
echo $? >run.status
"$VSWEEP" clean --connect qemu:///system >clean.out 2>&1
virsh -c qemu:///system list --all --name >left.out 2>&1
LIBVIRT_DEFAULT_URI=qemu:///system "$VSWEEP" plan sweep.yaml >plan.out 2>plan.err
chmod 700 "$VSWEEP_CACHE_DIR"
"$VSWEEP" plan sweep.yaml -c qemu:///system >blocked.out 2>blocked.err
kill "$daemon"
wait "$daemon"
EOF
unshare --mount --propagation private bash inside.sh

is "exit status" "$(cat run.status)" 0
show run.err
db=$(ls -d reports/daemon-*)/results.db
is "three boots, all ok" "$(sql "$db" "SELECT count(*), min(outcome), max(outcome) FROM attempt")" '3|ok|ok'
is "the connection is in the results" "$(sql "$db" "SELECT value FROM fact WHERE key = 'uri'")" qemu:///system
ok "and how it was confined" test -n "$(sql "$db" "SELECT value FROM fact WHERE key = 'confinement'")"
hasnt "which is not as in the embedded driver" <(sql "$db" "SELECT value FROM fact WHERE key = 'confinement'") embedded
has "the report says so too" "$(dirname "$db")/summary.md" 'qemu:///system'
is "no domain is left" "$(tr -d '\n' <left.out)" ""
has "LIBVIRT_DEFAULT_URI is taken as by virsh" plan.out '^accel: '
has "a directory that QEMU's user cannot enter is named" <(cat blocked.out blocked.err) "cannot enter '$TMP/cache'"
is "the host's kernel keeps its owner" "$(stat -c %U /boot/vmlinuz-* | sort -u)" root

run "$VSWEEP" plan sweep.yaml -c qemu:///session
case $status in
0) has "no daemon to connect to: said so, plan goes on" err 'not checked|accel' ;;
*) result 1 "plan without a daemon" ;;
esac
run "$VSWEEP" run sweep.yaml -c test:///default
is "another hypervisor is refused" "$status" 2
has "with what is right" err 'qemu:///system'
done_testing
