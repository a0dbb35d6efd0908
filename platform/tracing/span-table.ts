/** One kind of span. The code is typed by these rows, and `docs/tracing.md` repeats them. */
export interface SpanRow {
  /** What the trace shows. The name of a request is its own: method and template of the path. */
  readonly title: string;
  readonly from: 'api' | 'worker';
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Below which span it stands. */
  readonly parent: string;
  readonly help: string;
  /** Each attribute, and what it is. Ids and words of the contract alone: no person, no path as it was sent, no address. */
  readonly attributes: Readonly<Record<string, string>>;
}

const COMMAND = {
  'shipments.command.id': 'id of the command',
  'shipments.command.kind': 'a transition, or the kind of another command',
} as const;
const SHIPMENT = { 'shipments.shipment.id': 'id of the shipment; its workflow is `shipment-<id>`' } as const;
const ORGANIZATION = { 'shipments.organization.id': 'whose it is' } as const;
const STATUS_CODE = { 'http.response.status_code': 'status of the answer' } as const;

/** Every span of the service (decision 0044). */
export const SPANS = {
  request: {
    title: 'method and template of the path: `POST /api/v1/tasks/{id}/transition`',
    from: 'api',
    kind: 'server',
    parent: 'the client’s span; none without a `traceparent`',
    help: 'A request, until its answer is ready to be sent; probes have none',
    attributes: {
      'http.request.method': 'method',
      'http.route': 'template of the path, `none` for paths without a route',
      ...STATUS_CODE,
      'shipments.request.id': '`x-request-id` of the answer and of the log',
      ...ORGANIZATION,
    },
  },
  accept: {
    title: '`accept command`',
    from: 'api',
    kind: 'producer',
    parent: 'the request',
    help: 'Until a command is stored; one for each command of a request',
    attributes: {
      ...COMMAND,
      ...SHIPMENT,
      ...ORGANIZATION,
      'shipments.command.status': '`received`, `backlog_full`, or what became of it where it is a repeat',
    },
  },
  signal: {
    title: '`signal workflow`',
    from: 'api',
    kind: 'client',
    parent: 'the acceptance',
    help: 'The nudge to the shipment’s workflow; the reconciler repeats one that fails',
    attributes: { ...SHIPMENT, 'shipments.signal.result': '`sent`, `late`, `failed`' },
  },
  create: {
    title: '`create shipment`',
    from: 'worker',
    kind: 'consumer',
    parent: 'the request of the external API',
    help: 'The creation of an external request’s shipment, without its commit',
    attributes: { ...SHIPMENT, ...ORGANIZATION },
  },
  decide: {
    title: '`decide command`',
    from: 'worker',
    kind: 'consumer',
    parent: 'the acceptance',
    help: 'The decision of a command and its commit, by a step of the workflow; one for each try',
    attributes: {
      ...COMMAND,
      ...SHIPMENT,
      ...ORGANIZATION,
      'shipments.command.outcome': '`applied`, `rejected`, `failed`',
      'shipments.command.waited_seconds': 'from the acceptance to this span',
    },
  },
  send: {
    title: '`send webhook`',
    from: 'worker',
    kind: 'client',
    parent: 'the decision; of a replay and of a test event its request',
    help: 'One attempt to send a webhook event, whose request names this span',
    attributes: {
      'shipments.webhook_event.id': '`X-Service-Event-Id`',
      'shipments.webhook.round': '0 for the first delivery, one more for each replay',
      'shipments.webhook.attempt': 'number of the attempt in its round',
      'shipments.webhook.lane': '`live`, `slow`, `replay`, `test`',
      'shipments.webhook.result': '`delivered`, `rejected`, `retry`',
      ...STATUS_CODE,
      ...ORGANIZATION,
    },
  },
} as const satisfies Readonly<Record<string, SpanRow>>;

/** A kind of span. */
export type SpanName = keyof typeof SPANS;

/** Attributes of a kind of span. */
export type SpanAttributes<Name extends SpanName> = {
  readonly [Attribute in keyof (typeof SPANS)[Name]['attributes']]?: string | number | undefined;
};
