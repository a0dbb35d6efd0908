#!/bin/sh
# Makes the namespace in which shipments run, and waits for Temporal to be there. Harmless when repeated.
set -eu

attempts_left=60
until answer="$(temporal operator cluster health 2>&1)"; do
  attempts_left=$((attempts_left - 1))
  if [ "$attempts_left" -eq 0 ]; then
    echo "Temporal is unreachable at $TEMPORAL_ADDRESS: $answer" >&2
    exit 1
  fi
  sleep 1
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  echo "The namespace $TEMPORAL_NAMESPACE exists."
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$NAMESPACE_RETENTION"
fi
