#!/bin/sh
# The image's one entrance. The word after the image's name says what the container does.
set -eu

# Where this script lies says where the build lies.
build="$(dirname "$0")/../dist"
command="${1:-api}"
[ "$#" -eq 0 ] || shift

start() {
  script="$1"
  shift
  exec node --enable-source-maps "$build/$script.js" "$@"
}

# The image's own build, for the worker and for the command that makes it current. An empty WORKER_BUILD_ID turns
# worker versioning off.
name_build() {
  WORKER_BUILD_ID="${WORKER_BUILD_ID-$(cat "$build/worker/build-id")}"
  export WORKER_BUILD_ID
}

case "$command" in
  api) start api/main ;;
  worker)
    name_build
    start worker/main
    ;;
  worker-deployment)
    name_build
    start ops/main "$command" "$@"
    ;;
  migrate | search-attributes | organization | organization-create | organization-plan | user | person | key | webhook-secrets | dead-letters | audit | commands | check-consistency)
    start ops/main "$command" "$@"
    ;;
  health)
    case "${1:-api}" in
      worker) port="${WORKER_HEALTH_PORT:?WORKER_HEALTH_PORT is not set: the worker has no health page}" ;;
      *) port="${PORT:-8080}" ;;
    esac
    start ops/health-check "http://127.0.0.1:$port/health/ready"
    ;;
  *)
    echo "Unknown command \"$command\". Commands: api, worker, migrate, search-attributes, worker-deployment, organization, organization-create, organization-plan, user, person, key, webhook-secrets, dead-letters, audit, commands, check-consistency, health." >&2
    exit 64
    ;;
esac
