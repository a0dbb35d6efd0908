import type { CommandOutcome } from '../../domain/command.ts';
import { commandName } from '../../domain/decide-command.ts';
import { observe } from '../../platform/metrics/metrics.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { errorName, startSpan } from '../../platform/tracing/tracing.ts';
import type { WaitingCommand } from './command-queue.ts';
import type { LockedShipment } from './lock-shipment.ts';

/** A decision under way, for metrics and traces. */
export interface ObservedDecision {
  readonly command: WaitingCommand;
  /** What the decision causes belongs to it. */
  readonly trace: TraceContext | null;
  /** Notes the outcome, after its commit. */
  readonly noteOutcome: (outcome: CommandOutcome) => void;
  /** Notes a try that changed nothing. */
  readonly noteFailedTry: (error: unknown) => void;
}

/** Begins to observe the decision of a command that has just been locked. */
export function observeDecision(
  command: WaitingCommand,
  { id, organizationId }: Pick<LockedShipment, 'id' | 'organizationId'>,
): ObservedDecision {
  const startedAtMs = performance.now();
  const kind = commandName(command);
  const span = startSpan('decide', command.trace, {
    'shipments.command.id': command.id,
    'shipments.command.kind': kind,
    'shipments.command.waited_seconds': command.waitedSeconds,
    'shipments.shipment.id': id,
    'shipments.organization.id': organizationId,
  });
  return {
    command,
    trace: span.context,
    noteOutcome: (outcome) => {
      const seconds = command.waitedSeconds + (performance.now() - startedAtMs) / 1_000;
      observe('command_latency_seconds', { kind, outcome }, seconds);
      const error = outcome === 'failed' ? 'set aside' : undefined;
      span.end({ attributes: { 'shipments.command.outcome': outcome }, error });
    },
    noteFailedTry: (error) => span.end({ error: errorName(error) }),
  };
}
