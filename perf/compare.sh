#!/usr/bin/env bash
# Builds two commits on this machine and compares their times, case by case, in interleaved runs. Fails
# before anything is timed where their results differ.
#
#   perf/compare.sh BASE [HEAD] [--rounds N] [--allow-different-results] [--json FILE] [--cmake OPTION]...
#                   [-- BENCH-OPTIONS]
#
# HEAD is the commit that is checked out, unless named. BENCH-OPTIONS as of `spineweave bench`: --cases,
# --threads, --backend. Where BASE has no verb bench, both are measured through optimize. Exit codes: 0 done,
# 1 results differ, 2 usage. README.md tells how to read the table.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
commits=() options=() cmake_options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --allow-different-results) options+=("$1") && shift ;;
    --rounds | --json)
      [ $# -gt 1 ] || usage
      options+=("$1" "$2") && shift 2
      ;;
    --cmake)
      [ $# -gt 1 ] || usage
      cmake_options+=("$2") && shift 2
      ;;
    --) shift && break ;;
    -*) usage ;;
    *) commits+=("$1") && shift ;;
  esac
done
[ ${#commits[@]} -eq 1 ] || [ ${#commits[@]} -eq 2 ] || usage

folder=$(mktemp -d)
clean_up() {
  for side in base head; do git -C "$root" worktree remove --force "$folder/$side" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap clean_up EXIT

# build SIDE COMMIT
build() {
  local commit
  commit=$(git -C "$root" rev-parse --short --verify "$2^{commit}") || exit 2
  echo "compare.sh: building $1, $commit" >&2
  # So that a compiler cache, where there is one, knows the files that the commits share.
  export CCACHE_BASEDIR=$folder/$1
  git -C "$root" worktree add --quiet --detach "$folder/$1" "$commit"
  if ! { cmake -S "$folder/$1" -B "$folder/$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DSPINEWEAVE_BUILD_TESTS=OFF "${cmake_options[@]}" &&
    cmake --build "$folder/$1/build" --target spineweave_cli; } >"$folder/$1.log" 2>&1; then
    tail -n 20 "$folder/$1.log" >&2
    exit 1
  fi
}
build base "${commits[0]}"
build head "${commits[1]:-HEAD}"

python3 "$root/perf/compare.py" "${options[@]}" "$folder/base/build/bin/spineweave" \
  "$folder/head/build/bin/spineweave" -- "$@"
