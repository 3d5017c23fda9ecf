#!/usr/bin/env bash
# Records the standard table of a commit: every repetition as JSON, the table as text, the plot.
#
#   perf/run.sh [--program FILE] [--out DIR] [-- BENCH-OPTIONS]
#
# Without --program it builds build/release first. Without BENCH-OPTIONS (as of `spineweave bench`) it runs
# the whole standard table; the plot needs its scaling cases. README.md tells what the numbers mean.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program='' out=''
while [ $# -gt 0 ]; do
  case "$1" in
    --program | --out)
      [ $# -gt 1 ] || { echo "run.sh: $1 needs a value" >&2 && exit 2; }
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --) shift && break ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done

commit=$(git -C "$root" describe --always --dirty)
if [ -z "$program" ]; then
  cmake -S "$root" -B "$root/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$root/build/release" --target spineweave_cli
  program=$root/build/release/bin/spineweave
fi
if [ -z "$out" ]; then
  cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  out=$root/perf/results/$(printf '%s-%s' "${cpu:-cpu}" "$commit" | tr -cs 'A-Za-z0-9._\n-' '_')
fi
mkdir -p "$out"

plot=()
[ $# -gt 0 ] || plot=(--plot "$out/scaling.svg")
COLUMNS=120 "$program" bench --commit "$commit" --color never --report "$out/bench.json" "${plot[@]}" "$@" |
  tee "$out/bench.txt"
echo "recorded in $out"
