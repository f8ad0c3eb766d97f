#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds an initramfs whose init obeys the channel: vm-guest.sh KERNEL-VERSION
# OUT.  It says that it is ready, then does what it is told, one word a line.
set -eu
version=$1 out=$2
work=$(mktemp -d /tmp/vsg.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,dev,proc,sys,modules}
cp "$(command -v busybox)" "$work/bin/busybox"
for applet in sh insmod mount poweroff reboot cat echo sleep seq head yes; do
  ln -s busybox "$work/bin/$applet"
done
number=100
for module in virtio_pci virtio_console pvpanic-mmio; do
  modprobe --show-depends -S "$version" "$module" |
    sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' | while read -r file; do
  number=$((number + 1))
  case $file in
    *.xz) xz -dc "$file" >"$work/modules/$number.ko" ;;
    *.zst) zstd -dc "$file" >"$work/modules/$number.ko" ;;
    *) cp "$file" "$work/modules/$number.ko" ;;
  esac
done
cat >"$work/init" <<'INIT'
#!/bin/sh
export PATH=/bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
for module in /modules/*.ko; do insmod "$module"; done
for entry in /sys/class/virtio-ports/*; do
  read -r name <"$entry/name"
  [ "$name" = org.vsweep.0 ] && port=/dev/${entry##*/}
done
exec <>"$port" >&0
echo '{"type": "ready", "v": 1}'
while read -r word argument; do
  case $word in
    echo) echo "$argument" ;;
    flood) seq 1 "$argument" ;;
    endless) yes "$argument" ;;
    binary) head -c 1000 /dev/urandom; echo ;;
    off) echo bye; poweroff -f ;;
    reboot) reboot -f ;;
    panic) echo c >/proc/sysrq-trigger ;;
  esac
done
poweroff -f
INIT
chmod 755 "$work/init"
(cd "$work" && find . | cpio --quiet -o -H newc >"$out")
