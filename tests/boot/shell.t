#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vsweep shell: a cell's guest with a shell, through a pipe instead of a
# terminal; and what is refused.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
cat >sweep.yaml <<'EOF'
name: shell
guest: {memory: 256M, disk: 128M}
matrix: {disk.cache: [none, directsync]}
hygiene: quick
workloads: [fs.fsync: {time: 300ms, file: 16M}]
EOF

mkfifo keys
"$VSWEEP" shell sweep.yaml directsync <keys >screen 2>err &
shell=$!
at_exit "kill -9 $shell"
exec 3>keys
ok "a prompt" wait_for 180 grep -q 'guest:.*#' screen
echo 'ls /mnt/vsweep; cat /sys/block/vda/queue/write_cache; exit' >&3
exec 3>&-
wait "$shell"
is "exit in the guest ends it" $? 0
show err
has "the disk under test is mounted, the payload on it" screen 'payload\.sha256'
has "the cell's setting took effect" screen '^write through'
ok "nothing is left" test -z "$(pgrep -f "guest=vsweep-$shell-")"

run "$VSWEEP" shell sweep.yaml nonsense
is "no such cell: 2" "$status" 2
has "and where to find one" err 'vsweep plan'
run "$VSWEEP" shell sweep.yaml host
is "the host has no domain: 2" "$status" 2
done_testing
