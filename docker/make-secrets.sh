#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, in ./secrets or the folder given. What exists is kept.
set -eu

folder="${1:-secrets}"
umask 077
mkdir -p "$folder"

random_hex() {
  od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'
}

keep() {
  if [ -s "$folder/$1" ]; then
    echo "exists: $folder/$1"
    return
  fi
  printf '%s\n' "$2" >"$folder/$1"
  # The containers' users read the files; the folder keeps everybody else on this machine out.
  chmod 444 "$folder/$1"
  echo "created: $folder/$1"
}

keep postgres_password "$(random_hex 24)"
keep shipments_database_password "$(random_hex 24)"
keep temporal_database_password "$(random_hex 24)"
keep jwt_secret "$(random_hex 48)"
keep tracking_secret "$(random_hex 48)"
# The first key encrypts; docs/deployment.md «Keys of stored secrets» says how another one takes its place.
keep encryption_keys "k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
keep database_url "postgres://shipments:$(cat "$folder/shipments_database_password")@postgres:5432/shipments"
