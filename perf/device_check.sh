#!/usr/bin/env bash
# Builds, tests and measures the CUDA backend on a machine with a GPU, in eight minutes at most.
#
#   perf/device_check.sh [--out DIR] [--build DIR] [--commit NAME] [-- CMAKE-OPTIONS]
#
# Needs no network: what has to be there is looked for first. Packages in a place of their own are found
# through CMAKE_PREFIX_PATH. Exit codes: 0 all well, 1 a step failed, 2 usage, 3 something is missing, 4 no
# CUDA device. README.md tells what the numbers mean.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out='' build=$root/build/device
commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)
while [ $# -gt 0 ]; do
  case "$1" in
    --out | --build | --commit)
      [ $# -gt 1 ] || { echo "device_check.sh: $1 needs a value" >&2 && exit 2; }
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --) shift && break ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
cmake_options=("$@")
PATH=$PATH:/usr/local/cuda/bin

# --- the device -------------------------------------------------------------------------------------
query() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
gpu='' compute=''
if command -v nvidia-smi >/dev/null; then
  gpu=$(query name || true)
  compute=$(query compute_cap || true)
fi
if [[ ! "$compute" =~ ^[0-9]+\.[0-9]+$ ]]; then
  echo "device_check.sh: no CUDA device: nvidia-smi is not there or names none" >&2
  exit 4
fi
driver=$(query driver_version || echo unknown)

# --- what the build needs ---------------------------------------------------------------------------
missing=()
for tool in cmake ninja g++ nvcc; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -eq 0 ]; then
  probe=$(mktemp -d)
  trap 'rm -rf "$probe"' EXIT
  cat >"$probe/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(probe LANGUAGES CXX)
if(CMAKE_VERSION VERSION_LESS 3.25)
  message(STATUS "missing: cmake-3.25")
endif()
foreach(package TBB fmt ZLIB nlohmann_json cxxopts GTest)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "missing: ${package}")
  endif()
endforeach()
if(GTest_FOUND AND NOT TARGET GTest::gmock_main)
  message(STATUS "missing: gmock")
endif()
CMAKE
  if ! cmake -S "$probe" -B "$probe/build" -G Ninja "${cmake_options[@]}" >"$probe/log" 2>&1; then
    tail -n 5 "$probe/log" >&2
    missing+=("a g++ that works with cmake and ninja")
  fi
  while read -r package; do missing+=("$package"); done < <(sed -n 's/^-- missing: //p' "$probe/log")
else
  missing+=("(libraries were not looked for)")
fi
if [ ${#missing[@]} -gt 0 ]; then
  echo "device_check.sh: missing here: ${missing[*]}; install them (docker/setup.sh) or name their place in CMAKE_PREFIX_PATH" >&2
  exit 3
fi

host=$(hostname)
[ -n "$out" ] || out=$root/perf/results/$(printf '%s-%s-%s' "$host" "$gpu" "$commit" | tr -cs 'A-Za-z0-9._\n-' '_')
mkdir -p "$out"
echo "device_check.sh: $gpu, compute $compute, driver $driver; commit $commit; results in $out"

# --- steps ------------------------------------------------------------------------------------------
whole_limit=480
names=() states=() times=() limits=() notes=()
failed=no

note() {  # name state seconds limit note
  names+=("$1") states+=("$2") times+=("$3") limits+=("$4") notes+=("$5")
  printf '== %-10s %-8s %4s s  %s\n' "$1" "$2" "$3" "$5"
  [ "$2" = ok ] || [ "$2" = skipped ] || failed=yes
}

# step NAME LIMIT FUNCTION ARGUMENTS...: its output goes to OUT/NAME.log. False where it failed. The function
# starts its one long command through `limited`.
limited() { timeout --kill-after=5 "$limit" "$@"; }
step() {
  local name=$1 limit=$2 start=$SECONDS code=0
  shift 2
  if [ $((whole_limit - SECONDS)) -lt "$limit" ]; then limit=$((whole_limit - SECONDS)); fi
  if [ "$limit" -lt 5 ]; then
    note "$name" not-run 0 "$limit" "no time is left of $whole_limit s"
    return 1
  fi
  echo "-- $name: at most $limit s"
  "$@" >"$out/$name.log" 2>&1 || code=$?
  local wall=$((SECONDS - start))
  case $code in
    0) note "$name" ok "$wall" "$limit" "" && return 0 ;;
    124 | 137) note "$name" timeout "$wall" "$limit" "see $name.log" ;;
    *) note "$name" FAILED "$wall" "$limit" "exit $code, see $name.log" ;;
  esac
  tail -n 12 "$out/$name.log" >&2
  return 1
}

