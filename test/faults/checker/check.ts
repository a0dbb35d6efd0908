import { checkAcceptedCommands } from './accepted-commands.ts';
import type { Creation } from './creations.ts';
import { checkCreations } from './creations.ts';
import type { Evidence } from './evidence.ts';
import type { ShipmentHistory, Violation } from './history.ts';
import { checkLinearizable } from './linearizability.ts';
import { checkRepeats } from './repeats.ts';
import { checkResponses } from './responses.ts';
import { checkRuns } from './runs.ts';
import { checkTimeline } from './timeline.ts';
import { checkWebhooks } from './webhooks.ts';

/** What is checked, in the words of a report. */
export const PROPERTIES = [
  'created once',
  'linearizable',
  'exactly once',
  'decided',
  'order of acceptance',
  'true',
  'expected response',
  'same key, same answer',
  'timeline follows the table',
  'updatedAt strictly increases',
  'one event for each transition',
  'webhooks',
  'no run without work',
] as const;

/** Everything that clients recorded. */
export interface Recorded {
  readonly creations: readonly Creation[];
  readonly histories: readonly ShipmentHistory[];
}

/** Checks what clients saw against what the database, the receiver and Temporal say of it when nothing is under way. */
export function check(
  { creations, histories }: Recorded,
  evidence: Evidence,
  maximumPosts: number,
): readonly Violation[] {
  return [
    ...checkCreations(creations, evidence),
    ...checkResponses(creations, histories),
    ...histories.flatMap((history) => [
      ...checkLinearizable(history),
      ...checkAcceptedCommands(history, evidence),
      ...checkRepeats(history.operations),
      ...checkTimeline(history, evidence),
    ]),
    ...checkWebhooks(evidence, maximumPosts),
    ...checkRuns(evidence),
  ];
}
