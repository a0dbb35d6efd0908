import type { Answer, Call, ClientEvents } from './client.ts';
import type { Arrival, Reaction } from './mailbox.ts';
import { idOf, listAt, shown, textAt, valueAt } from './reading.ts';
import { columns, type Colour, type Palette, type Terminal } from './terminal.ts';

const NAME_WIDTH = 11;
const PATH_WIDTH = 62;
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
  const told = isLookUp ? '' : toldFields(status, body);
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
  if (transition === '') return textAt(body, 'type') === 'return' ? '{return}' : '';
  const reason = textAt(body, 'reason');
  return reason === '' ? `{${transition}}` : `{${transition}: ${reason}}`;
}

/** The few fields of an answer that matter, by what it is. */
function toldFields(status: number, body: unknown): string {
  const field = (name: string): string => {
    const value = valueAt(body, name);
    return value === undefined ? '' : `${name} ${typeof value === 'string' ? value : shown(value)}`;
  };
  const list = (name: string): string => {
    const words = listAt(body, name).map(String);
    return valueAt(body, name) === undefined ? '' : `${name} ${words.length === 0 ? '–' : words.join(', ')}`;
  };
  return toldParts(status, body, field, list)
    .filter((part) => part !== '')
    .join(' · ');
}

function toldParts(
  status: number,
  body: unknown,
  field: (name: string) => string,
  list: (name: string) => string,
): readonly string[] {
  if (status >= 400) {
    const paths = listAt(body, 'violations').map((violation) => textAt(violation, 'propertyPath'));
    if (paths.length > 0) return [`violations at ${paths.join(', ')}`];
    return [textAt(body, 'detail'), field('currentStatus'), list('allowedTransitions')];
  }
  switch (textAt(body, '@type')) {
    case 'Task': {
      const task = `${textAt(body, 'type')} ${textAt(body, 'status')}`;
      return [task, `shipment ${textAt(body, 'shipmentStatus')}`, list('allowedTransitions')];
    }
    case 'Shipment':
      return ['trackingNumber', 'status', 'codAmount', 'deliveryFee', 'totalCodToCollect'].map(field);
    case 'Command':
      return [`command ${textAt(body, 'status')}`];
    default:
      return ['id', 'status', 'hint', 'webhookUrl', 'isWebhookEnabled', 'hasWebhooks'].map(field);
  }
}

function shortened(path: string): string {
  return path
    .replace('/api/v1', '')
    .replace(/&order.*$/, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}/g, (id) => `${idOf(id).slice(0, 8)}…`);
}

function statusColour(palette: Palette, status: number): Colour {
  if (status < 300) return palette.green;
  return status < 500 ? palette.yellow : palette.red;
}
