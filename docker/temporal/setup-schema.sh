#!/bin/sh
# Brings the schemas of Temporal's two databases to the version of this image. The databases were made by
# docker/postgres. Harmless when repeated; to be run before a newer server starts.
set -eu

SQL_PASSWORD="$(cat "$SQL_PASSWORD_FILE")"
export SQL_PASSWORD

bring_up_to_date() {
  database="$1"
  schema="$2"
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-name "$schema"
}

bring_up_to_date temporal postgresql/v12/temporal
bring_up_to_date temporal_visibility postgresql/v12/visibility
