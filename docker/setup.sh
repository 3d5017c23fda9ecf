#!/usr/bin/env bash
# Installs what the build and the tests need. For Debian 12, Ubuntu 24.04 and newer; does nothing where
# everything is there already.
set -euo pipefail

packages=(
  ca-certificates cmake dpkg-dev file g++ git ninja-build
  coinor-libcbc-dev libcxxopts-dev libfmt-dev libtbb-dev nlohmann-json3-dev pkg-config zlib1g-dev
  libboost-dev libspdlog-dev libsqlite3-dev libssl-dev prometheus-cpp-dev
  libgmock-dev libgtest-dev
)

# Where the distribution has them: Google Benchmark for perf/micro; Thrust for the tests that run GPU
# kernels on the CPU, where there is no CUDA toolkit to bring its own; npm for the service's dashboard, unless
# there is one from elsewhere.
optional=(libbenchmark-dev libthrust-dev)
command -v npm >/dev/null || optional+=(npm)

if ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: this is no Debian or Ubuntu; install the equivalents of: ${packages[*]}" >&2
  exit 1
fi

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

missing=()
for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
wanted=()
for package in "${optional[@]}"; do is_installed "$package" || wanted+=("$package"); done
[ ${#missing[@]} -gt 0 ] || [ ${#wanted[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
"${as_root[@]}" apt-get update
for package in "${wanted[@]}"; do
  if apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package"); fi
done
[ ${#missing[@]} -gt 0 ] || exit 0
# env: sudo does not pass the variable on.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
