#!/bin/sh
# Installs whatever of scripts/debian-packages.txt is missing. Needs root (or
# sudo) only when something is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
missing=
for package in $(sed 's/#.*//' "$here/debian-packages.txt"); do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
# shellcheck disable=SC2086  # a list of words is meant
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq \
  --no-install-recommends $missing
