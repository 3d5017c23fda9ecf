#!/usr/bin/env bash
# Registers, shared memory and spills of every kernel, as ptxas reports them, in the table of README.md.
#
#   kernels/resource_table.sh           compiles every .cu and rewrites the table
#   kernels/resource_table.sh --check   fails where the table is out of date
#
# Both fail where a kernel spills. NVCC: the compiler, where it is not on the PATH; JOBS: files compiled at
# once (default: one a core; a file with Thrust takes minutes).
set -euo pipefail
cd "$(dirname "$0")"

architectures=(75 90 120)
begin='<!-- resource_table.sh: begin -->'
end='<!-- resource_table.sh: end -->'
write=yes
case "${1:-}" in
  '') ;;
  --check) write=no ;;
  *) echo "usage: kernels/resource_table.sh [--check]" >&2 && exit 2 ;;
esac

nvcc=${NVCC:-$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc || true)}
[ -n "$nvcc" ] || { echo "resource_table.sh: there is no nvcc; set NVCC" >&2 && exit 1; }
version=$("$nvcc" --version | sed -nE 's/.*release [0-9.]+, V([0-9.]+)$/\1/p')

# The build's own flags, read where it sets them, without those that make a spill an error: it shall show.
read -ra flags <<<"$(sed -n '/PRIVATE -lineinfo/,/)/p' CMakeLists.txt | tr -d ')\n' | sed -E 's/PRIVATE|-Xptxas=-warn[^ ]*//g')"
[ ${#flags[@]} -gt 0 ] || { echo "resource_table.sh: CMakeLists.txt has no flags where they are expected" >&2 && exit 1; }
flags+=(-std=c++20 -I../include -I../src -Xptxas=-v -fatbin)
for architecture in "${architectures[@]}"; do
  flags+=(-gencode "arch=compute_$architecture,code=sm_$architecture")
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
  local file=$1 work=$2
  shift 2
  "$@" "$file" -o "$work/$file.fatbin" >"$work/$file.log" 2>&1 || { grep -v '^ptxas info' "$work/$file.log" >&2; return 1; }
}
export -f compile
printf '%s\n' *.cu | xargs -P "${JOBS:-$(nproc)}" -I '{}' bash -c 'compile "$@" || exit 255' compile '{}' "$work" "$nvcc" "${flags[@]}"

# One line a kernel and architecture: file, kernel, block, architecture, registers, shared, spilled. A
# kernel that is not of this project is Thrust's, under the name "-".
for file in *.cu; do
  c++filt <"$work/$file.log" | awk -v file="$file" -v OFS='\t' '
    /Compiling entry function/ {
      architecture = $0; sub(/.* for .sm_/, "", architecture); sub(/[^0-9].*/, "", architecture)
      kernel = $0; sub(/^[^\047]*\047(void )?/, "", kernel)
      block = "-"
      if (kernel ~ /^spineweave::gpu::/) {
        sub(/^spineweave::gpu::\(anonymous namespace\)::/, "", kernel); sub(/\(.*/, "", kernel)
        if (match(kernel, /<[0-9]+/)) {
          block = substr(kernel, RSTART + 1, RLENGTH - 1)
          sub(/<[0-9]+u?(, )?/, "<", kernel); sub(/<>/, "", kernel)
        }
      } else kernel = "-"
      spilled = 0
    }
    /bytes spill stores/ { for (i = 3; i <= NF; ++i) if ($i ~ /^stores/) spilled += $(i - 3) }
    / : Used / {
      shared = 0
      for (i = 2; i <= NF; ++i) {
        if ($i ~ /^registers/) registers = $(i - 1)
        if ($i ~ /^smem/) shared = $(i - 2)
      }
      print file, kernel, block, architecture, registers, shared, spilled
    }'
done | sort -t "$(printf '\t')" -k1,1 -k2,2 -k3,3n -k4,4n >"$work/figures"

{
  echo "$begin"
  echo "nvcc $version. Registers of a thread; bytes of shared memory that a block has from the start (what is asked for at the"
  echo "launch comes on top); bytes spilled by a thread: where they differ, of one architecture after the other."
  echo
  printf '| file | kernel | block |'
  printf ' sm_%s |' "${architectures[@]}"
  printf ' shared | spilled |\n|---|---|--:|'
  printf -- '--:|%.0s' "${architectures[@]}" 1 2
  echo
  awk -F '\t' -v architectures="${architectures[*]}" '
    function merged(of, row,   i, text, differ) {
      for (i = 1; i <= count; ++i) {
        text = text (i > 1 ? " / " : "") of[row, name[i]] + 0
        if (of[row, name[i]] + 0 != of[row, name[1]] + 0) differ = 1
      }
      return differ ? text : of[row, name[1]] + 0
    }
    BEGIN { count = split(architectures, name, " ") }
    {
      row = $1 FS $2 FS $3
      if (!(row in seen)) order[++rows] = row
      seen[row] = 1
      if ($5 > registers[row, $4] + 0) registers[row, $4] = $5
      if ($6 > shared[row, $4] + 0) shared[row, $4] = $6
      if ($7 > spilled[row, $4] + 0) spilled[row, $4] = $7
      ++kernels[row, $4]
    }
    END {
      for (r = 1; r <= rows; ++r) {
        row = order[r]; split(row, part, FS)
        what = part[2] == "-" ? "Thrust: the most of " merged(kernels, row) " kernels" : "`" part[2] "`"
        printf "| `%s` | %s | %s |", part[1], what, part[3] == "-" ? "" : part[3]
        for (i = 1; i <= count; ++i) printf " %d |", registers[row, name[i]]
        printf " %s | %s |\n", merged(shared, row), merged(spilled, row)
      }
    }' "$work/figures"
  echo "$end"
} >"$work/table"

spilling=$(awk -F '\t' '$7 > 0 { printf "%s, %s, sm_%s: %d bytes\n", $1, $2 == "-" ? "Thrust" : $2 " " $3, $4, $7 }' "$work/figures")
if [ -n "$spilling" ]; then
  printf 'resource_table.sh: registers are spilled:\n%s\n' "$spilling" >&2
fi

sed -n "/^$begin\$/,/^$end\$/p" README.md >"$work/old"
[ -s "$work/old" ] || { echo "resource_table.sh: README.md lacks the marker $begin" >&2 && exit 1; }
if [ "$write" = yes ]; then
  awk -v table="$work/table" -v begin="$begin" -v end="$end" '
    $0 == begin { while ((getline line <table) > 0) print line; inside = 1 }
    !inside { print }
    $0 == end { inside = 0 }' README.md >"$work/readme"
  cat "$work/readme" >README.md
  echo "$(grep -c . "$work/figures") kernels and architectures, table rewritten"
elif ! grep -q "^nvcc $version\\." "$work/old"; then
  echo "SKIPPED the comparison: this is nvcc $version, the table is of $(sed -nE 's/^(nvcc [0-9.]+)\. .*/\1/p' "$work/old")"
elif ! diff -u "$work/old" "$work/table"; then
  echo "resource_table.sh: the table of kernels/README.md is out of date; run kernels/resource_table.sh" >&2
  exit 1
else
  echo "the table is up to date"
fi
[ -z "$spilling" ]
