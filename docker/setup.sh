#!/usr/bin/env bash
# Installs what the build and the tests need. For Debian 12, Ubuntu 24.04 and newer; does nothing where
# everything is there already.
set -euo pipefail

packages=(
  ca-certificates cmake g++ git ninja-build
  libcxxopts-dev libfmt-dev libtbb-dev nlohmann-json3-dev zlib1g-dev
  libgmock-dev libgtest-dev
)

if ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: this is no Debian or Ubuntu; install the equivalents of: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
"${as_root[@]}" apt-get update
# env: sudo does not pass the variable on.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
