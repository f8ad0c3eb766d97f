#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# As a plain user: the embedded driver and a session daemon, no root anywhere.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
cat >sweep.yaml <<'EOF'
name: user
guest: {memory: 256M, disk: 128M}
matrix: {disk.cache: [none, writeback]}
hygiene: quick
workloads: [fs.fsync: {time: 300ms, file: 16M}]
EOF
mkdir home xdg cache
as_user() { env "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown -R nobody: "$TMP"
  ok "the program can be run by others" runuser -u nobody -- "$VSWEEP" --version
  # runuser takes the user's own HOME, which nobody does not have.
  as_user() { runuser -u nobody -- env HOME="$HOME" "$@"; }
fi
export HOME=$TMP/home XDG_RUNTIME_DIR=$TMP/xdg VSWEEP_CACHE_DIR=$TMP/cache
export VSWEEP_RUNTIME_DIR=$TMP/r
chmod 700 xdg

run as_user "$VSWEEP" run sweep.yaml --blocks 1 --retries 0 --seed 3
is "embedded driver: exit status" "$status" 0
show err
db=$(ls -d reports/user-*)/results.db
is "four attempts, all ok" "$(sql "$db" "SELECT count(*), min(outcome), max(outcome) FROM attempt")" '4|ok|ok'
has "not confined, and said" <(sql "$db" "SELECT value FROM fact WHERE key = 'confinement'") 'none'

run as_user "$VSWEEP" run sweep.yaml --blocks 1 --retries 0 --seed 4 -c qemu:///session
is "session daemon: exit status" "$status" 0
show err
db=$(find reports -name results.db -newer "$db")
is "four attempts, all ok" "$(sql "$db" "SELECT count(*), min(outcome), max(outcome) FROM attempt")" '4|ok|ok'
is "the connection is in the results" "$(sql "$db" "SELECT value FROM fact WHERE key = 'uri'")" qemu:///session
at_exit "pkill -f 'libvirtd.*--timeout' -u nobody"
run as_user "$VSWEEP" clean -c qemu:///session
is "clean" "$status" 0
ok "no QEMU is left" test -z "$(pgrep -f "guest=vsweep-.*$TMP")"
done_testing
