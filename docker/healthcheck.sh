#!/usr/bin/env bash
# Exits 0 if the service in this container answers /healthz. It looks where the environment says that the service
# listens; the image holds no curl.
set -euo pipefail

port=${SPINEWEAVE_LISTEN##*:}
request=$'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

if [ -n "${SPINEWEAVE_TLS_CERTIFICATE:-}" ]; then
  read -r -t 4 status < <(openssl s_client -quiet -connect "127.0.0.1:$port" <<<"$request" 2>/dev/null)
else
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf '%s' "$request" >&3
  read -r -t 4 status <&3
fi
[[ $status == "HTTP/1.1 200 "* ]]
