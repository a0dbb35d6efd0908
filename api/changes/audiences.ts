import type { OrganizationId, UserId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { FeedLimits } from './feed-limits.ts';
import type { Follower } from './follower.ts';
import type { HeldPositions } from './held-positions.ts';
import { holdPositions } from './held-positions.ts';

/** All in one organization who follow its changes in this process. */
export interface Audience {
  readonly organizationId: OrganizationId;
  readonly followers: Set<Follower>;
  readonly positions: HeldPositions;
  /** What is being sent: one reading after the other, and none waits for another organization's. */
  sending: Promise<void>;
}

/** Streams end, and their users try again, at any time. */
const RETRY_SECONDS = 30;

/** The streams of this process by their organizations. */
export class Audiences {
  private readonly byOrganization = new Map<OrganizationId, Audience>();

  private readonly limits: FeedLimits;

  constructor(limits: FeedLimits) {
    this.limits = limits;
  }

  get all(): readonly Audience[] {
    return [...this.byOrganization.values()];
  }

  get followers(): readonly Follower[] {
    return this.all.flatMap(({ followers }) => [...followers]);
  }

  /** Throws a limited ProblemError where a user or an organization has as many streams as it may. */
  requireRoom(organizationId: OrganizationId, userId: UserId): void {
    const followers = [...(this.byOrganization.get(organizationId)?.followers ?? [])];
    const { userStreams, organizationStreams } = this.limits;
    const own = followers.filter(({ identity }) => identity.userId === userId).length;
    if (own >= userStreams) throw tooMany(`You have ${userStreams} open streams of changes`);
    if (followers.length >= organizationStreams) {
      throw tooMany(`Your organization has ${organizationStreams} open streams of changes`);
    }
  }

  /** Adds a stream, until it closes. */
  add(follower: Follower): void {
    const { organizationId } = follower.identity;
    const audience = this.byOrganization.get(organizationId) ?? {
      organizationId,
      followers: new Set<Follower>(),
      positions: holdPositions(this.limits.positionMs, () => performance.now()),
      sending: Promise.resolve(),
    };
    this.byOrganization.set(organizationId, audience);
    audience.followers.add(follower);
    follower.stream.once('close', () => {
      audience.followers.delete(follower);
      if (audience.followers.size === 0 && this.byOrganization.get(organizationId) === audience) {
        this.byOrganization.delete(organizationId);
      }
    });
  }
}

function tooMany(detail: string): ProblemError {
  return new ProblemError({
    kind: 'limited',
    detail: `${detail}; close one, or wait for the time given in Retry-After.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
