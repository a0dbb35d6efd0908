/**
 * How Node runs the API and the worker, on a laptop, in the bench and (docker/entrypoint.sh) in the image. Without them
 * V8 gives memory back in quiet times, and the first requests of a burst take twice the CPU time while it grows again
 * (docs/performance.md).
 */
export const SERVICE_NODE_OPTIONS = ['--min-semi-space-size=16', '--no-memory-reducer'] as const;
