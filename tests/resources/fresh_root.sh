#!/usr/bin/env bash
# Installs the Debian package into a fresh Debian 12 with nothing but its dependencies, and runs the tutorial there. Needs root,
# debootstrap or mmdebstrap, and a mirror; takes some minutes, so it is no test of every day.
# Usage: fresh_root.sh PACKAGE.deb [MIRROR]
set -euo pipefail
package=$(realpath "$1")
mirror=${2:-http://deb.debian.org/debian}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
root=$place/root
if command -v mmdebstrap > /dev/null; then
    mmdebstrap --variant=apt bookworm "$root" "$mirror"
else
    debootstrap --variant=minbase bookworm "$root" "$mirror"
fi
cp "$package" "$root/package.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Proxies and certificates of this machine, where it has any.
if [ -d /etc/apt/apt.conf.d ]; then
    cp -n /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2> /dev/null || true
fi
chroot "$root" apt-get update -qq
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends /package.deb
chroot "$root" /bin/sh -c '
    cd /tmp && ipu-workbench --version &&
    ipu-workbench run /usr/share/ipu-workbench/projects/tutorial/4-pipelined-sequential.ipuproj --database runs.sqlite &&
    ipu-workbench render last --view timeline --database runs.sqlite -o timeline.png &&
    apt-get remove -qq -y ipu-workbench && [ ! -e /usr/bin/ipu-workbench ]'
echo "installed, run and removed in a fresh Debian 12" >&2
