#!/bin/sh
# Starts the Temporal server; the image's own entrance takes the password from the environment alone.
set -eu

POSTGRES_PWD="$(cat "$POSTGRES_PWD_FILE")"
export POSTGRES_PWD

# A server that listens on every address must be told by which one its parts find each other.
if [ -z "${TEMPORAL_BROADCAST_ADDRESS:-}" ]; then
  TEMPORAL_BROADCAST_ADDRESS="$(getent hosts "$(hostname)" | awk 'NR == 1 { print $1 }')"
  export TEMPORAL_BROADCAST_ADDRESS
fi

exec temporal-server start
