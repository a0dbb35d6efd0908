import type { Violation } from './checker/history.ts';
import type { Recovery } from './recovery.ts';
import type { RoundResult } from './round.ts';

const SHOWN_PER_PROPERTY = 5;

/** A line for a round: what was driven, how long the recovery took, and whether every promise was kept. */
export function describeRound(result: RoundResult): string {
  const { name, shipments, operations, accepted, unknown, recovery, remarks, violations } = result;
  const mark = violations.length === 0 ? '✔' : '✘';
  return [
    `${mark} ${name}: ${shipments} shipments, ${operations} operations, ${accepted} answered with 202, ${unknown} without an answer`,
    ...(recovery === null ? [] : [describeRecovery(recovery)]),
    ...remarks,
    ...(violations.length === 0 ? [] : [`${violations.length} violations`]),
  ].join('; ');
}

function describeRecovery({ liveMs, backlog, backlogMs, quiescentMs }: Recovery): string {
  return `recovery: live command ${seconds(liveMs)}, ${backlog} waiting commands ${seconds(backlogMs)}, quiescent ${seconds(quiescentMs)} after the last client`;
}

/** The violations by property, a few of each with their evidence. */
export function describeViolations(violations: readonly Violation[]): readonly string[] {
  const properties = [...new Set(violations.map(({ property }) => property))];
  return properties.flatMap((property) => {
    const found = violations.filter((violation) => violation.property === property);
    const more = found.length - SHOWN_PER_PROPERTY;
    return [
      `  ${property}: ${found.length}`,
      ...found
        .slice(0, SHOWN_PER_PROPERTY)
        .map(({ shipmentId, evidence }) => `    ${shipmentId ?? '-'}: ${evidence}`),
      ...(more > 0 ? [`    … and ${more} more`] : []),
    ];
  });
}

function seconds(ms: number | null): string {
  return ms === null ? 'never' : `${(ms / 1000).toFixed(1)} s`;
}
