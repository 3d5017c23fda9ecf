# shellcheck shell=bash disable=SC2154
# docker/smoke.sh's steps with a Docker engine.
container=

build() { docker build --file docker/Dockerfile --tag "$image" "${build_arguments[@]}" .; }
image_size() { docker image inspect --format '{{.Size}} bytes' "$image"; }

inside() { docker run --rm --entrypoint "$1" "$image" "${@:2}"; }
health_check() { docker exec "$container" /usr/lib/spineweave/healthcheck; }

start_service() {
  container=$(SPINEWEAVE_TOKEN=$token docker run --detach --env SPINEWEAVE_TOKEN --publish 127.0.0.1::8080 \
    --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges "$image")
  docker logs --follow "$container" >"$work/log" 2>&1 &
}
port() {
  local address
  address=$(docker port "$container" 8080/tcp) && echo "${address##*:}"
}
files_written() { docker diff "$container"; }

stop_service() {
  docker stop --time 30 "$container" >/dev/null
  return "$(docker inspect --format '{{.State.ExitCode}}' "$container")"
}

clean_up() { if [ -n "$container" ]; then docker rm --force --volumes "$container" >/dev/null; fi; }
