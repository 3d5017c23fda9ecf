#!/usr/bin/env bash
# Measures the core's table of cases with a built program and prints one line a case: worst job, bound,
# certificate, network efficiency, solve time, digest.
#
#   perf/core_table.sh build/release/bin/spineweave [WORKLOADS [DUMP]]
#
# WORKLOADS: the folder of the paper's job files (topology.properties and concurrent_jobs_*/ring_size_*).
# DUMP: an ibnetdiscover dump of a fabric with named hosts. What is not given is left out, and said so.
set -euo pipefail
program=$1
workloads=${2:-}
dump=${3:-}
report=$(mktemp)
trap 'rm -f "$report"' EXIT

field() { sed -nE "s/^ *\"$1\": \"?([^\",]*)\"?,?\$/\1/p" "$report" | head -n 1; }

row() {
  local name=$1
  shift
  "$program" optimize "$@" --quiet --report "$report" >/dev/null
  printf '%-44s worst %-8s bound %-8s max %-8s vector %-8s efficiency %-8s solve_us %-8s %s\n' "$name" \
    "$(field worst_job | cut -c1-6)" "$(field lower_bound | cut -c1-6)" "$(field max)" "$(field vector)" \
    "$(field network | cut -c1-6)" "$(field solve_us | cut -d. -f1)" "$(field digest)"
}

spines_down() { seq -s, -f 'spine:%g' $((32 - $1)) 31; }

row "paper spec, 64 x 32" --fabric leaf-spine:leaves=64,spines=32,hosts=32,gbps=100 --jobs paper:jobs=5,ring=4,seed=1
row "fat-tree k=32 permutation" --fabric fat-tree:k=32,gbps=400 --jobs permutation:seed=1

if [ -n "$workloads" ]; then
  for folder in "$workloads"/concurrent_jobs_*/ring_size_*; do
    name=$(basename "$(dirname "$folder")" | sed 's/concurrent_jobs_/cj/')_$(basename "$folder" | sed 's/ring_size_/r/')
    common=(--fabric "$workloads/topology.properties" --jobs "$folder")
    row "$name" "${common[@]}"
    for dead in 1 4 8; do row "$name, $dead spines down" "${common[@]}" --down "$(spines_down "$dead")"; done
    row "$name, 1 spine down, qps 4" "${common[@]}" --down spine:31 --qps 4
    for seed in 1 2 3 4 5 6 7 8 9 10; do
      row "$name, random:10%, hashed weights, seed $seed" "${common[@]}" --down "random:10%,seed=$seed" \
        --weights hash:1-100 --seed "$seed"
    done
  done
else
  echo "skipped: the paper's workloads (no folder given)"
fi

if [ -n "$dump" ]; then
  for seed in 0 1 2; do
    row "$(basename "$dump"), rings of 8 hosts, seed $seed" --fabric "$dump" --jobs "rings:size=8,placement=random,seed=$seed"
  done
  row "$(basename "$dump"), one shuffled ring a rail" --fabric "$dump" --jobs rings:jobs=1,order=shuffled,seed=9
else
  echo "skipped: a real fabric (no dump given)"
fi
