#!/bin/sh
# The image's one entrance. The word after the image's name says what the container does.
set -eu

# Where this script lies says where the build lies: the image and `npm run test:production` start the same one.
build="$(dirname "$0")/../dist"
command="${1:-api}"
[ "$#" -eq 0 ] || shift

start() {
  script="$1"
  shift
  exec node --enable-source-maps "$build/$script.js" "$@"
}

# With the options of scripts/service-node-options.ts.
serve() {
  exec node --enable-source-maps --min-semi-space-size=16 --no-memory-reducer "$build/$1.js"
}

case "$command" in
  api) serve api/main ;;
  worker) serve worker/main ;;
  migrate) start scripts/migrate ;;
  search-attributes) start scripts/search-attributes ;;
  organization-create) start scripts/organization-create "$@" ;;
  organization-plan) start scripts/organization-plan "$@" ;;
  health)
    case "${1:-api}" in
      worker) port="${WORKER_HEALTH_PORT:?WORKER_HEALTH_PORT is not set: the worker has no health page}" ;;
      *) port="${PORT:-8080}" ;;
    esac
    start scripts/health-check "http://127.0.0.1:$port/health/ready"
    ;;
  *)
    echo "There is no command \"$command\". Commands: api, worker, migrate, search-attributes, organization-create, organization-plan, health." >&2
    exit 64
    ;;
esac
