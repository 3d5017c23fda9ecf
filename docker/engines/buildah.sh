# shellcheck shell=bash disable=SC2034,SC2154
# docker/smoke.sh's steps with buildah, where no engine runs: commands of the container see this machine's network and
# processes, and its file system is not made read-only.
base=localhost/spineweave-smoke-base
state=$work/state
container=
service=

buildah_() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

# What debian:12-slim holds, from the mirror that this machine's packages come from.
make_base() {
  local release mirror scratch
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  read -r mirror < <(apt-get indextargets --format "\$(REPO_URI)" "Release: $release")
  debootstrap --variant=minbase "$release" "$work/base" "$mirror" >"$work/log"
  rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/*
  tar --directory "$work/base" --create --file "$work/base.tar" --exclude './dev/*' --exclude './proc/*' .
  scratch=$(buildah_ from scratch)
  buildah_ add --quiet "$scratch" "$work/base.tar" /
  buildah_ commit --quiet --rm "$scratch" "$base" >/dev/null
  rm -rf "$work/base" "$work/base.tar"
}

build() {
  make_base
  buildah_ bud --isolation chroot --file docker/Dockerfile --tag "$image" --build-arg BUILD_IMAGE="$base" \
    --build-arg RUNTIME_IMAGE="$base" "${build_arguments[@]}" .
  container=$(buildah_ from "$image")
  install --directory --owner 65532 --group 65532 "$state"
  touch "$work/start"
}
image_size() { du --summarize --human-readable "$(buildah_ mount "$container")" | cut -f1; }

inside() { buildah_ run --isolation chroot "${settings[@]}" "$container" -- "$@"; }
settings=()

start_service() {
  settings=(--volume "$state:/var/lib/spineweave" --env SPINEWEAVE_LISTEN=127.0.0.1:0 --env "SPINEWEAVE_TOKEN=$token")
  inside spineweave serve >"$work/log" 2>&1 &
  service=$!
}
port() { sed -n 's/.*listening .*port=\([0-9]*\).*/\1/p' "$work/log" | grep .; }
health_check() { (settings+=(--env "SPINEWEAVE_LISTEN=127.0.0.1:$(port)") && inside /usr/lib/spineweave/healthcheck); }

files_written() { find "$(buildah_ mount "$container")" -xdev -newer "$work/start" -type f; }

# To the service itself, as an engine does: its process wrote its number into the lock.
stop_service() {
  kill -TERM "$(cat "$state/lock")"
  wait "$service"
}

clean_up() {
  if [ -n "$service" ] && kill -0 "$service" 2>/dev/null; then stop_service || true; fi
  if [ -n "$container" ]; then buildah_ rm "$container" >/dev/null; fi
}