configure() {
  limited cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPINEWEAVE_CUDA=ON \
    -DSPINEWEAVE_BUILD_TESTS=ON -DSPINEWEAVE_BUILD_PERF=ON -DCMAKE_CUDA_ARCHITECTURES="${compute/./}" \
    "${cmake_options[@]}"
}

compile() { limited cmake --build "$build" --target spineweave gpu_tests device_bench; }

# A program whose tests all skip succeeds; here that is a failure.
test_program=$build/tests/cuda_on_cpu/gpu_tests
ran_on_device() {
  if grep -q 'cannot run here' "$out/$1.log" || ! grep -q '\[  PASSED  \] [1-9]' "$out/$1.log"; then
    echo "the tests did not run on the device"
    return 1
  fi
}
run_tests() { limited "$test_program" && ran_on_device tests; }

# Two tests in which every kernel runs.
filter=Differential.RoundsOfManyCollidingMovesAreEqual:Differential.ScoresOfAThousandRoutingsAreEqual
sanitize() {
  limited compute-sanitizer --tool "$1" --error-exitcode 9 "$test_program" --gtest_filter="$filter" && ran_on_device "$1"
}

bench() { limited "$build/perf/device_bench" --commit "$commit" --json "$out/device_bench.json"; }

if step configure 30 configure && step build 200 compile; then
  step tests 70 run_tests || true
  for tool in memcheck racecheck; do
    if command -v compute-sanitizer >/dev/null; then
      step "$tool" 40 sanitize "$tool" || true
    else
      note "$tool" skipped 0 40 "there is no compute-sanitizer"
    fi
  done
  step bench 90 bench || true
  if [ "${states[-1]}" = ok ]; then cat "$out/bench.log"; fi
fi

# --- what came of it --------------------------------------------------------------------------------
text() { printf '"%s"' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')"; }
{
  printf '{\n  "schema": "spineweave.device-check/1",\n'
  printf '  "commit": %s,\n  "host": %s,\n  "gpu": %s,\n' "$(text "$commit")" "$(text "$host")" "$(text "$gpu")"
  printf '  "compute": %s,\n  "driver": %s,\n' "$(text "$compute")" "$(text "$driver")"
  printf '  "nvcc": %s,\n' "$(text "$(nvcc --version | tail -n 1)")"
  printf '  "gxx": %s,\n  "cores": %s,\n' "$(text "$(g++ --version | head -n 1)")" "$(nproc)"
  printf '  "wall_s": %s,\n  "steps": [\n' "$SECONDS"
  for i in "${!names[@]}"; do
    printf '    {"name": %s, "state": %s, "wall_s": %s, "limit_s": %s, "note": %s}%s\n' "$(text "${names[$i]}")" \
      "$(text "${states[$i]}")" "${times[$i]}" "${limits[$i]}" "$(text "${notes[$i]}")" \
      "$([ "$i" -lt $((${#names[@]} - 1)) ] && echo ,)"
  done
  printf '  ]\n}\n'
} >"$out/device_check.json"

printf '\n%-10s %-8s %7s %8s  %s\n' step state wall_s limit_s note
for i in "${!names[@]}"; do
  printf '%-10s %-8s %7s %8s  %s\n' "${names[$i]}" "${states[$i]}" "${times[$i]}" "${limits[$i]}" "${notes[$i]}"
done
printf '%-10s %-8s %7s %8s  %s\n' all "$([ "$failed" = yes ] && echo FAILED || echo ok)" "$SECONDS" "$whole_limit" "$out"
[ "$failed" = no ]
