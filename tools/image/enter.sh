#!/bin/sh
# Enters a root file system as a container does. The caller has unshared the namespaces of mounts and processes, so that
# every mount ends with the last process in it.
#
#   enter.sh ROOT USER DIRECTORY COMMAND...
#
# In the environment: ENTER_LAYERS mounts these layers at ROOT, and nothing in it can be written. ENTER_BINDS has lines of
# a path of the machine, a space, and its place in ROOT. ENTER_OPTIONS are further options of setpriv.
set -eu
root=$1 user=$2 directory=$3
shift 3

[ -z "${ENTER_LAYERS:-}" ] || mount -t overlay -o "ro,lowerdir=$ENTER_LAYERS" overlay "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$root/run"

echo "${ENTER_BINDS:-}" | while read -r source target; do
  [ -n "$source" ] || continue
  case $target in
    /run/*) if [ -d "$source" ]; then mkdir -p "$root$target"; else mkdir -p "$(dirname "$root$target")"; touch "$root$target"; fi ;;
  esac
  mount --bind "$source" "$root$target"
done

options=${ENTER_OPTIONS:-}
unset ENTER_LAYERS ENTER_BINDS ENTER_OPTIONS
# shellcheck disable=SC2086
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups $options \
  sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
