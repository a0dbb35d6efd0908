/** How a metric is kept: a sum, a number of the moment, or a distribution in seconds. */
type MetricKind = 'counter' | 'gauge' | 'histogram';

/** One metric. The exporter, `docs/metrics.md` and the checks of alerts and dashboard read these rows. */
export interface MetricRow {
  readonly kind: MetricKind;
  readonly from: readonly ('api' | 'worker')[];
  readonly help: string;
  /** Each label with its values, or with what its values are. They are bounded: no tenant, no id, no path as it was sent. */
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

const BOTH = ['api', 'worker'] as const;
const API = ['api'] as const;
const WORKER = ['worker'] as const;

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
/** From a decision in time to a backlog after an outage. */
const WAIT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200] as const;
const ATTEMPT_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;

/** `domain/` names them; this layer knows packages alone. */
const COMMANDS = 'a transition, or the kind of another command';

/** Every metric of the service (decision 0039). Temporal's SDK adds its own, on a port of theirs. */
export const METRICS = {
  http_server_request_duration_seconds: {
    kind: 'histogram',
    from: API,
    help: 'Time until an answer is ready to be sent; its count is the number of requests',
    labels: {
      route: 'template of the path, `none` for paths without a route',
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'OTHER'],
      status: 'HTTP status code',
    },
    buckets: REQUEST_BUCKETS,
  },
  commands_accepted_total: {
    kind: 'counter',
    from: API,
    help: 'Commands that were stored, so that they will be decided',
    labels: { kind: COMMANDS },
  },
  workflow_signals_total: {
    kind: 'counter',
    from: API,
    help: 'Signals of commands to their workflows; the reconciler repeats what was not sent',
    labels: { result: ['sent', 'late', 'failed'] },
  },
  command_latency_seconds: {
    kind: 'histogram',
    from: WORKER,
    help: 'Time from the acceptance of a command to its outcome; its count is the number of decided commands',
    labels: { kind: COMMANDS, outcome: ['applied', 'rejected', 'failed'] },
    buckets: WAIT_BUCKETS,
  },
  commands_undecided: {
    kind: 'gauge',
    from: BOTH,
    help: 'Accepted commands without an outcome, in PostgreSQL',
    labels: {},
  },
  command_oldest_undecided_age_seconds: {
    kind: 'gauge',
    from: BOTH,
    help: 'Age of the oldest command without an outcome; 0 where there is none',
    labels: {},
  },
  commands_failed: {
    kind: 'gauge',
    from: BOTH,
    help: 'Commands that were set aside as `failed` and wait for the operator',
    labels: {},
  },
  webhook_attempt_duration_seconds: {
    kind: 'histogram',
    from: WORKER,
    help: 'Time of a request to a receiver; its count is the number of attempts',
    labels: {
      lane: ['live', 'slow', 'replay', 'test'],
      attempt: ['1', '2', '3 or later'],
      result: ['delivered', 'rejected', 'retry'],
    },
    buckets: ATTEMPT_BUCKETS,
  },
  webhook_events_settled_total: {
    kind: 'counter',
    from: WORKER,
    help: 'Webhook events that ended, in each round; `dead` is a dead letter',
    labels: { result: ['delivered', 'rejected', 'dead', 'skipped'] },
  },
  webhook_lag_seconds: {
    kind: 'histogram',
    from: WORKER,
    help: 'Time from a change, or from a replay’s request, to the delivery of its event',
    labels: { round: ['first', 'replay'] },
    buckets: WAIT_BUCKETS,
  },
  webhook_events_pending: {
    kind: 'gauge',
    from: BOTH,
    help: 'Webhook events that are to be sent, in PostgreSQL',
    labels: {},
  },
  webhook_oldest_pending_age_seconds: {
    kind: 'gauge',
    from: BOTH,
    help: 'Age of the oldest pending event of a first delivery; 0 where there is none',
    labels: {},
  },
  webhook_endpoints: {
    kind: 'gauge',
    from: BOTH,
    help: 'Endpoints of all organizations that fail or are on the slow lane (decision 0016)',
    labels: { state: ['failing', 'slow'] },
  },
  reconciler_actions_total: {
    kind: 'counter',
    from: WORKER,
    help: 'Rows that the reconciler acted on',
    labels: { kind: ['deadlines', 'commands', 'requests', 'shipments', 'events'] },
  },
  reconciler_failed_actions_total: {
    kind: 'counter',
    from: WORKER,
    help: 'Actions of the reconciler that failed and are due again later',
    labels: {},
  },
  reconciler_replaced_runs_total: {
    kind: 'counter',
    from: WORKER,
    help: 'Workflow runs that were replaced because their task kept failing (decision 0015)',
    labels: {},
  },
  reconciler_passes_total: {
    kind: 'counter',
    from: WORKER,
    help: 'Passes of the reconciler; `interrupted`: PostgreSQL or Temporal was unreachable',
    labels: { result: ['done', 'interrupted'] },
  },
  work_queue_items: {
    kind: 'gauge',
    from: API,
    help: 'Work of a process that has a queue of its own',
    labels: {
      queue: ['imports', 'imports slow', 'documents', 'documents bulk', 'passwords', 'workflow starts'],
      state: ['waiting', 'running'],
    },
  },
  change_streams: {
    kind: 'gauge',
    from: API,
    help: 'Open streams of changes of this process',
    labels: {},
  },
  database_connections: {
    kind: 'gauge',
    from: BOTH,
    help: 'Connections of the pool of this process',
    labels: { state: ['used', 'idle'] },
  },
  database_connections_limit: {
    kind: 'gauge',
    from: BOTH,
    help: 'The most connections that the pool opens: DATABASE_POOL_SIZE',
    labels: {},
  },
  database_connection_waiters: {
    kind: 'gauge',
    from: BOTH,
    help: 'Statements and transactions that wait for a connection',
    labels: {},
  },
  dependency_up: {
    kind: 'gauge',
    from: BOTH,
    help: '1 where it answers, 0 where not; the API does not ask for Temporal',
    labels: { dependency: ['postgresql', 'temporal'] },
  },
  event_loop_delay_seconds: {
    kind: 'gauge',
    from: BOTH,
    help: 'By how much timers are late, since the last reading',
    labels: { quantile: ['0.5', '0.99', '1'] },
  },
  event_loop_utilization_ratio: {
    kind: 'gauge',
    from: BOTH,
    help: 'Share of the time in which the event loop was busy, since the last reading',
    labels: {},
  },
  process_cpu_seconds_total: {
    kind: 'counter',
    from: BOTH,
    help: 'CPU time of the process',
    labels: {},
  },
  process_resident_memory_bytes: {
    kind: 'gauge',
    from: BOTH,
    help: 'Memory of the process',
    labels: {},
  },
  process_start_time_seconds: {
    kind: 'gauge',
    from: BOTH,
    help: 'When the process started, in seconds since 1970',
    labels: {},
  },
  log_lines_dropped_total: {
    kind: 'counter',
    from: BOTH,
    help: 'Log lines that could not be written',
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

/** A metric's name, as Prometheus has it. */
export type MetricName = keyof typeof METRICS;

type LabelValue<Values> = Values extends readonly (infer Value extends string)[] ? Value : string;

/** The labels of a metric. */
export type MetricLabels<Name extends MetricName> = {
  readonly [Label in keyof (typeof METRICS)[Name]['labels']]: LabelValue<
    (typeof METRICS)[Name]['labels'][Label]
  >;
};

type NamesOf<Kind extends MetricKind> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
