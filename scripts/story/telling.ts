import type { Answer, Call, ClientEvents } from './client.ts';
import type { Arrival, Reaction } from './mailbox.ts';
import { idOf, listAt, shown, textAt, valueAt } from './reading.ts';
import { columns, type Colour, type Palette, type Terminal } from './terminal.ts';

const NAME_WIDTH = 11;
const PATH_WIDTH = 52;
/** The few fields of an answer that matter, in this order. */
const TOLD_FIELDS = [
  ...['id', 'trackingNumber', 'type', 'status', 'shipmentStatus', 'currentStatus', 'allowedTransitions'],
  ...['codAmount', 'deliveryFee', 'totalCodToCollect', 'deliveryDeadline', 'totalItems'],
  ...['webhookUrl', 'isWebhookEnabled', 'hasWebhooks', 'detail', 'hint'],
];

/** Tells each exchange as it happens: who, method, path, status, time, and the few fields that matter. */
export function tellExchanges(terminal: Terminal): ClientEvents {
  return {
    onExchange: (call, answer) => {
      for (const line of exchangeLines(terminal.palette, call, answer)) terminal.line(line);
    },
    onHold: (why, seconds) => {
      terminal.line(`  ${terminal.palette.yellow(`… ${why}: trying again in ${seconds} s`)}`);
    },
  };
}

function exchangeLines(
  palette: Palette,
  call: Call,
  { status, body, durationMs }: Answer,
): readonly string[] {
  const { caller, method, path } = call;
  const colour = statusColour(palette, status);
  const words = `${method.padEnd(6)} ${shortened(path)} ${intent(call)}`.trimEnd();
  const isLookUp = method === 'GET' && status === 200;
  const first = `  ${caller.name.padEnd(NAME_WIDTH)} ${words.padEnd(PATH_WIDTH)} ${colour(String(status))} ${palette.dim(`${durationMs.toFixed(0).padStart(4)} ms`)}`;
  const told = isLookUp ? '' : toldFields(body);
  const indent = ' '.repeat(NAME_WIDTH + 3);
  return [isLookUp ? palette.dim(first) : first, ...(told === '' ? [] : [`${indent}${palette.dim(told)}`])];
}

/** A notification as it comes in. */
export function arrivalLine(palette: Palette, arrival: Arrival): string {
  const { taskType, taskStatus, status, trackingNumber, attempt, reaction } = arrival;
  const again = attempt === 1 ? '' : palette.yellow(` duplicate, request ${attempt}, same bytes;`);
  return `  ${palette.magenta('⇠ webhook')}   ${trackingNumber} ${palette.bold(`${taskType} ${taskStatus}`)}, shipment ${status};${again} signature ${palette.green('✔')} ${reactionText(palette, reaction)}`;
}

/** One row for each request of a shipment's changes, for the end of the story. */
export function mailboxLines(palette: Palette, changes: readonly (readonly Arrival[])[]): readonly string[] {
  const rows = changes.flatMap((change) =>
    change.map((arrival, index) => [
      arrival.updatedAt,
      `${arrival.taskType} ${arrival.taskStatus}`,
      arrival.status,
      `#${index + 1}`,
      reactionWords(arrival.reaction),
    ]),
  );
  return columns([['updatedAt', 'task', 'shipment', 'request', 'our answer'], ...rows]).map((line, index) =>
    index === 0 ? `    ${palette.dim(line)}` : `    ${line}`,
  );
}

function reactionText(palette: Palette, reaction: Reaction): string {
  const words = reactionWords(reaction);
  const isGood = reaction.kind === 'answer' && reaction.status < 300;
  return isGood ? palette.dim(`← ${words}`) : palette.yellow(`← ${words}`);
}

function reactionWords(reaction: Reaction): string {
  switch (reaction.kind) {
    case 'answer':
      return String(reaction.status);
    case 'silence':
      return 'nothing: the time runs out';
    case 'hang_up':
      return 'the connection breaks';
  }
}

/** What a request wants, beside its path. */
function intent({ body }: Call): string {
  const transition = textAt(body, 'transition');
  const more = textAt(body, 'reason') || (valueAt(body, 'driver') === undefined ? '' : 'driver');
  const added = textAt(body, 'type') === 'return' ? '{return}' : '';
  if (transition === '') return added;
  return more === '' ? `{${transition}}` : `{${transition}: ${more}}`;
}

function toldFields(body: unknown): string {
  const fields = TOLD_FIELDS.flatMap((name) => {
    const value = valueAt(body, name);
    if (value === undefined || value === null) return [];
    if (name === 'id') return [`id ${textAt(body, 'id')}`];
    const words = Array.isArray(value) ? listAt(body, name).join(', ') : value;
    return [`${name} ${typeof words === 'string' ? words : shown(words)}`];
  });
  const violations = listAt(body, 'violations').map((violation) => textAt(violation, 'propertyPath'));
  // A violation's detail repeats what the paths say.
  const kept = violations.length > 0 ? fields.filter((field) => !field.startsWith('detail ')) : fields;
  return [...kept, ...(violations.length > 0 ? [`violations at ${violations.join(', ')}`] : [])].join(' · ');
}

function shortened(path: string): string {
  return path
    .replace('/api/v1', '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}/g, (id) => `${idOf(id).slice(0, 8)}…`);
}

function statusColour(palette: Palette, status: number): Colour {
  if (status < 300) return palette.green;
  return status < 500 ? palette.yellow : palette.red;
}
