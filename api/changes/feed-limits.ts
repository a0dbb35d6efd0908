/** Times and numbers of the stream of changes (docs/limits.md). Streams are counted in each process. */
export const FEED_LIMITS = {
  userStreams: 10,
  organizationStreams: 500,
  /** After how long a change is found without a notification. */
  pollMs: 300,
  heartbeatMs: 15_000,
  /** How often sessions are asked for: a stream ends within five seconds of its session. */
  sessionCheckMs: 4_000,
  /** Give or take a fifth, so that streams that began together do not end together. */
  lifetimeMs: 30 * 60_000,
  /** Positions of a driver come no more often. */
  positionMs: 5_000,
  /** A reader that is behind by more is closed. */
  behindBytes: 1_048_576,
  /** How long a crowd of changes waits for its slower readers between two parts. */
  paceMs: 250,
  /** A reader is closed that takes nothing for so long of what it has missed. */
  stallMs: 30_000,
  /** When a reader comes back that has lost the connection. */
  retryMs: 2_000,
};
export type FeedLimits = typeof FEED_LIMITS;
