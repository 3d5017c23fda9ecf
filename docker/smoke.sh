#!/usr/bin/env bash
# Builds the image for the CPU and runs the service in it. It must want a token, answer its health check, route the
# paper's setting as the program does, write nowhere but into its state directory, and stop when it is told to.
#   docker/smoke.sh [PROGRAM]    a spineweave of the same sources, to compare digests with; else the image's own
# With Docker where there is an engine, else with buildah, as root. Exits with 77 where there is neither.
# docker/engines/ holds what differs: build, start_service, port, inside COMMAND..., files_written, and stop_service,
# which exits as the service did.
set -euo pipefail
cd "$(dirname "$0")/.."

FABRIC=leaf-spine:leaves=64,spines=32,hosts=32,gbps=100
JOBS=paper:jobs=5,ring=4,seed=1
work=$(mktemp --directory)
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export image=localhost/spineweave-smoke
# The dashboard has tests of its own, and npm is set up on this machine, not in the image.
# shellcheck disable=SC2034  # each engine builds with them
build_arguments=(--build-arg CMAKE_OPTIONS=-DSPINEWEAVE_DASHBOARD=OFF)

step() { printf '== %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  cat "$work/log" >&2 2>/dev/null || true
  exit 1
}
# In JSON, or in text with lines broken anywhere.
digest_in() { tr -s ' \n' ' ' <"$1" | grep -oE 'digest"?:? ?"?[0-9a-f]{16}' | grep -oE '[0-9a-f]{16}$'; }
wait_for() {
  for _ in {1..300}; do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "still waiting for: $*"
}

if docker info >/dev/null 2>&1; then
  engine=docker
elif [ "$(id -u)" -eq 0 ] && command -v buildah >/dev/null && command -v debootstrap >/dev/null; then
  engine=buildah
else
  echo "SKIPPED: there is no Docker engine, and not both buildah and debootstrap, to be run as root"
  exit 77
fi
# shellcheck source=/dev/null
source "docker/engines/$engine.sh"
trap 'clean_up; rm -rf "$work"' EXIT

step "image, with $engine"
build
echo "size: $(image_size)"

step "without a token it does not listen to the world"
if inside spineweave serve >"$work/refusal" 2>&1; then fail "it started"; fi
grep --quiet token "$work/refusal" || fail "$(cat "$work/refusal")"

step "starts, healthy"
start_service
wait_for port
url=http://127.0.0.1:$(port)
wait_for curl --fail --silent "$url/healthz"
health_check || fail "the health check does not see it"
curl --fail --silent "$url/readyz" >/dev/null || fail "not ready"
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' "$url/v1/status")" = 401 ] || fail "no token is asked for"

step "routes the paper's setting over HTTP as on the command line"
curl --fail --silent --show-error --header "Authorization: Bearer $token" "$url/v1/optimizations?wait=60s" \
  --data "{\"fabric\": \"$FABRIC\", \"jobs\": \"$JOBS\"}" >"$work/answer.json"
optimize=(optimize --fabric "$FABRIC" --jobs "$JOBS")
if [ $# -gt 0 ]; then
  "$1" "${optimize[@]}" >"$work/report.txt"
else
  inside spineweave "${optimize[@]}" >"$work/report.txt"
fi
served=$(digest_in "$work/answer.json") || fail "no digest: $(cut -c1-300 "$work/answer.json")"
printed=$(digest_in "$work/report.txt") || fail "no digest: $(cat "$work/report.txt")"
[ "$served" = "$printed" ] || fail "digests: $served, $printed"
echo "digest: $served"

step "keeps its state, and writes nowhere else"
curl --fail --silent --show-error --header "Authorization: Bearer $token" --request PUT --data "$FABRIC" \
  "$url/v1/fabric" >/dev/null
written=$(files_written)
[ -z "$written" ] || fail "written: $written"

step "stops on SIGTERM with status 0"
stop_service || fail "status $?"
echo "all well"
