#!/usr/bin/env bash
# Makes a Debian 12 from the archive in a folder, clones this project into it, and runs the two
# commands of the README there: so no package is missing from the lists in scripts/lib.sh.
#
# Usage: scripts/fresh_machine.sh [--quick | --gate] [FOLDER]
#
#   --quick   only scripts/quickstart.sh --once, not scripts/test.sh
#   --gate    .ci/run, which begins with scripts/test.sh
#   FOLDER    is made, and taken away afterwards; build/fresh-machine, unless it is named
#
# Needs root and debootstrap. Takes the archive and the npm settings that this machine uses.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

second=scripts/test.sh
case ${1:-} in
--quick) second= && shift ;;
--gate) second=.ci/run && shift ;;
esac
folder=${1:-$top/build/fresh-machine}
[ "$(id -u)" = 0 ] || fail "it makes a root file system, so it needs root"
[ ! -e "$folder" ] || fail "$folder is there already: name another folder, or remove it"
require_packages debootstrap git
archive=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
  awk '$2 == "bookworm" { print $1; exit }')
[ -n "$archive" ] || fail "apt here has no archive of Debian 12 (bookworm)"

# Takes the mounts and the folder away, whatever happened.
clean_up() {
  local at
  for at in proc dev/pts dev/shm dev; do
    if mountpoint -q "$folder/$at"; then umount -l "$folder/$at"; fi
  done
  rm -rf --one-file-system -- "$folder"
}
trap clean_up EXIT

# inside COMMAND...: runs it there, with nothing of this machine's environment but its proxies.
inside() {
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    chroot "$folder" "$@" </dev/null
}

mkdir -p -- "$folder"
phase "Making a Debian 12" debootstrap --variant=minbase --include=ca-certificates,git,procps \
  bookworm "$folder" "$archive" >"$folder.log" 2>&1 || fail "see $folder.log"
mount -t proc proc "$folder/proc"
mount --rbind /dev "$folder/dev"
mount --make-rslave "$folder/dev"
cp -a /etc/apt/. "$folder/etc/apt/"
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
cp -a /usr/local/share/ca-certificates/. "$folder/usr/local/share/ca-certificates/" 2>/dev/null || true
inside update-ca-certificates >/dev/null 2>&1 || true
for settings in /etc/npmrc "$HOME/.npmrc"; do
  if [ -e "$settings" ]; then cp -L "$settings" "$folder/root/.npmrc"; fi
done
git clone -q --no-hardlinks "$top" "$folder/root/troupe"

# measured COMMAND: runs it there; says its CPU time, too.
measured() {
  phase "$1" inside bash -c "cd /root/troupe && time $1"
}

measured "scripts/quickstart.sh --once"
if [ -n "$second" ]; then measured "$second"; fi
